"""The commands of a view are exact: run as they stand, they give what is downloaded."""

from __future__ import annotations

import gzip
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

import oraclesum
from children import run_child
from cli.corpus import call
from explorer.serving import PASTED, Served, serve
from oraclesum.explorer.corpus import open_served

SETTINGS: list[dict[str, Any]] = [
    {"rouge": 1, "max_words": 60},
    {"rouge": 2, "max_words": None, "max_sentences": 3, "stem": False, "family": "minimal"},
    {"rouge": 1, "max_bytes": 300, "remove_stopwords": True, "within_hits": 1, "time_limit": 2000},
    {"rouge": 1, "max_words": 40, "reference": 1},
    {"objective": "r1-f1+2*r2-f1", "max_words": None, "max_sentences": 3},
]


def run_shell(command: str, folder: Path) -> bytes:
    """What the command writes, with the `oraclesum` of this interpreter first on the path."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = run_child(["bash", "-euc", command], cwd=folder, env={**os.environ, "PATH": path})
    assert done.returncode == 0, done.stderr
    written: bytes = done.stdout
    return written


def run_python(program: str, folder: Path) -> list[str]:
    done = run_child([sys.executable, "-c", program], cwd=folder, text=True)
    assert done.returncode == 0, done.stderr
    words: list[str] = done.stdout.split()
    return words


def check(served: Served, document: dict[str, Any], settings: dict[str, Any], folder: Path) -> None:
    view = served.post(document, **settings)
    path = f"/api/families/{view['key']}"
    download = served.client.get(f"{path}/download").content
    needed = view["commands"]["needs"]
    if needed is not None:
        file = served.client.get(f"{path}/input")
        assert file.headers["Content-Disposition"] == f'attachment; filename="{needed}"'
        (folder / needed).write_bytes(file.content)
    record = json.loads(download)
    assert run_shell(view["commands"]["shell"], folder) == download
    recall = "objective" not in settings
    assert run_python(view["commands"]["python"], folder) == [
        str(record["score"]),
        *([str(record["hits"]), str(record["total"])] if recall else [record["value"]]),
        str(record["count"]),
    ]
    assert (record.get("hits"), record.get("total")) == (view["hits"], view["total"])


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_commands_for_the_demo_corpus(settings: dict[str, Any], tmp_path: Path) -> None:
    with serve(corpus=open_served("demo")) as served:
        check(served, {"topic": 2}, settings, tmp_path)


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_commands_for_a_pasted_document(settings: dict[str, Any], tmp_path: Path) -> None:
    references = [*PASTED["references"], "The harbour of the town reopened."]
    systems = {"lead": [0, 1], "text": "The harbour of Port Ellery reopened on Tuesday."}
    document = {**PASTED, "references": references, "systems": systems, "id": "my $(topic)'s; id"}
    with serve() as served:
        check(served, document, settings, tmp_path)


def test_commands_for_pasted_text(tmp_path: Path) -> None:
    text = " ".join(PASTED["sentences"])
    with serve() as served:
        check(served, {"text": text, "references": PASTED["references"]}, SETTINGS[0], tmp_path)
        french = {"text": "Le port est ouvert. Il fait beau.", "references": ["le port est beau"]}
        check(served, french, {"rouge": 1, "language": "fr"}, tmp_path)


@pytest.fixture
def lines(tmp_path: Path) -> Path:
    """A corpus with all that can be in the way: blank and bad lines, text, no id, a BOM."""
    folder = tmp_path / "my corpus"
    folder.mkdir()
    references = [["The harbour reopened.", "Divers cleared the channel."], "The town council met."]
    rows = [
        {"id": "first", "sentences": PASTED["sentences"], "references": references},
        None,
        {"id": "bad"},
        {"text": " ".join(PASTED["sentences"]), "references": references, "language": "en"},
        {"id": 7, "sentences": PASTED["sentences"][:3], "references": references},
    ]
    path = folder / "it's.jsonl"
    content = "\n".join("" if row is None else json.dumps(row) for row in rows)
    path.write_bytes(b"\xef\xbb\xbf" + content.encode())
    return path


@pytest.mark.parametrize("number", [0, 2, 3])
@pytest.mark.parametrize("settings", [SETTINGS[0], SETTINGS[3]], ids=str)
def test_commands_for_a_file_of_lines(lines: Path, number: int, settings: dict[str, Any]) -> None:
    with serve(corpus=open_served(str(lines))) as served:
        topics = served.get("/api/topics")["topics"]
        assert [topic["id"] for topic in topics] == ["first", "bad", "it's.jsonl:4", "7"]
        assert "has neither" in topics[1]["error"]
        check(served, {"topic": number}, settings, lines.parent)
        problem = served.refuse(422, "POST", "/api/families", json={"document": {"topic": 1}})
        assert "it's.jsonl:3" in problem["error"]
        served.refuse(422, "GET", "/api/topics/1")


@pytest.mark.parametrize("settings", [SETTINGS[0], SETTINGS[3]], ids=str)
def test_commands_for_packed_lines(lines: Path, settings: dict[str, Any]) -> None:
    packed = lines.with_name("corpus.jsonl.gz")
    packed.write_bytes(gzip.compress(lines.read_bytes()))
    with serve(corpus=open_served(str(packed))) as served:
        check(served, {"topic": 3}, settings, lines.parent)


def test_a_corpus_that_changes_is_not_read_on(lines: Path) -> None:
    corpus = open_served(str(lines))
    with serve(corpus=corpus) as served:
        served.post({"topic": 0}, rouge=1)
        lines.write_text("/etc/passwd\n" * 40)
        problem = served.refuse(422, "GET", "/api/topics/3")
        assert "has changed" in problem["error"]


def test_a_corpus_that_is_gone_is_said_to_be(lines: Path) -> None:
    content = lines.read_bytes()
    status = lines.stat()
    with serve(corpus=open_served(str(lines))) as served:
        lines.unlink()
        question = {"document": {"topic": 0}, "settings": {"rouge": 1}}
        for problem in (
            served.refuse(422, "GET", "/api/topics"),
            served.refuse(422, "GET", "/api/topics/0"),
            served.refuse(422, "POST", "/api/families", json=question),
        ):
            assert "it's.jsonl: can no longer be read: No such file" in problem["error"]
        lines.symlink_to(lines)  # nobody can read that
        assert "can no longer be read" in served.refuse(422, "GET", "/api/topics/0")["error"]
        lines.unlink()
        lines.write_bytes(content)
        os.utime(lines, ns=(status.st_atime_ns, status.st_mtime_ns))
        assert served.get("/api/topics/0")["id"] == "first"


@pytest.mark.skipif(sys.platform == "darwin", reason="file names there are UTF-8")
@pytest.mark.parametrize("number", [0, 2])
def test_a_corpus_whose_name_is_not_text_is_shown_with_escapes(lines: Path, number: int) -> None:
    name = os.fsdecode(os.fsencode(lines.parent) + b"/it's \\ t\xffa\nb.jsonl")
    os.rename(lines, name)
    with serve(corpus=open_served(name)) as served:
        shown = served.get("/api/about")["corpus"]["name"]
        assert shown.endswith(r"/it's \ t\xffa\nb.jsonl")
        assert served.get("/api/topics")["topics"][2]["id"] == r"it's \ t\xffa\nb.jsonl:4"
        check(served, {"topic": number}, SETTINGS[0], lines.parent)


def test_a_list_of_any_length_is_downloaded_as_the_command_writes_it(tmp_path: Path) -> None:
    with serve(corpus=open_served("demo")) as served:
        view = served.post({"topic": 0}, rouge=1, within_hits=5)
        assert int(view["count"]) > 100
        for most in (0, 7, 1000):
            download = served.client.get(
                f"/api/families/{view['key']}/download", params={"list": most}
            ).content
            command = view["commands"]["shell"].replace("--list 1000", f"--list {most}")
            assert run_shell(command, tmp_path) == download


def test_the_demo_is_the_one_of_the_package() -> None:
    assert len(open_served("demo").entries) == len(oraclesum.demo_path().read_text().splitlines())


TAGGED = "<t> The harbour of Port Ellery reopened . </t>\n<t> Divers -lrb- two -rrb- came . </t>"
REFERENCES = ["<t> The harbour reopened . </t>", ["<t> Divers came . </t>"]]


@pytest.mark.parametrize(
    "row",
    [
        {"nr": "a", "body": TAGGED, "gist": REFERENCES},
        {"nr": "a", "body": TAGGED.split("\n"), "gist": REFERENCES},
    ],
    ids=["text", "sentences"],
)
@pytest.mark.parametrize("suffix", ["jsonl", "json"])
def test_commands_for_a_corpus_with_named_columns_that_is_cleaned_and_split(
    row: dict[str, Any], suffix: str, tmp_path: Path
) -> None:
    path = tmp_path / f"data.{suffix}"
    path.write_text(json.dumps(row) + "\n" if suffix == "jsonl" else json.dumps([row]))
    columns = "text=body,references=gist,id=nr"
    corpus = open_served(str(path), columns=columns, split="newline", clean="markup")
    with serve(corpus=corpus) as served:
        topic = served.get("/api/topics/0")
        assert topic["sentences"] == [
            "The harbour of Port Ellery reopened .",
            "Divers ( two ) came .",
        ]
        view = served.post({"topic": 0}, rouge=1, max_words=7)
        assert "|clean:markup-1" in view["signature"]
        assert ("|split:newline" in view["signature"]) == isinstance(row["body"], str)
        for settings in (SETTINGS[0], SETTINGS[3]):
            check(served, {"topic": 0}, settings, tmp_path)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--split", "punkt"], "--split must be one of"),
        (["--clean", "tags"], "--clean must be one of"),
        (["--columns", "body"], "--columns must be as"),
    ],
)
def test_wrong_choices_for_a_served_corpus_are_usage_errors(
    options: list[str], reason: str
) -> None:
    done = call("serve", "demo", *options)
    assert done.exit_code == 2
    assert reason in " ".join(done.stderr.split())


def test_a_corpus_of_blank_lines_has_no_topic_any_more(lines: Path) -> None:
    with serve(corpus=open_served(str(lines))) as served:
        before = lines.stat()
        lines.write_bytes(b"\n" * before.st_size)
        os.utime(lines, ns=(before.st_atime_ns, before.st_mtime_ns))
        assert served.refuse(422, "GET", "/api/topics/0")["error"]
