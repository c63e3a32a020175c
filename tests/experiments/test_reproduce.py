"""The reproduction: its tables, its folder, and how it goes on after an interruption."""

from __future__ import annotations

import csv
import json
import os
import re
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt

from children import run_child
from cli.corpus import call, run_with_room
from oraclesum.corpora import Topic, demo_path
from oraclesum.experiments import reproduce
from oraclesum.experiments.run import run_experiment
from oraclesum.experiments.settings import Experiment
from oraclesum.experiments.tables import KEYS as ALL_KEYS
from shared import shared

QUICK = ("--max-words", "60", "--human", "responsiveness", "--baseline-time-limit", "2")
KEYS = {
    "table1", "table2", "table3", "room", "systems", "table4", "table5",
    "table6", "table6-summaries", "table7", "times", "objectives", "objectives-near",
    "objectives-transfer", "objectives-positions", "objectives-lengths",
}  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished reproduction of the demo corpus."""
    path = tmp_path_factory.mktemp("reproduction") / "demo"
    result = call("reproduce", "demo", *QUICK, "-o", path)
    assert result.exit_code == 0, result.stderr
    return path


def read_csv(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def test_every_table_is_written(folder: Path) -> None:
    assert {path.stem for path in folder.glob("*.csv")} == KEYS == set(ALL_KEYS)
    text = (folder / "tables.md").read_text()
    for number in range(1, 8):
        assert f"Table {number}" in text


def test_figures_agree_with_each_other(folder: Path) -> None:
    scores = {row["summary"]: row for row in read_csv(folder / "table2.csv")}
    for column in ("ROUGE-1 recall", "ROUGE-2 recall"):
        multi, single = (float(scores[f"Oracle ({kind})"][column]) for kind in ("multi", "single"))
        assert float(scores["Greedy (multi)"][column]) <= multi < single
        assert float(scores["Best peer"][column]) < multi
    for row in read_csv(folder / "table7.csv"):
        assert float(row["search (ours)"]) < float(row["feasible (naive)"])
    for row in read_csv(folder / "table4.csv"):
        assert 0 < float(row["multi"]) <= 1


def test_the_markdown_renders_as_tables(folder: Path) -> None:
    html = MarkdownIt("commonmark").enable("table").render((folder / "tables.md").read_text())
    assert html.count("<table>") == len(KEYS)
    assert html.count("<h3>") == len(KEYS)
    assert "| ---" not in html


def test_the_latex_is_well_formed(folder: Path) -> None:
    lines = (folder / "tables.tex").read_text().splitlines()
    text = "\n".join(lines)
    for name in ("document", "table", "tabular"):
        assert text.count(rf"\begin{{{name}}}") == text.count(rf"\end{{{name}}}") > 0
    assert text.count("{") == text.count("}")
    columns = 0
    for line in lines:
        if line.startswith(r"\begin{tabular}"):
            columns = len(line.removeprefix(r"\begin{tabular}").strip("{}"))
        elif line.endswith(r"\\") and r"\multicolumn" not in line:
            assert len(line.replace(r"\&", "").split("&")) == columns, line


@pytest.mark.skipif(
    not any(map(shutil.which, ("pdflatex", "tectonic"))), reason="no LaTeX is installed"
)
def test_the_latex_compiles(folder: Path, tmp_path: Path) -> None:
    program = "pdflatex" if shutil.which("pdflatex") else "tectonic"
    options = ["-interaction=nonstopmode", "-halt-on-error"] if program == "pdflatex" else []
    shutil.copy(folder / "tables.tex", tmp_path)
    done = run_child([program, *options, "tables.tex"], cwd=tmp_path, text=True)
    assert done.returncode == 0, done.stdout[-2000:]


def test_a_second_run_measures_nothing_again(folder: Path) -> None:
    before = (folder / "results.jsonl").read_bytes()
    result = call("reproduce", "demo", *QUICK, "-o", folder)
    assert result.exit_code == 0
    assert "6 topics were measured before" in result.stderr
    assert (folder / "results.jsonl").read_bytes() == before


def test_a_run_that_was_cut_short_goes_on(folder: Path, tmp_path: Path) -> None:
    # Another test may have laid the tables out beside the paper's.
    assert call("reproduce", "demo", *QUICK, "-o", folder).exit_code == 0
    lines = (folder / "results.jsonl").read_bytes().splitlines(keepends=True)
    torn = lines[3][: len(lines[3]) // 2]
    (tmp_path / "results.jsonl").write_bytes(b"".join(lines[:3]) + torn)
    result = call("reproduce", "demo", *QUICK, "-o", tmp_path)
    assert result.exit_code == 0
    assert "2 topics were measured before" in result.stderr
    assert (tmp_path / "table2.csv").read_text() == (folder / "table2.csv").read_text()
    assert (tmp_path / "table6.csv").read_text() == (folder / "table6.csv").read_text()


def test_results_that_were_changed_are_measured_again(folder: Path, tmp_path: Path) -> None:
    assert call("reproduce", "demo", *QUICK, "-o", folder).exit_code == 0
    lines = (folder / "results.jsonl").read_bytes().splitlines(keepends=True)
    lines[2] = re.sub(rb'"seconds":[0-9]', b'"seconds":7', lines[2], count=1)
    lines[3] = b'{"crc32":1}\n'
    (tmp_path / "results.jsonl").write_bytes(b"".join(lines))
    result = call("reproduce", "demo", *QUICK, "-o", tmp_path)
    assert result.exit_code == 0
    assert "4 topics were measured before" in result.stderr
    assert (tmp_path / "table2.csv").read_text() == (folder / "table2.csv").read_text()


def test_without_room_the_results_of_the_run_before_stay(folder: Path, tmp_path: Path) -> None:
    before = (folder / "results.jsonl").read_bytes()
    (tmp_path / "results.jsonl").write_bytes(before)
    done = run_with_room(2_000, "reproduce", "demo", *QUICK, "-o", tmp_path)
    assert done.returncode == 2
    assert "results.jsonl: cannot be written: File too large" in done.stderr.decode()
    assert (tmp_path / "results.jsonl").read_bytes() == before


def test_other_settings_are_never_mixed_in(folder: Path) -> None:
    other = [word if word != "60" else "50" for word in QUICK]
    result = call("reproduce", "demo", *other, "-o", folder)
    assert result.exit_code == 2
    assert "results of other settings" in result.stderr
    assert "--force" in result.stderr


def test_a_changed_topic_is_not_taken_for_the_measured_one(folder: Path, tmp_path: Path) -> None:
    records = [json.loads(line) for line in demo_path().read_text().splitlines()]
    records[2]["sentences"][0] += " Indeed."
    corpus = tmp_path / "demo"
    corpus.write_text("".join(json.dumps(record) + "\n" for record in records))
    result = call("reproduce", corpus, *QUICK, "-o", folder)
    assert result.exit_code == 2
    assert f"{records[2]['id']!r} has changed since it was measured" in result.stderr


def test_several_processes_give_the_same_tables(folder: Path, tmp_path: Path) -> None:
    result = call("reproduce", "demo", *QUICK, "-o", tmp_path / "two", "--jobs", "2")
    assert result.exit_code == 0, result.stderr
    for key in KEYS - {"times"}:
        name = f"{key}.csv"
        assert (tmp_path / "two" / name).read_text() == (folder / name).read_text()


@pytest.mark.parametrize(
    ("format", "mark"), [("terminal", "Table 2"), ("latex", r"\toprule"), ("csv", "# Table 2")]
)
def test_tables_are_printed_in_the_format_asked_for(folder: Path, format: str, mark: str) -> None:
    result = call("reproduce", "demo", *QUICK, "-o", folder, "--tables", format, "-q")
    assert result.exit_code == 0
    assert mark in result.stdout
    assert result.stderr == ""


def test_published_figures_stand_beside_ours(folder: Path, tmp_path: Path) -> None:
    own = shutil.copytree(folder, tmp_path / "own")  # other tests compare the tables of the other
    result = call("reproduce", "demo", *QUICK, "-o", own, "--published", "2004", "--tables", "csv")
    assert result.exit_code == 0, result.stderr
    assert "ROUGE-1 recall ours,ROUGE-1 recall paper" in result.stdout
    assert ",0.427," in result.stdout  # Table 2, oracle (multi)
    assert "9.65e+10" in result.stdout or "96500000000.0" in result.stdout  # Table 7
    assert ".815-.830" in result.stdout  # Table 6, S


def test_correlate_gives_the_same_intervals_for_the_same_seed(folder: Path) -> None:
    options = ("--max-words", "60", "--human", "responsiveness")
    found = {
        row["measure"]: row
        for line in call("correlate", "demo", *options).stdout.splitlines()
        if (row := json.loads(line))["kind"] == "correlation"
        and row["level"] == "summary"
        and row["coefficient"] == "pearson"
    }
    for row in read_csv(folder / "table6-summaries.csv"):
        if row["measure"].endswith("-S)"):
            for column, name in (("", "value"), (" low", "low"), (" high", "high")):
                assert float(row[f"Pearson's r{column}"]) == found[row["measure"]][name]


def test_evaluate_runs_the_same_random_system_for_the_same_seed(folder: Path) -> None:
    options = ("--rouge", "2", "--max-words", "60", "--systems", "random")
    lines = call("evaluate", "demo", *options).stdout.splitlines()
    (average,) = (
        row
        for row in map(json.loads, lines)
        if row.get("kind") == "average" and row["system"] == "oraclesum/random"
    )
    details = {row["system"]: row for row in read_csv(folder / "systems.csv")}
    f_measure = float(details["oraclesum/random"]["ROUGE-2 recall F"])
    assert f_measure == pytest.approx(average["all"]["f_measure"])


def test_the_length_has_to_come_from_somewhere() -> None:
    result = call("reproduce", "demo", "--human", "responsiveness")
    assert result.exit_code == 2
    assert "set one length limit: --max-words, --max-sentences or --max-bytes" in result.stderr


def test_the_human_score_is_settled_before_anything_is_measured() -> None:
    result = call("reproduce", "demo", "--max-words", "60")
    assert result.exit_code == 2
    assert "choose one by --human: " in result.stderr
    assert "of 6 topics" not in result.stderr


def test_the_shared_corpus_gives_correlations_that_scipy_gives_by_hand(tmp_path: Path) -> None:
    from scipy import stats

    corpus = shared("data", "multiling2011_english.jsonl")
    options = ("--max-words", "250", "--human", "grade", "--baseline-time-limit", "0")
    fewer = ("--systems", "none", "--objectives", "none")
    result = call("reproduce", corpus, *options, *fewer, "-o", tmp_path, "-q")
    assert result.exit_code == 0, result.stderr
    rows = {row["measure"]: row for row in read_csv(tmp_path / "table6.csv")}
    lines = (tmp_path / "results.jsonl").read_text().splitlines()[1:]
    topics: list[dict[str, Any]] = [json.loads(line) for line in lines]
    systems = sorted(topics[0]["human"])
    grades = [round(sum(t["human"][s]["grade"] for t in topics) / 10, 12) for s in systems]
    for n in (1, 2):
        for kind in ("single", "multi"):
            means = []
            for system in systems:
                per_topic = []
                for topic in topics:
                    values = [
                        case["systems"][system]["f_measure"]
                        for case in topic["cases"]
                        if case["n"] == n and (case["reference"] is None) == (kind == "multi")
                    ]
                    per_topic.append(sum(values) / len(values))
                # Averages that differ by rounding alone are ties.
                means.append(round(sum(per_topic) / len(per_topic), 12))
            row = rows[f"F-measure (R{n}) ({kind}-M)"]
            assert float(row["Pearson's r"]) == pytest.approx(stats.pearsonr(means, grades)[0])
            assert float(row["Spearman's rho"]) == pytest.approx(stats.spearmanr(means, grades)[0])
            assert float(row["Kendall's tau"]) == pytest.approx(stats.kendalltau(means, grades)[0])
            single = rows[f"F-measure (R{n}) ({kind}-S)"]
            low, high = float(single["Pearson's r low"]), float(single["Pearson's r high"])
            assert low <= float(single["Pearson's r"]) <= high


class Deadly(dict[str, Any]):
    """Ends the process that it is sent to."""

    def __reduce__(self) -> tuple[Any, ...]:
        return os._exit, (9,)


def test_a_topic_that_kills_its_worker_costs_only_itself() -> None:
    topics = [
        Topic(
            id=str(number),
            sentences=("A cat sat here.", "Dogs bark."),
            references=("A cat sat here.",),
            systems=Deadly() if number == 2 else {},
            file="in.jsonl",
            line=number,
        )
        for number in range(1, 5)
    ]
    experiment = Experiment(max_words=4, measures=(1,), systems=(), baseline_time_limit=0)
    results = run_experiment(topics, experiment, jobs=2)
    assert [result["id"] for result in results] == ["1", "2", "3", "4"]
    errors = [result["error"] for result in results if "error" in result]
    assert errors == ["in.jsonl:2: the worker process died on this record; is there enough memory?"]


def test_results_that_are_a_pipe_are_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "results.jsonl")
    result = call("reproduce", "demo", *QUICK, "-o", tmp_path)
    assert result.exit_code == 2
    assert "results.jsonl: is not a regular file" in result.stderr


LEAST = ("--max-words", "9", "--human", "responsiveness", "--baseline-time-limit", "0",
         "--objectives", "none", "--systems", "none")  # fmt: skip


def test_two_runs_do_not_write_to_one_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = ("reproduce", "demo", *LEAST, "-o", tmp_path)
    measure, write = reproduce.run_experiment, reproduce._write
    second = []

    def measure_twice(*arguments: Any, **options: Any) -> Any:
        second.append(call(*command, "--force"))
        return measure(*arguments, **options)

    def write_twice(*arguments: Any) -> None:
        second.append(call(*command))
        write(*arguments)

    monkeypatch.setattr(reproduce, "run_experiment", measure_twice)
    monkeypatch.setattr(reproduce, "_write", write_twice)
    assert call(*command).exit_code == 0
    assert [result.exit_code for result in second] == [2, 2]
    for result in second:
        assert "another run is writing to this folder" in result.stderr
    assert len((tmp_path / "results.jsonl").read_bytes().splitlines()) == 7


@pytest.mark.parametrize("name", ["tables.md", "tables.tex", "systems.csv"])
def test_a_table_of_somebody_else_is_not_overwritten(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / name).write_text("mine\n")
    command = ("reproduce", "demo", *LEAST, "-o", tmp_path)
    with monkeypatch.context() as patched:
        patched.delattr(reproduce, "run_experiment")  # refused before anything is measured
        result = call(*command)
    assert result.exit_code == 2
    assert f"{name}: exists" in result.stderr
    assert "--force" in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).read_text() == "mine\n"
    assert call(*command, "--force").exit_code == 0
    assert (tmp_path / name).read_text() != "mine\n"


STOPPED = """
import os, signal
from oraclesum.experiments import reproduce
replace, to_markdown = os.replace, reproduce.to_markdown

