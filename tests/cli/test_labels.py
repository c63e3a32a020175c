"""The verb `labels`: every shape of output, aligned lists, bad records told and left out."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from cli.corpus import GOOD, call, jsonl, records, run_process

BAD = b'{"id": "broken", "sentences": []}'
OTHER: dict[str, Any] = {
    "id": "two",
    "sentences": ["Rain fell.", "Snow fell.", "Rain fell."],
    "references": ["Rain fell on us."],
}
DATA = jsonl(GOOD, BAD, OTHER)
LIMIT = ["--rouge", "1", "--max-sentences", "1"]


def test_json_lines_have_labels_for_every_sentence() -> None:
    done = call("labels", "-", *LIMIT, data=DATA)
    assert done.exit_code == 1
    good, bad, other = records(done.stdout)
    assert len(good["labels"]) == len(good["soft_labels"]) == 3
    assert [i for i, one in enumerate(good["labels"]) if one] == good["oracle_ids"]
    assert (bad["id"], bad["status"]) == ("broken", "error")
    assert other["labels"] == [1, 0, 0]
    assert other["soft_labels"] == [0.5, 0.0, 0.5]
    assert other["oracle_ids"] == [0]
    assert (other["hits"], other["total"], other["count"]) == (2, 4, 2)
    assert other["signature"].endswith("labels:first|soft:oracles")
    assert "<stdin>:2" in done.stderr


def test_all_oracles_are_separate_records() -> None:
    done = call("labels", "-", *LIMIT, "--choose", "all", data=jsonl(OTHER))
    assert [row["oracle_ids"] for row in records(done.stdout)] == [[0], [2]]
    done = call("labels", "-", *LIMIT, "--choose", "all", "--list", "1", data=jsonl(OTHER))
    assert [row["oracle_ids"] for row in records(done.stdout)] == [[0]]


def test_single_references_give_labels_each() -> None:
    done = call("labels", "-", *LIMIT, "--references", "single", data=jsonl(GOOD))
    assert [(row["id"], row["reference"]) for row in records(done.stdout)] == [
        ("cats", 0),
        ("cats", 1),
    ]


def test_presumm_gets_a_json_array_without_the_bad_records(tmp_path: Path) -> None:
    path = tmp_path / "train.0.json"
    path.write_bytes(DATA)
    out = tmp_path / "out.json"
    done = call("labels", path, *LIMIT, "--to", "presumm", "-o", out)
    assert done.exit_code == 1
    assert "train.0.json:2" in done.stderr
    first, second = json.loads(out.read_bytes())
    assert set(first) == {"src", "tgt", "src_sent_labels"}
    assert first["src"] == [sentence.split() for sentence in GOOD["sentences"]]
    assert second["tgt"] == [["Rain", "fell", "on", "us."]]
    assert second["src_sent_labels"] == [1, 0, 0]


@pytest.mark.parametrize(("to", "field"), [("hetersumgraph", "label"), ("matchsum", "sent_id")])
def test_line_shapes_have_text_summary_and_indices(to: str, field: str) -> None:
    done = call("labels", "-", *LIMIT, "--to", to, data=DATA)
    assert done.exit_code == 1
    first, second = records(done.stdout)
    assert second == {
        "text": OTHER["sentences"],
        "summary": ["Rain fell on us."],
        field: [0],
    }
    assert first["summary"] == ["The cat sat on the warm mat."]


def test_presumm_without_a_good_record_is_an_empty_array() -> None:
    done = call("labels", "-", *LIMIT, "--to", "presumm", data=jsonl(BAD))
    assert json.loads(done.stdout) == []


def test_parquet_has_typed_columns_and_the_errors(tmp_path: Path) -> None:
    path = tmp_path / "labels.parquet"
    done = call("labels", "-", *LIMIT, "--to", "parquet", "-o", path, data=DATA)
    assert done.exit_code == 1
    table = pq.read_table(path)
    types = {field.name: str(field.type) for field in table.schema}
    assert types["labels"] == "list<element: int8>"
    assert types["soft_labels"] == "list<element: float>"
    assert types["oracle_ids"] == "list<element: int32>"
    assert types["count"] == "string"
    good, bad, other = table.to_pylist()
    assert (good["id"], good["status"], good["error"]) == ("cats", "complete", None)
    assert (bad["status"], bad["labels"]) == ("error", None)
    assert "document is empty" in bad["error"]
    assert (other["labels"], other["oracle_ids"], other["count"]) == ([1, 0, 0], [0], "2")
    assert other["soft_labels"] == [0.5, 0.0, 0.5]


def test_parquet_goes_through_a_pipe_as_well() -> None:
    done = run_process("labels", "demo", *LIMIT, "--to", "parquet")
    assert done.returncode == 0
    assert pq.read_table(io.BytesIO(done.stdout)).num_rows == 6


def test_text_that_was_split_here_comes_along() -> None:
    record = {"id": "t", "text": "Rain fell. Snow fell.", "references": ["Snow fell."]}
    (row,) = records(call("labels", "-", *LIMIT, data=jsonl(record)).stdout)
    assert row["sentences"] == ["Rain fell.", "Snow fell."]
    assert row["labels"] == [0, 1]


def test_soft_labels_reach_beyond_the_oracles() -> None:
    arguments = ["labels", "-", *LIMIT, "--within-hits", "1", "--temperature", "0.5"]
    (row,) = records(call(*arguments, data=jsonl(OTHER)).stdout)
    assert 0 < row["soft_labels"][1] < row["soft_labels"][0] < 0.5
    assert sum(row["soft_labels"]) == pytest.approx(1.0)
    assert row["signature"].endswith("soft:within_hits=1,temperature=0.5")


def test_jobs_change_nothing() -> None:
    alone = call("labels", "demo", "--max-words", "60", "--choose", "random", "--seed", "4")
    many = run_process(
        "labels", "demo", "--max-words", "60", "--choose", "random", "--seed", "4", "--jobs", "2"
    )
    assert alone.stdout_bytes == many.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--temperature", "1"], "--temperature needs --within-hits"),
        (["--temperature", "0", "--within-hits", "2"], "--temperature must be a number above 0"),
        (["--choose", "best"], "--choose"),
        (["--to", "csv"], "--to"),
    ],
)
def test_wrong_usage_is_told_before_anything_is_read(arguments: list[str], message: str) -> None:
    done = call("labels", "nowhere.jsonl", *LIMIT, *arguments)
    assert done.exit_code == 2
    assert message in done.stderr


def test_an_output_file_that_exists_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "labels.parquet"
    path.write_bytes(b"mine")
    done = call("labels", "demo", *LIMIT, "--to", "parquet", "-o", path)
    assert done.exit_code == 2
    assert path.read_bytes() == b"mine"
