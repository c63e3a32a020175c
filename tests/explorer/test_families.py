"""Asking for a family: the view says what the engine found, exactly."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest

import oraclesum
from explorer.serving import PASTED, Served, serve
from oraclesum.evaluation.panel import prepare_summaries, score_panel
from oraclesum.evaluation.share import measure_share
from oraclesum.explorer.corpus import open_served
from oraclesum.explorer.schema import (
    About,
    FamilyView,
    OraclePage,
    SystemView,
    TopicList,
    TopicView,
)
from oraclesum.rouge.presets import PRESETS


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with serve(corpus=open_served("demo")) as one:
        yield one


def demo_topic(number: int) -> oraclesum.Topic:
    topic = list(oraclesum.open_corpus(oraclesum.demo_path()))[number]
    assert isinstance(topic, oraclesum.Topic)
    return topic


def cut(text: str, span: list[int]) -> str:
    units = text.encode("utf-16-le")
    return units[2 * span[0] : 2 * span[1]].decode("utf-16-le")


@pytest.mark.parametrize("rouge", [1, 2])
@pytest.mark.parametrize("reference", [None, 1])
def test_a_view_is_what_the_python_call_finds(
    served: Served, rouge: int, reference: int | None
) -> None:
    view = served.post({"topic": 0}, rouge=rouge, max_words=100, reference=reference)
    FamilyView.model_validate(view)
    topic = demo_topic(0)
    assert topic.sentences is not None
    references = topic.references if reference is None else [topic.references[reference]]
    family = oraclesum.enumerate_oracles(
        topic.sentences, references, rouge=oraclesum.Rouge(n=rouge), max_words=100
    )
    assert (view["hits"], view["total"], view["score"]) == (family.hits, family.total, family.score)
    assert (view["count"], view["proven"]) == (str(family.count), True)
    assert view["core"] == list(family.core)
    assert view["support"] == list(family.support)
    assert [sentence["inclusion"] for sentence in view["sentences"]] == family.inclusion
    assert view["sizes"] == {str(size): str(count) for size, count in family.sizes.items()}
    assert view["smallest"] == list(family.smallest())
    assert view["earliest"] == list(family.earliest())
    assert view["signature"] == family.signature
    assert [one["used"] for one in view["references"]] == [
        reference in (None, k) for k in range(len(topic.references))
    ]
    for system in view["systems"]:
        overlap = oraclesum.evaluate(system["sentences"], family)
        assert system["f_measure"] == overlap.f_measure
        assert system["nearest"] == list(family.nearest(system["sentences"]))


@pytest.mark.parametrize(
    "settings",
    [
        {"rouge": 1},
        {"rouge": 2, "remove_stopwords": True},
        {"rouge": 3, "stem": False},
        {"rouge": 2, "reference": 0},
        {"rouge": 1, "language": "fr"},
    ],
)
def test_hits_can_be_counted_from_the_marked_ngrams(
    served: Served, settings: dict[str, Any]
) -> None:
    n = settings["rouge"]
    view = served.post({"topic": 1}, **settings)
    counts = {ngram["id"]: ngram["counts"] for ngram in view["ngrams"]}
    assert sum(sum(row) for row in counts.values()) == view["total"]
    oracles = served.get(f"/api/families/{view['key']}/oracles")["oracles"]
    assert oracles
    for oracle in oracles:
        found = Counter(id for i in oracle["sentences"] for id, _ in view["sentences"][i]["ngrams"])
        hits = sum(min(found[id], one) for id, row in counts.items() for one in row)
        assert hits == view["hits"]
    # What is marked in a sentence are the words that the n-gram was made of.
    rouge = oraclesum.Rouge(
        n=n, stem=settings.get("stem", True), language=settings.get("language", "en")
    )
    words = {ngram["id"]: ngram["words"].split() for ngram in view["ngrams"]}
    for place in [*view["sentences"], *view["references"]]:
        for id, first in place["ngrams"]:
            shown = [cut(place["text"], span) for span in place["tokens"][first : first + n]]
            assert len(shown) == n
            for written, stem in zip(shown, words[id], strict=True):
                assert list(rouge.analyser.tokens(written)) == [stem]


@pytest.mark.parametrize("objective", ["r1-f1+r2-f1", "rlsum-f1", "r2-f1"])
def test_another_objective_gives_the_family_that_python_gives(
    served: Served, objective: str
) -> None:
    topic = next(islice(oraclesum.open_corpus(oraclesum.demo_path()), 3, None))
    assert isinstance(topic, oraclesum.Topic)
    assert topic.sentences is not None
    family = oraclesum.enumerate_oracles(
        topic.sentences, topic.references, rouge=objective, max_sentences=3
    )
    settings = {"objective": objective, "max_words": None, "max_sentences": 3}
    view = FamilyView.model_validate(served.post({"topic": 3}, **settings), strict=True)
    assert view.value == f"{family.value.numerator}/{family.value.denominator}"
    assert (view.hits, view.total, view.upper_bound) == (None, None, None)
    assert view.score == view.upper_score == family.score
    assert [sentence.inclusion for sentence in view.sentences] == family.inclusion
    assert view.measure == objective
    assert view.greedy is not None
    assert view.greedy.score <= view.score
    page = OraclePage.model_validate(served.get(f"/api/families/{view.key}/oracles?sort=hits"))
    assert sorted(tuple(one.sentences) for one in page.oracles) == list(family)
    assert {one.score for one in page.oracles} == {family.score}
    first = page.oracles[0].sentences
    over = served.client.post(f"/api/families/{view.key}/overlap", json={"system": first}).json()
    assert over["objective_score"] == pytest.approx(family.score, abs=1e-12)
    assert over["hits"] is None


@pytest.mark.parametrize(
    "settings",
    [
        {"required": [5], "forbidden": [0]},
        {"objective": "r1-f1+r2-f1", "required": [5]},
        {"boundaries": "across"},
        {"objective": "r1-f1", "within": "0.01"},
        {"top": 5},
        {"objective": "r2-f1", "top": 7, "forbidden": [1, 2]},
    ],
)
def test_further_settings_go_to_the_same_search(served: Served, settings: dict[str, Any]) -> None:
    topic = demo_topic(0)
    assert topic.sentences is not None
    given = {**settings}
    rouge = oraclesum.Rouge(
        given.pop("objective", None), boundaries=given.pop("boundaries", "within")
    )
    family = oraclesum.enumerate_oracles(
        topic.sentences, topic.references, rouge=rouge, max_words=60, **given
    )
    view = served.post({"topic": 0}, max_words=60, **settings)
    FamilyView.model_validate(view)
    assert (view["score"], view["count"]) == (family.score, str(family.count))
    page = served.get(f"/api/families/{view['key']}/oracles", limit=50)
    shown = [tuple(one["sentences"]) for one in page["oracles"]]
    assert shown == list(family)[: len(shown)]
    for one in page["oracles"]:
        assert one["score"] <= view["score"]
        assert set(settings.get("required", [])) <= set(one["sentences"])
        assert not set(settings.get("forbidden", [])) & set(one["sentences"])
    assert view["score"] in {one["score"] for one in page["oracles"]}


def test_the_curve_goes_over_sentences_too(served: Served) -> None:
    view = served.post({"topic": 0}, objective="r1-f1", max_words=None)
    query = {"from": 1, "to": 3, "step": 1, "unit": "sentences"}
    answer = served.client.get(f"/api/families/{view['key']}/curve", params=query)
    lines = [line for line in answer.text.splitlines() if '"limit":' in line]
    points = [json.loads(line.removeprefix("data: ")) for line in lines]
    topic = demo_topic(0)
    assert topic.sentences is not None
    for point in points:
        family = oraclesum.enumerate_oracles(
            topic.sentences, topic.references, rouge="r1-f1", max_sentences=point["limit"]
        )
        assert point["score"] == family.score
    assert sorted(point["limit"] for point in points) == [1, 2, 3]


@pytest.mark.parametrize(
    ("settings", "field", "reason"),
    [
        ({"required": [99]}, None, "99"),
        ({"required": [0], "forbidden": [0]}, None, "both required and forbidden"),
        ({"objective": "r1-f3x"}, "settings.objective", "unknown term"),
        ({"objective": "presumm"}, "settings.objective", "give its objective, 'r1-f1+r2-f1'"),
        ({"objective": " Hirao"}, "settings.objective", "give its objective, 'r2-recall'"),
        ({"objective": "r2-f1", "within_hits": 1}, "settings.within_hits", "goes with recall"),
        (
            {"within_hits": 1, "required": [0]},
            "settings.within_hits",
            "recall and upper limits, not with required; use within or top here",
        ),
        (
            {"within_hits": 1, "required": [0], "forbidden": [1]},
            "settings.within_hits",
            "upper limits, not with required or forbidden; use within or top here",
        ),
        ({"objective": "r2-precision"}, None, "precision alone"),
    ],
)
def test_an_objective_that_cannot_be_is_refused_with_the_reason(
    served: Served, settings: dict[str, Any], field: str | None, reason: str
) -> None:
    answer = served.client.post("/api/families", json={"document": PASTED, "settings": settings})
    assert answer.status_code == 422
    assert reason in answer.json()["error"]
    assert answer.json()["field"] == field


@pytest.mark.parametrize("objective", [*PRESETS, "presum", "r1-f1+presumm"])
def test_no_name_is_proposed_that_is_refused_too(served: Served, objective: str) -> None:
    question = {"document": PASTED, "settings": {"objective": objective}}
    answer = served.client.post("/api/families", json=question)
    assert answer.status_code == 422
    for name in PRESETS:
        assert f"did you mean {name!r}" not in answer.json()["error"]


def test_spans_count_utf_16_code_units(served: Served) -> None:
    view = served.post(
        {
            "sentences": ["\U0001f600 harbour opened"],
            "references": ["\U0001f600\U0001f600 harbour"],
        },
        rouge=1,
    )
    assert view["sentences"][0]["tokens"] == [[3, 10], [11, 17]]
    assert view["references"][0]["tokens"] == [[5, 12]]


def test_the_same_question_is_answered_from_memory(served: Served) -> None:
    first = served.post(PASTED, rouge=1, max_words=17)
    assert served.post(PASTED, rouge=1, max_words=17) == first
    assert served.post(PASTED, rouge=1, max_words=16)["key"] != first["key"]


def test_text_is_split_into_sentences(served: Served) -> None:
    text = " ".join(PASTED["sentences"])
    view = served.post({"text": text, "references": PASTED["references"]})
    assert [sentence["text"] for sentence in view["sentences"]] == PASTED["sentences"]
    assert "|split:nupunkt-" in view["signature"]


def test_the_settings_are_said_in_words(served: Served) -> None:
    view = served.post(
        PASTED,
        rouge=2,
        max_words=20,
        max_sentences=2,
        family="minimal",
        within_hits=1,
        remove_stopwords=True,
    )
    assert view["objective"] == (
        "Every minimal set of sentences of at most 20 words and 2 sentences with the best "
        "ROUGE-2 recall or up to 1 hit less against the reference: the most pairs of words of the "
        "reference found in it (English text, stemmed and without stop words)."
    )


def test_no_overlap_is_an_answer_with_a_note(served: Served) -> None:
    view = served.post({"sentences": ["one two"], "references": ["three four"]})
    assert (view["status"], view["count"], view["smallest"]) == ("no_overlap", "0", None)
    assert "smaller n" in view["notes"][0]
    page = served.get(f"/api/families/{view['key']}/oracles")
    assert page["oracles"] == []


def test_a_system_can_be_laid_over(served: Served) -> None:
    view = served.post(PASTED, rouge=1, max_words=17)
    path = f"/api/families/{view['key']}/overlap"
    by_index = served.client.post(path, json={"system": [0, 2]}).json()
    SystemView.model_validate(by_index)
    texts = [PASTED["sentences"][0], PASTED["sentences"][2], "Nobody wrote these words."]
    by_text = served.client.post(path, json={"system": texts}).json()
    assert by_text["sentences"] == by_index["sentences"] == [0, 2]
    assert by_text["unmatched"] == ["Nobody wrote these words"]
    as_one = served.client.post(path, json={"system": " ".join(texts)}).json()
    assert as_one == by_text
    assert served.refuse(422, "POST", path, json={"system": [4]})["field"] == "system"


def test_a_system_is_scored_as_evaluate_does(served: Served) -> None:
    text = (
        "Divers cleared the channel of boulders. The harbour reopened on Tuesday, Port Ellery says."
    )
    systems: dict[str, Any] = {
        "indices": [0, 3],
        "sentences": [PASTED["sentences"][0], "Nobody saw the channel."],
        "text": text,
        "none": [],
        "blank": "...",
    }
    for rouge in (1, 2):
        view = served.post({**PASTED, "systems": systems}, rouge=rouge, max_words=14)
        FamilyView.model_validate(view)
        measure = oraclesum.Rouge(n=rouge)
        family = oraclesum.enumerate_oracles(
            PASTED["sentences"], PASTED["references"], rouge=measure, max_words=14
        )
        summaries = prepare_summaries(
            {name: one for name, one in systems.items() if one and one != "..."},
            PASTED["sentences"],
        )
        scores = score_panel(summaries, PASTED["references"], measure, family)
        seen = {system["name"]: system for system in view["systems"]}
        assert list(seen) == list(systems)
        for name, score in scores.items():
            shown = seen[name]
            assert (shown["hits"], shown["total"]) == (
                score.rouge.hits,
                score.rouge.reference_total,
            )
            assert (shown["score"], shown["words"]) == (score.rouge.recall, score.words)
            assert shown["objective_hits"] == score.objective_hits
            assert shown["f_measure"] == score.overlap.f_measure
            assert shown["feasible"] == (score.words <= 14)
        assert seen["sentences"]["unmatched"]
        assert seen["sentences"]["hits"] > seen["sentences"]["aligned_hits"]
        assert [seen[name]["hits"] for name in ("none", "blank")] == [0, 0]


def test_a_reference_without_words_is_named(served: Served) -> None:
    document = {**PASTED, "references": ["The harbour reopened.", "...", "word"]}
    reasons = []
    for reference in (1, 2):
        question = {"document": document, "settings": {"rouge": 2, "reference": reference}}
        reasons.append(served.refuse(422, "POST", "/api/families", json=question)["error"])
    assert reasons[0] == "reference 1 holds no letter and no digit"
    assert reasons[1].startswith("reference 2 alone: the references hold no 2-gram")


def test_topics_are_listed_found_and_shown(served: Served) -> None:
    About.model_validate(served.get("/api/about"))
    page = served.get("/api/topics", offset=1, limit=2)
    TopicList.model_validate(page)
    assert page["total"] == 6
    assert [topic["number"] for topic in page["topics"]] == [1, 2]
    found = served.get("/api/topics", search="HARB")["topics"]
    assert [topic["id"] for topic in found] == ["harbour"]
    topic = served.get("/api/topics/0")
    TopicView.model_validate(topic)
    assert tuple(topic["sentences"]) == demo_topic(0).sentences
    assert set(topic["systems"]) == set(found[0]["systems"])
    assert "no topic 6" in served.refuse(404, "GET", "/api/topics/6")["error"]


def test_every_language_of_the_list_can_be_used(served: Served) -> None:
    languages = served.get("/api/about")["languages"]
    assert len(languages) > 40
    for language in languages:
        view = served.post(
            PASTED, language=language["code"], stem=language["stem"], rouge=1, max_words=8
        )
        assert view["hits"] > 0
        assert view["sentences"][0]["ngrams"]


def test_a_forgotten_family_is_gone_and_an_unknown_one_was_never_there(served: Served) -> None:
    key = served.post(PASTED, max_words=5, rouge=1)["key"]
    assert served.client.delete(f"/api/families/{key}").status_code == 204
    assert (
        "post its document again"
        in served.refuse(410, "GET", f"/api/families/{key}/oracles")["error"]
    )
    served.refuse(410, "DELETE", f"/api/families/{key}")
    served.refuse(404, "GET", f"/api/families/{'0' * 32}/oracles")


def test_old_families_make_room_for_new_ones() -> None:
    with serve(max_families=2) as served:
        keys = [served.post(PASTED, max_words=limit, rouge=1)["key"] for limit in (8, 9, 10)]
        served.refuse(410, "GET", f"/api/families/{keys[0]}/oracles")
        assert served.load["stored"] == 2
        again = served.post(PASTED, max_words=8, rouge=1)
        assert again["key"] == keys[0]
        OraclePage.model_validate(served.get(f"/api/families/{keys[0]}/oracles"))


CONDITIONS = {"required": [3], "forbidden": [5, 8]}


@pytest.mark.parametrize("objective", [None, "r1-f1+r2-f1"])
def test_conditions_give_the_family_that_python_gives(
    served: Served, objective: str | None
) -> None:
    topic = demo_topic(0)
    assert topic.sentences is not None
    family = oraclesum.enumerate_oracles(
        topic.sentences,
        topic.references,
        rouge=objective or oraclesum.Rouge(n=2),
        max_words=100,
        **CONDITIONS,
    )
    view = served.post({"topic": 0}, objective=objective, **CONDITIONS)
    FamilyView.model_validate(view)
    assert (view["score"], view["hits"]) == (family.score, family.hits)
    assert view["count"] == str(family.count)
    assert "with sentence 3 and without sentences 5 and 8" in view["objective"]
    rows = served.get(f"/api/families/{view['key']}/oracles")["oracles"]
    assert {(row["score"], row["hits"]) for row in rows} == {(family.score, family.hits)}


@pytest.mark.parametrize("near", [{"within": "0.01"}, {"top": 5}])
def test_sets_below_the_best_are_sorted_best_first(served: Served, near: dict[str, Any]) -> None:
    settings = {"objective": "r1-f1+r2-f1", "max_words": None, "max_sentences": 3}
    view = served.post({"topic": 0}, **settings, **near)
    rows = served.get(f"/api/families/{view['key']}/oracles", sort="hits")["oracles"]
    scores = [row["score"] for row in rows]
    assert scores == sorted(scores, reverse=True)
    assert scores[0] == view["score"] > scores[-1]
    told = {"within": "or up to 1 point less", "top": "The 5 best sets of sentences, with ties,"}
    assert told[next(iter(near))] in view["objective"]


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"required": [3, 4], "max_words": 20}, "would take 34 words, and the limit is 20"),
        ({"required": [3], "max_words": 5}, "the sentence that must be in would take 18 words"),
        ({"forbidden": list(range(27))}, "no set that meets the conditions"),
    ],
)
def test_conditions_that_cannot_be_met_are_explained(
    served: Served, settings: dict[str, Any], reason: str
) -> None:
    view = served.post({"topic": 0}, **settings)
    assert (view["status"], view["count"]) == ("no_overlap", "0")
    assert len(view["notes"]) == 1
    assert reason in view["notes"][0]


@pytest.mark.parametrize("objective", [None, "r1-f1+r2-f1"])
def test_greedy_that_is_not_ready_in_time_is_left_out(
    served: Served, objective: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("oraclesum.explorer.view._GREEDY_SECONDS", 0.0)
    view = served.post({"topic": 3}, objective=objective, max_words=40, time_limit=1e-9)
    assert view["greedy"] is None


@pytest.mark.parametrize("objective", [None, "r1-f1+r2-f1"])
def test_the_share_of_greedy_is_that_of_evaluate(served: Served, objective: str | None) -> None:
    topic = demo_topic(3)
    assert topic.sentences is not None
    rouge = oraclesum.Rouge(objective) if objective else oraclesum.Rouge(n=2)
    settings: dict[str, Any] = {"rouge": rouge, "max_words": 40}
    best = oraclesum.find_oracle(topic.sentences, topic.references, **settings)
    greedy = oraclesum.find_oracle(topic.sentences, topic.references, method="greedy", **settings)
    view = served.post({"topic": 3}, objective=objective, max_words=40)
    assert view["greedy"]["share"] == measure_share(greedy.value, best.value)
    assert view["greedy"]["share"] == pytest.approx(view["greedy"]["score"] / view["score"])


def test_messages_name_the_settings_of_a_question() -> None:
    with serve() as served:
        question = {"document": {"sentences": ["a b", "b c"], "references": ["b"]}}
        problem = served.refuse(422, "POST", "/api/families", json=question)
        assert "set rouge to 1" in problem["error"]
        assert problem["field"] == "settings.rouge"
