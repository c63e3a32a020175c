"""Labels as columns of data sets of the real libraries: same rows, same order, same kind."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import oraclesum
from oraclesum.errors import InputError, OraclesumWarning

ROWS: list[dict[str, Any]] = [
    {"id": "a", "article": "The cat sat. It rained all day.", "highlights": "A cat sat."},
    {"id": "b", "article": "Dogs bark. Birds sing at dawn.", "highlights": "Birds sang.\nAt dawn."},
]
WANTED = [[1, 0], [0, 1]]


def test_any_rows_come_back_with_labels() -> None:
    def stream() -> Iterator[dict[str, Any]]:
        yield from ROWS

    made = list(oraclesum.label_dataset(stream(), max_sentences=1))
    assert [row["labels"] for row in made] == WANTED
    assert made[0]["sentences"] == ["The cat sat.", "It rained all day."]
    assert [row["id"] for row in made] == ["a", "b"]
    assert made[0]["oracle_ids"] == [0]
    assert made[0]["label_status"] == "complete"


def test_frames_of_pandas_polars_and_tables_of_pyarrow() -> None:
    pandas = pytest.importorskip("pandas")
    polars = pytest.importorskip("polars")
    pyarrow = pytest.importorskip("pyarrow")
    frame = oraclesum.label_dataset(pandas.DataFrame(ROWS), max_sentences=1)
    assert isinstance(frame, pandas.DataFrame)
    assert list(frame["labels"]) == WANTED
    other = oraclesum.label_dataset(polars.DataFrame(ROWS), max_sentences=1)
    assert isinstance(other, polars.DataFrame)
    assert other["labels"].to_list() == WANTED
    assert other.columns[:3] == ["id", "article", "highlights"]
    table = oraclesum.label_dataset(pyarrow.Table.from_pylist(ROWS), max_sentences=1)
    assert isinstance(table, pyarrow.Table)
    assert table["labels"].to_pylist() == WANTED


MIXED: list[dict[str, Any]] = [
    {"sentences": ["A cat sat.", "It rained."], "text": None, "references": ["The cat sat."]},
    {"sentences": None, "text": "A dog ran. It rained.", "references": ["A dog."]},
]


def test_a_row_that_is_not_split_keeps_its_sentences() -> None:
    pandas = pytest.importorskip("pandas")
    polars = pytest.importorskip("polars")
    pyarrow = pytest.importorskip("pyarrow")
    wanted = [MIXED[0]["sentences"], ["A dog ran.", "It rained."]]
    frame = oraclesum.label_dataset(pandas.DataFrame(MIXED), max_sentences=1)
    assert list(frame["sentences"]) == wanted
    other = oraclesum.label_dataset(polars.DataFrame(MIXED), max_sentences=1)
    assert other["sentences"].to_list() == wanted
    table = oraclesum.label_dataset(pyarrow.Table.from_pylist(MIXED), max_sentences=1)
    assert table.column_names.count("sentences") == 1
    assert table["sentences"].to_pylist() == wanted


def test_a_row_of_a_data_set_that_is_not_split_keeps_its_sentences(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    datasets = pytest.importorskip("datasets")
    made = oraclesum.label_dataset(datasets.Dataset.from_list(MIXED), max_sentences=1)
    assert made["sentences"][:] == [MIXED[0]["sentences"], ["A dog ran.", "It rained."]]
    listed = datasets.Dataset.from_list(
        [{k: row[k] for k in ("text", "references")} for row in MIXED]
    )
    with pytest.warns(OraclesumWarning, match="row 1: "):
        made = oraclesum.label_dataset(listed, max_sentences=1)
    assert made["sentences"][:] == [None, ["A dog ran.", "It rained."]]


def test_columns_that_are_replaced_are_named_and_stand_once() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.Table.from_pylist([row | {"labels": [7]} for row in ROWS])
    with pytest.warns(OraclesumWarning, match="columns labels, which are replaced"):
        made = oraclesum.label_dataset(table, max_sentences=1)
    assert made.column_names.count("labels") == 1
    assert made["labels"].to_pylist() == WANTED


def test_a_lazy_frame_of_polars_stays_one() -> None:
    polars = pytest.importorskip("polars")
    frame = oraclesum.label_dataset(polars.LazyFrame(ROWS), max_sentences=1)
    assert isinstance(frame, polars.LazyFrame)
    assert frame.collect()["labels"].to_list() == WANTED


@pytest.mark.parametrize("form", ["pandas", "polars", "arrow", "numpy"])
def test_a_data_set_of_hugging_face_keeps_its_format(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    datasets = pytest.importorskip("datasets")
    dataset = datasets.Dataset.from_list(ROWS).with_format(form)
    made = oraclesum.label_dataset(dataset, max_sentences=1)
    assert made.format["type"] == form
    assert made.column_names[:3] == ["id", "article", "highlights"]
    assert made.with_format(None)["labels"][:] == WANTED
    hidden = dataset.with_format(form, columns=["article", "highlights"])
    assert "id" not in oraclesum.label_dataset(hidden, max_sentences=1).format["columns"]
    if form != "numpy":
        streamed = dataset.to_iterable_dataset().with_format(form)
        with pytest.raises(InputError, match=r"pass dataset.with_format\(None\)"):
            list(oraclesum.label_dataset(streamed, max_sentences=1))


def test_an_empty_split_has_the_columns_of_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    datasets = pytest.importorskip("datasets")
    rows = [{"sentences": ["A cat sat."], "references": ["A cat."]}]
    train = datasets.Dataset.from_list(rows)
    parts = datasets.DatasetDict({"train": train, "test": train.select([])})
    made = oraclesum.label_dataset(parts, max_sentences=1)
    assert isinstance(made, datasets.DatasetDict)
    assert made["test"].features == made["train"].features


NOTHING: list[dict[str, Any]] = [
    {"text": "Zu ka mo. Bi tu.", "references": ["pa qo"]},
    {"text": "", "references": ["pa qo"]},
]


@pytest.mark.filterwarnings("ignore:row ")
@pytest.mark.parametrize("before", [1, 1001])  # the types of a batch of 1,000 are those of all
@pytest.mark.parametrize("nothing", NOTHING)
def test_rows_without_labels_before_all_others_cost_no_type(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, nothing: dict[str, Any], before: int
) -> None:
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    datasets = pytest.importorskip("datasets")
    good = {"text": "Zu ka mo. Bi tu.", "references": ["zu ka"]}
    rows = [nothing] * before + [good]
    for given in (rows, [{"sentences": None, **row} for row in rows]):
        made = oraclesum.label_dataset(datasets.Dataset.from_list(given), max_sentences=1)
        assert made[before]["labels"] == [1, 0]
        assert made[before]["sentences"] == ["Zu ka mo.", "Bi tu."]
        assert made[0]["oracle_ids"] == []
    empty = oraclesum.label_dataset(datasets.Dataset.from_list([nothing] * 2), max_sentences=1)
    assert empty.features == made.select_columns(empty.column_names).features


def test_tables_without_any_label_have_the_types_of_others() -> None:
    polars = pytest.importorskip("polars")
    pyarrow = pytest.importorskip("pyarrow")
    row = NOTHING[0]
    table = oraclesum.label_dataset(pyarrow.Table.from_pylist([row]), max_sentences=1)
    assert table.schema.field("oracle_ids").type == pyarrow.list_(pyarrow.int64())
    frame = oraclesum.label_dataset(polars.DataFrame([row]), max_sentences=1)
    assert frame.schema["oracle_ids"] == polars.List(polars.Int64)


def test_data_sets_of_hugging_face(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    datasets = pytest.importorskip("datasets")
    dataset = datasets.Dataset.from_list(ROWS)
    made = oraclesum.label_dataset(dataset, max_sentences=1)
    assert isinstance(made, datasets.Dataset)
    assert made["labels"][:] == WANTED
    assert made.column_names[:3] == ["id", "article", "highlights"]
    streamed = oraclesum.label_dataset(dataset.to_iterable_dataset(), max_sentences=1)
    assert isinstance(streamed, datasets.IterableDataset)
    assert [row["labels"] for row in streamed] == WANTED
    parts = oraclesum.label_dataset(datasets.DatasetDict({"train": dataset}), max_sentences=1)
    assert parts["train"]["labels"][:] == WANTED


def test_a_row_that_cannot_be_used_is_told_and_costs_no_other() -> None:
    rows = [{"id": "x", "article": "A cat."}, *ROWS]
    with pytest.warns(OraclesumWarning, match="row 1: "):
        made = list(oraclesum.label_dataset(rows, max_sentences=1))
    assert made[0]["labels"] == []
    assert made[0]["label_status"].startswith("error: ")
    assert [row["labels"] for row in made[1:]] == WANTED


def test_topics_of_a_corpus_come_back_as_rows_with_labels(tmp_path: Path) -> None:
    path = tmp_path / "corpus.csv"
    path.write_text("id,text,summary\na,The cat sat. It rained all day.,A cat sat.\nb,,A dog.\n")
    with pytest.warns(OraclesumWarning, match="row 2: "):
        made = list(oraclesum.label_dataset(oraclesum.open_corpus(path), max_sentences=1))
    assert [row["id"] for row in made] == ["a", "b"]
    assert made[0]["labels"] == WANTED[0]
    assert made[0]["sentences"] == ["The cat sat.", "It rained all day."]
    assert made[1]["label_status"].startswith("error: ")


def test_what_is_no_data_set_is_refused() -> None:
    with pytest.raises(InputError, match="a data set has rows; this is str"):
        oraclesum.label_dataset("train.jsonl")
    with pytest.raises(InputError, match="unknown term"):
        oraclesum.label_dataset(ROWS, rouge="r1-f")
    with pytest.raises(InputError, match="a row must be a mapping"):
        list(oraclesum.label_dataset(["A cat."]))


TAGGED = [
    {"nr": "a", "body": "<t> The cat sat </t>\n<t> It rained </t>", "gist": "<t> rain </t> cat"}
]
NAMED = {"text": "body", "references": "gist", "id": "nr"}


def test_rows_are_cleaned_split_and_read_by_named_columns() -> None:
    [row] = oraclesum.label_dataset(
        TAGGED, columns=NAMED, split="newline", clean="markup", max_sentences=1
    )
    assert row["sentences"] == ["The cat sat", "It rained"]
    assert row["label_status"] == "complete"
    [as_is] = oraclesum.label_dataset(TAGGED, columns=NAMED, split="none", max_sentences=1)
    assert as_is["sentences"] == [TAGGED[0]["body"]]


def test_a_data_set_of_hugging_face_is_prepared_in_other_processes_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    datasets = pytest.importorskip("datasets")
    dataset = datasets.Dataset.from_list(TAGGED * 2)
    made = oraclesum.label_dataset(
        dataset, columns=NAMED, split="newline", clean="markup", max_sentences=1, jobs=2
    )
    assert made["sentences"][:] == [["The cat sat", "It rained"]] * 2


def test_a_row_is_labelled_by_the_rules_of_its_language() -> None:
    # Under English rules, both sentences share the letter n with the reference.
    row: dict[str, Any] = {"sentences": ["Ein \u00dcbungsn.", "Zug f\u00e4hrt n\u00e4mlich."]}
    row["references"] = ["n\u00e4mlich"]
    rouge = oraclesum.Rouge("r1-f1", stem=False)
    [own] = oraclesum.label_dataset([row | {"language": "de"}], rouge=rouge, max_sentences=1)
    [named] = oraclesum.label_dataset(
        [row], rouge=oraclesum.Rouge("r1-f1", stem=False, language="de"), max_sentences=1
    )
    [english] = oraclesum.label_dataset([row], rouge=rouge, max_sentences=1)
    assert own["oracle_score"] == named["oracle_score"]
    assert own["oracle_score"] != english["oracle_score"]


def test_the_language_of_a_row_is_detected() -> None:
    text = "Der Minister sagte am Dienstag, dass die neue Br\u00fccke er\u00f6ffnet werde."
    row = {"sentences": [text, "Es regnet \u00fcber Stra\u00dfen."], "references": ["Stra\u00dfen"]}
    options: dict[str, Any] = {"rouge": "r1-f1", "max_sentences": 1}
    [found] = oraclesum.label_dataset([row], language="auto", **options)
    [named] = oraclesum.label_dataset([row | {"language": "de"}], **options)
    assert found["oracle_score"] == named["oracle_score"]
    with pytest.raises(InputError, match="language must be 'auto'"):
        oraclesum.label_dataset([row], language="de", **options)  # type: ignore[arg-type]
