"""Labels line up with the sentences: hard ones of the chosen oracle, soft ones by shares."""

from __future__ import annotations

import math
import random
from collections import Counter
from fractions import Fraction
from typing import Any

import pytest

import oraclesum
from oraclesum import Rouge
from oraclesum.errors import InputError, LimitError, NoOverlapWarning
from oraclesum.instances import Instance
from oraclesum.labels import DEFAULT_OBJECTIVE, LabelSettings, shape_example
from oraclesum.labels.label import label_problem
from oraclesum.oracles import Options
from reference.brute import count_hits, list_family
from reference.generate import generate_instances

SENTENCES = [
    "Nothing to see here.",
    "The cat sat on the mat.",
    "",
    "The cat sat on the mat!",
    "A dog barked.",
    "Dogs barked at a cat.",
]
REFERENCES = ["The cat sat on the mat. A dog barked."]
LIMIT = {"max_words": 9}


RECALL = {"rouge": oraclesum.Rouge(), "family": "all"}


def label(**settings: Any) -> oraclesum.Labels:
    return oraclesum.label_sentences(SENTENCES, REFERENCES, **{**LIMIT, **RECALL, **settings})


def test_hard_labels_are_those_of_the_first_oracle_and_line_up() -> None:
    labels = label()
    assert labels.oracle_ids == (1, 4)
    assert labels.labels == (0, 1, 0, 0, 1, 0)
    assert labels.soft_labels == (0.0, 0.5, 0.0, 0.5, 1.0, 0.0)
    assert (labels.hits, labels.total, labels.count) == (7, 8, 2)
    assert labels.score == 7 / 8
    assert labels.status == "complete"
    assert labels.signature.endswith("|limit:words<=9|family:all|labels:first|soft:oracles")


def test_all_oracles_come_one_after_the_other() -> None:
    settings: dict[str, Any] = {**LIMIT, **RECALL}
    rows = oraclesum.label_every_oracle(SENTENCES, REFERENCES, **settings)
    assert [row.oracle_ids for row in rows] == [(1, 4), (3, 4)]
    assert [row.labels for row in rows] == [(0, 1, 0, 0, 1, 0), (0, 0, 0, 1, 1, 0)]
    assert rows[0].soft_labels == rows[1].soft_labels
    assert len(oraclesum.label_every_oracle(SENTENCES, REFERENCES, **settings, max_list=1)) == 1


def test_random_oracles_follow_the_seed() -> None:
    drawn = [label(choose="random", seed=seed).oracle_ids for seed in range(30)]
    assert set(drawn) == {(1, 4), (3, 4)}
    assert drawn == [label(choose="random", seed=seed).oracle_ids for seed in range(30)]
    assert "labels:random,seed=3" in label(choose="random", seed=3).signature


def test_the_oracle_nearest_to_the_lead_is_chosen() -> None:
    rows = ["Rain fell.", "Snow came.", "Rain fell.", "Snow came."]
    families = {"first": (0, 1), "lead": (0, 1)}
    for choose, wanted in families.items():
        labels = oraclesum.label_sentences(
            rows, ["Rain fell. Snow came."], max_sentences=2, choose=choose, **RECALL
        )
        assert labels.oracle_ids == wanted
    # The lead is sentences 0 and 2, the first of each document; two oracles hold one of them.
    labels = oraclesum.label_sentences(
        ["Calm day.", "Rain fell.", "Snow came.", "Snow came."],
        ["Rain fell. Snow came."],
        max_sentences=2,
        choose="lead",
        doc_ids=[0, 1, 1, 0],
        rouge="r2-recall",
    )
    assert labels.oracle_ids == (1, 2)


def test_the_lead_of_several_documents_takes_their_first_sentences() -> None:
    rows = ["Rain fell.", "Rain fell hard.", "Rain fell.", "Wind blew."]
    chosen = [
        oraclesum.label_sentences(
            rows, ["Rain fell. Rain fell."], max_words=5, choose="lead", doc_ids=doc_ids, **RECALL
        ).oracle_ids
        for doc_ids in (None, [0, 0, 1, 1])
    ]
    assert chosen == [(0, 1), (0, 2)]


def test_the_lead_keeps_the_limits_of_a_preset() -> None:
    # The lead of at most 3 sentences is 0, 3 and 1; without a limit there would be none.
    rows = ["Calm day.", "Wind blew.", "Rain fell.", "Rain fell."]
    wanted: dict[str, Any] = {"rouge": "presumm", "choose": "lead", "doc_ids": [0, 0, 0, 1]}
    by_preset = oraclesum.label_sentences(rows, ["Rain fell."], **wanted)
    by_hand = oraclesum.label_sentences(rows, ["Rain fell."], max_sentences=3, **wanted)
    assert by_preset.oracle_ids == by_hand.oracle_ids == (3,)


