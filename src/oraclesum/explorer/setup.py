"""How a server is set up: what it has opened, what it allows, and the state that requests share."""

from __future__ import annotations

from dataclasses import dataclass, field

from .desk import Desk
from .held import Store
from .shelf import Shelf
from .splitter import Splitter

__all__ = ["Setup", "State"]


@dataclass(frozen=True, kw_only=True)
class Setup:
    """The choices of whoever starts the server; named as the options of `serve`."""

    shelf: Shelf | None = None
    allow_hosts: tuple[str, ...] = ()
    time_limit: float = 30.0
    max_body_mb: float = 5.0
    jobs: int = 2
    most_waiting: int = 16
    most_held: int = 64
    most_held_bytes: int = 512 << 20
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
    """What requests share: the searches at work, the quick questions at work, what is held."""

    setup: Setup
    searches: Desk = field(init=False)
    questions: Desk = field(init=False)
    store: Store = field(init=False)
    splitter: Splitter = field(default_factory=Splitter)

    def __post_init__(self) -> None:
        setup = self.setup
        self.searches = Desk(setup.jobs, setup.most_waiting, name="search")
        self.questions = Desk(4, 64, name="question")
        self.store = Store(setup.most_held, setup.most_held_bytes)

    def stop(self) -> None:
        """Stop all searches; whoever still asks is told that the server shuts down."""
        self.searches.stop()
        self.questions.stop()

    def close(self) -> None:
        """Stop, and let threads and processes go."""
        self.searches.close()
        self.questions.close()
        self.splitter.close()
