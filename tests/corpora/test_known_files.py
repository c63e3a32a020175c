"""Files as published data sets and other libraries write them, each made here and opened."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import itertools
import json
import lzma
import re
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fixtures.topics import read_topics as read
from fixtures.trees import Tree, write_tree
from oraclesum import InputError, RecordError, Topic, enumerate_corpus, enumerate_oracles
from oraclesum.corpora import Caps, Reading, open_corpus, open_items
from oraclesum.corpora.columns import COLUMN_PAIRS
from oraclesum.corpora.separated import _Quotes

ARTICLE = 'The river rose, "they said".\nNobody was hurt.'
ROWS = [
    {"id": "a", "article": ARTICLE, "highlights": "River rises\nNo one hurt"},
    {"id": "b", "article": "A bakery burned. It rained.", "highlights": "A bakery burned"},
]


def write_csv(rows: list[dict[str, str]], separator: str = ",") -> bytes:
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), delimiter=separator)
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode()


def pack_zstd(data: bytes) -> bytes:
    import pyarrow as pa

    packed: bytes = pa.Codec("zstd").compress(data, asbytes=True)
    return packed


def check_rows(topics: list[Topic]) -> None:
    first, second = topics
    assert (first.id, second.id) == ("a", "b")
    assert first.text is not None
    assert first.text.replace("\r\n", "\n") == ARTICLE
    assert first.references == (("River rises", "No one hurt"),)
    assert second.references == ("A bakery burned",)


PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "": bytes,
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
    ".zst": pack_zstd,
}


@pytest.mark.parametrize("packing", PACKERS)
@pytest.mark.parametrize("kind", ["csv", "tsv", "json", "jsonl"])
def test_tables_and_json_open_packed_or_not(kind: str, packing: str, tmp_path: Path) -> None:
    data = {
        "csv": write_csv(ROWS),
        "tsv": write_csv(ROWS, "\t"),
        "json": json.dumps(ROWS, indent=1).encode(),
        "jsonl": "".join(json.dumps(row) + "\n" for row in ROWS).encode(),
    }[kind]
    path = tmp_path / f"test.{kind}{packing}"
    path.write_bytes(PACKERS[packing](data))
    check_rows(read(path))
    check_rows(read(tmp_path))
    with open_items(str(path)) as opened:  # as the command does
        check_rows([item for item in opened.parse() if isinstance(item, Topic)])


@pytest.mark.parametrize("separator", [",", "\t"])
def test_a_block_of_zeros_in_a_table_is_an_error_though_it_swallows_rows(
    separator: str, tmp_path: Path
) -> None:
    rows = [{"id": str(k), "text": f"A cat {k}. It sat.", "summary": "A cat."} for k in range(9)]
    data = write_csv(rows, separator)
    first, last = data.index(b"cat 3"), data.index(b"cat 6")
    path = tmp_path / "in.csv"
    path.write_bytes(data[:first] + bytes(last - first) + data[last:])
    items = list(open_corpus(path))
    errors = [item for item in items if isinstance(item, RecordError)]
    assert [item.id for item in items if isinstance(item, Topic)] == ["0", "1", "2", "7", "8"]
    assert [error.line for error in errors] == [5]
    assert "NUL bytes" in str(errors[0])


def test_csv_is_read_inside_archives_and_with_the_separators_of_spreadsheets(
    tmp_path: Path,
) -> None:
    tree: Tree = {"in.tgz": {"data": {"test.csv": b"\xef\xbb\xbf" + write_csv(ROWS, ";")}}}
    check_rows(read(write_tree(tree, tmp_path) / "in.tgz"))


WRITERS = {
    "pandas.csv": lambda libraries, path: libraries.pandas.to_csv(path, index=False),
    "pandas.tsv": lambda libraries, path: libraries.pandas.to_csv(path, index=False, sep="\t"),
    "pandas.csv.gz": lambda libraries, path: libraries.pandas.to_csv(path, index=False),
    "pandas.csv.bz2": lambda libraries, path: libraries.pandas.to_csv(path, index=False),
    "pandas.csv.xz": lambda libraries, path: libraries.pandas.to_csv(path, index=False),
    "pandas.json": lambda libraries, path: libraries.pandas.to_json(path, orient="records"),
    "pandas.jsonl": lambda libraries, path: libraries.pandas.to_json(
        path, orient="records", lines=True
    ),
    "pandas.parquet": lambda libraries, path: libraries.pandas.to_parquet(path),
    "pandas.arrow": lambda libraries, path: libraries.pandas.to_feather(path),
    "polars.csv": lambda libraries, path: libraries.polars.write_csv(path),
    "polars.tsv": lambda libraries, path: libraries.polars.write_csv(path, separator="\t"),
    "polars.json": lambda libraries, path: libraries.polars.write_json(path),
    "polars.jsonl": lambda libraries, path: libraries.polars.write_ndjson(path),
    "polars.parquet": lambda libraries, path: libraries.polars.write_parquet(path),
    "polars.arrow": lambda libraries, path: libraries.polars.write_ipc(path),
    "datasets.csv": lambda libraries, path: libraries.datasets.to_csv(path, index=False),
    "datasets.jsonl": lambda libraries, path: libraries.datasets.to_json(path),
    "datasets.json": lambda libraries, path: libraries.datasets.to_json(path, lines=False),
    "datasets.parquet": lambda libraries, path: libraries.datasets.to_parquet(path),
}


@pytest.fixture(scope="module")
def libraries() -> Any:
    names = ("pandas", "polars", "datasets")
    pandas, polars, datasets = map(pytest.importorskip, names)
    return SimpleNamespace(
        pandas=pandas.DataFrame(ROWS),
        polars=polars.DataFrame(ROWS),
        datasets=datasets.Dataset.from_list(ROWS),
    )


@pytest.mark.parametrize("name", WRITERS)
def test_what_other_libraries_write_opens(name: str, libraries: Any, tmp_path: Path) -> None:
    path = tmp_path / name
    WRITERS[name](libraries, str(path))
    check_rows(read(path))


def test_lists_stand_in_cells_as_json(tmp_path: Path) -> None:
    row = {"sentences": '["A b.", "C d."]', "references": '[["A b."], "C"]', "doc_ids": "[0, 1]"}
    (tmp_path / "in.csv").write_bytes(write_csv([row]))
    (topic,) = read(tmp_path / "in.csv")
    assert (topic.sentences, topic.doc_ids) == (("A b.", "C d."), (0, 1))
    assert topic.references == (("A b.",), "C")
    assert topic.id == "in.csv:2"


def test_a_bad_row_of_csv_is_named_with_its_line_and_the_others_are_read(tmp_path: Path) -> None:
    good = write_csv(ROWS)
    (tmp_path / "in.csv").write_bytes(good + b"c,only two\r\nd,,empty\r\ne,A b.,A b\r\n")
    *_, short, empty, last = open_corpus(tmp_path / "in.csv")
    assert isinstance(short, RecordError)
    assert (short.line, short.reason) == (
        6,
        "the row has 2 cells, but the first line names 3 columns",
    )
    assert isinstance(empty, RecordError)
    assert empty.reason == "the document is empty: `text` is blank"
    assert isinstance(last, Topic)


@pytest.mark.parametrize(
    ("end", "reason"),
    [(b'c,"never closed,x\r\n', "unexpected end of data"), (b"c,\xe4,x\r\n", "not UTF-8: 0xe4")],
)
def test_damage_of_csv_ends_the_reading_and_is_said(
    end: bytes, reason: str, tmp_path: Path
) -> None:
    (tmp_path / "in.csv").write_bytes(write_csv(ROWS) + end)
    *topics, error = open_corpus(tmp_path / "in.csv")
    assert len(topics) == 2
    assert isinstance(error, RecordError)
    assert error.reason.startswith(f"reading stopped here, the rest is lost: {reason}")


def test_a_cell_longer_than_a_record_may_be_is_refused(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_bytes(write_csv([ROWS[0] | {"article": "word " * 100_000}]))
    assert len(read(tmp_path / "in.csv")) == 1
    (error,) = open_corpus(tmp_path / "in.csv", caps=Caps(record_bytes=1000))
    assert isinstance(error, RecordError)
    assert "larger than 1,000 bytes" in error.reason


LONG = "word, " * 300 + 'a ""quoted"" word,\n"" at ""'


@pytest.mark.parametrize(
    "row",
    [
        f'b,"{LONG}",A dog.',
        f'b,"{LONG * 2000}",A dog.',
        f'b,A dog.,"{LONG}"',
        f'"b\n","{LONG}\n\n","A dog, a ""cat"" ran"',
        "b,A dog.," + 'A 5" disk, ' * 200,
        'b,"' + "line\n" * 400 + '",A dog.',
        'b,"' + "x" * 989 + '",A dog.',  # cut before the quote, or between two
        'b,"' + "x" * 990 + '",A dog.',
        'b,"' + "x" * 990 + '""\n",A dog.',
        'b,"' + "x" * 991 + '""\n",A dog.',
        "b," + "x" * 993 + ",A dog.",
    ],
    ids=[str(k) for k in range(11)],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_row_that_is_too_long_is_passed_over(row: str, end: str, tmp_path: Path) -> None:
    table = end.join(["id,article,highlights", "a,A cat.,A cat.", row, 'c,"A\nbird.",A bird.', ""])
    (tmp_path / "in.csv").write_bytes(table.encode())
    first, error, last = open_corpus(tmp_path / "in.csv", caps=Caps(record_bytes=1000))
    assert isinstance(error, RecordError)
    assert error.line == 3
    assert error.reason.startswith("the row is larger than 1,000 bytes; if it is no mistake, raise")
    assert isinstance(first, Topic)
    assert isinstance(last, Topic)
    assert (first.id, last.id, last.text) == ("a", "c", "A\nbird.")
    assert last.line == 3 + row.count("\n") + 1


def test_a_row_that_is_too_long_and_has_no_end_is_told_so(tmp_path: Path) -> None:
    table = 'id,article,highlights\na,A cat.,A cat.\nb,"' + "A dog.\n" * 400 + "c,A bird.,A bird.\n"
    (tmp_path / "in.csv").write_text(table)
    first, error = open_corpus(tmp_path / "in.csv", caps=Caps(record_bytes=1000))
    assert isinstance(first, Topic)
    assert isinstance(error, RecordError)
    assert error.line == 3
    assert error.reason.endswith("; its last quote is not closed, so the rest is lost")


@given(text=st.text('",;\na', min_size=1), cuts=st.lists(st.integers(1, 5), min_size=1))
def test_a_row_ends_where_the_csv_module_ends_it(text: str, cuts: list[int]) -> None:
    lines = text.splitlines(keepends=True)
    reader = csv.reader(lines, delimiter=";")
    next(reader)
    quotes, taken = _Quotes(b";"), 0
    sizes = itertools.cycle(cuts)
    for line in lines:
        rest = line.encode()
        while rest:
            size = next(sizes)
            quotes.read(rest[:size])
            rest = rest[size:]
        taken += 1
        if not quotes.inside:
            break
    assert taken == reader.line_num


@pytest.mark.parametrize(("document", "summary"), COLUMN_PAIRS)
def test_every_known_pair_of_columns_opens(document: str, summary: str) -> None:
    (topic,) = read([{document: "A cat sat. It rained.", summary: "A cat", "guid": 7}])
    assert (topic.id, topic.text) == ("7", "A cat sat. It rained.")
    assert topic.references == ("A cat",)


def test_presumm_has_sentences_of_words_in_an_array(tmp_path: Path) -> None:
    rows = [{"src": [["the", "cat", "sat", "."], ["rain", "!"]], "tgt": [["a", "cat"], ["rain"]]}]
    (tmp_path / "cnndm.test.0.json").write_text(json.dumps(rows))
    for source in (tmp_path, tmp_path / "cnndm.test.0.json"):
        (topic,) = read(source)
        assert topic.sentences == ("the cat sat .", "rain !")
        assert topic.references == (("a cat", "rain"),)


def test_hetersumgraph_and_matchsum_have_lists_of_sentences(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [
        {"text": ["a cat sat .", "rain !"], "summary": ["a cat .", "rain ."], "label": [0]},
        {"text": [["a cat sat ."], ["rain !", "more rain"]], "summary": ["a cat ."]},
    ]
    (tmp_path / "test.label.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    one, several = read(tmp_path / "test.label.jsonl")
    assert (one.sentences, one.references) == (("a cat sat .", "rain !"), (("a cat .", "rain ."),))
    assert several.sentences == ("a cat sat .", "rain !", "more rain")
    assert several.doc_ids == (0, 1, 1)


def test_a_saved_data_set_of_which_a_shard_is_not_named_is_refused(tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets")
    rows = [{**ROWS[0], "id": str(k)} for k in range(3)]
    datasets.Dataset.from_list(rows).save_to_disk(tmp_path / "three", num_shards=3)
    assert len(read(tmp_path / "three")) == 3
    state = tmp_path / "three" / "state.json"
    saved = json.loads(state.read_text())
    del saved["_data_files"][1]
    state.write_text(json.dumps(saved))
    with pytest.raises(InputError, match=r"does not name data-00001-of-00003.arrow"):
        open_corpus(tmp_path / "three")


def test_a_saved_data_set_opens_without_its_caches_and_asks_for_a_split(tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets")
    saved = datasets.Dataset.from_list(ROWS)
    saved.save_to_disk(tmp_path / "one")
    (tmp_path / "one" / "cache-0123.arrow").write_bytes(b"of something else")
    check_rows(read(tmp_path / "one"))
    both = datasets.DatasetDict({"train": saved, "test": saved})
    both.save_to_disk(tmp_path / "both")
    check_rows(read(tmp_path / "both" / "test"))
    with pytest.raises(InputError, match="DatasetDict with the splits test, train; name one"):
        open_corpus(tmp_path / "both")


def annotate(key: str, system: str, grades: list[float], **more: Any) -> dict[str, Any]:
    return {
        "id": key,
        "model_id": system,
        "decoded": f"Summary by {system} .",
        "expert_annotations": [{"coherence": grade, "fluency": 5} for grade in grades],
        "turker_annotations": [],
        "references": ["A cat .", "It sat ."],
        "filepath": "cnndm/dailymail/stories/x.story",
        **more,
    }


def test_the_annotations_of_summeval_are_gathered_by_article(tmp_path: Path) -> None:
    rows = [
        annotate(key, system, grades, text="A cat sat. It rained.")
        for system, grades in (("M11", [1, 2, 2]), ("M0", [5, 5, 5]))
        for key in ("dm-a", "dm-b")
    ]
    path = tmp_path / "model_annotations.aligned.paired.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    first, second = read(path)
    assert (first.id, second.id) == ("dm-a", "dm-b")
    assert dict(first.systems) == {"M11": "Summary by M11 .", "M0": "Summary by M0 ."}
    assert first.human["M11"] == {"coherence": 5 / 3, "fluency": 5}
    assert first.references == ("A cat .", "It sat .")


def test_grades_of_summeval_whose_sum_is_no_number_cost_only_their_line(tmp_path: Path) -> None:
    path = tmp_path / "model_annotations.aligned.paired.jsonl"
    grades: dict[str, list[float]] = {"dm-a": [1, 2], "dm-b": [1e308, 1e308], "dm-c": [3, 4]}
    rows = [annotate(key, "M0", some, text="A cat sat.") for key, some in grades.items()]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    first, second, third = open_corpus(path)
    assert isinstance(first, RecordError)
    assert (first.line, first.reason) == (2, "the sum of the experts' 'coherence' is too large")
    assert [item.id for item in (second, third) if isinstance(item, Topic)] == ["dm-a", "dm-c"]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"decoded": "Other."}, "the system 'M0' of this article is on line 1 already"),
        ({"model_id": "M1", "text": "A dog."}, "`text` differs from that .* on line 1"),
        ({"model_id": "M1", "references": ["B"]}, "`references` differs from that .* on line 1"),
        ({"id": None}, "no `id`"),
        ({"id": ["dm-a"]}, "`id` must be text, not a list"),
        ({"model_id": None}, "`model_id` must be text, not null"),
        ({"expert_annotations": None}, "a list with the grades of each expert"),
        ({"expert_annotations": [{"x": 1}, {"y": 1}]}, "a number for 'x' of each expert"),
        ({"expert_annotations": [{"x": "1"}]}, "a number for 'x' of each expert"),
        ({"expert_annotations": [{"x": 1}, "y"]}, "a number for 'x' of each expert"),
        ({"expert_annotations": [{"x": 1}, {"x": 1, "y": 1}]}, "a number for 'y' of each expert"),
        ({"expert_annotations": [None, {"x": 1}]}, "a number for 'x' of each expert"),
        ({"expert_annotations": [{}, {"x": 1}]}, "a number for 'x' of each expert"),
        ({"expert_annotations": [{"x": 1}, {"x": True}]}, "a number for 'x' of each expert"),
        ({"expert_annotations": [None, 1]}, "a list with the grades of each expert"),
        ({"model_id": "M1", "decoded": None}, "`decoded` must be text, not null"),
        ({"model_id": "M1", "decoded": ["A", "B"]}, "`decoded` must be text, not a list"),
        ({"model_id": "M1", "text": None}, "without the articles"),
    ],
)
def test_a_wrong_line_of_summeval_is_named_and_changes_no_other(
    change: dict[str, Any], reason: str, tmp_path: Path
) -> None:
    path = tmp_path / "model_annotations.aligned.paired.jsonl"
    good = [annotate(key, "M0", [1, 2], text="A cat sat.") for key in ("dm-a", "dm-b")]
    rows = [good[0], {**good[0], **change}, good[1]]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    error, *topics = open_corpus(path)
    assert isinstance(error, RecordError)
    assert error.line == 2
    assert re.search(reason, error.reason), error.reason
    assert [dict(topic.systems) for topic in topics if isinstance(topic, Topic)] == [
        {"M0": "Summary by M0 ."}
    ] * 2


def test_the_annotations_of_summeval_without_articles_say_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "model_annotations.aligned.jsonl"
    path.write_text(json.dumps(annotate("dm-a", "M0", [1])) + "\n")
    with pytest.raises(InputError, match=r"without the articles.*pair_data\.py"), open_items(path):
        pass


def test_summeval_of_the_hugging_face_hub_opens() -> None:
    row = {
        "id": "dm-a",
        "text": "A cat sat. It rained.",
        "machine_summaries": ["A cat.", "Rain."],
        "human_summaries": ["The cat sat."],
        "relevance": [1.5, 4.0],
        "coherence": [2.0, 3.0],
    }
    (topic,) = read([row])
    assert dict(topic.systems) == {"M0": "A cat.", "M1": "Rain."}
    assert topic.human["M1"] == {"coherence": 3.0, "relevance": 4.0}


COLUMNS = {"text": "body.main", "references": "gist", "id": "nr"}
OTHER = [{"nr": 1, "body": {"main": "A cat sat."}, "gist": "A cat\nsat", "text": "no"}]


@pytest.mark.parametrize("columns", [COLUMNS, "text=body.main, references=gist,id=nr"])
def test_columns_can_be_named(columns: Any, tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_text(json.dumps(OTHER[0]) + "\n")
    (tmp_path / "in.json").write_text(json.dumps(OTHER))
    for source in (OTHER, tmp_path / "in.jsonl", tmp_path / "in.json"):
        (topic,) = read(source, columns=columns)
        assert (topic.id, topic.text, topic.references) == ("1", "A cat sat.", (("A cat", "sat"),))
    (record,) = enumerate_corpus(tmp_path / "in.jsonl", columns=columns, max_words=5)
    assert (record["id"], record["oracles"]) == ("1", [[0]])


def test_a_summary_that_is_a_list_is_one_reference_and_references_are_several() -> None:
    row = {"body": ["A cat sat.", "Rain."], "gist": ["A cat.", "Rain."]}
    (one,) = read([row], columns={"sentences": "body", "summary": "gist"})
    assert one.references == (("A cat.", "Rain."),)
    (two,) = read([row], columns={"text": "body", "references": "gist"})
    assert two.references == ("A cat.", "Rain.")
    assert one.sentences == two.sentences == ("A cat sat.", "Rain.")


@pytest.mark.parametrize(
    ("columns", "reason"),
    [
        ("body", "must be as text=article,references=highlights"),
        ("text=", "must be as text=article"),
        ("txt=body", "columns sets text, sentences, .* not 'txt'"),
        ("text=a,text=b", "sets text twice"),
        ("references=a,summary=b", "give one of them"),
        (["text"], "must be a mapping, not list"),
    ],
)
def test_wrong_columns_are_refused(columns: Any, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        open_corpus(OTHER, columns=columns)


def test_a_column_that_is_not_there_is_named_with_those_that_are() -> None:
    with pytest.raises(InputError) as caught:
        open_corpus(OTHER, columns={"text": "article", "references": "gist"})
    assert "there is no field `article`; its fields are: nr, body, gist, text" in str(caught.value)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ("id,article,highlights\n1,a,b\n", "this is CSV, not JSON lines: give format='csv'"),
        ("id\tarticle\n1\ta\n", "this is TSV, not JSON lines: give format='tsv'"),
        ("<html>\n<p>\n", "this is XML or HTML"),
        ("The river rose.\nIt fell.\n", "this is plain text, not JSON lines"),
        ('{"title": "a", "body": "b"}\n' * 500, "its fields are: title, body; say which is which"),
        ('"text"\n[1]\n', "one JSON object per line, not text"),
    ],
)
def test_a_wrong_file_is_refused_with_one_message(data: str, reason: str, tmp_path: Path) -> None:
    (tmp_path / "data").write_text(data)
    with pytest.raises(InputError, match=reason):
        open_corpus(tmp_path / "data")
    with pytest.raises(InputError, match=reason), open_items(tmp_path / "data"):
        pass


@pytest.mark.parametrize(
    ("name", "reason"),
    [("a.pickle", "is a pickle"), ("a.pt", "PreSumm's json_data"), ("a.xlsx", "save it as CSV")],
)
def test_a_file_that_is_never_read_says_what_to_give_instead(
    name: str, reason: str, tmp_path: Path
) -> None:
    (tmp_path / name).write_bytes(b"PK\x03\x04")
    with pytest.raises(InputError, match=reason), open_items(tmp_path / name):
        pass


def test_a_table_without_known_columns_names_those_it_has(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text("title,body\na,b\nc,d\n")
    with pytest.raises(InputError, match=r"in\.csv:2: .*its fields are: title, body; say which"):
        open_corpus(tmp_path / "in.csv")


def test_a_file_with_one_record_that_can_be_used_is_read_to_its_end(tmp_path: Path) -> None:
    good = json.dumps({"text": "A.", "references": ["A."]})
    (tmp_path / "in.jsonl").write_text("{}\n{}\n" + good + "\n{}\n")
    kinds = [type(item) is Topic for item in open_corpus(tmp_path / "in.jsonl")]
    assert kinds == [False, False, True, False]


def make_objects() -> dict[str, Callable[[], Any]]:
    datasets = pytest.importorskip("datasets")
    pandas = pytest.importorskip("pandas")
    polars = pytest.importorskip("polars")
    pa = pytest.importorskip("pyarrow")
    return {
        "list": lambda: ROWS,
        "generator": lambda: (dict(row) for row in ROWS),
        "Dataset": lambda: datasets.Dataset.from_list(ROWS),
        "IterableDataset": lambda: datasets.Dataset.from_list(ROWS).to_iterable_dataset(),
        "pandas": lambda: pandas.DataFrame(ROWS),
        "polars": lambda: polars.DataFrame(ROWS),
        "polars lazy": lambda: polars.DataFrame(ROWS).lazy(),
        "pyarrow table": lambda: pa.Table.from_pylist(ROWS),
        "pyarrow batch": lambda: pa.RecordBatch.from_pylist(ROWS),
        "pyarrow reader": lambda: pa.Table.from_pylist(ROWS).to_reader(),
    }


OBJECTS = (
    "list",
    "generator",
    "Dataset",
    "IterableDataset",
    "pandas",
    "polars",
    "polars lazy",
    "pyarrow table",
    "pyarrow batch",
    "pyarrow reader",
)


@pytest.mark.parametrize("name", OBJECTS)
def test_objects_of_other_libraries_go_wherever_a_corpus_goes(name: str) -> None:
    make = make_objects()[name]
    check_rows(read(make()))
    records = list(enumerate_corpus(make(), max_words=10))
    assert [record["id"] for record in records] == ["a", "b"]
    assert all(record["status"] == "complete" for record in records)


def test_a_dict_of_data_sets_names_its_splits() -> None:
    datasets = pytest.importorskip("datasets")
    rows = datasets.Dataset.from_list(ROWS)
    both = datasets.DatasetDict({"train": rows, "test": rows})
    with pytest.raises(InputError, match="choose one of its parts: 'train', 'test'"):
        open_corpus(both)
    with pytest.raises(InputError, match="choose one of its parts: 'train', 'test'"):
        enumerate_corpus(both, max_words=10)


def test_arrays_of_numpy_and_series_are_sentences_and_references() -> None:
    np, pandas = pytest.importorskip("numpy"), pytest.importorskip("pandas")
    sentences = ["A cat sat.", "It rained."]
    expected = list(enumerate_oracles(sentences, [["A cat sat."]], max_words=5))
    for make in (np.array, pandas.Series):
        found = enumerate_oracles(make(sentences), [make(["A cat sat."])], max_words=5)
        assert list(found) == expected
    assert list(enumerate_oracles(sentences, np.array(["A cat sat."]), max_words=5)) == expected


def test_a_run_into_a_folder_reads_named_columns_and_refuses_a_wrong_file(tmp_path: Path) -> None:
    from oraclesum.runs.cutting import cut_corpus

    path = tmp_path / "in.jsonl"
    path.write_text(json.dumps(OTHER[0]) + "\n")
    with pytest.raises(InputError, match="its fields are: nr, body, gist, text"):
        cut_corpus(str(path), 10)
    (piece,) = cut_corpus(str(path), 10, Reading(columns=tuple(COLUMNS.items()))).pieces
    (topic,) = piece.read()[0]
    assert isinstance(topic, Topic)
    assert topic.id == "1"


def write_formats(folder: Path) -> Path:
    """A folder with a record in each of three formats, and what is said about them."""
    folder.mkdir()
    row = {"text": "A cat sat. It rained.", "references": ["A cat."]}
    (folder / "a.csv").write_bytes(write_csv([{"id": "a", "text": "It rained.", "summary": "So."}]))
    (folder / "b.jsonl").write_text(json.dumps({"id": "b", **row}))
    (folder / "c.json").write_text(json.dumps([{"id": "c", **row}]))
    for name in ("README.md", "LICENSE", "README.txt", "dataset_info.json", ".hidden.json"):
        (folder / name).write_text("{}")
    return folder


def test_files_of_several_formats_in_one_folder_are_all_read(tmp_path: Path) -> None:
    folder = write_formats(tmp_path / "in")
    assert [topic.id for topic in read(folder)] == ["a", "b", "c"]
    files = [folder / "c.json", folder / "a.csv"]
    assert [topic.id for topic in read(files)] == ["c", "a"]
    assert [topic.id for topic in read(folder, format="json")] == ["c"]
    (folder / "b.jsonl").unlink()
    assert [topic.id for topic in read(folder)] == ["a", "c"]


def test_files_that_are_no_records_have_one_error_each_and_cost_no_other(tmp_path: Path) -> None:
    folder = write_formats(tmp_path / "in")
    for k in range(6):
        (folder / f"{k}.json").write_text(json.dumps({"setting": k, "other": [1, 2]}, indent=1))
    (folder / "z.csv").write_bytes(write_csv([{"system": "a", "score": "1"}] * 20))
    found = list(open_corpus(folder))
    assert [item.id for item in found if isinstance(item, Topic)] == ["a", "b", "c"]
    files = [Path(item.file).name for item in found if isinstance(item, RecordError)]
    assert files == [*(f"{k}.json" for k in range(6)), "z.csv"]


def test_documents_beside_files_of_records_are_not_passed_over_in_silence(tmp_path: Path) -> None:
    folder = write_formats(tmp_path / "in")
    (folder / "README.txt").unlink()
    (folder / "d.txt").write_text("A cat sat.")
    (folder / "d.ref.txt").write_text("A cat.")
    *topics, error = open_corpus(folder)
    assert len(topics) == 3
    assert isinstance(error, RecordError)
    assert "documents were not read" in error.reason
    assert "what to read: txt or jsonl" in error.reason
    assert [topic.id for topic in read(folder, format="txt")] == ["d"]
    assert [topic.id for topic in read(folder, format="jsonl")] == ["b"]


@pytest.mark.parametrize(
    "name",
    [
        "..",
        "link.jsonl",
        "../saved/in.jsonl",
        "{folder}/in.jsonl",
        "a\0b",
        "",
        "absent.arrow",
        "x" * 5000,
    ],
)
def test_the_state_of_a_saved_data_set_leads_nowhere_else(name: str, tmp_path: Path) -> None:
    outside = tmp_path / "outside.jsonl"
    outside.write_text(json.dumps({"text": "A cat sat.", "references": ["A cat."]}))
    folder = tmp_path / "saved"
    folder.mkdir()
    (folder / "link.jsonl").symlink_to(outside)
    (folder / "in.jsonl").write_bytes(outside.read_bytes())
    name = name.replace("{folder}", str(folder))
    (folder / "dataset_info.json").write_text("{}")
    state = folder / "state.json"
    state.write_text(json.dumps({"_data_files": [{"filename": name}]}))
    with pytest.raises(InputError, match="which is no file of this folder"):
        open_corpus(folder)
    state.write_text(json.dumps({"_data_files": []}))
    with pytest.raises(InputError, match="names no data file"):
        open_corpus(folder)


@pytest.mark.parametrize(
    ("state", "reason"),
    [
        ({}, "`_data_files` must be a list"),
        ([], "`_data_files` must be a list"),
        ({"_data_files": None}, "`_data_files` must be a list"),
        ({"_data_files": ["a.arrow"]}, "`_data_files` must be a list of objects with a `filename`"),
        ({"_data_files": [{"filename": 1}]}, "with a `filename` each"),
    ],
)
def test_a_state_of_a_saved_data_set_without_names_is_refused_in_words(
    state: Any, reason: str, tmp_path: Path
) -> None:
    (tmp_path / "dataset_info.json").write_text("{}")
    (tmp_path / "state.json").write_text(json.dumps(state))
    with pytest.raises(InputError, match=rf"state\.json: does not name the data files: .*{reason}"):
        open_corpus(tmp_path)
    (tmp_path / "state.json").write_text("{")
    with pytest.raises(InputError, match=r"state\.json: broken JSON on line 1"):
        open_corpus(tmp_path)


def test_a_state_of_a_saved_data_set_that_is_too_large_is_refused(tmp_path: Path) -> None:
    (tmp_path / "dataset_info.json").write_text("{}")
    with (tmp_path / "state.json").open("wb") as stream:
        stream.truncate(1 << 40)  # takes no room
    with pytest.raises(InputError, match=r"state\.json: refused: larger than 256 MiB"):
        open_corpus(tmp_path)


def test_a_story_of_utf_16_that_is_cut_off_is_an_error(tmp_path: Path) -> None:
    story = "A cat sat.\n\n@highlight\n\nA cat."
    (tmp_path / "a.story").write_bytes(story.encode("utf-16")[:-1])
    (tmp_path / "b.story").write_bytes(story.encode("utf-16"))
    error, topic = open_corpus(tmp_path)
    assert isinstance(error, RecordError)
    assert "UTF-16" in error.reason
    assert isinstance(topic, Topic)


def test_carriage_returns_as_line_ends_are_named(tmp_path: Path) -> None:
    path = tmp_path / "in.csv"
    path.write_bytes(b"id,text,summary\r1,A cat sat.,A cat.\r2,It rained.,Rain.\r")
    [error] = open_corpus(path)
    assert isinstance(error, RecordError)
    assert "a carriage return (CR) outside of quotes" in error.reason


@pytest.mark.parametrize("kind", ["csv", "parquet", "arrow", "frame", "table"])
@pytest.mark.parametrize("doubled", ["text", "id", "summary"])
def test_of_two_columns_of_one_name_none_is_taken(doubled: str, kind: str, tmp_path: Path) -> None:
    names = ["id", "text", "summary", "note", "note", doubled]
    cells = ["a", "A cat sat.", "A cat.", "x", "y", "Something else."]
    path = tmp_path / f"in.{kind}"
    source: Any = path
    if kind == "csv":
        path.write_text(f"{','.join(names)}\n{','.join(cells)}\n")
    elif kind == "frame":
        source = pytest.importorskip("pandas").DataFrame([cells], columns=names)
    else:
        source = table = pa.Table.from_arrays([pa.array([cell]) for cell in cells], names=names)
        if kind == "parquet":
            pq.write_table(table, path)
            source = path
        elif kind == "arrow":
            with pa.ipc.new_file(path, table.schema) as writer:
                writer.write_table(table)
            source = path
    [error] = open_corpus(source)
    assert isinstance(error, RecordError)
    assert "not one of two columns of this name" in error.reason


def test_a_saved_data_set_whose_rows_have_another_order_is_refused(tmp_path: Path) -> None:
    (tmp_path / "dataset_info.json").write_text("{}")
    state = {
        "_data_files": [{"filename": "data.arrow"}],
        "_indices_data_files": [{"filename": "indices.arrow"}],
    }
    (tmp_path / "state.json").write_text(json.dumps(state))
    with pytest.raises(InputError, match="the order of the rows"):
        open_corpus(tmp_path)


def test_a_name_twice_inside_a_column_is_an_error() -> None:
    rows = {"id": ["a"], "sentences": [["A cat sat."]], "references": [["A cat."]]}
    text = pa.array(["A cat."])
    for systems in (
        pa.StructArray.from_arrays([text, text], names=["x", "x"]),
        pa.array([[("x", "A cat."), ("x", "A dog.")]], pa.map_(pa.string(), pa.string())),
    ):
        [topic] = open_corpus(pa.table({**rows, "systems": systems}))
        assert isinstance(topic, Topic)
        assert not topic.systems
        assert any("two columns of this name" in flaw.reason for flaw in topic.flaws)
