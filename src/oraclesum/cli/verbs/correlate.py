"""The verb `correlate`: how well ROUGE and F-measures agree with human scores."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import click

from ..options import (
    alignment_options,
    draw_option,
    length_options,
    output_options,
    run_options,
    solve_options,
)
from ..settings import Settings

if TYPE_CHECKING:
    from ...answers import Case, Json, WrittenRow
    from ...answers.record import Record

__all__ = ["answer_case", "command"]

_FEWEST_SYSTEMS = 5
_LIMITS = ("max_words", "max_sentences", "max_bytes")


def _split_measures(_: click.Context, __: click.Parameter, value: str) -> tuple[int, ...]:
    parts = [part.strip() for part in value.split(",") if part.strip()]
    if not parts or any(part not in map(str, range(1, 10)) for part in parts):
        raise click.BadParameter("give numbers from 1 to 9, separated by commas")
    return tuple(dict.fromkeys(map(int, parts)))


@click.command("correlate", epilog="The output is described in docs/evaluation.md.")
@click.argument("input", metavar="IN")
@click.option(
    "--rouge",
    "measures",
    default="1,2",
    show_default=True,
    metavar="N,…",
    callback=_split_measures,
    help="Which ROUGE-N; stems, and no stop words for ROUGE-1, as in the paper.",
)
@click.option("--human", metavar="NAME", help="Which human score, if records have several.")
@click.option("--language", metavar="CODE", help="Language of all records, e.g. en, fr, de.")
@length_options
@alignment_options
@draw_option
@click.option(
    "--resamples",
    type=click.IntRange(min=1),
    default=1000,
    show_default=True,
    metavar="N",
    help="Bootstrap resamples of an interval, and permutations of a test.",
)
@solve_options()
@run_options
@output_options
def command(input: str, **options: Any) -> None:
    """Pearson, Spearman and Kendall of each measure with human scores, of systems and of summaries.

    Measures are ROUGE and F from all oracles (M) or from one random oracle (S, with the interval of
    its mean over the draws), for all references together (multi) and each alone (single). Other
    intervals are 95% bootstrap intervals over topics and systems. Pairs of measures are compared by
    Williams' test and a permutation test, both with Holm's correction.

    \b
    Examples:
      oraclesum correlate demo --human responsiveness --max-words 60
      oraclesum correlate topics.jsonl --rouge 2 --max-words 100 -o correlations.jsonl
    """
    from ..run import Verb, run_verb

    verb = Verb(
        name="correlate",
        answer_case=answer_case,
        show=Correlated,
        closing_scores=False,
        conclude=conclude,
        only_conclusion=True,
        wording=describe_run(options),
    )
    run_verb(verb, input, options)


def describe_run(options: Mapping[str, Any]) -> str:
    """The settings that move a number, in words."""
    from ..closing import describe_limits

    return ", ".join(
        [
            *(
                f"ROUGE-{n} {'without' if n == 1 else 'with'} stop words"
                for n in options["measures"]
            ),
            "stems",
            f"language {options['language'] or 'of each record'}",
            *describe_limits(Settings(**{name: options[name] for name in _LIMITS})),
        ]
    )


def answer_case(case: Case, settings: Settings) -> Iterator[Record | Json]:
    """One record of scores per topic; the conclusion correlates them."""
    from ...errors import InputError
    from ...evaluation.judge import judge_topic
    from ...evaluation.panel import prepare_summaries

    flaws = list(case.report_flaws("systems", "human"))
    yield from flaws
    systems = case.topic.systems
    judged = {name: scores for name, scores in case.topic.human.items() if name in systems}
    if not judged and flaws:
        return
    if not judged:
        raise InputError("the record has no system with a human score to correlate with")
    limits = settings.make_limits()
    summaries = prepare_summaries(
        {name: systems[name] for name in judged},
        case.sentences,
        cut_to=limits if settings.cut else None,
        threshold=settings.threshold,
        language=case.rouge.language,
    )
    found = judge_topic(
        case.sentences,
        case.references,
        summaries,
        limits,
        measures=settings.measures,
        language=case.rouge.language,
        id=case.id,
        draws=settings.draws,
        seed=settings.seed,
        time_limit=settings.time_limit,
        threads=settings.threads,
    )
    yield {
        "id": case.id,
        "status": "time_limit" if found.partial else "complete",
        "partial": found.partial,
        "signature": case.sign(found.signature),
        "measures": found.measures,
        "drawn": found.drawn,
        "human": {name: dict(scores) for name, scores in judged.items()},
        "words": {name: summary.words for name, summary in summaries.items()},
        "unaligned": sum(len(summary.alignment.unaligned) for summary in summaries.values()),
    }


def conclude(
    records: list[dict[str, Any]], settings: Settings, progress: Callable[[int, int], None]
) -> tuple[list[dict[str, Any]], list[str]]:
    """The correlations of all topics, then the comparisons of measures."""
    from statistics import fmean

    from ...errors import InputError
    from ...evaluation.agreement import correlate_topics, note_repeated
    from ...evaluation.averages import note_lengths
    from ...signature import merge_signatures

    topics = [record for record in records if "measures" in record]
    if not topics and records:
        return [], ["no record has scores to correlate"]
    if not topics:
        raise InputError("no record has scores to correlate")
    rows = correlate_topics(
        topics,
        human=settings.human,
        resamples=settings.resamples,
        seed=settings.seed,
        progress=progress,
    )
    signature = sign(merge_signatures(topic["signature"] for topic in topics), settings)
    rows = [{**row, "signature": signature} for row in rows]
    notes = []
    if partial := sum(topic["partial"] for topic in topics):
        notes.append(
            f"time ran out in {partial} searches for oracles: F is there against those found so far"
        )
    repeated = {row["measure"]: row["same_as"] for row in rows if row.get("same_as")}
    if (note := note_repeated(repeated)) is not None:
        notes.append(note)
    if rows[0]["systems"] < _FEWEST_SYSTEMS:
        notes.append(f"{rows[0]['systems']} systems say next to nothing about a correlation")
    lengths: dict[str, list[int]] = {}
    for topic in topics:
        for system, words in topic["words"].items():
            lengths.setdefault(system, []).append(words)
    if (note := note_lengths({s: fmean(words) for s, words in lengths.items()})) is not None:
        notes.append(note)
    if unaligned := sum(topic["unaligned"] for topic in topics):
        notes.append(
            f"{unaligned} pieces of summaries are no sentence of their document (threshold "
            f"{settings.threshold:g}) and do not count for F; `oraclesum evaluate` lists them"
        )
    return rows, notes


def sign(signature: str, settings: Settings) -> str:
    """The signature with the settings that only a correlation has."""
    from ...signature import extend_signature

    return extend_signature(
        signature,
        ("cut", "yes" if settings.cut else "no"),
        ("threshold", f"{settings.threshold:g}"),
        ("draws", str(settings.draws)),
        ("resamples", str(settings.resamples)),
        ("seed", str(settings.seed)),
    )


class Correlated:
    """The sink for a terminal: a table per level, then the pairs that differ."""

    def __init__(self, settings: Settings) -> None:
        self._rows: list[dict[str, Any]] = []

    def write(self, row: WrittenRow) -> None:
        self._rows.append(row.record)

    def close(self) -> None:
        from ...report.correlated import print_correlations

        print_correlations(self._rows)
