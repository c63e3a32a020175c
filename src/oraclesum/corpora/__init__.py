"""Stage: files to topics."""

from .demo import demo_path
from .documents import Document, Sentence
from .files import Caps
from .layouts import LAYOUTS, Layout
from .opening import (
    FORMATS,
    Opened,
    Reading,
    is_line_file,
    open_corpus,
    open_items,
    recognise_format,
)
from .plain import read_lines
from .reading import Line, Source, open_source, read_source, read_topics
from .record import has_text
from .repeats import Repeats, refuse_repeats
from .summaries import parse_summary
from .topic import Flaw, Reference, System, Topic

__all__ = [
    "FORMATS",
    "LAYOUTS",
    "Caps",
    "Document",
    "Flaw",
    "Layout",
    "Line",
    "Opened",
    "Reading",
    "Reference",
    "Repeats",
    "Sentence",
    "Source",
    "System",
    "Topic",
    "demo_path",
    "has_text",
    "is_line_file",
    "open_corpus",
    "open_items",
    "open_source",
    "parse_summary",
    "read_lines",
    "read_source",
    "read_topics",
    "recognise_format",
    "refuse_repeats",
]
