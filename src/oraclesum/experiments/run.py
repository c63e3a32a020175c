"""All topics of a corpus measured, in this process or in several, with progress to be seen."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any

from ..answers.record import allow_long_integers
from ..corpora import Topic
from ..runs.loop import DIED, run_in_order
from ..workers import Caller, Here, Workers
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
        alone = jobs == 1 or len(waiting) < 2
        caller: Caller = Here() if alone else Workers(jobs, prepare=allow_long_integers)
        measure = partial(measure_topic, experiment=experiment)
        for topic, result in run_in_order(waiting, measure, _give_up, caller):
            results[topic.id] = result
            cache.add(result)
            report(len(results), len(every), result.get("error", ""))
    return [results[topic.id] for topic in every]


def _give_up(topic: Topic) -> dict[str, Any]:
    """The result of a topic whose worker died."""
    head = {"id": topic.id, "fingerprint": fingerprint_topic(topic)}
    return {**head, "error": f"{topic.place}: {DIED}"}
