"""System `frequency`: after SumBasic (Nenkova and Vanderwende 2005), frequent words matter."""

from __future__ import annotations

from collections.abc import Hashable

from .document import Document

__all__ = ["select_frequent"]


def select_frequent(document: Document) -> list[int]:
    """Sentences by the mean probability of their words, those of chosen sentences then squared.

    In each step the sentences with the most probable word compete, as in SumBasic.
    """
    total = sum(document.frequencies.values())
    probability: dict[Hashable, float] = {
        word: count / total for word, count in document.frequencies.items()
    }
    words = document.words
    peaks = [max(map(probability.__getitem__, some), default=0.0) for some in words]
    left = [i for i, some in enumerate(words) if some]
    room = document.make_room()
    chosen: list[int] = []
    while left := room.keep(left):
        peak = max(map(peaks.__getitem__, left))
        best = max(
            (i for i in left if peaks[i] == peak),
            key=lambda i: (sum(map(probability.__getitem__, words[i])) / len(words[i]), -i),
        )
        chosen.append(best)
        left.remove(best)
        room.take(best)
        changed = set(words[best])
        for word in changed:
            probability[word] **= 2
        for i in left:
            if not changed.isdisjoint(words[i]):
                peaks[i] = max(map(probability.__getitem__, words[i]))
    return chosen
