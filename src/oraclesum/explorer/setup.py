"""How a server is set up: what it has opened, what it allows, and the state that requests share."""

from __future__ import annotations

from dataclasses import field

from ..frozen import dataclass
from .corpus import ServedCorpus
from .jobs import JobQueue
from .store import FamilyStore

__all__ = ["Setup", "State"]


@dataclass(frozen=True, kw_only=True)
class Setup:
    """The choices of whoever starts the server; named as the options of `serve`."""

    corpus: ServedCorpus | None = None
    allow_hosts: tuple[str, ...] = ()
    time_limit: float = 30.0
    max_body_mb: float = 5.0
    jobs: int = 2
    max_waiting: int = 16
    max_families: int = 64
    max_family_bytes: int = 512 << 20
    max_connections: int = 200
    header_seconds: float = 10.0
    stall_seconds: float = 30.0
    words_from: int = 10
    words_to: int = 400

    @property
    def body_bytes(self) -> int:
        """The largest body of a request."""
        return int(self.max_body_mb * 2**20)


@dataclass(kw_only=True)
class State:
    """What requests share: running searches, quick questions, stored families."""

    setup: Setup
    searches: JobQueue = field(init=False)
    questions: JobQueue = field(init=False)
    downloads: JobQueue = field(init=False)  # and all that takes long beside searches
    store: FamilyStore = field(init=False)

    def __post_init__(self) -> None:
        setup = self.setup
        self.searches = JobQueue(setup.jobs, setup.max_waiting, name="search")
        self.questions = JobQueue(4, 64, name="question")
        self.downloads = JobQueue(1, setup.max_waiting, name="download")
        self.store = FamilyStore(setup.max_families, setup.max_family_bytes)

    def stop(self) -> None:
        """Stop all searches; whoever still asks is told that the server shuts down."""
        for queue in self._queues:
            queue.stop()

    def close(self) -> None:
        """Stop, and let threads go."""
        for queue in self._queues:
            queue.close()

    def has_ended(self, seconds: float) -> bool:
        """Whether all work ends in about that time, once it was told to."""
        return all(queue.has_ended(seconds) for queue in self._queues)

    @property
    def _queues(self) -> tuple[JobQueue, ...]:
        return self.searches, self.questions, self.downloads
