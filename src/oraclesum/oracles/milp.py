"""Mixed 0/1 programs through HiGHS: a small model, a silent run, and the bound it ended with."""

from __future__ import annotations

import atexit
import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import field
from typing import ClassVar

from ..errors import OraclesumError
from ..frozen import dataclass
from ..stopping import importing
from ..workers import WorkerDiedError, Workers
from .status import Status

try:
    with importing():  # interrupted half-way, it could not be loaded again
        import highspy
except ImportError as error:  # pragma: no cover
    raise OraclesumError(
        f"the solver HiGHS (highspy) cannot be loaded: {error}; it cannot share a process with "
        "ortools, which brings another version of the same library"
    ) from error

__all__ = ["Program", "Solution"]

_INFINITY = highspy.kHighsInf
_ASK_EVERY = 0.01  # seconds
_LARGE = 10_000  # entries of rows: beyond, single steps of HiGHS, which hear nothing, take seconds
_PATIENCE = 10.0  # seconds that the end of a program waits for a run that was called off
_LATE = 1.0  # seconds beyond its time limit after which such a step is ended from outside
# HiGHS takes a column for whole if it is off by a millionth, and a row for kept likewise. Whole
# numbers up to this one leave no doubt then; beyond, it has called sets impossible that fit.
_LARGEST = 1e5
_LARGEST_SUM = 2.0**50  # of costs; beyond 2^53 floats skip whole numbers, and its bounds were wrong
_ENDINGS = {
    highspy.HighsModelStatus.kOptimal: Status.COMPLETE,
    highspy.HighsModelStatus.kInterrupt: Status.INTERRUPTED,
    highspy.HighsModelStatus.kInfeasible: Status.HEURISTIC,  # an error of floats, if a set is known
}

_GIVEN_UP = (highspy.HighsModelStatus.kSolveError, highspy.HighsModelStatus.kUnknown)


@dataclass(frozen=True, kw_only=True)
class Solution:
    """What HiGHS ended with; `values` is None where it found no point, `bound` where none."""

    values: list[float] | None
    bound: float | None
    nodes: int
    status: Status  # heuristic: the numbers were beyond HiGHS' floats, which proves nothing
    infeasible: bool = False


