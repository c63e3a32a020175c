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
    # The probability of each sentence's most probable word, as it was when last looked at. As
    # probabilities only fall, it is no less than what it is now.
    peaks = [1.0] * len(words)
    left = [i for i, some in enumerate(words) if some]
    room = document.make_room()
    chosen: list[int] = []
    while left := room.keep(left):
        known: set[int] = set()
        while True:
            peak = max(map(peaks.__getitem__, left))
            highest = [i for i in left if peaks[i] == peak]
            if known.issuperset(highest):
                break
            for i in highest:
                peaks[i] = max(map(probability.__getitem__, words[i]))
            known.update(highest)
        best = max(
            highest,
            key=lambda i: (sum(map(probability.__getitem__, words[i])) / len(words[i]), -i),
        )
        chosen.append(best)
        left.remove(best)
        room.take(best)
        for word in set(words[best]):
            probability[word] **= 2
    return chosen
