"""Stage: files to topics."""

from __future__ import annotations

from ..lazy import load_when_asked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .caps import Caps
    from .demo import demo_path
    from .documents import Document, Sentence
    from .formats import FORMATS, open_corpus, recognise_format
    from .layouts import LAYOUTS, Layout
    from .opening import Opened, Reading, is_line_file, open_items
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

if not TYPE_CHECKING:  # a type checker would believe in any name otherwise
    __getattr__ = load_when_asked(
        __name__,
        {
            "demo": ("demo_path",),
            "documents": (
                "Document",
                "Sentence",
            ),
            "caps": ("Caps",),
            "layouts": (
                "LAYOUTS",
                "Layout",
            ),
            "formats": ("FORMATS", "open_corpus", "recognise_format"),
            "opening": ("Opened", "Reading", "is_line_file", "open_items"),
            "plain": ("read_lines",),
            "reading": (
                "Line",
                "Source",
                "open_source",
                "read_source",
                "read_topics",
            ),
            "record": ("has_text",),
            "repeats": (
                "Repeats",
                "refuse_repeats",
            ),
            "summaries": ("parse_summary",),
            "topic": (
                "Flaw",
                "Reference",
                "System",
                "Topic",
            ),
        },
    )
