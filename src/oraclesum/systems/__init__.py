"""Stage: reference systems, so that tables mean something out of the box; they see no references."""

from .registry import PREFIX, SYSTEMS, Document, run_system, run_systems

__all__ = ["PREFIX", "SYSTEMS", "Document", "run_system", "run_systems"]
