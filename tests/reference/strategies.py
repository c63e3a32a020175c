"""Hypothesis strategies for small instances; failures shrink to the smallest one."""

from __future__ import annotations

from hypothesis import strategies as st

from oraclesum.instances import Instance, Limit
from reference.generate import fold


@st.composite
def instances(draw: st.DrawFn, *, most_sentences: int = 7, most_limits: int = 3) -> Instance:
    """Instances with up to three references, repeated n-grams, zero lengths and several limits."""
    references = draw(st.integers(1, 3))
    occurrences = st.lists(st.integers(0, 3), min_size=references, max_size=references)
    gains = [fold(row) for row in draw(st.lists(occurrences, min_size=1, max_size=6))]
    pairs = st.dictionaries(st.integers(0, len(gains) - 1), st.integers(1, 3), max_size=4)
    rows = [sorted(row.items()) for row in draw(st.lists(pairs, max_size=most_sentences))]
    limits = []
    for number in range(draw(st.integers(1, most_limits))):
        lengths = draw(st.lists(st.integers(0, 12), min_size=len(rows), max_size=len(rows)))
        budget = draw(st.integers(0, max(sum(lengths), 1)))
        limits.append(Limit(unit=f"unit{number}", budget=budget, lengths=tuple(lengths)))
    total = max(sum(sum(row) for row in gains), 1)
    return Instance(id="drawn", total=total, gains=gains, counts=rows, limits=limits)
