"""--split and --clean, and what the command says about text that cannot be right."""

from __future__ import annotations

import pickle
import sys
from pathlib import Path

import pytest

from cli.corpus import call, jsonl, records, run_process
from oraclesum.notices import Notice, Told

LIMIT = ("--max-words", "30")
TOPIC = {"id": "t", "text": "A cat sat. It rained\nNo dog came", "references": ["a cat sat"]}


@pytest.mark.parametrize("verb", ["enumerate", "labels", "extract", "count"])
def test_text_is_split_as_the_option_says(verb: str) -> None:
    done = call(verb, "-", *LIMIT, "--split", "newline", data=jsonl(TOPIC))
    (record,) = records(done.stdout)
    assert record["sentences"] == ["A cat sat. It rained", "No dog came"]
    assert "|split:newline" in record["signature"]


@pytest.mark.parametrize("verb", ["enumerate", "extract"])
def test_markup_is_said_with_the_option_and_removed_by_it(verb: str) -> None:
    topic = {"id": "t", "sentences": ["<t> a cat sat </t>"], "references": ["a cat sat"]}
    said = call(verb, "-", *LIMIT, data=jsonl(topic, topic | {"id": "u"}))
    assert said.stderr.count("use --clean markup") == 1
    clean = call(verb, "-", *LIMIT, "--clean", "markup", data=jsonl(topic))
    assert "--clean" not in clean.stderr
    assert "|clean:markup-1" in records(clean.stdout)[0]["signature"]


def test_a_language_that_english_rules_mangle_is_said_with_the_option() -> None:
    text = "Die B\u00fcrger \u00e4rgern sich \u00fcber M\u00fcllgeb\u00fchren."
    topic = {"id": "t", "sentences": [text], "references": [text]}
    assert "use --language" in call("enumerate", "-", *LIMIT, data=jsonl(topic)).stderr
    done = call("enumerate", "-", *LIMIT, "--language", "de", data=jsonl(topic))
    assert "use --language" not in done.stderr


@pytest.mark.parametrize("option", ["--split", "--clean"])
def test_an_unknown_name_is_a_usage_error(option: str) -> None:
    done = call("enumerate", "-", *LIMIT, option, "punkt", data=jsonl(TOPIC))
    assert done.exit_code == 2
    assert f"{option} must be one of" in done.stderr


FLAT = {
    "id": "t",
    "sentences": ["a cat sat"],
    "references": ["A cat sat 3.5 h.", "It rained again."],
}


@pytest.mark.parametrize("verb", ["enumerate", "extract"])
def test_a_flat_list_of_sentences_says_once_that_it_is_read_as_several_references(
    verb: str,
) -> None:
    said = call(verb, "-", *LIMIT, data=jsonl(FLAT, FLAT | {"id": "u"})).stderr
    assert said.count("2 texts of one sentence each, which are read as 2 references") == 1
    assert '[["…", "…"]]' in said


@pytest.mark.parametrize(
    "references",
    [
        [["A cat sat.", "It rained."]],
        ["A cat sat. It rained."],
        ["A cat sat. It rained.", "A cat."],
        ["A cat sat."],
        [["A cat sat."], ["It rained."]],
    ],
)
def test_references_that_can_be_read_in_one_way_only_say_nothing(references: object) -> None:
    done = call("enumerate", "-", *LIMIT, data=jsonl(FLAT | {"references": references}))
    assert "are read as" not in done.stderr


def test_references_that_are_taken_one_by_one_say_nothing() -> None:
    done = call("enumerate", "-", *LIMIT, "--references", "single", data=jsonl(FLAT))
    assert "are read as" not in done.stderr


TOKENISED = {
    "id": "t",
    "sentences": ["The cat , which sat , slept .", "It rained , as ever .", "No dog came ."],
    "references": ["The cat slept ."],
}


@pytest.mark.parametrize("verb", ["enumerate", "extract", "labels"])
def test_a_limit_of_words_on_tokenised_text_says_that_punctuation_counts(verb: str) -> None:
    said = call(verb, "-", *LIMIT, data=jsonl(TOKENISED, TOKENISED | {"id": "u"})).stderr
    assert said.count("punctuation marks, and --max-words counts them") == 1
    assert "32% of its words" in said
    by_sentences = call(verb, "-", "--max-sentences", "2", data=jsonl(TOKENISED)).stderr
    assert "punctuation" not in by_sentences


def test_running_text_is_not_taken_for_tokenised() -> None:
    assert "punctuation" not in call("enumerate", "demo", *LIMIT).stderr


def test_a_limit_of_words_on_text_without_spaces_is_said() -> None:
    topic = {"id": "t", "sentences": ["部长周二表示"], "references": ["部长表示"]}
    options = ("--language", "zh", "--no-stem")
    said = call("enumerate", "-", *LIMIT, *options, data=jsonl(topic)).stderr
    assert "which Chinese does not have: use --max-sentences or --max-bytes" in said
    said = call("enumerate", "-", "--max-sentences", "1", *options, data=jsonl(topic)).stderr
    assert "does not have" not in said


