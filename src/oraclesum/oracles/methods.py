"""The methods by name: which can enumerate, which find one set, and what each is able to do.

A method's module is imported when it first runs: solvers are heavy, and importing this package must
not be.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from importlib import import_module
from typing import Any

from ..errors import InputError
from ..given import is_one_of
from ..instances.instance import Instance
from ..message import Message, Setting, show_value
from .enumeration import Enumeration
from .options import Options
from .oracle import Oracle

__all__ = [
    "ENUMERATORS",
    "EXACT",
    "FINDERS",
    "SEEDED",
    "TEXT_FINDERS",
    "Enumerator",
    "Finder",
    "check_method",
    "get_enumerator",
    "get_finder",
]

Enumerator = Callable[[Instance, Options], Enumeration]
Finder = Callable[[Instance, Options], Oracle]


def _lazy(module: str, name: str) -> Callable[[Instance, Options], Any]:
    def run(instance: Instance, options: Options) -> Any:
        return getattr(import_module(f"{__package__}.{module}"), name)(instance, options)

    return run


ENUMERATORS: dict[str, Enumerator] = {
    "search": _lazy("search", "enumerate_search"),
    "paper": _lazy("paper", "enumerate_paper"),
    "exhaustive": _lazy("exhaustive", "enumerate_exhaustive"),
}

FINDERS: dict[str, Finder] = {
    "search": _lazy("search", "find_search"),
    "ilp": _lazy("ilp", "find_ilp"),
    "paper": _lazy("paper", "find_paper"),
    "exhaustive": _lazy("exhaustive", "find_exhaustive"),
    "greedy": _lazy("greedy", "find_greedy"),
    "genetic": _lazy("genetic", "find_genetic"),
    "pairwise": _lazy("pairwise", "find_pairwise"),
}

# Methods that look at the text itself, under any objective (objective.py).
TEXT_FINDERS: tuple[str, ...] = ("presumm-greedy", "beam")

# Methods that prove their answer when they finish; the others may fall short of the optimum.
EXACT: frozenset[str] = frozenset({"search", "ilp", "paper", "exhaustive"})

# Methods that draw at random: another seed can give another set.
SEEDED: frozenset[str] = frozenset({"genetic"})


def check_method(method: Any, known: Collection[str], *, also: Collection[str] = ()) -> None:
    """Raise an InputError that lists the known methods, unless this is one of them or of `also`."""
    if not is_one_of(method, (*known, *also)):
        raise InputError(f"unknown method {show_value(method)}; known: {', '.join(known)}")


def get_enumerator(method: str) -> Enumerator:
    """The enumerator of that name, or an error that lists the known ones."""
    check_method(method, ENUMERATORS, also=(*FINDERS, *TEXT_FINDERS))
    if method in ENUMERATORS:
        return ENUMERATORS[method]
    raise InputError(
        f"method {method!r} finds one set and cannot enumerate; these can: {', '.join(ENUMERATORS)}"
    )


def get_finder(method: str, options: Options) -> Finder:
    """The finder of that name, or an error that lists the known ones or says what it cannot do."""
    check_method(method, (*FINDERS, *TEXT_FINDERS))
    if method in TEXT_FINDERS:
        raise InputError(f"method {method!r} needs the text, which an instance does not have")
    if method not in ENUMERATORS:
        if options.family != "all":
            raise InputError(Message("method {x} cannot do {family='minimal'}", x=repr(method)))
        if options.within_hits:
            within = Setting("within_hits", str(options.within_hits))
            raise InputError(
                Message("method {x} cannot do {within}", x=repr(method), within=within)
            )
    return FINDERS[method]
