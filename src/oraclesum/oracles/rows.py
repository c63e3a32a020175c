"""A number per sentence, stored once per class: equal sentences have equal numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import overload

__all__ = ["ClassRow", "classify"]


class ClassRow(Sequence[int]):
    """Reads like a list with one number per sentence; 0 for a sentence in no class."""

    def __init__(self, by_class: Sequence[int], classes: Sequence[int | None]) -> None:
        self._by_class = by_class
        self._classes = classes  # per sentence

    def __len__(self) -> int:
        return len(self._classes)

    @overload
    def __getitem__(self, place: int) -> int: ...
    @overload
    def __getitem__(self, place: slice) -> list[int]: ...
    def __getitem__(self, place: int | slice) -> int | list[int]:
        if isinstance(place, slice):
            return [self._look_up(cls) for cls in self._classes[place]]
        return self._look_up(self._classes[place])

    def _look_up(self, cls: int | None) -> int:
        return 0 if cls is None else self._by_class[cls]


def classify(members: Sequence[Sequence[int]], sentences: int) -> list[int | None]:
    """The class of each sentence, from the sentences of each class."""
    classes: list[int | None] = [None] * sentences
    for cls, row in enumerate(members):
        for i in row:
            classes[i] = cls
    return classes
