"""One line to one topic: what is taken, and the reason given for what is not."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oraclesum.corpora.bad import BadRecord
from oraclesum.corpora.record import parse_record
from oraclesum.corpora.topic import Topic

GOOD: dict[str, Any] = {
    "id": "t",
    "sentences": ["A cat sat.", "It slept."],
    "references": ["A cat."],
}


def parse(record: Any) -> Topic:
    data = record if isinstance(record, bytes) else json.dumps(record).encode()
    return parse_record(data, file="in.jsonl", number=7, fallback_id="in.jsonl:7")


def test_every_field_arrives() -> None:
    topic = parse(
        {
            "id": 12,
            "sentences": ["A cat sat.", "", "It slept."],
            "references": ["A cat.", ["A cat.", "It slept."], ""],
            "doc_ids": [0, 0, 1],
            "systems": {"a": [2, 0], "b": ["A cat sat."], "c": "A cat.", "d": []},
            "human": {"a": {"grade": 3, "coverage": 0.5}},
            "language": "fr",
            "unknown": {"x": 1},
        }
    )
    assert topic == Topic(
        id="12",
        sentences=("A cat sat.", "", "It slept."),
        references=("A cat.", ("A cat.", "It slept."), ""),
        doc_ids=(0, 0, 1),
        systems={"a": (2, 0), "b": ("A cat sat.",), "c": "A cat.", "d": ()},
        human={"a": {"grade": 3, "coverage": 0.5}},
        language="fr",
        file="in.jsonl",
        line=7,
    )


def test_sentences_win_over_text_and_text_is_kept_whole() -> None:
    assert parse({**GOOD, "text": "Other."}).text is None
    topic = parse({"text": "A cat sat. It slept.", "references": ["A cat."]})
    assert (topic.sentences, topic.text) == (None, "A cat sat. It slept.")


def test_null_is_as_good_as_absent_for_what_may_be_absent() -> None:
    nothing = dict.fromkeys(("doc_ids", "systems", "human", "language", "text"))
    assert parse({**GOOD, **nothing}) == parse(GOOD)


BAD: list[tuple[Any, str]] = [
    (b"{", "broken JSON at column"),
    (b'{"id": NaN}', "broken JSON at column 8"),
    (b'{"id": "\\ud800"}', "broken JSON at column"),
    (b"null", "one JSON object per line, not null"),
    ([GOOD], "one JSON object per line, not a list"),
    ("text", "one JSON object per line, not text"),
    ({**GOOD, "id": 1.5}, "`id` must be text, not a number"),
    ({**GOOD, "id": ["t"]}, "`id` must be text, not a list"),
    ({**GOOD, "sentences": []}, "the document is empty: `sentences`"),
    ({**GOOD, "sentences": "A cat sat."}, "`sentences` must be a list of text, not text"),
    ({**GOOD, "sentences": ["a", 3]}, "sentences[1] must be text, not a number"),
    ({**GOOD, "sentences": ["a", "b", None]}, "sentences[2] must be text, not null"),
    ({**GOOD, "sentences": None}, "neither `sentences`"),
    ({"text": " \n", "references": ["a"]}, "the document is empty: `text` is blank"),
    ({"text": ["a"], "references": ["a"]}, "`text` must be text, not a list"),
    ({"sentences": ["a"]}, "no `references`"),
    ({**GOOD, "references": "A cat."}, "must be a list, not text; put it into a list"),
    ({**GOOD, "references": {"a": "b"}}, "must be a list, not an object"),
    ({**GOOD, "references": []}, "`references` is empty"),
    ({**GOOD, "references": ["", " ", [], [""]]}, "every reference is empty"),
    (
        {**GOOD, "references": ["a", True]},
        "references[1] must be text or a list of text, not true or false",
    ),
    ({**GOOD, "references": [["a", 1]]}, "references[0][1] must be text, not a number"),
    ({**GOOD, "doc_ids": [0]}, "`doc_ids` has 1 elements, but there are 2 sentences"),
    ({**GOOD, "doc_ids": [0, "1"]}, "doc_ids[1] must be a whole number, not text"),
    ({**GOOD, "doc_ids": 3}, "`doc_ids` must be a list of whole numbers"),
    ({"text": "a", "references": ["a"], "doc_ids": [0]}, "`doc_ids` needs `sentences`"),
    ({**GOOD, "doc_ids": [0, 2**63]}, "doc_ids[1] must be a whole number of at most 64 bits"),
    ({**GOOD, "language": 3}, "`language` must be text"),
    (
        {"text": "a", "human_summaries": ["a"], "machine_summaries": 5},
        "`machine_summaries` must be a list of text, not a number",
    ),
    (
        {"text": "a", "human_summaries": ["a"], "machine_summaries": {"s": "a"}},
        "`machine_summaries` must be a list of text, not an object",
    ),
]


@pytest.mark.parametrize(("record", "reason"), BAD, ids=[reason for _, reason in BAD])
def test_the_reason_is_precise(record: Any, reason: str) -> None:
    with pytest.raises(BadRecord) as caught:
        parse(record)
    assert reason in caught.value.reason


FLAWED: list[tuple[Any, str]] = [
    ({**GOOD, "systems": ["a"]}, "`systems` must be an object, not a list"),
    (
        {**GOOD, "systems": {"s": 3}},
        "systems['s'] must be text, a list of text or a list of indices",
    ),
    (
        {**GOOD, "systems": {"s": [0, 2]}},
        "systems['s'][1] is 2, but the sentences are numbered 0 to 1",
    ),
    ({**GOOD, "systems": {"s": [-1]}}, "systems['s'][0] is -1"),
    ({**GOOD, "systems": {"s": [1, 1]}}, "systems['s'] names a sentence twice"),
    ({**GOOD, "systems": {"s": [1, "a"]}}, "systems['s'][1] must be a whole number, not text"),
    ({**GOOD, "systems": {"s": ["a", 1]}}, "systems['s'][1] must be text, not a number"),
    ({"text": "a", "references": ["a"], "systems": {"s": [0]}}, "indices, which need `sentences`"),
    ({**GOOD, "human": {"s": 3}}, "`human['s']` must be an object, not a number"),
    ({**GOOD, "human": {"s": {"m": "high"}}}, "human['s']['m'] must be a number, not text"),
    ({**GOOD, "text": "A dog."}, "`text` is ignored: the record has `sentences`"),
]


@pytest.mark.parametrize(("record", "reason"), FLAWED, ids=[reason for _, reason in FLAWED])
def test_a_bad_entry_is_left_out_and_told(record: Any, reason: str) -> None:
    topic = parse(record)
    (flaw,) = topic.flaws
    assert reason in flaw.reason
    assert (topic.systems, topic.human) == ({}, {})


def test_one_bad_entry_costs_no_other() -> None:
    topic = parse(
        {**GOOD, "systems": {"a": [0], "b": [9]}, "human": {"a": {"m": 1}, "b": {"m": None}}}
    )
    assert (topic.systems, topic.human) == ({"a": (0,)}, {"a": {"m": 1}})
    assert [(flaw.field, flaw.name) for flaw in topic.flaws] == [("systems", "b"), ("human", "b")]


def test_a_bad_record_still_tells_its_id() -> None:
    with pytest.raises(BadRecord) as caught:
        parse({"id": "t", "sentences": []})
    assert caught.value.record_id == "t"
    with pytest.raises(BadRecord) as caught:
        parse({"id": "t", "human_summaries": ["a"], "machine_summaries": 5})
    assert caught.value.record_id == "t"


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
fields = st.sampled_from(
    ["id", "sentences", "text", "references", "doc_ids", "systems", "human", "language"]
)


@given(st.dictionaries(fields, json_values))
def test_any_json_object_is_a_topic_or_a_bad_record(changes: dict[str, Any]) -> None:
    try:
        topic = parse({**GOOD, **changes})
    except BadRecord as bad:
        assert bad.reason  # noqa: PT017 - either outcome is right
    else:
        assert isinstance(topic.id, str)
        assert topic.references


@given(st.binary(max_size=60))
def test_any_bytes_are_a_bad_record(data: bytes) -> None:
    with pytest.raises(BadRecord):
        parse(data)


def test_a_language_under_another_name_is_pointed_out_once() -> None:
    def find_flaws(number: int, **fields: str) -> list[str]:
        line = json.dumps({"sentences": ["a"], "references": ["b"], **fields}).encode()
        topic = parse_record(line, file="in.jsonl", number=number, fallback_id="x")
        return [flaw.reason for flaw in topic.flaws]

    said = ["`lang` is not read: call it `language`, or give --language fr"]
    assert find_flaws(1, lang="fr") == said
    assert find_flaws(2, lang="fr") == []
    assert find_flaws(1, lang="en") == []
    assert find_flaws(1, lang="x", language="fr") == []
