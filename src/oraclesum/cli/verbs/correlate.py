"""The verb `correlate`: how well ROUGE and F-measures agree with human scores."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import click

from ..options import (
    PathName,
    alignment_options,
    draw_option,
    further_objective_options,
    human_option,
    length_options,
    output_options,
    run_options,
    solve_options,
)
from ..settings import LIMITS, Settings

if TYPE_CHECKING:
    from ...answers import Case, Json, WrittenRow
    from ...answers.record import Record
    from ...evaluation.judge import ObjectiveMeasure

__all__ = ["answer_case", "command"]

_FEWEST_SYSTEMS = 5
_STATISTICS = ("recall", "precision", "f1")


def _split_measures(_: click.Context, __: click.Parameter, value: str) -> tuple[int, ...]:
    parts = _split(value)
    if parts == ("none",):
        return ()
    if not parts or any(part not in map(str, range(1, 10)) for part in parts):
        raise click.BadParameter("give numbers from 1 to 9, separated by commas, or none")
    return tuple(map(int, parts))


def _split_statistics(_: click.Context, __: click.Parameter, value: str) -> tuple[str, ...]:
    parts = _split(value.lower())
    if parts == ("all",):
        return _STATISTICS
    if not parts or any(part not in _STATISTICS for part in parts):
        raise click.BadParameter(f"give some of {', '.join(_STATISTICS)}, or all")
    return parts


def _split_names(_: click.Context, __: click.Parameter, value: str | None) -> tuple[str, ...]:
    return _split(value or "")


def _split(value: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(part.strip() for part in value.split(",") if part.strip()))


@click.command("correlate", epilog="The output is described in docs/evaluation.md.")
@click.argument("input", type=PathName(), metavar="IN")
@click.option(
    "--rouge",
    "measures",
    default="1,2",
    show_default=True,
    metavar="N,…",
    callback=_split_measures,
    help="Which ROUGE-N, or none; stems, and no stop words for ROUGE-1, as in the paper.",
)
@click.option(
    "--statistics",
    default="recall",
    show_default=True,
    metavar="NAMES",
    callback=_split_statistics,
    help="Of ROUGE-N: recall, precision, f1, separated by commas, or all.",
)
@click.option(
    "--stop-words",
    type=click.Choice(["paper", "both"]),
    default="paper",
    show_default=True,
    help="both: ROUGE-1 also with stop words, and longer n-grams also without them (English).",
)
@human_option()
@click.option(
    "--only",
    metavar="NAMES",
    callback=_split_names,
    help="Only these systems, separated by commas.",
)
@click.option(
    "--without",
    metavar="NAMES",
    callback=_split_names,
    help="All systems but these, separated by commas.",
)
@further_objective_options
@length_options
@alignment_options
@draw_option
@click.option(
    "--resamples",
    type=click.IntRange(1, 1_000_000),
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
    its mean over the draws), for all references together (multi) and each alone (single); with
    --objective also its value, the share of the oracle, and P, R and F against its oracles; and
    the `measures` of the records, your own metrics. Other intervals are 95% bootstrap intervals
    over topics and systems. Pairs of measures are compared by Williams' test and a permutation
    test, both with Holm's correction.

    \b
    Examples:
      oraclesum correlate demo --human responsiveness --max-words 60
      oraclesum correlate demo --human coverage --max-words 60 --objective r1-f1+r2-f1
      oraclesum correlate topics.jsonl --rouge 2 --max-words 100 -o correlations.jsonl
    """
    from ..run import Verb, run_verb

    if not options["measures"] and options["objective"] is None:
        raise click.UsageError("--rouge none leaves no measure: give an --objective")
    _check_limits(options)
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

    words = [
        f"ROUGE-{n} {', '.join(options['statistics'])} "
        + ("with and without" if options["stop_words"] == "both" else _say_stop_words(n))
        + " stop words"
        for n in options["measures"]
    ]
    if words:
        words.append("stems")
    if options["objective"] is not None:
        words.append(f"objective {options['objective']}")
    return ", ".join(
        [
            *words,
            f"language {options['language'] or 'of each record'}",
            *describe_limits(_take_limits(options)),
        ]
    )


def _say_stop_words(n: int) -> str:
    return "without" if n == 1 else "with"


def _take_limits(options: Mapping[str, Any]) -> Settings:
    return Settings(**{name: options[name] for name in ("objective", *LIMITS)})


def _check_limits(options: Mapping[str, Any]) -> None:
    """The oracles of ROUGE-N need a limit, whatever the objective beside them needs."""
    from ...errors import InputError
    from ...message import name_options

    try:
        _take_limits(options).make_limits(needed=bool(options["measures"]) or None)
    except InputError as error:
        raise click.UsageError(name_options(error)) from error


