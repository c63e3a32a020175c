"""What cannot be right about a text under given rules, and which setting would mend it."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import islice

from ..message import Message
from .analyser import Analyser
from .languages import Writing, find_language
from .preparation import find_markup

__all__ = ["explain_no_tokens", "notice_references", "notice_text"]

_LOOKED_AT = 3_000  # characters of a record
_MOST_LOST = 0.01  # of all letters; English has a caf\u00e9 in 10,000, German an umlaut in 60
_LEAST_LOST = 5  # letters: one name in a short text proves nothing
_LONGEST = 150  # words of a sentence that was split here
_WHOLE = 60  # words of a text that is surely more than one sentence

# Letters that are lost under English rules, by the language that is likely.
_LATIN = {
    "de": "\u00e4\u00f6\u00fc\u00df",
    "fr": "\u00e9\u00e8\u00ea\u00e0\u00e7\u00f9\u0153\u00ee\u00f4\u00fb",
    "es": "\u00f1\u00e1\u00e9\u00ed\u00f3\u00fa",
    "pt": "\u00e3\u00f5\u00e7\u00e1\u00e9\u00ed\u00f3\u00ea",
    "tr": "\u0131\u015f\u011f\u00e7\u00f6\u00fc",
    "sv": "\u00e5\u00e4\u00f6",
    "da": "\u00e5\u00e6\u00f8",
    "it": "\u00e0\u00e8\u00ec\u00f2\u00f9",
    "ro": "\u0103\u00e2\u00ee\u0219\u021b",
    "hu": "\u00e1\u00e9\u0151\u0171\u00f6\u00fc\u00f3",
}

# First word of a letter's Unicode name, and what to set for a text of such letters.
_ADVICE = {
    "ARABIC": "{language='ar'} (or 'fa')",
    "ARMENIAN": "{language='hy'}",
    "CJK": "{language='zh'} (or 'ja') with {stem=False}",
    "CYRILLIC": "{language='ru'} (or 'sr', …)",
    "DEVANAGARI": "{language='hi'} (or 'ne')",
    "GREEK": "{language='el'}",
    "HANGUL": "{language='ko'} with {stem=False}",
    "HEBREW": "{language='he'} with {stem=False} (or 'yi')",
    "HIRAGANA": "{language='ja'} with {stem=False}",
    "KATAKANA": "{language='ja'} with {stem=False}",
    "TAMIL": "{language='ta'}",
    "KHMER": "{language='km'} with {stem=False}, or {tokenizer=…}",
    "LAO": "{language='lo'} with {stem=False}, or {tokenizer=…}",
    "MYANMAR": "{language='my'} with {stem=False}, or {tokenizer=…}",
    "THAI": "{language='th'} with {stem=False}, or {tokenizer=…}",
}
_FALLBACK = "{language} for the language of the text, or {tokenizer=…}"

# A tokenised text has a comma or full stop between spaces every ten words.
_LEAST_MARKS = 3
_WORDS_PER_MARK = 30
# A text with one end of a sentence, at its end. (Before 3.11.5, Python gets `(?:…|…)*+` wrong.)
_REST = r"[^.!?\u3002\uff01\uff1f\n]*"
_ONE_SENTENCE = re.compile(rf"{_REST}(?:\.(?=\w){_REST})*[.!?\u3002\uff01\uff1f]\W*").fullmatch

_ASCII = bytes(range(128))
_ASCII_LETTERS = re.compile("[a-zA-Z]+")


def explain_no_tokens(text: str, analyser: Analyser) -> Message:
    """The end of a sentence that begins with the text's name: "has no token because …: use …"."""
    if not text.strip():
        return Message("is empty")
    if analyser.tokenizer is not None:
        return Message("gives no token with the tokenizer: check what it returns for this text")
    if analyser.remove_stopwords and any(
        Analyser(language=analyser.language, stem=False).count_tokens([text])
    ):
        return Message("holds stop words only: use {remove_stopwords=False}")
    letters = Counter(
        unicodedata.name(character, "UNKNOWN").split()[0]
        for character in text[:10_000]
        if unicodedata.category(character)[0] in "LMN"
    )
    if not letters:
        return Message("holds no letter and no digit")
    script = letters.most_common(1)[0][0]
    return Message(
        "loses every token under {language} {code}, whose words are runs of a-z and 0-9 (most "
        "letters here are {script}): use {advice}",
        code=repr(analyser.language),
        script=script.title(),
        advice=Message(_ADVICE.get(script, _FALLBACK)),
    )


