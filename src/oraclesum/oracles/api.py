"""The public calls: all oracles or one, of a text or an instance; and methods side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ..errors import InputError
from ..instances.build import build_instance
from ..instances.instance import Instance
from ..instances.limits import Limits
from ..rouge import Rouge
from .compare import Row, compare_methods
from .family import OracleFamily
from .options import Options
from .oracle import Oracle
from .solve import solve_all, solve_one, warn_without_overlap

__all__ = [
    "compare",
    "enumerate_instance",
    "enumerate_oracles",
    "find_in_instance",
    "find_oracle",
]

Reference = str | Sequence[str]


def enumerate_oracles(
    sentences: Sequence[str],
    references: Sequence[Reference],
    *,
    rouge: Rouge | None = None,
    max_words: int | None = None,
    max_sentences: int | None = None,
    max_bytes: int | None = None,
    method: str = "search",
    time_limit: float | None = None,
    max_list: int = 1_000_000,
    family: str = "all",
    within_hits: int = 0,
    threads: int = 1,
    seed: int = 0,
    stop: Callable[[], object] | None = None,
) -> OracleFamily:
    """All extractive oracle summaries of a document under ROUGE-n recall and length limits (Eq. 2).

    `sentences` keep their order: indices in the answer mean the caller's list. A reference is a str
    or a list of sentences. At least one limit must be set. `family="minimal"` leaves out sets with
    a sentence that adds nothing; `within_hits=k` also keeps sets up to k hits below the best. A
    summary holds at least one sentence. `stop` is a callable that is asked now and then, on
    whatever thread is at work: once it says true, the run ends as "interrupted" with what it has.
    """
    options = Options(
        time_limit=time_limit,
        max_list=max_list,
        family=family,
        within_hits=within_hits,
        threads=threads,
        seed=seed,
        stop=stop,
    )
    limits = Limits(max_words=max_words, max_sentences=max_sentences, max_bytes=max_bytes)
    instance = _build(sentences, references, rouge, limits)
    warn_without_overlap(instance, stacklevel=2)
    return solve_all(instance, method, options)


def find_oracle(
    sentences: Sequence[str],
    references: Sequence[Reference],
    *,
    rouge: Rouge | None = None,
    max_words: int | None = None,
    max_sentences: int | None = None,
    max_bytes: int | None = None,
    method: str = "search",
    time_limit: float | None = None,
    max_list: int = 1_000_000,
    family: str = "all",
    within_hits: int = 0,
    threads: int = 1,
    seed: int = 0,
) -> Oracle:
    """One extractive oracle summary; `proven` says whether none can score more."""
    options = Options(
        time_limit=time_limit,
        max_list=max_list,
        family=family,
        within_hits=within_hits,
        threads=threads,
        seed=seed,
    )
    limits = Limits(max_words=max_words, max_sentences=max_sentences, max_bytes=max_bytes)
    instance = _build(sentences, references, rouge, limits)
    warn_without_overlap(instance, stacklevel=2)
    return solve_one(instance, method, options)


def enumerate_instance(
    instance: Instance,
    *,
    method: str = "search",
    time_limit: float | None = None,
    max_list: int = 1_000_000,
    family: str = "all",
    within_hits: int = 0,
    threads: int = 1,
    seed: int = 0,
    stop: Callable[[], object] | None = None,
) -> OracleFamily:
    """All oracles of an instance; as `enumerate_oracles`, without the text."""
    options = Options(
        time_limit=time_limit,
        max_list=max_list,
        family=family,
        within_hits=within_hits,
        threads=threads,
        seed=seed,
        stop=stop,
    )
    _require_instance(instance)
    warn_without_overlap(instance, stacklevel=2)
    return solve_all(instance, method, options)


def find_in_instance(
    instance: Instance,
    *,
    method: str = "search",
    time_limit: float | None = None,
    max_list: int = 1_000_000,
    family: str = "all",
    within_hits: int = 0,
    threads: int = 1,
    seed: int = 0,
) -> Oracle:
    """One oracle of an instance; as `find_oracle`, without the text."""
    options = Options(
        time_limit=time_limit,
        max_list=max_list,
        family=family,
        within_hits=within_hits,
        threads=threads,
        seed=seed,
    )
    _require_instance(instance)
    warn_without_overlap(instance, stacklevel=2)
    return solve_one(instance, method, options)


def compare(
    sentences: Sequence[str] | Instance,
    references: Sequence[Reference] | None = None,
    *,
    rouge: Rouge | None = None,
    max_words: int | None = None,
    max_sentences: int | None = None,
    max_bytes: int | None = None,
    methods: Iterable[str] | None = None,
    time_limit: float | None = 10.0,
    max_list: int = 1_000_000,
    threads: int = 1,
    seed: int = 0,
) -> list[Row]:
    """Methods side by side, on a text with references or on an instance.

    An instance brings its references and limits with it. `methods=None` runs all of them, each for
    at most `time_limit` seconds: some would not end in a lifetime.
    """
    options = Options(time_limit=time_limit, max_list=max_list, threads=threads, seed=seed)
    if isinstance(sentences, Instance):
        given = (references, rouge, max_words, max_sentences, max_bytes)
        if any(value is not None for value in given):
            raise InputError("an instance brings its own references, rouge settings and limits")
        instance = sentences
    else:
        if references is None:
            raise InputError("references are missing")
        limits = Limits(max_words=max_words, max_sentences=max_sentences, max_bytes=max_bytes)
        instance = _build(sentences, references, rouge, limits)
    warn_without_overlap(instance, stacklevel=2)
    return compare_methods(instance, methods, options)


def _build(
    sentences: Sequence[str], references: Sequence[Reference], rouge: Rouge | None, limits: Limits
) -> Instance:
    if isinstance(sentences, Sequence) and not sentences:
        raise InputError("the document is empty: sentences must hold at least one str")
    if rouge is not None and not isinstance(rouge, Rouge):
        raise InputError(f"rouge must be a Rouge, not {type(rouge).__name__}: e.g. Rouge(n=2)")
    return build_instance(sentences, references, Rouge() if rouge is None else rouge, limits)


def _require_instance(instance: Instance) -> None:
    if not isinstance(instance, Instance):
        raise InputError(
            f"expected an Instance, not {type(instance).__name__}: "
            "use Instance.read, or enumerate_oracles for text"
        )
