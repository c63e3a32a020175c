"""Sentence splitters side by side: boundaries found and right, on news and on hard passages.

    pip install blingfire pysbd segtok sentence-splitter syntok
    python benchmarks/splitting.py SHARED_DATA > benchmarks/results/splitting.md

SHARED_DATA is a folder with JSON lines of articles whose sentences are given: `summeval.jsonl`,
`cnndm_news_3000.jsonl.gz`, `multiling2011_english.jsonl`, `multiling2011_french.jsonl`. A boundary
is a place inside a text, counted in characters that are no white space: spaces do not matter.
"""

from __future__ import annotations

import gzip
import json
import platform
import re
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from importlib import metadata
from pathlib import Path

from oraclesum import split_sentences
from splitting_cases import PASSAGES

Split = Callable[[str], list[str]]
_BLANK = re.compile(r"\n\s*\n")
_HEAD = """# Sentence splitters compared

Made by `benchmarks/splitting.py`. Each cell: boundaries recalled / boundaries that are right. A
library that raised an error, or does not know the language, has a dash. "auto" is what
`split_sentences` does: nupunkt for English, sentencex for other languages, both behind our rules
(`text/sentences.py`). The libraries are given one paragraph (text between empty lines) at a time.

- *news*: the 100 articles of SummEval, sentences joined by spaces after tokens were joined back: no
  space before `. , ; : ! ? % ) ]`, `n't` and `'s`, none after `( [ $ # @`; `` and '' become
  quotation marks that open and close by turns; a single quotation mark joins the stop before it.
- *news, tokens*: the same articles joined by spaces as they are.
- *news, small letters*: the first 300 articles of the CNN/Daily Mail file, tokenised, lower case.
- *MultiLing*: ten news topics of MultiLing 2011 in each language, joined by spaces.
- *hard*: passages in `benchmarks/splitting_cases.py`, written for this benchmark.

"auto" has an advantage over the others: its rules were chosen while looking at these figures
(which marks are hidden from sentencex: news and MultiLing French; ends before small letters and
after initials: the hard passages; ends after ordinary words in English: news, MultiLing and two
more sets). No text was set aside, so expect a little less on text of your own. The columns of the
bare libraries have nothing fitted; nupunkt alone is already above .97 / .97 on the three kinds of
news.
"""


def join_tokens(sentence: str) -> str:
    """Tokens as running text, as far as a splitter looks at it."""
    text = re.sub(r"``|''", '"', sentence)
    text = re.sub(r" ('(?:s|re|ve|ll|d|m|S)\b|n't\b)", r"\1", text)
    text = re.sub(r" ([.,;:!?%)\]])", r"\1", text)
    text = re.sub(r"([(\[$#@]) ", r"\1", text)
    first, *rest = text.split('"')
    for i, part in enumerate(rest):
        first = f'{first}"{part.lstrip()}' if i % 2 == 0 else f'{first.rstrip()}"{part}'
    return re.sub(r"([.,!?]) '( |$)", r"\1'\2", first)


def find_ends(sentences: list[str]) -> set[int]:
    """Where sentences end inside a text, in characters that are no white space."""
    ends, at = [], 0
    for sentence in sentences:
        at += len("".join(sentence.split()))
        ends.append(at)
    return set(ends) - {at}


def measure(split: Split, documents: list[list[str]]) -> tuple[str, float]:
    """Recall and precision as text, and the seconds."""
    right = given = found = 0
    started = time.perf_counter()
    for document in documents:
        try:
            pieces = split("".join(document))
        except Exception as error:
            return f"— ({type(error).__name__})", 0.0
        wanted, got = find_ends(document), find_ends(pieces)
        right, given, found = right + len(wanted & got), given + len(wanted), found + len(got)
    seconds = time.perf_counter() - started
    return f"{right / given:.3f} / {right / max(found, 1):.3f}", seconds


