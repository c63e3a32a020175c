"""Stage: problems to oracles."""

from .family import OracleFamily
from .oracle import Oracle
from .status import Status

__all__ = ["Oracle", "OracleFamily", "Status"]
