"""Chart: systems ranked by ROUGE and by F-measure against all oracles, side by side."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

from ...evaluation.share import average_shares, measure_share
from ...frozen import dataclass
from ..grid import Cell, Grid, make_grid
from .facts import CaseFacts, Objective, SystemRow, explain_partial
from .figures import INK, MUTED, PAPER, SERIES, Chart, draw_picture, tidy_names
from .numbers import mean, show_number, show_score, show_share

__all__ = ["SystemMean", "average_cases", "chart_ranking"]

_MAX_SYSTEMS = 40


@dataclass(frozen=True, kw_only=True)
class SystemMean:
    """A system averaged over its topics: references of a topic first."""

    name: str
    topics: int
    rouge: float
    precision: float
    recall: float
    f_measure: float
    share: float  # of the oracle, see oraclesum.evaluation.share
    words: float | None
    missed_core: float | None


def average_cases(cases: Sequence[CaseFacts]) -> list[SystemMean]:
    """The means of all systems, the best ROUGE first."""
    names = dict.fromkeys(name for case in cases for name in case.systems)
    found = [_average(name, [case for case in cases if name in case.systems]) for name in names]
    return sorted(found, key=lambda system: (-system.rouge, system.name))


def _average(name: str, cases: Sequence[CaseFacts]) -> SystemMean:
    topics: dict[str, list[CaseFacts]] = {}
    for case in cases:
        topics.setdefault(case.id, []).append(case)

    def over(value: Callable[[SystemRow, CaseFacts], float | None]) -> float | None:
        means = []
        for together in topics.values():
            values = [value(case.systems[name], case) for case in together]
            known = [each for each in values if each is not None]
            if known:
                means.append(mean(known))
        return mean(means) if means else None

    return SystemMean(
        name=name,
        topics=len(topics),
        rouge=over(lambda row, _: row.score) or 0.0,
        precision=over(lambda row, _: row.precision) or 0.0,
        recall=over(lambda row, _: row.overlap_recall) or 0.0,
        f_measure=over(lambda row, _: row.f_measure) or 0.0,
        share=average_shares(
            [measure_share(case.systems[name].objective_hits, case.hits) for case in together]
            for together in topics.values()
        )
        or 0.0,
        words=over(lambda row, _: row.words),
        missed_core=over(lambda row, _: row.missed_core),
    )


def chart_ranking(cases: Sequence[CaseFacts], key: str, objective: Objective) -> Chart | None:
    """The slope chart; None if fewer than two systems are known."""
    systems = average_cases(cases)
    if len(systems) < 2:
        return None
    longer = {
        name
        for case in cases
        for name, row in case.systems.items()
        if row.exceeds(objective.max_words)
    }
    shown = systems[:_MAX_SYSTEMS]
    names = tidy_names([system.name for system in shown], 24)
    short = tidy_names([system.name for system in shown], 13)
    by_f = sorted(shown, key=lambda system: (-system.f_measure, system.name))
    places = {system.name: (shown.index(system), by_f.index(system)) for system in shown}

    def draw(figure: Any, narrow: bool) -> None:
        axes = figure.add_subplot()
        for system in shown:
            name = (short if narrow else names)[system.name]
            _draw_slope(axes, system, *places[system.name], name, narrow=narrow)
        axes.set_xlim(-1.3 if narrow else -0.85, 2.3 if narrow else 1.85)
        axes.set_ylim(len(shown) - 0.5, -1.9)
        head = objective.system_score.replace(" (", "\n(")
        axes.text(0.1, -0.75, head, ha="right", color=MUTED)
        axes.text(0.9, -0.75, "F-measure", ha="left", color=MUTED)
        axes.axis("off")

    return Chart(
        key=key,
        title=_find(shown, by_f, places, objective.statistic),
        text=_explain(systems, objective, longer) + explain_partial(cases),
        description="By ROUGE: "
        + ", ".join(f"{s.name} {show_score(s.rouge)}" for s in shown)
        + ". By F: "
        + ", ".join(f"{s.name} {show_score(s.f_measure)}" for s in by_f)
        + ".",
        picture=draw_picture(key, draw, height=80 + 32 * len(shown)),
        numbers=_tabulate(systems, key, objective.system_score),
    )


def _draw_slope(
    axes: Any, system: SystemMean, left: int, right: int, name: str, *, narrow: bool
) -> None:
    # Line style says it too, for those who do not see the colours.
    style: Any
    if right < left:
        colour, style = SERIES[0], "-"
    elif right > left:
        colour, style = SERIES[1], (0, (5, 2))
    else:
        colour, style = MUTED, "-"
    axes.plot([0, 1], [left, right], color=colour, linestyle=style, linewidth=2)
    axes.plot(
        [0, 1],
        [left, right],
        linestyle="",
        marker="o" if left == right else "^" if right < left else "v",
        markersize=10,
        color=colour,
        markeredgecolor=PAPER,
        markeredgewidth=1.2,
    )
    size, gap = (10.5, 0.13) if narrow else (12, 0.06)
    axes.text(-gap, left, f"{name}  {show_score(system.rouge)}", ha="right", va="center", size=size)
    text = f"{show_score(system.f_measure)}  {name}"
    axes.text(1 + gap, right, text, ha="left", va="center", size=size, color=INK)


def _find(
    systems: Sequence[SystemMean],
    by_f: Sequence[SystemMean],
    places: dict[str, tuple[int, int]],
    statistic: str,
) -> str:
    moved = [name for name, (left, right) in places.items() if left != right]
    if not moved:
        return f"{statistic} and the F-measure rank the {len(systems)} systems alike"
    same = systems[0] is by_f[0]
    furthest = max(moved, key=lambda name: abs(places[name][0] - places[name][1]))
    left, right = places[furthest]
    move = f"{furthest} goes from {left + 1} to {right + 1}"
    if same:
        return f"Both put {systems[0].name} first; {move}"
    return f"{statistic} puts {systems[0].name} first, the F-measure {by_f[0].name}"


def _explain(systems: Sequence[SystemMean], objective: Objective, longer: Collection[str]) -> str:
    counted = "counted as for the oracles" if objective.terms else "as ROUGE-1.5.5 counts"
    text = (
        f"Means over topics. {objective.statistic} is that of the text, {counted}; the "
        "F-measure compares the chosen sentences with all oracles. Solid lines rise or stay, "
        "dashed lines fall. Read precision and recall in the table beside F if systems differ "
        "in length."
    )
    if len(systems) > _MAX_SYSTEMS:
        text += f" The first {_MAX_SYSTEMS} of {len(systems)} systems by ROUGE."
    counts = {system.topics for system in systems}
    if len(counts) > 1:
        text += " Not every system has a summary of every topic: means are over different topics."
    lengths = [system.words for system in systems if system.words]
    if len(lengths) > 1 and max(lengths) >= 1.25 * min(lengths):
        text += f" Mean lengths go from {min(lengths):.0f} to {max(lengths):.0f} words."
    best = max(systems, key=lambda system: system.share)
    passed = " (some of its summaries are longer than the limit)" if best.name in longer else ""
    return text + (
        f" The largest share of the oracle: {best.name}, {show_share(best.share)}{passed}."
    )


def _tabulate(systems: Sequence[SystemMean], key: str, score: str) -> Grid:
    heads = ["topics", score, "P", "R", "F", "share of oracle", "words"]
    with_missed = any(system.missed_core is not None for system in systems)
    heads += ["missed core"] if with_missed else []
    best = {
        name: max(round(getattr(system, name), 3) for system in systems)
        for name in ("rouge", "precision", "recall", "f_measure", "share")
    }

    def ratio(system: SystemMean, name: str) -> Cell:
        value = getattr(system, name)
        return Cell(value=value, style="ratio", best=round(value, 3) == best[name])

    rows = []
    for system in systems:
        row = [Cell(value=system.name), Cell(value=system.topics, style="count")]
        row += [ratio(system, name) for name in best]
        row.append(Cell(value=None if system.words is None else f"{system.words:.1f}"))
        if with_missed:
            known = system.missed_core
            row.append(Cell(value=None if known is None else f"{known:.2f}"))
        rows.append(tuple(row))
    title = f"{show_number(len(systems), 'system')}: ROUGE, P, R, F, share, length"
    return make_grid(key, title, ("system", *heads), rows)
