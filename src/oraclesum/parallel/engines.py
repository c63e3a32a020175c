"""Where shards are made: in processes of this machine, or as tasks of a Ray cluster."""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from importlib import import_module
from typing import Any, Protocol

from ..errors import MissingExtraError
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
        self._jobs = jobs
        self.window = _AHEAD * jobs
        self._executor = self._start()

    def _start(self) -> ProcessPoolExecutor:
        # Forking a process that has threads can deadlock; a spawned one starts clean.
        context = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(self._jobs, mp_context=context, initializer=prepare_worker)

    def submit(self, job: Job) -> Future[Done]:
        try:
            # Started with Ctrl-C blocked, a worker does not hear it before it can ignore it.
            signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
            try:
                return self._executor.submit(run_shard, job)
            finally:
                signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
        except BrokenProcessPool as broken:
            future: Future[Done] = Future()
            future.set_exception(broken)
            return future

    def wait(self, job: Job, ticket: Future[Done]) -> Done:
        try:
            return ticket.result()
        except MemoryError:
            return run_carefully(job)
        except BrokenProcessPool:
            # Nobody knows which shard in flight it was: each is looked at document by document.
            done = run_carefully(job)
            try:
                self._executor.submit(os.getpid).result()
            except BrokenProcessPool:
                self._executor.shutdown(wait=False)
                self._executor = self._start()
            return done

    def close(self) -> None:
        for process in list(multiprocessing.active_children()):
            process.kill()
        self._executor.shutdown(wait=True, cancel_futures=True)


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
        self.window = max(_AHEAD, int(_AHEAD * ray.cluster_resources().get("CPU", 1)))
        self._quick = ray.remote(max_retries=_RETRIES)(run_shard)
        # Nodes may come and go for as long as they like; a document cannot kill this one.
        self._careful = ray.remote(max_retries=-1)(run_carefully)

    def submit(self, job: Job) -> Any:
        return self._quick.remote(job)

    def wait(self, job: Job, ticket: Any) -> Done:
        errors = self._ray.exceptions
        try:
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
        careful: Done = self._ray.get(self._careful.remote(job))
        return careful

    def close(self) -> None:
        if self._ours:
            self._ray.shutdown()
