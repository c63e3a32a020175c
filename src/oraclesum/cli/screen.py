"""The sink for a terminal: keeps rows while progress is shown, then prints one table."""

from __future__ import annotations

from collections.abc import Sequence

from ..answers import WrittenRow
from ..report.numbers import format_count, format_score
from ..report.tables import Column, RecordTable, format_status

__all__ = [
    "COUNT",
    "HITS",
    "METHOD",
    "PROVEN",
    "REFERENCE",
    "SCORED",
    "SECONDS",
    "STATUS",
    "TOPIC",
    "TOTAL",
    "TableSink",
    "score_column",
]

TOPIC = Column(
    header="topic", cell=lambda record, _: str(record["id"]), right=False, yields=True, names=True
)
REFERENCE = Column(header="ref", cell=lambda record, _: str(record.get("reference", "")))
STATUS = Column(header="status", cell=format_status, right=False)
SCORED = Column(header="status", cell=format_status, right=False, hidden_if={"complete"})
HITS = Column(header="hits", cell=lambda record, _: f"{record['hits']:,}")
METHOD = Column(header="method", cell=lambda record, _: record["method"], right=False)
PROVEN = Column(header="proven", cell=lambda record, _: "yes" if record["proven"] else "no")
TOTAL = Column(header="total", cell=lambda record, _: f"{record['total']:,}")
COUNT = Column(header="oracles", cell=lambda record, _: format_count(record["count"]))
SECONDS = Column(header="seconds", cell=lambda _, seconds: f"{seconds:.3f}")


def score_column(name: str) -> Column:
    """The score under its measure's name."""
    return Column(header=name, cell=lambda record, _: format_score(record["score"]))


class TableSink:
    """Rows as a table, printed when the run has ended."""

    def __init__(self, columns: Sequence[Column]) -> None:
        self._table = RecordTable(columns)

    def write(self, row: WrittenRow) -> None:
        self._table.add(row.record, row.seconds)

    def close(self) -> None:
        self._table.print()
