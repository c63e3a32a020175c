"""Reported sets are scored again from scratch: all of a small family, 256 spread over a large."""

from __future__ import annotations

from collections.abc import Iterable

from ..errors import OraclesumError
from ..instances.instance import Instance
from .enumeration import Enumeration
from .oracle import Oracle

__all__ = ["verify_enumeration", "verify_oracle"]

# Beyond this many sets a spread of them is scored again, to keep the check a small part of a run.
_MOST = 256


def verify_enumeration(
    instance: Instance, enumeration: Enumeration, *, within_hits: int, method: str
) -> None:
    """Check bounds, feasibility and hits of the stored sets; an error is a bug of the method."""
    if enumeration.upper_bound < enumeration.hits:
        raise _bug(
            instance, method, f"bound {enumeration.upper_bound} below {enumeration.hits} hits"
        )
    store = enumeration.store
    least = max(enumeration.hits - within_hits, 0)
    for selected in store.spread(_MOST):
        hits = _score(instance, selected, method)
        if not least <= hits <= enumeration.hits:
            wanted = f"{least}..{enumeration.hits}" if within_hits else f"{enumeration.hits}"
            raise _bug(instance, method, f"set {selected} has {hits} hits, not {wanted}")


def verify_oracle(instance: Instance, oracle: Oracle) -> None:
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
