"""Stage: topics to output records, in batches."""

from .answer import Answer, Item, Row
from .answerer import Answerer
from .task import Task

__all__ = ["Answer", "Answerer", "Item", "Row", "Task"]
