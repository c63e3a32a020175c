"""Tables 1 to 3: the corpus, the oracles beside greedy and the best peer, named systems."""

from __future__ import annotations

from statistics import fmean

from ..evaluation.share import measure_share
from ..report.grid import EMPTY, Cell, Grid, Head
from .results import Results, beside_paper, median, name_number

__all__ = ["tabulate_corpus", "tabulate_details", "tabulate_scores", "tabulate_systems"]


def tabulate_corpus(results: Results) -> Grid:
    """Table 1: topics and references in all; documents, sentences and words of the median topic."""
    names = ("topics", "documents", "sentences", "words", "references", "length")
    topics = results.topics
    ours = [
        Cell(value=len(topics), style="count"),
        *(
            Cell(value=median(topic[name] for topic in topics), style="count")
            for name in ("documents", "sentences", "words")
        ),
        Cell(value=sum(topic["references"] for topic in topics), style="count"),
        Cell(value=results.experiment.length),
    ]
    rows = [(Cell(value=results.corpus), *ours)]
    if results.published.year is not None:
        figures = results.published.get("statistics")
        paper = [Cell(value=figures[name], style="count") for name in names]
        rows.append((Cell(value=f"paper, DUC {results.published.year}"), *paper))
    heads = [Head(name="corpus", right=False)]
    heads += [Head(name=name) for name in ("topics", "docs", "sents", "words", "refs", "length")]
    return Grid(
        key="table1",
        title="Table 1: the corpus (documents, sentences and words: median over topics)",
        heads=tuple(heads),
        rows=tuple(rows),
    )


def tabulate_scores(results: Results) -> Grid:
    """Table 2: mean ROUGE of the oracles, of the greedy summaries and of the best system."""
    measures = results.experiment.measures
    heads, lay_out = beside_paper(results, [f"ROUGE-{n} recall" for n in measures])

    def scores(field: str, kind: str, published: str | None) -> list[Cell]:
        mine = [
            Cell(
                value=results.mean(n, kind, lambda c: c[field] / c["total"]),
                style="ratio",
                at_least=field == "hits" and _has_unproven(results, n, kind),
            )
            for n in measures
        ]
        theirs = [
            Cell(value=results.published.get("scores", published or "", str(n)), style="ratio")
            for n in measures
        ]
        return lay_out(mine, theirs)

    rows = [
        [Cell(value="Oracle (multi)"), *scores("hits", "multi", "oracle_multi")],
        [Cell(value="Oracle (single)"), *scores("hits", "single", "oracle_single")],
        [Cell(value="Greedy (multi)"), *scores("greedy_hits", "multi", "greedy")],
        [Cell(value="Greedy (single)"), *scores("greedy_hits", "single", None)],
    ]
    best = {n: results.best_peer(n) for n in measures}
    notes = []
    if any(best.values()):
        mine = [
            Cell(value=results.rouge(name, n), style="ratio") if name is not None else EMPTY
            for n, name in best.items()
        ]
        theirs = [
            Cell(value=results.published.get("scores", "peer", str(n)), style="ratio")
            for n in measures
        ]
        ids = [Cell(value=name) for name in best.values()]
        their_ids = [Cell(value=results.published.get("best_peer", str(n))) for n in measures]
        rows.append([Cell(value="Best peer"), *lay_out(mine, theirs)])
        rows.append([Cell(value="ID of the best peer"), *lay_out(ids, their_ids)])
        notes.append(
            "Peers are scored as ROUGE-1.5.5 does (n-grams across sentences), cut to the length "
            "limit; oracles and greedy summaries inside sentences."
        )
    unproven = sum(not case["proven"] for case in results.stopped())
    if unproven:
        optima = name_number(unproven, "optimum is", "optima are")
        notes.append(f"{optima} not proven: the time limit was hit; means are lower bounds (≥).")
    return Grid(
        key="table2",
        title="Table 2: mean ROUGE recall of oracle, greedy and system summaries",
        heads=(Head(name="summary", right=False), *heads),
        rows=tuple(map(tuple, rows)),
        notes=tuple(notes),
        rules=frozenset({4}) if len(rows) > 4 else frozenset(),
    )


