"""The command reads folders, archives and table files as it reads JSON lines."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.corpus import call, records
from fixtures import conferences
from fixtures.trees import write_tree


@pytest.fixture
def duc(tmp_path: Path) -> Path:
    return write_tree(conferences.duc2004(), tmp_path / "DUC2004")


def test_a_folder_of_duc_is_enumerated_and_shows_the_sentences_it_was_cut_into(duc: Path) -> None:
    done = call("enumerate", duc, "--max-words", "12", "-q")
    assert done.exit_code == 0, done.stderr
    first, second = records(done.stdout)
    assert (first["id"], second["id"]) == ("d30001", "d30002")
    assert first["sentences"][2] == "The river rose on Monday."
    assert "|split:" in first["signature"]


def test_also_adds_the_systems_of_another_archive(duc: Path, tmp_path: Path) -> None:
    also = write_tree(conferences.sumrepo(), tmp_path / "more") / "sumrepo_duc2004.tar.gz"
    done = call("score", duc, "--also", also, "-q")
    assert done.exit_code == 0, done.stderr
    systems = [row["system"] for row in records(done.stdout) if row.get("id") == "d30001"]
    assert systems == ["2", "65", "CLASSY04", "Centroid", "DPP"]


def test_a_length_of_references_can_be_chosen(tmp_path: Path) -> None:
    folder = write_tree(conferences.duc2001(), tmp_path / "DUC2001")
    done = call("count", folder, "--max-words", "10", "--reference-length", "200", "-q")
    assert done.exit_code == 1  # d35 has no reference of that length
    assert [row["status"] for row in records(done.stdout)] == ["complete", "error"]
    done = call("count", folder, "--max-words", "10", "--task", "single", "-q")
    assert records(done.stdout)[0]["id"] == "d04/AP880911-0016"


def test_parquet_is_read(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq

    rows = {"article": ["A cat sat. Dogs bark."], "highlights": ["A cat sat .\nDogs ."]}
    pq.write_table(pa.table(rows), tmp_path / "in.parquet")
    done = call("extract", tmp_path / "in.parquet", "--max-words", "3", "-q")
    assert done.exit_code == 0, done.stderr
    (row,) = records(done.stdout)
    assert row["id"] == "in.parquet:1"
    assert row["summary"] == ["A cat sat."]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["-", "--format", "duc2004"], "standard input is read as JSON lines, not as duc2004"),
        (["DUC2004", "--format", "duc1999"], "--format must be one of 'auto', 'jsonl'"),
        (["DUC2004", "--format", "duc2003"], "no source documents of DUC 2003"),
        (["DUC2004", "--reference-length", "50"], "references of length 100, not 50"),
        (["DUC2004", "-o", "DUC2004/out.jsonl"], "is inside the input DUC2004"),
        (["sums", "--format", "auto"], "give the folder of DUC 2004 too, by --also"),
        (["none.parquet"], "there is no such file or folder"),
    ],
)
def test_wrong_corpora_are_usage_errors(
    arguments: list[str], reason: str, duc: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(duc.parent)
    write_tree(conferences.sumrepo(), duc.parent / "sums")
    done = call("enumerate", *arguments, "--max-words", "9")
    assert done.exit_code == 2
    assert done.stdout == ""
    assert reason in " ".join(done.stderr.split())


def test_a_broken_document_costs_an_error_and_nothing_else(tmp_path: Path) -> None:
    folder = write_tree(conferences.duc2004(), tmp_path / "DUC2004", unpacked=True)
    cluster = next(folder.rglob("d30001t"))
    (cluster / "NYT19990101.0001").write_text("<DOC>\n</DOC>\n")
    (cluster / "NYT19990102.0001").symlink_to("/etc/hostname")
    done = call("enumerate", folder, "--max-words", "12", "-q")
    assert done.exit_code == 1
    assert [row["status"] for row in records(done.stdout)] == [
        "error",
        "error",
        "complete",
        "complete",
    ]
    assert "refused: a link out of the given folder" in done.stderr


@pytest.mark.parametrize("verb", ["enumerate", "labels", "count"])
@pytest.mark.parametrize("output", ["out.jsonl", "out/"])
def test_every_further_path_is_looked_at_before_anything_is_written(
    verb: str, output: str, tmp_path: Path
) -> None:
    if verb == "count" and output == "out/":
        pytest.skip("it writes one file")
    (tmp_path / "a.jsonl").write_text(
        '{"id": "a", "sentences": ["one two", "three"], "references": ["one two three"]}\n'
    )
    source, missing = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    limit = ("--max-sentences", "2")
    done = call(verb, source, "--also", missing, *limit, "-o", f"{tmp_path}/{output}")
    assert done.exit_code == 2
    assert "b.jsonl: there is no such file or folder" in done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.jsonl"]
