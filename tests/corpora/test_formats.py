"""Stories, Parquet, Arrow, JSON lines and tables of other libraries, all by open_corpus."""

from __future__ import annotations

import errno
import gzip
import json
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from children import run_child
from fixtures.topics import read_topics as read
from fixtures.trees import pack, write_tree
from oraclesum import InputError, RecordError, Topic, demo_path, enumerate_corpus
from oraclesum.corpora import Reading, open_corpus, open_source, recognise_format
from oraclesum.corpora.arrow import read_arrow, read_parquet
from oraclesum.runs.cutting import cut_corpus
from shared import shared

STORY = """(CNN) The river rose.

Nobody was hurt.

@highlight

River rises

@highlight

No one hurt
"""
RECORDS: list[dict[str, Any]] = [
    {
        "id": "a",
        "sentences": ["The river rose.", "It fell."],
        "references": [["A river rose."], ["The river fell.", "It rained."]],
        "doc_ids": [0, 1],
        "systems": {"lead": ["The river rose."], "last": None},
        "human": {"lead": {"coverage": 0.5, "style": None}, "last": None},
    },
    {
        "id": "b",
        "sentences": ["A bakery burned."],
        "references": [["A bakery burned."]],
        "doc_ids": None,
        "systems": {"lead": None, "last": ["A bakery burned."]},
        "human": None,
    },
]


def test_a_story_is_a_text_and_one_reference_of_its_highlights(tmp_path: Path) -> None:
    (tmp_path / "0a1b.story").write_text(STORY)
    (topic,) = read(tmp_path / "0a1b.story")
    assert topic.id == "0a1b"
    assert topic.text == "(CNN) The river rose.\n\nNobody was hurt."
    assert topic.references == (("River rises", "No one hurt"),)


@pytest.mark.parametrize("packed", [False, True])
def test_stories_are_read_from_folders_and_archives(packed: bool, tmp_path: Path) -> None:
    tree: Any = {"cnn_stories.tgz": {"cnn": {"stories": {"b.story": STORY, "a.story": STORY}}}}
    write_tree(tree, tmp_path, unpacked=not packed)
    assert sorted(topic.id for topic in read(tmp_path)) == ["a", "b"]


@pytest.mark.parametrize(
    ("story", "line", "reason"),
    [
        ("No highlights\n", 2, "no line @highlight"),
        ("Text\n\n@highlight\n\n", 3, "nothing after @highlight"),
        ("@highlight\n\nOnly\n", 1, "no text before"),
        ("", 1, "no line @highlight"),
    ],
)
def test_a_bad_story_is_named_with_its_line(
    story: str, line: int, reason: str, tmp_path: Path
) -> None:
    (tmp_path / "bad.story").write_text(story)
    (tmp_path / "good.story").write_text(STORY)
    error, topic = open_corpus(tmp_path)
    assert isinstance(error, RecordError)
    assert (error.file, error.line) == (str(tmp_path / "bad.story"), line)
    assert reason in error.reason
    assert isinstance(topic, Topic)


def test_json_lines_are_read_from_a_file_a_gzip_and_a_folder(tmp_path: Path) -> None:
    expected = [topic.id for topic in read(demo_path())]
    assert expected
    for name in ("one.jsonl", "two.jsonl"):
        record = {"id": name, "text": "A b.", "references": ["A b."]}
        (tmp_path / name).write_text(json.dumps(record) + "\n")
    assert [topic.id for topic in read(tmp_path)] == ["one.jsonl", "two.jsonl"]


def test_json_lines_are_read_from_an_archive_and_nameless_records_stay_apart(
    tmp_path: Path,
) -> None:
    line = json.dumps({"text": "A b.", "references": ["A b."]}) + "\n"
    tree: Any = {"in.tgz": {"x": {"a.jsonl": line}, "y": {"a.jsonl.gz": gzip.compress(b"{}\n")}}}
    write_tree({**tree, "z": {"a.jsonl": line}}, tmp_path)
    first, second, third = open_corpus(tmp_path)
    assert isinstance(first, Topic)
    assert first.id == "in.tgz/x/a.jsonl:1"
    assert isinstance(second, RecordError)
    assert second.record_id == "in.tgz/y/a.jsonl.gz:1"
    assert isinstance(third, Topic)
    assert third.place == f"{tmp_path / 'z' / 'a.jsonl'}:1"


