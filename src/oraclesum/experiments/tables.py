"""All tables of a reproduction: the paper's in its order, then those of objectives."""

from __future__ import annotations

from ..report.grid import Grid
from .results import Results
from .tables_agreement import tabulate_agreement
from .tables_families import tabulate_counts, tabulate_effort, tabulate_jaccard, tabulate_times
from .tables_objectives import (
    tabulate_lengths,
    tabulate_near,
    tabulate_objectives,
    tabulate_positions,
    tabulate_transfer,
)
from .tables_room import tabulate_room
from .tables_scores import tabulate_corpus, tabulate_details, tabulate_scores, tabulate_systems

__all__ = ["KEYS", "build_tables"]

KEYS = (
    "table1",
    "table2",
    "table3",
    "room",
    "systems",
    "table4",
    "table5",
    "table6",
    "table6-summaries",
    "table7",
    "times",
    "objectives",
    "objectives-near",
    "objectives-transfer",
    "objectives-positions",
    "objectives-lengths",
)
"""The keys of all tables that there can be, which are the names of their files."""


def build_tables(results: Results) -> list[Grid]:
    """Tables 1 to 7, what stands beside them, and objectives; what a corpus lacks is left out."""
    grids = [
        tabulate_corpus(results),
        tabulate_scores(results),
        tabulate_systems(results),
        tabulate_room(results),
        tabulate_details(results),
        tabulate_jaccard(results),
        tabulate_counts(results),
        tabulate_agreement(results),
        tabulate_agreement(results, level="summary"),
        tabulate_effort(results),
        tabulate_times(results),
        tabulate_objectives(results),
        tabulate_near(results),
        tabulate_transfer(results),
        tabulate_positions(results),
        tabulate_lengths(results),
    ]
    return [grid for grid in grids if grid is not None]
