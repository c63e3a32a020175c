"""The public calls: all oracles or one, of a text or an instance; and methods side by side."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypedDict, Unpack

from ..errors import InputError
from ..given import check_list, is_one_of
from ..instances.build import build_instance
from ..instances.instance import Instance
from ..instances.limits import Limits
from ..message import Message, suggest
from ..rouge import Rouge
from .compare import Row, compare_methods
from .family import OracleFamily
from .methods import TEXT_FINDERS
from .objective import ObjectiveProblem, list_conditions
from .options import Options
from .oracle import Oracle
from .solve import solve_all, solve_one, warn_without_overlap

__all__ = [
    "FindTextKeywords",
    "LimitKeywords",
    "ListTextKeywords",
    "Problem",
    "build_problem",
    "compare",
    "enumerate_instance",
    "enumerate_oracles",
    "find_in_instance",
    "find_in_problem",
    "find_oracle",
    "make_problem",
    "read_keywords",
    "solve_problem",
]

Reference = str | Sequence[str]
Problem = Instance | ObjectiveProblem
"""What a method solves: plain recall in integers, or any other objective."""


class LimitKeywords(TypedDict, total=False):
    """Limits of a summary, as keywords of every call on a text."""

    max_words: int | None
    max_sentences: int | None
    max_bytes: int | None
    min_words: int | None
    min_sentences: int | None
    max_cost: int | None
    costs: Sequence[int] | None
    required: Sequence[int] | None
    forbidden: Sequence[int] | None


class FindKeywords(TypedDict, total=False):
    """How one set is looked for."""

    time_limit: float | None
    family: str
    threads: int
    seed: int
    stop: Callable[[], object] | None


class ListKeywords(FindKeywords, total=False):
    """How all sets are looked for."""

    max_list: int
    within_hits: int
    within: float | str | Fraction
    top: int


class FindTextKeywords(FindKeywords, LimitKeywords, total=False):
    """How one set of a text is looked for."""


class ListTextKeywords(ListKeywords, LimitKeywords, total=False):
    """How all sets of a text are looked for."""


_LIMITS = tuple(LimitKeywords.__annotations__)
_OWN = "an instance brings its own references, rouge settings and limits"


def enumerate_oracles(
    sentences: Sequence[str],
    references: Sequence[Reference],
    *,
    rouge: Rouge | str | None = None,
    method: str = "search",
    **keywords: Unpack[ListTextKeywords],
) -> OracleFamily:
    """All extractive oracle summaries of a document: every set of sentences with the best score.

    No set of sentences within the limits has a higher score: that is proven, unless `status` says
    that the search was stopped. All parameters after `references` are keywords.

    Parameters
    ----------
    sentences
        The document, a list of str. It is never reordered or cut: indices in the answer mean this
        list.
    references
        The reference summaries, a list; each is a str or a list of str sentences.
    rouge
        What is maximised: a `Rouge`, or its objective as text, e.g. "r1-f1+r2-f1". Default:
        ROUGE-2 recall, as ROUGE-1.5.5 counts with stems.
    method
        "search" (default), "exhaustive" (tries every set: for a few dozen sentences at most) or
        "paper" (the algorithm of the paper; recall only). All give the same sets.
    max_words, max_sentences, max_bytes
        The longest summary, each a whole number from 1: words as ROUGE-1.5.5 counts them,
        sentences, bytes of UTF-8. Default: no limit, but recall needs one of them, or `max_cost`.
    min_words, min_sentences
        The shortest summary. Default: no limit.
    max_cost, costs
        A limit in a unit of your own: the largest sum, and one whole number per sentence.
    required, forbidden
        Indices of sentences that every summary must, or must not, contain. Default: none.
    time_limit
        Seconds, a float; then the best set so far is returned, with bounds. Default: none.
    max_list
        How many sets can be listed; `count` is exact all the same. Default 1,000,000.
    family
        "all" (default), or "minimal": only sets that lose score with any sentence left out (but
        for those that `required` or a lower limit asks for).
    within_hits, within, top
        Near-optimal sets too; give one of them. `within_hits=2`: sets with at most 2 hits fewer
        than the best (recall). `within=0.005`: sets whose score is at most 0.005 below the best.
        `top=10`: the 10 best sets, and all that tie with the last. Default: oracles only.
    threads
        Threads of one search. Default 1.
    stop
        A callable without arguments that is asked now and then; once it returns true, the search
        ends with the status "interrupted". Default: none.
    seed
        Of methods that draw at random, which only `find_oracle` has. Default 0.

    Returns
    -------
    OracleFamily
        A collection: iterate over it for tuples of indices, ask `in`, `len`. `value` is the best
        score as an exact fraction (`score` as a float), `count` the number of sets, `inclusion` the
        share of the sets that contain each sentence, `status` "complete" if all is proven and
        listed.

    Raises
    ------
    InputError
        If a text or a setting cannot be used; the message says which and what to do.

    Warns
    -----
    NoOverlapWarning
        If no sentence shares an n-gram with a reference: the family is then empty.

    See Also
    --------
    find_oracle : one oracle, which can be much faster.
    enumerate_corpus : the same for every record of a file or table.

    Examples
    --------
    >>> family = enumerate_oracles(
    ...     ["The cat sat on the mat.", "Dogs bark at night.", "A cat sat down."],
    ...     ["The cat sat. Dogs bark at night."],
    ...     max_words=8,
    ... )
    >>> family.hits, family.total, family.count, list(family)
    (4, 6, 1, [(1, 2)])

    With another objective, which needs no limit:

    >>> family = enumerate_oracles(
    ...     ["The cat sat on the mat.", "Dogs bark at night.", "A cat sat down."],
    ...     ["The cat sat. Dogs bark at night."],
    ...     rouge="r1-f1",
    ... )
    >>> family.value, family.count, list(family)
    (Fraction(14, 17), 1, [(0, 1)])
    """
    problem, options = make_problem(sentences, references, rouge, keywords)
    warn_without_overlap(problem)
    return solve_problem(problem, method, options)


def find_oracle(
    sentences: Sequence[str],
    references: Sequence[Reference],
    *,
    rouge: Rouge | str | None = None,
    method: str = "search",
    **keywords: Unpack[FindTextKeywords],
) -> Oracle:
    """One extractive oracle summary; `proven` says whether none can score more.

    Parameters are those of `enumerate_oracles`, without what concerns lists of sets. `method` is
    "search" (default), "exhaustive", "greedy", "beam", "presumm-greedy", "ilp" (one ratio, or
    recalls, of n-grams within sentences) or, for recall under upper limits, also "paper", "genetic"
    and "pairwise".

    Returns
    -------
    Oracle
        With `indices`, `value`, `score`, `proven`, `upper_value`, `status`, …

    Raises
    ------
    InputError
        If a text or a setting cannot be used.

    Examples
    --------
    >>> oracle = find_oracle(["A cat sat.", "A dog ran."], ["The cat sat."], max_sentences=1)
    >>> oracle.indices, oracle.proven
    ((0,), True)
    """
    problem, options = make_problem(sentences, references, rouge, keywords, method=method)
    warn_without_overlap(problem)
    return find_in_problem(problem, method, options)


def enumerate_instance(
    instance: Instance, *, method: str = "search", **keywords: Unpack[ListKeywords]
) -> OracleFamily:
    """All oracles of an instance, which brings its references and limits with it.

    Parameters
    ----------
    instance
        A problem in integers, from `build_instance` or `Instance.read`.
    method, time_limit, max_list, family, within_hits, threads, seed, stop
        As for `enumerate_oracles`.

    Returns
    -------
    OracleFamily

    Raises
    ------
    InputError
        If a setting cannot be used.

    Examples
    --------
    >>> instance = Instance.from_dict(
    ...     {
    ...         "budget": 2,
    ...         "total": 3,
    ...         "gains": [[1], [1], [1]],
    ...         "lengths": [1, 1, 1],
    ...         "counts": [[[0, 1]], [[1, 1]], [[0, 1]]],
    ...     }
    ... )
    >>> family = enumerate_instance(instance)
    >>> family.hits, list(family)
    (2, [(0, 1), (1, 2)])
    """
    _require_instance(instance)
    options = _make_instance_options(keywords)
    warn_without_overlap(instance)
    return solve_all(instance, method, options)


def find_in_instance(
    instance: Instance, *, method: str = "search", **keywords: Unpack[FindKeywords]
) -> Oracle:
    """One oracle of an instance.

    Parameters
    ----------
    instance
        A problem in integers, from `build_instance` or `Instance.read`.
    method, time_limit, family, threads, seed, stop
        As for `find_oracle`.

    Returns
    -------
    Oracle

    Raises
    ------
    InputError
        If a setting cannot be used.

    Examples
    --------
    >>> from oraclesum import Limits, Rouge, build_instance
    >>> texts = ["A cat sat.", "A dog ran."]
    >>> instance = build_instance(texts, ["The cat sat."], Rouge(n=1), Limits(max_sentences=1))
    >>> find_in_instance(instance).indices
    (0,)
    """
    _require_instance(instance)
    options = _make_instance_options(keywords)
    warn_without_overlap(instance)
    return solve_one(instance, method, options)


def compare(
    sentences: Sequence[str] | Instance,
    references: Sequence[Reference] | None = None,
    *,
    rouge: Rouge | str | None = None,
    methods: Iterable[str] | None = None,
    **keywords: Unpack[ListTextKeywords],
) -> list[Row]:
    """Methods side by side, on a text with references or on an instance.

    Parameters
    ----------
    sentences, references, rouge
        As for `enumerate_oracles`; or an `Instance` alone, which brings its references and limits.
    methods
        Names of methods: "search", "ilp", "exhaustive", "greedy", "presumm-greedy" and "beam", for
        recall also "paper", "genetic" and "pairwise". Default: all of them.
    time_limit
        Seconds for each method, default 10: some would not end in a lifetime.

    Returns
    -------
    list of rows
        One per method, with `method`, `score`, `proven`, `checked`, `count`, `seconds`, `status`, …
        A method that cannot do the objective has the status "not_available" and a `reason`.

    Raises
    ------
    InputError
        If a text or a setting cannot be used, or a method is not known.

    Examples
    --------
    >>> texts = ["A cat sat.", "A dog ran."]
    >>> rows = compare(texts, ["The cat sat."], max_sentences=1, methods=["ilp", "search"])
    >>> [(row.method, row.score, row.proven) for row in rows]
    [('ilp', 0.5, True), ('search', 0.5, True)]
    """
    keywords.setdefault("time_limit", 10.0)
    if isinstance(sentences, Instance):
        if references is not None or rouge is not None:
            raise InputError(_OWN)
        options = _make_instance_options(keywords)
        warn_without_overlap(sentences)
        return compare_methods(sentences, methods, options)
    if references is None:
        raise InputError("references are missing")
    problem, options = make_problem(sentences, references, rouge, keywords)
    warn_without_overlap(problem)

    def take_text() -> ObjectiveProblem:
        measure = Rouge(rouge) if isinstance(rouge, str) else rouge or Rouge()
        limits, _ = read_keywords(keywords, measure)
        return ObjectiveProblem(sentences, references, measure, limits)

    return compare_methods(problem, methods, options, take_text)


def make_problem(
    sentences: Sequence[str],
    references: Sequence[Reference],
    rouge: Rouge | str | None,
    keywords: Mapping[str, Any],
    *,
    method: str = "search",
) -> tuple[Problem, Options]:
    """The problem of a call's keywords, as the method takes it, and how to solve it in time."""
    if isinstance(sentences, Sequence) and not sentences:
        raise InputError("the document is empty: sentences must hold at least one str")
    if isinstance(rouge, str):
        rouge = Rouge(rouge)
    if rouge is not None and not isinstance(rouge, Rouge):
        raise InputError(f"rouge must be a Rouge, not {type(rouge).__name__}: e.g. Rouge(n=2)")
    measure = Rouge() if rouge is None else rouge
    started = time.monotonic()
    _read_iterators(keywords)
    limits, options = read_keywords(keywords, measure)
    problem = build_problem(sentences, references, measure, limits, options, method=method)
    return problem, options.left_since(started)


