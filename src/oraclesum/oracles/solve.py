"""Runs a method on an instance: looks it up, runs it, and scores what it found again."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ..errors import NoOverlapWarning
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
from .verify import verify_enumeration, verify_oracle

if TYPE_CHECKING:
    from .objective import ObjectiveProblem

__all__ = ["sign_method", "solve_all", "solve_one", "warn_without_overlap"]


def solve_all(instance: Instance, method: str, options: Options) -> OracleFamily:
    """All oracles by the named method."""
    enumerator = get_enumerator(method)
    if instance.candidates:
        found = enumerator(instance, options)
        verify_enumeration(instance, found, within_hits=options.within_hits, method=method)
    else:
        found = Enumeration(
            hits=0,
            upper_bound=0,
            checked=0,
            status=Status.NO_OVERLAP,
            store=ListedStore((), instance.n_sentences),
        )
    return OracleFamily(
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


def solve_one(instance: Instance, method: str, options: Options) -> Oracle:
    """One oracle, or what an approximate method takes for one, by the named method."""
    finder = get_finder(method, options)
    if instance.candidates:
        oracle = finder(instance, options)
        verify_oracle(instance, oracle)
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


def warn_without_overlap(problem: Instance | ObjectiveProblem, *, stacklevel: int) -> None:
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
    warn(f"{name}{reason}", NoOverlapWarning, stacklevel=stacklevel + 1)
