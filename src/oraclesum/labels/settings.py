"""Which oracle gives the hard labels and which sets give the soft ones, checked once."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ..errors import InputError
from ..message import Message
from ..oracles.options import require_whole

__all__ = ["CHOICES", "LabelSettings"]

CHOICES = ("first", "lead", "random", "all")


@dataclass(frozen=True, kw_only=True)
class LabelSettings:
    """Hard labels are those of `choose`; soft ones average over sets up to `within_hits` worse.

    `choose`: "first" in lexicographic order, the one nearest to the "lead" summary, a "random" one,
    or "all", at most `most`, one after the other. With a `temperature` T a set that is j hits below
    the best weighs exp(-j/T); without, all sets weigh the same.
    """

    choose: str = "first"
    most: int = 1000
    within_hits: int = 0
    temperature: float | None = None
    seed: int = 0  # of "random"

    def __post_init__(self) -> None:
        if self.choose not in CHOICES:
            known = ", ".join(repr(name) for name in CHOICES)
            raise InputError(
                Message(
                    "{choose} must be one of {known}, not {x}", known=known, x=repr(self.choose)
                )
            )
        for name, least in (("most", 1), ("within_hits", 0), ("seed", 0)):
            object.__setattr__(self, name, require_whole(name, getattr(self, name), least=least))
        if self.temperature is None:
            return
        number = isinstance(self.temperature, int | float) and not isinstance(
            self.temperature, bool
        )
        if not number or not math.isfinite(self.temperature) or self.temperature <= 0:
            raise InputError(
                Message("{temperature} must be a number above 0, not {x}", x=repr(self.temperature))
            )
        if self.within_hits == 0:
            raise InputError(
                Message(
                    "{temperature} needs {within_hits}: without it, all sets have the best hits"
                )
            )

    def describe(self) -> list[tuple[str, str]]:
        """The settings for the signature."""
        chosen = f"{self.choose},seed={self.seed}" if self.choose == "random" else self.choose
        if not self.within_hits:
            return [("labels", chosen), ("soft", "oracles")]
        soft = f"within_hits={self.within_hits}"
        if self.temperature is not None:
            soft += f",temperature={self.temperature:g}"
        return [("labels", chosen), ("soft", soft)]
