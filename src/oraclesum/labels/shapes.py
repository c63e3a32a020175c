"""Labelled documents in the shapes that known training code reads."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

__all__ = ["SHAPES", "shape_example"]

Example = dict[str, Any]
Shape = Callable[[Sequence[str], Sequence[str], Sequence[int], Sequence[int]], Example]


def _shape_presumm(
    sentences: Sequence[str], summary: Sequence[str], labels: Sequence[int], chosen: Sequence[int]
) -> Example:
    """An element of PreSumm's JSON shards (words by white space), with the labels beside them."""
    return {
        "src": [sentence.split() for sentence in sentences],
        "tgt": [sentence.split() for sentence in summary],
        "src_sent_labels": list(labels),
    }


def _shape_hetersumgraph(
    sentences: Sequence[str],
    summary: Sequence[str],
    labels: Sequence[int],
    chosen: Sequence[int],
) -> Example:
    return {
        "text": list(sentences),
        "summary": list(summary),
        "label": list(chosen),
    }


def _shape_matchsum(
    sentences: Sequence[str], summary: Sequence[str], labels: Sequence[int], chosen: Sequence[int]
) -> Example:
    """Both its data file (text, summary) and its index file (sent_id), line by line the same."""
    return {
        "text": list(sentences),
        "summary": list(summary),
        "sent_id": list(chosen),
    }


SHAPES: Mapping[str, Shape] = {
    "hetersumgraph": _shape_hetersumgraph,
    "matchsum": _shape_matchsum,
    "presumm": _shape_presumm,
}


def shape_example(
    shape: str,
    sentences: Sequence[str],
    summary: Sequence[str],
    labels: Sequence[int],
    chosen: Sequence[int],
) -> Example:
    """One training example: `summary` is the reference in sentences, `chosen` has the label 1."""
    return SHAPES[shape](sentences, summary, labels, chosen)
