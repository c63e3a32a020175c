"""Stage: topics to output records, in batches."""

from .answer import Answer, Item, Row, Written, WrittenRow
from .answerer import Answerer, Task, Writer
from .case import Case
from .enumeration import Enumeration
from .record import ErrorRecord, FamilyRecord, Json, Output

__all__ = [
    "Answer",
    "Answerer",
    "Case",
    "Enumeration",
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
