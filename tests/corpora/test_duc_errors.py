"""What is wrong with a DUC folder is named with file, line and reason, and the rest is read."""

from __future__ import annotations

from pathlib import Path

import pytest

from fixtures import conferences, updates
from fixtures.trees import write_tree
from oraclesum import InputError, RecordError, Topic, split_sentences
from oraclesum.corpora import open_corpus

DOCUMENTS = (
    "DUC2004_Summarization_Documents/DUC2004_Summarization_Documents/duc2004_testdata/"
    "tasks1and2/duc2004_tasks1and2_docs/docs"
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_tree(conferences.duc2004(), tmp_path / "in", unpacked=True)


def read_all(folder: Path, **options: str) -> tuple[list[str], list[RecordError]]:
    topics: list[str] = []
    errors: list[RecordError] = []
    for item in open_corpus(folder, split=split_sentences, **options):  # type: ignore[arg-type]
        if isinstance(item, Topic):
            topics.append(item.id)
        else:
            errors.append(item)
    return topics, errors


def test_a_document_without_text_is_named_and_the_rest_is_read(folder: Path) -> None:
    bad = folder / DOCUMENTS / "d30001t" / "NYT19990101.0001"
    bad.write_text("<DOC>\n<DOCNO> NYT19990101.0001 </DOCNO>\n<SLUG>none</SLUG>\n</DOC>\n")
    topics, errors = read_all(folder)
    assert topics == ["d30001", "d30002"]
    assert [(error.file, error.line) for error in errors] == [(str(bad), 1)]
    assert "looked for <TEXT>" in errors[0].reason


def test_a_reference_without_text_is_named_and_the_others_are_read(folder: Path) -> None:
    models = [
        path
        for path in sorted(folder.rglob("D30001*.[A-H]"))
        if path.is_file() and "models" in str(path)
    ]
    assert len(models) > 1
    whole = list(open_corpus(folder, split=split_sentences))
    models[0].write_text("")
    items = list(open_corpus(folder, split=split_sentences))
    [error] = [item for item in items if isinstance(item, RecordError)]
    assert error.file == str(models[0])
    assert error.reason == "the reference summary has no text, and is not used"
    before, after = (
        next(item for item in found if isinstance(item, Topic)) for found in (whole, items)
    )
    assert len(after.references) == len(before.references) - 1


@pytest.mark.parametrize("end", ["</TEXT>", "bridges", "</DOC"])
def test_a_document_that_is_cut_off_is_named_and_its_topic_read_without_it(
    end: str, folder: Path
) -> None:
    cut = folder / DOCUMENTS / "d30001t" / "XIE19981017.0001"
    whole = conferences.news("XIE19981017.0001", "It rained.\nTwo bridges fell.")
    cut.write_text(whole)
    assert read_all(folder) == (["d30001", "d30002"], [])
    cut.write_text(whole[: whole.index(end) + len(end)])
    items = list(open_corpus(folder, split=split_sentences))
    [error] = [item for item in items if isinstance(item, RecordError)]
    assert (error.file, error.record_id) == (str(cut), "d30001/XIE19981017.0001")
    assert error.reason == "cut off: it has no </DOC>"
    assert error.line == len(cut.read_text().split("\n"))
    first, second = [item for item in items if isinstance(item, Topic)]
    assert [len(first.documents), len(second.documents)] == [1, 1]


def test_an_empty_document_is_named(folder: Path) -> None:
    bad = folder / DOCUMENTS / "d30001t" / "NYT19990101.0001"
    bad.write_text(" \n")
    _, errors = read_all(folder)
    assert [error.reason for error in errors] == ["the document is empty"]


@pytest.mark.parametrize(
    "name",
    [
        f"{DOCUMENTS}/d30001t/XIE19981017.0001",
        "duc2004_results/duc2004_results/SEE/short.results.table2",
        "duc2004_results/duc2004_results/ROUGE/duc2004.task2.ROUGE.models/eval/models/2/"
        "D30001.M.100.T.A",
    ],
)
def test_a_file_of_utf_16_that_is_cut_off_is_named(name: str, folder: Path) -> None:
    cut = folder / name
    cut.write_bytes(cut.read_text().encode("utf-16")[:-1])
    topics, errors = read_all(folder)
    assert topics == ["d30001", "d30002"]
    assert [error.file for error in errors] == [str(cut)]
    assert "UTF-16, but is cut off or damaged" in errors[0].reason


def test_a_table_line_with_wrong_columns_is_named_by_its_number(folder: Path) -> None:
    table = folder / "duc2004_results/duc2004_results/SEE/short.results.table2"
    lines = table.read_text().splitlines()
    lines.append(lines[-1].rsplit(maxsplit=1)[0])
    lines.append(conferences.row_2004("D30002", "65", 0.1).replace("0.100", "much"))
    table.write_text("\n".join(lines))
    topics, errors = read_all(folder)
    assert topics == ["d30001", "d30002"]
    assert [(error.file, error.line, error.reason) for error in errors] == [
        (str(table), len(lines) - 1, "22 columns where this table has 23"),
        (str(table), len(lines), "column 20 must be a number or `-`, not 'much'"),
    ]


def test_rows_of_a_table_that_were_never_written_are_named(folder: Path) -> None:
    table = folder / "duc2004_results/duc2004_results/SEE/short.results.table2"
    data = table.read_bytes()
    last = data.rstrip(b"\n").rindex(b"\n") + 1
    table.write_bytes(data[:last] + bytes(len(data) - last - 1) + b"\n")
    topics, [error] = read_all(folder)
    assert topics == ["d30001", "d30002"]
    assert (error.file, error.line) == (str(table), data[:last].count(b"\n") + 1)
    assert error.reason == "NUL bytes: the file is damaged, and rows may be lost"


@pytest.mark.parametrize("data", [b"", b"\n"])
def test_a_table_without_anything_is_named(data: bytes, folder: Path) -> None:
    table = folder / "duc2004_results/duc2004_results/SEE/short.results.table2"
    table.write_bytes(data)
    topics, [error] = read_all(folder)
    assert topics == ["d30001", "d30002"]
    assert (error.file, error.reason) == (str(table), "empty: the judgements are lost")


def test_a_table_that_is_wrong_throughout_does_not_flood(folder: Path) -> None:
    table = folder / "duc2004_results/duc2004_results/SEE/short.results.table2"
    table.write_text("D30001 M - 665 T A B 65 1\n" * 500)
    _, errors = read_all(folder)
    assert len(errors) == 11
    assert errors[-1].reason.startswith("this and 489 more lines are wrong: 9 columns")


def test_a_cluster_without_models_and_models_without_a_cluster_are_errors(folder: Path) -> None:
    models = "duc2004_results/duc2004_results/ROUGE/duc2004.task2.ROUGE.models/eval/models/2"
    (folder / models / "D30002.M.100.T.E").rename(folder / models / "D30003.M.100.T.E")
    topics, errors = read_all(folder)
    assert topics == ["d30001"]
    assert [(error.record_id, error.reason.split(";")[0]) for error in errors] == [
        ("d30002", "d30002 has no reference summaries"),
        ("d30003", "d30003 has no documents"),
    ]


def test_two_files_of_one_document_that_differ_are_an_error(folder: Path) -> None:
    again = folder / "again" / "d30002t" / "APW19981018.0001"
    again.parent.mkdir(parents=True)
    again.write_text(conferences.news("APW19981018.0001", "Something else."))
    topics, errors = read_all(folder)
    assert topics == ["d30001", "d30002"]
    assert "differs from another file" in errors[0].reason


def test_two_summaries_of_one_system_that_differ_are_an_error_and_the_first_is_kept(
    folder: Path,
) -> None:
    peers = "duc2004.task2.ROUGE.peers/eval/peers/2"
    first = next(folder.rglob(f"{peers}/D30001.M.100.T.65"))
    for name, text in (("same", first.read_text()), ("zz", "Something else.")):
        again = folder / name / peers / first.name
        again.parent.mkdir(parents=True)
        again.write_text(text)
    items = list(open_corpus(folder, split=split_sentences))
    topics = [item for item in items if isinstance(item, Topic)]
    assert topics[0].systems["65"] == ("The river rose on Monday.", "Two bridges were closed.")
    assert [(item.file, item.reason) for item in items if isinstance(item, RecordError)] == [
        (str(again), "differs from another file of the same system 65, which was read")
    ]


def test_two_summaries_by_one_hand_are_two_references(folder: Path) -> None:
    models = "duc2004.task2.ROUGE.models/eval/models/2"
    again = folder / "zz" / models / "D30001.M.100.T.A"
    again.parent.mkdir(parents=True)
    again.write_text("Something else.")
    topic, _ = open_corpus(folder, split=split_sentences)
    assert isinstance(topic, Topic)
    assert topic.reference_names == ("A", "A2", "B")


def test_a_numbered_sentence_without_a_number_is_named_by_its_line(tmp_path: Path) -> None:
    folder = write_tree(conferences.duc2002(), tmp_path / "in", unpacked=True)
    bad = next(folder.rglob("d062j/*.S"))
    bad.write_text(bad.read_text().replace('num="3"', 'num="three"'))
    _, errors = read_all(folder)
    assert [(error.file, error.line) for error in errors[:1]] == [(str(bad), 8)]
    assert "'three'" in errors[0].reason


def test_a_model_file_without_its_tag_is_named(tmp_path: Path) -> None:
    folder = write_tree(conferences.duc2001(), tmp_path / "in", unpacked=True)
    bad = next(folder.rglob("d35ff/perdocs"))
    bad.write_text("The summary is missing.\n")
    _, errors = read_all(folder, task="single")
    assert ("no <SUM …> in a file of model summaries", str(bad)) in [
        (error.reason, error.file) for error in errors
    ]


def test_a_summary_of_an_unknown_document_is_named_by_its_line(tmp_path: Path) -> None:
    folder = write_tree(conferences.duc2001(), tmp_path / "in", unpacked=True)
    bad = next(folder.rglob("d04ab/perdocs"))
    bad.write_text(bad.read_text() + conferences.perdoc("d04", "AP000000-0000", "B", "Lost."))
    _, errors = read_all(folder, task="single")
    found = next(error for error in errors if error.file == str(bad))
    assert "AP000000-0000, which is no document of d04" in found.reason
    assert bad.read_text().split("\n")[found.line - 1].startswith("<SUM")


def test_documents_without_references_say_what_is_missing(tmp_path: Path) -> None:
    tree = conferences.duc2004()
    del tree["duc2004_results.tgz"]
    folder = write_tree(tree, tmp_path / "in")
    with pytest.raises(InputError, match="looks like DUC 2004, task 2, but has no references"):
        open_corpus(folder, split=split_sentences)
    with pytest.raises(InputError, match="no reference summaries of DUC 2004, task 2"):
        open_corpus(folder, split=split_sentences, format="duc2004")


def test_2003_and_2004_are_told_apart_by_the_paths_or_asked_for(tmp_path: Path) -> None:
    files = {
        "d30001t": {"APW19981016.0240": conferences.news("x", conferences.RIVER)},
        "models": {"D30001.M.100.T.A": "The river rose.\n"},
    }
    plain = write_tree({"in": {"x": files}}, tmp_path)
    with pytest.raises(InputError, match=r"any of duc2003, duc2004; say which"):
        open_corpus(plain / "in", split=split_sentences)
    assert read_all(plain / "in", format="duc2003") == (["d30001"], [])
    named = write_tree({"DUC2003": {"x": files}}, tmp_path)
    assert read_all(named / "DUC2003") == (["d30001"], [])
    assert read_all(named / "DUC2003" / "x") == (["d30001"], [])


def test_a_folder_of_several_years_asks_which(tmp_path: Path) -> None:
    folder = write_tree({"years": {"a": updates.duc2005(), "b": updates.duc2006()}}, tmp_path)
    with pytest.raises(InputError, match="duc2005, duc2006"):
        open_corpus(folder / "years", split=split_sentences)
    assert read_all(folder / "years", format="duc2006")[0] == ["d0601"]


def test_an_unrecognised_folder_says_what_was_looked_for(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("hello")
    with pytest.raises(
        InputError, match=r"among 1 files \(notes\.txt\); looked for \*\.story.*d061j/AP880911"
    ):
        open_corpus(tmp_path)


def test_wrong_arguments_are_refused(folder: Path) -> None:
    with pytest.raises(InputError, match="format must be one of 'auto', 'jsonl'"):
        open_corpus(folder, format="duc1999")
    with pytest.raises(InputError, match="pass split="):
        open_corpus(folder)
    with pytest.raises(InputError, match="no references of single documents"):
        open_corpus(folder, split=split_sentences, task="single")
    with pytest.raises(InputError, match="task must be 'multi' or 'single'"):
        open_corpus(folder, split=split_sentences, task="both")
    with pytest.raises(InputError, match="there is no such file"):
        open_corpus(folder / "nowhere")
