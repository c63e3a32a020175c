"""--split and --clean, and what the command says about text that cannot be right."""

from __future__ import annotations

import pytest

from cli.corpus import call, jsonl, records

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