def replace_and_interrupt(draft, target):
    replace(draft, target)
    if os.path.basename(target) == "{name}":
        os.kill(os.getpid(), signal.SIGINT)

def interrupt(grid):
    if "{name}" == "printing":
        os.kill(os.getpid(), signal.SIGINT)
    return to_markdown(grid)

os.replace, reproduce.to_markdown = replace_and_interrupt, interrupt
from oraclesum.__main__ import run
run()
"""


@pytest.mark.parametrize(
    ("name", "left"),
    [("printing", []), ("tables.md", ["tables.md"]), ("tables.tex", ["tables.md", "tables.tex"])],
)
def test_a_run_that_is_stopped_at_its_tables_says_what_is_kept(
    name: str, left: list[str], tmp_path: Path
) -> None:
    command = [sys.executable, "-c", STOPPED.replace("{name}", name), "reproduce", "demo", *LEAST]
    done = run_child([*command, "-o", "made", "-q"], cwd=tmp_path, text=True)
    assert done.returncode == 130
    kept = "made keeps what is done; run the same command again to continue"
    assert done.stderr == f"interrupted: {kept}\n"
    files = sorted(path.name for path in (tmp_path / "made").iterdir())
    assert files == [".lock", "results.jsonl", *left]
    if name == "printing":
        done = run_child(command, text=True)
        printed = "not all tables were printed; with -o FOLDER a run can be continued"
        assert (done.returncode, done.stderr) == (130, f"interrupted: {printed}\n")
