"""All topics of a corpus measured, in this process or in several, with progress to be seen."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from ..corpora import Topic
from ..errors import InputError
from ..workers import WorkerDiedError, Workers
from .cache import open_cache
from .settings import Experiment
from .topic import fingerprint_topic, measure_topic

__all__ = ["run_experiment"]

Report = Callable[[int, int, str], None]  # topics done, topics in all, what happened


def run_experiment(
    topics: Iterable[Topic],
    experiment: Experiment,
    *,
    folder: Path | None = None,
    force: bool = False,
    jobs: int = 1,
    report: Report = lambda done, total, text: None,
) -> list[dict[str, Any]]:
    """The results of all topics in their order; those in the folder are not measured again."""
    every = list(topics)
    results: dict[str, dict[str, Any]] = {}
    with open_cache(folder, experiment.signature, force=force) as cache:
        waiting = []
        for topic in every:
            found = cache.find(topic.id, fingerprint_topic(topic))
            if found is None:
                waiting.append(topic)
            else:
                results[topic.id] = found
        if results:
            report(len(results), len(every), f"{len(results)} topics were measured before")
        for result in _measure_all(waiting, experiment, jobs):
            results[result["id"]] = result
            cache.add(result)
            report(len(results), len(every), result.get("error", ""))
    return [results[topic.id] for topic in every]


def _measure_all(
    topics: list[Topic], experiment: Experiment, jobs: int
) -> Iterator[dict[str, Any]]:
    if jobs == 1 or len(topics) < 2:
        for topic in topics:
            yield measure_topic(topic, experiment)
        return
    workers = Workers(jobs, prepare=_prepare_worker)
    try:
        calls = [workers.submit(measure_topic, topic, experiment) for topic in topics]
        while calls:
            call = workers.wait_for_any(calls)
            calls.remove(call)
            yield call.take()
    except WorkerDiedError:
        raise InputError(
            "a worker process died, for lack of memory perhaps; what was done is kept: run "
            "the same line again, with fewer jobs"
        ) from None
    finally:
        workers.close()


def _prepare_worker() -> None:
    sys.set_int_max_str_digits(0)
