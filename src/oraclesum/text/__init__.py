"""Stage: text to tokens."""

from .advice import explain_no_tokens, notice_references, notice_text
from .analyser import WRITINGS, Analyser, Numbering, Tokenizer
from .detection import check_detection, detect_language, detection_setting, wants_detection
from .languages import find_language, list_languages
from .preparation import CLEANINGS, Preparation, clean_text, find_markup
from .sentences import SPLITTERS, Splitter, check_splitter, split_sentences, splitter_setting
from .spans import find_spans, to_utf16

__all__ = [
    "CLEANINGS",
    "SPLITTERS",
    "WRITINGS",
    "Analyser",
    "Numbering",
    "Preparation",
    "Splitter",
    "Tokenizer",
    "check_detection",
    "check_splitter",
    "clean_text",
    "detect_language",
    "detection_setting",
    "explain_no_tokens",
    "find_language",
    "find_markup",
    "find_spans",
    "list_languages",
    "notice_references",
    "notice_text",
    "split_sentences",
    "splitter_setting",
    "to_utf16",
    "wants_detection",
]
