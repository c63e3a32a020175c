"""Findings: greedy, beam and optimum under seven objectives, and the room left, on every corpus."""

from __future__ import annotations

import csv
import gzip
import hashlib
import io
import os
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

import findings_page
from findings_page import (
    COLOURS,
    ROOT,
    Progress,
    is_current,
    read_rows,
    read_signatures,
    save_figure,
    sign,
    write_rows,
    write_table,
)
from oraclesum.cli.verbs.reproduce import OBJECTIVES
from oraclesum.experiments.corpus import read_corpus
from oraclesum.experiments.published import load_published
from oraclesum.experiments.results import Results
from oraclesum.experiments.run import run_experiment
from oraclesum.experiments.settings import Experiment
from oraclesum.experiments.tables_objectives import (
    tabulate_lengths,
    tabulate_near,
    tabulate_objectives,
    tabulate_positions,
    tabulate_transfer,
)
from oraclesum.experiments.tables_room import tabulate_room
from oraclesum.experiments.tables_scores import tabulate_corpus
from oraclesum.report.grid import Grid, show_power
from oraclesum.report.markup import to_csv
from oraclesum.signature import extend_signature

SCRATCH = ROOT / "build" / "findings"  # measurements of single topics, to resume from
SYSTEMS = ("lead", "frequency", "centroid", "concept-coverage")
SEED = 0
TABLES = {
    "corpora": tabulate_corpus,
    "objectives": tabulate_objectives,
    "near": tabulate_near,
    "transfer": tabulate_transfer,
    "positions": tabulate_positions,
    "lengths": tabulate_lengths,
    "room": tabulate_room,
}
RATIO = "words to the reference's"
PICTURE_NAMES = {"objectives", "transfer", "near", "positions", "room"}
MAIN = "r1-f1+r2-f1"  # what labels are usually made with
Row = dict[str, str]


@dataclass(frozen=True, kw_only=True)
class Source:
    """A corpus, the limit its users set, and the seconds that each search gets."""

    name: str
    file: str
    kind: str
    limit: Mapping[str, int]
    seconds: float
    language: str | None = None
    sample: int | None = None  # so many topics, drawn by the seed; None: all of them


SOURCES = (
    Source(
        name="CNN/DM",
        file="cnndm_news_3000.jsonl.gz",
        kind="news",
        limit={"max_sentences": 3},
        seconds=2,
    ),
    Source(
        name="SummEval", file="summeval.jsonl", kind="news", limit={"max_sentences": 3}, seconds=2
    ),
    Source(
        name="MultiLing English",
        file="multiling2011_english.jsonl",
        kind="news, 10 documents",
        limit={"max_words": 250},
        seconds=3,
    ),
    Source(
        name="MultiLing French",
        file="multiling2011_french.jsonl",
        kind="news, 10 documents",
        limit={"max_words": 250},
        seconds=3,
        language="fr",
    ),
    Source(
        name="CL-SciSumm",
        file="clscisumm2018_train.jsonl",
        kind="papers",
        limit={"max_words": 150},
        seconds=3,
    ),
    Source(
        name="Opinosis",
        file="opinosis_20.jsonl",
        kind="reviews",
        limit={"max_words": 25},
        seconds=3,
    ),
    Source(
        name="SQuALITY",
        file="squality_plot_train.jsonl",
        kind="stories",
        limit={"max_words": 250},
        seconds=2,
        sample=20,
    ),
)


def make_experiment(source: Source) -> Experiment:
    """The settings of a corpus."""
    return Experiment(
        **source.limit,
        language=source.language,
        systems=SYSTEMS,
        draws=10,  # Table 6 is not among these tables
        seed=SEED,
        time_limit=source.seconds,
        baseline_time_limit=0,
        objectives=OBJECTIVES,
        objective_time_limit=source.seconds,
    )


def sign_source(source: Source, data: Path, most: int | None) -> str:
    """Every setting that moves a number, and a digest of the corpus."""
    content = (data / source.file).read_bytes()
    digest = hashlib.sha256(content).hexdigest()[:12]
    lines = gzip.decompress(content) if source.file.endswith(".gz") else content
    number = len(lines.splitlines())
    sample = min(number, source.sample or number, most or number)
    return extend_signature(
        make_experiment(source).signature,
        ("sample", "all" if sample == number else str(sample)),
        ("data", digest),
    )