@pytest.mark.parametrize(
    ("row", "text", "references"),
    [
        (
            {"article": "A b c.", "highlights": "B c .\nA b .", "id": "x"},
            "A b c.",
            (("B c .", "A b ."),),
        ),
        ({"document": "A b c.", "summary": "B c.", "id": "x"}, "A b c.", ("B c.",)),
        ({"document": "A b. ||||| C d. |||||", "summary": "B."}, "A b.\n\nC d.", ("B.",)),
        ({"text": "A b c.", "summary": "B c.", "title": "T"}, "A b c.", ("B c.",)),
        ({"text": "A b c.", "references": ["R"], "summary": "S"}, "A b c.", ("R",)),
    ],
)
def test_published_columns_are_understood_in_every_table(
    row: dict[str, Any], text: str, references: Any, tmp_path: Path
) -> None:
    (tmp_path / "in.jsonl").write_text(json.dumps(row) + "\n")
    for topic in (*read([row]), *read(tmp_path / "in.jsonl")):
        assert topic.text == text
        assert topic.references == references
        assert topic.id in ("x", "row:1", "in.jsonl:1")


def test_sentences_under_a_published_name_stay_sentences() -> None:
    (topic,) = read([{"document": ["A b.", "C d."], "summary": ["B.", "D."]}])
    assert topic.sentences == ("A b.", "C d.")
    assert topic.references == (("B.", "D."),)


def check(topics: list[Topic]) -> None:
    first, second = topics
    assert (first.id, second.id) == ("a", "b")
    assert first.sentences == ("The river rose.", "It fell.")
    assert first.references == (("A river rose.",), ("The river fell.", "It rained."))
    assert first.doc_ids == (0, 1)
    assert first.systems == {"lead": ("The river rose.",)}  # columns of other rows fall away
    assert first.human == {"lead": {"coverage": 0.5}}
    assert second.systems == {"last": ("A bakery burned.",)}
    assert second.human == {}


def test_parquet_keeps_every_field_of_a_record(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq

    pq.write_table(pa.Table.from_pylist(RECORDS), tmp_path / "in.parquet")
    check(read(tmp_path / "in.parquet"))
    check(read(tmp_path))
    packed = pack({"data": {"in.parquet": (tmp_path / "in.parquet").read_bytes()}}, "in.tgz")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "in.tgz").write_bytes(packed)
    check(read(tmp_path / "sub" / "in.tgz"))


def test_parquet_maps_are_objects() -> None:
    pa = pytest.importorskip("pyarrow")
    scores = pa.map_(pa.string(), pa.float64())
    schema = pa.schema(
        [
            ("text", pa.string()),
            ("references", pa.list_(pa.string())),
            ("human", pa.map_(pa.string(), scores)),
        ]
    )
    row = {"text": "A b.", "references": ["B."], "human": [("s", [("coverage", 1.0)])]}
    (topic,) = read(pa.Table.from_pylist([row], schema=schema))
    assert topic.human == {"s": {"coverage": 1.0}}


