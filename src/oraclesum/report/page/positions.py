"""Chart: where in the document the sentences of oracles stand: is it just the lead?"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from ..grid import Cell, Grid, make_grid
from .facts import CaseFacts, Objective
from .figures import INK, MUTED, PAPER, SERIES, Chart, draw_picture
from .numbers import half_interval, mean, show_number, show_share

__all__ = ["chart_positions"]

_TENTHS = 10
_FIRST = 12  # places from the start that are shown one by one
_FEWEST = 2  # sentences of a document whose position says something


def chart_positions(cases: Sequence[CaseFacts], key: str, _: Objective) -> Chart | None:
    """Share of the oracles' sentences by tenth of the document, and inclusion of the first ones."""
    known = [case for case in cases if sum(case.known_inclusion or ()) > 0]
    if not known:
        return None
    documents = [part for case in known for part in _split(case)]
    tenths = _share_tenths(documents)
    firsts = _average_firsts(documents)
    several = any(case.doc_ids and len(set(case.doc_ids)) > 1 for case in known)
    # A record does not say how many documents its sentences are of.
    bounded = all(case.in_corpus for case in known)
    whole = "document" if bounded else "input"
    left_out = sum(not case.exact for case in cases)
    stopped = (
        f" {show_number(left_out, 'case')} left out, as the search was stopped." if left_out else ""
    )

    def draw(figure: Any, narrow: bool) -> None:
        upper, lower = figure.subplots(2, 1) if narrow else figure.subplots(1, 2)
        _draw_tenths(upper, tenths, whole)
        _draw_firsts(lower, firsts, whole)

    return Chart(
        key=key,
        title=_find(tenths, _measure_lead(known)) if bounded else _tell(tenths),
        text=_explain(known, len(documents), several=several, bounded=bounded) + stopped,
        description=(
            f"Share of oracle sentences by tenth of the {whole}: "
            + ", ".join(f"{share:.1%}" for share in tenths)
            + ". Inclusion of the first sentences: "
            + ", ".join(f"{value:.1%}" for value, _, _ in firsts)
            + "."
        ),
        picture=draw_picture(key, draw, height=280, narrow_height=480),
        numbers=_tabulate(tenths, firsts, key),
    )


def _split(case: CaseFacts) -> Iterator[list[float]]:
    """Inclusion by document, if it is known which sentence is of which."""
    inclusion = case.inclusion or []
    if case.doc_ids is None or len(case.doc_ids) != len(inclusion):
        yield inclusion
        return
    pairs = zip(case.doc_ids, inclusion, strict=True)
    for _, part in groupby(pairs, key=lambda pair: pair[0]):
        yield [value for _, value in part]


def _share_tenths(documents: Sequence[list[float]]) -> list[float]:
    """Each sentence is spread over the stretch of its document that it takes: no rounding."""
    mass = [0.0] * _TENTHS
    for document in documents:
        width = _TENTHS / len(document)
        for k, value in enumerate(document):
            if not value:
                continue
            start, end = k * width, (k + 1) * width
            for tenth in range(int(start), min(_TENTHS, math.ceil(end))):
                piece = min(end, tenth + 1) - max(start, tenth)
                if piece > 0:
                    mass[tenth] += value * piece / width
    whole = sum(mass) or 1.0
    return [value / whole for value in mass]


def _average_firsts(documents: Sequence[list[float]]) -> list[tuple[float, float, int]]:
    """Mean inclusion of the k-th sentence, half its 95% interval, and of how many documents."""
    found = []
    for k in range(_FIRST):
        values = [document[k] for document in documents if len(document) > k]
        if len(values) < min(len(documents), _FEWEST):
            break
        half = half_interval(values) if len(values) > 1 else 0.0
        found.append((mean(values), half, len(values)))
    return found


def _draw_tenths(axes: Any, tenths: Sequence[float], whole: str) -> None:
    axes.bar(range(1, _TENTHS + 1), tenths, color=SERIES[0], width=0.8)
    axes.axhline(1 / _TENTHS, color=INK, linestyle=(0, (4, 3)), linewidth=1.2)
    axes.set_xticks(range(1, _TENTHS + 1))
    axes.set_xlabel(f"tenth of the {whole}\ndashed: if position did not matter")
    axes.set_title("Share of oracle sentences", loc="left", fontsize=12, color=MUTED)
    _finish(axes)