def answer_case(case: Case, settings: Settings) -> Iterator[Record | Json]:
    """One record of scores per topic; the conclusion correlates them."""
    from ...errors import InputError
    from ...evaluation.judge import judge_topic
    from ...evaluation.panel import prepare_summaries

    flaws = list(case.report_flaws("systems", "human", "measures"))
    yield from flaws
    systems = case.topic.systems
    judged = {name: scores for name, scores in case.topic.human.items() if name in systems}
    if not judged and flaws:
        return
    if not judged:
        raise InputError("the record has no system with a human score to correlate with")
    left_out = [name for name in judged if not _takes_part(name, settings)]
    judged = {name: scores for name, scores in judged.items() if name not in left_out}
    if not judged:
        yield {"id": case.id, "status": "complete", "left_out": left_out}
        return
    limits = settings.make_limits(needed=False)
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
        statistics=settings.statistics,
        both_stop_words=settings.stop_words == "both",
        objective=_make_objective(case, settings),
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
        **case.found_language,
        "measures": {**found.measures, **_take_own(case, judged, found.measures)},
        "drawn": found.drawn,
        "human": {name: dict(scores) for name, scores in judged.items()},
        "left_out": left_out,
        "words": {name: summary.words for name, summary in summaries.items()},
        "unaligned": sum(len(summary.alignment.unaligned) for summary in summaries.values()),
    }


def _takes_part(system: str, settings: Settings) -> bool:
    return (not settings.only or system in settings.only) and system not in settings.without


def _make_objective(case: Case, settings: Settings) -> ObjectiveMeasure | None:
    """The objective by the name that was given for it: a preset is more than its terms."""
    from ...evaluation.judge import ObjectiveMeasure
    from ...rouge.presets import PRESETS

    if settings.objective is None:
        return None
    given = settings.objective.strip().lower()
    return ObjectiveMeasure(
        name=given if given in PRESETS else str(case.rouge.objective),
        rouge=case.rouge,
        limits=settings.make_limits(),
    )


def _take_own(
    case: Case, systems: Iterable[str], ours: Iterable[str]
) -> dict[str, dict[str, float]]:
    """The user's own metrics by measure and system."""
    from ...errors import InputError

    own: dict[str, dict[str, float]] = {}
    for system in systems:
        for name, value in case.topic.measures.get(system, {}).items():
            own.setdefault(name, {})[system] = value
    for name in ours:
        if name in own:
            raise InputError(f"`measures` has {name!r}, which is the name of a measure of ours")
    return own


def _note_filter(topics: list[dict[str, Any]], settings: Settings) -> list[str]:
    """What to say of names that no system has, and of who was left out."""
    taken = {system for topic in topics for system in topic.get("human", ())}
    left_out = dict.fromkeys(system for topic in topics for system in topic["left_out"])
    unknown = [name for name in settings.only if name not in taken and name not in left_out]
    unknown += [name for name in settings.without if name not in left_out]
    notes = [f"no judged system is called {', '.join(unknown)}"] if unknown else []
    if left_out:
        notes.append(f"left out: {', '.join(left_out)}")
    return notes


def conclude(
    records: list[dict[str, Any]], settings: Settings, progress: Callable[[int, int], None]
) -> tuple[list[dict[str, Any]], list[str]]:
    """The correlations of all topics, then the comparisons of measures."""
    from statistics import fmean

    from ...errors import InputError
    from ...evaluation.agreement import (
        correlate_topics,
        note_floor,
        note_incomplete,
        note_repeated,
    )
    from ...evaluation.averages import note_lengths
    from ...message import Message
    from ...report.correlated import SIGNIFICANT
    from ...signature import merge_signatures

    topics = [record for record in records if "measures" in record]
    if not topics and any("left_out" in record for record in records):
        raise InputError(Message("{only} and {without} leave no judged system to correlate"))
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
    notes = _note_filter([record for record in records if "left_out" in record], settings)
    if (note := note_incomplete(topics, rows[0]["human"])) is not None:
        notes.append(note)
    if partial := sum(topic["partial"] for topic in topics):
        notes.append(
            f"time ran out in {partial} searches for oracles: F is there against those found so far"
        )
    repeated = {row["measure"]: row["same_as"] for row in rows if row.get("same_as")}
    if (note := note_repeated(repeated)) is not None:
        notes.append(note)
    pairs = {(row["first"], row["second"]) for row in rows if row["kind"] == "difference"}
    if (note := note_floor(len(pairs), settings.resamples, SIGNIFICANT)) is not None:
        notes.append(note)
    if rows[0]["systems"] < _FEWEST_SYSTEMS:
        few = rows[0]["systems"]
        who = "1 system says" if few == 1 else f"{few} systems say"
        notes.append(f"{who} next to nothing about a correlation")
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
        *((("only", "+".join(settings.only)),) if settings.only else ()),
        *((("without", "+".join(settings.without)),) if settings.without else ()),
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
