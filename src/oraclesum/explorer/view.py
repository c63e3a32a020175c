"""A solved case as the page shows it: sentences, references, systems and their n-grams."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeVar

from ..corpora.topic import Reference, System
from ..errors import LimitError
from ..evaluation import evaluate
from ..evaluation.alignment import Alignment
from ..evaluation.share import measure_share
from ..evaluation.summary import count_summary_words, summary_texts
from ..frozen import dataclass
from ..instances import Instance
from ..instances.limits import count_bytes, count_words
from ..notices import collect_warnings
from ..oracles import OracleFamily
from ..oracles.bounds import TEXT_SECONDS, answer_sooner, answer_within, check_bounds
from ..oracles.greedy import find_greedy
from ..oracles.objective import ObjectiveProblem, score_text
from ..oracles.options import Options
from ..oracles.status import Status
from ..rouge import score
from ..text import find_language, find_spans, to_utf16
from .cases import ServedCase, Solved, ask_family, check_wanted
from .corpus import ServedCorpus
from .jobs import Stop
from .replies import ApiError
from .reproducing import sign, write_commands
from .schema import Settings

__all__ = ["Marks", "make_view", "mark_ngrams", "view_system"]

Gram = tuple[Hashable, ...]

_WHAT = "marking n-grams"


@dataclass(frozen=True, kw_only=True)
class Marks:
    """Tokens and n-grams as the page draws them; spans count UTF-16 code units."""

    sentences: list[dict[str, Any]]  # of each: tokens, ngrams
    references: list[dict[str, Any]]  # of each: text, tokens, ngrams, used
    ngrams: list[dict[str, Any]]  # id, words, counts per used reference


_MAX_COUNTS = 10_000_000  # of n-grams in references; two bytes of the answer, and more, each
_PIECE = 1000  # n-grams or sentences between two looks at the clock


def mark_ngrams(case: ServedCase, stop: Stop) -> Marks:
    """Find the n-grams of all references; one that no used reference has counts nowhere.

    ApiError if there are too many to be shown, or if it takes much longer than a search may;
    ClientGone once `stop` says true.
    """
    try:
        with answer_within(seconds=case.seconds + TEXT_SECONDS, stop=stop):
            return _mark(case)
    except LimitError:
        check_wanted(stop)
        raise ApiError(
            422,
            f"there was no time to mark the n-grams of the references in {case.seconds:g} s: "
            "give fewer references, or a shorter document",
            field="document",
        ) from None


def _mark(case: ServedCase) -> Marks:
    n = case.marked
    ids: dict[Gram, int] = {}
    references: list[dict[str, Any]] = []
    for k, reference in enumerate(case.references):
        check_bounds(what=_WHAT)
        text, tokens, spans = _read_reference(reference, case)
        found = [
            (ids.setdefault(gram, len(ids)), first) for first, gram in enumerate(_cut(tokens, n))
        ]
        used = k in case.used
        references.append({"text": text, "tokens": spans, "ngrams": found, "used": used})
    counts = [
        Counter(id for id, _ in reference["ngrams"])
        for reference in references
        if reference["used"]
    ]
    if len(ids) * len(counts) > _MAX_COUNTS:
        raise ApiError(
            422,
            f"the {len(counts):,} references have {len(ids):,} different n-grams of {n} together, "
            "more than can be shown with their count in each: give fewer references, choose one, "
            "or use `oraclesum enumerate`",
            field="document.references",
        )
    return Marks(
        sentences=_mark_sentences(case, ids),
        references=references,
        ngrams=_list_ngrams(ids, counts),
    )


def _list_ngrams(ids: dict[Gram, int], counts: list[Counter[int]]) -> list[dict[str, Any]]:
    ngrams = []
    for gram, id in ids.items():
        if id % _PIECE == 0:
            check_bounds(what=_WHAT)
        each = [one.get(id, 0) for one in counts]
        ngrams.append({"id": id, "words": " ".join(map(str, gram)), "counts": each})
    return ngrams


def _mark_sentences(case: ServedCase, ids: dict[Gram, int]) -> list[dict[str, Any]]:
    n = case.marked
    analyser = case.rouge.analyser
    find = ids.get
    marked = []
    for start in range(0, len(case.sentences), _PIECE):
        check_bounds(what=_WHAT)
        piece = case.sentences[start : start + _PIECE]
        all_spans = find_spans(piece, analyser)
        for text, tokens, spans in zip(piece, analyser.tokens_of(piece), all_spans, strict=True):
            found = [
                (id, first)
                for first, gram in enumerate(_cut(tokens, n))
                if (id := find(gram)) is not None
            ]
            marked.append({"tokens": to_utf16(text, spans), "ngrams": found})
    return marked


def _read_reference(
    reference: Reference, case: ServedCase
) -> tuple[str, list[Hashable], list[tuple[int, int]]]:
    """A reference as one text, its sentences joined by a space; n-grams run across them."""
    sentences = [reference] if isinstance(reference, str) else list(reference)
    analyser = case.rouge.analyser
    tokens = [token for one in analyser.tokens_of(sentences) for token in one]
    spans: list[tuple[int, int]] = []
    start = 0
    for sentence, found in zip(sentences, find_spans(sentences, analyser), strict=True):
        spans += [(start + first, start + last) for first, last in found]
        start += len(sentence) + 1
    text = " ".join(sentences)
    return text, tokens, to_utf16(text, spans)


def _cut(tokens: Sequence[Hashable], n: int) -> Iterator[Gram]:
    return zip(*(tokens[k:] for k in range(n)), strict=False)


def view_system(
    case: ServedCase,
    solved: Solved,
    name: str,
    system: System,
    alignment: Alignment,
    stop: Stop,
    *,
    field: str,
) -> dict[str, Any]:
    """What `oraclesum evaluate` says of it, as `SystemView` describes it.

    The score is that of the whole text; an ApiError about `field` if it takes longer than a search
    may. Precision, recall and the nearest oracle are about the sentences that were found in the
    document, and not known unless all oracles are.
    """
    family = solved.family
    chosen = alignment.indices
    texts = summary_texts(system, case.sentences)
    overlap = evaluate(chosen, family) if family.exact else None
    pieces = len(chosen) + len(alignment.unaligned) if isinstance(system, str) else len(texts)
    try:
        with answer_within(seconds=case.seconds, stop=stop):
            scores = _score_text(case, texts)
    except LimitError:
        check_wanted(stop)
        raise ApiError(
            422,
            f"system {name!r} is too long to be scored in {case.seconds:g} s: shorten it",
            field=field,
        ) from None
    return {
        "name": name,
        **scores,
        "words": count_summary_words(texts),
        "feasible": _fits(case, texts, pieces),
        "sentences": chosen,
        "unmatched": alignment.unaligned,
        "aligned_words": sum(count_words(case.sentences[i]) for i in chosen),
        "aligned_hits": solved.hits(chosen),
        "precision": None if overlap is None else overlap.precision,
        "recall": None if overlap is None else overlap.recall,
        "f_measure": None if overlap is None else overlap.f_measure,
        "nearest": ask_family(family, lambda: family.nearest(chosen)),
    }


def _score_text(case: ServedCase, texts: list[str]) -> dict[str, Any]:
    with collect_warnings():  # a system without a token scores 0, which its words show
        if case.rouge.plain:
            whole = score(texts, case.used_references, case.rouge)
            inside = score(texts, case.used_references, case.rouge, across_sentences=False)
            return {
                "hits": whole.hits,
                "total": whole.reference_total,
                "score": whole.recall,
                "objective_hits": inside.hits,
                "objective_score": inside.recall,
            }
        value = float(score_text(texts, case.used_references, case.rouge))
    return {
        "hits": None,
        "total": None,
        "score": value,
        "objective_hits": None,
        "objective_score": value,
    }


def _fits(case: ServedCase, texts: list[str], pieces: int) -> bool:
    """Whether the whole text keeps the limits, found in the document or not."""
    limits = case.limits
    lengths = (
        (limits.max_words, count_summary_words(texts)),
        (limits.max_bytes, sum(map(count_bytes, texts))),
        (limits.max_sentences, pieces),
    )
    return all(limit is None or length <= limit for limit, length in lengths)


_Answer = TypeVar("_Answer")
_MAX_GREEDY = 2_000  # candidates: of an objective, more of them would take all the time there is
_GREEDY_SECONDS = 1.0  # at least, also after a search that took all its time


def make_view(
    case: ServedCase, solved: Solved, corpus: ServedCorpus | None, stop: Stop
) -> dict[str, Any]:
    """The whole view, as `FamilyView` describes it. Raises ClientGone once `stop` says true."""
    family = solved.family

    def ask(question: Callable[[], _Answer]) -> _Answer | None:
        check_wanted(stop)
        return ask_family(family, question)

    def lay_over(name: str, alignment: Alignment) -> dict[str, Any]:
        check_wanted(stop)
        return view_system(
            case, solved, name, case.systems[name], alignment, stop, field="document.systems"
        )

    lengths = [count_words(sentence) for sentence in case.sentences]
    with answer_sooner(case.seconds + TEXT_SECONDS):
        asked = {
            "core": family.core if family.exact else (),
            "support": family.support,
            "sizes": {str(size): str(count) for size, count in family.sizes.items()},
            "lengths": ask(lambda: _view_lengths(family, lengths)),
            "smallest": ask(family.smallest),
            "earliest": ask(family.earliest),
        }
    status = Status.COMPLETE if family.status == Status.LIST_LIMIT else family.status
    return {
        "key": case.key,
        "id": case.id,
        "status": status.value,
        "proven": family.proven,
        "hits": family.hits,
        "total": solved.problem.total if isinstance(solved.problem, Instance) else family.total,
        "score": family.score,
        "value": f"{family.value.numerator}/{family.value.denominator}",
        "upper_bound": family.upper_bound,
        "upper_score": float(family.upper_value),
        "count": str(family.count),
        "checked": str(family.checked),
        "seconds": solved.seconds,
        "signature": sign(case, solved),
        "measure": name_measure(case),
        "marked": case.marked,
        "objective": describe_objective(case),
        "notes": list(solved.notes),
        "settings": case.settings.model_dump() | {"language": case.rouge.language},
        **_view_text(case, solved, lengths, stop),
        **asked,
        "greedy": _view_greedy(case, solved, stop),
        "systems": [lay_over(name, alignment) for name, alignment in case.alignments.items()],
        "commands": write_commands(case, corpus, family.status),
    }


def _view_text(case: ServedCase, solved: Solved, lengths: list[int], stop: Stop) -> dict[str, Any]:
    marks = mark_ngrams(case, stop)
    family = solved.family
    candidates = set(solved.find_candidates())
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


def _view_greedy(case: ServedCase, solved: Solved, stop: Stop) -> dict[str, Any] | None:
    """The greedy summary; None if it is not ready in the time that the search left."""
    left = max(_GREEDY_SECONDS, case.seconds - solved.seconds)
    options = Options(time_limit=left, stop=stop)
    problem = solved.problem
    if isinstance(problem, ObjectiveProblem):
        if len(problem.candidates) > _MAX_GREEDY:
            return None
        found = problem.solve_one("greedy", options)
    elif problem.candidates:
        found = find_greedy(problem, options)
    else:
        return {"sentences": [], "hits": 0, "score": 0.0, "share": None}
    if found.status in (Status.TIME_LIMIT, Status.INTERRUPTED):
        return None
    return {
        "sentences": sorted(found.indices),
        "hits": found.hits,
        "score": found.score,
        "share": measure_share(found.value, solved.family.value),
    }


def name_measure(case: ServedCase) -> str:
    """What is maximised, by its name."""
    # What needs a limit is recall; one term of it has a name that people know.
    known = case.rouge.needs_limit and len(case.rouge.terms) == 1
    return case.rouge.name if known else str(case.rouge.objective)


def describe_objective(case: ServedCase) -> str:
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
    n = case.marked
    grams = {1: "words", 2: "pairs of words"}.get(n, f"runs of {n} words")
    words = []
    if settings.stem:
        words.append("stemmed")
    if settings.remove_stopwords:
        words.append("without stop words")
    known = find_language(case.rouge.language).name
    language = f"{known.title()} text" + (f", {' and '.join(words)}" if words else "")
    if settings.boundaries == "across":
        language += ", n-grams across sentences"
    minimal = "" if settings.family == "all" else "minimal "
    which = f"Every {minimal}set of sentences"
    if settings.top:
        which = f"The {settings.top:,} best {minimal}sets of sentences, with ties,"
    which += _describe_conditions(settings)
    slack = ""
    if settings.within_hits:
        hits = "hit" if settings.within_hits == 1 else "hits"
        slack = f" or up to {settings.within_hits} {hits} less"
    elif points := 100 * Fraction(settings.within):
        slack = f" or up to {float(points):g} {'point' if points == 1 else 'points'} less"
    size = f" of at most {' and '.join(limits)}" if limits else ""
    best = "by" if settings.top else "with the best"
    most = f": the most {grams} of the {texts} found in it" if case.rouge.plain else ""
    return f"{which}{size} {best} {name_measure(case)}{slack} against {against}{most} ({language})."


def _describe_conditions(settings: Settings) -> str:
    """Required and forbidden sentences, by number if they are few."""
    told = []
    for word, chosen in (("with", settings.required), ("without", settings.forbidden)):
        if len(chosen) > 5:
            told.append(f"{word} {len(chosen):,} chosen sentences")
        elif chosen:
            *others, last = map(str, sorted(set(chosen)))
            numbers = f"{', '.join(others)} and {last}" if others else last
            told.append(f"{word} sentence{'s' if others else ''} {numbers}")
    return f" {' and '.join(told)}" if told else ""
