"""Stage: text to tokens."""

from .advice import explain_no_tokens
from .analyser import Analyser, Numbering, Tokenizer
from .languages import find_language, list_languages
from .sentences import split_sentences, splitter_setting
from .spans import find_spans, to_utf16

__all__ = [
    "Analyser",
    "Numbering",
    "Tokenizer",
    "explain_no_tokens",
    "find_language",
    "find_spans",
    "list_languages",
    "split_sentences",
    "splitter_setting",
    "to_utf16",
]
