"""What is done to text before it is scored: markup left in data is removed, text is split."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..frozen import dataclass
from ..given import check_choice
from .detection import check_detection
from .sentences import Splitter, check_splitter, split_sentences, splitter_setting

__all__ = ["CLEANINGS", "Preparation", "clean_text", "find_markup"]

CLEANINGS = ("markup",)

_BRACKETS = {
    "-lrb-": "(",
    "-rrb-": ")",
    "-lsb-": "[",
    "-rsb-": "]",
    "-lcb-": "{",
    "-rcb-": "}",
}
_BRACKET = re.compile("-[lr][rsc]b-", re.IGNORECASE)
_TAG = re.compile(
    r"</?(?:t|s|q|p|br|b|i|u|em|strong|a|div|span|li|ul|ol|h[1-6]|pad|unk|sep|cls|n|s_sep|td|tr|"
    r"table|img)(?:\s[^<>]{0,300})?/?>|\[(?:SEP|CLS|PAD)\]",
    re.IGNORECASE,
)
_ENTITY = re.compile(r"&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z]{2,8});", re.IGNORECASE)
_SPACES = re.compile(r"[^\S\n]{2,}")


@dataclass(frozen=True, kw_only=True)
class Preparation:
    """How text is split into sentences (see `split_sentences`), and how it is cleaned before.

    With `detect`, a record without a `language` is in the one that `detect_language` finds.
    """

    split: str | Splitter | None = None
    clean: str | None = None
    detect: bool = False

    def __post_init__(self) -> None:
        check_splitter(self.split)
        if self.detect:
            check_detection()
        if self.clean is not None:
            check_choice("clean", self.clean, CLEANINGS)

    def split_text(self, text: str, language: str) -> list[str]:
        """The sentences of a text."""
        return split_sentences(text, language, split=self.split)

    def settings(
        self, language: str, *, was_split: bool, detection: str | None = None
    ) -> tuple[tuple[str, str], ...]:
        """What the signature says about it; `detection` is how the language was found."""
        pairs = [("detect", detection)] if detection else []
        if self.clean:
            pairs.append(("clean", f"{self.clean}-1"))
        return (*pairs, splitter_setting(language, self.split)) if was_split else tuple(pairs)


def clean_text(text: str, clean: str = "markup") -> str:
    """A text without what data sets leave in it.

    The rule "markup" removes tags such as `<t>`, `</s>`, `<br />` and `[SEP]`, writes `-lrb-` and
    its kind as brackets, and HTML entities as characters. Other text stays as it is.

    Examples
    --------
    >>> clean_text("<t> The club -lrb- AT&amp;T -rrb- won . </t>")
    'The club ( AT&T ) won .'
    """
    Preparation(clean=clean)
    changed = _BRACKET.sub(lambda match: _BRACKETS[match[0].lower()], _TAG.sub(" ", text))
    changed = _ENTITY.sub(lambda match: _unescape(match[0]), changed)
    return text if changed == text else _SPACES.sub(" ", changed).strip()


def find_markup(texts: Sequence[str]) -> str | None:
    """The first piece of markup in some texts, if there is any."""
    for text in texts:
        found = _TAG.search(text) if "<" in text or "[" in text else None
        if found is None:
            found = _BRACKET.search(text)
        if found is not None:
            return found[0]
        for entity in _ENTITY.finditer(text) if "&" in text else ():
            if _unescape(entity[0]) != entity[0]:
                return entity[0]
    return None


def _unescape(entity: str) -> str:
    from html import unescape  # few runs meet one

    return unescape(entity)
