"""Calls made as tasks of a Ray cluster, which makes one again if its worker or node is lost."""

from __future__ import annotations

import logging
from collections.abc import Callable
from importlib import import_module
from typing import Any

from ..errors import MissingExtraError
from ..stopping import find_unraised, holding, interruptible, listen_again
from ..workers import Call, WorkerDiedError

__all__ = ["RayTasks"]

_AHEAD = 4  # tasks in flight for each processor
_RETRIES = 3


def _make_call(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    return function(*arguments)


class RayTasks:
    """A `Caller` whose calls are tasks of one processor each."""

    def __init__(self, address: str | None) -> None:
        try:
            ray: Any = import_module("ray")
        except ImportError:
            raise MissingExtraError("the engine 'ray'", "ray") from None
        self._ray = ray
        self._ours = not ray.is_initialized()
        with holding():
            if self._ours:
                ray.init(address=address, log_to_driver=False, logging_level=logging.WARNING)
            self.window = max(_AHEAD, int(_AHEAD * ray.cluster_resources().get("CPU", 1)))
            self._usual = ray.remote(max_retries=_RETRIES)(_make_call)
            # Nodes may come and go for as long as they like; no record can end this one.
            self._lasting = ray.remote(max_retries=-1)(_make_call)
            if find_unraised() is not None:
                self.close()  # nobody else can, as there is no object yet

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Call:
        call = Call()
        call.result = self._usual.remote(function, arguments)
        return call

    def is_done(self, call: Call) -> bool:
        done, _ = self._ray.wait([call.result], timeout=0)
        return bool(done)

    def wait(self, call: Call) -> Any:
        errors = self._ray.exceptions
        try:
            with interruptible():
                return self._ray.get(call.result)
        except errors.RayTaskError as error:
            raise error.cause from None
        except (
            errors.WorkerCrashedError,
            errors.NodeDiedError,
            errors.OutOfMemoryError,
            errors.LocalRayletDiedError,
        ):
            raise WorkerDiedError from None

    def repeat(self, function: Callable[..., Any], *arguments: Any) -> Any:
        with interruptible():
            return self._ray.get(self._lasting.remote(function, arguments))

    def close(self) -> None:
        if self._ours:
            self._ray.shutdown()
            listen_again()  # Ray leaves SIGTERM without a handler
