"""Every example of docs/corpora.md runs, on invented corpora of the names that it uses."""

from __future__ import annotations

import gzip
import json
import pickle
import re
import shlex
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import oraclesum
from cli.corpus import call
from fixtures import conferences
from fixtures.trees import Tree, write_tree
from oraclesum.corpora import FORMATS, LAYOUTS

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = (ROOT / "docs" / "corpora.md").read_text()
COMMANDS = [
    *re.findall(r"^    oraclesum (.*)$", PAGE, flags=re.MULTILINE),
    *re.findall(r"^\|.*\| `oraclesum (.*)` \|$", PAGE, flags=re.MULTILINE),
]
STORY = "The river rose. Nobody was hurt.\n\n@highlight\n\nThe river rose\n"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    pa = pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq

    tree: Tree = {
        "corpora": {"DUC2004": conferences.duc2004()},
        "Downloads": conferences.sumrepo(),
        "cnn_stories.tgz": {"cnn": {"stories": {"a.story": STORY}}},
        **conferences.duc2004(),
        "DUC2004": conferences.duc2004(),
    }
    write_tree(tree, tmp_path)
    rows = [{"article": "The river rose.", "highlights": "The river rose ."}]
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "train.parquet")
    write_known_files(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write_realsumm(folder: Path) -> None:
    """Scores and articles as they lie in the repository of REALSumm."""
    systems = ("bart_out.txt", "t5_out_base.txt", "unilm_out_v1.txt", "semsim_out.txt")
    scores = {
        i: {
            "doc_id": i,
            "ref_summ": f"<t> the river rose {i} times . </t>",
            "system_summaries": {
                name: {
                    "system_summary": f"<t> the river rose {'so ' * k}{i} . </t>",
                    "scores": {"litepyramid_recall": (k + i) / 9, "js-2": 0.1 * k},
                }
                for k, name in enumerate(systems)
            },
        }
        for i in range(3)
    }
    articles = folder / "selected_docs_for_human_eval" / "abs" / "ptr_generator"
    articles.mkdir(parents=True)
    lines = range(3)
    (articles / "src.txt").write_text(
        "".join(f"<t> the river rose {i} times . it fell . </t>\n" for i in lines)
    )
    (articles / "ref.txt").write_text(
        "".join(f"<t> The river rose {i} times. </t>\n" for i in lines)
    )
    (folder / "scores_dicts").mkdir()
    (folder / "scores_dicts" / "abs.pkl").write_bytes(pickle.dumps(scores))


def write_known_files(folder: Path) -> None:
    """The files of the table, as far as names and columns go."""
    datasets = pytest.importorskip("datasets")
    pa = pytest.importorskip("pyarrow")
    text, summary = "The river rose. It fell.", "The river rose ."
    datasets.Dataset.from_list([{"article": text, "highlights": summary}]).save_to_disk(
        folder / "saved" / "test"
    )
    (folder / "test.csv").write_text(f"id,article,highlights\n1,{text},{summary}\n")
    tree: Tree = {"News Articles": {"1.txt": text}, "Summaries": {"1.txt": summary}}
    write_tree(tree, folder / "BBC News Summary")
    words = [{"src": [text.split(), ["It", "fell", "."]], "tgt": [summary.split()]}]
    write_tree({"json_data": {"cnndm.test.0.json": json.dumps(words)}}, folder)
    lists = json.dumps({"text": [text, "It fell ."], "summary": [summary]}) + "\n"
    (folder / "test.label.jsonl").write_text(lists)
    (folder / "test_CNNDM_bert.jsonl").write_text(lists)
    paper = json.dumps({"article": text, "abstract": summary}) + "\n"
    (folder / "arxiv.json.gz").write_bytes(gzip.compress(paper.encode()))
    dialogue = [{"id": "1", "dialogue": "A: The river rose.", "summary": summary}]
    (folder / "samsum.json").write_text(json.dumps(dialogue))
    annotations = {
        "id": "dm-1",
        "model_id": "M0",
        "decoded": summary,
        "expert_annotations": [{"coherence": 1}],
        "references": [summary],
        "text": text,
    }
    paired = json.dumps(annotations) + "\n"
    (folder / "model_annotations.aligned.paired.jsonl").write_text(paired)
    write_realsumm(folder)
    notes = f"nr\tbody\tgist\n1\t{text}\t{summary}\n".encode()
    (folder / "notes.tsv.zst").write_bytes(pa.Codec("zstd").compress(notes, asbytes=True))


def test_the_page_has_commands_for_known_data_sets() -> None:
    assert len(COMMANDS) >= 18


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_of_the_page_runs(command: str, home: Path) -> None:
    arguments = [word.replace("~", str(home), 1) for word in shlex.split(command)]
    done = call(*arguments)
    assert done.exit_code == 0, done.stderr


def test_the_python_example_of_the_page_runs(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (block,) = re.findall(r"^```python\n(.*?)^```$", PAGE, flags=re.DOTALL | re.MULTILINE)
    exec(compile(block, "docs/corpora.md", "exec"), {})
    assert capsys.readouterr().out.splitlines() == [
        "d30001 5 ('A', 'B') ['2', '65']",
        "d30002 2 ('E',) ['65']",
    ]


def test_the_line_for_a_data_set_of_the_hub_runs() -> None:
    import datasets

    (line,) = re.findall(r"^    (topics = .*)$", PAGE, flags=re.MULTILINE)
    rows = [{"article": "It rained.", "highlights": "It rained .", "id": "a"}]
    hub = SimpleNamespace(load_dataset=lambda *_, split: datasets.Dataset.from_list(rows))
    names: dict[str, Any] = {"oraclesum": oraclesum, "datasets": hub}
    exec(line, names)
    assert [topic.id for topic in names["topics"]] == ["a"]


@pytest.mark.parametrize("name", [name for name in FORMATS if name != "auto"])
def test_every_format_stands_on_the_page_and_in_the_help(name: str) -> None:
    assert f"`{name}`" in PAGE or name in LAYOUTS
    shown = " ".join(call("enumerate", "--help").stdout.split())
    assert name in shown or name in LAYOUTS


@pytest.mark.parametrize("name", LAYOUTS)
def test_the_page_has_a_row_for_each_year_with_its_limit(name: str) -> None:
    (row,) = (
        line
        for line in PAGE.splitlines()
        if re.match(r"\| `(?:duc|tac)", line) and f"`{name}`" in line
    )
    if f"`{name}`" in row.split("|")[1]:
        assert f"--max-words {LAYOUTS[name].words}" in row