def _read_iterators(keywords: Any) -> None:
    """Make lists of what can be read once only: some callers read the keywords again."""
    for name in ("required", "forbidden", "costs"):
        if isinstance(keywords.get(name), Iterator):
            keywords[name] = check_list(name, keywords[name])


def read_keywords(keywords: Mapping[str, Any], rouge: Rouge) -> tuple[Limits, Options]:
    """The limits of a call's keywords, or else those of a preset, and how it is to be solved."""
    options = _make_options(keywords)
    given = {name: value for name, value in keywords.items() if name in _LIMITS}
    if given.keys() <= {"required", "forbidden"}:  # how long a summary is, a preset still says
        given = {**rouge.limits, **given}
    return Limits(**given, needed=rouge.needs_limit), options


def build_problem(
    sentences: Sequence[str],
    references: Sequence[Reference],
    rouge: Rouge,
    limits: Limits,
    options: Options,
    *,
    id: str = "",
    method: str = "search",
) -> Problem:
    """An instance if the paper's problem is meant, else an objective with whatever it needs."""
    integers = rouge.plain and limits.simple and not options.within and not options.top
    if integers and not is_one_of(method, TEXT_FINDERS):
        return build_instance(sentences, references, rouge, limits, id=id)
    if options.within_hits:
        others = " or ".join(f"{{{name}}}" for name in list_conditions(limits))
        where = f"upper limits, not with {others}" if others and rouge.plain else "upper limits"
        raise InputError(
            Message(f"{{within_hits}} goes with recall and {where}; use {{within}} or {{top}} here")
        )
    return ObjectiveProblem(sentences, references, rouge, limits, id=id)


