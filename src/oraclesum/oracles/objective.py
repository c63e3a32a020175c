"""The best sets under any objective: words to the kernel, answers scored again from the words."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from heapq import merge
from itertools import combinations, groupby
from typing import TypeVar, cast

from .. import _kernel
from ..errors import InputError, LimitError, NoOverlapWarning, OraclesumError
from ..instances.build import explain_no_ngram, sign_problem
from ..instances.limits import Limits
from ..message import Message
from ..notices import warn
from ..rouge import Rouge, check_references, check_sentences
from ..rouge.objective import add_terms, count_recall, describe_terms, scale_of
from ..rouge.printed import split_lines
from ..signature import extend_signature
from ..text import Numbering
from ..whole import LARGEST
from .bounds import MAX_MEMORY, TEXT_SECONDS, answer_within, ask
from .diagram import DiagramStore
from .family import OracleFamily
from .methods import ENUMERATORS, FINDERS, TEXT_FINDERS, check_method
from .options import Clock, Ended, Options, sign_family
from .oracle import Oracle
from .search import store_streamed
from .solve import MAX_CHECKED, MAX_CHECKED_SENTENCES
from .status import Status
from .store import ListedStore, Store

__all__ = ["METHODS", "ObjectiveProblem", "list_conditions", "score_text"]

_SET_BYTES = 128  # of a set in a table of Python's, without its sentences
WITHOUT: tuple[str, ...] = ()  # parts of the method that a test switches off; no answer changes
METHODS = ("search", "ilp", "exhaustive", "greedy", *TEXT_FINDERS)
_BEAM = 8  # sets that method "beam" goes on with
_LARGEST_PART = 2**63 - 1  # of a fraction that the kernel takes
_MOMENT = 1.0  # seconds that a set may still be cut down when time is up
_PIECE = 256  # candidates that a beam looks at between two looks at the clock
_PIECE_SENTENCES = 1 << 14  # of the sets that are scored between two looks
_EXACT = ("search", "ilp", "exhaustive")

T = TypeVar("T")
Set = tuple[int, ...]
Part = tuple[_kernel.Measure, int]  # of all references, or of one of them; and how many they are


class ObjectiveProblem:
    """One document, its references, the measure and the limits, ready to be solved."""

    def __init__(
        self,
        sentences: Sequence[str],
        references: Sequence[str | Sequence[str]],
        rouge: Rouge,
        limits: Limits,
        *,
        id: str = "",
    ) -> None:
        self.id = id
        self._texts = sentences, references
        self.rouge = rouge
        self.limits = limits
        texts = check_sentences(sentences, "sentences")
        models = [
            split_lines(model[0]) if rouge.reads_lines and isinstance(given, str) else model
            for given, model in zip(references, check_references(references), strict=True)
        ]
        numbering = Numbering()
        tokens = rouge.analyser.tokens_of
        words = [numbering.number(sentence) for sentence in tokens(texts)]
        numbers = [[numbering.number(part) for part in tokens(model)] for model in models]
        self.n_sentences = len(texts)
        self.rows = limits.measure(texts)
        groups = [[one] for one in numbers] if rouge.multi_reference == "best" else [numbers]
        self.parts: list[Part] = []
        self._words = words
        self._groups: list[list[list[list[int]]]] = []  # the references of each part
        also: set[int] = set()
        within = rouge.reference_boundaries == "within"
        how = (
            describe_terms(rouge.terms),
            rouge.boundaries == "across",
            rouge.counting == "sets",
            within,
        )
        for group in groups:
            measure = _kernel.Measure(words, group, *how)
            if 0 in measure.totals:
                if rouge.multi_reference == "best" and len(groups) > 1:
                    # A reference without an n-gram is nobody's best; across joints, a word of it
                    # makes a candidate all the same.
                    if rouge.boundaries == "across" and any(
                        part for reference in group for part in reference
                    ):
                        one = [(0, 1, 1, 1, 0)]
                        any_word = _kernel.Measure(words, group, one, False, False, False)
                        also.update(any_word.candidates)
                    continue
                raise InputError(explain_no_ngram(models, rouge, within=within))
            self.parts.append((measure, len(group)))
            self._groups.append(group)
        if not self.parts:
            raise InputError(explain_no_ngram(models, rouge, within=within))
        measured = [reference for group in self._groups for reference in group]
        found = _kernel.Measure(words, measured, *how).candidates
        self._candidates = sorted(also.union(found))  # they share an n-gram with any reference
        if all(term.beta2 == 0 for term in rouge.terms) and not (
            limits.min_words or limits.min_sentences or limits.required
        ):
            raise InputError(
                Message(
                    "precision alone is best for a single perfect word: set {min_words} or "
                    "{min_sentences}, or maximise an F-measure such as f1"
                )
            )

    @property
    def signature(self) -> str:
        """Every setting that moves the score."""
        return sign_problem(self.rouge, self.limits)

    # Values.

    def score(self, selected: Sequence[int]) -> Fraction:
        """The exact value of a set, counted from the words."""
        return self.score_each([selected])[0]

    def score_each(
        self, sets: Sequence[Sequence[int]], *, late: float | None = None
    ) -> list[Fraction]:
        """The exact value of every set; many at once are far quicker than one after the other.

        `late` are seconds beyond the time of `answer_within`; None: there is no limit, since a
        search has its own clock.
        """

        def count(measure: _kernel.Measure) -> list[list[tuple[int, int]]]:
            return ask(lambda limits: measure.count(sets, limits), what="scoring", late=late)

        values = (
            [self._value(measure, references, tallies) for tallies in count(measure)]
            for measure, references in self.parts
        )
        return [max(each) for each in zip(*values, strict=True)]

    def _value(
        self, measure: _kernel.Measure, references: int, tallies: Sequence[tuple[int, int]]
    ) -> Fraction:
        return add_terms(self.rouge.terms, measure.totals, tallies, references)

    def allows(self, selected: Sequence[int]) -> bool:
        """Whether a set keeps every limit."""
        chosen = set(selected)
        if len(chosen) < len(selected):
            return False
        if not chosen.issuperset(self.limits.required) or chosen & set(self.limits.forbidden):
            return False
        return all(
            row.floor <= sum(row.lengths[i] for i in selected) <= row.budget for row in self.rows
        )

    @cached_property
    def candidates(self) -> list[int]:
        """Sentences that can add a hit, and the required ones, without the forbidden ones."""
        found = {*self._candidates, *self.limits.required}
        return sorted(found - set(self.limits.forbidden))

    # Solving.

    def solve_all(self, method: str, options: Options) -> OracleFamily:
        """All best sets, or those near the best."""
        self._check_method(method, options)
        if method == "exhaustive":
            return self._solve_exhaustively(options)
        if method != "search":
            raise InputError(
                f"method {method!r} finds one set and cannot enumerate; these can: search, "
                "exhaustive"
            )
        if len(self.parts) > 1 and options.top:
            raise InputError(Message("{top} goes with {multi_reference='pooled'}"))
        family = self._join(options)
        self._verify(family, options)
        if family.status is Status.NO_OVERLAP:
            self._warn_empty()
        return family

    def solve_one(self, method: str, options: Options) -> Oracle:
        """One best set, or what a heuristic takes for one."""
        self._check_method(method, options)
        if method == "greedy":
            return self.find_by_beam(1, options.time_limit, options.stop)
        if method == "beam":
            return self.find_by_beam(_BEAM, options.time_limit, options.stop)
        if method == "presumm-greedy":
            return self._find_as_presumm(options)
        if method == "ilp":
            return self._find_by_program(options)
        if method == "exhaustive":
            family = self._solve_exhaustively(options)
            return self._make_oracle(
                next(iter(family), ()), family.value, family.upper_value, family.status, method
            )
        started = time.monotonic()
        runs = self._run_each([(part, None) for part in self.parts], options, collect=False)
        best = max(runs, key=lambda run: run.value)
        indices = tuple(best.found.best)
        if options.family == "minimal" and len(self.parts) > 1:
            # minimal for one reference; another may need less
            indices = self._cut_down(indices, options.left_since(started).start_clock())
        proven = len(runs) == len(self.parts) and all(run.found.proven for run in runs)
        stopped = any(run.found.interrupted for run in runs)
        unproven = Status.INTERRUPTED if stopped else Status.TIME_LIMIT
        value = best.value if proven else self._score_stopped(indices, best.value)
        oracle = self._make_oracle(
            indices,
            value,
            max(value, self._bound(runs)),
            Status.COMPLETE if proven else unproven,
            method,
            checked=sum(run.found.nodes for run in runs),
        )
        if oracle.status is Status.NO_OVERLAP:
            self._warn_empty()
        elif oracle.indices and (
            self.score(oracle.indices) != oracle.value or not self.allows(oracle.indices)
        ):
            raise _bug(f"set {oracle.indices} does not score again what the search says")
        return oracle

    def explain_missing(self, method: str, options: Options) -> str | None:
        """Why a method cannot do this problem; None if it can."""
        if method not in METHODS:
            if not self.rouge.plain:
                return "it knows recall of n-grams within sentences only"
            others = ", ".join(f"{{{name}}}" for name in self._list_conditions(options))
            also = f", not {others}" if others else ", and no sets by their distance from the best"
            return Message(f"it knows upper limits of words, sentences and bytes only{also}")
        if options.family != "all" and method not in ENUMERATORS:
            return "it finds one set, from which a sentence may be dropped without loss"
        if method == "presumm-greedy" and self.rouge.language != "en":
            return "PreSumm's words are runs of a-z and 0-9, which is English"
        if method != "ilp":
            return None
        from .ratio_ilp import explain_no_program

        return explain_no_program(self.rouge)

    def _list_conditions(self, options: Options) -> list[str]:
        """The settings that an Instance, which is recall under upper limits, does not have."""
        near = (name for name in ("within", "top") if getattr(options, name))
        return [*list_conditions(self.limits), *near]

    def _check_method(self, method: str, options: Options) -> None:
        check_method(method, METHODS, also=FINDERS)
        if reason := self.explain_missing(method, options):
            others = ", ".join(name for name in METHODS if not self.explain_missing(name, options))
            message = "method {x} is not available: {reason}; use {others}"
            raise InputError(Message(message, x=repr(method), reason=reason, others=others))

    def _run_each(
        self,
        asked: Sequence[tuple[Part, Fraction | None]],
        options: Options,
        *,
        collect: bool,
    ) -> list[Run]:
        """A run for each part, with the distance from its best; fewer if the time ends before."""
        started = time.monotonic()
        runs: list[Run] = []
        for part, within in asked:
            left = options.left_since(started)
            if runs and (left.time_limit == 0 or runs[-1].found.interrupted):
                break
            runs.append(self._run(part, left, collect=collect, within=within))
        return runs

    def _bound(self, runs: list[Run]) -> Fraction:
        """No set has a larger value, also not with a reference that nobody came to."""
        if len(runs) < len(self.parts):
            return Fraction(1)
        return max(run.upper for run in runs)

    def _score_stopped(self, indices: Set, value: Fraction) -> Fraction:
        """The value of a set that one reference led to; one nobody came to may score it higher."""
        return max(value, self.score(indices)) if indices else value

    def _cut_down(self, indices: Set, clock: Clock) -> Set:
        """A minimal set among the sentences of one, with no less value.

        Once time is up, only as far as takes a moment.
        """
        left = clock.left
        ends = time.monotonic() + _MOMENT
        shorter: Set | None = indices
        with suppress(LimitError), answer_within(seconds=None if left is None else left + _MOMENT):
            while shorter:
                indices, shorter = shorter, None
                value = self.score_each([indices], late=0.0)[0]
                for piece in _cut_into_pieces(combinations(indices, len(indices) - 1), len):
                    if time.monotonic() > ends and clock.look():
                        return indices
                    usable = [rest for rest in piece if rest and self.allows(rest)]
                    values = zip(usable, self.score_each(usable, late=0.0), strict=True)
                    shorter = next((rest for rest, own in values if own >= value), None)
                    if shorter:
                        break
        return indices

    def _run(self, part: Part, options: Options, *, collect: bool, within: Fraction | None) -> Run:
        measure, references = part
        scale = scale_of(self.rouge.terms)
        near = (options.within if within is None else within) * scale
        if max(near.numerator, near.denominator) > _LARGEST_PART:
            raise InputError(
                Message("{within} and beta have too many digits for several references: round them")
            )
        try:
            found = measure.maximise(
                [(row.floor, row.budget, list(row.lengths)) for row in self.rows],
                self._candidates,
                list(self.limits.required),
                list(self.limits.forbidden),
                (near.numerator, near.denominator),
                options.top,
                options.family == "minimal",
                collect,
                options.threads,
                options.time_limit,
                MAX_MEMORY,
                options.max_list,
                list(WITHOUT),
                options.stop,
            )
        except _kernel.InputError as error:
            raise InputError(str(error)) from None
        value = self._value(measure, references, found.tallies) if found.best else Fraction(0)
        upper = sum((Fraction(a, b) for a, b in found.upper), Fraction(0)) / scale
        return Run(part, found, value, max(value, min(upper, Fraction(1))))

    def _join(self, options: Options) -> OracleFamily:
        """The family of the best reference, or of all references that share the best value."""
        started = time.monotonic()
        runs = self._run_each([(part, None) for part in self.parts], options, collect=True)
        status = self._judge(runs, len(self.parts))
        value = max(run.value for run in runs)
        bar = value - options.within
        wanted = runs
        if len(runs) > 1:
            wanted = [run for run in runs if run.value >= bar and run.found.best]
            if options.within and status is Status.COMPLETE:
                near = [(run.part, run.value - bar) for run in wanted]
                wanted = self._run_each(near, options.left_since(started), collect=True)
                status = self._judge(wanted, len(near))
        store: Store = ListedStore((), self.n_sentences)
        if status is Status.COMPLETE and len(wanted) > 1:
            clock = options.left_since(started).start_clock()
            try:
                store = self._unite(wanted, options, clock)
            except Ended as ended:
                status = ended.status
        if status is not Status.COMPLETE:
            best = tuple(max(runs, key=lambda run: run.value).found.best)
            if options.family == "minimal" and len(self.parts) > 1:
                best = self._cut_down(best, options.left_since(started).start_clock())
            value = self._score_stopped(best, value)
            store = ListedStore([best] if best else (), self.n_sentences)
        elif len(wanted) == 1 and wanted[0].found.streamed is not None:
            store = store_streamed(wanted[0].found.streamed, self.n_sentences)
            status = Status.STREAMED
        elif len(wanted) == 1 and wanted[0].found.family is not None:
            store = DiagramStore(wanted[0].found.family, options.max_list)
        if status is Status.COMPLETE and not value:
            status = Status.NO_OVERLAP
        elif status is Status.COMPLETE and store.stored < store.count:
            status = Status.LIST_LIMIT
        return self._make_family(
            store,
            value,
            max(value, self._bound(runs)),
            status,
            "search",
            options,
            checked=sum(run.found.nodes for run in runs),
        )

    def _unite(self, runs: list[Run], options: Options, clock: Clock) -> Store:
        """The sets of several references' families, each once; Ended if time or memory ends."""
        stores = []
        for run in runs:
            if run.found.family is None:  # too large for a diagram, and only counted
                raise Ended(Status.MEMORY_LIMIT)
            stores.append(DiagramStore(run.found.family, LARGEST))
        # Each is in order, and so are all: equal ones follow each other.
        joined: Iterable[Set] = (members for members, _ in groupby(merge(*stores)))
        if options.family == "minimal":  # of one reference; another may need fewer sentences
            every = self._keep(joined, LARGEST, clock)
            joined = self._list_minimal(list(every), clock)
        return self._keep(joined, options.max_list, clock)

    def _keep(self, sets: Iterable[Set], most: int, clock: Clock) -> Store:
        """A store of the first of sets in order that knows the sums over all of them.

        Raises Ended if time or memory ends.
        """
        kept: list[Set] = []
        count = size = 0
        sizes: dict[int, int] = {}
        inclusion: dict[int, list[int]] = {}
        for members in sets:
            clock.check()
            if count < most:
                kept.append(members)
                size += _SET_BYTES + 8 * len(members)
                if size > MAX_MEMORY:
                    raise Ended(Status.MEMORY_LIMIT)
            count += 1
            row = inclusion.get(len(members))
            if row is None:
                row = inclusion[len(members)] = [0] * self.n_sentences
            for i in members:
                row[i] += 1
            sizes[len(members)] = sizes.get(len(members), 0) + 1
        return ListedStore.from_sorted(
            kept, self.n_sentences, count=count, inclusion_by_size=inclusion, sizes=sizes
        )

    @staticmethod
    def _judge(runs: list[Run], asked: int) -> Status:
        if any(run.found.interrupted for run in runs):
            return Status.INTERRUPTED
        if len(runs) == asked and all(run.found.collected for run in runs):
            return Status.COMPLETE
        if any(run.found.out_of_memory for run in runs):
            return Status.MEMORY_LIMIT
        return Status.TIME_LIMIT

    def _make_family(
        self,
        store: Store,
        value: Fraction,
        upper: Fraction,
        status: Status,
        method: str,
        options: Options,
        *,
        checked: int,
    ) -> OracleFamily:
        hits, total, bound = self._count_hits(value, upper)
        return OracleFamily(
            store=store,
            n_sentences=self.n_sentences,
            hits=hits,
            total=total,
            upper_bound=bound,
            value=value,
            upper_value=upper,
            status=status,
            checked=checked,
            method=method,
            signature=sign_family(self.signature, options),
        )

    def _count_hits(self, value: Fraction, upper: Fraction) -> tuple[int, int, int]:
        """Hits, total and bound of pooled recall; None of other objectives."""
        if len(self.parts) > 1:
            return cast(tuple[int, int, int], (None, None, None))
        return count_recall(self.rouge.terms, self.parts[0][0].totals[0], value, upper)

    def _make_oracle(
        self,
        indices: Set,
        value: Fraction,
        upper: Fraction,
        status: Status,
        method: str,
        *,
        checked: int = 0,
    ) -> Oracle:
        if not indices and (status is Status.COMPLETE or not self.candidates):
            status = Status.NO_OVERLAP  # else nobody has proven that there is no set
        hits, total, bound = self._count_hits(value, upper)
        return Oracle(
            indices=indices,
            hits=hits,
            total=total,
            upper_bound=bound,
            own_value=value,
            own_upper_value=upper,
            checked=checked,
            method=method,
            status=status,
            signature=self.signature
            if status is not Status.HEURISTIC
            and (status not in (Status.TIME_LIMIT, Status.INTERRUPTED) or method in _EXACT)
            else extend_signature(self.signature, ("method", method)),
        )

    def _verify(self, family: OracleFamily, options: Options) -> None:
        bar = Fraction(0) if options.top else family.value - options.within
        spread = family.spread(MAX_CHECKED, MAX_CHECKED_SENTENCES)
        for selected, value in zip(spread, self.score_each(spread), strict=True):
            if not bar <= value <= family.value or not self.allows(selected):
                raise _bug(f"set {selected} does not score again what the search says")

    def _warn_empty(self) -> None:
        if self.candidates:
            reason = "no sentence that can add a hit fits the limits; change them"
        else:
            reason = (
                "no sentence shares an n-gram with a reference; check that both are in the same "
                "language and that the rouge settings suit it, or use a smaller n"
            )
        warn(reason, NoOverlapWarning)

    # Other methods.

    def _solve_exhaustively(self, options: Options) -> OracleFamily:
        """Every set of candidates: for small documents, and to check the search."""
        clock = options.start_clock()
        candidates = self.candidates
        values: dict[Set, Fraction] = {}
        checked = 0
        stopped: Status | None = None
        for size in range(1, len(candidates) + 1):
            fitting = False
            for selected in combinations(candidates, size):
                checked += 1
                if stopped := clock.look():
                    break
                lengths = [sum(row.lengths[i] for i in selected) for row in self.rows]
                if all(
                    length <= row.budget for length, row in zip(lengths, self.rows, strict=True)
                ):
                    fitting = True
                    if self.allows(selected):
                        values[selected] = self.score(selected)
            if stopped or not fitting:
                break
        values = {selected: value for selected, value in values.items() if value > 0}
        best = max(values.values(), default=Fraction(0))
        upper = Fraction(1) if stopped else best
        if options.family == "minimal" and values:
            try:
                minimal = self._list_minimal(list(values), clock)
            except Ended as ended:
                stopped = ended.status
                minimal = [self._cut_down(max(values, key=values.__getitem__), clock)]
            values = {selected: values[selected] for selected in minimal}
        bar = best - options.within
        if options.top and values:
            bar = sorted(values.values(), reverse=True)[min(options.top, len(values)) - 1]
        kept = sorted(selected for selected, value in values.items() if value >= bar)
        try:
            store = self._keep(kept, options.max_list, Clock(None, None))
        except Ended as ended:  # there is no memory for all of them
            stopped = ended.status
            known = max(values, key=values.__getitem__)
            store = ListedStore([known], self.n_sentences)
        status = stopped or Status.COMPLETE
        if not stopped and not best:
            status = Status.NO_OVERLAP
        elif not stopped and store.stored < store.count:
            status = Status.LIST_LIMIT
        return self._make_family(store, best, upper, status, "exhaustive", options, checked=checked)

    def _list_minimal(self, sets: list[Set], clock: Clock) -> list[Set]:
        """The sets that lose score with any sentence left out, unless a limit asks for it.

        Raises Ended if time is up before all are known.
        """
        larger: set[Set] = set()
        for piece in _cut_into_pieces(sets, lambda selected: len(selected) ** 2):
            clock.check()
            values = dict(zip(piece, self.score_each(piece), strict=True))
            rests = (
                (selected, rest)
                for selected in piece
                for rest in combinations(selected, len(selected) - 1)
                if rest and self.allows(rest)
            )
            for part in _cut_into_pieces(rests, lambda pair: len(pair[1])):
                clock.check()
                lower = self.score_each([rest for _, rest in part])
                larger.update(
                    selected
                    for (selected, _), value in zip(part, lower, strict=True)
                    if value >= values[selected]
                )
        return [selected for selected in sets if selected not in larger]

    def _find_by_program(self, options: Options) -> Oracle:
        """One best set by integer programs, if the objective has them."""
        from .ratio_ilp import RatioAnswer, RatioProgram

        started = time.monotonic()
        known = self.find_by_beam(1, options.time_limit, options.stop)
        if known.status is Status.INTERRUPTED:
            return self._make_oracle(known.indices, known.value, Fraction(1), known.status, "ilp")
        answers: list[RatioAnswer] = []
        for group in self._groups:
            if answers and answers[-1].status is Status.INTERRUPTED:
                break
            program = RatioProgram(
                self._words,
                group,
                self.rouge,
                self.candidates,
                self.limits.required,
                self.rows,
            )
            answers.append(program.solve(known.indices, options.left_since(started)))
        best = max(answers, key=lambda answer: answer.value)
        unproven = [a.status for a in answers if a.status is not Status.COMPLETE]
        value = self._score_stopped(best.indices, best.value) if unproven else best.value
        upper = max(answer.upper for answer in answers)
        oracle = self._make_oracle(
            best.indices if value else (),
            value,
            max(value, upper) if len(answers) == len(self._groups) else Fraction(1),
            unproven[-1] if unproven else Status.COMPLETE,
            "ilp",
            checked=sum(answer.nodes for answer in answers),
        )
        if oracle.status is Status.NO_OVERLAP:
            self._warn_empty()
        elif oracle.indices and self.score(oracle.indices) != oracle.value:
            raise _bug(f"set {oracle.indices} does not score again what the program says")
        return oracle

    def find_by_beam(
        self,
        width: int,
        time_limit: float | None = None,
        stop: Callable[[], object] | None = None,
    ) -> Oracle:
        """Adds a sentence while that raises the value, to the `width` best sets of each size.

        A beam of one is greedy, as training code has it. If the time ends, or `stop` says true, the
        best set so far.
        """
        clock = Clock(time_limit, stop)
        status = Status.HEURISTIC
        names = {1: "greedy", _BEAM: "beam"}
        method = names.get(width, f"beam-{width}")
        start = tuple(self.limits.required)
        best: tuple[Fraction, Set] = (Fraction(0), ())
        if start:
            try:
                with answer_within(seconds=clock.left, stop=stop):
                    best = (self.score_each([start], late=0.0)[0], start)
            except LimitError:
                status = clock.look() or Status.INTERRUPTED
        beam = [best]
        while beam and status is Status.HEURISTIC:
            longer: dict[Set, Fraction] = {}
            for chosen, piece in self._pair_with_candidates(beam):
                if ended := clock.look():
                    status = ended
                    break
                new = {tuple(sorted((*chosen, i))) for i in piece if i not in chosen}
                fitting = [each for each in new if each not in longer and self._fits(each)]
                try:
                    with answer_within(seconds=clock.left, stop=stop):
                        values = self.score_each(fitting, late=0.0)
                except LimitError:
                    status = clock.look() or Status.INTERRUPTED
                    break
                longer.update(zip(fitting, values, strict=True))
            ranked = sorted((-value, chosen) for chosen, value in longer.items())
            beam = [(-value, chosen) for value, chosen in ranked[:width]]
            short = not self.allows(best[1])
            if not beam or (beam[0][0] <= best[0] and not short):
                break
            best = beam[0]
        value, chosen = best if self.allows(best[1]) else (Fraction(0), ())
        return self._make_oracle(chosen, value, Fraction(1), status, method)

    def _pair_with_candidates(
        self, beam: list[tuple[Fraction, Set]]
    ) -> Iterator[tuple[Set, Sequence[int]]]:
        """Each set with some candidates at a time, few enough to look at the clock between them."""
        for _, chosen in beam:
            for at in range(0, len(self.candidates), _PIECE):
                yield chosen, self.candidates[at : at + _PIECE]

    def _fits(self, chosen: Set) -> bool:
        return all(sum(row.lengths[i] for i in chosen) <= row.budget for row in self.rows)

    def _find_as_presumm(self, options: Options) -> Oracle:
        """PreSumm's greedy summary under the same limits, valued by this objective."""
        limits = self.limits
        if limits.min_words or limits.min_sentences:
            # Only candidates fill a summary up; others would make this set better than the best.
            usable = {*self.candidates, *limits.required, *limits.forbidden}
            others = [i for i in range(self.n_sentences) if i not in usable]
            limits = replace(limits, forbidden=(*limits.forbidden, *others))
        chosen: Set = ()
        status = Status.HEURISTIC
        # References of single words have no pair of words: ROUGE-1 alone decides.
        words = Rouge("r1-f1", tokenizer="presumm", stem=False, counting="sets")
        for rouge in (Rouge("presumm"), words):
            try:
                theirs = ObjectiveProblem(*self._texts, rouge, limits)
            except InputError:
                continue
            found = theirs.find_by_beam(1, options.time_limit, options.stop)
            chosen, status = found.indices, found.status
            break
        value = self.score(chosen) if chosen else Fraction(0)
        return self._make_oracle(chosen, value, Fraction(1), status, "presumm-greedy")


