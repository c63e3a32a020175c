"""Splits pasted text in a process of its own, which ends itself if a text takes too long.

The splitter takes minutes for some texts (thousands of stray quotation marks), holds Python's lock
all the while and cannot be stopped. A process can. It answers a line of JSON with a line of JSON.
"""

from __future__ import annotations

import contextlib
import signal
import subprocess
import sys
import threading
from collections.abc import Callable

import orjson

from ..errors import InputError
from ..text import split_sentences

__all__ = ["Splitter", "main"]


_SHORT = 2_000  # characters that are split within milliseconds, whatever they are
_MAX_IDLE = 2


class Splitter:
    """Keeps a process or two at hand, which end themselves if a text takes too long.

    `seconds` are those of a processor: how busy the machine is decides nothing.
    """

    def __init__(self, seconds: float = 10.0) -> None:
        self._seconds = seconds
        self._idle: list[subprocess.Popen[bytes]] = []
        self._lock = threading.Lock()
        self._closed = False

    def split(self, text: str, language: str, stop: Callable[[], bool], *, field: str) -> list[str]:
        """The sentences of a text; an ApiError that names `field` if it takes too long."""
        if len(text) <= _SHORT:
            return split_sentences(text, language)
        worker = self._take()
        done = threading.Event()
        watcher = threading.Thread(target=_watch, args=(worker, stop, done))
        watcher.start()
        try:
            line = _ask(worker, {"text": text, "language": language})
        finally:
            done.set()
            watcher.join()
        if not line:
            worker.kill()
            _end(worker)
            from .replies import ApiError  # the process itself needs no web framework

            raise ApiError(
                422,
                "the text could not be split into sentences in time: give it as a list of "
                "sentences",
                field=field,
            )
        self._put_back(worker)
        answer = orjson.loads(line)
        if "error" in answer:
            raise InputError(answer["error"][0])
        sentences: list[str] = answer["sentences"]
        return sentences

    def _take(self) -> subprocess.Popen[bytes]:
        with self._lock:
            if self._idle:
                return self._idle.pop()
        return subprocess.Popen(
            [sys.executable, "-m", "oraclesum.explorer.splitter", str(self._seconds)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def _put_back(self, worker: subprocess.Popen[bytes]) -> None:
        with self._lock:
            if not self._closed and len(self._idle) < _MAX_IDLE:
                self._idle.append(worker)
                return
        _end(worker)

    def close(self) -> None:
        """Let all processes go."""
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
        for worker in idle:
            _end(worker)


def _watch(
    worker: subprocess.Popen[bytes], stop: Callable[[], bool], done: threading.Event
) -> None:
    while not done.wait(0.02):
        if stop():
            worker.kill()
            return


def _ask(worker: subprocess.Popen[bytes], question: dict[str, str]) -> bytes:
    assert worker.stdin is not None
    assert worker.stdout is not None
    try:
        worker.stdin.write(orjson.dumps(question, option=orjson.OPT_APPEND_NEWLINE))
        worker.stdin.flush()
        return worker.stdout.readline()
    except OSError:  # it was ended while it was asked
        return b""


def _end(worker: subprocess.Popen[bytes]) -> None:
    assert worker.stdin is not None
    assert worker.stdout is not None
    with contextlib.suppress(OSError):  # what was not sent is lost with it
        worker.stdin.close()  # it ends with its input
    worker.stdout.close()
    worker.wait()


def main() -> None:
    """Answer until the input ends, or one text took the argument's seconds of processor time.

    Ctrl-C is the server's business.
    """
    seconds = float(sys.argv[1])
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Not caught: while the splitter runs Python could not act on it. Uncaught, it ends the process.
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    for line in sys.stdin.buffer:
        signal.setitimer(signal.ITIMER_PROF, seconds)
        question = orjson.loads(line)
        try:
            answer = {"sentences": split_sentences(question["text"], question["language"])}
        except InputError as error:
            answer = {"error": [str(error)]}
        signal.setitimer(signal.ITIMER_PROF, 0)
        sys.stdout.buffer.write(orjson.dumps(answer, option=orjson.OPT_APPEND_NEWLINE))
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
