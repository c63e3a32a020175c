"""Folders of `.txt`: which files are documents, and whose references the others are."""

from __future__ import annotations

from pathlib import Path

import pytest

from fixtures.topics import read_topics as read
from fixtures.trees import Tree, write_tree
from oraclesum import RecordError, Topic
from oraclesum.corpora import open_corpus


@pytest.mark.parametrize(
    ("tree", "ids"),
    [
        ({"a.txt": "A cat sat.", "a.ref.txt": "A cat.", "b.txt": "B.", "b.ref1.txt": "B"}, "a b"),
        (
            {
                "News Articles": {"x": {"1.txt": "A cat sat."}, "y": {"1.txt": "It rained."}},
                "Summaries": {"x": {"1.txt": "A cat."}, "y": {"1.txt": "Rain."}},
            },
            "x/1 y/1",
        ),
        ({"docs": {"a.txt": "A cat sat."}, "refs": {"a.1.txt": "A cat.", "a.2.txt": "B"}}, "a"),
    ],
)
@pytest.mark.parametrize("packed", [False, True])
def test_a_folder_of_text_has_references_beside_or_in_another_folder(
    tree: Tree, ids: str, packed: bool, tmp_path: Path
) -> None:
    write_tree({"in.zip": tree} if packed else tree, tmp_path)
    topics = read(tmp_path)
    assert " ".join(topic.id for topic in topics) == ids
    assert topics[0].text == "A cat sat."
    assert topics[0].references[0] == "A cat."
    assert len(topics[0].references) == (2 if "docs" in tree else 1)


def test_a_text_without_reference_is_named(tmp_path: Path) -> None:
    tree: Tree = {"a.txt": "A cat sat.", "a.ref.txt": "A cat.", "b.txt": "B."}
    topic, error = open_corpus(write_tree(tree, tmp_path))
    assert isinstance(topic, Topic)
    assert isinstance(error, RecordError)
    assert error.reason.startswith("no reference was found: b.ref.txt")


@pytest.mark.parametrize("word", ["refugees", "reform", "goldfish", "ref1234", "refs1"])
def test_a_text_whose_name_only_begins_like_that_of_a_reference_is_a_document(
    word: str, tmp_path: Path
) -> None:
    tree: Tree = {"a.txt": "A.", "a.ref.txt": "A.", f"a.{word}.txt": "B.", f"a.{word}.ref.txt": "B"}
    first, second = read(write_tree(tree, tmp_path))
    assert (first.id, first.references) == ("a", ("A.",))
    assert (second.id, second.text, second.references) == (f"a.{word}", "B.", ("B",))


@pytest.mark.parametrize("mark", ["", "1", "-12", ".123", "A", "_b", ".en", "-x1"])
def test_references_beside_a_text_may_be_numbered_or_lettered(mark: str, tmp_path: Path) -> None:
    tree: Tree = {"a.txt": "A cat sat.", f"a.ref{mark}.txt": "A cat."}
    [topic] = read(write_tree(tree, tmp_path))
    assert topic.references == ("A cat.",)


@pytest.mark.parametrize(
    "names",
    [("docs/x.summary", "summaries/x.summary"), ("x.ref", "x.ref.ref")],
)
def test_a_text_named_like_a_reference_of_nothing_is_a_document(
    names: tuple[str, str], tmp_path: Path
) -> None:
    document, reference = (tmp_path / f"{name}.txt" for name in names)
    for path, text in ((document, "A cat sat."), (reference, "A cat.")):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    [topic] = read(tmp_path)
    assert (topic.text, topic.references) == ("A cat sat.", ("A cat.",))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1", "utf-16", "utf-16-be"])
def test_text_files_are_read_in_their_encoding(encoding: str, tmp_path: Path) -> None:
    mark = "\ufeff" if encoding == "utf-16-be" else ""
    (tmp_path / "d.txt").write_bytes(f"{mark}Ein Bär schlief.".encode(encoding))
    (tmp_path / "d.ref.txt").write_bytes(f"{mark}Ein Bär.".encode(encoding))
    [topic] = read(tmp_path)
    assert topic.text == "Ein Bär schlief."
    assert topic.references == ("Ein Bär.",)