def soften_by_hand(instance: Instance, within: int, temperature: float | None) -> list[float]:
    sets = list_family(instance, within_hits=within)
    best = max(count_hits(instance, selected) for selected in sets)
    weights = {
        selected: math.exp((count_hits(instance, selected) - best) / temperature)
        if temperature
        else 1.0
        for selected in sets
    }
    total = math.fsum(weights.values())
    return [
        math.fsum(weight for selected, weight in weights.items() if i in selected) / total
        for i in range(instance.n_sentences)
    ]


@pytest.mark.parametrize("method", ["search", "exhaustive"])
@pytest.mark.parametrize(("within", "temperature"), [(0, None), (2, None), (3, 1.0), (4, 0.3)])
def test_soft_labels_are_the_weighted_shares(
    method: str, within: int, temperature: float | None
) -> None:
    settings = LabelSettings(within_hits=within, temperature=temperature)
    drawn = [i for i in generate_instances(60, seed=71, most_sentences=8) if i.candidates]
    for instance in drawn:
        (labels,) = label_problem(instance, (), settings, method=method, options=Options())
        wanted = soften_by_hand(instance, within, temperature)
        assert labels.soft_labels == pytest.approx(wanted, rel=1e-12, abs=1e-15)
        assert labels.labels == tuple(
            int(i in labels.oracle_ids) for i in range(instance.n_sentences)
        )
        assert labels.oracle_ids == list_family(instance)[0]


def test_soft_labels_of_uncountable_families_do_not_overflow() -> None:
    copies = 1100  # the number of oracles is beyond every float
    rows = ["Rain fell."] * copies + ["Snow fell."]
    labels = oraclesum.label_sentences(
        rows,
        ["Rain fell. Snow fell."],
        max_sentences=2000,
        within_hits=1,
        temperature=0.01,
        **RECALL,
    )
    assert labels.count == 2**copies - 1
    assert labels.soft_labels[0] == pytest.approx(0.5)
    assert labels.soft_labels[-1] == pytest.approx(1.0)


def test_nothing_in_common_means_labels_of_zero() -> None:
    with pytest.warns(NoOverlapWarning):
        labels = oraclesum.label_sentences(
            ["One.", "Two."], ["Completely different words."], max_words=5, choose="random"
        )
    assert (labels.labels, labels.soft_labels, labels.oracle_ids) == ((0, 0), (0.0, 0.0), ())
    assert labels.status == "no_overlap"


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"choose": "best"}, "choose must be one of 'first', 'lead', 'random', 'all'"),
        ({"temperature": 1.0}, "temperature needs within_hits"),
        ({"temperature": 0.0, "within_hits": 1}, "temperature must be a number above 0"),
        ({"temperature": math.nan, "within_hits": 1}, "temperature must be a number above 0"),
        ({"temperature": True, "within_hits": 1}, "temperature must be a number above 0"),
        ({"max_list": 0}, "max_list must be at least 1"),
        ({"choose": "all"}, "label_every_oracle"),
        ({"temperature": 0.1, "within": 2}, "within must be from 0 to 1"),
        ({"within": 0.1, "top": 3}, "set only one of"),
        ({"max_words": None}, "limit"),
        ({"doc_ids": [1]}, "doc_ids has 1 numbers for 6 sentences"),
        ({"rouge": 0}, "rouge must be a Rouge"),
    ],
)
def test_settings_that_make_no_sense_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        label(**settings)


def test_examples_take_the_shapes_of_known_training_code() -> None:
    labels = label()
    summary = ["The cat sat on the mat.", "A dog barked."]
    presumm = shape_example("presumm", SENTENCES, summary, labels.labels, labels.oracle_ids)
    assert presumm["src"][1] == ["The", "cat", "sat", "on", "the", "mat."]
    assert presumm["src"][2] == []
    assert presumm["tgt"] == [sentence.split() for sentence in summary]
    assert presumm["src_sent_labels"] == [0, 1, 0, 0, 1, 0]
    graph = shape_example("hetersumgraph", SENTENCES, summary, labels.labels, labels.oracle_ids)
    assert graph == {"text": SENTENCES, "summary": summary, "label": [1, 4]}
    match = shape_example("matchsum", SENTENCES, summary, labels.labels, labels.oracle_ids)
    assert match == {"text": SENTENCES, "summary": summary, "sent_id": [1, 4]}


def test_draws_differ_between_topics_of_one_corpus() -> None:
    rng = random.Random(1)
    settings = LabelSettings(choose="random")
    instance = next(i for i in generate_instances(50, seed=72) if len(list_family(i)) > 20)
    drawn = set()
    for name in rng.sample(range(1000), 30):
        named = Instance.from_dict({**instance.to_dict(), "id": str(name)})
        (labels,) = label_problem(named, (), settings, method="search", options=Options())
        drawn.add(labels.oracle_ids)
    assert len(drawn) > 10


