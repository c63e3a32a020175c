"""Stage: topics as integer problems."""

from .instance import Instance
from .limits import Limit, Limits, count_bytes, count_words, split_words

__all__ = ["Instance", "Limit", "Limits", "count_bytes", "count_words", "split_words"]
