"""The program that splits text in a process of its own: a line of JSON in, a line of JSON out."""

from __future__ import annotations

import signal
import sys

import orjson

from ..errors import InputError
from ..text import split_sentences

__all__ = ["main"]


def main() -> None:
    """Answer until the input ends. Ctrl-C is the server's business."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for line in sys.stdin.buffer:
        question = orjson.loads(line)
        try:
            answer = {"sentences": split_sentences(question["text"], question["language"])}
        except InputError as error:
            answer = {"error": [str(error)]}
        sys.stdout.buffer.write(orjson.dumps(answer, option=orjson.OPT_APPEND_NEWLINE))
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
