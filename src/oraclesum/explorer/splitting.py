"""The program that splits text in a process of its own: a line of JSON in, a line of JSON out."""

from __future__ import annotations

import signal
import sys

import orjson

from ..errors import InputError
from ..text import split_sentences

__all__ = ["main"]


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