@pytest.mark.parametrize("cut", ["d.txt", "d.ref.txt"])
@pytest.mark.parametrize("packed", [False, True])
def test_a_text_of_utf_16_that_is_cut_off_is_an_error(
    cut: str, packed: bool, tmp_path: Path
) -> None:
    tree: Tree = {"d.txt": "Ein Hut.".encode("utf-16"), "d.ref.txt": "Hut.".encode("utf-16")}
    tree |= {cut: "Ein Bär.".encode("utf-16")[:-1], "e.txt": "E.", "e.ref.txt": "E."}
    error, topic = open_corpus(write_tree({"in.zip": tree} if packed else tree, tmp_path))
    assert isinstance(error, RecordError)
    assert "of UTF-16, but is cut off or damaged at byte 17" in error.reason
    assert (cut in error.reason) == (cut == "d.ref.txt")  # the document is the file of the error
    assert error.file.endswith("/d.txt")
    assert isinstance(topic, Topic)


@pytest.mark.parametrize(
    "names",
    [
        ("docs/a.txt", "articles/a.txt", "refs/a.txt"),
        ("docs/a.txt", "docs/a.TXT", "refs/a.txt"),
        ("one/docs/a.txt", "one/src/a.txt", "one/refs/a.txt"),
    ],
)
def test_documents_of_one_name_are_refused_as_their_references_cannot_be_told_apart(
    names: tuple[str, ...], tmp_path: Path
) -> None:
    for name in (*names, "docs/b.txt", "refs/b.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("A cat sat.")
    *errors, topic = sorted(open_corpus(tmp_path), key=lambda item: isinstance(item, Topic))
    assert isinstance(topic, Topic)
    assert topic.id == "b"
    assert topic.references == ("A cat sat.",)
    assert len(errors) == 2
    for error, other in zip(errors, reversed(errors), strict=True):
        assert isinstance(error, RecordError)
        assert isinstance(other, RecordError)
        assert f"{other.file} have one name" in error.reason


def test_a_document_may_be_called_as_a_folder_beside_it(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    for name in ("a", "a/b"):
        (tmp_path / f"{name}.txt").write_text("A cat sat.")
        (tmp_path / f"{name}.ref.txt").write_text("A cat.")
    assert [topic.id for topic in read(tmp_path)] == ["a", "a/b"]


def test_a_number_beside_a_reference_of_the_own_name_is_that_of_another_document(
    tmp_path: Path,
) -> None:
    tree: Tree = {
        "docs": {"a.txt": "A cat sat.", "b.txt": "It rained."},
        "refs": {"a.txt": "A cat.", "a.1.txt": "A dog.", "b.1.txt": "Rain.", "b.2.txt": "Wet."},
    }
    first, second, error = open_corpus(write_tree(tree, tmp_path))
    assert isinstance(first, Topic)
    assert isinstance(second, Topic)
    assert first.references == ("A cat.",)
    assert second.references == ("Rain.", "Wet.")
    assert isinstance(error, RecordError)
    assert error.file.endswith("refs/a.1.txt")
    assert error.reason.startswith("a reference, but no document a.1.txt was found")


@pytest.mark.parametrize("packed", [False, True])
def test_a_reference_without_its_document_is_named(packed: bool, tmp_path: Path) -> None:
    tree: Tree = {"docs": {"a.txt": "A cat sat."}, "refs": {"a.txt": "A cat.", "b.1.txt": "B."}}
    topic, error = open_corpus(write_tree({"in.zip": tree} if packed else tree, tmp_path))
    assert isinstance(topic, Topic)
    assert topic.references == ("A cat.",)
    assert isinstance(error, RecordError)
    assert error.file.endswith("refs/b.1.txt")
    assert error.reason.startswith("a reference, but no document b.1.txt was found")
