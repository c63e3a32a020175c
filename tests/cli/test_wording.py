"""Messages name options, not Python settings."""

from __future__ import annotations

import pytest

from oraclesum.cli.closing import describe
from oraclesum.cli.settings import Settings
from oraclesum.cli.wording import name_options


@pytest.mark.parametrize(
    ("message", "worded"),
    [
        ("max_words must be at least 1", "--max-words must be at least 1"),
        (
            "set language='zh' (or 'ja') with stem=False",
            "set --language zh (or 'ja') with --no-stem",
        ),
        (
            "holds stop words only: set remove_stopwords=False",
            "holds stop words only: leave --remove-stopwords out",
        ),
        ("pass tokenizer= (a callable str -> list of tokens)", "pass a tokenizer from Python"),
        ("set tokenizer= (a callable str -> list of tokens)", "pass a tokenizer from Python"),
        (
            "no stemmer for xx: set stem=False, or pass tokenizer=",
            "no stemmer for xx: give --no-stem, or pass a tokenizer from Python",
        ),
        (
            "set language= to the language of the text, or tokenizer= (a callable)",
            "set --language to the language of the text, or pass a tokenizer from Python",
        ),
        ("set n to 3 or less", "set --rouge to 3 or less"),
    ],
)
def test_settings_are_named_as_options(message: str, worded: str) -> None:
    assert name_options(message) == worded


def test_the_settings_in_words() -> None:
    settings = Settings(
        rouge=1,
        stem=False,
        remove_stopwords=True,
        language="fr",
        max_words=1000,
        max_sentences=3,
        references="single",
        family="minimal",
        within_hits=2,
    )
    assert describe(settings) == (
        "ROUGE-1, no stems, stop words left out, language fr, at most 1,000 words and 3 sentences, "
        "each reference alone, minimal sets only, within 2 hits of the best"
    )
