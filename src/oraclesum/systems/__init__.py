"""Stage: our reference systems, which see no references."""

from .registry import PREFIX, SYSTEMS, Document, run_system, run_systems

__all__ = ["PREFIX", "SYSTEMS", "Document", "run_system", "run_systems"]
