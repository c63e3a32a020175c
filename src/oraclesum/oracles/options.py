"""What a caller may ask of a method, checked once."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from numbers import Rational, Real
from typing import TYPE_CHECKING, Any

from ..errors import InputError
from ..frozen import dataclass
from ..given import check_choice
from ..message import Message, show_value
from ..signature import extend_signature
from ..whole import LARGEST, as_fraction, require_whole
from .status import Status

if TYPE_CHECKING:
    from ..rouge import Rouge

__all__ = [
    "FAMILIES",
    "MAX_THREADS",
    "Clock",
    "Ended",
    "Options",
    "refuse_hits",
    "sign_family",
]

FAMILIES = ("all", "minimal")
MAX_THREADS = 1024
_SHORT = 1000  # bits of a number that Python prints
_LONGEST = 1e9  # seconds, 30 years: beyond any run, and within the range of every clock


@dataclass(frozen=True, kw_only=True)
class Options:
    """Settings of one run; `time_limit` and `threads` never move a number that a run proves."""

    time_limit: float | None = None  # seconds; None: as long as it takes
    max_list: int = 1_000_000  # sets stored in memory; all are counted
    family: str = "all"  # "minimal": only sets from which no sentence can be dropped without loss
    within_hits: int = 0  # 0: optimal sets only; k: also those up to k hits worse
    within: Fraction = Fraction(0)  # also sets up to this much below the best score
    top: int = 0  # if not 0: so many of the best sets, with all ties of the last
    threads: int = 1
    seed: int = 0
    # Asked about every 10 ms, on whatever thread is at work: true ends the run as "interrupted".
    stop: Callable[[], object] | None = None

    def __post_init__(self) -> None:
        if self.time_limit is not None:
            # Real: also the numbers of numpy
            if not isinstance(self.time_limit, Real) or isinstance(self.time_limit, bool):
                raise InputError(
                    Message(
                        "{time_limit} must be a number of seconds, not {x}",
                        x=show_value(self.time_limit),
                    )
                )
            # Compared before anything is made a float: whole numbers may be too large for one.
            if self.time_limit > _LONGEST:
                object.__setattr__(self, "time_limit", None)
            elif self.time_limit < 0 or math.isnan(self.time_limit):
                raise InputError(
                    Message(
                        "{time_limit} must be a number of seconds from 0 on, not {x}",
                        x=show_value(self.time_limit),
                    )
                )
        if self.stop is not None and not callable(self.stop):
            raise InputError(
                f"stop must be a callable without arguments, not {show_value(self.stop)}"
            )
        check_choice("family", self.family, FAMILIES)
        object.__setattr__(self, "within", _read_within(self.within))
        for name, least in (
            ("max_list", 0),
            ("within_hits", 0),
            ("top", 0),
            ("threads", 1),
            ("seed", 0),
        ):
            # The kernel takes plain numbers only.
            most = MAX_THREADS if name == "threads" else LARGEST
            number = require_whole(name, getattr(self, name), least=least, most=most)
            object.__setattr__(self, name, number)
        if bool(self.within) + bool(self.top) + bool(self.within_hits) > 1:
            raise InputError(Message("set only one of {within}, {within_hits} and {top}"))
        if self.time_limit is not None:
            object.__setattr__(self, "time_limit", float(self.time_limit))

    def __getstate__(self) -> dict[str, Any]:
        """For another process, which cannot ask the caller's `stop`."""
        return {**vars(self), "stop": None}

    def start_clock(self) -> Clock:
        """A clock that runs from now on."""
        return Clock(self.time_limit, self.stop)

    def left_since(self, started: float) -> Options:
        """The same with what is left of the time limit; `started` is of time.monotonic()."""
        if self.time_limit is None:
            return self
        left = max(0.0, self.time_limit - (time.monotonic() - started))
        return replace(self, time_limit=left)


class Clock:
    """The time limit and `stop` of a run, for what Python does itself."""

    def __init__(self, time_limit: float | None, stop: Callable[[], object] | None) -> None:
        self._ends = None if time_limit is None else time.monotonic() + time_limit
        self._stop = stop
        self._status: Status | None = None

    def look(self) -> Status | None:
        """Why the run has to end; None if it may go on."""
        if self._status is None:
            if self._stop is not None and self._stop():
                self._status = Status.INTERRUPTED
            elif self._ends is not None and time.monotonic() >= self._ends:
                self._status = Status.TIME_LIMIT
        return self._status

    def check(self) -> None:
        """Raise Ended if the run has to end."""
        if status := self.look():
            raise Ended(status)

    @property
    def left(self) -> float | None:
        """Seconds that are left; None: all the time it takes."""
        return None if self._ends is None else max(0.0, self._ends - time.monotonic())


class Ended(Exception):  # noqa: N818 - no error: whoever started the clock gives what there is
    """A run has to end, with this status."""

    def __init__(self, status: Status) -> None:
        super().__init__(status.words)
        self.status = status


def _read_within(value: object) -> Fraction:
    """The distance as an exact fraction: of a float the decimal that it shows."""
    if isinstance(value, bool) or not isinstance(value, Real | str | Decimal):
        raise InputError(
            Message("{within} must be a number from 0 to 1, not {x}", x=show_value(value))
        )
    try:
        number = Fraction(value) if isinstance(value, Rational) else as_fraction(str(value))
    except ValueError:
        raise InputError(
            Message("{within} must be a number from 0 to 1, not {x}", x=show_value(value))
        ) from None
    if not 0 <= number <= 1:
        short = isinstance(value, Fraction) and value.numerator.bit_length() < _SHORT
        shown = str(value) if short else show_value(value)
        raise InputError(Message("{within} must be from 0 to 1, not {x}", x=shown))
    if number.denominator > 10**9:
        raise InputError(
            Message("{within} must have at most nine digits, not {x}", x=show_value(value))
        )
    return number


def sign_family(signature: str, options: Options) -> str:
    """An instance's signature with the options that move a number."""
    pairs = [("family", options.family)]
    if options.within_hits:
        pairs.append(("within_hits", str(options.within_hits)))
    if options.within:
        pairs.append(("within", str(options.within)))
    if options.top:
        pairs.append(("top", str(options.top)))
    return extend_signature(signature, *pairs)


def refuse_hits(options: Options, rouge: Rouge) -> None:
    """Raise an InputError if sets are asked for by hits under an objective that has none."""
    if options.within_hits and not rouge.plain:
        raise InputError(Message("{within_hits} goes with recall; use {within} or {top} here"))
