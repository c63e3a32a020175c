"""Runs a method on an instance: looks it up, runs it, and scores what it found again.

What a method reports is scored from scratch: all of a small family, 256 sets spread over a large,
fewer if they are so long that they have more than a million sentences together.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from ..errors import NoOverlapWarning, OraclesumError
from ..instances.instance import Instance
from ..notices import warn
from ..signature import extend_signature
from .enumeration import Enumeration
from .family import OracleFamily
from .methods import EXACT, SEEDED, get_enumerator, get_finder
from .options import Options, sign_family
from .oracle import Oracle
from .status import Status
from .store import ListedStore

if TYPE_CHECKING:
    from .objective import ObjectiveProblem

__all__ = [
    "MAX_CHECKED",
    "MAX_CHECKED_SENTENCES",
    "sign_method",
    "solve_all",
    "solve_one",
    "warn_without_overlap",
]

MAX_CHECKED = 256
"""Of more sets so many are scored again, to keep the check a small part of a run."""

MAX_CHECKED_SENTENCES = 1_000_000
"""That these sets have together, up to the last one: a fraction of a second."""


def solve_all(instance: Instance, method: str, options: Options) -> OracleFamily:
    """All oracles by the named method."""
    enumerator = get_enumerator(method)
    if instance.candidates:
        found = enumerator(instance, options)
    else:
        found = Enumeration(
            hits=0,
            upper_bound=0,
            checked=0,
            status=Status.NO_OVERLAP,
            store=ListedStore((), instance.n_sentences),
        )
    family = OracleFamily(
        store=found.store,
        n_sentences=instance.n_sentences,
        hits=found.hits,
        total=instance.total,
        status=found.status,
        upper_bound=found.upper_bound,
        checked=found.checked,
        method=method,
        signature=sign_family(instance.signature, options),
    )
    _verify_family(instance, family, within_hits=options.within_hits)
    return family


def solve_one(instance: Instance, method: str, options: Options) -> Oracle:
    """One oracle, or what an approximate method takes for one, by the named method."""
    finder = get_finder(method, options)
    if instance.candidates:
        oracle = finder(instance, options)
        _verify_oracle(instance, oracle)
        return replace(oracle, signature=sign_method(instance, method, options))
    return Oracle(
        indices=(),
        hits=0,
        total=instance.total,
        upper_bound=0,
        checked=0,
        method=method,
        status=Status.NO_OVERLAP,
        signature=sign_method(instance, method, options),
    )


def sign_method(instance: Instance, method: str, options: Options) -> str:
    """The signature of one set: exact methods agree on the score, of others the name is part."""
    if method in EXACT:
        return instance.signature
    pairs = [("method", method)]
    if method in SEEDED:
        pairs.append(("seed", str(options.seed)))
    return extend_signature(instance.signature, *pairs)


def warn_without_overlap(problem: Instance | ObjectiveProblem) -> None:
    """Warn if no sentence can add a hit: the answer is empty, and the reader should know why.

    An ObjectiveProblem warns by itself, when it is solved.
    """
    if not isinstance(problem, Instance) or problem.candidates:
        return
    name = f"{problem.id}: " if problem.id else ""
    if any(problem.counts):
        reason = "no sentence that shares an n-gram with a reference fits the limits; raise them"
    else:
        reason = (
            "no sentence shares an n-gram with a reference; check that both are in the same "
            "language and that the rouge settings suit it, or use a smaller n"
        )
    warn(f"{name}{reason}", NoOverlapWarning)


def _verify_family(instance: Instance, family: OracleFamily, *, within_hits: int) -> None:
    """Check bounds, feasibility and hits of the stored sets; an error is a bug of the method."""
    if family.upper_bound < family.hits:
        raise _bug(instance, family.method, f"bound {family.upper_bound} below {family.hits} hits")
    least = max(family.hits - within_hits, 0)
    for selected in family.spread(MAX_CHECKED, MAX_CHECKED_SENTENCES):
        hits = _score(instance, selected, family.method)
        if not least <= hits <= family.hits:
            wanted = f"{least}..{family.hits}" if within_hits else f"{family.hits}"
            raise _bug(instance, family.method, f"set {selected} has {hits} hits, not {wanted}")


def _verify_oracle(instance: Instance, oracle: Oracle) -> None:
    """Check bound, feasibility and hits of one set; an error here is a bug of the method."""
    hits = _score(instance, oracle.indices, oracle.method)
    if hits != oracle.hits:
        raise _bug(
            instance, oracle.method, f"set {oracle.indices} has {hits} hits, not {oracle.hits}"
        )
    if oracle.upper_bound < oracle.hits:
        raise _bug(instance, oracle.method, f"bound {oracle.upper_bound} below {oracle.hits} hits")


def _score(instance: Instance, selected: Iterable[int], method: str) -> int:
    members = list(selected)
    if members != sorted(set(members)):
        raise _bug(instance, method, f"set {tuple(members)} is not ascending")
    if not instance.feasible(members):
        raise _bug(instance, method, f"set {tuple(members)} breaks a limit")
    return instance.hits(members)


def _bug(instance: Instance, method: str, what: str) -> OraclesumError:
    return OraclesumError(
        f"internal error: method {method!r} on instance {instance.id!r}: {what}; please report this"
    )
