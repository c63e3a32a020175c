"""The opening of a report: what was maximised, and the numbers to remember."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from html import escape

from ...evaluation.share import average_shares, measure_share
from ..grid import Cell, Grid, make_grid
from .facts import CaseFacts, Facts, Objective, explain_bounds, explain_pools
from .figures import link_csv, render_table
from .numbers import mean, median, show_count, show_number, show_score, show_share

__all__ = ["render_headline", "render_objective"]

_MAX_SIGNATURES = 12


def render_objective(facts: Facts) -> str:
    """What was maximised, in words and verbatim."""
    parts = [_describe(facts)]
    if not facts.cases:
        parts.append("<p>These results are correlations only; their signature says of what.</p>")
    signatures = list(facts.signatures)
    lines = "".join(
        f"<li><code>{escape(text)}</code></li>" for text in signatures[:_MAX_SIGNATURES]
    )
    more = len(signatures) - _MAX_SIGNATURES
    rest = f'<p class="note">and {more:,} signatures more</p>' if more > 0 else ""
    sources = "".join(
        f"<li>{escape(name)}: {escape(contents or 'no records of its own')}</li>"
        for name, contents in facts.sources
    )
    return (
        f'{"".join(parts)}<details class="unfold">'
        "<summary>Signatures, word for word, and sources</summary>"
        f'<ul class="plain">{lines}</ul>{rest}<ul class="plain">{sources}</ul></details>'
    )


def _describe(facts: Facts) -> str:
    """The objectives in words; what several of them share is said once."""
    every = [objective.describe_summaries() for objective in facts.cases]
    shared = list(dict.fromkeys(every))
    measures = []
    for objective, cases in facts.cases.items():
        languages = sorted({case.language for case in cases.values() if case.language})
        measures.append(objective.describe_measure(languages))
    if len(measures) == 1:
        return f"<p>{escape(f'{measures[0]} {shared[0]}')}</p>"
    if len(shared) > 1:
        measures = [f"{text} {own}" for text, own in zip(measures, every, strict=True)]
        shared = []
    items = "".join(
        f"<li><b>{escape(label)}.</b> {escape(text)}</li>"
        for label, text in zip(facts.labels.values(), measures, strict=True)
    )
    rest = "".join(f"<p>{escape(text)}</p>" for text in shared)
    return f"<ul>{items}</ul>{rest}" if measures else ""


def render_headline(facts: Facts) -> str:
    """Tiles for one objective, a table for several; then which files are in one mean."""
    told = explain_pools(facts.cases)
    if len(facts.cases) > 1:  # tiles say it themselves
        told = [explain_bounds(case for _, case in facts.every_case()), *told]
    notes = "".join(f'<p class="note">{escape(text)}</p>' for text in told if text)
    if len(facts.cases) == 1:
        ((objective, cases),) = facts.cases.items()
        tiles = _make_tiles(objective, list(cases.values()), len(facts.errors))
        inner = "".join(
            f"<div><dt>{escape(name)}</dt><dd><b>{escape(value)}</b>"
            f"<span>{escape(text)}</span></dd></div>"
            for name, value, text in tiles
        )
        return f'<dl class="tiles">{inner}</dl>{notes}'
    grid = _tabulate(facts)
    return render_table(grid, caption=False) + notes + link_csv(grid)


def _make_tiles(
    objective: Objective, cases: Sequence[CaseFacts], errors: int
) -> list[tuple[str, str, str]]:
    topics = len({case.id for case in cases})
    scores = [case.score for case in cases if not case.unmet]
    found = [
        ("topics", f"{topics:,}", _count_cases(cases, topics, errors)),
        (
            f"oracle's {objective.statistic}, mean",
            show_score(mean(scores)) if scores else "not known",
            _range(cases),
        ),
    ]
    if (share := _greedy_share(cases)) is not None:
        beside = [case for case in cases if case.greedy_hits is not None and case.hits]
        optimal = [case.greedy_hits == case.hits for case in beside if case.proven]
        text = f"of the oracle's score; it is best in {sum(optimal):,} of {len(optimal):,}"
        if open_ := len(beside) - len(optimal):
            text = (
                f"of the best found; the best score of {open_:,} of {len(beside):,} is not proven"
            )
        found.append(("greedy reaches", show_share(share), text))
    if any(case.count is not None for case in cases):
        found.append(("oracles, median", *_tell_counts(cases)))
    proven = sum(case.proven for case in cases)
    found.append(("proven best", show_share(proven / len(cases)), _statuses(cases)))
    return found


def _count_cases(cases: Sequence[CaseFacts], topics: int, errors: int) -> str:
    parts = [] if len(cases) == topics else [show_number(len(cases), "case")]
    parts.append(show_number(errors, "error") if errors else "no errors")
    return ", ".join(parts)


def _range(cases: Sequence[CaseFacts]) -> str:
    scored = [case for case in cases if not case.unmet]
    if len(cases) == 1 and scored:
        text = cases[0].tell(cases[0].hits)
        return f"{text} exactly" if cases[0].proven else f"{text} or more"
    scores = [case.score for case in scored]
    parts = [f"from {show_score(min(scores))} to {show_score(max(scores))}"] if scores else []
    if bounds := sum(not case.proven for case in scored):
        parts.append(f"{show_number(bounds, 'lower bound')} in it")
    if unmet := len(cases) - len(scored):
        parts.append(f"{show_number(unmet, 'case')} left out: no set met in time")
    return "; ".join(parts)


def _list_counts(cases: Sequence[CaseFacts]) -> list[int]:
    return [case.known_count for case in cases if case.known_count is not None]


def _tell_counts(cases: Sequence[CaseFacts]) -> tuple[str, str]:
    """The median number of oracles, and the rest in words."""
    counts = _list_counts(cases)
    if not counts:
        return "not known", "no search came to its end"
    alone = sum(count == 1 for count in counts)
    text = f"at most {show_count(max(counts))}; unique in {alone:,} of {len(counts):,}"
    if stopped := sum(not case.exact for case in cases):
        text += f"; not known in {show_number(stopped, 'case')}"
    return show_count(median(counts)), text


def _statuses(cases: Sequence[CaseFacts]) -> str:
    return ", ".join(
        f"{n:,} {status.replace('_', ' ')}"
        for status, n in Counter(c.status for c in cases).items()
    )


def _greedy_share(cases: Sequence[CaseFacts]) -> float | None:
    """The share of the oracle that greedy reaches, as for every system; None if none is known."""
    topics: dict[str, list[float | None]] = {}
    for case in cases:
        if case.greedy_hits is not None:
            topics.setdefault(case.id, []).append(measure_share(case.greedy_hits, case.hits))
    return average_shares(topics.values())


def _tabulate(facts: Facts) -> Grid:
    stopped = any(not case.exact for _, case in facts.every_case())
    rows = [
        _row(facts.labels[objective], list(cases.values()), stopped=stopped)
        for objective, cases in facts.cases.items()
    ]
    names = (
        "problem",
        "cases",
        "mean oracle score",
        "greedy, share of oracle",
        "median oracles",
        "largest number of oracles",
        "proven",
        *(("with a known count", "no set met in time") if stopped else ()),
    )
    return make_grid("headline", "Headline numbers", names, rows)


def _row(label: str, cases: Sequence[CaseFacts], *, stopped: bool) -> tuple[Cell, ...]:
    counts = _list_counts(cases)
    scores = [case.score for case in cases if not case.unmet]
    known = (len(counts), len(cases) - len(scores)) if stopped else ()
    return (
        Cell(value=label),
        Cell(value=len(cases), style="count"),
        Cell(value=mean(scores) if scores else None, style="ratio"),
        Cell(value=_greedy_share(cases), style="ratio"),
        Cell(value=show_count(median(counts)) if counts else None),
        Cell(value=show_count(max(counts)) if counts else None),
        Cell(value=f"{sum(case.proven for case in cases):,}"),
        *(Cell(value=number, style="count") for number in known),
    )