def _has_unproven(results: Results, n: int, kind: str) -> bool:
    return any(not case["proven"] for case in results.cases(n, kind))


def tabulate_systems(results: Results) -> Grid | None:
    """Table 3: the oracles against every system by name; None if there is no system."""
    if not results.systems:
        return None
    measures = results.experiment.measures
    heads, lay_out = beside_paper(results, [f"ROUGE-{n} recall" for n in measures])
    rows = []
    for kind in ("multi", "single"):
        mine = [
            Cell(
                value=results.mean(n, kind, lambda c: c["hits"] / c["total"]),
                style="ratio",
                at_least=_has_unproven(results, n, kind),
            )
            for n in measures
        ]
        theirs = [
            Cell(value=results.published.get("scores", f"oracle_{kind}", str(n)), style="ratio")
            for n in measures
        ]
        rows.append((Cell(value=f"Oracle ({kind})"), *lay_out(mine, theirs)))
    best = {n: max(results.rouge(name, n) for name in results.systems) for n in measures}
    last = measures[-1]
    for name in sorted(results.systems, key=lambda name: -results.rouge(name, last)):
        mine = []
        for n in measures:
            score = results.rouge(name, n)
            mine.append(Cell(value=score, style="ratio", digits=4, best=score == best[n]))
        theirs = [
            Cell(value=results.published.get("systems", name, str(n)), style="ratio", digits=4)
            for n in measures
        ]
        rows.append((Cell(value=name), *lay_out(mine, theirs)))
    for name in results.published.get("systems") or ():
        if name not in results.systems:
            theirs = [
                Cell(value=results.published.get("systems", name, str(n)), style="ratio", digits=4)
                for n in measures
            ]
            rows.append((Cell(value=name), *lay_out([EMPTY] * len(measures), theirs)))
    notes = results.note_unproven("means of oracles with those are lower bounds (≥)")
    if any(results.systems.values()):
        notes.insert(0, "Systems called oraclesum/... are ours, run without references.")
    return Grid(
        key="table3",
        title="Table 3: oracles against systems by name (mean ROUGE recall)",
        heads=(Head(name="system", right=False), *heads),
        rows=tuple(rows),
        notes=tuple(notes),
        rules=frozenset({2}),
    )


def tabulate_details(results: Results) -> Grid | None:
    """What Table 3 leaves out: share of the oracle, P, R and F against all oracles, length."""
    if not results.systems:
        return None
    heads = [Head(name="system", right=False)]
    for n in results.experiment.measures:
        heads += [Head(name=name, group=f"ROUGE-{n} recall") for name in ("share", "P", "R", "F")]
    heads += [Head(name="words"), Head(name="aligned")]
    rows = []
    lengths = {}
    for name in results.systems:
        cells = [Cell(value=name)]
        for n in results.experiment.measures:
            share = results.system_mean(
                name,
                n,
                "multi",
                lambda row, case: measure_share(row["objective_hits"], case["hits"]),
            )
            cells.append(Cell(value=share, style="ratio"))
            for field in ("precision", "recall", "f_measure"):
                mean = results.system_mean(name, n, "multi", lambda row, _, f=field: row[f])  # type: ignore[misc]  # the default binds the loop's name
                cells.append(Cell(value=mean, style="ratio"))
        known = [t["summaries"][name] for t in results.topics if name in t["summaries"]]
        lengths[name] = fmean(summary["words"] for summary in known)
        cells.append(Cell(value=round(lengths[name]), style="count"))
        cells.append(Cell(value=fmean(s["coverage"] for s in known), style="ratio"))
        rows.append(tuple(cells))
    from ..evaluation.averages import note_lengths

    note = note_lengths(lengths)
    notes = ["All references together; P, R and F are averages over all oracles."]
    if stopped := results.note_stopped(
        "P, R and F are there against the oracles found by then, share against the best score "
        "found",
        "multi",
    ):
        notes = ["All references together; P, R and F are averages over all oracles found."]
        notes += stopped
    notes += [note[0].upper() + note[1:] + "."] if note else []
    return Grid(
        key="systems",
        title="Systems in detail: share of the oracle's hits; P, R, F against the oracles",
        heads=tuple(heads),
        rows=tuple(rows),
        notes=tuple(notes),
    )
