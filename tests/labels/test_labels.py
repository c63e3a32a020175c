"""Labels line up with the sentences: hard ones of the chosen oracle, soft ones by shares."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest

import oraclesum
from oraclesum.errors import InputError, NoOverlapWarning
from oraclesum.instances import Instance
from oraclesum.labels import LabelSettings, shape_example
from oraclesum.labels.label import label_instance
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


def label(**settings: Any) -> list[oraclesum.Labels]:
    return oraclesum.label_sentences(SENTENCES, REFERENCES, **{**LIMIT, **settings})


def test_hard_labels_are_those_of_the_first_oracle_and_line_up() -> None:
    (labels,) = label()
    assert labels.oracle_ids == (1, 4)
    assert labels.labels == (0, 1, 0, 0, 1, 0)
    assert labels.soft_labels == (0.0, 0.5, 0.0, 0.5, 1.0, 0.0)
    assert (labels.hits, labels.total, labels.count) == (7, 8, 2)
    assert labels.score == 7 / 8
    assert labels.status == "complete"
    assert labels.signature.endswith("|limit:words<=9|family:all|labels:first|soft:oracles")


def test_all_oracles_come_one_after_the_other() -> None:
    rows = label(choose="all")
    assert [row.oracle_ids for row in rows] == [(1, 4), (3, 4)]
    assert [row.labels for row in rows] == [(0, 1, 0, 0, 1, 0), (0, 0, 0, 1, 1, 0)]
    assert rows[0].soft_labels == rows[1].soft_labels
    assert len(label(choose="all", most=1)) == 1


def test_random_oracles_follow_the_seed() -> None:
    drawn = [label(choose="random", seed=seed)[0].oracle_ids for seed in range(30)]
    assert set(drawn) == {(1, 4), (3, 4)}
    assert drawn == [label(choose="random", seed=seed)[0].oracle_ids for seed in range(30)]
    assert "labels:random,seed=3" in label(choose="random", seed=3)[0].signature


def test_the_oracle_nearest_to_the_lead_is_chosen() -> None:
    rows = ["Rain fell.", "Snow came.", "Rain fell.", "Snow came."]
    families = {"first": (0, 1), "lead": (0, 1)}
    for choose, wanted in families.items():
        (labels,) = oraclesum.label_sentences(
            rows, ["Rain fell. Snow came."], max_sentences=2, choose=choose
        )
        assert labels.oracle_ids == wanted
    # The lead is sentences 0 and 2, the first of each document; two oracles hold one of them.
    (labels,) = oraclesum.label_sentences(
        ["Calm day.", "Rain fell.", "Snow came.", "Snow came."],
        ["Rain fell. Snow came."],
        max_sentences=2,
        choose="lead",
        doc_ids=[0, 1, 1, 0],
    )
    assert labels.oracle_ids == (1, 2)


def test_the_lead_of_several_documents_takes_their_first_sentences() -> None:
    rows = ["Rain fell.", "Rain fell hard.", "Rain fell.", "Wind blew."]
    chosen = [
        oraclesum.label_sentences(
            rows, ["Rain fell. Rain fell."], max_words=5, choose="lead", doc_ids=doc_ids
        )[0].oracle_ids
        for doc_ids in (None, [0, 0, 1, 1])
    ]
    assert chosen == [(0, 1), (0, 2)]


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
        for i in range(instance.sentences)
    ]


@pytest.mark.parametrize("method", ["search", "exhaustive"])
@pytest.mark.parametrize(("within", "temperature"), [(0, None), (2, None), (3, 1.0), (4, 0.3)])
def test_soft_labels_are_the_weighted_shares(
    method: str, within: int, temperature: float | None
) -> None:
    settings = LabelSettings(within_hits=within, temperature=temperature)
    drawn = [i for i in generate_instances(60, seed=71, most_sentences=8) if i.candidates]
    for instance in drawn:
        (labels,) = label_instance(instance, (), settings, method=method, options=Options())
        wanted = soften_by_hand(instance, within, temperature)
        assert labels.soft_labels == pytest.approx(wanted, rel=1e-12, abs=1e-15)
        assert labels.labels == tuple(
            int(i in labels.oracle_ids) for i in range(instance.sentences)
        )
        assert labels.oracle_ids == list_family(instance)[0]


def test_soft_labels_of_uncountable_families_do_not_overflow() -> None:
    copies = 1100  # the number of oracles is beyond every float
    rows = ["Rain fell."] * copies + ["Snow fell."]
    (labels,) = oraclesum.label_sentences(
        rows, ["Rain fell. Snow fell."], max_sentences=2000, within_hits=1, temperature=0.01
    )
    assert labels.count == 2**copies - 1
    assert labels.soft_labels[0] == pytest.approx(0.5)
    assert labels.soft_labels[-1] == pytest.approx(1.0)


def test_nothing_in_common_means_labels_of_zero() -> None:
    with pytest.warns(NoOverlapWarning):
        (labels,) = oraclesum.label_sentences(
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
        ({"most": 0}, "most must be at least 1"),
        ({"max_words": None}, "limit"),
        ({"doc_ids": [1]}, "doc_ids has 1 numbers for 6 sentences"),
        ({"rouge": 0}, "rouge must be a Rouge"),
    ],
)
def test_settings_that_make_no_sense_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        label(**settings)


def test_examples_take_the_shapes_of_known_training_code() -> None:
    (labels,) = label()
    summary = ["The cat sat on the mat.", "A dog barked."]
    presumm = shape_example("presumm", SENTENCES, summary, labels)
    assert presumm["src"][1] == ["The", "cat", "sat", "on", "the", "mat."]
    assert presumm["src"][2] == []
    assert presumm["tgt"] == [sentence.split() for sentence in summary]
    assert presumm["src_sent_labels"] == [0, 1, 0, 0, 1, 0]
    graph = shape_example("hetersumgraph", SENTENCES, summary, labels)
    assert graph == {"text": SENTENCES, "summary": summary, "label": [1, 4]}
    match = shape_example("matchsum", SENTENCES, summary, labels)
    assert match == {"text": SENTENCES, "summary": summary, "sent_id": [1, 4]}


def test_draws_differ_between_topics_of_one_corpus() -> None:
    rng = random.Random(1)
    settings = LabelSettings(choose="random")
    instance = next(i for i in generate_instances(50, seed=72) if len(list_family(i)) > 20)
    drawn = set()
    for name in rng.sample(range(1000), 30):
        named = Instance.from_dict({**instance.to_dict(), "id": str(name)})
        (labels,) = label_instance(named, (), settings, method="search", options=Options())
        drawn.add(labels.oracle_ids)
    assert len(drawn) > 10


def test_a_counted_near_optimal_family_is_complete() -> None:
    assert label(within_hits=2)[0].status == "complete"
    assert label(within_hits=2, temperature=1.0)[0].status == "complete"
