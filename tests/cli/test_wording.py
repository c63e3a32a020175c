"""Messages name options, not Python settings."""

from __future__ import annotations

import pickle

import pytest

from oraclesum import InputError, RecordError, enumerate_oracles
from oraclesum.cli.closing import describe
from oraclesum.cli.settings import Settings
from oraclesum.message import Message, Setting, name_options


@pytest.mark.parametrize(
    ("message", "spelled", "worded"),
    [
        (
            Message("{max_words} must be at least 1, not {x}", x="{stem}"),
            "max_words must be at least 1, not {stem}",
            "--max-words must be at least 1, not {stem}",
        ),
        (
            Message("use {language='zh'} (or 'ja') with {stem=False}"),
            "use language='zh' (or 'ja') with stem=False",
            "use --language zh (or 'ja') with --no-stem",
        ),
        (
            Message("{what}: use {remove_stopwords=False}", what=Message("{n} is 3")),
            "n is 3: use remove_stopwords=False",
            "--rouge is 3: use no --remove-stopwords",
        ),
        (
            Message("use {tokenizer=…}, or {format}", format=Setting("format", "'parquet'")),
            "use tokenizer=…, or format='parquet'",
            "use a tokenizer from Python, or --format parquet",
        ),
        ("max_words of a user's own text", "max_words of a user's own text", None),
    ],
)
def test_settings_are_named_as_options(message: str, spelled: str, worded: str | None) -> None:
    assert message == spelled
    assert name_options(message) == (worded or spelled)
    assert name_options(InputError(message)) == (worded or spelled)
    assert name_options(str(InputError(message))) == (worded or spelled)
    sent = pickle.loads(pickle.dumps(RecordError("a.jsonl", 3, message)))
    assert str(sent) == f"a.jsonl:3: {spelled}"
    assert name_options(sent) == f"a.jsonl:3: {worded or spelled}"


def test_an_error_says_which_settings_it_is_about() -> None:
    with pytest.raises(InputError) as caught:
        enumerate_oracles(["A cat."], ["A cat."], max_words=0)
    assert caught.value.settings == ("max_words",)
    with pytest.raises(InputError) as caught:
        enumerate_oracles(["A cat."], ["A cat."])
    assert caught.value.settings == ("max_words", "max_sentences", "max_bytes")


def test_the_settings_in_words() -> None:
    settings = Settings(
        rouge=1,
        stem=False,
        remove_stopwords=True,
        language="en",
        max_words=1000,
        max_sentences=3,
        references="single",
        family="minimal",
        within_hits=2,
    )
    assert describe(settings) == (
        "ROUGE-1 recall, no stems, stop words left out, language en, at most 1,000 words and 3 "
        "sentences, each reference alone, minimal sets only, within 2 hits of the best"
    )
