"""Records of the verbs to facts, several files together: what one lacks another may know."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from ...answers.record import FamilyRecord
from ...errors import InputError
from ...oracles.status import Status
from .facts import (
    PROVEN,
    CaseFacts,
    Facts,
    Hits,
    Objective,
    SystemRow,
    label_objectives,
    read_objective,
)
from .records import (
    Compared,
    Correlated,
    Differing,
    Enumerated,
    Evaluated,
    Failed,
    Loaded,
    Opening,
    Reproduced,
    check,
)

__all__ = ["gather_facts"]

Record = Mapping[str, Any]

_MAX_NOTES = 20


def gather_facts(files: Sequence[Loaded]) -> Facts:
    """All facts of the files. Raises InputError for a record that no verb here has written."""
    facts = Facts()
    compared: list[tuple[str, Record]] = []
    for loaded in files:
        facts.reading = loaded.name
        kinds: Counter[str] = Counter()
        for place, record in loaded.records:
            kinds[_take(facts, record, place, compared)] += 1
        contents = ", ".join(f"{number:,} of {kind}" for kind, number in kinds.items() if kind)
        facts.sources.append((loaded.name, contents))
        facts.notes += loaded.notes
        if loaded.tally is not None:
            facts.work_seconds = (facts.work_seconds or 0.0) + loaded.tally.seconds
            facts.slowest += [(name, seconds) for seconds, name in loaded.tally.slowest]
    _settle_compared(facts, compared)
    _join_languages(facts)
    facts.labels = label_objectives(facts.cases)
    if len(facts.notes) > _MAX_NOTES:
        more = len(facts.notes) - _MAX_NOTES
        facts.notes = [*facts.notes[:_MAX_NOTES], f"… and {more:,} notes more of this kind"]
    return facts


def _take(facts: Facts, record: Record, place: str, compared: list[tuple[str, Record]]) -> str:
    """Take one record; what kind it is of."""
    kind = record.get("kind")
    if kind == "correlation":
        check(Correlated, record, place)
        facts.signatures.setdefault(str(record["signature"]))
        facts.correlations.append(dict(record))
        return "correlate"
    if kind == "difference":
        check(Differing, record, place)
        facts.differences.append(dict(record))
        return "correlate"
    if kind == "average":
        return ""  # made from the records that are here themselves
    if record.get("status") == "error" or ("error" in record and "fingerprint" in record):
        check(Failed, record, place)
        failed = (record.get("id") or place, record.get("error", ""))
        facts.errors.setdefault(failed)  # two verbs may have met the same bad record
        return "errors"
    if "cases" in record and "summaries" in record:
        check(Reproduced, record, place)
        _take_reproduced(facts, record, place)
        return "reproduce"
    if set(record) == {"signature"}:
        check(Opening, record, place)
        facts.signatures.setdefault(record["signature"])
        return ""
    if ("objective_hits" in record or "objective_value" in record) and "system" in record:
        check(Evaluated, record, place)
        _take_evaluated(facts, record, place)
        return "evaluate"
    if "oracles" in record and "inclusion" in record:
        check(Enumerated, record, place)
        _take_enumerated(facts, record, place)
        return "enumerate"
    if "seconds" in record and "method" in record and "oracle" in record:
        if record.get("status") == "not_available":
            return "compare"  # the method cannot do the objective: nothing was measured
        check(Compared, record, place)
        _read(record, place)
        compared.append((facts.reading, record))
        return "compare"
    raise InputError(
        f"{place}: is no record of `enumerate`, `evaluate`, `correlate`, `compare` or `reproduce`; "
        "a report is made from what these verbs write with -o"
    )


def _read(record: Record, place: str) -> tuple[Objective, str]:
    signature = str(record["signature"])
    single = record.get("reference") is not None or "|refs:single" in signature
    found = read_objective(signature, single=single)
    if found is None:
        raise InputError(
            f"{place}: topic {record['id']!r}: the signature names no ROUGE-n and no objective: "
            f"{signature}"
        )
    return found


def _read_score(solved: Record, objective: Objective, place: str) -> tuple[Hits, int]:
    """Hits and total; the exact value and 1 of other objectives than the paper's."""
    if objective.terms:
        if solved.get("value") is None:
            raise InputError(f"{place}: value is missing")
        return Fraction(solved["value"]), 1
    if solved.get("hits") is None or solved.get("total") is None:
        raise InputError(f"{place}: hits or total is missing")
    return int(solved["hits"]), int(solved["total"])


