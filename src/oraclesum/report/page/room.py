"""Chart: how good extracts can be, beside the greedy summary and the systems (the room left)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...evaluation.share import average_shares, measure_share
from ...frozen import dataclass
from ..grid import Cell, Grid, make_grid
from .facts import CaseFacts, Hits, Objective, explain_bounds
from .figures import GRID, INK, MUTED, PAPER, SERIES, Chart, draw_picture, tidy_names
from .numbers import mean, quantile, show_number, show_score, show_share

__all__ = ["chart_room"]

_MAX_SYSTEMS = 20
_MAX_POINTS = 120  # cases of which each is drawn
_ROW = 34

_LONGER = "†"


@dataclass(frozen=True, kw_only=True)
class Row:
    """One summariser on the cases that it has."""

    name: str
    scores: list[float]
    share: float  # of the oracle, see oraclesum.evaluation.share
    bounds: int = 0  # cases whose best score is not proven
    longer: int = 0  # cases whose summary is longer than the limit

    @property
    def of_oracle(self) -> str:
        """The share of the oracle, which is at most so large if the best found is not the best."""
        return ("at most " if self.bounds else "") + show_share(self.share)

    @property
    def sign(self) -> str:
        return f" {_LONGER}" if self.longer else ""


def chart_room(cases: Sequence[CaseFacts], key: str, objective: Objective) -> Chart | None:
    """The distribution of scores; None if no case has a score."""
    scored = [case for case in cases if case.total and not case.unmet]
    if not scored:
        return None
    rows, left_out = _collect(scored, objective.max_words)
    if len(scored) == 1 and len(rows) == 1:
        return None  # one number is no distribution
    names = tidy_names([row.name for row in rows], 26)

    def draw(figure: Any, narrow: bool) -> None:
        axes = figure.add_subplot()
        for place, row in enumerate(rows):
            _draw_row(axes, place, row, names[row.name] + row.sign, narrow=narrow)
        axes.set_ylim(len(rows) - 0.5, -0.7 if narrow else -0.6)
        low = min(min(row.scores) for row in rows)
        high = max(max(row.scores) for row in rows)
        pad = max(0.04 * (high - low), 0.01)
        axes.set_xlim(max(0.0, low - pad), high + pad)
        axes.set_xlabel(
            f"{objective.statistic}, counted {objective.boundaries} sentences{_explain_sign(rows)}"
        )
        axes.grid(axis="x")
        axes.spines["left"].set_visible(False)
        if narrow:
            axes.set_yticks([])
            return
        axes.set_yticks(range(len(rows)), [names[row.name] + row.sign for row in rows])
        side = axes.secondary_yaxis("right")
        side.set_yticks(range(len(rows)), [_say(row) for row in rows])
        side.tick_params(labelcolor=INK)
        side.spines["right"].set_visible(False)

    height = (76 if _explain_sign(rows) else 56) + _ROW * len(rows)
    return Chart(
        key=key,
        title=_find(rows, len(scored), objective.statistic),
        text=" ".join(filter(None, (_explain(rows, len(scored), left_out), explain_bounds(cases)))),
        description=f"One row for the oracle, the greedy summary and each system: {_list(rows)}.",
        picture=draw_picture(key, draw, height=height, narrow_height=height + 16 * len(rows)),
        numbers=_tabulate(rows, key),
    )


def _collect(cases: Sequence[CaseFacts], max_words: int | None) -> tuple[list[Row], int]:
    bounds = sum(not case.proven for case in cases)
    rows = [Row(name="Oracle", scores=[case.score for case in cases], share=1.0, bounds=bounds)]
    greedy = [case for case in cases if case.greedy_hits is not None]
    if greedy:
        rows.append(_make_row("Greedy", greedy, [case.greedy_hits or 0 for case in greedy]))
    names = list(dict.fromkeys(name for case in cases for name in case.systems))
    systems = []
    for name in names:
        own = [case for case in cases if name in case.systems]
        hits = [case.systems[name].objective_hits for case in own]
        longer = sum(case.systems[name].exceeds(max_words) for case in own)
        systems.append(_make_row(name, own, hits, longer))
    systems.sort(key=lambda row: -row.share)
    return rows + systems[:_MAX_SYSTEMS], max(0, len(systems) - _MAX_SYSTEMS)


def _make_row(name: str, cases: Sequence[CaseFacts], hits: Sequence[Hits], longer: int = 0) -> Row:
    scores = [case.rate(hit) for hit, case in zip(hits, cases, strict=True)]
    topics: dict[str, list[float | None]] = {}
    for hit, case in zip(hits, cases, strict=True):
        topics.setdefault(case.id, []).append(measure_share(hit, case.hits))
    share = average_shares(topics.values()) or 0.0
    bounds = sum(not case.proven for case in cases)
    return Row(name=name, scores=scores, share=share, bounds=bounds, longer=longer)


def _style(place: int, name: str) -> tuple[str, str]:
    """Colour and marker: the oracle and the greedy summary are no systems."""
    if place == 0:
        return SERIES[0], "D"
    return (SERIES[1], "^") if name == "Greedy" and place == 1 else (SERIES[2], "o")


def _draw_row(axes: Any, place: int, row: Row, shown: str, *, narrow: bool) -> None:
    scores = row.scores
    colour, marker = _style(place, row.name)
    q = [quantile(scores, share) for share in (0.05, 0.25, 0.5, 0.75, 0.95)]
    if len(scores) <= _MAX_POINTS:
        # A fixed pattern instead of chance: equal input gives an equal picture.
        spread = 0.2 if narrow else 0.34
        shifts = [((k * 0.618034) % 1 - 0.5) * spread for k in range(len(scores))]
        axes.plot(
            scores,
            [place + s for s in shifts],
            linestyle="",
            marker=marker,
            markersize=5.5,
            markerfacecolor=colour,
            markeredgecolor=PAPER,
            markeredgewidth=0.5,
            alpha=0.55,
        )
    if len(scores) > 1:
        axes.plot([q[0], q[4]], [place, place], color=colour, linewidth=1.4)
        axes.plot([q[1], q[3]], [place, place], color=colour, linewidth=7, solid_capstyle="butt")
        axes.plot([q[2]] * 2, [place - 0.21, place + 0.21], color=PAPER, linewidth=2.2)
    axes.plot(
        [mean(scores)],
        [place],
        marker=marker,
        markersize=8.5,
        color=PAPER if row.longer else INK,  # hollow: no fair comparison
        markeredgecolor=INK if row.longer else PAPER,
        markeredgewidth=1.4,
    )
    axes.axhline(place + 0.5, color=GRID, linewidth=0.4)
    if narrow:
        text = f"{shown}  {_say(row)}"
        axes.annotate(
            text,
            (0, place),
            xycoords=("axes fraction", "data"),
            xytext=(2, 12),
            textcoords="offset points",
            fontsize=11.5,
            color=INK if place < 2 else MUTED,
        )


def _say(row: Row) -> str:
    text = show_score(mean(row.scores))
    if row.name == "Oracle":
        return f"≥ {text}" if row.bounds else text
    return f"{text} · {'≤ ' if row.bounds else ''}{show_share(row.share)}"


def _list(rows: Sequence[Row]) -> str:
    return "; ".join(f"{row.name}{row.sign} {_say(row)}" for row in rows)


def _explain_sign(rows: Sequence[Row]) -> str:
    if not any(row.longer for row in rows):
        return ""
    return f"\n{_LONGER} and hollow: longer than the limit in some or all cases"


def _find(rows: Sequence[Row], cases: int, statistic: str) -> str:
    least = "at least " if rows[0].bounds else ""
    start = f"Oracles reach {least}{show_score(mean(rows[0].scores))} {statistic}"
    start += " on average" if cases > 1 else ""
    systems = [row for row in rows[1:] if row.name != "Greedy"]
    if systems:
        # One summary that is too long does not drop a system: it is said of it.
        best = systems[0]
        text = f"{start}; the best system, {best.name}, {best.of_oracle} of the oracle"
        if not best.longer:
            return text
        text += f" (longer than the limit in {best.longer:,} of {len(best.scores):,})"
        within = next((row for row in systems if not row.longer), None)
        if within is None:
            return text
        return f"{text}; the best that never is, {within.name}, {within.of_oracle}"
    if len(rows) > 1:
        return f"{start}; the greedy summary {rows[1].of_oracle} of the oracle"
    return start


def _explain(rows: Sequence[Row], cases: int, left_out: int) -> str:
    text = (
        f"{show_number(cases, 'case')}. Bar: the middle half; thin line: from the 5th to the 95th "
        "percentile; gap in the bar: the median; large mark: the mean."
    )
    if len(rows) > 1:
        text += (
            " Beside each name stand the mean and the share of the oracle: the score over the "
            "oracle's, averaged over topics. What is missing to 100% is the room left. A summary "
            "that is longer than the limit, or no extract, can pass the oracle."
        )
    systems = [row for row in rows[1:] if row.name != "Greedy"]
    if longer := [row for row in systems if row.longer]:
        text += (
            f" {len(longer)} of {show_number(len(systems), 'system')}, marked {_LONGER}, passed "
            "the limit, in as many cases as the table says: read their shares with that in mind."
        )
    if left_out:
        text += f" {show_number(left_out, 'system')} with lower shares are left out."
    return text


def _tabulate(rows: Sequence[Row], key: str) -> Grid:
    with_longer = any(row.longer for row in rows)
    names = ("cases", "mean", "share of oracle", "5%", "25%", "median", "75%", "95%")
    with_bounds = any(row.bounds for row in rows)
    longer = ("longer than the limit",) if with_longer else ()
    bounds = ("best score not proven",) if with_bounds else ()
    return make_grid(
        key,
        "Scores of oracles, greedy summaries and systems",
        ("summary", *names, *longer, *bounds),
        (
            (
                Cell(value=row.name),
                Cell(value=len(row.scores), style="count"),
                Cell(value=mean(row.scores), style="ratio"),
                Cell(value=row.share, style="ratio"),
                *(
                    Cell(value=quantile(row.scores, at), style="ratio")
                    for at in (0.05, 0.25, 0.5, 0.75, 0.95)
                ),
                *((Cell(value=row.longer, style="count"),) if with_longer else ()),
                *((Cell(value=row.bounds, style="count"),) if with_bounds else ()),
            )
            for row in rows
        ),
    )
