"""The verb `evaluate`: system summaries against all oracles of each topic."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import click

from ..options import (
    alignment_options,
    draw_option,
    folder_options,
    limit_options,
    output_options,
    own_systems_option,
    rouge_options,
    run_options,
    solve_options,
    summary_option,
)
from ..settings import Settings

if TYPE_CHECKING:
    from ...answers import Case, WrittenRow
    from ...answers.record import Record
    from ...evaluation.summary import SummaryScore
    from ...oracles import OracleFamily

__all__ = ["answer_case", "command"]


@click.command("evaluate", epilog="Records are described in docs/evaluation.md.")
@click.argument("input", metavar="IN")
@rouge_options
@limit_options
@own_systems_option
@alignment_options
@draw_option
@summary_option
@solve_options()
@run_options
@output_options
@folder_options
def command(input: str, summary: bool, **options: Any) -> None:
    """Systems against all oracles: ROUGE, P, R and F, the share of the best score, what was missed.

    P, R and F are averages over every oracle, exact also if there are too many to list; beside
    them stands F against one oracle drawn at random, with its 95% interval. The share compares the
    summary with the oracle, both counted inside sentences. A system of a record is a list of
    indices, a list of sentences or one text; text is aligned to the document's sentences, and what
    could not be aligned is in the output. Averages per system come last.

    \b
    Examples:
      oraclesum evaluate demo --rouge 2 --max-words 60 --systems lead,concept-coverage
      oraclesum evaluate topics.jsonl --references single --max-words 100 -o scores.jsonl
      oraclesum evaluate demo --max-words 60 --summary
    """
    from ..run import Verb, run_verb

    verb = Verb(
        name="evaluate",
        answer_case=answer_case,
        show=Evaluated,
        closing_scores=False,
        conclude=conclude,
        only_conclusion=summary,
        shows_failed=not summary,
    )
    run_verb(verb, input, options, folders=True)


def answer_case(case: Case, settings: Settings) -> Iterator[Record]:
    """One record per system of the case."""
    from ...answers.record import EvaluationRecord, exact, write_fraction
    from ...errors import InputError, LimitError
    from ...evaluation.panel import derive_case_seed, prepare_summaries, score_panel, take_first
    from ...oracles.bounds import answer_within
    from ..options import run_own_systems

    flaws = list(case.report_flaws("systems"))
    yield from flaws
    systems = {**case.topic.systems, **run_own_systems(case, settings)}
    if not systems and flaws:
        return
    if not systems:
        raise InputError("the record has no `systems` to evaluate; add some of ours by --systems")
    family = settings.enumeration.solve_case(case)
    summaries = prepare_summaries(
        systems,
        case.sentences,
        cut_to=settings.enumeration.limits if settings.cut else None,
        threshold=settings.threshold,
        language=case.rouge.language,
    )
    seed = derive_case_seed(settings.seed, case.id, case.rouge.size, case.reference)

    def score_all(against: OracleFamily) -> dict[str, SummaryScore]:
        return score_panel(
            summaries, case.references, case.rouge, against, draws=settings.draws, seed=seed
        )

    try:
        scores = score_all(family)
    except LimitError:
        family = take_first(family)
        with answer_within():
            scores = score_all(family)
    # What the records of all systems have in common.
    head, tail = case.head, case.tail
    status = "complete" if family.exact else family.status.value
    oracle = {
        **({} if family.hits is None else {"hits": family.hits, "total": family.total}),
        "value": write_fraction(family.value),
        "score": family.score,
        "count": exact(family.count),  # a lower bound if the status is not "complete"
        "proven": family.proven,
    }
    signature = sign(case.sign(family.signature), settings)
    for name, score in scores.items():
        human = case.topic.human.get(name)
        yield EvaluationRecord(
            **head,
            system=name,
            status=status,
            oracle=oracle,
            **describe(score),
            human=None if human is None else dict(human),
            signature=signature,
            **tail,
        )


def describe(score: SummaryScore) -> dict[str, Any]:
    """The fields of one scored summary."""
    from ...answers.record import write_fraction

    rouge, alignment, value = score.rouge, score.alignment, score.objective_value
    return {
        "rouge": {
            "hits": rouge.hits,
            "reference_total": rouge.reference_total,
            "summary_total": rouge.summary_total,
            "recall": rouge.recall,
            "precision": rouge.precision,
            "f1": rouge.f1,
        },
        "objective_hits": score.objective_hits,
        "objective_value": None if value is None else write_fraction(value),
        "share": score.share,
        "all": {
            "precision": score.overlap.precision,
            "recall": score.overlap.recall,
            "f_measure": score.overlap.f_measure,
        },
        "random": {
            "draws": len(score.drawn.shared),
            "f_measure": score.drawn.f_measure,
            "low": score.drawn.low,
            "high": score.drawn.high,
            "shared": list(score.drawn.shared),
            "sizes": list(score.drawn.sizes),
        },
        "missed_core": None if score.missed_core is None else list(score.missed_core),
        "words": score.words,
        "selected": list(alignment.indices),
        "alignment": {
            "coverage": alignment.coverage,
            "fuzzy": [
                {"text": each.text, "index": each.index, "similarity": each.similarity}
                for each in alignment.fuzzy
            ],
            "unaligned": list(alignment.unaligned),
            "repeated": [list(equal) for equal in alignment.repeated],
        },
    }


def sign(signature: str, settings: Settings) -> str:
    """The signature with the settings that only an evaluation has."""
    from ...signature import extend_signature

    return extend_signature(
        signature,
        ("refs", settings.references),
        ("cut", "yes" if settings.cut else "no"),
        ("threshold", f"{settings.threshold:g}"),
        ("draws", str(settings.draws)),
        ("seed", str(settings.seed)),
    )


def conclude(
    records: list[dict[str, Any]], settings: Settings, progress: Callable[[int, int], None]
) -> tuple[list[dict[str, Any]], list[str]]:
    """The averages, and what to keep in mind about them."""
    from ...evaluation.averages import average_systems, note_lengths, note_partial

    averages = average_systems(records, seed=settings.seed)
    notes = []
    # Every system of a case has a record; the case is counted once.
    cases = {(r["id"], r.get("reference")): r for r in records if "rouge" in r}
    partial = sum(record["status"] != "complete" for record in cases.values())
    if (note := note_partial(partial, len(cases))) is not None:
        notes.append(note)
    if (note := note_lengths({row["system"]: row["words"] for row in averages})) is not None:
        notes.append(note)
    parts = [part for r in records if "alignment" in r for part in r["alignment"]["unaligned"]]
    if parts:
        notes.append(
            f"{len(parts)} pieces of summaries are no sentence of their document (threshold "
            f"{settings.threshold:g}); they count for ROUGE and not for P, R and F; each is listed "
            "in the output under `alignment.unaligned`"
        )
    return averages, notes


class Evaluated:
    """The sink for a terminal: a line per topic and system, then the averages."""

    def __init__(self, settings: Settings) -> None:
        from ...report.evaluated import EvaluationTable

        self._table = EvaluationTable(
            settings.make_rouge().size, with_reference=settings.references == "single"
        )

    def write(self, row: WrittenRow) -> None:
        self._table.add(row.record, row.seconds)

    def close(self) -> None:
        self._table.print()
