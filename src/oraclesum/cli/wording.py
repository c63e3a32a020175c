"""Messages of the stages in the words of the command line: settings become options."""

from __future__ import annotations

import re

__all__ = ["name_options"]

_WORDING = [
    (r"\bmax_(words|sentences|bytes)\b", r"--max-\1"),
    (r"\bchoose one by human\b", "choose one by --human"),
    (r"\btime_limit\b", "--time-limit"),
    (r"\bsay which one as the format\b", "say which one by --format"),
    (r"\bgive (that|their folder|the folder of DUC 2004) too\b", r"give \1 too, by --also"),
    (r"\bwithin_hits\b", "--within-hits"),
    (r"\bmax_list\b", "--list"),
    (r"\b(threads|seed|jobs) must\b", r"--\1 must"),
    (r"\btemperature\b", "--temperature"),
    (r"\bopen_corpus reads it with format='(\w+)'", r"give --format \1"),
    (r"\bset remove_stopwords=False", "leave --remove-stopwords out"),
    (r"\bset stem=False", "give --no-stem"),
    (r"\bstem=False", "--no-stem"),
    (r"\blanguage='(\w+)'", r"--language \1"),
    (r"\blanguage= to\b", "--language to"),
    (r"\bset n to\b", "set --rouge to"),
    (r"\b(?:(?:pass|set) )?tokenizer=(?: \([^)]*\))?", "pass a tokenizer from Python"),
]


def name_options(message: str) -> str:
    """The message with each setting named as the option that sets it."""
    for setting, option in _WORDING:
        message = re.sub(setting, option, message)
    return message