def run(folder: Path, progress: Progress, *, most: int | None = None, jobs: int = 2) -> None:
    """Measure every corpus, at most `most` topics of each, and write the tables and pictures."""
    data = Path(os.environ.get("ORACLESUM_SHARED", ROOT.parent / "shared")) / "data"
    changed = bool(PICTURE_NAMES - {path.stem for path in findings_page.PICTURES.glob("*.svg")})
    for source in SOURCES:
        signature = sign_source(source, data, most)
        files = [folder / f"objectives-{table}.csv" for table in TABLES]
        if is_current(folder, source.name, signature, files):
            progress(f"objectives: {source.name} is there already")
            continue
        results = measure(source, data, signature, progress, most, jobs)
        for table, tabulate in TABLES.items():
            add_rows(folder / f"objectives-{table}.csv", source.name, tabulate(results))
        sign(folder, source.name, signature)
        changed = True
    if changed:
        draw(folder)


def measure(
    source: Source, data: Path, signature: str, progress: Progress, most: int | None, jobs: int
) -> Results:
    """The results of a corpus; what an earlier run measured is taken from the scratch folder."""
    corpus = read_corpus(str(data / source.file), language=source.language)
    topics = list(corpus.topics)
    number = min(len(topics), source.sample or len(topics), most or len(topics))
    if number < len(topics):
        chosen = sorted(random.Random(SEED).sample(range(len(topics)), number))
        topics = [topics[k] for k in chosen]
    experiment = make_experiment(source)
    scratch = SCRATCH / hashlib.sha256(signature.encode()).hexdigest()[:16]
    step = max(1, number // 10)

    def report(done: int, total: int, text: str) -> None:
        if text or done % step == 0 or done == total:
            progress(f"objectives: {source.name}, {done:,} of {total:,} topics {text}".rstrip())

    measured = run_experiment(topics, experiment, folder=scratch, jobs=jobs, report=report)
    return Results(
        corpus=source.name,
        measured=measured,
        experiment=experiment,
        published=load_published(None),
    )


# Results as CSV: a table for all corpora, which a corpus replaces its own rows of.


def add_rows(path: Path, corpus: str, grid: Grid | None) -> None:
    """Put the rows of a corpus in their place."""
    assert grid is not None
    order = {source.name: k for k, source in enumerate(SOURCES)}
    kept = [row for row in read_rows(path) if row["corpus"] != corpus]
    kept += [{**row, "corpus": corpus} for row in csv.DictReader(io.StringIO(to_csv(grid)))]
    kept.sort(key=lambda row: order.get(row["corpus"], len(order)))
    names = list(dict.fromkeys(["corpus", *(name for row in kept for name in row)]))
    write_rows(path, names, kept)


class Table:
    """The rows of one table by corpus and first column."""

    def __init__(self, folder: Path, name: str, key: str) -> None:
        self.rows = read_rows(folder / f"objectives-{name}.csv")
        self._found = {(row["corpus"], row[key]): row for row in self.rows}

    @property
    def corpora(self) -> list[str]:
        return list(dict.fromkeys(row["corpus"] for row in self.rows))

    def number(self, corpus: str, key: str, column: str) -> float:
        return float(self._found[corpus, key][column] or "nan")

    def is_bound(self, corpus: str, key: str, column: str) -> bool:
        return bool(self._found[corpus, key].get(f"{column} bound"))

    def show(self, corpus: str, key: str, column: str, style: str = "ratio") -> str:
        row = self._found[corpus, key]
        if not row[column]:
            return "-"
        text = show_number(row[column], style)
        return {"lower": "≥ ", "upper": "≤ "}.get(row.get(f"{column} bound", ""), "") + text


def show_number(text: str, style: str = "ratio") -> str:
    """A number as the page shows it."""
    if style == "percent":
        return f"{100 * float(text):.0f} %"
    if style == "power":
        number = float(text) if "." in text else int(text)
        digits, exponent = show_power(number)
        return f"{digits}·10<sup>{exponent}</sup>" if exponent else digits
    return f"{float(text):.3f}"


# The page.


def describe(folder: Path) -> dict[str, str]:
    """The blocks of the page, from the CSV files alone."""
    return {
        "corpora": describe_corpora(folder),
        "objectives": describe_objectives(folder),
        "transfer": describe_transfer(folder),
        "near": describe_near(folder),
        "room": describe_room(folder),
        "versions": describe_versions(folder),
    }


def describe_corpora(folder: Path) -> str:
    table = Table(folder, "corpora", "corpus")
    proven = Table(folder, "objectives", "objective")
    rows = []
    for source in SOURCES:
        if source.name not in table.corpora:
            continue
        row = next(row for row in table.rows if row["corpus"] == source.name)
        rates = [proven.number(source.name, name, "proven") for name in OBJECTIVES]
        rows.append(
            (
                source.name,
                source.kind,
                f"{int(row['topics']):,}",
                f"{float(row['sents']):g}",
                f"{int(row['refs']) / int(row['topics']):.1f}",
                row["length"],
                f"{source.seconds:g} s",
                f"{100 * fmean(rates):.1f} %",
                "; ".join(
                    f"{name} {100 * rate:.0f} %"
                    for name, rate in zip(OBJECTIVES, rates, strict=True)
                    if rate < 1
                )
                or "-",
            )
        )
    heads = (
        "corpus",
        "texts",
        "topics",
        "sentences (median)",
        "references each",
        "limit",
        "time per search",
        "optima proven",
        "objectives with less than all proven",
    )
    return write_table(heads, rows, left=2)


def describe_objectives(folder: Path) -> str:
    table = Table(folder, "objectives", "objective")

    def tabulate(heuristic: str) -> str:
        rows = [
            (
                corpus,
                *(
                    f"{table.show(corpus, name, f'{heuristic} share')} "
                    f"({table.show(corpus, name, f'{heuristic} optimal', 'percent')})"
                    for name in OBJECTIVES
                ),
            )
            for corpus in table.corpora
        ]
        return write_table(("corpus", *OBJECTIVES), rows)

    shares, alike = (_list(table, f"greedy {of}") for of in ("share", "with optima Jaccard"))
    hits, beams = (_list(table, f"{heuristic} optimal") for heuristic in ("greedy", "beam 3"))
    news = table.corpora[0]
    return "\n\n".join(
        [
            "Greedy's share of the best score, mean over topics, and in brackets the share of "
            "topics on which it is proven to be optimal:",
            tabulate("greedy"),
            "A beam of three:",
            tabulate("beam 3"),
            "![Share of topics on which greedy and a beam of three are optimal, by corpus and "
            "objective](pictures/findings/objectives.svg)",
            "Open circles are lower bounds.",
            "*What follows.* Over the corpora and objectives whose optima are all proven, greedy's "
            f"mean score is {_range(shares)} of the optimum, and it is optimal on "
            f"{_range(hits, 'percent')} of the topics (a beam of three: "
            f"{_range(beams, 'percent')}). Its Jaccard index with the optima is "
            f"{_range(alike)}. Under {MAIN} on {news}, what most training labels are made with, "
            "greedy has "
            f"{table.show(news, MAIN, 'greedy share')} of the optimum and is optimal on "
            f"{table.show(news, MAIN, 'greedy optimal', 'percent')} of the articles, the beam on "
            f"{table.show(news, MAIN, 'beam 3 optimal', 'percent')}; the sentences of greedy and "
            "optimum have a Jaccard index of "
            f"{table.show(news, MAIN, 'greedy with optima Jaccard')} there. So a share "
            "near 1 in a table of scores does not mean that the labels are the same.",
        ]
    )


def describe_transfer(folder: Path) -> str:
    transfer = Table(folder, "transfer", "optimum of")
    lengths = Table(folder, "lengths", "objective")
    places = Table(folder, "positions", "objective")
    corpora = transfer.corpora
    news = corpora[0]

    def under(corpus: str, own: str, other: str) -> str:
        return transfer.show(corpus, own, f"scored by {other}")

    matrix = [(own, *(under(news, own, other) for other in OBJECTIVES)) for own in OBJECTIVES]
    to_main = [
        (corpus, *(under(corpus, own, MAIN) for own in OBJECTIVES if own != MAIN))
        for corpus in corpora
    ]
    words = [
        (
            corpus,
            f"{lengths.number(corpus, 'reference', 'words mean'):.0f}",
            *(f"{lengths.number(corpus, own, RATIO):.2f}" for own in OBJECTIVES),
        )
        for corpus in corpora
    ]
    lead = [
        (
            corpus,
            *(places.show(corpus, own, "first 10 %", "percent") for own in OBJECTIVES),
            places.show(corpus, "all sentences", "first 10 %", "percent"),
        )
        for corpus in corpora
    ]
    others = [own for own in OBJECTIVES if own != MAIN]
    worst = min((transfer.number(news, own, f"scored by {MAIN}"), own) for own in others)
    greedy = Table(folder, "objectives", "objective").number(news, MAIN, "greedy share")
    more = "more" if worst[0] < greedy else "less"
    recall, ratio = (
        [lengths.number(corpus, own, RATIO) for corpus in corpora for own in names]
        for names in (OBJECTIVES[:2], OBJECTIVES[2:])
    )
    return "\n\n".join(
        [
            "What the optima of one objective (rows) have under another (columns), as a share of "
            f"the best score there, on {news}:",
            write_table(("optimum of", *OBJECTIVES), matrix),
            f"The same on every corpus, scored by {MAIN}:",
            write_table(("corpus", *others), to_main),
            "![Score of one objective's optima under another, by corpus]"
            "(pictures/findings/transfer.svg)",
            "Words of the optima as a multiple of the reference's:",
            write_table(("corpus", "words of a reference", *OBJECTIVES), words),
            "Lead bias, the share of the optima's sentences that stand in the first tenth of their "
            "document (last column: of all sentences):",
            write_table(("corpus", *OBJECTIVES, "all sentences"), lead),
            "![Where in their documents the sentences of optima are]"
            "(pictures/findings/positions.svg)",
            f"*What follows.* On {news} the wrong objective costs {more} than greedy does: the "
            f"optima of {worst[1]} have {worst[0]:.3f} of the best {MAIN}, greedy for {MAIN} "
            f"itself {greedy:.3f}. Optima of recall have {_range(recall, 'plain')} times "
            "the words of a reference, as the limit of each corpus allows; those of F-measures "
            f"{_range(ratio, 'plain')} times.",
        ]
    )


def describe_near(folder: Path) -> str:
    table = Table(folder, "near", "objective")
    columns = ("optima median", "within 0.5 points median", "within 1 point median")
    rows = [
        (
            corpus,
            *(
                " / ".join(table.show(corpus, name, column, "power") for column in columns)
                for name in OBJECTIVES
            ),
        )
        for corpus in table.corpora
    ]
    news = table.corpora[0]
    several = [
        table.show(news, MAIN, f"{group} several", "percent")
        for group in ("optima", "within 0.5 points", "within 1 point")
    ]
    recall = table.show(news, "r2-recall", "optima several", "percent")
    return "\n\n".join(
        [
            "Median number of optima / of sets within 0.5 points / within 1 point of the best "
            "score (a point is 0.01):",
            write_table(("corpus", *OBJECTIVES), rows),
            "![Median number of sets within a distance of the best score]"
            "(pictures/findings/near.svg)",
            f"For {MAIN}; open circles are lower bounds.",
            f"*What follows.* On {news}, {recall} of the articles have several optima under "
            f"r2-recall, and {several[0]} under {MAIN}; within half a point of the best {MAIN}, "
            f"{several[1]} have several sets, within one point {several[2]}. If many sets are "
            "about as good, the labels of one of them, greedy or optimal, are one draw of many.",
        ]
    )


def describe_room(folder: Path) -> str:
    rows = []
    for row in read_rows(folder / "objectives-room.csv"):
        p = float(row["p (Holm)"])
        bound = row.get("p (Holm) bound", "") == "upper"
        rows.append(
            (
                row["corpus"],
                row["measure"],
                row["against"],
                row["topics"],
                f"{float(row['oracle']):.3f}",
                f"{float(row['other']):.3f}",
                f"{float(row['difference']):.3f} [{float(row['difference low']):.3f}, "
                f"{float(row['difference high']):.3f}]",
                f"{float(row['ratio']):.3f}",
                f"{row['oracle above']} / {row['below']}",
                f"{'≤ ' if bound else ''}{p:.4f}",
            )
        )
    heads = (
        "corpus",
        "measure",
        "against",
        "topics",
        "oracle",
        "other",
        "difference",
        "ratio",
        "topics above / below",
        "p (Holm)",
    )
    every = read_rows(folder / "objectives-room.csv")
    greedy = [float(row["ratio"]) for row in every if row["against"] == "greedy"]
    systems = [float(row["ratio"]) for row in every if row["against"] != "greedy"]
    return "\n\n".join(
        [
            write_table(heads, rows, left=3),
            "![Recall of the oracle, of greedy and of the best system, by corpus]"
            "(pictures/findings/room.svg)",
            "*What follows.* The best systems have "
            f"{_range(systems)} of the oracle's recall, greedy {_range(greedy)}. After correction "
            f"within each corpus, {_count_below(every, 'greedy')} of the differences to greedy and "
            f"{_count_below(every, 'system')} of those to the best system are significant at 0.05. "
            "An oracle is at least as good as any extract by definition: the size of a difference "
            "says more than its p.",
        ]
    )


def _count_below(rows: Iterable[Row], against: str) -> str:
    """How many comparisons of a kind have p below 0.05, of how many."""
    own = [row for row in rows if (row["against"] == "greedy") == (against == "greedy")]
    return f"{sum(float(row['p (Holm)']) < 0.05 for row in own)} of {len(own)}"


def describe_versions(folder: Path) -> str:
    every = read_signatures(folder)
    rows = []
    for part, record in every.items():
        versions = ", ".join(f"{name} {number}" for name, number in record["versions"].items())
        rows.append((part, f"`{record['signature'].replace('|', ' ')}`", versions))
    return write_table(("part", "signature", "versions"), rows, left=3)


def _list(table: Table, column: str) -> list[float]:
    """The numbers of a column, of the corpora and objectives whose optima are all proven."""
    return [
        table.number(corpus, name, column)
        for corpus in table.corpora
        for name in OBJECTIVES
        if table.number(corpus, name, "proven") == 1
    ]


def _range(values: Iterable[float], style: str = "ratio") -> str:
    known = [value for value in values if value == value]
    low, high = min(known), max(known)
    if style == "percent":
        return f"{100 * low:.0f} to {100 * high:.0f} %"
    if style == "plain":
        return f"{low:.2f} to {high:.2f}"
    return f"{low:.3f} to {high:.3f}"


# The pictures.


def draw(folder: Path) -> None:
    """All pictures of this part, from the CSV files alone."""
    import matplotlib

    matplotlib.use("Agg")
    draw_objectives(folder)
    draw_transfer(folder)
    draw_near(folder)
    draw_positions(folder)
    draw_room(folder)


def draw_objectives(folder: Path) -> None:
    from matplotlib import pyplot

    table = Table(folder, "objectives", "objective")
    figure, panels = pyplot.subplots(1, 2, figsize=(10, 3.6), sharey=True)
    for panel, heuristic in zip(panels, ("greedy", "beam 3"), strict=True):
        for k, corpus in enumerate(table.corpora):
            places = [(corpus, name, f"{heuristic} optimal") for name in OBJECTIVES]
            _mark(panel, range(len(OBJECTIVES)), table, places, COLOURS[k])
        panel.set_title(heuristic)
        panel.set_xticks(range(len(OBJECTIVES)), OBJECTIVES, rotation=35, ha="right", fontsize=8)
        panel.set_ylim(0, 1)
        panel.grid(alpha=0.3)
    panels[0].set_ylabel("share of topics, proven optimal")
    panels[1].legend(fontsize=8, loc="center left", bbox_to_anchor=(1, 0.5))
    _finish(figure, "objectives")


def _mark(
    panel: Any,
    where: Iterable[float],
    table: Table,
    places: Sequence[tuple[str, str, str]],
    colour: str,
) -> None:
    """A line through the numbers of a corpus; what is only a bound is an open circle."""
    x, y = list(where), [table.number(*place) for place in places]
    panel.plot(x, y, "-", color=colour, lw=0.8)
    bounds = [table.is_bound(*place) for place in places]
    for open_, fill in ((False, colour), (True, "white")):
        points = [(a, b) for a, b, bound in zip(x, y, bounds, strict=True) if bound == open_]
        panel.plot(
            [a for a, _ in points],
            [b for _, b in points],
            "o",
            color=colour,
            markerfacecolor=fill,
            label=None if open_ else places[0][0],
        )


def draw_transfer(folder: Path) -> None:
    from matplotlib import pyplot

    table = Table(folder, "transfer", "optimum of")
    wanted = [c for c in ("CNN/DM", "MultiLing English", "CL-SciSumm") if c in table.corpora]
    wanted = wanted or table.corpora[:1]
    figure, panels = pyplot.subplots(1, len(wanted), figsize=(4.4 * len(wanted), 4), squeeze=False)
    for panel, corpus in zip(panels[0], wanted, strict=True):
        values = [
            [table.number(corpus, own, f"scored by {other}") for other in OBJECTIVES]
            for own in OBJECTIVES
        ]
        panel.imshow(values, cmap="Blues", vmin=0.6, vmax=1)
        for y, line in enumerate(values):
            for x, value in enumerate(line):
                colour = "white" if value > 0.85 else "black"
                panel.text(x, y, f"{value:.2f}", ha="center", va="center", color=colour, fontsize=7)
        panel.set_xticks(range(len(OBJECTIVES)), OBJECTIVES, rotation=35, ha="right", fontsize=7)
        panel.set_yticks(range(len(OBJECTIVES)), OBJECTIVES, fontsize=7)
        panel.set_title(corpus, fontsize=10)
        panel.set_xlabel("scored by", fontsize=8)
    panels[0][0].set_ylabel("optimum of", fontsize=8)
    figure.tight_layout()
    _finish(figure, "transfer")


def draw_near(folder: Path) -> None:
    from matplotlib import pyplot

    table = Table(folder, "near", "objective")
    columns = ("optima median", "within 0.5 points median", "within 1 point median")
    figure, panel = pyplot.subplots(figsize=(6, 3.6))
    for k, corpus in enumerate(table.corpora):
        _mark(panel, (0, 0.5, 1), table, [(corpus, MAIN, c) for c in columns], COLOURS[k])
    panel.set_yscale("log")
    panel.set_xticks((0, 0.5, 1))
    panel.set_xlabel("points below the best score at most")
    panel.set_ylabel(f"median number of sets, {MAIN}")
    panel.grid(alpha=0.3)
    panel.legend(fontsize=8, loc="center left", bbox_to_anchor=(1, 0.5))
    _finish(figure, "near")


def draw_positions(folder: Path) -> None:
    from matplotlib import pyplot

    table = Table(folder, "positions", "objective")
    parts = ("first 10 %", "10 to 20 %", "20 to 50 %", "50 to 100 %")
    shades = ("#08519c", "#4292c6", "#9ecae1", "#deebf7")
    figure, panel = pyplot.subplots(figsize=(8, 3.6))
    bars = [(corpus, key) for corpus in table.corpora for key in (MAIN, "all sentences")]
    for y, (corpus, key) in enumerate(bars):
        left = 0.0
        for part, shade in zip(parts, shades, strict=True):
            width = table.number(corpus, key, part)
            label = part if y == 0 else None
            panel.barh(-y - (y // 2) * 0.5, width, left=left, color=shade, label=label)
            left += width
    names = [corpus if key == MAIN else "all sentences" for corpus, key in bars]
    panel.set_yticks([-y - (y // 2) * 0.5 for y in range(len(bars))], names, fontsize=8)
    panel.set_xlim(0, 1)
    panel.set_xlabel(f"share of the sentences of optima ({MAIN}), by part of the document")
    panel.legend(fontsize=8, loc="center left", bbox_to_anchor=(1, 0.5))
    _finish(figure, "positions")


def draw_room(folder: Path) -> None:
    from matplotlib import pyplot

    rows = read_rows(folder / "objectives-room.csv")
    corpora = list(dict.fromkeys(row["corpus"] for row in rows))
    measures = list(dict.fromkeys(row["measure"] for row in rows))
    figure, panels = pyplot.subplots(1, len(measures), figsize=(10, 3.4), sharey=True)
    for panel, measure_name in zip(panels, measures, strict=True):
        for y, corpus in enumerate(corpora):
            own = [r for r in rows if (r["corpus"], r["measure"]) == (corpus, measure_name)]
            points = [("oracle", float(own[0]["oracle"]), "D", COLOURS[0])]
            for row in own:
                greedy = row["against"] == "greedy"
                label, mark = ("greedy", "o") if greedy else ("best system", "s")
                colour = COLOURS[4] if greedy else COLOURS[1]
                points.append((label, float(row["other"]), mark, colour))
            values = [value for _, value, _, _ in points]
            panel.plot([min(values), max(values)], [-y, -y], color="#bbbbbb", zorder=0)
            for label, value, mark, colour in points:
                panel.plot(value, -y, mark, color=colour, label=label if y == 0 else None, ms=6)
        panel.set_title(measure_name, fontsize=10)
        panel.set_yticks([-y for y in range(len(corpora))], corpora, fontsize=8)
        panel.grid(alpha=0.3)
    panels[-1].legend(fontsize=8, loc="center left", bbox_to_anchor=(1, 0.5))
    _finish(figure, "room")


def _finish(figure: Any, name: str) -> None:
    from matplotlib import pyplot

    save_figure(figure, name)
    pyplot.close(figure)
