"""Sums over the records of a run that can be added up shard by shard: scores, families, times."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from ..answers import Answer, ErrorRecord, Output

__all__ = ["SLOWEST", "Tally"]

SLOWEST = 10
_SCORE_BINS = 10


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

    def add(self, answers: Iterable[Answer[Output]]) -> None:
        """Take the answers to some documents."""
        timed = []
        for answer in answers:
            self.documents += 1
            spent = 0.0
            for row in answer.rows:
                self._add_record(row.record)
                spent += row.seconds
            self.seconds += spent
            if answer.rows:
                timed.append((spent, str(answer.rows[0].record.id)))
        self.slowest = heapq.nlargest(SLOWEST, [*self.slowest, *timed])

    def _add_record(self, record: Output) -> None:
        self.records += 1
        self.statuses[record.status] += 1
        if not isinstance(record, ErrorRecord):
            self.score_sum += record.score
            self.scores[min(int(record.score * _SCORE_BINS), _SCORE_BINS - 1)] += 1
            self.families[_count_digits(record.count)] += 1

    def merge(self, other: Tally) -> None:
        """Add the sums of other documents."""
        self.documents += other.documents
        self.records += other.records
        self.score_sum += other.score_sum
        self.seconds += other.seconds
        self.statuses += other.statuses
        self.scores += other.scores
        self.families += other.families
        self.slowest = heapq.nlargest(SLOWEST, [*self.slowest, *other.slowest])

    def to_json(self) -> dict[str, Any]:
        """The sums, and what they say on average."""
        answered = self.records - self.errors
        return {
            "documents": self.documents,
            "records": self.records,
            "errors": self.errors,
            "mean_score": self.score_sum / answered if answered else None,
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
