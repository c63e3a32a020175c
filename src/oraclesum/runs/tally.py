"""Sums over the records of a run, added up shard by shard, and the table that shows them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..answers import Written, WrittenRow

__all__ = ["SLOWEST", "Tally", "summarise"]

SLOWEST = 10
_SCORE_BINS = 10
_BAR = 30
_EIGHTHS = " ▏▎▍▌▋▊▉█"


@dataclass(kw_only=True)
class Tally:
    """What is known of the records so far."""

    documents: int = 0
    records: int = 0
    score_sum: float = 0.0
    seconds: float = 0.0  # of work, over all workers
    statuses: Counter[str] = field(default_factory=Counter)
    scores: Counter[int] = field(default_factory=Counter)  # k: from k/10 to (k+1)/10
    families: Counter[int] = field(default_factory=Counter)  # k: counts of k digits
    slowest: list[tuple[float, str]] = field(default_factory=list)  # longest first

    @property
    def errors(self) -> int:
        """Records that could not be answered."""
        return self.statuses["error"]

    def add(self, answers: Iterable[Written]) -> None:
        """Take the answers to some documents."""
        for answer in answers:
            self.documents += 1
            spent = 0.0
            for row in answer.rows:
                self._add_row(row)
                spent += row.seconds
            self.seconds += spent
            if answer.rows and not (self._is_full and spent < self.slowest[-1][0]):
                self._add_slowest([(spent, str(answer.rows[0].id))])

    @property
    def _is_full(self) -> bool:
        return len(self.slowest) == SLOWEST

    def _add_slowest(self, timed: list[tuple[float, str]]) -> None:
        self.slowest = sorted([*self.slowest, *timed], reverse=True)[:SLOWEST]

    def _add_row(self, row: WrittenRow) -> None:
        self.records += 1
        self.statuses[row.status] += 1
        if row.score is not None:
            self.score_sum += row.score
            self.scores[min(int(row.score * _SCORE_BINS), _SCORE_BINS - 1)] += 1
        if row.family_count is not None:
            self.families[_count_digits(row.family_count)] += 1

    def merge(self, other: Tally) -> None:
        """Add the sums of other documents."""
        self.documents += other.documents
        self.records += other.records
        self.score_sum += other.score_sum
        self.seconds += other.seconds
        self.statuses += other.statuses
        self.scores += other.scores
        self.families += other.families
        self._add_slowest(other.slowest)

    def to_json(self) -> dict[str, Any]:
        """The sums, and what they say on average."""
        scored = sum(self.scores.values())
        return {
            "documents": self.documents,
            "records": self.records,
            "errors": self.errors,
            "mean_score": self.score_sum / scored if scored else None,
            "score_sum": self.score_sum,
            "work_seconds": self.seconds,
            "statuses": dict(sorted(self.statuses.items())),
            "scores": {f"{k / _SCORE_BINS:.1f}": n for k, n in sorted(self.scores.items())},
            "families": {str(k): n for k, n in sorted(self.families.items())},
            "slowest": [{"id": name, "seconds": seconds} for seconds, name in self.slowest],
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Tally:
        """The tally that `to_json` wrote."""
        return cls(
            documents=data["documents"],
            records=data["records"],
            score_sum=data["score_sum"],
            seconds=data["work_seconds"],
            statuses=Counter(data["statuses"]),
            scores=Counter({round(float(k) * _SCORE_BINS): n for k, n in data["scores"].items()}),
            families=Counter({int(k): n for k, n in data["families"].items()}),
            slowest=[(entry["seconds"], entry["id"]) for entry in data["slowest"]],
        )


def _count_digits(count: int) -> int:
    """Decimal digits, none of zero; of long numbers not written out, one more at most."""
    if count == 0:
        return 0
    return len(str(count)) if count < 10**18 else int(count.bit_length() * 0.30103) + 1


def summarise(tally: Tally, fresh: int, seconds: float) -> list[str]:
    """The lines of the table; `fresh` documents were done now, in so many seconds."""
    rate = fresh / seconds if seconds else 0.0
    facts = tally.to_json()
    before = tally.documents - fresh
    lines = [
        f"{tally.documents:,} documents, {tally.records:,} records, {tally.errors:,} errors; "
        + (f"{before:,} were there, " if before else "")
        + f"{fresh:,} done in {seconds:.1f} s ({rate:,.0f}/s)"
    ]
    if facts["mean_score"] is None:
        return [*lines, "", *_rows("status", facts["statuses"])]
    lines += ["", *_rows("status", facts["statuses"]), ""]
    scores = {f"{k / 10:.1f}-{(k + 1) / 10:.1f}": tally.scores[k] for k in sorted(tally.scores)}
    lines += [*_rows("score", scores, bars=True), f"{'mean':<16}{facts['mean_score']:>10.5f}", ""]
    families = {_name_digits(k): tally.families[k] for k in sorted(tally.families)}
    if families:
        lines += [*_rows("oracles", families, bars=True), ""]
    lines.append(f"{'slowest':<16}{'seconds':>10}   of {tally.seconds:,.1f} in all")
    lines += [f"{spent:>26.4f}   {name}" for spent, name in tally.slowest]
    return lines


def _rows(head: str, counts: Mapping[str, int], *, bars: bool = False) -> Iterator[str]:
    yield f"{head:<16}{'records':>10}"
    largest = max(counts.values(), default=0)
    for name, count in counts.items():
        bar = f"   {_draw(count / largest)}" if bars and count else ""
        yield f"{name:<16}{count:>10,}{bar}"


def _draw(share: float) -> str:
    eighths = max(1, round(share * _BAR * 8))
    return "█" * (eighths // 8) + _EIGHTHS[eighths % 8].strip()


def _name_digits(digits: int) -> str:
    if digits < 2:
        return "1-9" if digits else "none"
    return f"{10 ** (digits - 1):,}-{10**digits - 1:,}" if digits < 5 else f"10^{digits - 1}"
