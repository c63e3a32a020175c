"""Methods side by side on one instance: what each found, what it proved, and how long it took."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass

from ..errors import InputError
from ..instances.instance import Instance
from .family import OracleFamily
from .methods import ENUMERATORS, FINDERS
from .objective import METHODS, ObjectiveProblem
from .options import Options
from .oracle import Oracle
from .solve import sign_method, solve_all, solve_one
from .status import Status

__all__ = ["Row", "compare_methods", "compare_objective"]


@dataclass(frozen=True, kw_only=True)
class Row:
    """One method's answer. `count` is None for a method that finds one set only."""

    method: str
    hits: int
    score: float
    proven: bool
    upper_bound: int
    checked: int
    count: int | None
    indices: tuple[int, ...]
    seconds: float
    status: Status
    signature: str

    def _repr_html_(self) -> str | None:
        from ..card import draw_safely
        from .cards import draw_method

        return draw_safely(lambda: draw_method(self))


def compare_methods(
    instance: Instance, methods: Iterable[str] | None, options: Options
) -> list[Row]:
    """Run the methods one after the other; None: all of them. Those that can enumerate do so."""
    if isinstance(methods, str):
        raise InputError(f"methods must be a list of names, not the str {methods!r}")
    names = list(FINDERS) if methods is None else list(methods)
    for name in names:
        if name not in FINDERS:
            raise InputError(f"unknown method {name!r}; known: {', '.join(FINDERS)}")
    return [_run(instance, name, options) for name in names]


def _run(instance: Instance, method: str, options: Options) -> Row:
    start = time.perf_counter()
    if method in ENUMERATORS:
        family = solve_all(instance, method, options)
        seconds = time.perf_counter() - start
        return Row(
            method=method,
            hits=family.hits,
            score=family.score,
            proven=family.proven,
            upper_bound=family.upper_bound,
            checked=family.checked,
            count=family.count,
            indices=next(iter(family), ()),
            seconds=seconds,
            status=family.status,
            signature=sign_method(instance, method, options),
        )
    oracle = solve_one(instance, method, options)
    seconds = time.perf_counter() - start
    return Row(
        method=method,
        hits=oracle.hits,
        score=oracle.score,
        proven=oracle.proven,
        upper_bound=oracle.upper_bound,
        checked=oracle.checked,
        count=None,
        indices=oracle.indices,
        seconds=seconds,
        status=oracle.status,
        signature=oracle.signature,
    )


def compare_objective(
    problem: ObjectiveProblem, methods: Iterable[str] | None, options: Options
) -> list[Row]:
    """The same for an objective other than plain recall."""
    if isinstance(methods, str):
        raise InputError(f"methods must be a list of names, not the str {methods!r}")
    rows = []
    for method in METHODS if methods is None else methods:
        start = time.perf_counter()
        if method in ENUMERATORS:
            family = problem.solve_all(method, options)
            found: OracleFamily | Oracle = family
            indices, count = next(iter(family), ()), family.count
        else:
            found = oracle = problem.solve_one(method, options)
            indices, count = oracle.indices, None
        rows.append(
            Row(
                method=method,
                hits=found.hits,
                score=found.score,
                proven=found.proven,
                upper_bound=found.upper_bound,
                checked=found.checked,
                count=count,
                indices=indices,
                seconds=time.perf_counter() - start,
                status=found.status,
                signature=found.signature,
            )
        )
    return rows
