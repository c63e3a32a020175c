"""The verbs `evaluate` and `correlate`: what they write, and what they say about it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import oraclesum
from cli.corpus import GOOD, call, jsonl, records
from oraclesum.errors import LimitError
from oraclesum.evaluation import panel

LIMIT = ("--max-words", "8")


def test_evaluate_writes_counts_ratios_and_averages() -> None:
    result = call("evaluate", "-", *LIMIT, data=jsonl(GOOD))
    assert result.exit_code == 0
    rows = records(result.stdout)
    assert [row["system"] for row in rows] == ["first", "texts", "text"] * 2
    assert [row["status"] for row in rows] == ["complete"] * 3 + ["average"] * 3
    family = oraclesum.enumerate_oracles(GOOD["sentences"], GOOD["references"], max_words=8)
    for row, selected in zip(rows[:3], ([0], [2], [1]), strict=True):
        assert row["selected"] == selected
        overlap = oraclesum.evaluate(selected, family)
        assert row["all"]["f_measure"] == overlap.f_measure
        text = [GOOD["sentences"][i] for i in selected]
        score = oraclesum.score(text, GOOD["references"], oraclesum.Rouge())
        assert row["rouge"]["hits"] == score.hits
        assert row["rouge"]["recall"] == score.recall
        assert row["share"] == row["objective_hits"] / family.hits
        assert len(row["random"]["shared"]) == row["random"]["draws"] == 100
        assert row["missed_core"] == [
            i for i, held in enumerate(family.inclusion) if held == 1 and i not in selected
        ]


def test_a_topic_without_overlap_is_not_called_complete() -> None:
    topic = {"id": "t", "sentences": ["A cat sat."], "references": ["zebra"], "systems": {"s": [0]}}
    for given in (("--rouge", "1"), ("--objective", "r1-f1")):
        done = call("evaluate", "-", *LIMIT, *given, data=jsonl(topic))
        assert "time ran out" not in done.stderr
        row = records(done.stdout)[0]
        assert row["status"] == "no_overlap"
        assert row["oracle"]["count"] == 0
        assert row["share"] is None


def test_evaluate_takes_each_reference_alone_and_averages_them() -> None:
    rows = records(call("evaluate", "-", *LIMIT, "--references", "single", data=jsonl(GOOD)).stdout)
    first = [row for row in rows if row["system"] == "first"]
    assert [row.get("reference") for row in first] == [0, 1, None]
    *each, average = first
    assert average["all"]["f_measure"] == sum(row["all"]["f_measure"] for row in each) / 2
    assert average["rouge"]["hits"] == sum(row["rouge"]["hits"] for row in each)


def test_evaluate_runs_our_systems_beside_those_of_the_record() -> None:
    rows = records(call("evaluate", "-", *LIMIT, "--systems", "all", data=jsonl(GOOD)).stdout)
    names = {row["system"] for row in rows}
    assert {"first", "oraclesum/lead", "oraclesum/concept-coverage"} <= names


@pytest.mark.parametrize("objective", ["r1-f1", "rouge-score"])
@pytest.mark.parametrize("system", ["lead", "concept-coverage"])
def test_our_own_systems_need_a_limit_even_if_the_objective_does_not(
    objective: str, system: str
) -> None:
    given = ("evaluate", "-", "--objective", objective)
    assert call(*given, data=jsonl(GOOD)).exit_code == 0
    refused = call(*given, "--systems", system, data=jsonl(GOOD))
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "set --max-words, --max-sentences or --max-bytes" in refused.stderr
    asked = call(*given, "--systems", system, "--max-sentences", "1", data=jsonl(GOOD))
    assert asked.exit_code == 0
    assert [len(row["selected"]) for row in records(asked.stdout) if "selected" in row][-1] == 1


def test_evaluate_reports_what_it_could_not_align() -> None:
    topic = {**GOOD, "systems": {"other": "Prices rose sharply this spring."}}
    result = call("evaluate", "-", *LIMIT, data=jsonl(topic))
    row, _ = records(result.stdout)
    assert row["alignment"]["unaligned"] == ["Prices rose sharply this spring"]
    assert row["alignment"]["coverage"] == 0
    assert row["selected"] == []
    assert "1 pieces of summaries are no sentence" in result.stderr


def test_evaluate_warns_where_lengths_vary_much() -> None:
    topic = {**GOOD, "systems": {"short": [1], "long": [0, 1, 2]}}
    result = call("evaluate", "-", *LIMIT, data=jsonl(topic))
    assert "F and a human judgement of recall can rank the systems in opposite" in result.stderr
    equal = {**GOOD, "systems": {"one": [0], "other": [0]}}
    assert "lengths differ" not in call("evaluate", "-", *LIMIT, data=jsonl(equal)).stderr


def test_evaluate_cuts_what_rouge_sees() -> None:
    topic = {**GOOD, "systems": {"long": [0, 1, 2]}}
    whole, _ = records(call("evaluate", "-", *LIMIT, data=jsonl(topic)).stdout)
    cut, _ = records(call("evaluate", "-", *LIMIT, "--cut", data=jsonl(topic)).stdout)
    assert cut["rouge"]["summary_total"] == 2 * (8 - 1)
    assert cut["rouge"]["summary_total"] < whole["rouge"]["summary_total"]
    assert cut["words"] == whole["words"]


def test_a_record_without_systems_is_an_error_that_says_what_to_do() -> None:
    topic = {name: value for name, value in GOOD.items() if name != "systems"}
    result = call("evaluate", "-", *LIMIT, data=jsonl(topic))
    assert result.exit_code == 1
    assert "--systems" in records(result.stdout)[0]["error"]


def test_an_unknown_system_is_wrong_usage() -> None:
    result = call("evaluate", "-", *LIMIT, "--systems", "lexrank", data=jsonl(GOOD))
    assert result.exit_code == 2
    assert "'lexrank' is not one of lead, random" in result.stderr


def judged_topics() -> bytes:
    topics = []
    for k, grades in enumerate([(1, 3, 2), (2, 5, 1), (1, 4, 3)]):
        human = {
            name: {"grade": grade, "style": 1.0}
            for name, grade in zip(GOOD["systems"], grades, strict=True)
        }
        topics.append({**GOOD, "id": f"topic {k}", "human": human})
    return jsonl(*topics)


def test_correlate_gives_every_measure_at_both_levels() -> None:
    options = ("--human", "grade", "--resamples", "20")
    result = call("correlate", "-", *LIMIT, *options, data=judged_topics())
    assert result.exit_code == 0, result.stderr
    rows = records(result.stdout)
    correlations = [row for row in rows if row["kind"] == "correlation"]
    measures = {row["measure"] for row in correlations}
    assert measures == {"ROUGE-1 recall", "ROUGE-2 recall"} | {
        f"F-measure (R{n}) ({references}-{kind})"
        for n in (1, 2)
        for references in ("single", "multi")
        for kind in "MS"
    }
    assert len(correlations) == 10 * 3 * 2
    assert {row["kind"] for row in rows} == {"correlation", "difference"}
    assert "3 systems say next to nothing" in result.stderr


def test_correlate_asks_for_the_human_score_where_there_are_several() -> None:
    result = call("correlate", "-", *LIMIT, data=judged_topics())
    assert result.exit_code == 2
    assert "choose one by --human: grade, style" in result.stderr


def test_usage_that_proves_wrong_at_the_end_leaves_the_output_as_it_was(tmp_path: Path) -> None:
    target = tmp_path / "out.jsonl"
    for earlier in (None, b"an earlier file\n" * 10_000):
        if earlier is not None:
            target.write_bytes(earlier)
        refused = call("correlate", "-", *LIMIT, "-o", target, "--force", data=judged_topics())
        assert refused.exit_code == 2
        assert "choose one by --human" in refused.stderr
        assert (target.read_bytes() if target.exists() else None) == earlier
    call(
        "correlate", "-", *LIMIT, "-o", target, "--force", "--human", "grade", data=judged_topics()
    )
    assert b"earlier" not in target.read_bytes()
    assert records(target.read_text())
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize("measures", ["0", "x", "1,12", ","])
def test_correlate_refuses_measures_that_are_none(measures: str) -> None:
    result = call("correlate", "-", *LIMIT, "--rouge", measures, data=judged_topics())
    assert result.exit_code == 2
    assert "numbers from 1 to 9" in result.stderr


def test_correlate_with_nothing_to_correlate_leaves_error_records_and_status_one() -> None:
    topics = [{**GOOD, "id": f"topic {k}"} for k in range(2)]
    result = call("correlate", "-", *LIMIT, data=jsonl(*topics))
    assert result.exit_code == 1
    assert [row["status"] for row in records(result.stdout)] == ["error", "error"]
    assert "no record has scores to correlate" in result.stderr


def test_correlate_writes_nothing_where_the_usage_is_wrong() -> None:
    data = jsonl({**GOOD, "id": "not judged"}) + judged_topics()
    result = call("correlate", "-", *LIMIT, data=data)
    assert result.exit_code == 2
    assert result.stdout == ""
    right = call("correlate", "-", *LIMIT, "--human", "grade", "--resamples", "9", data=data)
    assert right.exit_code == 1
    assert records(right.stdout)[0]["id"] == "not judged"


def test_correlate_names_the_limit_in_its_closing_line() -> None:
    options = ("--human", "grade", "--resamples", "9")
    result = call("correlate", "-", *LIMIT, *options, data=judged_topics())
    assert "at most 8 words" in result.stderr.splitlines()[-1]


def test_averages_and_correlations_are_signed() -> None:
    *rows, average = records(call("evaluate", "-", *LIMIT, "--cut", data=jsonl(GOOD)).stdout)
    assert average["kind"] == "average"
    assert average["signature"] == rows[0]["signature"]
    for part in ("limit:words<=8", "cut:yes", "draws:100", "seed:0", "refs:multi"):
        assert part in average["signature"].split("|")
    options = ("--human", "grade", "--resamples", "9", "--seed", "4")
    result = call("correlate", "-", *LIMIT, *options, data=judged_topics())
    signatures = {row["signature"] for row in records(result.stdout)}
    (signature,) = signatures
    for part in ("rouge:1+2", "limit:words<=8", "resamples:9", "seed:4"):
        assert part in signature.split("|")


def test_evaluate_says_where_time_ran_out_and_knows_no_core_there() -> None:
    result = call("evaluate", "demo", "--max-words", "60", "--time-limit", "0.0000001")
    rows = records(result.stdout)
    topics = [row for row in rows if row["status"] != "average"]
    assert {row["status"] for row in topics} == {"time_limit"}
    assert all(row["missed_core"] is None for row in topics)
    averages = [row for row in rows if row["status"] == "average"]
    assert all(row["partial"] == row["cases"] == 6 for row in averages)
    assert all(row["missed_core"] is None for row in averages)
    assert "time ran out in 6 of 6 cases" in result.stderr
    quick = call("evaluate", "demo", "--max-words", "60")
    assert "time ran out" not in quick.stderr
    assert records(quick.stdout)[-1]["partial"] == 0


def test_correlate_counts_single_and_multi_once_where_topics_have_one_reference() -> None:
    topics = [
        {**topic, "references": topic["references"][:1]} for topic in records(judged_topics())
    ]
    options = ("--human", "grade", "--resamples", "20")
    result = call("correlate", "-", *LIMIT, *options, data=jsonl(*topics))
    assert result.exit_code == 0, result.stderr
    rows = records(result.stdout)
    compared = [row for row in rows if row["kind"] == "difference"]
    assert len(compared) == 6 * 3 * 2  # pairs of four measures, not of six
    same = {row["measure"]: row["same_as"] for row in rows if row["kind"] == "correlation"}
    for n in (1, 2):
        single, multi = (f"F-measure (R{n}) ({kind}-M)" for kind in ("single", "multi"))
        assert same[multi] == single
        assert same[single] is None
        assert f"{multi} equals {single}" in result.stderr.replace("\n", " ")
    assert "single equals multi" in result.stderr.replace("\n", " ")


def correlate_measures(*options: str, data: bytes) -> tuple[dict[str, Any], str]:
    """What `correlate` wrote about each measure at the system level, and its notes."""
    always = ("--human", "grade", "--resamples", "9")
    result = call("correlate", "-", *always, *options, data=data)
    assert result.exit_code == 0, result.stderr
    rows = records(result.stdout)
    found = {
        row["measure"]: row
        for row in rows
        if row["kind"] == "correlation" and row["level"] == "system"
        if row["coefficient"] == "pearson"
    }
    return found, result.stderr.replace("\n", " ")


@pytest.mark.parametrize("objective", ["r1-f1+r2-f1", "presumm", "r2-recall"])
def test_correlate_takes_an_objective_as_a_further_measure(objective: str) -> None:
    found, _ = correlate_measures(*LIMIT, "--objective", objective, data=judged_topics())
    expected = {f"objective {objective}", f"share of oracle ({objective})"} | {
        f"{overlap} ({objective}) ({references}-M)"
        for overlap in ("precision", "recall", "F-measure")
        for references in ("single", "multi")
    }
    assert expected <= set(found)
    assert f"F-measure ({objective}) (multi-S)" in found


def test_an_objective_equal_to_the_papers_repeats_its_f_measure() -> None:
    found, _ = correlate_measures(*LIMIT, "--objective", "r2-recall", data=judged_topics())
    assert found["F-measure (r2-recall) (single-M)"]["same_as"] == "F-measure (R2) (single-M)"


def test_correlate_needs_no_limit_for_an_objective_alone() -> None:
    options = ("--rouge", "none", "--objective", "r1-f1")
    found, _ = correlate_measures(*options, data=judged_topics())
    assert "objective r1-f1" in found
    assert not any(name.startswith("ROUGE") for name in found)
    refused = call("correlate", "-", "--objective", "r1-f1", data=judged_topics())
    assert refused.exit_code == 2
    assert "--max-words" in refused.stderr
    nothing = call("correlate", "-", "--rouge", "none", data=judged_topics())
    assert "leaves no measure" in nothing.stderr


def test_correlate_gives_rouge_with_and_without_stop_words() -> None:
    options = (*LIMIT, "--statistics", "all", "--stop-words", "both")
    found, _ = correlate_measures(*options, data=judged_topics())
    assert {name for name in found if name.startswith("ROUGE")} == {
        f"ROUGE-{n} {statistic}{stop_words}"
        for n, other in ((1, " with stop words"), (2, " without stop words"))
        for statistic in ("recall", "precision", "F1")
        for stop_words in ("", other)
    }


def test_correlate_takes_the_measures_of_the_records() -> None:
    topics = records(judged_topics())
    for topic in topics:
        topic["measures"] = {s: {"mine": 2 * g["grade"] + 1} for s, g in topic["human"].items()}
    found, _ = correlate_measures(*LIMIT, data=jsonl(*topics))
    assert found["mine"]["value"] == pytest.approx(1.0)
    del topics[0]["measures"][next(iter(topics[0]["human"]))]
    _, notes = correlate_measures(*LIMIT, data=jsonl(*topics))
    assert "1 of 9 judged summaries take no part, as they lack a measure (mine 1)" in notes


def test_a_measure_of_the_records_cannot_have_the_name_of_one_of_ours() -> None:
    topics = records(judged_topics())
    system = next(iter(topics[0]["human"]))
    topics[0]["measures"] = {system: {"ROUGE-2 recall": 1.0}}
    result = call("correlate", "-", *LIMIT, "--human", "grade", data=jsonl(*topics))
    assert result.exit_code == 1
    assert "'ROUGE-2 recall', which is the name of a measure of ours" in result.stdout


def test_a_bad_measure_costs_its_system_only() -> None:
    topics = records(judged_topics())
    first, *_ = systems = list(topics[0]["human"])
    for topic in topics:
        topic["measures"] = {system: {"mine": 1.5} for system in systems}
    topics[0]["measures"][first] = {"mine": "much"}
    result = call("correlate", "-", *LIMIT, "--human", "grade", data=jsonl(*topics))
    assert result.exit_code == 1
    error = records(result.stdout)[0]
    assert error["system"] == first
    assert "['mine'] must be a number" in error["error"]
    assert len(records(result.stdout)) > 60


def test_correlate_filters_systems_by_name() -> None:
    first, second, third = GOOD["systems"]
    for option in (("--only", f"{first}, {second}"), ("--without", third)):
        found, notes = correlate_measures(*LIMIT, *option, data=judged_topics())
        assert {row["systems"] for row in found.values()} == {2}
        assert f"left out: {third}" in notes
    _, notes = correlate_measures(*LIMIT, "--without", "nobody", data=judged_topics())
    assert "no judged system is called nobody" in notes
    nobody = call(
        "correlate", "-", *LIMIT, "--human", "grade", "--only", "nobody", data=judged_topics()
    )
    assert nobody.exit_code == 2
    assert "--only and --without leave no judged system" in nobody.stderr


def test_correlate_says_if_no_permutation_test_can_show_anything() -> None:
    _, notes = correlate_measures(*LIMIT, data=judged_topics())
    assert "no permutation test can show a difference at 0.05" in notes
    assert "take at least --resamples 200" in notes  # 10 pairs: one of six measures repeats


def test_evaluate_takes_the_first_oracles_if_there_is_no_time_for_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = records(call("evaluate", "-", *LIMIT, data=jsonl(GOOD)).stdout)
    many = {"id": "m", "sentences": ["a b"] * 9, "references": ["a b"], "systems": {"s": [0]}}
    draw = panel.draw_oracles

    asked = []

    def run_out(family: oraclesum.OracleFamily, **settings: int) -> list[tuple[int, ...]]:
        asked.append(family)
        if len(asked) % 2:
            raise LimitError("the time limit ended it")
        return draw(family, **settings)

    monkeypatch.setattr(panel, "draw_oracles", run_out)
    # Few oracles are asked about all the same.
    assert records(call("evaluate", "-", *LIMIT, data=jsonl(GOOD)).stdout) == whole
    limit = ("--max-sentences", "9")
    record, average = records(call("evaluate", "-", *limit, data=jsonl(many)).stdout)
    assert (record["status"], record["oracle"]["count"]) == ("time_limit", panel.FIRST)
    assert record["oracle"]["proven"]
    # The first hundred of the 511 sets all begin with sentence 0.
    assert (record["all"]["precision"], record["missed_core"]) == (1.0, None)
    assert average["partial"] == 1


def test_systems_too_long_for_the_time_limit_are_an_error_that_names_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("oraclesum.evaluation.alignment.TEXT_SECONDS", -100.0)
    record = {**GOOD, "systems": {"other": ["no sentence of the document"]}}
    result = call("evaluate", "-", *LIMIT, "--time-limit", "60", data=jsonl(record))
    assert result.exit_code == 1
    (row,) = records(result.stdout)
    assert row["status"] == "error"
    assert "raise --time-limit, or shorten the systems" in row["error"]
