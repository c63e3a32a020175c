"""Stage: oracles and system summaries to scores."""

from .overlap import Overlap, evaluate

__all__ = ["Overlap", "evaluate"]
