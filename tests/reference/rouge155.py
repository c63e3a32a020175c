"""ROUGE-1.5.5's analysis and counts again, slow and plain, to compare the kernel with."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

__all__ = ["EXCEPTIONS", "STOP_WORDS", "analyse", "count_ngrams", "fold", "porter", "score"]

_DATA = Path(__file__).resolve().parents[2] / "kernel" / "text" / "data"
EXCEPTIONS = dict(line.split() for line in (_DATA / "exceptions.txt").read_text().splitlines())
STOP_WORDS = set((_DATA / "stop_words.txt").read_text().split())

_STEP_2 = {
    "ational": "ate", "tional": "tion", "enci": "ence", "anci": "ance", "izer": "ize", "bli": "ble",
    "alli": "al", "entli": "ent", "eli": "e", "ousli": "ous", "ization": "ize", "ation": "ate",
    "ator": "ate", "alism": "al", "iveness": "ive", "fulness": "ful", "ousness": "ous",
    "aliti": "al", "iviti": "ive", "biliti": "ble", "logi": "log",
}  # fmt: skip
_STEP_3 = {
    "icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic", "ful": "", "ness": "",
}  # fmt: skip
_STEP_4 = (
    "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ou", "ism", "ate", "iti",
    "ous", "ive", "ize",
)  # fmt: skip


def _shape(word: str) -> str:
    """A c or a v for every letter."""
    shape = ""
    for i, letter in enumerate(word):
        vowel = letter in "aeiou" or (letter == "y" and i > 0 and shape[-1] == "c")
        shape += "v" if vowel else "c"
    return shape


def _measure(word: str) -> int:
    return len(re.findall("v+c+", _shape(word)))


def _short(word: str) -> bool:
    return re.fullmatch("c+vc", _shape(word)) is not None and word[-1] not in "wxy"


def _longest(word: str, suffixes: Sequence[str]) -> str | None:
    return max((s for s in suffixes if word.endswith(s)), key=len, default=None)


def _drop(word: str, suffix: str) -> str:
    stem = word.removesuffix(suffix)
    return stem if word.endswith(suffix) and _measure(stem) > 1 else word


def porter(word: str) -> str:
    """Porter's stem with Lin's sequential step 4."""
    if word.endswith(("sses", "ies")):
        word = word[:-2]
    elif re.search("[^s]s$", word):
        word = word[:-1]
    if word.endswith("eed"):
        if _measure(word[:-3]) > 0:
            word = word[:-1]
    elif (suffix := _longest(word, ["ed", "ing"])) and "v" in _shape(word.removesuffix(suffix)):
        word = word.removesuffix(suffix)
        if word.endswith(("at", "bl", "iz")):
            word += "e"
        elif re.search(r"([^aeiouylsz])\1$", word):
            word = word[:-1]
        elif _short(word):
            word += "e"
    if word.endswith("y") and "v" in _shape(word[:-1]):
        word = word[:-1] + "i"
    for table in (_STEP_2, _STEP_3):
        suffix = _longest(word, list(table))
        if suffix and _measure(word.removesuffix(suffix)) > 0:
            word = word.removesuffix(suffix) + table[suffix]
    if suffix := _longest(word, _STEP_4):
        word = _drop(word, suffix)
    word = _drop(word, "ment")
    if word.endswith("ent"):
        word = _drop(word, "ent")
    elif word.endswith(("sion", "tion")):
        word = _drop(word, "ion")
    if word.endswith("e"):
        measure = _measure(word[:-1])
        if measure > 1 or (measure == 1 and not _short(word[:-1])):
            word = word[:-1]
    if word.endswith("ll") and _measure(word) > 1:
        word = word[:-1]
    return word


def analyse(text: str, *, stem: bool, remove_stopwords: bool) -> list[str]:
    """Tokens of a text: stop words, then exceptions or stems for those of over three letters."""
    data = text.encode("utf-8", "surrogatepass")
    lower = bytes(byte + 32 if 65 <= byte <= 90 else byte for byte in data)
    tokens = [token.decode() for token in re.findall(rb"[a-z0-9]+", lower)]
    if remove_stopwords:
        tokens = [token for token in tokens if token not in STOP_WORDS]
    if not stem:
        return tokens
    return [
        token if len(token) <= 3 else EXCEPTIONS.get(token) or porter(token) for token in tokens
    ]


def count_ngrams(runs: Sequence[Sequence[str]], n: int) -> Counter[tuple[str, ...]]:
    """n-grams inside each run of tokens."""
    return Counter(tuple(run[i : i + n]) for run in runs for i in range(len(run) - n + 1))


def _runs(sentences: Sequence[str], across: bool, **rules: bool) -> list[list[str]]:
    runs = [analyse(sentence, **rules) for sentence in sentences]
    return [[token for run in runs for token in run]] if across else runs


def score(
    summary: Sequence[str],
    references: Sequence[Sequence[str]],
    n: int,
    *,
    best: bool = False,
    summary_across: bool = True,
    references_across: bool = True,
    **rules: bool,
) -> tuple[int, int, int]:
    """hits, reference total and summary total."""
    peer = count_ngrams(_runs(summary, summary_across, **rules), n)
    rows = []
    for reference in references:
        model = count_ngrams(_runs(reference, references_across, **rules), n)
        rows.append(((peer & model).total(), model.total(), peer.total()))
    if best:
        return max(rows, key=lambda row: round(row[0] / row[1], 5) if row[1] else 0.0)
    hits, reference_total, summary_total = (sum(column) for column in zip(*rows, strict=True))
    return hits, reference_total, summary_total


def fold(
    references: Sequence[Sequence[str]], n: int, **rules: bool
) -> dict[tuple[str, ...], list[int]]:
    """Gain k of an n-gram: the number of references that contain it at least k times."""
    models = [count_ngrams(_runs(reference, True, **rules), n) for reference in references]
    return {
        gram: [sum(model[gram] >= k for model in models) for k in range(1, most + 1)]
        for gram in set().union(*models)
        if (most := max(model[gram] for model in models))
    }
