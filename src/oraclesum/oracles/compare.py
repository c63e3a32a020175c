"""Methods side by side on one problem: what each found, what it proved, and how long it took."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

from ..frozen import dataclass
from ..given import check_list
from ..instances.instance import Instance
from .family import OracleFamily
from .methods import ENUMERATORS, FINDERS, check_method
from .objective import METHODS, ObjectiveProblem
from .options import Options
from .oracle import Oracle
from .solve import sign_method, solve_all, solve_one
from .status import Status

__all__ = ["Row", "compare_methods"]


@dataclass(frozen=True, kw_only=True)
class Row:
    """One method's answer. `count` is None for a method that finds one set only.

    `hits`, `total` and `upper_bound` are None for other objectives than recall. A method that
    cannot do the objective has the status "not_available", says why in `reason`, and has None for
    `value` and `score` too.
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
    reason: str = ""

    def _repr_html_(self) -> str | None:
        from ..card import draw_safely
        from .cards import draw_method

        return draw_safely(lambda: draw_method(self))


def compare_methods(
    problem: Instance | ObjectiveProblem,
    methods: Iterable[str] | None,
    options: Options,
    make_objective: Callable[[], ObjectiveProblem] | None = None,
) -> list[Row]:
    """Run the methods one after the other; None: all of them. Those that can enumerate do so.

    `make_objective` gives an instance's text to the methods that need it.
    """
    known = list(dict.fromkeys([*FINDERS, *METHODS]))
    if methods is not None:
        names = list(check_list("methods", methods, "a list of names"))
    elif isinstance(problem, ObjectiveProblem):
        names = list(METHODS)
    else:
        names = known if make_objective is not None else list(FINDERS)
    for name in names:
        check_method(name, known)
    rows = []
    for name in names:
        own: Instance | ObjectiveProblem = problem
        if isinstance(problem, Instance) and name not in FINDERS and make_objective is not None:
            own = make_objective()
        reason = _explain_missing(own, name, options)
        rows.append(_run(own, name, options) if reason is None else _refuse(own, name, reason))
    return rows


def _explain_missing(
    problem: Instance | ObjectiveProblem, method: str, options: Options
) -> str | None:
    if isinstance(problem, ObjectiveProblem):
        return problem.explain_missing(method, options)
    return None if method in FINDERS else "it needs the text, which an instance does not have"


def _refuse(problem: Instance | ObjectiveProblem, method: str, reason: str) -> Row:
    nothing: Any = None
    return Row(
        method=method,
        value=nothing,
        hits=nothing,
        total=nothing,
        score=nothing,
        proven=False,
        upper_bound=nothing,
        checked=0,
        count=None,
        indices=(),
        seconds=0.0,
        status=Status.NOT_AVAILABLE,
        signature=problem.signature,
        reason=reason,
    )


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