@pytest.mark.parametrize("kind", ["stream", "file"])
def test_arrow_files_of_both_kinds_are_read(kind: str, tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    table = pa.Table.from_pylist(RECORDS)
    open_writer = pa.ipc.new_stream if kind == "stream" else pa.ipc.new_file
    with open_writer(tmp_path / "data-0.arrow", table.schema) as writer:
        writer.write_table(table)
    check(read(tmp_path))


def test_tables_of_pyarrow_and_pandas_are_read() -> None:
    pa = pytest.importorskip("pyarrow")
    check(read(pa.Table.from_pylist(RECORDS)))
    pd = pytest.importorskip("pandas")
    check(read(pd.DataFrame(RECORDS)))


class Dataset:
    """As much of datasets.Dataset as counts: rows are dicts."""

    column_names = ("id",)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(RECORDS)


class Frame:
    """As much of polars.DataFrame as counts."""

    def iter_rows(self, *, named: bool) -> Iterator[dict[str, Any]]:
        assert named
        return iter(RECORDS)

    def __iter__(self) -> Iterator[Any]:
        raise AssertionError("columns, not rows")


def test_tables_are_recognised_by_what_they_can_do() -> None:
    check(read(Dataset()))
    check(read(Frame()))


DEEP = "[" * 1000 + "]" * 1000


@pytest.mark.parametrize(
    ("field", "reason"),
    [
        ("unknown", None),
        ("id", "`id` must be text, not a list"),
        ("references", "references[0][0] must be text, not a list"),
    ],
)
@pytest.mark.parametrize("form", ["array", "lines"])
def test_a_record_that_nests_deep_costs_no_other(
    form: str, field: str, reason: str | None, tmp_path: Path
) -> None:
    good = {"id": "good", "text": "A cat sat.", "references": ["A cat."]}
    bad = json.dumps({**good, "id": "bad", field: None}).replace("null", DEEP)
    lines = [bad, json.dumps(good)]
    path = tmp_path / "in.json"
    path.write_text(f"[{','.join(lines)}]" if form == "array" else "\n".join(lines))
    first, second = open_corpus(path)
    assert reason is None or reason in str(first)
    assert isinstance(first, Topic if reason is None else RecordError)
    assert isinstance(second, Topic)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"id": 10**5000}, "`id` is a number with too many digits"),
        ({10**5000: 1}, "a name in the row cannot be written as text"),
    ],
)
def test_a_row_with_an_endless_number_costs_no_other(changes: dict[Any, Any], reason: str) -> None:
    good = {"id": "good", "text": "A cat sat.", "references": ["A cat."]}
    digits = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(4300)  # the command sets none
    try:
        first, second = open_corpus([{**good, **changes}, good])
    finally:
        sys.set_int_max_str_digits(digits)
    assert isinstance(first, RecordError)
    assert reason in str(first)
    assert isinstance(second, Topic)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("", "the name of a file or folder is empty"),
        ("a\0b", "must not contain a NUL character"),
        ("\ud800", "no file can have this name"),
        ("a" * 300, "File name too long"),
    ],
)
def test_a_name_that_no_file_has_is_an_input_error(name: str, reason: str) -> None:
    reads: list[Callable[[], object]] = [
        lambda: open_corpus(name),
        lambda: open_corpus([name]),
        lambda: open_source(name).__enter__(),
        lambda: enumerate_corpus(name, max_words=9),
    ]
    for read_wrong in reads:
        with pytest.raises(InputError, match=reason):
            read_wrong()


def test_a_reader_that_is_left_alone_says_nothing_as_python_ends() -> None:
    done = run_child(
        [
            sys.executable,
            "-c",
            "from oraclesum.corpora.reading import open_source, read_source\n"
            "context = open_source('demo')\n"
            "lines = read_source(context.__enter__())\n"
            "next(lines)",
        ]
    )
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_bad_row_is_named_and_the_others_are_read() -> None:
    rows: Any = [{"id": 1, "text": "A"}, 3, {"id": 2, "text": "A b", "references": ["A"]}]
    first, second, third = open_corpus(rows)
    assert isinstance(first, RecordError)
    assert isinstance(second, RecordError)
    assert (first.line, first.record_id) == (1, "1")
    assert "no `references`" in first.reason
    assert "must be a mapping" in second.reason
    assert isinstance(third, Topic)


def test_an_id_used_twice_is_an_error_across_files(tmp_path: Path) -> None:
    for name in ("x", "y"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "same.story").write_text(STORY)
    first, second = open_corpus(tmp_path)
    assert isinstance(first, Topic)
    assert isinstance(second, RecordError)
    assert "'same' was already used at" in second.reason


def test_the_parts_of_a_mapping_have_to_be_chosen() -> None:
    with pytest.raises(InputError, match="'train', 'test'"):
        list(open_corpus({"train": [], "test": []}))
    with pytest.raises(InputError, match="a path or a table, not int"):
        open_corpus(3)