def test_a_counted_near_optimal_family_is_complete() -> None:
    assert label(within_hits=2).status == "complete"
    assert label(within_hits=2, temperature=1.0).status == "complete"


def test_labels_maximise_f1_unless_told_otherwise_and_need_no_limit() -> None:
    labels = oraclesum.label_sentences(SENTENCES, REFERENCES)
    assert labels.oracle_ids == (1, 4)
    assert labels.soft_labels == (0.0, 0.5, 0.0, 0.5, 1.0, 0.0)
    assert (labels.hits, labels.total) == (None, None)
    assert labels.value == (Fraction(1) + Fraction(14, 15)) / 2
    assert "|objective:r1-f1+r2-f1|" in labels.signature


def test_recall_labels_are_of_minimal_sets() -> None:
    rows = ["A cat sat.", "The.", "A cat sat."]
    labels = oraclesum.label_sentences(rows, ["A cat sat."], rouge="r2-recall", max_sentences=3)
    assert (labels.oracle_ids, labels.count) == ((0,), 2)
    assert "family:minimal" in labels.signature


def test_recall_of_the_best_reference_is_labelled_without_a_choice_of_family() -> None:
    rouge = Rouge("r1-recall", multi_reference="best")
    labels = oraclesum.label_sentences(["a b", "b c"], ["a b", "c"], rouge=rouge, max_sentences=1)
    assert (labels.count, labels.soft_labels, labels.score) == (2, (0.5, 0.5), 1.0)


def test_recall_labels_keep_a_lower_limit_with_sentences_that_add_nothing() -> None:
    labels = oraclesum.label_sentences(
        ["a b", "b", "b"], ["a b"], rouge=Rouge(n=1), min_sentences=2, max_sentences=3
    )
    assert (labels.oracle_ids, labels.soft_labels) == ((0, 1), (1.0, 0.5, 0.5))


@pytest.mark.parametrize("near", [{"within": "0.2"}, {"within": "0.05"}, {"top": 5}])
@pytest.mark.parametrize("temperature", [None, 0.05, 1.0])
def test_soft_labels_of_any_objective_are_the_weighted_shares(
    near: dict[str, Any], temperature: float | None
) -> None:
    rng = random.Random(74)
    words = ["a", "b", "c", "d", "e", "f"]
    for _ in range(40):
        rows = [" ".join(rng.choices(words, k=rng.randint(1, 6))) for _ in range(6)]
        model = " ".join(rng.choices(words, k=8))
        labels = oraclesum.label_sentences(
            rows, [model], max_sentences=3, temperature=temperature, **near
        )
        rouge = Rouge(DEFAULT_OBJECTIVE)
        family = oraclesum.enumerate_oracles(rows, [model], rouge=rouge, max_sentences=3, **near)
        weights = {
            selected: math.exp(
                (score_terms([rows[i] for i in selected], model) - float(family.value))
                / temperature
            )
            if temperature
            else 1.0
            for selected in family
        }
        whole = math.fsum(weights.values())
        wanted = [
            math.fsum(weight for selected, weight in weights.items() if i in selected) / whole
            for i in range(len(rows))
        ]
        assert labels.soft_labels == pytest.approx(wanted, rel=1e-9, abs=1e-12)


def score_terms(summary: list[str], model: str) -> float:
    """R1-F1 and R2-F1 of one-letter words, n-grams within sentences, as one would by hand."""
    return sum(f1(summary, model, n) for n in (1, 2)) / 2


def f1(summary: list[str], model: str, n: int) -> float:
    def ngrams(words: list[str]) -> Counter[tuple[str, ...]]:
        return Counter(zip(*(words[k:] for k in range(n)), strict=False))

    ours = sum((ngrams(sentence.split()) for sentence in summary), Counter())
    theirs = ngrams(model.split())
    size = ours.total() + theirs.total()
    return 2 * (ours & theirs).total() / size if size else 0.0


def test_weights_are_refused_if_there_are_too_many_sets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("oraclesum.labels.soft.MAX_WEIGHED", 3)
    with pytest.raises(LimitError, match="needs the score of each of 9 sets; at most 3"):
        oraclesum.label_sentences(
            ["A cat."] * 9, ["A cat."], within=0, top=9, temperature=1.0, max_sentences=1
        )


def test_the_first_oracle_is_refused_if_the_method_does_not_list_it_first() -> None:
    sentences = ["bb aa", "aa aa aa bb", "bb aa bb bb aa", "aa aa bb aa bb"]
    how: dict[str, Any] = {"rouge": "r1-recall", "max_sentences": 2, "max_words": 9}

    def label(**more: Any) -> tuple[int, ...]:
        return oraclesum.label_sentences(
            sentences, ["bb aa bb aa aa"], family="all", **how, **more
        ).oracle_ids

    assert label(max_list=1) == label(method="paper") == (0, 1)
    with pytest.raises(InputError, match="not the first in lexicographic order"):
        label(method="paper", max_list=1)