def _read_bound(record: Record, objective: Objective) -> Hits | None:
    bound = record.get("upper_value" if objective.terms else "upper_bound")
    if bound is None and objective.terms and record.get("upper_bound") is not None:
        return Fraction(int(record["upper_bound"]), int(record["total"]))
    return None if bound is None else Fraction(bound) if objective.terms else int(bound)


def _is_exact(status: str) -> bool:
    """Whether a record of this status has a proven score, and count and inclusion of all."""
    return not Status(status).partial and status != Status.HEURISTIC


def _is_outdone(case: CaseFacts, status: str, hits: Hits) -> bool:
    """Whether another file knows more of the case than a record of this status."""
    return not _is_exact(status) and (case.exact or hits < case.hits)


def _find(
    facts: Facts, record: Record, hits: Hits, total: int, status: str, place: str
) -> CaseFacts:
    """The case of a record, new or known; a note if files disagree."""
    objective, language = _read(record, place)
    reference = record.get("reference")
    cases = facts.cases.setdefault(objective, {})
    case = cases.get((str(record["id"]), reference))
    if case is None:
        case = CaseFacts(
            id=str(record["id"]),
            reference=None if reference is None else int(reference),
            status=status,
            hits=hits,
            total=total,
            language=language,
            proven=_is_exact(status),
            exact=_is_exact(status),
        )
        cases[case.key] = case
    elif not case.exact and (_is_exact(status) or hits > case.hits):
        # What was found so far gives way to better sets, and to what a whole search knows.
        case.hits, case.total, case.status = hits, total, status
        case.proven = case.exact = _is_exact(status)
        case.count = case.upper_bound = case.oracles = case.inclusion = None
    elif (case.hits, case.total) != (hits, total) and _is_exact(status) and case.proven:
        facts.notes.append(
            f"{case.name}: files disagree, {case.tell(case.hits)} and "
            f"{hits if objective.terms else f'{hits}/{total}'}; "
            "were they made from the same texts? The first is shown"
        )
    case.files.setdefault(facts.reading)
    return case


def _take_enumerated(facts: Facts, record: Record, place: str) -> None:
    found = FamilyRecord.read({"method": "search", **record})
    assert isinstance(found, FamilyRecord)  # those that failed are counted elsewhere
    facts.signatures.setdefault(found.signature)
    objective = _read(record, place)[0]
    hits, total = _read_score(record, objective, place)
    case = _find(facts, record, hits, total, found.status, place)
    if found.seconds is not None:
        case.seconds[found.method] = float(found.seconds)
        case.ended[found.method] = _is_exact(found.status)
    if found.sentences is not None:
        case.texts = tuple(found.sentences)
        facts.has_texts = True
    if _is_outdone(case, found.status, hits):
        return
    case.status = found.status
    case.count = found.count
    if (bound := _read_bound(record, objective)) is not None:
        case.upper_bound = bound
        case.proven = bound == hits
    case.oracles = found.oracles
    if found.inclusion is not None:  # status "counted": there was no time for it
        case.inclusion = list(map(float, found.inclusion))
        case.sentences = len(case.inclusion)
    if found.checked is not None:
        case.checked = found.checked


def _take_evaluated(facts: Facts, record: Record, place: str) -> None:
    facts.signatures.setdefault(str(record["signature"]))
    oracle = record["oracle"]
    objective = _read(record, place)[0]
    hits, total = _read_score(oracle, objective, place)
    case = _find(facts, record, hits, total, record["status"], place)
    name = "objective_value" if objective.terms else "objective_hits"
    if record.get(name) is None:
        raise InputError(f"{place}: {name} is missing")
    own: Hits = Fraction(record[name]) if objective.terms else int(record[name])
    if case.count is None and not _is_outdone(case, record["status"], hits):
        case.count = int(oracle["count"])
        case.proven = bool(oracle["proven"])
    missed = record["missed_core"]
    case.systems[str(record["system"])] = SystemRow(
        score=float(own) if objective.terms else record["rouge"]["recall"],
        objective_hits=own,
        precision=record["all"]["precision"],
        overlap_recall=record["all"]["recall"],
        f_measure=record["all"]["f_measure"],
        words=record["words"],
        missed_core=None if missed is None else len(missed),
        human=dict(record.get("human") or {}),
    )


