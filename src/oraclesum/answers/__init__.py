"""Stage: topics to output records, in batches."""

from .answer import Answer, Item, Row
from .answerer import Answerer
from .record import ErrorRecord, FamilyRecord, Json, Output
from .task import Task

__all__ = [
    "Answer",
    "Answerer",
    "ErrorRecord",
    "FamilyRecord",
    "Item",
    "Json",
    "Output",
    "Row",
    "Task",
]
