"""Columns of published data sets, such as `article` and `highlights`, under our own names."""

from __future__ import annotations

from typing import Any

__all__ = ["COLUMN_PAIRS", "rename_columns"]

COLUMN_PAIRS = (
    ("article", "highlights"),  # CNN/Daily Mail
    ("document", "summary"),  # XSum, Multi-News
    ("article", "abstract"),  # arXiv, PubMed
    ("article", "summary"),
    ("text", "summary"),  # BillSum
    ("dialogue", "summary"),  # SAMSum
    ("report", "summary"),  # GovReport
)
"""The columns with the document and with its one summary, in the order they are looked for."""

_IDS = ("id", "guid", "article_id", "report_id")
_BETWEEN_DOCUMENTS = "|||||"  # of Multi-News


def rename_columns(record: dict[str, Any]) -> dict[str, Any]:
    """The record in our own columns; one that has `references`, or no known pair, as it is."""
    if record.get("references") is not None:
        return record
    for document, summary in COLUMN_PAIRS:
        if record.get(document) is not None and record.get(summary) is not None:
            renamed = {
                key: value for key, value in record.items() if key not in (document, summary)
            }
            renamed["references"] = [_read_summary(record[summary])]
            text = record[document]
            if isinstance(text, str):
                renamed["text"] = _separate(text)
            else:
                renamed.setdefault("sentences", text)
            for name in _IDS:
                if renamed.get("id") is None and record.get(name) not in (None, ""):
                    renamed["id"] = record[name]
            return renamed
    return record


def _read_summary(summary: Any) -> Any:
    """Highlights come as lines of one text; a text without line ends stays one text."""
    if isinstance(summary, str) and "\n" in summary.strip():
        return [line.strip() for line in summary.split("\n") if line.strip()]
    return summary


def _separate(text: str) -> str:
    """Several documents in one text, kept apart by empty lines, which end a sentence."""
    parts = (part.strip() for part in text.split(_BETWEEN_DOCUMENTS))
    return "\n\n".join(part for part in parts if part) if _BETWEEN_DOCUMENTS in text else text