def _draw_firsts(axes: Any, firsts: Sequence[tuple[float, float, int]], whole: str) -> None:
    places = range(1, len(firsts) + 1)
    axes.errorbar(
        places,
        [value for value, _, _ in firsts],
        yerr=[[min(h, v) for v, h, _ in firsts], [min(h, 1 - v) for v, h, _ in firsts]],
        color=SERIES[0],
        ecolor=MUTED,
        elinewidth=1.2,
        linewidth=1.4,
        marker="o",
        markersize=6,
        markeredgecolor=PAPER,
    )
    axes.set_xticks(places)
    axes.set_ylim(bottom=0)
    axes.set_xlabel(f"sentence of the {whole}")
    axes.set_title("Mean inclusion of the first sentences", loc="left", fontsize=12, color=MUTED)
    _finish(axes)


def _finish(axes: Any) -> None:
    from matplotlib.ticker import MaxNLocator, PercentFormatter

    axes.yaxis.set_major_locator(MaxNLocator(nbins=5, steps=[1, 2, 5, 10]))
    axes.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    axes.tick_params(labelcolor=MUTED)
    axes.spines["left"].set_visible(False)
    axes.grid(axis="y")


def _measure_lead(cases: Sequence[CaseFacts]) -> tuple[float, float]:
    """Share of the first tenth by case: the mean, and half its 95% interval."""
    shares = [_share_tenths(list(_split(case)))[0] for case in cases]
    return mean(shares), half_interval(shares)


def _find(tenths: Sequence[float], lead: tuple[float, float]) -> str:
    middle, half = lead
    if middle - half > 1 / _TENTHS:
        verdict = "it is mostly the lead" if tenths[0] > 0.5 else "the lead is favoured"
    elif middle + half < 1 / _TENTHS:
        verdict = "the lead is no favourite"
    else:
        verdict = "no clear favour for the lead"
    return f"The first tenth has {show_share(tenths[0])} of all oracle sentences: {verdict}"


def _tell(tenths: Sequence[float]) -> str:
    """What is to be seen if nobody said where documents begin: no word on their lead."""
    return (
        f"Within the whole input, the first tenth has {show_share(tenths[0])} of all oracle "
        "sentences; where documents begin is not known"
    )


def _explain(cases: Sequence[CaseFacts], documents: int, *, several: bool, bounded: bool) -> str:
    of = f"{show_number(len(cases), 'case')}"
    if not bounded:
        of += (
            "; results do not say where documents begin, only a corpus does, so positions are "
            "within the whole input, and nothing follows for the lead of a document"
        )
    elif several:
        of += f", {show_number(documents, 'document')}; positions are within each document"
    else:
        of += "; the corpus marks no documents within an input: each counts as one"
    text = (
        f"{of}. Left (or above): every oracle counts alike within its case, and every case by the "
        "mean number of sentences of its oracles. Right (or below): the share of oracles with the "
        "sentence, averaged, with 95% intervals (normal approximation)."
    )
    if bounded:
        text += (
            " The title speaks of a favour only if the 95% interval over cases leaves out one "
            "tenth."
        )
    return text


def _tabulate(
    tenths: Sequence[float], firsts: Sequence[tuple[float, float, int]], key: str
) -> Grid:
    rows = [
        (Cell(value=f"tenth {k}"), Cell(value=share, style="ratio", digits=4), Cell())
        for k, share in enumerate(tenths, 1)
    ]
    rows += [
        (
            Cell(value=f"sentence {k}"),
            Cell(
                value=value,
                style="ratio",
                digits=4,
                low=max(0.0, value - half),
                high=min(1.0, value + half),
            ),
            Cell(value=number, style="count"),
        )
        for k, (value, half, number) in enumerate(firsts, 1)
    ]
    share = "share of oracle sentences (tenths), mean inclusion (sentences)"
    return make_grid(key, "Oracle sentences by position", ("position", share, "documents"), rows)