@dataclass(kw_only=True)
class Program:
    """Maximise over columns in [0, upper], some of them whole, under rows `sum <= limit`."""

    costs: list[float] = field(default_factory=list)
    uppers: list[float] = field(default_factory=list)
    whole: list[bool] = field(default_factory=list)
    starts: list[int] = field(default_factory=lambda: [0])
    columns: list[int] = field(default_factory=list)
    values: list[float] = field(default_factory=list)
    limits: list[float] = field(default_factory=list)
    doubtful: bool = False  # numbers beyond HiGHS' floats: what it says proves nothing
    born: float = field(default_factory=time.perf_counter)

    def add_column(self, *, cost: float, upper: float, whole: bool) -> int:
        """Add a column and return its number."""
        self.costs.append(cost)
        self.uppers.append(upper)
        self.whole.append(whole)
        return len(self.costs) - 1

    def add_row(self, terms: list[tuple[int, float]], limit: float) -> None:
        """Add the row sum(value * column) <= limit."""
        self.doubtful |= any(abs(number) > _LARGEST for number in (limit, *dict(terms).values()))
        for column, value in terms:
            self.columns.append(column)
            self.values.append(value)
        self.starts.append(len(self.columns))
        self.limits.append(limit)

    def add_limit(self, lengths: list[tuple[int, int]], budget: int, floor: int = 0) -> None:
        """Add the rows floor <= sum(length * column) <= budget, in numbers as small as can be."""
        usable = []
        for column, length in lengths:
            if length > budget:
                self.uppers[column] = 0.0
            elif length:
                usable.append((column, length))
        unit = math.gcd(*(length for _, length in usable)) or 1
        terms = [(column, float(length // unit)) for column, length in usable]
        if sum(length * int(self.uppers[column]) for column, length in usable) > budget:
            self.add_row(terms, float(budget // unit))
        if floor:
            self.add_row([(column, -length) for column, length in terms], -float(-(-floor // unit)))

    def solve(
        self,
        time_limit: float | None,
        stop: Callable[[], object] | None,
        start: list[float] | None = None,
    ) -> Solution:
        """Run HiGHS, perhaps from a known point. Writing the model counts towards the time limit.

        Every objective here is a whole number, so a gap below 1 is enough. If `stop` says true,
        HiGHS ends at the next place where it can be interrupted, which is between its own steps.
        A large program, whose steps are long, is solved by a process of its own, which is ended.
        """
        if stop is not None and stop():
            return _nothing(Status.INTERRUPTED)
        left = None
        if time_limit is not None:
            left = max(self.born + time_limit - time.perf_counter(), 0.0)
        if len(self.columns) > _LARGE:
            return self._solve_elsewhere(left, stop, start)
        return self._solve_here(left, stop, start)

    def _solve_elsewhere(
        self, left: float | None, stop: Callable[[], object] | None, start: list[float] | None
    ) -> Solution:
        started = time.perf_counter()
        worker = Workers(1, prepare=_prepare)
        try:
            call = worker.submit(self._solve_here, left, None, start)
            while not worker.is_done(call):
                if stop is not None and stop():
                    return _nothing(Status.INTERRUPTED)
                if left is not None and time.perf_counter() - started > left + _LATE:
                    return _nothing(Status.TIME_LIMIT)
                time.sleep(_ASK_EVERY)
            solution: Solution = call.take()
            return solution
        except WorkerDiedError:
            raise MemoryError("the process that HiGHS ran in has died") from None
        finally:
            worker.close()

    def _solve_here(
        self, left: float | None, stop: Callable[[], object] | None, start: list[float] | None
    ) -> Solution:
        with _until_end() as called_off:
            if called_off.up:
                return _nothing(Status.INTERRUPTED)
            return self._solve_now(left, stop, start, called_off)

    def _solve_now(
        self,
        left: float | None,
        stop: Callable[[], object] | None,
        start: list[float] | None,
        called_off: _Flag,
    ) -> Solution:
        largest = sum(
            abs(cost) * upper for cost, upper in zip(self.costs, self.uppers, strict=True)
        )
        self.doubtful |= largest > _LARGEST_SUM
        highs = highspy.Highs()  # type: ignore[no-untyped-call]  # untyped in highspy
        highs.setOptionValue("output_flag", False)
        highs.setOptionValue("parallel", "off")
        highs.setOptionValue("mip_rel_gap", 0.0)
        highs.setOptionValue("mip_abs_gap", 0.9)
        if left is not None:
            highs.setOptionValue("time_limit", left)
        highs.passModel(self._model())
        if start is not None:
            point = highspy.HighsSolution()
            point.col_value = start
            highs.setSolution(point)
        _run(highs, stop, called_off)
        status = highs.getModelStatus()
        if status == highspy.HighsModelStatus.kNotset:  # called off before it began
            return _nothing(Status.INTERRUPTED)
        if status in _GIVEN_UP:
            return _nothing(Status.HEURISTIC)
        known = (
            highspy.HighsModelStatus.kOptimal,
            highspy.HighsModelStatus.kTimeLimit,
            highspy.HighsModelStatus.kInterrupt,
            highspy.HighsModelStatus.kInfeasible,
        )
        if status not in known:
            raise OraclesumError(
                f"internal error: HiGHS ended with {highs.modelStatusToString(status)}"
            )
        info = highs.getInfo()
        feasible = info.primal_solution_status == highspy.SolutionStatus.kSolutionStatusFeasible
        infeasible = status == highspy.HighsModelStatus.kInfeasible
        bounded = abs(info.mip_dual_bound) < _INFINITY and not (self.doubtful or infeasible)
        ending = _ENDINGS.get(status, Status.TIME_LIMIT)
        if self.doubtful and ending is Status.COMPLETE:
            ending = Status.HEURISTIC
        return Solution(
            values=list(highs.getSolution().col_value) if feasible else None,
            bound=info.mip_dual_bound if bounded else None,
            nodes=max(int(info.mip_node_count), 0),
            status=ending,
            infeasible=infeasible and not self.doubtful,
        )

    def _model(self) -> highspy.HighsLp:
        model = highspy.HighsLp()
        model.num_col_ = len(self.costs)
        model.num_row_ = len(self.limits)
        model.sense_ = highspy.ObjSense.kMaximize
        model.col_cost_ = self.costs
        model.col_lower_ = [0.0] * len(self.costs)
        model.col_upper_ = self.uppers
        model.row_lower_ = [-_INFINITY] * len(self.limits)
        model.row_upper_ = self.limits
        model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
        model.a_matrix_.start_ = self.starts
        model.a_matrix_.index_ = self.columns
        model.a_matrix_.value_ = self.values
        kinds = (highspy.HighsVarType.kContinuous, highspy.HighsVarType.kInteger)
        model.integrality_ = [kinds[whole] for whole in self.whole]
        return model


def _nothing(status: Status) -> Solution:
    return Solution(values=None, bound=None, nodes=0, status=status)


def _prepare() -> None:
    """Nothing that a worker needs before it solves."""


class _Flag:
    """Seen by other threads. No Event: a signal that raises might leave its lock taken."""

    up = False


class _AtEnd:
    """What is called off when the interpreter ends: a run that outlives it would abort it.

    Such a run is on a thread that does not hear of the end; from then on such threads begin none.
    """

    runs: ClassVar[set[Callable[[], object]]] = set()
    come: ClassVar[bool] = False


@atexit.register
def _call_off_all() -> None:
    _AtEnd.come = True
    for call_off in list(_AtEnd.runs):
        call_off()


@contextmanager
def _until_end() -> Iterator[_Flag]:
    """A block that the end of the interpreter waits for; the flag is up when that comes."""
    called_off = _Flag()
    done = threading.Event()

    def call_off() -> None:
        called_off.up = True
        done.wait(_PATIENCE)

    _AtEnd.runs.add(call_off)
    try:
        if _AtEnd.come and threading.current_thread().daemon:  # asked after it was added
            called_off.up = True
        yield called_off
    finally:
        done.set()
        _AtEnd.runs.discard(call_off)


def _run(highs: highspy.Highs, stop: Callable[[], object] | None, called_off: _Flag) -> None:
    """Run in a thread of its own: Ctrl-C and `stop` reach this one and can call the run off."""
    begun = _Flag()
    done = threading.Event()

    def check(event: highspy.HighsCallbackEvent) -> None:
        if called_off.up:
            event.interrupt()

    def run() -> None:
        begun.up = True  # before it asks, as the other thread asks after it has called off
        try:
            if not called_off.up:
                highs.run()
        finally:
            done.set()

    highs.cbMipInterrupt.subscribe(check)
    runner = threading.Thread(target=run, name="highs", daemon=True)
    # Waits on an event: a join that Ctrl-C breaks marks the thread as ended in Python 3.11.
    try:
        _start(runner)  # which Ctrl-C can break as well, with the thread there or not
        while not done.wait(_ASK_EVERY):
            if stop is not None and stop():
                break
    finally:
        called_off.up = True
        if begun.up:  # if not, it will see that it was called off
            done.wait()
    runner.join()


def _start(runner: threading.Thread) -> None:
    try:
        runner.start()
    except RuntimeError:
        raise OraclesumError(
            "HiGHS runs on a thread of its own, and the system allows no more; raise that limit "
            "(ulimit -u), or use another method"
        ) from None
