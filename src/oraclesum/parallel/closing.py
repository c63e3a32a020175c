"""The table at the end of a run over a corpus, for people: scores, families, limits hit, times."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from .tally import Tally

__all__ = ["summarise"]

_BAR = 30
_EIGHTHS = " ▏▎▍▌▋▊▉█"


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
    lines += [*_rows("oracles", families, bars=True), ""]
    lines.append(f"{'slowest':<16}{'seconds':>10}   of {tally.seconds:,.1f} in all")
    lines += [f"{spent:>26.4f}   {name}" for spent, name in tally.slowest]
    return lines


def _rows(head: str, counts: Mapping[str, int], *, bars: bool = False) -> Iterator[str]:
    yield f"{head:<16}{'records':>10}"
    most = max(counts.values(), default=0)
    for name, count in counts.items():
        bar = f"   {_draw(count / most)}" if bars and count else ""
        yield f"{name:<16}{count:>10,}{bar}"


def _draw(share: float) -> str:
    eighths = max(1, round(share * _BAR * 8))
    return "█" * (eighths // 8) + _EIGHTHS[eighths % 8].strip()


def _name_digits(digits: int) -> str:
    if digits < 2:
        return "1-9" if digits else "none"
    return f"{10 ** (digits - 1):,}-{10**digits - 1:,}" if digits < 5 else f"10^{digits - 1}"
