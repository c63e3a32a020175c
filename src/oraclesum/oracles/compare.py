"""Methods side by side on one problem: what each found, what it proved, and how long it took."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from ..errors import InputError
from ..instances.instance import Instance
from .family import OracleFamily
from .methods import ENUMERATORS, FINDERS
from .objective import METHODS, ObjectiveProblem
from .options import Options
from .oracle import Oracle
from .solve import sign_method, solve_all, solve_one
from .status import Status

__all__ = ["Row", "compare_methods"]


@dataclass(frozen=True, kw_only=True)
class Row:
    """One method's answer. `count` is None for a method that finds one set only.

    `hits`, `total` and `upper_bound` are None for other objectives than recall.
    """

    method: str
    value: Fraction
    hits: int
    total: int
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
    problem: Instance | ObjectiveProblem, methods: Iterable[str] | None, options: Options
) -> list[Row]:
    """Run the methods one after the other; None: all of them. Those that can enumerate do so."""
    if isinstance(methods, str):
        raise InputError(f"methods must be a list of names, not the str {methods!r}")
    known = list(FINDERS) if isinstance(problem, Instance) else list(METHODS)
    names = known if methods is None else list(methods)
    for name in names:
        if name not in known:
            raise InputError(f"unknown method {name!r}; known for this: {', '.join(known)}")
    return [_run(problem, name, options) for name in names]


def _run(problem: Instance | ObjectiveProblem, method: str, options: Options) -> Row:
    start = time.perf_counter()
    found = _solve(problem, method, options)
    seconds = time.perf_counter() - start
    if isinstance(found, OracleFamily):
        indices, count = next(iter(found), ()), found.count
    else:
        indices, count = found.indices, None
    signature = found.signature
    if isinstance(problem, Instance):
        signature = sign_method(problem, method, options)
    return Row(
        method=method,
        value=found.value,
        hits=found.hits,
        total=found.total,
        score=found.score,
        proven=found.proven,
        upper_bound=found.upper_bound,
        checked=found.checked,
        count=count,
        indices=indices,
        seconds=seconds,
        status=found.status,
        signature=signature,
    )


def _solve(
    problem: Instance | ObjectiveProblem, method: str, options: Options
) -> OracleFamily | Oracle:
    if isinstance(problem, Instance):
        solve = solve_all if method in ENUMERATORS else solve_one
        return solve(problem, method, options)
    if method in ENUMERATORS:
        return problem.solve_all(method, options)
    return problem.solve_one(method, options)
