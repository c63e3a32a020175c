"""Names of a package that are loaded when first asked for: a command pays for what it uses."""

from __future__ import annotations

import sys
from importlib import import_module

TYPE_CHECKING = False  # typing's own takes as long to import as all else before Ctrl-C is heard
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

__all__ = ["load_module", "load_when_asked"]


def load_module(name: str, package: str) -> Any:
    """Import a module of a package; Ctrl-C is heard when it is there whole.

    orjson and the kernel, interrupted while they are imported, crash then or in the next call.
    """
    from .stopping import importing  # as seldom as a name is loaded

    with importing():
        return import_module(f".{name}", package)


def load_when_asked(package: str, homes: Mapping[str, tuple[str, ...]]) -> Callable[[str], Any]:
    """The `__getattr__` of a package whose names are in these of its modules."""
    places = {name: module for module, names in homes.items() for name in names}

    def load(name: str) -> Any:
        if name not in places:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(load_module(places[name], package), name)
        setattr(sys.modules[package], name, value)
        return value

    return load
