"""Tables of objectives: what they say of tiny corpora is what brute force and a pencil say."""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction
from statistics import fmean, median
from typing import Any

import pytest

from cli.corpus import call
from oraclesum.cli.verbs.reproduce import OBJECTIVES
from oraclesum.corpora import Topic
from oraclesum.experiments.objectives import measure_objectives
from oraclesum.experiments.published import load_published
from oraclesum.experiments.results import Results
from oraclesum.experiments.run import run_experiment
from oraclesum.experiments.settings import Experiment
from oraclesum.experiments.tables_objectives import (
    tabulate_lengths,
    tabulate_near,
    tabulate_objectives,
    tabulate_positions,
    tabulate_transfer,
)
from oraclesum.report.grid import Grid
from reference import objectives as plain

KEYS = {f"objectives{end}" for end in ("", "-near", "-transfer", "-positions", "-lengths")}
Set = tuple[int, ...]


def parse(objective: str) -> list[plain.Term]:
    kinds: dict[str, int | str] = {"r1": 1, "r2": 2, "rlsum": "lsum"}
    terms = []
    for part in objective.split("+"):
        kind, statistic = part.split("-")
        beta2 = None if statistic == "recall" else Fraction(1)
        terms.append(plain.Term(kind=kinds[kind], beta2=beta2))
    return terms


def draw_topics(number: int, n_sentences: int = 7) -> list[Topic]:
    """Documents over a few words that are their own stems, with two references."""
    draws = random.Random(7)
    words = ("ka", "lo", "mi", "nu", "pe", "ra")

    def draw() -> str:
        return " ".join(draws.choices(words, k=draws.randint(2, 6)))

    return [
        Topic(
            id=str(k),
            sentences=tuple(draw() for _ in range(n_sentences)),
            references=((draw(), draw()), (draw(),)),
            systems={},
            file="made up",
            line=k + 1,
        )
        for k in range(number)
    ]


def solve(topic: Topic, objective: str, most: int) -> dict[Set, Fraction]:
    """The value of every set."""
    assert topic.sentences is not None
    values = plain.solve_by_brute_force(
        parse(objective),
        [sentence.split() for sentence in topic.sentences],
        [[part.split() for part in reference] for reference in topic.references],
        plain.Limits(rows=[([1] * len(topic.sentences), 0, most)]),
    )
    return {chosen: value for chosen, value in values.items() if value}


def grow(values: dict[Set, Fraction], width: int) -> tuple[Fraction, Set]:
    """The beam again: the best sets of each size, while the best of them still rises."""
    best, beam = (Fraction(0), ()), [()]
    while True:
        longer = [
            chosen
            for chosen in values
            if any(len(chosen) == len(old) + 1 and set(old) < set(chosen) for old in beam)
        ]
        longer.sort(key=lambda chosen: (-values[chosen], chosen))
        if not longer or values[longer[0]] <= best[0]:
            return best
        best, beam = (values[longer[0]], longer[0]), longer[:width]


def measure(topics: Sequence[Topic], **settings: Any) -> Results:
    experiment = Experiment(baseline_time_limit=0, objectives=OBJECTIVES, **settings)
    measured = run_experiment(topics, experiment)
    assert not any("error" in topic for topic in measured)
    return Results(
        corpus="made up",
        measured=measured,
        experiment=experiment,
        published=load_published(None),
    )


def read(grid: Grid | None) -> dict[str, list[Any]]:
    assert grid is not None
    return {str(row[0].value): [cell.value for cell in row[1:]] for row in grid.rows}


@pytest.fixture(scope="module")
def topics() -> list[Topic]:
    return draw_topics(12)


@pytest.fixture(scope="module")
def results(topics: list[Topic]) -> Results:
    return measure(topics, max_sentences=3)


@pytest.fixture(scope="module")
def plainly(topics: list[Topic]) -> dict[str, list[dict[Set, Fraction]]]:
    return {name: [solve(topic, name, 3) for topic in topics] for name in OBJECTIVES}


def find_optima(values: dict[Set, Fraction]) -> list[Set]:
    best = max(values.values())
    return [chosen for chosen, value in values.items() if value == best]


