"""Families, oracles and compared methods as cards for notebooks."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING

from ..card import Card, show_sets
from ..digits import show_large
from ..rouge.objective import name_signed
from .status import Status

if TYPE_CHECKING:
    from .compare import Row
    from .family import OracleFamily
    from .oracle import Oracle
    from .store import Store

__all__ = ["draw_family", "draw_method", "draw_oracle"]

_SHOWN = 4  # oracles
_LIGHT = 15_000_000  # steps to inclusion that nobody notices


def draw_family(family: OracleFamily, store: Store) -> Card:
    """Score, count, status, inclusion and the first oracles."""
    shown = list(islice(iter(family), _SHOWN))
    strip: Sequence[float] = ()
    facts = _show_hits(family)
    if store.effort <= _LIGHT:
        strip = family.inclusion
        core, support = len(family.core), len(family.support)
        facts += [("in every oracle", str(core)), ("in some", str(support))]
    facts += [("sentences", f"{family.n_sentences:,}"), ("nodes", show_large(family.checked))]
    if not family.proven:
        facts.append(("at most", _show_bound(family)))
    lines = [show_sets(shown, family.count - len(shown))] if shown else []
    if not strip and family.count:
        lines.append("inclusion is not drawn here: the family is large; see .inclusion")
    return Card(
        kind=f"OracleFamily: {family.status.words}",
        value=f"{name_signed(family.signature)} {family.score:.5f}",
        note=_count(family),
        facts=facts,
        strip=strip,
        lines=lines,
        signature=family.signature,
    )


def _count(family: OracleFamily) -> str:
    number = show_large(family.count)
    if not family.proven:
        return f"best found; {number} {'set' if family.count == 1 else 'sets'} so far"
    bound = "" if family.exact else "at least "
    return f"{bound}{number} {'oracle' if family.count == 1 else 'oracles'}"


def _show_hits(found: OracleFamily | Oracle) -> list[tuple[str, str]]:
    """Hits of recall; the exact value of other objectives."""
    if found.hits is None:
        return [("exactly", str(found.value))]
    return [("hits", f"{found.hits:,} of {found.total:,}")]


def _show_bound(found: OracleFamily | Oracle) -> str:
    if found.upper_bound is None:
        return f"{float(found.upper_value):.5f}"
    return f"{found.upper_bound:,} hits"


def draw_oracle(oracle: Oracle) -> Card:
    """One set, and what is proven of it."""
    facts = [*_show_hits(oracle), ("method", oracle.method)]
    facts.append(("nodes", show_large(oracle.checked)))
    if not oracle.proven:
        facts.append(("at most", _show_bound(oracle)))
    return Card(
        kind="Oracle: " + ("proven best" if oracle.proven else oracle.status.words),
        value=f"{name_signed(oracle.signature)} {oracle.score:.5f}",
        note=show_sets([oracle.indices], 0),
        facts=facts,
        signature=oracle.signature,
    )


def draw_method(row: Row) -> Card:
    """One method of a comparison."""
    if row.status is Status.NOT_AVAILABLE:
        return Card(
            kind=f"Method {row.method}",
            value="not available",
            note=row.reason,
            signature=row.signature,
        )
    facts = [] if row.hits is None else [("hits", f"{row.hits:,}")]
    facts.append(("seconds", f"{row.seconds:.4g}"))
    if row.count is not None:
        facts.append(("oracles", show_large(row.count)))
    facts.append(("nodes", show_large(row.checked)))
    return Card(
        kind=f"Method {row.method}: " + ("proven best" if row.proven else row.status.words),
        value=f"{name_signed(row.signature)} {row.score:.5f}",
        note=show_sets([row.indices], 0),
        facts=facts,
        signature=row.signature,
    )