def solve_problem(problem: Problem, method: str, options: Options) -> OracleFamily:
    """All best sets of a problem, or those near the best."""
    if isinstance(problem, ObjectiveProblem):
        return problem.solve_all(method, options)
    return solve_all(problem, method, options)


def find_in_problem(problem: Problem, method: str, options: Options) -> Oracle:
    """One best set of a problem, or what a heuristic takes for one."""
    if isinstance(problem, ObjectiveProblem):
        return problem.solve_one(method, options)
    return solve_one(problem, method, options)


def _make_options(keywords: Mapping[str, Any]) -> Options:
    chosen = {name: value for name, value in keywords.items() if name not in _LIMITS}
    known = ListTextKeywords.__annotations__
    for name in chosen:
        if name not in known:
            raise TypeError(f"unexpected keyword argument {name!r}{suggest(name, known)}")
    return Options(**chosen)


def _make_instance_options(keywords: Mapping[str, Any]) -> Options:
    if any(keywords.get(name) is not None for name in _LIMITS):
        raise InputError(_OWN)
    options = _make_options(keywords)
    if options.within or options.top:
        raise InputError("an instance has hits and no texts: use within_hits")
    return options


def _require_instance(instance: Instance) -> None:
    if not isinstance(instance, Instance):
        raise InputError(
            f"expected an Instance, not {type(instance).__name__}: "
            "use Instance.read, or enumerate_oracles for text"
        )
