"""The oracle row in one call: whatever has records goes in, every form of a table comes out."""

from __future__ import annotations

import itertools
import json
import random
import re
from collections.abc import Callable
from dataclasses import FrozenInstanceError
from pathlib import Path
from typing import Any

import pytest

import oraclesum
from oraclesum import InputError
from oraclesum.evaluation.upper_bound import summarise_bounds
from oraclesum.report.oracle_row import read_upper_bound, write_bibtex
from oraclesum.rouge.printed import STATISTICS, STYLES

ROOT = Path(__file__).resolve().parent.parent.parent
ROWS: list[dict[str, Any]] = [
    {
        "id": "cats",
        "sentences": ["The cat sat on the mat.", "Dogs bark.", "The cat sat on the mat!"],
        "references": ["The cat sat on a mat."],
        "systems": {"first_1": [1]},
    },
    {
        "id": "rain",
        "sentences": ["It rained.", "The sun came out late."],
        "references": ["It rained, then the sun came out."],
    },
]


def to_path(folder: Path) -> Any:
    path = folder / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    return path


def to_table(_: Path) -> Any:
    return pytest.importorskip("pyarrow").Table.from_pylist(
        [{name: row[name] for name in ("id", "sentences", "references")} for row in ROWS]
    )


@pytest.mark.parametrize("make", [to_path, to_table, lambda _: iter(ROWS)])
def test_whatever_has_records_has_an_oracle_row(
    make: Callable[[Path], Any], tmp_path: Path
) -> None:
    found = oraclesum.upper_bound(make(tmp_path), max_sentences=1)
    assert (found.documents, found.proven, found.errors) == (2, 2, ())
    wanted = oraclesum.upper_bound(ROWS, max_sentences=1)
    assert found["oracle"] == wanted["oracle"]
    assert found["rouge-1.5.5", "greedy"] == wanted["rouge-1.5.5", "greedy"]


def test_the_objective_and_its_limits_are_those_of_other_calls() -> None:
    found = oraclesum.upper_bound(ROWS, rouge=oraclesum.Rouge(n=1), max_words=6, jobs=2)
    assert found.methods.startswith("Oracle summaries maximise ROUGE-1 recall")
    assert "at most 6 words" in found.methods
    assert "all minimal sets" in found.methods
    with pytest.raises(oraclesum.InputError, match="set a length limit"):
        oraclesum.upper_bound(ROWS, rouge="r1-recall")
    with pytest.raises(oraclesum.InputError, match="required is for one document"):
        oraclesum.upper_bound(ROWS, max_sentences=1, required=[0])
    with pytest.raises(TypeError, match="top"):
        oraclesum.upper_bound(ROWS, max_sentences=1, top=3)  # type: ignore[call-arg]


def test_every_form_has_the_row_the_sentence_and_the_citations() -> None:
    found = oraclesum.upper_bound(ROWS, max_sentences=1)
    for text in (str(found), found.to_markdown(), found.to_latex()):
        assert "smallest oracle" in text
        assert "@inproceedings{hirao-etal-2017-enumeration" in text
        # A screen breaks the sentence into lines.
        assert found.methods.split("(oraclesum")[0] in " ".join(text.split())
    assert json.loads(found.to_json())["methods"] == found.methods
    assert read_upper_bound(found.to_records()) == found


def test_a_row_for_a_table_of_ones_own() -> None:
    found = oraclesum.upper_bound(ROWS, max_sentences=1)
    cells = found["oracle"].cells
    means = [f"{100 * cells[name, 'f1'].mean:.2f}" for name in ("r1", "r2", "rlsum")]
    assert found.latex_row() == f"Oracle & {' & '.join(means)} \\\\"
    recall = found.latex_row("first_1", statistics=["r1"], part="recall", digits=1)
    assert recall == r"first\_1 & 0.0 \\"
    with pytest.raises(KeyError, match="there is no row 'last'"):
        found["last"]
    with pytest.raises(KeyError, match="there is no row range"):
        found[range(10**30)]  # type: ignore[index]  # wrong on purpose
    with pytest.raises(KeyError, match=r"no row 'last' of 'rouge-1\.5\.5'; there is oracle"):
        found["rouge-1.5.5", "last"]
    with pytest.raises(oraclesum.InputError, match="each of statistics must be one of 'r1'"):
        found.latex_row(statistics=["r3"])


def test_recall_of_the_best_reference_has_an_oracle_row() -> None:
    rows = [{"sentences": ["a b", "b c"], "references": ["a b", "c"]}]
    rouge = oraclesum.Rouge("r1-recall", multi_reference="best")
    assert oraclesum.upper_bound(rows, rouge=rouge, max_sentences=1).proven == 1


def test_the_result_cannot_be_changed() -> None:
    found = oraclesum.upper_bound(ROWS, max_sentences=1)
    with pytest.raises(FrozenInstanceError):
        found.documents = 3  # type: ignore[misc]


