"""Stage: text to tokens."""

from .advice import explain_no_tokens
from .analyser import Analyser, Numbering, Tokenizer
from .languages import find_language, list_languages
from .sentences import SPLITTERS, Splitter, check_splitter, split_sentences, splitter_setting
from .spans import find_spans, to_utf16

__all__ = [
    "SPLITTERS",
    "Analyser",
    "Numbering",
    "Splitter",
    "Tokenizer",
    "check_splitter",
    "explain_no_tokens",
    "find_language",
    "find_spans",
    "list_languages",
    "split_sentences",
    "splitter_setting",
    "to_utf16",
]