def _cut_into_pieces(items: Iterable[T], weigh: Callable[[T], int]) -> Iterator[list[T]]:
    """Some at a time, few enough to look at the clock between them."""
    piece: list[T] = []
    weight = 0
    for item in items:
        piece.append(item)
        weight += weigh(item)
        if weight >= _PIECE_SENTENCES:
            yield piece
            piece, weight = [], 0
    if piece:
        yield piece


def list_conditions(limits: Limits) -> list[str]:
    """The limits that are no upper ones of words, sentences and bytes, by their names."""
    names = ("min_words", "min_sentences", "max_cost", "required", "forbidden")
    return [name for name in names if getattr(limits, name)]


def score_text(
    texts: Sequence[str], references: Sequence[str | Sequence[str]], rouge: Rouge
) -> Fraction:
    """The value of any text under an objective, sentence by sentence as it is given.

    Raises LimitError if that takes longer than `answer_within` allows.
    """
    if not texts:
        return Fraction(0)
    any_set = Limits(min_sentences=1, needed=False)
    problem = ObjectiveProblem(texts, references, rouge, any_set)
    return problem.score_each([range(len(texts))], late=TEXT_SECONDS)[0]


class Run:
    """What the kernel found for all references, or for one of them."""

    def __init__(
        self,
        part: Part,
        found: _kernel.Best,
        value: Fraction,
        upper: Fraction,
    ) -> None:
        self.part = part
        self.found = found
        self.value = value
        self.upper = upper


def _bug(what: str) -> OraclesumError:
    return OraclesumError(f"internal error: {what}; please report this")