def make_splitters(language: str) -> dict[str, Split | None]:
    """The contenders; None: not for this language."""
    import blingfire
    import nupunkt
    import pysbd
    import sentencex
    import syntok.segmenter
    from segtok.segmenter import split_multi
    from sentence_splitter import SentenceSplitter

    def by_paragraph(split: Callable[[str], list[str]]) -> Split:
        return lambda text: [piece for part in _BLANK.split(text) for piece in split(part)]

    def use_syntok(text: str) -> list[str]:
        return [
            "".join(token.spacing + token.value for token in sentence)
            for paragraph in syntok.segmenter.analyze(text)
            for sentence in paragraph
        ]

    splitters: dict[str, Split | None] = {
        "auto": lambda text: split_sentences(text, language),
        "nupunkt": by_paragraph(nupunkt.sentences),
        "sentencex": by_paragraph(lambda text: list(sentencex.segment(language, text))),
        "blingfire": by_paragraph(lambda text: blingfire.text_to_sentences(text).split("\n")),
        "segtok": by_paragraph(lambda text: list(split_multi(text))),
        "syntok": by_paragraph(use_syntok),
        "pysbd": None,
        "sentence-splitter": None,
    }
    if language in pysbd.languages.LANGUAGE_CODES:
        splitters["pysbd"] = by_paragraph(pysbd.Segmenter(language=language, clean=False).segment)
    try:
        splitters["sentence-splitter"] = by_paragraph(SentenceSplitter(language).split)
    except Exception as error:  # its own kind
        print(f"sentence-splitter: {error}", file=sys.stderr)
    return splitters


def read(path: Path) -> Iterator[list[str]]:
    """The given sentences of each record."""
    with gzip.open(path, "rt") if path.suffix == ".gz" else path.open() as file:
        for line in file:
            yield json.loads(line)["sentences"]


def gather(folder: Path) -> Iterator[tuple[str, str, list[list[str]]]]:
    """Name, language and documents of every test."""

    def space(documents: list[list[str]]) -> list[list[str]]:
        return [[f"{sentence} " for sentence in document] for document in documents]

    news = list(read(folder / "summeval.jsonl"))
    yield "news (en)", "en", space([list(map(join_tokens, document)) for document in news])
    yield "news, tokens (en)", "en", space(news)
    small = list(read(folder / "cnndm_news_3000.jsonl.gz"))[:300]
    yield "news, small letters (en)", "en", space(small)
    for name in ("english", "french"):
        documents = list(read(folder / f"multiling2011_{name}.jsonl"))
        yield f"MultiLing ({name[:2]})", name[:2], space(documents)
    for language, kinds in PASSAGES.items():
        for kind, passages in kinds.items():
            yield f"hard: {kind} ({language})", language, [one.split("|") for one in passages]


def main() -> None:
    """Print the report."""
    warnings.simplefilter("ignore")  # of other libraries
    print(_HEAD)
    names = list(make_splitters("en"))
    print("| text |", " | ".join(names), "|")
    print("|---|" + "---|" * len(names))
    seconds: dict[str, float] = {}
    for name, language, documents in gather(Path(sys.argv[1])):
        cells = []
        for key, split in make_splitters(language).items():
            cell, took = measure(split, documents) if split else ("—", 0.0)
            cells.append(cell)
            if name == "news (en)":
                seconds[key] = took
        print(f"| {name} |", " | ".join(cells), "|", flush=True)
    print("| seconds for news (en) |", " | ".join(f"{s:.2f}" for s in seconds.values()), "|")
    versions = [f"{name} {metadata.version(name)}" for name in names if name != "auto"]
    print(f"\n{', '.join(versions)}; Python {platform.python_version()}, {platform.machine()}.\n")
    print("A megabyte of one thing, seconds of `split_sentences` (English / German):\n")
    print("| text | en | de |\n|---|---|---|")
    for unit in ('"', "a", ".", ". ", '." ', "!?", ".)", "\n", "\u201c'", "word "):
        text = unit * (1_000_000 // len(unit))
        cells = []
        for language in ("en", "de"):
            started = time.perf_counter()
            split_sentences(text, language)
            cells.append(f"{time.perf_counter() - started:.2f}")
        print(f"| `{unit!r}` |", " | ".join(cells), "|", flush=True)


if __name__ == "__main__":
    main()