def test_the_summary_of_enumerate_is_all_that_is_written() -> None:
    rows = [TOPIC, TOPIC | {"id": "u", "text": "A cat sat. A cat sat."}, {"id": "bad", "text": 5}]
    done = call("enumerate", "-", *LIMIT, "--split", "auto", "--summary", data=jsonl(*rows))
    assert done.exit_code == 1
    assert "`text` must be text" in done.stderr
    (summary,) = records(done.stdout)
    whole = call("enumerate", "-", *LIMIT, "--split", "auto", data=jsonl(*rows))
    solved = [record for record in records(whole.stdout) if record["status"] != "error"]
    assert summary["kind"] == "average"
    assert (summary["topics"], summary["cases"], summary["errors"]) == (2, 2, 1)
    assert summary["statuses"] == {"complete": 2}
    assert summary["mean_score"] == sum(record["score"] for record in solved) / 2
    assert summary["most_oracles"] == max(record["count"] for record in solved)
    assert summary["signature"].startswith("oraclesum:")


def test_the_median_of_a_summary_is_exact_beyond_every_float() -> None:
    from oraclesum.cli.settings import Settings
    from oraclesum.cli.verbs.enumerate import conclude

    row = {"id": "a", "status": "complete", "score": 1.0, "signature": "oraclesum:1"}
    rows = [row | {"id": str(n), "count": n} for n in (1, 10**400, 10**400 + 2)]
    ((summary,), _) = conclude(rows, Settings(), lambda done, of: None)
    assert summary["median_oracles"] == str(10**400)
    ((summary,), _) = conclude(rows[1:], Settings(), lambda done, of: None)
    assert summary["median_oracles"] == str(10**400 + 1)
    ((summary,), _) = conclude([row | {"count": 1}, row | {"count": 2}], Settings(), print)
    assert summary["median_oracles"] == 1.5


def test_the_summary_of_evaluate_is_the_averages_alone() -> None:
    systems = {"systems": {"a": ["A cat sat."]}}
    rows = [TOPIC | systems, TOPIC | {"id": "u"}]
    done = call("evaluate", "-", *LIMIT, "--summary", data=jsonl(*rows))
    assert done.exit_code == 1
    assert "no `systems`" in done.stderr
    whole = call("evaluate", "-", *LIMIT, data=jsonl(*rows))
    assert records(done.stdout) == [one for one in records(whole.stdout) if one.get("kind")]
    assert len(records(done.stdout)) == 1


@pytest.mark.parametrize("verb", ["enumerate", "evaluate"])
def test_a_summary_does_not_go_into_a_folder(verb: str, tmp_path: Path) -> None:
    done = call(verb, "demo", *LIMIT, "--summary", "-o", f"{tmp_path}/out/")
    assert done.exit_code == 2
    assert "--summary goes to a terminal" in done.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("verb", ["enumerate", "evaluate"])
def test_a_terminal_shows_the_closing_tables_alone(
    verb: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from oraclesum.cli import main

    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", "100")
    with pytest.raises(SystemExit):
        main([verb, "demo", "--max-words", "60", "--summary", "-q"])
    shown = capsys.readouterr().out
    assert "harbour" not in shown
    assert ("median" if verb == "enumerate" else "Averages over 6 topics") in shown


@pytest.mark.parametrize("folder", [False, True], ids=["stream", "folder"])
@pytest.mark.parametrize("jobs", ["1", "2", "3"])
def test_what_is_said_once_for_a_file_is_said_once_for_a_run_of_any_number_of_jobs(
    jobs: str, folder: bool, tmp_path: Path
) -> None:
    text = "<t> Die B\u00fcrger \u00e4rgern sich \u00fcber M\u00fcllgeb\u00fchren . </t>"
    topic = {"sentences": [text] * 30, "references": [text, "Die B\u00fcrger \u00e4rgern sich."]}
    (tmp_path / "in.jsonl").write_bytes(jsonl(*(topic | {"id": str(i)} for i in range(200))))
    output = (
        ("-o", f"{tmp_path}/out/", "--shard-size", "10")
        if folder
        else ("-o", str(tmp_path / "out.jsonl"))
    )
    options = (*LIMIT, "--jobs", jobs, *output)
    done = run_process("enumerate", str(tmp_path / "in.jsonl"), *options)
    assert done.returncode == 0
    said = done.stderr.decode()
    assert said.count("use --clean markup") == 1
    assert said.count("use --language") == 1
    assert said.count("and --max-words counts them") == 1
    assert said.count("(said once)") == 3


def test_a_notice_can_be_sent_and_keeps_what_it_means() -> None:
    notice = pickle.loads(pickle.dumps(Notice("text", ("kind", "file"))))
    assert notice == "text"
    told = Told()
    again = Notice("other text", ("kind", "file"))
    assert list(told.pick(["a", notice, "a", again])) == ["a", "text", "a"]
    assert list(told.pick([again, Notice("text", ("kind", "other file"))])) == ["text"]
