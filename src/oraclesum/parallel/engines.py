"""Where shards are made: in processes of this machine, or as tasks of a Ray cluster."""

from __future__ import annotations

import logging
from importlib import import_module
from typing import Any, Protocol

from ..errors import MissingExtraError
from ..stopping import interruptible, listen_again
from ..workers import Call, WorkerDiedError, Workers
from .shard import Done, Job, prepare_worker, run_carefully, run_shard

__all__ = ["Engine", "LocalEngine", "RayEngine"]

_AHEAD = 4  # shards in flight for each worker
_RETRIES = 3


class Engine(Protocol):
    """Makes shards, several at once."""

    @property
    def window(self) -> int:
        """How many shards may be in flight."""

    def submit(self, job: Job) -> Any:
        """Start a shard; the ticket is for `wait`."""

    def wait(self, job: Job, ticket: Any) -> Done:
        """The shard, when it is there whole. Raises OSError where it cannot be written."""

    def close(self) -> None:
        """End every worker at once."""


class LocalEngine:
    """Worker processes of this machine; one that dies costs the one document that killed it."""

    def __init__(self, jobs: int) -> None:
        self.window = _AHEAD * jobs
        self._workers = Workers(jobs, prepare=prepare_worker)

    def submit(self, job: Job) -> Call:
        return self._workers.submit(run_shard, job)

    def wait(self, job: Job, ticket: Call) -> Done:
        try:
            done: Done = self._workers.wait(ticket)
        except (MemoryError, WorkerDiedError):
            return run_carefully(job)
        return done

    def close(self) -> None:
        self._workers.close()


class RayEngine:
    """Tasks of a Ray cluster, which runs a task again where its worker or node is lost."""

    def __init__(self, address: str | None) -> None:
        try:
            ray: Any = import_module("ray")
        except ImportError:
            raise MissingExtraError("the engine 'ray'", "ray") from None
        self._ray = ray
        self._ours = not ray.is_initialized()
        if self._ours:
            ray.init(address=address, log_to_driver=False, logging_level=logging.WARNING)
            listen_again()  # Ray takes SIGTERM for itself
        self.window = max(_AHEAD, int(_AHEAD * ray.cluster_resources().get("CPU", 1)))
        self._quick = ray.remote(max_retries=_RETRIES)(run_shard)
        # Nodes may come and go for as long as they like; a document cannot kill this one.
        self._careful = ray.remote(max_retries=-1)(run_carefully)

    def submit(self, job: Job) -> Any:
        return self._quick.remote(job)

    def wait(self, job: Job, ticket: Any) -> Done:
        errors = self._ray.exceptions
        try:
            with interruptible():
                done: Done = self._ray.get(ticket)
        except errors.RayTaskError as error:
            if not isinstance(error.cause, MemoryError):
                raise error.cause from None
        except (
            errors.WorkerCrashedError,
            errors.NodeDiedError,
            errors.OutOfMemoryError,
            errors.LocalRayletDiedError,
        ):
            pass
        else:
            return done
        with interruptible():
            careful: Done = self._ray.get(self._careful.remote(job))
        return careful

    def close(self) -> None:
        if self._ours:
            self._ray.shutdown()
