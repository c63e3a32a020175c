"""What of archives has to be in memory at once is bounded, names included."""

from __future__ import annotations

import gc
import gzip
import io
import sys
import tarfile
from pathlib import Path

import pytest

from children import run_child
from fixtures import conferences
from fixtures.trees import Tree, pack, write_tree
from oraclesum import RecordError, Topic
from oraclesum.corpora import Caps, open_corpus
from oraclesum.corpora.files import CorpusFile, walk_files

_TEXTS: Tree = {
    "docs": {f"{name}.txt": f"A cat {name} sat. " * 10 for name in "abc"},
    "refs": {f"{name}.txt": "A cat." for name in "abc"},
}
_REFUSED = "would be in memory at once; unpack the archive into a folder, and give that"


def sort_items(items: list[Topic | RecordError]) -> tuple[list[str], list[str]]:
    """The ids of the topics, and the reasons of the errors."""
    return (
        [item.id for item in items if isinstance(item, Topic)],
        [item.reason for item in items if isinstance(item, RecordError)],
    )


def test_texts_of_an_archive_beyond_what_is_kept_are_errors_of_their_own(tmp_path: Path) -> None:
    path = tmp_path / "in.tgz"
    path.write_bytes(pack(_TEXTS, "in.tgz"))
    assert sort_items(list(open_corpus(path)))[0] == ["a", "b", "c"]
    caps = Caps(record_bytes=200, kept_bytes=300)
    ids, [reason] = sort_items(list(open_corpus(path, caps=caps)))
    assert ids == ["a", "b"]
    assert reason.endswith(_REFUSED)


def test_a_folder_of_texts_is_not_kept_and_a_larger_record_may_be_kept(tmp_path: Path) -> None:
    write_tree(_TEXTS, tmp_path / "in")
    caps = Caps(record_bytes=200, kept_bytes=1)
    assert len(sort_items(list(open_corpus(tmp_path / "in", caps=caps)))[0]) == 3
    (tmp_path / "in.tgz").write_bytes(pack(_TEXTS, "in.tgz"))
    caps = Caps(record_bytes=10_000, kept_bytes=1)
    assert len(sort_items(list(open_corpus(tmp_path / "in.tgz", caps=caps)))[0]) == 3


def test_what_was_refused_is_not_kept_by_its_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    living = 0

    class Data(bytes):
        """Bytes that say when they are gone."""

        def __del__(self) -> None:
            nonlocal living
            living -= 1

    def read(*_: object) -> Data:
        nonlocal living
        living += 1
        return Data(b"A cat sat. " * 10)

    (tmp_path / "in.tgz").write_bytes(pack(_TEXTS, "in.tgz"))
    monkeypatch.setattr("oraclesum.corpora.files.read_bounded", read)
    items = open_corpus(tmp_path / "in.tgz", caps=Caps(record_bytes=200, kept_bytes=1))
    assert isinstance(next(items), RecordError)
    gc.collect()
    assert living == 1  # the first document, which nobody had to refuse


def test_documents_of_duc_in_an_archive_beyond_what_is_kept_are_errors(tmp_path: Path) -> None:
    write_tree(conferences.duc2004(), tmp_path)
    _, before = sort_items(list(open_corpus(tmp_path, format="duc2004", split=str.splitlines)))
    assert not any(reason.endswith(_REFUSED) for reason in before)
    caps = Caps(record_bytes=700, kept_bytes=700)
    _, reasons = sort_items(
        list(open_corpus(tmp_path, format="duc2004", split=str.splitlines, caps=caps))
    )
    assert any(reason.endswith(_REFUSED) for reason in reasons)


def write_names(path: Path, names: list[str]) -> Path:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        for name in names:
            archive.addfile(tarfile.TarInfo(name))
    path.write_bytes(gzip.compress(stream.getvalue()))
    return path


@pytest.mark.parametrize(("name", "read"), [("n" * 99, 10), ("ñ" * 99, 2)])
def test_names_in_an_archive_are_bounded_all_together(name: str, read: int, tmp_path: Path) -> None:
    path = write_names(tmp_path / "in.tgz", [f"{k}{name}" for k in range(10)] + ["last"])
    *files, error = walk_files(path, Caps(name_bytes=1000))
    assert len(files) == read
    assert isinstance(error, RecordError)
    assert "more than 0.0009537 MiB of names; unpack the archive" in error.reason
    assert len(list(walk_files(path))) == 11


def test_names_that_are_refused_count_as_well(tmp_path: Path) -> None:
    path = write_names(tmp_path / "in.tgz", [f"../{k}{'n' * 96}" for k in range(20)])
    assert len(list(walk_files(path, Caps(name_bytes=1000)))) == 11


@pytest.mark.parametrize("second", ["x/a.jsonl", "./x/a.jsonl", "x//a.jsonl"])
def test_a_file_that_is_in_an_archive_twice_is_read_once(second: str, tmp_path: Path) -> None:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        for name, topic in (("x/a.jsonl", "1"), ("x/b.jsonl", "2"), (second, "3")):
            data = b'{"id": "%s", "text": "A cat.", "references": ["A"]}' % topic.encode()
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    path = tmp_path / "in.tar"
    path.write_bytes(stream.getvalue())
    ids, reasons = sort_items(list(open_corpus(path)))
    assert ids == ["1", "2"]
    assert reasons == ["refused: it is in the archive twice; the first was taken"]


def test_a_reference_that_is_in_an_archive_twice_is_one_reference(tmp_path: Path) -> None:
    path = tmp_path / "in.tar"
    path.write_bytes(pack(_TEXTS, "in.tar"))
    (tmp_path / "refs").mkdir()
    (tmp_path / "refs" / "a.txt").write_text("Another cat.")
    with tarfile.open(path, "a") as archive:
        archive.add(tmp_path / "refs" / "a.txt", "refs/a.txt")
    items = list(open_corpus(path))
    assert sort_items(items)[1] == ["refused: it is in the archive twice; the first was taken"]
    assert [item.references for item in items if isinstance(item, Topic)] == [("A cat.",)] * 3


def test_one_name_in_two_archives_is_two_files(tmp_path: Path) -> None:
    write_tree({"a.tgz": {"x": "1"}, "b.tgz": {"x": "2", "c.tar": {"x": "3"}}}, tmp_path)
    assert all(isinstance(item, CorpusFile) for item in walk_files(tmp_path))


# The verb has no memory left.
_STARVE = """
from oraclesum.cli.entry import main
from oraclesum.cli.verbs import count

def starve(**_):
    print("what was answered")
    raise MemoryError

count.command.callback = starve
main(["count", "demo", "--max-words", "10"])
"""


def test_a_verb_that_runs_out_of_memory_ends_with_one_line() -> None:
    done = run_child([sys.executable, "-c", _STARVE], text=True)
    assert (done.returncode, done.stdout) == (1, "what was answered\n")
    assert done.stderr.startswith("out of memory")
    assert done.stderr.count("\n") == 1
