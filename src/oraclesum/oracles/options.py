"""What a caller may ask of a method, checked once."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ..errors import InputError

__all__ = ["FAMILIES", "Options", "require_whole"]

FAMILIES = ("all", "minimal")


@dataclass(frozen=True, kw_only=True)
class Options:
    """Settings of one run; `time_limit` and `threads` never move a number that a run proves."""

    time_limit: float | None = None  # seconds; None: as long as it takes
    max_list: int = 1_000_000  # sets held in memory; all are counted
    family: str = "all"  # "minimal": only sets from which no sentence can be dropped without loss
    within_hits: int = 0  # 0: optimal sets only; k: also those up to k hits worse
    threads: int = 1
    seed: int = 0

    def __post_init__(self) -> None:
        if self.time_limit is not None:
            number = isinstance(self.time_limit, int | float)
            if not number or isinstance(self.time_limit, bool):
                raise InputError(f"time_limit must be a number of seconds, not {self.time_limit!r}")
            if math.isnan(self.time_limit) or self.time_limit < 0:
                raise InputError(f"time_limit must not be negative, but is {self.time_limit}")
        if self.family not in FAMILIES:
            known = " or ".join(repr(name) for name in FAMILIES)
            raise InputError(f"family must be {known}, not {self.family!r}")
        require_whole("max_list", self.max_list, least=0)
        require_whole("within_hits", self.within_hits, least=0)
        require_whole("threads", self.threads, least=1)
        require_whole("seed", self.seed, least=0)


def require_whole(name: str, value: int, *, least: int) -> None:
    """Raise an InputError unless the value is a whole number from `least` on, below 2^63."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise InputError(f"{name} must be a whole number, not {value!r}")
    if value < least:
        raise InputError(f"{name} must be at least {least}, not {value}")
    if value >= 2**63:
        raise InputError(f"{name} is too large: {value}")
