"""Stage: problems to oracles."""

from __future__ import annotations

from ..lazy import load_when_asked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .api import enumerate_instance, enumerate_oracles, find_in_instance, find_oracle
    from .compare import Row
    from .enumeration import Enumeration
    from .family import OracleFamily
    from .feasible import count_feasible
    from .options import Options
    from .oracle import Oracle
    from .status import Status

__all__ = [
    "Enumeration",
    "Options",
    "Oracle",
    "OracleFamily",
    "Row",
    "Status",
    "count_feasible",
    "enumerate_instance",
    "enumerate_oracles",
    "find_in_instance",
    "find_oracle",
]

if not TYPE_CHECKING:  # a type checker would believe in any name otherwise
    __getattr__ = load_when_asked(
        __name__,
        {
            "api": (
                "enumerate_instance",
                "enumerate_oracles",
                "find_in_instance",
                "find_oracle",
            ),
            "compare": ("Row",),
            "enumeration": ("Enumeration",),
            "family": ("OracleFamily",),
            "feasible": ("count_feasible",),
            "options": ("Options",),
            "oracle": ("Oracle",),
            "status": ("Status",),
        },
    )