@pytest.mark.parametrize("name", OBJECTIVES)
def test_optima_and_heuristics_are_those_of_brute_force(
    name: str, results: Results, plainly: dict[str, list[dict[Set, Fraction]]]
) -> None:
    tops, shares, hits, beams, beam_hits, alike = [], [], [], [], [], []
    for values in plainly[name]:
        best = max(values.values())
        tops.append(best)
        greedy, chosen = grow(values, 1)
        beam, _ = grow(values, 3)
        shares.append(greedy / best)
        hits.append(greedy == best)
        beams.append(beam / best)
        beam_hits.append(beam == best)
        alike.append(
            fmean(
                len(set(chosen) & set(optimum)) / len(set(chosen) | set(optimum))
                for optimum in find_optima(values)
            )
        )
    expected = [1.0, *map(fmean, (tops, shares, hits, beams, beam_hits, alike))]
    assert read(tabulate_objectives(results))[name] == pytest.approx(expected)


@pytest.mark.parametrize("name", OBJECTIVES)
def test_optima_and_near_optima_are_counted_as_brute_force_counts(
    name: str, results: Results, plainly: dict[str, list[dict[Set, Fraction]]]
) -> None:
    expected: list[float] = []
    for distance in ("0", "0.005", "0.01"):
        counts = [
            sum(value >= max(values.values()) - Fraction(distance) for value in values.values())
            for values in plainly[name]
        ]
        expected += [median(counts), fmean(count > 1 for count in counts)]
    assert read(tabulate_near(results))[name] == pytest.approx(expected)


@pytest.mark.parametrize("name", OBJECTIVES)
def test_an_optimum_is_scored_under_every_other_objective(
    name: str,
    topics: list[Topic],
    results: Results,
    plainly: dict[str, list[dict[Set, Fraction]]],
) -> None:
    expected = []
    for other in OBJECTIVES:
        shares = []
        for k, topic in enumerate(topics):
            assert topic.sentences is not None
            texts = [sentence.split() for sentence in topic.sentences]
            references = [[part.split() for part in one] for one in topic.references]
            scores = [
                plain.score_set(parse(other), [texts[i] for i in optimum], references)
                for optimum in find_optima(plainly[name][k])
            ]
            shares.append(fmean(scores) / max(plainly[other][k].values()))
        expected.append(fmean(shares))
    found = read(tabulate_transfer(results))[name]
    assert found == pytest.approx(expected)
    assert found[OBJECTIVES.index(name)] == pytest.approx(1.0)


@pytest.mark.parametrize("name", OBJECTIVES)
def test_places_and_lengths_are_those_of_the_optima(
    name: str,
    topics: list[Topic],
    results: Results,
    plainly: dict[str, list[dict[Set, Fraction]]],
) -> None:
    positions, sizes, words, ratios = [], [], [], []
    for topic, values in zip(topics, plainly[name], strict=True):
        assert topic.sentences is not None
        optima = find_optima(values)
        drawn = [i for optimum in optima for i in optimum]
        positions.append(fmean((i + 0.5) / 7 for i in drawn))
        sizes.append(fmean(map(len, optima)))
        words.append(sum(len(topic.sentences[i].split()) for i in drawn) / len(optima))
        ratios.append(
            words[-1] / fmean(sum(len(p.split()) for p in one) for one in topic.references)
        )
    assert read(tabulate_positions(results))[name][-1] == pytest.approx(fmean(positions))
    lengths = read(tabulate_lengths(results))
    assert lengths[name][0] == pytest.approx(fmean(sizes), abs=0.05)  # shown to one digit
    assert lengths[name][2] == pytest.approx(fmean(words), abs=0.05)
    assert lengths[name][3] == pytest.approx(fmean(ratios))


def test_a_trap_for_greedy_is_told_by_hand() -> None:
    # Greedy takes the sentence with three of the four words; the other two cover all of them.
    topic = Topic(
        id="trap",
        sentences=("ka lo mi", "ka lo", "mi nu"),
        references=("ka lo mi nu",),
        systems={},
        file="made up",
        line=1,
    )
    results = measure([topic], max_words=4)
    found = read(tabulate_objectives(results))
    assert found["r1-recall"][1:5] == [1.0, 0.75, 0.0, 1.0]
    assert found["r1-recall"][-1] == 0.0  # Jaccard: greedy has none of the two
    assert read(tabulate_near(results))["r1-recall"] == [1, 0.0] * 3
    places = read(tabulate_positions(results))
    assert places["r1-recall"] == pytest.approx([0.0, 0.0, 0.0, 1.0, (0.5 + 5 / 6) / 2])
    assert places["all sentences"] == pytest.approx([0.0, 1 / 3, 0.0, 2 / 3, 0.5])
    assert read(tabulate_lengths(results))["r1-recall"] == [2.0, 2.0, 4.0, 1.0]
    assert read(tabulate_lengths(results))["reference"] == [1.0, 1.0, 4.0, 1.0]


