"""All tables of a reproduction in the paper's order."""

from __future__ import annotations

from ..report.grid import Grid
from .results import Results
from .tables_agreement import tabulate_agreement
from .tables_families import tabulate_counts, tabulate_effort, tabulate_jaccard, tabulate_times
from .tables_scores import tabulate_corpus, tabulate_details, tabulate_scores, tabulate_systems

__all__ = ["build_tables"]


def build_tables(results: Results) -> list[Grid]:
    """Tables 1 to 7, the systems in detail, and the times; what the corpus lacks is left out."""
    grids = [
        tabulate_corpus(results),
        tabulate_scores(results),
        tabulate_systems(results),
        tabulate_details(results),
        tabulate_jaccard(results),
        tabulate_counts(results),
        tabulate_agreement(results),
        tabulate_agreement(results, level="summary"),
        tabulate_effort(results),
        tabulate_times(results),
    ]
    return [grid for grid in grids if grid is not None]
