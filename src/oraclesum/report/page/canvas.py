"""Figures of matplotlib as it comes: neither its settings files nor the environment matter."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Generator, Mapping
from contextlib import chdir, contextmanager, nullcontext
from pathlib import Path
from typing import Any

from ...errors import MissingExtraError

__all__ = ["open_canvas"]

_PLAIN = Path(__file__).parent / "plain"  # has an empty matplotlibrc


@contextmanager
def open_canvas(settings: Mapping[str, Any], **shape: Any) -> Generator[Any]:
    """A Figure with these settings and matplotlib's own defaults; those of a program come back."""
    try:
        _import_matplotlib()
        import matplotlib
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingExtraError("a report", "report") from None

    # A date that is no number would be an error, even where no date is written.
    with _set_environment(SOURCE_DATE_EPOCH=None), warnings.catch_warnings():
        # Of a setting that a later matplotlib will lack we take the default, too.
        warnings.simplefilter("ignore", matplotlib.MatplotlibDeprecationWarning)
        # rcdefaults would read the user's style files.
        chosen: dict[Any, Any] = {**matplotlib.rcParamsDefault, **settings}
        del chosen["backend"]  # a program keeps its own: no window is opened here
        with matplotlib.rc_context(chosen):
            yield Figure(**shape)


def _import_matplotlib() -> None:
    """Import it without the user's settings, which may be such that the import fails."""
    if "matplotlib" in sys.modules:
        return
    # A file in the working directory comes before the one that the environment names.
    elsewhere = chdir(_PLAIN) if Path("matplotlibrc").exists() else nullcontext()
    with elsewhere, _set_environment(MATPLOTLIBRC=str(_PLAIN), MPLBACKEND=None):
        import matplotlib  # noqa: F401 - for its effect


@contextmanager
def _set_environment(**values: str | None) -> Generator[None]:
    """Other values of environment variables for a while; None takes one away."""
    kept = {name: os.environ.get(name) for name in values}
    _write_environment(values)
    try:
        yield
    finally:
        _write_environment(kept)


def _write_environment(values: Mapping[str, str | None]) -> None:
    for name, value in values.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value
