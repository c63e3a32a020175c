"""Extracted summaries to read on a terminal: a heading, numbered sentences, the score."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from .tables import format_score, format_status

__all__ = ["print_summary"]

_INDENT = 6


def print_summary(console: Console, record: Mapping[str, Any], n: int) -> None:
    """Print one output record of `extract` under ROUGE-n."""
    title = Text(str(record["id"]), style="bold")
    if "reference" in record:
        title.append(f", reference {record['reference']}")
    if record["status"] == "error":
        console.print(title + Text("  ") + format_status(record), end="\n\n")
        return
    title.append(f"  {record['hits']}/{record['total']} = {format_score(record['score'])}  ")
    proven = Text("proven best", "green") if record["proven"] else Text("not proven", "yellow")
    console.print(title + proven)
    body = Table.grid(padding=(0, 1))
    body.add_column(justify="right", style="cyan", min_width=_INDENT - 1)
    body.add_column()
    for i, sentence in zip(record["oracle"], record["summary"], strict=True):
        body.add_row(str(i), Text(sentence))
    console.print(body)
    rouge = record["rouge"]
    parts = (f"{name} {format_score(rouge[name])}" for name in ("recall", "precision", "f1"))
    text = f"{' ' * _INDENT}as a text: ROUGE-{n} {', '.join(parts)}"
    console.print(Text(text, style="dim"), end="\n\n")
