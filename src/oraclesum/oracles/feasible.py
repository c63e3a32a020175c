"""How many summaries keep a length limit (Appendix B), in exact integers of any size.

C[0][0] is 1, as in the paper's Alg. 4 (its text says 0). Alg. 4 adds up the lengths from 1 on and
so leaves out the empty summary; here every non-empty summary counts, also one whose sentences have
no length at all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import accumulate

from ..errors import InputError
from ..given import check_list
from ..message import show_value
from ..whole import as_whole
from .bounds import check_bounds

__all__ = ["count_feasible"]

_MANY = 4096  # equal sentences that are quicker to add by one multiplication,
_SMALL = 1 << 20  # unless the row has more bits: nothing stops a multiplication
_PIECE = 256  # steps between two looks at the clock


def count_feasible(lengths: Iterable[int], budget: int) -> int:
    """Number of non-empty sets of sentences whose lengths add up to at most `budget`.

    Parameters
    ----------
    lengths
        One whole number per sentence. The paper's candidates are the sentences that share an n-gram
        with a reference: pass their lengths only.
    budget
        The length limit, in the same unit.

    Returns
    -------
    int
        Exact, of any size.

    Raises
    ------
    InputError
        If a number is negative or not whole.
    LimitError
        If it takes longer or more memory than `answer_within` allows.

    Examples
    --------
    >>> count_feasible([3, 4, 5], budget=8)
    5
    """
    every, budget = _check(lengths, budget)
    fitting = sorted(length for length in every if length <= budget)
    if not fitting:
        return 0
    budget = min(budget, sum(fitting))
    # Row i of the table C is one big integer: slot j, `width` bits wide, contains C[i][j]. Adding a
    # sentence is a shift by its length and an addition. No slot overflows: no more sets than those
    # of at most `most` sentences ever fit.
    most = sum(1 for length in accumulate(fitting) if length <= budget)
    width = -(-_count_up_to(len(fitting), most, budget + 1).bit_length() // 8) * 8
    check_bounds(_need(width, budget + 1))
    mask = (1 << width * (budget + 1)) - 1
    row = 1
    for length, times in Counter(fitting).most_common():
        if row == 1 or (times > _MANY and width * budget < _SMALL):
            row = row * _choose_equal(length, times, width, budget) & mask
        else:
            for _ in range(times):
                check_bounds()
                row += row << width * length
                row &= mask
    return _sum_slots(row, width, budget + 1) - 1


def _choose_equal(length: int, times: int, width: int, budget: int) -> int:
    """The row of so many equal sentences alone: k of them are chosen in C(times, k) ways."""
    if length == 0:
        return 1 << times
    ways, chosen = [1], 1
    for k in range(min(times, budget // length)):
        if not k % _PIECE:
            check_bounds()
        chosen = chosen * (times - k) // (k + 1)
        ways.append(chosen)
    size = width // 8 * length
    return int.from_bytes(b"".join(way.to_bytes(size, "little") for way in ways), "little")


def _need(width: int, slots: int) -> int:
    """Bytes for a row of so many slots and what is added to it."""
    return 3 * width * slots // 8


def _count_up_to(sentences: int, most: int, slots: int) -> int:
    """Number of sets of at most `most` out of `sentences` sentences.

    Raises LimitError as soon as slots of that width would take too much memory.
    """
    if most == sentences:
        return 1 << sentences
    sets = total = 1
    for size in range(most):
        if not size % _PIECE:
            check_bounds(_need(total.bit_length(), slots), least=True)
        sets = sets * (sentences - size) // (size + 1)
        total += sets
    return total


def _sum_slots(row: int, width: int, slots: int) -> int:
    """Sum of all slots by folding halves onto each other; it counts sets, so it fits one slot."""
    while slots > 1:
        half = (slots + 1) // 2
        row = (row >> width * half) + (row & ((1 << width * half) - 1))
        slots = half
    return row


def _check(lengths: Iterable[int], budget: int) -> tuple[list[int], int]:
    budget = as_whole("budget", budget)
    if budget < 0:
        raise InputError(f"budget must not be negative, but is {show_value(budget)}")
    given = check_list("lengths", lengths, "a list of whole numbers")
    every = [as_whole(f"the length of sentence {i}", length) for i, length in enumerate(given)]
    for i, length in enumerate(every):
        if length < 0:
            raise InputError(f"the length of sentence {i} is negative: {show_value(length)}")
    return every, budget
