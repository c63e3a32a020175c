"""Which oracle gives the hard labels and which sets give the soft ones, checked once."""

from __future__ import annotations

import sys
from dataclasses import replace
from fractions import Fraction

from ..errors import InputError
from ..frozen import dataclass
from ..given import check_choice
from ..message import Message, show_value
from ..oracles.options import Options
from ..whole import require_whole

__all__ = ["CHOICES", "LabelSettings", "plain_options"]

CHOICES = ("first", "lead", "random", "all")


@dataclass(frozen=True, kw_only=True)
class LabelSettings:
    """Which oracle the hard labels are of, and which sets the soft labels average over.

    Parameters
    ----------
    choose
        "first" in lexicographic order, the one nearest to the "lead" summary, a "random" one, or
        "all", one after the other. Default "first".
    max_list
        With "all": how many at most. Default 1000.
    within_hits, within, top
        Soft labels over near-optimal sets: at most so many hits (recall) or so much score below
        the best, or the so many best sets. Default: over the oracles alone.
    temperature
        A set that is d below the best weighs exp(-d / temperature): d in hits with `within_hits`,
        else in score. Default: all sets weigh the same.
    seed
        Of "random". Default 0.
    """

    choose: str = "first"
    max_list: int = 1000
    within_hits: int = 0
    within: Fraction | float | str = 0
    top: int = 0
    temperature: float | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        check_choice("choose", self.choose, CHOICES)
        near = self.widen(Options())  # checks what it is given
        for name in ("within_hits", "within", "top"):
            object.__setattr__(self, name, getattr(near, name))
        for name, least in (("max_list", 1), ("seed", 0)):
            object.__setattr__(self, name, require_whole(name, getattr(self, name), least=least))
        if self.temperature is None:
            return
        number = isinstance(self.temperature, int | float) and not isinstance(
            self.temperature, bool
        )
        # Compared before it is made a float: a whole number may be too large for one.
        if not number or not 0 < self.temperature <= sys.float_info.max:
            raise InputError(
                Message(
                    "{temperature} must be a number above 0 and within the range of floats, not "
                    "{x}",
                    x=show_value(self.temperature),
                )
            )
        if not self.is_near:
            raise InputError(
                Message(
                    "{temperature} needs {within_hits}, {within} or {top}: without them, all sets "
                    "have the best score"
                )
            )

    @property
    def is_near(self) -> bool:
        """Whether soft labels are over more than the oracles."""
        return bool(self.within_hits or self.within or self.top)

    def widen(self, options: Options) -> Options:
        """The options of a search for all sets that the soft labels average over."""
        return replace(
            options,
            within_hits=self.within_hits,
            within=self.within,  # type: ignore[arg-type]  # read and checked there
            top=self.top,
        )

    def describe(self) -> list[tuple[str, str]]:
        """The settings for the signature."""
        chosen = f"{self.choose},seed={self.seed}" if self.choose == "random" else self.choose
        near = [
            f"{name}={value}"
            for name in ("within_hits", "within", "top")
            if (value := getattr(self, name))
        ]
        if near and self.temperature is not None:
            near.append(f"temperature={self.temperature:g}")
        return [("labels", chosen), ("soft", ",".join(near) or "oracles")]


def plain_options(options: Options) -> Options:
    """The options without near-optimal sets: hard labels are of true oracles."""
    return replace(options, within_hits=0, within=Fraction(0), top=0)
