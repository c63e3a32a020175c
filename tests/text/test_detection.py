"""The language of a text is detected, and records say which rules that led to."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import pytest

import oraclesum
from cli.corpus import call, jsonl, records
from oraclesum.errors import InputError, MissingExtraError, OraclesumWarning
from oraclesum.signature import package_version

TEXTS = {
    "en": "The minister said on Tuesday that the new bridge would be opened. It rained.",
    "de": "Der Minister sagte am Dienstag, dass die neue Br\u00fccke er\u00f6ffnet werde.",
    "fr": "Le ministre a d\u00e9clar\u00e9 mardi que le nouveau pont serait ouvert au printemps.",
    "es": "El ministro dijo el martes que el nuevo puente se abrir\u00eda en primavera.",
    "tr": "Bakan sal\u0131 günü yeni köprünün ilkbaharda biteceğini söyledi.",
    "ru": "Министр заявил во вторник, что новый мост через реку откроется весной.",
    "zh": "部长周二表示\uff0c新的跨河大桥将于春季开放。",
    "ja": "大臣は火曜日、川にかかる新しい橋が春に開通すると述べた。",
    "ko": "장관은 화요일 강을 가로지르는 새 다리가 봄에 개통될 것이라고 말했다.",
    "th": "รัฐมนตรีกล่าวเมื่อวันอังคารว่าสะพานใหม่ข้ามแม่น้ำจะเปิดในฤดูใบไม้ผลิ",
}
FOUND = f"detect:py3langid-{package_version('py3langid')}"


PAGE = Path(__file__).resolve().parent.parent.parent / "docs" / "languages.md"
BLOCKS = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(), flags=re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("block", BLOCKS)
def test_the_python_of_the_page_on_languages_runs(block: str) -> None:
    exec(block, {})


def make_record(code: str) -> dict[str, Any]:
    return {"id": code, "sentences": [TEXTS[code]], "references": [TEXTS[code]]}


@pytest.mark.parametrize("code", TEXTS)
def test_a_sentence_is_enough_to_tell_a_language(code: str) -> None:
    assert oraclesum.detect_language(TEXTS[code]) == code
    assert oraclesum.detect_language(TEXTS[code] * 1000) == code


@pytest.mark.parametrize("text", ["", " \n", "42", "a b", "Hello world", "\ud800", "?!", "東"])
def test_what_is_too_short_is_not_told(text: str) -> None:
    assert oraclesum.detect_language(text) is None


def test_what_is_no_text_has_no_language() -> None:
    with pytest.raises(InputError, match="must be a str, not list"):
        oraclesum.detect_language(["The cat"])  # type: ignore[arg-type]


@pytest.mark.parametrize("code", TEXTS)
def test_every_record_is_answered_by_the_rules_of_its_language_and_says_so(code: str) -> None:
    rows = [make_record(code)]
    [found] = oraclesum.enumerate_corpus(rows, language="auto", max_sentences=1)
    assert found["status"] == "complete"
    assert found["language"] == code
    assert f"|lang:{code}|" in found["signature"]
    assert FOUND in found["signature"]
    assert found["score"] == 1


def test_an_answer_by_detection_is_that_of_the_language_by_name() -> None:
    row = make_record("de") | {"sentences": [TEXTS["de"], "Es regnet \u00fcber den B\u00e4umen."]}
    [found] = oraclesum.enumerate_corpus([row], language="auto", max_sentences=2)
    rouge = oraclesum.Rouge(language="de")
    [named] = oraclesum.enumerate_corpus([row], rouge=rouge, max_sentences=2)
    assert found.pop("language") == "de"
    assert found["signature"].replace(f"|{FOUND}", "") == named["signature"]
    assert {**found, "signature": ""} == {**named, "signature": ""}


def test_the_language_of_the_record_wins_over_what_is_detected() -> None:
    row = make_record("de") | {"language": "nl"}
    [found] = oraclesum.enumerate_corpus([row], language="auto", max_sentences=1)
    assert "language" not in found
    assert "|lang:nl|" in found["signature"]
    assert "detect" not in found["signature"]


def test_text_that_cannot_be_told_is_taken_for_english_and_that_is_said_once() -> None:
    row: dict[str, Any] = {"id": "a", "sentences": ["Ja ja."], "references": ["Ja."]}
    rows = [row, row | {"id": "b"}]
    answers = oraclesum.enumerate_corpus(
        rows, rouge=oraclesum.Rouge(n=1), language="auto", max_words=9
    )
    with pytest.warns(OraclesumWarning, match="cannot be told") as caught:
        found = list(answers)
    assert len(caught) == 1
    assert [one["language"] for one in found] == ["en", "en"]
    assert "|lang:en|" in found[0]["signature"]
    assert "|detect:none" in found[0]["signature"]


def test_two_ways_to_give_a_language_are_refused() -> None:
    with pytest.raises(InputError, match="give one of them"):
        oraclesum.enumerate_corpus(
            [], rouge=oraclesum.Rouge(language="de"), language="auto", max_words=9
        )
    with pytest.raises(InputError, match="language must be 'auto' or None"):
        oraclesum.enumerate_corpus([], language="de", max_words=9)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="of one text, detect_language tells it"):
        oraclesum.Rouge(language="auto")


VERBS = ["enumerate", "labels", "extract", "count", "compare", "evaluate", "score"]


@pytest.mark.parametrize(
    ("verb", "jobs"),
    [
        *((verb, "1") for verb in VERBS),
        ("enumerate", "2"),  # every worker loads the model: it takes a while
        *(pytest.param(verb, "2", marks=pytest.mark.wide) for verb in VERBS[1:]),
    ],
)
def test_every_verb_detects_and_writes_the_language(verb: str, jobs: str) -> None:
    rows = [make_record(code) | {"systems": {"all": [0]}} for code in ("en", "fr", "zh")]
    limit = () if verb == "score" else ("--max-sentences", "1")
    done = call(verb, "-", *limit, "--language", "auto", "--jobs", jobs, data=jsonl(*rows))
    assert done.exit_code == 0, done.stderr
    found = [record for record in records(done.stdout) if record.get("id")]
    assert {record["language"] for record in found} == {"en", "fr", "zh"}
    for record in found:
        assert f"|lang:{record['language']}|" in record["signature"]
        assert FOUND in record["signature"]
        assert ("stem:no" in record["signature"]) == (record["language"] == "zh")


def test_running_text_is_split_by_the_rules_of_the_language_that_was_detected() -> None:
    text = "Der Minister kam am Dienstag. Die Br\u00fccke wird er\u00f6ffnet."
    row = {"id": "a", "text": text, "references": [text]}
    done = call("enumerate", "-", "--max-words", "30", "--language", "auto", data=jsonl(row))
    (found,) = records(done.stdout)
    assert len(found["sentences"]) == 2
    assert "|split:sentencex" in found["signature"]


def test_without_the_library_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "py3langid", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'oraclesum\[languages\]'"):
        oraclesum.enumerate_corpus([], language="auto", max_words=9)
    done = call("enumerate", "demo", "--max-words", "9", "--language", "auto")
    assert done.exit_code == 2
    assert "language 'auto' needs the extra 'languages'" in done.stderr