def test_a_place_is_one_in_the_own_document_of_a_sentence() -> None:
    texts = ["ka lo", "mi nu", "pe ra", "ka mi"]
    found = measure_objectives(
        texts,
        ["pe ra"],
        ["a", "b", "b", "a"],
        Experiment(max_sentences=1, objectives=("r1-f1",)),
        language="en",
        seed=0,
    )
    assert found["rows"]["r1-f1"]["position"] == 0.75  # the second of two
    assert found["document"]["position"] == 0.5


def stop(results: Results, name: str, **fields: Any) -> Results:
    """The same results, had time run out for one objective on the first topic."""
    first, *rest = results.measured
    rows = first["objectives"]["rows"]
    stopped = {**rows, name: {**rows[name], "proven": False, "exact": False, **fields}}
    changed = {**first, "objectives": {**first["objectives"], "rows": stopped}}
    return Results(
        corpus=results.corpus,
        measured=[changed, *rest],
        experiment=results.experiment,
        published=results.published,
    )


def test_what_a_stopped_search_leaves_open_is_marked(results: Results) -> None:
    near = {level: {"count": "0", "exact": False} for level in ("0.005", "0.01")}
    stopped = stop(results, "rlsum-f1", near=near)
    grid = tabulate_objectives(stopped)
    assert grid is not None
    place = OBJECTIVES.index("rlsum-f1")
    optimum, share = grid.rows[place][2], grid.rows[place][3]
    assert optimum.at_least
    assert share.at_most
    assert not any(cell.at_least or cell.at_most for row in grid.rows[:place] for cell in row)
    assert grid.rows[place][1].value == pytest.approx(11 / 12)
    assert any("rlsum-f1 1." in note and "after 10 s" in note for note in grid.notes)
    counts = tabulate_near(stopped)
    assert counts is not None
    assert any(cell.at_least for cell in counts.rows[place])
    transfer = tabulate_transfer(stopped)
    assert transfer is not None
    assert all(row[place + 1].at_most for k, row in enumerate(transfer.rows) if k != place)


def test_a_heuristic_is_optimal_only_if_that_is_proven(results: Results) -> None:
    first = results.topics[0]["objectives"]["rows"]["r2-f1"]
    stopped = stop(results, "r2-f1", greedy=first["best"])
    whole, less = read(tabulate_objectives(results)), read(tabulate_objectives(stopped))
    assert less["r2-f1"][3] <= whole["r2-f1"][3]
    grid = tabulate_objectives(stopped)
    assert grid is not None
    assert grid.rows[OBJECTIVES.index("r2-f1")][4].at_least


def test_a_search_without_time_says_so_and_the_tables_stand() -> None:
    experiment = Experiment(max_words=60, objectives=("r1-f1",), objective_time_limit=1e-9)
    (topic,) = draw_topics(1, 40)
    assert topic.sentences is not None
    found = measure_objectives(
        topic.sentences, topic.references, None, experiment, language="en", seed=0
    )
    row = found["rows"]["r1-f1"]
    assert Fraction(row["best"]) >= Fraction(row["beam"])
    assert row["proven"] or row["status"] == "time_limit"


def test_objectives_are_chosen_or_left_out() -> None:
    quick = ("--max-sentences", "2", "--human", "responsiveness", "--baseline-time-limit", "0")
    csv = ("--tables", "csv", "-q", "--systems", "none")
    result = call("reproduce", "demo", *quick, *csv, "--objectives", "r1-f1,rl-f2")
    assert result.exit_code == 0, result.stderr
    assert "\nrl-f2," in result.stdout
    assert "\nr2-f1," not in result.stdout
    result = call("reproduce", "demo", *quick, *csv, "--objectives", "none")
    assert result.exit_code == 0, result.stderr
    assert "Objectives" not in result.stdout
    result = call("reproduce", "demo", *quick, "--objectives", "r1-f1,nonsense")
    assert result.exit_code == 2
    assert "nonsense" in result.stderr
