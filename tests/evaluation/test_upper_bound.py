"""The oracle row is what rouge_score says of the oracles' own texts."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import pytest
from rouge_score.rouge_scorer import RougeScorer

import oraclesum
from oraclesum.errors import LimitError
from oraclesum.evaluation import upper_bound
from oraclesum.evaluation.upper_bound import bound_topic, summarise_bounds
from oraclesum.oracles.api import make_problem, solve_problem
from oraclesum.oracles.bounds import answer_within, check_bounds
from oraclesum.rouge.printed import STYLES, PrintedScorer
from oraclesum.rouge.score import RougeScore

NAMES = {"r1": "rouge1", "r2": "rouge2", "rl": "rougeL", "rlsum": "rougeLsum"}
SENTENCES = [
    "A cat sat.",
    "The cat sat on mats.",
    "A cat sat!",
    "Dogs bark at night.",
    "It rained.",
]
REFERENCES = ["A cat sat on a mat.\nDogs barked all night."]
SYSTEMS = {"lead": [0, 1], "own": ["A cat sat and dogs barked."], "text": "Dogs barked. It rained."}


def test_every_row_is_what_rouge_score_says_of_the_texts() -> None:
    problem, options = make_problem(SENTENCES, REFERENCES, "r1-f1+r2-f1", {"max_sentences": 2})
    family = solve_problem(problem, "search", options)
    assert family.count > 1
    found = bound_topic(SENTENCES, REFERENCES, family, [0, 3], SYSTEMS)
    assert found.keys() == STYLES.keys()
    rows = found["rouge-score"]
    scorer = RougeScorer(list(NAMES.values()), use_stemmer=True)

    def score(texts: list[str]) -> dict[str, float]:
        made = scorer.score(REFERENCES[0], "\n".join(texts))
        return {name: made[theirs].fmeasure for name, theirs in NAMES.items()}

    members = [score([SENTENCES[i] for i in member]) for member in family]
    for name in NAMES:
        values = [member[name] for member in members]
        assert rows["oracle"][name]["f1"] == pytest.approx(sum(values) / len(values), abs=1e-12)
        assert rows["smallest"][name]["f1"] == pytest.approx(min(values), abs=1e-12)
        assert rows["largest"][name]["f1"] == pytest.approx(max(values), abs=1e-12)
        for system, texts in {
            "lead": SENTENCES[:2],
            "own": SYSTEMS["own"],
            "text": ["Dogs barked.", "It rained."],
        }.items():
            wanted = score(list(texts))[name]  # type: ignore[arg-type]
            assert rows[f"system {system}"][name]["f1"] == pytest.approx(wanted, abs=1e-12)


def test_a_corpus_is_the_mean_of_its_topics() -> None:
    topics = []
    for references in (["A cat sat."], ["Dogs bark at night."]):
        problem, options = make_problem(SENTENCES, references, "r1-f1", {})
        family = solve_problem(problem, "search", options)
        systems = {"lead": [0]} if len(topics) == 0 else {}
        topics.append(bound_topic(SENTENCES, references, family, [0], systems))
    rows = {(row.style, row.name): row for row in summarise_bounds(topics)}
    oracle = rows["rouge-score", "oracle"]
    assert oracle.topics == 2
    assert oracle.cells["r1", "f1"].mean == 1.0
    assert rows["rouge-1.5.5", "system lead"].topics == 1


def test_scoring_ends_between_two_sets(monkeypatch: pytest.MonkeyPatch) -> None:
    problem, options = make_problem(SENTENCES, REFERENCES, "r1-f1+r2-f1", {"max_sentences": 2})
    family = solve_problem(problem, "search", options)
    assert family.count > 1
    scored = []
    score = PrintedScorer.score

    def record(self: PrintedScorer, selected: Sequence[int], limits: Any) -> dict[str, RougeScore]:
        scored.append(selected)
        return score(self, selected)

    monkeypatch.setattr(PrintedScorer, "score", record)
    with (
        answer_within(stop=lambda: bool(scored)),
        pytest.raises(LimitError, match="scoring has no answer"),
    ):
        bound_topic(SENTENCES, REFERENCES, family, [0], {})
    assert len(scored) == 1


def test_what_greedy_takes_is_no_time_of_scoring(monkeypatch: pytest.MonkeyPatch) -> None:
    find = upper_bound.find_in_problem
    begun: list[float] = []

    def find_greedy(*given: Any) -> Any:
        with pytest.raises(LimitError):  # nothing bounds it but its own clock
            check_bounds(1 << 50)
        check_bounds(late=-3600)
        begun.append(time.monotonic())
        return find(*given)

    monkeypatch.setattr(upper_bound, "find_in_problem", find_greedy)
    row = {"id": "a", "sentences": SENTENCES, "references": REFERENCES}
    found = oraclesum.upper_bound([row], max_sentences=2, time_limit=60)
    assert begun
    assert found.documents == 1


def test_without_time_for_a_search_systems_are_scored_all_the_same() -> None:
    row = {"sentences": SENTENCES, "references": REFERENCES, "systems": SYSTEMS}
    rows = [{"id": "a", **row}]
    found = oraclesum.upper_bound(rows, max_sentences=2, time_limit=0.0)
    assert (found.documents, found.errors) == (1, ())


def test_a_stop_ends_greedy_and_scoring_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of the steps of a document asks it; a document without a score is in `errors`."""
    stopped = False
    solve = upper_bound.solve_problem
    asked: list[Any] = []

    def solve_and_stop(*given: Any) -> Any:
        nonlocal stopped
        found = solve(*given)
        stopped = len(asked) == 1  # in the second document
        return found

    def find_greedily(problem: Any, method: str, options: Any) -> Any:
        asked.append(options.stop)
        return find(problem, method, options)

    find = upper_bound.find_in_problem
    monkeypatch.setattr(upper_bound, "solve_problem", solve_and_stop)
    monkeypatch.setattr(upper_bound, "find_in_problem", find_greedily)
    row = {"sentences": ["A cat sat.", "It rained."], "references": ["The cat sat."]}
    rows = [{"id": str(k), **row} for k in range(2)]
    with pytest.warns(oraclesum.OraclesumWarning, match="1 of 2 records cannot be used"):
        found = oraclesum.upper_bound(rows, max_sentences=1, stop=lambda: stopped)
    assert found.documents == 1
    assert "has no answer: it was interrupted" in found.errors[0]
    assert all(stop is not None for stop in asked)
