"""Our reference systems: within the limits, reproducible, and blind to references."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable
from functools import reduce
from itertools import chain
from operator import add

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oraclesum.errors import InputError
from oraclesum.instances import Limits, count_words
from oraclesum.systems import SYSTEMS, Document, run_system, run_systems
from oraclesum.systems.centroid import select_central
from oraclesum.systems.concepts import weigh_concepts
from oraclesum.systems.frequency import select_frequent
from oraclesum.text import Analyser

SENTENCES = (
    "The storm closed the harbour town for three days.",
    "Fishing boats stayed in port.",
    "Schools closed as the storm passed over the coast.",
    "The mayor thanked the rescue teams for their work.",
    "A storm closed the harbour town and the coast road.",
    "Rescue teams saved nine people from a fishing boat.",
)
DOC_IDS = (0, 0, 1, 1, 2, 2)


def make_document(**changes: object) -> Document:
    settings = {
        "sentences": SENTENCES,
        "doc_ids": DOC_IDS,
        "limits": Limits(max_words=20),
        "content": Analyser(remove_stopwords=True),
    }
    return Document(**{**settings, **changes})  # type: ignore[arg-type]  # a test's short way


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_system_keeps_every_limit_and_chooses_something(name: str) -> None:
    limits = Limits(max_words=20, max_sentences=2)
    chosen = run_system(name, make_document(limits=limits))
    assert 1 <= len(chosen) <= 2
    assert sum(count_words(SENTENCES[i]) for i in chosen) <= 20
    assert list(chosen) == sorted(set(chosen))


@pytest.mark.parametrize("name", SYSTEMS)
def test_lower_limits_are_those_of_oracles_and_change_no_system(name: str) -> None:
    upper = run_system(name, make_document(limits=Limits(max_words=20)))
    both = Limits(max_words=20, min_words=12, min_sentences=2)
    assert run_system(name, make_document(limits=both)) == upper


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_system_gives_the_same_answer_again(name: str) -> None:
    assert run_system(name, make_document(seed=5)) == run_system(name, make_document(seed=5))


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_document_without_words_gives_no_summary_or_a_short_one(name: str) -> None:
    chosen = run_system(name, make_document(sentences=("...", "!"), doc_ids=None))
    assert set(chosen) <= {0, 1}


def test_lead_takes_the_first_sentences_of_all_documents_first() -> None:
    assert run_system("lead", make_document(limits=Limits(max_sentences=3))) == (0, 2, 4)
    assert run_system("lead", make_document(limits=Limits(max_sentences=4))) == (0, 1, 2, 4)


def test_random_depends_on_the_seed() -> None:
    drawn = {run_system("random", make_document(seed=seed)) for seed in range(20)}
    assert len(drawn) > 3


def test_concepts_are_weighed_by_documents() -> None:
    weights = weigh_concepts(make_document())
    assert weights[("storm", "close")] == 2
    assert all(weight >= 2 for weight in weights.values())


def test_concept_coverage_takes_what_the_documents_share_and_no_repeat() -> None:
    chosen = run_system("concept-coverage", make_document(limits=Limits(max_sentences=1)))
    assert chosen in {(0,), (4,)}


def test_names_say_that_the_systems_are_ours() -> None:
    found = run_systems(
        ["lead"], sentences=SENTENCES, doc_ids=DOC_IDS, limits=Limits(max_words=20), language="fr"
    )
    assert list(found) == ["oraclesum/lead"]


def test_an_unknown_system_is_refused_with_the_known_ones() -> None:
    with pytest.raises(InputError, match=r"'lexrank'; known: lead, random"):
        run_system("lexrank", make_document())


def choose_frequent_plainly(document: Document) -> list[int]:
    """SumBasic with every probability looked at in every step."""
    counts = Counter(chain.from_iterable(document.words))
    probability = {word: count / counts.total() for word, count in counts.items()}
    room, chosen = document.make_room(), []
    left = [i for i, words in enumerate(document.words) if words]
    while left := list(filter(room.has, left)):
        scores = {}
        for i in left:
            each = [probability[word] for word in document.words[i]]
            # Later versions of Python have a more exact `sum`.
            scores[i] = (max(each), reduce(add, each) / len(each), -i)
        best = max(left, key=scores.__getitem__)
        chosen.append(best)
        left.remove(best)
        room.take(best)
        for word in set(document.words[best]):
            probability[word] *= probability[word]
    return chosen


@pytest.mark.parametrize("language", ["en", "de"])
@given(
    st.lists(st.lists(st.sampled_from(["cat", "dog", "mat", "hat"]), max_size=5), max_size=9),
    st.integers(1, 20),
    st.integers(1, 5),
)
def test_frequent_sentences_are_those_that_sumbasic_chooses(
    language: str, sentences: list[list[str]], max_words: int, max_sentences: int
) -> None:
    document = Document(
        sentences=list(map(" ".join, sentences)),
        limits=Limits(max_words=max_words, max_sentences=max_sentences),
        content=Analyser(language=language),
    )
    assert select_frequent(document) == choose_frequent_plainly(document)


@given(
    st.permutations(range(6)),
    st.lists(st.integers(0, 4), min_size=6, max_size=6),
    st.integers(1, 12),
    st.integers(1, 6),
)
def test_each_sentence_in_turn_is_taken_if_it_fits(
    order: list[int], costs: list[int], max_cost: int, max_sentences: int
) -> None:
    limits = Limits(costs=costs, max_cost=max_cost, max_sentences=max_sentences)
    taken: list[int] = []
    for i in order:
        fits = sum(costs[k] for k in (*taken, i)) <= max_cost and len(taken) < max_sentences
        taken += [i] if fits else []
    assert make_document(limits=limits).take(order) == taken


def test_a_sentence_that_takes_no_room_is_not_taken() -> None:
    limits = Limits(costs=[0, 3, 0, 1, 0, 9], max_cost=5)
    assert make_document(limits=limits).take(range(6)) == [1, 3]


def weigh_words(document: Document) -> list[dict[Hashable, float]]:
    count = len(document.words)
    spread = Counter(chain.from_iterable(map(set, document.words)))
    return [
        {word: tf * math.log((1 + count) / (1 + spread[word])) for word, tf in Counter(one).items()}
        for one in document.words
    ]


def cosine(first: dict[Hashable, float], second: dict[Hashable, float]) -> float:
    common = reduce(add, (first[word] * second[word] for word in first if word in second), 0.0)
    norms = math.hypot(*first.values()) * math.hypot(*second.values())
    return common / norms if norms else 0.0


@given(
    st.lists(st.lists(st.sampled_from(["cat", "dog", "mat", "hat"]), max_size=5), max_size=12),
    st.integers(1, 30),
)
def test_central_sentences_repeat_none_that_was_chosen_and_leave_out_no_other(
    sentences: list[list[str]], max_words: int
) -> None:
    document = Document(
        sentences=list(map(" ".join, sentences)),
        limits=Limits(max_words=max_words),
        content=Analyser(),
    )
    chosen = select_central(document)
    vectors = weigh_words(document)
    room, found = document.make_room(), list[int]()
    left = [i for i, vector in enumerate(vectors) if vector]
    rank = {i: place for place, i in enumerate(chosen)}
    for i in chosen:
        assert room.has(i)
        assert all(cosine(vectors[i], vectors[j]) < 0.5 for j in found)
        found.append(i)
        room.take(i)
    for i in left:  # whatever was left out repeats one, or has no room
        if i not in rank:
            assert not room.has(i) or any(cosine(vectors[i], vectors[j]) >= 0.5 for j in chosen)
