"""Stage: files to topics."""

from .demo import demo_path
from .plain import read_lines
from .reading import Source, open_source, read_topics
from .record import has_text
from .topic import Reference, System, Topic

__all__ = [
    "Reference",
    "Source",
    "System",
    "Topic",
    "demo_path",
    "has_text",
    "open_source",
    "read_lines",
    "read_topics",
]
