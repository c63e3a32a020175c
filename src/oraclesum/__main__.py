"""The command `oraclesum`, also as `python -m oraclesum`: streams and signals first, then all else.

Whatever is imported before the signals are heard is a time in which Ctrl-C can only end the
process: this module imports next to nothing.
"""

from __future__ import annotations

import gc
import os

try:
    from .stopping import end, listen, stop_listening
    from .streams import flush_output, open_streams, stop_writing
except KeyboardInterrupt:
    raise SystemExit(130) from None

__all__ = ["run"]


def run() -> None:
    """Run the command line of this process, and leave with its exit status."""
    try:
        open_streams()
        listen()
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    # Modules and records leave little garbage: it need not be looked for as often.
    gc.set_threshold(100_000, 50, 100)
    # Our matrices are small: threads of numpy's BLAS would wait for each other most of the time.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    status: object = 0
    try:
        from .cli import main

        main(prog_name="oraclesum")
    except SystemExit as done:
        status = done.code
    except OSError as error:
        stop_writing("standard output", error)
    finally:
        flush_output()
        stop_listening()
    end(status)


if __name__ == "__main__":
    run()