def notice_text(
    sentences: Sequence[str],
    references: Sequence[str],
    analyser: Analyser,
    *,
    was_split: bool,
    was_cleaned: bool,
    counts_words: bool = False,
    said: Collection[str] = (),
) -> Iterator[tuple[str, Message]]:
    """What looks wrong about a record: a word for the kind of trouble, and what to do about it.

    Kinds that were `said` before are not looked for.
    """
    texts = [*references, *islice(sentences, 40)]
    sample = "\n".join(texts)[:_LOOKED_AT]
    if "language" not in said and not sample.isascii() and analyser.native:
        yield from _notice_language(sample)
    if "markup" not in said and not was_cleaned and (found := find_markup([sample])):
        yield (
            "markup",
            Message(
                "the text contains {found}, which counts as words: use {clean='markup'}",
                found=repr(found),
            ),
        )
    if was_split and "sentences" not in said:
        yield from _notice_sentences(sentences)
    if counts_words and "spaces" not in said and "tokens" not in said:
        yield from _notice_words(sample, analyser)


def _notice_words(sample: str, analyser: Analyser) -> Iterator[tuple[str, Message]]:
    """Text whose words between spaces, which limits count, are not what people call words."""
    if not analyser.native and find_language(analyser.language).writing is Writing.CHARACTERS:
        yield (
            "spaces",
            Message(
                "{max_words} counts words between spaces, which {name} does not have: use "
                "{max_sentences} or {max_bytes}",
                name=find_language(analyser.language).name.title(),
            ),
        )
        return
    if " ," not in sample and " ." not in sample:
        return
    marks = sample.count(" , ") + sample.count(" . ") + sample.count(" .\n")
    if marks < _LEAST_MARKS or marks * _WORDS_PER_MARK < sample.count(" "):
        return
    words = sample.split()
    marks = sum(not (word.isalnum() or any(map(str.isalnum, word))) for word in words)
    yield (
        "tokens",
        Message(
            "the text is tokenised: {share}% of its words are punctuation marks, and {max_words} "
            "counts them, as ROUGE does; join the tokens, or set it higher",
            share=round(100 * marks / len(words)),
        ),
    )


def notice_references(references: Sequence[str]) -> Iterator[tuple[str, Message]]:
    """Texts that are read as so many references, and could be the sentences of one."""
    if len(references) > 1 and all(map(_ONE_SENTENCE, references)):
        yield (
            "references",
            Message(
                "`references` has {count} texts of one sentence each, which are read as {count} "
                "references; if they are the sentences of one, put them into a list of their own: "
                '[["…", "…"]]',
                count=len(references),
            ),
        )


def _notice_language(sample: str) -> Iterator[tuple[str, Message]]:
    """Letters that English rules drop, which cuts words into pieces that match by chance."""
    # As bytes, since every record is looked at: a regular expression takes ten times as long.
    others = sample.encode(errors="surrogatepass").translate(None, _ASCII)
    if len(others) < _LEAST_LOST:
        return
    found = [one.lower()[0] for one in others.decode(errors="surrogatepass") if one.isalpha()]
    count = len(found)
    if count < _LEAST_LOST:
        return
    letters = count + sum(map(len, _ASCII_LETTERS.findall(sample)))
    if count < _MOST_LOST * letters:
        return
    lost = Counter(found)
    script = Counter(unicodedata.name(one, "UNKNOWN").split()[0] for one in lost.elements())
    name = script.most_common(1)[0][0]
    if name == "LATIN":
        code = max(_LATIN, key=lambda code: sum(lost[one] for one in _LATIN[code]))
        advice = Message(
            "{language} for the language of the text, perhaps {code}, or {language='auto'}",
            code=repr(code),
        )
    else:
        advice = Message(_ADVICE.get(name, _FALLBACK))
    yield (
        "language",
        Message(
            "English rules drop {share}% of the letters ({shown}) and cut words at them: "
            "use {advice}",
            share=round(100 * count / letters),
            shown=", ".join(one for one, _ in lost.most_common(3)),
            advice=advice,
        ),
    )


def _notice_sentences(sentences: Sequence[str]) -> Iterator[tuple[str, Message]]:
    """Sentences that are too long to be any."""
    lengths = [len(sentence.split()) for sentence in sentences]
    if len(lengths) == 1 and lengths[0] > _WHOLE:
        problem = f"the whole text, {lengths[0]} words, was taken for one sentence"
    elif lengths and max(lengths) > _LONGEST:
        at = lengths.index(max(lengths))
        problem = f"sentence {at} has {lengths[at]} words"
    else:
        return
    yield (
        "sentences",
        Message(
            "{problem}: no end of a sentence was found in it (no full stop before a capital "
            "letter, or another language); give `sentences`, or use {split='newline'} if "
            "lines are sentences, or {language}",
            problem=problem,
        ),
    )
