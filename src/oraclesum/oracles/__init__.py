"""Stage: problems to oracles."""

from .api import compare, enumerate_instance, enumerate_oracles, find_in_instance, find_oracle
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
    "compare",
    "count_feasible",
    "enumerate_instance",
    "enumerate_oracles",
    "find_in_instance",
    "find_oracle",
]