def test_records_that_cannot_be_used_are_told_and_are_in_no_row() -> None:
    with pytest.warns(oraclesum.OraclesumWarning, match="1 of 3 records cannot be used"):
        found = oraclesum.upper_bound([*ROWS, {"id": "bad", "sentences": []}], max_sentences=1)
    assert found.documents == 2
    assert len(found.errors) == 1
    with pytest.raises(oraclesum.InputError):
        oraclesum.upper_bound([], max_sentences=1)


def test_a_document_without_overlap_is_zero_in_every_row() -> None:
    nothing = {"id": "no", "sentences": ["Dogs bark."], "references": ["It rained."]}
    with pytest.warns(oraclesum.OraclesumWarning):
        found = oraclesum.upper_bound([*ROWS, nothing], max_sentences=1)
    assert found["oracle"].topics == found["greedy"].topics == 3
    both = oraclesum.upper_bound(ROWS, max_sentences=1)["oracle"].cells["r1", "f1"].mean
    assert found["oracle"].cells["r1", "f1"].mean == pytest.approx(both * 2 / 3)


def test_many_ties_are_drawn_from_and_the_sentence_says_so() -> None:
    many = {"id": "m", "sentences": ["A cat sat."] * 60, "references": ["A cat sat. A cat sat."]}
    found = oraclesum.upper_bound([many], max_sentences=2)
    assert "1,000 drawn uniformly for the 1 documents that have more" in found.methods


def test_sets_that_were_not_enumerated_are_not_said_to_be() -> None:
    draw = random.Random(3)
    words = [f"w{k}" for k in range(60)]
    easy_to_reach = {  # by more sets than can be enumerated
        "sentences": [" ".join(draw.sample(words, draw.randint(5, 9))) for _ in range(400)],
        "references": [" ".join(words)],
    }
    asked = itertools.count()
    found = oraclesum.upper_bound(
        [easy_to_reach], rouge="r1-recall", max_words=200, stop=lambda: next(asked) == 30
    )
    assert "for 0 all minimal sets that reach it were enumerated, for 1 " in found.methods
    assert (found.documents, found.enumerated) == (1, 0)
    whole = oraclesum.upper_bound(ROWS, rouge="r1-recall", max_words=20).methods
    assert "and all minimal sets that reach it were enumerated" in whole


def make_large(**more: Any) -> dict[str, Any]:
    draw = random.Random(1)
    words = [f"w{k}" for k in range(400)]
    return {
        "sentences": [" ".join(draw.choices(words, k=20)) for _ in range(400)],
        "references": [" ".join(draw.choices(words, k=300))],
        **more,
    }


ASKED: dict[str, Any] = {"rouge": "r1-f1+r2-f1", "max_words": 250}


def test_what_time_ended_is_in_no_row_and_the_sentence_says_so() -> None:
    large = make_large(systems={"lead": [0]})
    found = oraclesum.upper_bound([large], time_limit=1e-9, **ASKED)
    assert (found.documents, found.enumerated) == (1, 0)
    assert {row.name for row in found.rows} == {"system lead"}
    assert "for 1 no set was met in time, so no row of oracles counts them" in found.methods
    assert "some of the best sets that were met" not in found.methods
    assert "The row of greedy leaves out 1 documents in which time ended it." in found.methods
    assert "leaves out" not in oraclesum.upper_bound(ROWS, max_sentences=1).methods


def test_a_document_of_which_time_left_nothing_is_an_error() -> None:
    with pytest.raises(InputError, match="time ended before any set was found"):
        oraclesum.upper_bound([make_large()], time_limit=1e-9, **ASKED)


def test_rows_keep_their_order_whichever_document_lacks_them() -> None:
    def topic(*names: str) -> dict[str, Any]:
        part = {"recall": 0.0, "precision": 0.0, "f1": 0.0}
        return {
            style: {name: dict.fromkeys(STATISTICS, part) for name in names} for style in STYLES
        }

    rows = summarise_bounds([topic("system a"), topic("oracle", "smallest", "largest", "greedy")])
    names = [row.name for row in rows if row.style == "rouge-score"]
    assert names == ["oracle", "smallest", "largest", "greedy", "system a"]


def test_the_citations_are_those_of_the_readme_and_of_the_citation_file() -> None:
    bibtex = write_bibtex()
    assert bibtex in (ROOT / "README.md").read_text()
    cited = (ROOT / "CITATION.cff").read_text()
    start, end = re.search(r"start: (\d+)\n +end: (\d+)", cited).groups()  # type: ignore[union-attr]
    assert f"pages = {{{start}--{end}}}" in bibtex
    url = re.search(r'url: "(\S+)"', cited)
    assert url is not None
    assert f"url = {{{url[1]}}}" in bibtex
    assert f"version = {{{oraclesum.__version__}}}" in bibtex
    for author in re.findall(r"family-names: (\w+)", cited):
        assert author in bibtex
