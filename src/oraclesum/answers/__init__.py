"""Stage: topics to output records, in batches."""

from .answerer import Answer, Answerer, Item, Row, Task, Writer, Written, WrittenRow
from .case import Case
from .enumeration import EnumerationTask
from .record import ErrorRecord, FamilyRecord, Json, Output

__all__ = [
    "Answer",
    "Answerer",
    "Case",
    "EnumerationTask",
    "ErrorRecord",
    "FamilyRecord",
    "Item",
    "Json",
    "Output",
    "Row",
    "Task",
    "Writer",
    "Written",
    "WrittenRow",
]