def _settle_compared(facts: Facts, records: Sequence[tuple[str, Record]]) -> None:
    """The records of `compare`, proofs first: what a heuristic found is no oracle by itself."""
    unproven: set[str] = set()
    for file, record in sorted(records, key=lambda pair: not pair[1]["proven"]):
        facts.reading = file
        facts.signatures.setdefault(str(record["signature"]))
        method = str(record["method"])
        reference = record.get("reference")
        objective = _read(record, file)[0]
        hits, total = _read_score(record, objective, file)
        case = facts.cases.get(objective, {}).get((str(record["id"]), reference))
        if case is None and not record["proven"]:
            unproven.add(str(record["id"]))
            continue
        if case is None or (record["proven"] and not case.proven):
            case = _find(facts, record, hits, total, record["status"], file)
            case.proven = True
            if case.count is None:
                case.exact, case.status = False, PROVEN
        case.files.setdefault(file)
        case.seconds[method] = float(record["seconds"])
        case.ended[method] = not Status(record["status"]).partial
        if method == "greedy":
            case.greedy_hits = hits
            case.greedy = list(map(int, record["oracle"]))
        if record.get("count") is not None and case.ended[method] and case.count is None:
            case.count, case.exact, case.status = int(record["count"]), True, "complete"
        elif method == "search" and case.status == PROVEN:
            case.status = record["status"]
        if method == "search" and case.checked is None:
            case.checked, case.upper_bound = int(record["checked"]), _read_bound(record, objective)
    if unproven:
        facts.notes.append(
            f"no method of `compare` proved the optimum of {', '.join(sorted(unproven)[:5])}"
            f"{' and others' if len(unproven) > 5 else ''}: left out"
        )


def _take_reproduced(facts: Facts, record: Record, place: str) -> None:
    human = record["human"]
    for part in record["cases"]:
        head = {"id": record["id"], "reference": part["reference"], "signature": part["signature"]}
        case = _find(facts, head, part["hits"], part["total"], part["status"], place)
        if not _is_outdone(case, part["status"], part["hits"]):
            case.status = part["status"]
            case.proven, case.exact = bool(part["proven"]), bool(part["exact"])
            case.count = int(part["count"])
        case.checked = part["checked"]
        case.sentences, case.candidates = record["sentences"], part["candidates"]
        case.seconds["search"] = part["seconds_all"]
        case.ended["search"] = bool(part["exact"])
        case.seconds["search, one oracle"] = part["seconds_one"]
        case.ended["search, one oracle"] = bool(part["ended_one"])
        for method, row in part["baselines"].items():
            case.seconds[method], case.ended[method] = row["seconds"], bool(row["ended"])
        case.greedy_hits = part["greedy_hits"]
        if (jaccard := part["jaccard_greedy"]) is not None:
            case.jaccard, case.jaccard_exact = jaccard["value"], jaccard["exact"]
        for name, row in part["systems"].items():
            total = row["reference_total"]
            case.systems[name] = SystemRow(
                score=row["hits"] / total if total else 0.0,
                objective_hits=row["objective_hits"],
                precision=row["precision"],
                overlap_recall=row["recall"],
                f_measure=row["f_measure"],
                words=record["summaries"][name]["words"],
                human=dict(human.get(name) or {}),
            )


def _join_languages(facts: Facts) -> None:
    """Only English has a stop list: records of other languages keep stop words beside it."""
    for objective in [o for o in facts.cases if not o.remove_stopwords]:
        beside = replace(objective, remove_stopwords=True)
        cases = facts.cases[objective]
        if beside in facts.cases and all(case.language != "en" for case in cases.values()):
            facts.cases[beside] |= cases
            del facts.cases[objective]
