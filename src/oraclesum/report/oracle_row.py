"""The oracle row of a paper in one call: its numbers, tables, methods sentence and citations."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, Unpack

import orjson

from ..answers import Answerer, EnumerationTask, ErrorRecord, Json
from ..corpora import Caps, open_items
from ..errors import InputError, OraclesumWarning
from ..evaluation.upper_bound import (
    MAX_MEMBERS,
    PARTS,
    Cell,
    Row,
    UpperBoundTask,
    summarise_bounds,
)
from ..frozen import dataclass
from ..given import check_choice, check_list
from ..instances.limits import Limits
from ..labels.label import DEFAULT_OBJECTIVE, choose_family
from ..message import show_value
from ..notices import Told, warn
from ..oracles.api import FindTextKeywords
from ..rouge import Rouge, check_rouge
from ..rouge.printed import STATISTICS, STYLES
from ..runs.corpus import ask_corpus, choose_caller, make_reading
from ..runs.loop import answer_in_order
from ..signature import merge_signatures, package_version
from ..text import Preparation, Splitter
from ..whole import require_whole
from ..workers import MAX_JOBS
from .grid import Cell as GridCell
from .grid import Grid, Head
from .markup import escape_latex, to_latex, to_markdown

__all__ = ["UpperBound", "make_upper_bound", "read_upper_bound", "upper_bound", "write_bibtex"]

_BIBTEX = """@inproceedings{hirao-etal-2017-enumeration,
  title = {Enumeration of Extractive Oracle Summaries},
  author = {Hirao, Tsutomu and Nishino, Masaaki and Suzuki, Jun and Nagata, Masaaki},
  booktitle = {Proceedings of the 15th Conference of the European Chapter of the Association for
    Computational Linguistics: Volume 1, Long Papers},
  month = apr,
  year = {2017},
  address = {Valencia, Spain},
  publisher = {Association for Computational Linguistics},
  pages = {386--396},
  url = {https://aclanthology.org/E17-1037/},
}

@software{oraclesum,
  title = {oraclesum: exact extractive oracle summaries under ROUGE},
  author = {{The oraclesum developers}},
  version = {VERSION},
  year = {2026},
}"""
_NAMES = {"r1": "R1", "r2": "R2", "rl": "RL", "rlsum": "RLsum"}
_TITLES = {"recall": "recall", "precision": "precision", "f1": "F1"}
_ROWS = {"oracle": "oracle", "smallest": "smallest oracle", "largest": "largest oracle"}
_SYSTEM = "system "
_MAX_DIGITS = 15  # that a float has


def write_bibtex() -> str:
    """BibTeX of the paper whose problem is solved, and of this software."""
    return _BIBTEX.replace("VERSION", package_version())


@dataclass(frozen=True, kw_only=True)
class UpperBound:
    """The oracle row of a corpus, and the rows that stand beside it.

    `rows` has a row for each program ("rouge-score" and "rouge-1.5.5") and each of "oracle" (mean
    over all oracles of a document, then over documents), "smallest" and "largest" (of the oracles
    of a document), "greedy" and "system NAME". Every row has `cells[statistic, part]` with `mean`,
    `low` and `high`: "r1", "r2", "rl" or "rlsum", and "recall", "precision" or "f1".

    Examples
    --------
    >>> rows = [{"sentences": ["A cat sat.", "It rained."], "references": ["The cat sat."]}]
    >>> found = upper_bound(rows, max_sentences=1)
    >>> found["oracle"].cells["r1", "f1"].mean == found["greedy"].cells["r1", "f1"].mean
    True
    """

    rows: tuple[Row, ...]
    documents: int
    proven: int  # documents of which the optimum is proven
    enumerated: int  # documents of which all best sets are known
    methods: str  # the sentence for a paper
    signature: str
    errors: tuple[str, ...] = ()  # of records that could not be used

    def __getitem__(self, key: str | tuple[str, str]) -> Row:
        """The row of that name as rouge_score prints it, or as (program, name)."""
        match ("rouge-score", key) if isinstance(key, str) else key:
            case tuple((str(style), str(name))):
                found = self._find(style, name)
                shown = f"{show_value(name)} of {show_value(style)}"
            case _:
                found = None
                shown = show_value(key)
        if found is None:
            raise KeyError(f"there is no row {shown}; {self._list_rows()}")
        return found

    def _find(self, style: str, name: str) -> Row | None:
        for row in self.rows:
            if row.style == style and row.name in (name, _SYSTEM + name):
                return row
        return None

    def _list_rows(self) -> str:
        names = dict.fromkeys(row.name for row in self.rows)
        return f"there is {', '.join(names)}, each as {' and '.join(STYLES)} print it"

    def __str__(self) -> str:
        return self.to_text()

    @property
    def bibtex(self) -> str:
        """BibTeX of the paper whose problem is solved, and of this software."""
        return write_bibtex()

    @property
    def grids(self) -> list[Grid]:
        """A table for each program: F1 with its interval, then recall and precision."""
        return [self._make_grid(style) for style in STYLES]

    def to_text(self, width: int = 120) -> str:
        """The tables for a screen of so many columns, the sentence, and BibTeX."""
        from rich.console import Console

        from .grid_terminal import print_grid

        width = require_whole("width", width, least=1)
        out = io.StringIO()
        console = Console(file=out, width=width, highlight=False, color_system=None)
        for grid in self.grids:
            print_grid(grid, console)
        console.print(self.methods, "", self.bibtex, sep="\n", markup=False)
        return "\n".join(line.rstrip() for line in out.getvalue().splitlines()) + "\n"

    def to_markdown(self) -> str:
        """The tables, the sentence and BibTeX as Markdown."""
        parts = [*map(to_markdown, self.grids), self.methods, f"```bibtex\n{self.bibtex}\n```"]
        return "\n".join(parts) + "\n"

    def to_latex(self) -> str:
        """The tables (booktabs); as comments, the row alone, the sentence and BibTeX."""
        alone = f"The row alone, F1 in percent of R1, R2 and RLsum:\n{self.latex_row()}"
        comments = "\n".join(
            f"% {line}".rstrip()
            for part in (alone, self.methods, self.bibtex)
            for line in [*part.splitlines(), ""]
        )
        return "\n".join([*map(to_latex, self.grids), comments]) + "\n"

    def latex_row(
        self,
        name: str = "oracle",
        *,
        style: str = "rouge-score",
        statistics: Sequence[str] = ("r1", "r2", "rlsum"),
        part: Literal["recall", "precision", "f1"] = "f1",
        digits: int = 2,
    ) -> str:
        """One row for a table of your own: means in percent, as papers print them."""
        chosen = check_list("statistics", statistics, "a list of names")
        for each in chosen:
            check_choice("each of statistics", each, STATISTICS)
        check_choice("part", part, PARTS)
        check_choice("style", style, STYLES)
        digits = require_whole("digits", digits, least=0, most=_MAX_DIGITS)
        row = self._find(style, name) if isinstance(name, str) else None
        if row is None:
            raise InputError(f"name {show_value(name)} is no row; {self._list_rows()}")
        shown = row.name.removeprefix(_SYSTEM) if row.name.startswith(_SYSTEM) else row.name.title()
        cells = [f"{100 * row.cells[each, part].mean:.{digits}f}" for each in chosen]
        return " & ".join([escape_latex(shown), *cells]) + r" \\"

    def to_records(self) -> list[Json]:
        """A record per row, as `oraclesum upper-bound` writes them."""
        return [
            {
                "kind": "row",
                "status": "complete",
                "style": row.style,
                "row": row.name,
                "topics": row.topics,
                **_nest(row),
                "documents": self.documents,
                "proven": self.proven,
                "enumerated": self.enumerated,
                "methods": self.methods,
                "signature": self.signature,
            }
            for row in self.rows
        ]

    def to_json(self) -> str:
        """Everything as one JSON object."""
        whole = {
            "documents": self.documents,
            "proven": self.proven,
            "enumerated": self.enumerated,
            "methods": self.methods,
            "signature": self.signature,
            "bibtex": self.bibtex,
            "errors": list(self.errors),
            "rows": [
                {"style": row.style, "row": row.name, "topics": row.topics, **_nest(row)}
                for row in self.rows
            ],
        }
        return orjson.dumps(whole, option=orjson.OPT_INDENT_2).decode() + "\n"

    def _make_grid(self, style: str) -> Grid:
        own = [row for row in self.rows if row.style == style]
        parts = ("f1", "recall", "precision")
        heads = [Head(name="", right=False)]
        heads += [
            Head(name=name, group=_TITLES[part]) for part in parts for name in _NAMES.values()
        ]
        lines = []
        for row in own:
            cells = [GridCell(value=_ROWS.get(row.name, row.name.removeprefix(_SYSTEM)))]
            for part in parts:
                for name in _NAMES:
                    found = row.cells[name, part]
                    cell = GridCell(value=found.mean, style="ratio", digits=4)
                    if part == "f1":
                        cell = replace(cell, low=found.low, high=found.high)
                    cells.append(cell)
            lines.append(tuple(cells))
        return Grid(
            key=f"upper-bound-{style}",
            title=f"What extracts can score, as {STYLES[style].words} "
            f"({max((row.topics for row in own), default=0):,} documents)",
            heads=tuple(heads),
            rows=tuple(lines),
            rules=frozenset({sum(row.name in _ROWS for row in own)}),
        )


def _nest(row: Row) -> Json:
    """The cells as {statistic: {part: {"mean": …, "low": …, "high": …}}}."""
    nested: Json = {}
    for (statistic, part), cell in row.cells.items():
        nested.setdefault(statistic, {})[part] = {
            "mean": cell.mean,
            "low": cell.low,
            "high": cell.high,
        }
    return nested


def read_upper_bound(records: Sequence[Json], errors: Sequence[str] = ()) -> UpperBound:
    """The result again from what `to_records` gave."""
    first = records[0]
    return UpperBound(
        rows=tuple(
            Row(
                style=record["style"],
                name=record["row"],
                topics=record["topics"],
                cells={
                    (statistic, part): Cell(**record[statistic][part])
                    for statistic in STATISTICS
                    for part in PARTS
                },
            )
            for record in records
        ),
        documents=first["documents"],
        proven=first["proven"],
        enumerated=first["enumerated"],
        methods=first["methods"],
        signature=first["signature"],
        errors=tuple(errors),
    )


def make_upper_bound(records: Sequence[Json], asked: EnumerationTask) -> UpperBound | None:
    """The result from the records of `UpperBoundTask`; None if no topic was usable."""
    known = [record for record in records if "bounds" in record]
    if not known:
        return None
    signature = merge_signatures(record["signature"] for record in known)
    proven = sum(record["proven"] for record in known)
    enumerated = sum(record["status"] == "complete" for record in known)
    rows = summarise_bounds((record["bounds"] for record in known), seed=asked.options.seed)
    return UpperBound(
        rows=tuple(rows),
        documents=len(known),
        proven=proven,
        enumerated=enumerated,
        methods=_write_methods(
            asked.rouge,
            asked.limits,
            documents=len(known),
            proven=proven,
            enumerated=enumerated,
            unmet=_count_without("oracle", known),
            ungreedy=_count_without("greedy", known),
            drawn=sum(int(record["count"]) > MAX_MEMBERS for record in known),
            minimal=asked.options.family == "minimal",
            signature=signature,
        ),
        signature=signature,
        errors=tuple(record["error"] for record in records if record["status"] == "error"),
    )


def _count_without(row: str, records: Sequence[Json]) -> int:
    """In how many documents no set was found in time for this row."""
    return sum(row not in record["bounds"]["rouge-score"] for record in records)


def _write_methods(
    rouge: Rouge,
    limits: Limits,
    *,
    documents: int,
    proven: int,
    enumerated: int,
    unmet: int,
    ungreedy: int,
    drawn: int,
    minimal: bool,
    signature: str,
) -> str:
    """The sentence for a paper: what was maximised, how it was proven, by what."""
    said = limits.put_into_words()
    joints = {"within": "within sentences", "across": "across sentences"}[rouge.boundaries]
    every = f"all {documents:,}" if proven == documents else f"{proven:,} of {documents:,}"
    sets = "all minimal sets" if minimal else "all sets"
    found = f"and {sets} that reach it were enumerated"
    if enumerated < documents:
        found = f"and for {enumerated:,} {sets} that reach it were enumerated"
        if met := documents - enumerated - unmet:
            found += f", for {met:,} some of the best sets that were met in time"
        if unmet:
            found += f", for {unmet:,} no set was met in time, so no row of oracles counts them"
    sampled = (
        f" (of {MAX_MEMBERS:,} drawn uniformly for the {drawn:,} documents that have more)"
        if drawn
        else ""
    )
    cut_short = (
        f" The row of greedy leaves out {ungreedy:,} documents in which time ended it."
        if ungreedy
        else ""
    )
    return (
        f"Oracle summaries maximise {rouge.name} (n-grams {joints}, {rouge.counting} counts)"
        f"{' with ' + ' and '.join(said) if said else ' without a length limit'}. For {every} "
        f"documents the optimum was proven by branch and bound in exact arithmetic, {found} "
        f"(oraclesum {package_version()}; {signature}). Scores "
        f"are means over these sets of a document{sampled}, then over documents, with 95% "
        f"bootstrap intervals over documents.{cut_short}"
    )


def upper_bound(
    source: Any,
    *,
    rouge: Rouge | str | None = None,
    references: Literal["multi", "single"] = "multi",
    jobs: int = 1,
    format: str = "auto",
    split: str | Splitter | None = None,
    clean: str | None = None,
    record_bytes: int = Caps.record_bytes,
    columns: Mapping[str, str] | str | None = None,
    **keywords: Unpack[FindTextKeywords],
) -> UpperBound:
    """The oracle row of a paper: what extraction could reach on a corpus, proven.

    Parameters
    ----------
    source
        A path that `open_corpus` reads, "demo", a table (pandas, datasets, polars, pyarrow), or any
        iterable of mappings or Topics. `systems` of the records become rows of their own.
    rouge
        What the oracles maximise: a `Rouge`, or its objective or preset as text. Default:
        "r1-f1+r2-f1".
    max_words, max_sentences, …, time_limit, stop, family, threads, seed
        As for `find_oracle`, for each document; `costs`, `required` and `forbidden` are for one
        document and not taken. `family` is "minimal" for recall, else "all". The seed is also that
        of the bootstrap. Documents that `stop` leaves without a score are in `errors`.
    references, jobs, format, split, clean, record_bytes, columns
        As for `enumerate_corpus`.

    Returns
    -------
    UpperBound
        With `rows`, `documents`, `proven`, `methods` (the sentence for a paper), `bibtex`,
        `signature`, `errors`; as text by `str`, `to_markdown`, `to_latex`, `latex_row`, `to_json`.

    Raises
    ------
    InputError
        If a setting cannot be used, the source cannot be opened, or no record of it can be used.
        Some records that cannot be used are warnings, and in `errors`.

    Examples
    --------
    >>> rows = [{"sentences": ["A cat sat.", "It rained."], "references": ["The cat sat."]}]
    >>> found = upper_bound(rows, max_sentences=1)
    >>> found.documents, found.proven, round(found["oracle"].cells["r2", "f1"].mean, 3)
    (1, 1, 0.5)
    >>> print(found.latex_row())
    Oracle & 66.67 & 50.00 & 66.67 \\\\
    """
    rouge = DEFAULT_OBJECTIVE if rouge is None else rouge
    measure = check_rouge(Rouge(rouge) if isinstance(rouge, str) else rouge)
    jobs = require_whole("jobs", jobs, least=1, most=MAX_JOBS)
    for name in ("max_list", "within_hits", "within", "top"):
        if name in keywords:
            raise TypeError(f"upper_bound takes no {name}: the row is of optimal sets")
    asked = ask_corpus(
        measure,
        {"family": choose_family(measure), **keywords},
        own_language=measure.language == "en" and measure.tokenizer is None,
        references=references,
        method="search",
        preparation=Preparation(split=split, clean=clean),
    )
    reading = make_reading(
        measure, format=format, split=split, record_bytes=record_bytes, columns=columns
    )
    records: list[Json] = []
    with open_items(source, reading) as opened:
        caller, task = choose_caller(asked, jobs)
        answerer = Answerer(task=UpperBoundTask(enumeration=task))
        said = Told()
        for answer in answer_in_order(opened.items, answerer, caller):
            made = [row.record for row in answer.rows]
            records += [one if isinstance(one, dict) else one.to_dict() for one in made]
            told = {one.error for one in made if isinstance(one, ErrorRecord)}
            for message in said.pick(answer.messages):
                if message not in told:
                    warn(message, OraclesumWarning)
    found = make_upper_bound(records, asked)
    if found is None:
        why = f"no record can be used: {records[0]['error']}" if records else "there are no records"
        raise InputError(why)
    if found.errors:
        warn(
            f"{len(found.errors):,} of {len(records):,} records cannot be used and are in no row: "
            f"{found.errors[0]}",
            OraclesumWarning,
        )
    return found
