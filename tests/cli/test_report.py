"""The verb `report`: files in, one file out, and clear words where that cannot be."""

from __future__ import annotations

import gzip
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from cli.corpus import call, run_with_room
from report.results import enumerated, make_results, write_lines


def test_a_report_is_written_and_said(tmp_path: Path) -> None:
    results = make_results(tmp_path, "enumerate")["enumerate"]
    target = tmp_path / "report.html"
    done = call("report", results, "--corpus", "demo", "-o", target, "--title", "Six topics")
    assert done.exit_code == 0, done.stderr
    page = target.read_text()
    assert "<title>Six topics</title>" in page
    assert "62 boulders" in page  # a sentence of the corpus
    assert "open it in a browser" in done.stderr


def test_standard_input_and_output_and_gzip_give_the_same_report(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "out.jsonl", enumerated())
    piped = call("report", "-", "--title", "x", data=path.read_bytes())
    packed = tmp_path / "out.jsonl.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    unpacked = call("report", packed, "--title", "x")
    assert piped.exit_code == unpacked.exit_code == 0
    assert piped.stdout.replace("standard input", "out.jsonl.gz") == unpacked.stdout


def test_a_file_is_not_overwritten_unless_told(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "out.jsonl", enumerated())
    target = tmp_path / "report.html"
    target.write_text("mine")
    done = call("report", path, "-o", target)
    assert done.exit_code == 2
    assert "exists" in done.stderr
    assert target.read_text() == "mine"
    assert call("report", path, "-o", target, "--force").exit_code == 0
    done = call("report", path, "-o", path, "--force")
    assert done.exit_code == 2
    assert "is the input" in done.stderr


@pytest.mark.parametrize(
    ("option", "value"),
    [("--also", "x"), ("--format", "csv"), ("--reference-length", "50"), ("--task", "single")],
)
def test_options_of_the_corpus_need_one(option: str, value: str, tmp_path: Path) -> None:
    path = write_lines(tmp_path / "out.jsonl", enumerated())
    done = call("report", path, option, value, "-o", tmp_path / "report.html")
    assert done.exit_code == 2
    assert f"Error: {option} says how a corpus is read: give that by --corpus" in done.stderr
    assert not (tmp_path / "report.html").exists()


def test_what_cannot_be_reported_is_said_and_nothing_is_written(tmp_path: Path) -> None:
    target = tmp_path / "report.html"
    (tmp_path / "in").mkdir()
    for name, reason in (("absent.jsonl", "cannot be read"), ("in", "contains neither")):
        done = call("report", tmp_path / name, "-o", target)
        assert done.exit_code == 2
        assert reason in done.stderr
        assert not target.exists()


def test_without_matplotlib_the_message_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    done = call("report", write_lines(tmp_path / "out.jsonl", enumerated()), "-o", "x.html")
    assert done.exit_code == 2
    assert "oraclesum[report]" in done.stderr


def test_without_the_extra_it_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_lines(tmp_path / "out.jsonl", enumerated())
    for name in [name for name in sys.modules if name.startswith("oraclesum.report.page")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "pydantic", None)
    done = call("report", path)
    assert done.exit_code == 2
    assert "oraclesum[report]" in done.stderr


@pytest.mark.parametrize("old", [None, "an older report"])
def test_without_room_nothing_is_left_and_an_older_report_stays(
    old: str | None, tmp_path: Path
) -> None:
    path = write_lines(tmp_path / "out.jsonl", enumerated())
    target = tmp_path / "report.html"
    if old is not None:
        target.write_text(old)
    done = run_with_room(20_000, "report", path, "-o", target, "--force")
    assert done.returncode == 1
    assert f"{target}: writing stopped: File too large\n" in done.stderr.decode()
    assert (target.read_text() if target.exists() else None) == old
    assert set(tmp_path.iterdir()) - {target} == {path}


def test_a_report_goes_where_a_link_leads_and_keeps_the_mode_of_the_file(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "out.jsonl", enumerated())
    folder, link = tmp_path / "folder", tmp_path / "link.html"
    folder.mkdir()
    link.symlink_to(folder / "report.html")
    assert call("report", path, "-o", link).exit_code == 0
    assert (folder / "report.html").read_text().startswith("<!DOCTYPE html>")
    (folder / "report.html").write_text("old")
    (folder / "report.html").chmod(0o640)
    assert call("report", path, "-o", link, "--force").exit_code == 0
    assert link.is_symlink()
    assert (folder / "report.html").read_text().startswith("<!DOCTYPE html>")
    assert (folder / "report.html").stat().st_mode & 0o777 == 0o640
    assert [one.name for one in folder.iterdir()] == ["report.html"]


def test_a_report_into_a_pipe_leaves_it_there(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "out.jsonl", enumerated())
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with ThreadPoolExecutor(1) as reader:
        written = reader.submit(pipe.read_bytes)
        assert call("report", path, "-o", pipe).exit_code == 0
    assert pipe.is_fifo()
    assert written.result().startswith(b"<!DOCTYPE html>")


@pytest.mark.parametrize("verb", ["report", "merge"])
def test_the_longest_name_of_a_file_is_taken(verb: str, tmp_path: Path) -> None:
    target = tmp_path / ("a" * 250 + ".html")
    call("enumerate", "demo", "--max-words", "60", "-q", "-o", f"{tmp_path}/run/")
    done = call(verb, tmp_path / "run", "-o", target)
    assert done.exit_code == 0, done.stderr
    assert target.stat().st_size > 0
