"""A solved case as the page shows it: the oracles seen from the sentences, references, systems."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from ..evaluation.alignment import Alignment
from ..instances.limits import count_bytes, count_words
from ..oracles import OracleFamily
from ..oracles.greedy import find_greedy
from ..oracles.options import Options
from ..oracles.status import Status
from ..text import find_language
from .case import Case
from .commands import write_commands
from .desk import Stop
from .ngrams import mark_ngrams
from .record import sign
from .shelf import Shelf
from .solving import Solved, ask_family, check_wanted
from .system_view import view_system

__all__ = ["make_view"]

_Answer = TypeVar("_Answer")


def make_view(case: Case, solved: Solved, shelf: Shelf | None, stop: Stop) -> dict[str, Any]:
    """The whole view, as `FamilyView` describes it. Raises ClientGone once `stop` says true."""
    family, instance = solved.family, solved.instance

    def ask(question: Callable[[], _Answer]) -> _Answer | None:
        check_wanted(stop)
        return ask_family(family, question)

    def lay_over(name: str, alignment: Alignment) -> dict[str, Any]:
        check_wanted(stop)
        return view_system(case, solved, name, case.systems[name], alignment)

    lengths = [count_words(sentence) for sentence in case.sentences]
    status = Status.COMPLETE if family.status == Status.LIST_LIMIT else family.status
    return {
        "key": case.key,
        "id": case.id,
        "status": status.value,
        "proven": family.proven,
        "hits": family.hits,
        "total": family.total,
        "score": family.score,
        "upper_bound": family.upper_bound,
        "count": str(family.count),
        "checked": str(family.checked),
        "seconds": solved.seconds,
        "signature": sign(case, solved),
        "objective": describe_objective(case),
        "notes": list(solved.notes),
        "settings": case.settings.model_dump() | {"language": case.rouge.language},
        **_view_text(case, solved, lengths),
        "core": family.core if family.exact else (),
        "support": family.support,
        "sizes": {str(size): str(count) for size, count in family.sizes.items()},
        "lengths": ask(lambda: _view_lengths(family, lengths)),
        "smallest": ask(family.smallest),
        "earliest": ask(family.earliest),
        "greedy": _view_greedy(solved),
        "systems": [lay_over(name, alignment) for name, alignment in case.alignments.items()],
        "commands": write_commands(case, shelf, family.status),
    } | {"total": instance.total}


def _view_text(case: Case, solved: Solved, lengths: list[int]) -> dict[str, Any]:
    marks = mark_ngrams(case)
    family = solved.family
    candidates = set(solved.instance.candidates)
    core = set(family.core if family.exact else ())
    inclusion = family.inclusion
    sentences = [
        {
            "text": text,
            "words": lengths[i],
            "bytes": count_bytes(text),
            "candidate": i in candidates,
            "inclusion": inclusion[i],
            "core": i in core,
            "document": None if case.doc_ids is None else case.doc_ids[i],
            **marks.sentences[i],
        }
        for i, text in enumerate(case.sentences)
    ]
    return {"sentences": sentences, "references": marks.references, "ngrams": marks.ngrams}


def _view_lengths(family: OracleFamily, lengths: list[int]) -> Mapping[str, int]:
    return {
        "shortest": sum(lengths[i] for i in family.shortest(lengths)),
        "longest": sum(lengths[i] for i in family.longest(lengths)),
    }


def _view_greedy(solved: Solved) -> dict[str, Any]:
    if not solved.instance.candidates:
        return {"sentences": [], "hits": 0, "score": 0.0}
    found = find_greedy(solved.instance, Options())
    return {"sentences": sorted(found.sentences), "hits": found.hits, "score": found.score}


def describe_objective(case: Case) -> str:
    """What was maximised, in a sentence."""
    settings = case.settings
    limits = [
        f"{limit:,} {unit}"
        for unit in ("words", "sentences", "bytes")
        if (limit := getattr(settings, f"max_{unit}")) is not None
    ]
    references = len(case.references)
    if settings.reference is not None:
        against = f"reference {settings.reference} alone (of {references}, counted from 0)"
    elif references == 1:
        against = "the reference"
    else:
        number = "both" if references == 2 else f"all {references}"
        against = f"{number} references together"
    texts = "reference" if settings.reference is not None or references == 1 else "references"
    grams = {1: "words", 2: "pairs of words"}.get(settings.rouge, f"runs of {settings.rouge} words")
    words = []
    if settings.stem:
        words.append("stemmed")
    if settings.remove_stopwords:
        words.append("without stop words")
    known = find_language(case.rouge.language).name
    language = f"{known.title()} text" + (f", {' and '.join(words)}" if words else "")
    which = (
        "Every set of sentences" if settings.family == "all" else "Every minimal set of sentences"
    )
    hits = "hit" if settings.within_hits == 1 else "hits"
    slack = f" or up to {settings.within_hits} {hits} less" if settings.within_hits else ""
    return (
        f"{which} of at most {' and '.join(limits)} with the best ROUGE-{settings.rouge} recall"
        f"{slack} against {against}: the most {grams} of the {texts} found in it "
        f"({language})."
    )
