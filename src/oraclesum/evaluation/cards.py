"""Overlaps, scored summaries, correlations and differences as cards for notebooks."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ..card import Card, show_sets
from ..rouge.objective import name_signed

if TYPE_CHECKING:
    from .correlation import Correlation
    from .overlap import Overlap
    from .significance import Difference
    from .summary import SummaryScore

__all__ = ["draw_correlation", "draw_difference", "draw_overlap", "draw_summary"]


def draw_overlap(overlap: Overlap) -> Card:
    """P, R and F against all oracles."""
    return Card(
        kind="Overlap with all oracles",
        value=f"F {overlap.f_measure:.4f}",
        facts=[("precision", f"{overlap.precision:.4f}"), ("recall", f"{overlap.recall:.4f}")],
    )


def draw_summary(score: SummaryScore) -> Card:
    """Everything measured about one summary."""
    overlap, drawn = score.overlap, score.drawn
    missed = score.missed_core
    facts = [
        (name_signed(score.rouge.signature), f"{score.rouge.recall:.5f}"),
        ("P", f"{overlap.precision:.4f}"),
        ("R", f"{overlap.recall:.4f}"),
        ("F", f"{overlap.f_measure:.4f}"),
        ("F one oracle", f"{drawn.f_measure:.4f} [{drawn.low:.4f}, {drawn.high:.4f}]"),
        ("words", f"{score.words:,}"),
        ("not aligned", f"{1 - score.alignment.coverage:.0%}"),
    ]
    lines = [f"sentences {show_sets([score.alignment.indices], 0)}"]
    if missed:
        lines.append(f"in every oracle and not here: {show_sets([missed], 0)}")
    return Card(
        kind="Summary against all oracles",
        value="-" if score.share is None else f"{score.share:.1%}",
        note=_tell_share(score),
        facts=facts,
        lines=lines,
        signature=score.rouge.signature,
    )


def draw_correlation(row: Correlation) -> Card:
    """One measure against people."""
    return Card(
        kind=f"{row.measure} against people, {row.level} level",
        value=f"{row.value:.3f}",
        note=f"[{row.low:.3f}, {row.high:.3f}] {row.coefficient.capitalize()}",
        facts=[("systems", str(row.systems)), ("topics", str(row.topics))],
        lines=[f"95% bootstrap interval over {row.interval}"],
    )


def draw_difference(row: Difference) -> Card:
    """Two measures beside each other."""
    tests = (
        ("Williams", row.williams_holm, False),
        ("permutation", row.permutation_holm, row.permutation_bound),
    )
    return Card(
        kind=f"{row.first} less {row.second}, {row.level} level, {row.coefficient}",
        value=f"{row.difference:+.3f}",
        facts=[
            (
                f"p {name}, Holm",
                f"< {math.floor(p * 10_000 + 1) / 10_000:.4f}" if bound or p < 5e-5 else f"{p:.4f}",
            )
            for name, p, bound in tests
            if p is not None
        ],
    )


def _tell_share(score: SummaryScore) -> str:
    if score.objective_hits is None or score.oracle_hits is None:
        return "of the best score"
    return f"of the best score: {score.objective_hits:,} of {score.oracle_hits:,} hits"