def test_a_file_that_is_no_parquet_is_an_error_and_others_are_read(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq

    (tmp_path / "a.parquet").write_bytes(b"not at all")
    pq.write_table(pa.Table.from_pylist(RECORDS), tmp_path / "b.parquet")
    error, *topics = open_corpus(tmp_path)
    assert isinstance(error, RecordError)
    assert error.file == str(tmp_path / "a.parquet")
    assert "cannot be read as Parquet" in error.reason
    assert len(topics) == 2


@pytest.mark.parametrize("read_table", [read_arrow, read_parquet])
def test_a_table_that_cannot_be_opened_is_refused_in_few_words(
    read_table: Any, tmp_path: Path
) -> None:
    rows = read_table(tmp_path / "none", name="none", label="none", record_bytes=1)
    with pytest.raises(InputError, match=r"^none: cannot be read: No such file or directory$"):
        next(rows)


@pytest.mark.parametrize("read_it", [open_corpus, lambda root: recognise_format([root])])
def test_a_folder_that_nobody_may_look_into_is_refused(
    read_it: Callable[[Path], Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Tests may run as root, who may look everywhere.
    locked, scan, stat = tmp_path / "locked", os.scandir, Path.stat
    locked.mkdir()

    def refuse_scan(path: Any) -> Any:
        if Path(path) == locked:
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return scan(path)

    def refuse_stat(path: Path, **options: Any) -> os.stat_result:
        if path.parent == locked:
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return stat(path, **options)

    monkeypatch.setattr(os, "scandir", refuse_scan)
    monkeypatch.setattr(Path, "stat", refuse_stat)
    with pytest.raises(InputError, match=r"locked: .*cannot be read: Permission denied$"):
        read_it(locked)
    with pytest.raises(InputError, match=r"locked/in: cannot be read: Permission denied$"):
        recognise_format([locked / "in"])


def test_a_link_out_of_a_folder_of_parquet_is_refused(tmp_path: Path) -> None:
    (tmp_path / "out.parquet").write_bytes(b"x")
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.story").write_text(STORY)
    (tmp_path / "in" / "b.story").symlink_to("../out.parquet")
    items = list(open_corpus(tmp_path / "in"))
    assert [type(item) for item in items] == [Topic, RecordError]


def test_the_format_of_a_single_file_follows_its_name(tmp_path: Path) -> None:
    assert recognise_format([demo_path()]) == "jsonl"
    assert [
        recognise_format([write_tree({name: b""}, tmp_path) / name])
        for name in ("a.parquet", "a.story", "a.arrow", "a.txt")
    ] == ["parquet", "stories", "arrow", "jsonl"]


def test_lengths_are_refused_where_there_are_none(tmp_path: Path) -> None:
    (tmp_path / "a.story").write_text(STORY)
    with pytest.raises(InputError, match="references of DUC, not of stories"):
        open_corpus(tmp_path, length=100)
    rows = [{"sentences": ["A cat sat."], "references": ["The cat sat."]}]
    for odd in ({"length": 100}, {"task": 1.5}):
        with pytest.raises(InputError, match="references of DUC, not of a table"):
            open_corpus(rows, **odd)
    with pytest.raises(InputError, match=r"split must be a function, not 1\.5"):
        open_corpus(rows, split=1.5)
    with pytest.raises(InputError, match="no file of the format parquet"):
        list(open_corpus(tmp_path, format="parquet"))


@pytest.mark.parametrize("name", ["multiling2011_english", "squality_plot_train", "opinosis_20"])
def test_real_records_are_the_same_from_json_lines_and_from_parquet(
    name: str, tmp_path: Path
) -> None:
    pa = pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq

    lines = shared("data", f"{name}.jsonl")
    rows = [json.loads(line) for line in lines.read_text().splitlines()]
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "in.parquet")
    same = {"file": "", "line": 1}
    expected = [replace(topic, **same) for topic in read(lines)]
    assert [replace(topic, **same) for topic in read(tmp_path / "in.parquet")] == expected


def test_pyarrow_and_its_like_are_loaded_only_when_needed() -> None:
    program = (
        "import sys, oraclesum.corpora as c; row = {'text': 'a', 'references': ['a']};"
        "list(c.open_corpus([row]));"
        "sys.exit(bool({'pyarrow', 'pandas', 'datasets', 'polars', 'numpy'} & set(sys.modules)))"
    )
    assert run_child([sys.executable, "-c", program]).returncode == 0


def test_demo_is_the_built_in_corpus_unless_something_has_that_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert read("demo") == read(demo_path())
    (tmp_path / "demo").mkdir()
    with pytest.raises(InputError):
        read("demo")


@pytest.mark.parametrize("shards", [False, True])
def test_parquet_files_one_behind_the_other_are_refused(shards: bool, tmp_path: Path) -> None:
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    for number in (1, 2):
        rows = [{"id": f"{number}{i}", "text": "A cat.", "references": ["A"]} for i in range(3)]
        pq.write_table(pa.Table.from_pylist(rows), tmp_path / f"{number}.parquet")
    joined = tmp_path / "joined.parquet"
    joined.write_bytes(b"".join((tmp_path / f"{number}.parquet").read_bytes() for number in (1, 2)))
    if shards:
        corpus = cut_corpus(str(joined), 10, Reading())
        [item] = [item for piece in corpus.pieces for item in piece.read()[0]]
    else:
        [item] = open_corpus(joined)
    assert isinstance(item, RecordError)
    assert "several files, one behind the other" in item.reason
