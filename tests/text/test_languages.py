"""Languages other than English, tokenizers, advice about lost tokens, and sentence splitting."""

from __future__ import annotations

import pickle
import re
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.corpus import call, jsonl, records
from oraclesum.errors import InputError, MissingExtraError
from oraclesum.text import (
    Analyser,
    Numbering,
    explain_no_tokens,
    find_language,
    list_languages,
    split_sentences,
    splitter_setting,
)


@pytest.mark.parametrize("name", ["fr", "FR", "french", "French", "fr-CA", "fr_FR", " fr "])
def test_a_language_goes_by_code_tag_or_name(name: str) -> None:
    assert find_language(name).code == "fr"
    assert Analyser(language=name) == Analyser(language="fr")


@pytest.mark.parametrize("name", ["en", "english", "en-US", "EN"])
def test_every_name_of_english_is_native(name: str) -> None:
    assert Analyser(language=name).native


@pytest.mark.parametrize("name", ["frech", "", "e", "12", "en glish", 5, None])
def test_an_unknown_language_is_refused(name: str) -> None:
    with pytest.raises(InputError, match="language"):
        find_language(name)


def test_every_listed_language_can_be_stemmed() -> None:
    for code in list_languages():
        assert Analyser(language=code).tokens("abc 12")[1] == "12"


def test_french_words_are_unicode_words_with_snowball_stems() -> None:
    text = "L'\u00e9t\u00e9, les CH\u00c2TEAUX \u00e9taient tr\u00e8s continus."
    plain = Analyser(language="fr", stem=False).tokens(text)
    assert plain == [
        "l",
        "\u00e9t\u00e9",
        "les",
        "ch\u00e2teaux",
        "\u00e9taient",
        "tr\u00e8s",
        "continus",
    ]
    assert Analyser(language="fr").tokens("Maisons maison") == ["maison", "maison"]


def test_composed_and_decomposed_text_give_the_same_words() -> None:
    french = Analyser(language="fr")
    assert french.tokens("\u00e9t\u00e9") == french.tokens("e\u0301te\u0301")


def test_marks_stay_inside_words() -> None:
    assert Analyser(language="hi", stem=False).tokens("हिन्दी भाषा") == ["हिन्दी", "भाषा"]


def test_soft_hyphens_and_joiners_do_not_split_words_but_a_zero_width_space_does() -> None:
    german = Analyser(language="de", stem=False)
    assert german.tokens("Wort\u00adteil a\u200bb c\u200dd") == ["wortteil", "a", "b", "cd"]


def test_turkish_keeps_its_two_letters_i_apart() -> None:
    assert Analyser(language="tr", stem=False).tokens("I\u0130 \u0130I") == ["\u0131i", "i\u0131"]


def test_chinese_and_japanese_characters_are_words() -> None:
    chinese = Analyser(language="zh", stem=False)
    assert chinese.tokens("\u4f60\u597d, NBA 2024\u5e74") == [
        "\u4f60",
        "\u597d",
        "nba",
        "2024",
        "\u5e74",
    ]
    japanese = Analyser(language="ja", stem=False)
    assert japanese.tokens("\u30c6\u30ec\u30d3\u3092") == ["\u30c6", "\u30ec", "\u30d3", "\u3092"]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"language": "zh"}, "no stemmer for chinese: use stem=False"),
        ({"language": "ko"}, "no stemmer for korean: use stem=False"),
        ({"language": "xx"}, "no stemmer for xx: use stem=False"),
        ({"language": "th", "stem": True}, "no stemmer for thai"),
        ({"language": "fr", "remove_stopwords": True}, "no stop list for french"),
        ({"tokenizer": 5}, "tokenizer must be a callable"),
        ({"tokenizer": str.split, "remove_stopwords": True}, "does not go with a tokenizer"),
        ({"stem": 1}, "stem must be True or False"),
    ],
)
def test_what_cannot_be_done_is_refused_with_what_to_set(
    settings: dict[str, object], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        Analyser(**settings)  # type: ignore[arg-type]


def test_a_tokenizer_gives_the_tokens_as_they_are() -> None:
    assert Analyser(tokenizer=str.split).tokens("Running the Dogs'") == ["Running", "the", "Dogs'"]
    assert Analyser(tokenizer=lambda text: [len(text), "x"]).tokens("abc") == [3, "x"]


@pytest.mark.parametrize("answer", ["one str", None, 5, [[]], [{}]])
def test_a_tokenizer_that_gives_no_list_of_tokens_is_reported(answer: object) -> None:
    with pytest.raises(InputError, match="the tokenizer"):
        Analyser(tokenizer=lambda text: answer).tokens("abc")  # type: ignore[arg-type,return-value]


def test_analysers_can_be_pickled() -> None:
    for analyser in (Analyser(), Analyser(language="fr"), Analyser(tokenizer=str.split)):
        assert pickle.loads(pickle.dumps(analyser)) == analyser


@given(st.lists(st.text(max_size=2), max_size=8))
def test_equal_tokens_get_equal_numbers(tokens: list[str]) -> None:
    numbers = Numbering().number(tokens)
    assert [tokens.index(token) for token in tokens] == [numbers.index(i) for i in numbers]


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ("\u0393\u03b5\u03b9\u03b1 \u03c3\u03bf\u03c5", "use language='el'"),
        ("\u041f\u0440\u0438\u0432\u0435\u0442", "use language='ru'"),
        ("\u4f60\u597d", "language='zh' .* with stem=False"),
        ("\uc548\ub155", "language='ko' with stem=False"),
        ("\u0e2a\u0e27\u0e31\u0e2a\u0e14\u0e35", "use language='th' with stem=False"),
        ("\u10d2\u10d0\u10db\u10d0\u10e0", "use language for the language"),
        (" \n", "is empty"),
        ("\u2014 \u2026", "no letter and no digit"),
    ],
)
def test_lost_tokens_are_explained_with_what_to_set(text: str, advice: str) -> None:
    analyser = Analyser()
    assert analyser.count_tokens([text]) == [0]
    assert re.search(advice, explain_no_tokens(text, analyser))


def test_advice_about_greek_works_when_followed() -> None:
    assert Analyser(language="el").count_tokens(
        ["\u0393\u03b5\u03b9\u03b1 \u03c3\u03bf\u03c5"]
    ) == [2]


def test_lost_stop_words_and_empty_tokenizers_are_explained() -> None:
    assert "remove_stopwords=False" in explain_no_tokens("the of", Analyser(remove_stopwords=True))
    assert "tokenizer" in explain_no_tokens("the of", Analyser(tokenizer=lambda text: []))


def test_thai_letters_are_words_together_with_their_marks() -> None:
    thai = Analyser(language="th", stem=False)
    assert thai.tokens("\u0e01\u0e34\u0e19 5") == ["\u0e01\u0e34", "\u0e19", "5"]
    assert dict(thai.settings)["tok"].startswith("unicode-characters-")


def test_text_is_split_into_sentences() -> None:
    assert split_sentences("Dr. Smith went home.  He slept.\n\nNew part") == [
        "Dr. Smith went home.",
        "He slept.",
        "New part",
    ]
    assert split_sentences("\u4f60\u597d\u3002\u4e16\u754c\u3002", "zh") == [
        "\u4f60\u597d\u3002",
        "\u4e16\u754c\u3002",
    ]
    assert split_sentences(" \n ") == []
    assert splitter_setting()[1].startswith("nupunkt-")
    assert splitter_setting("fr")[1].startswith("sentencex-")


def test_what_cannot_be_split_is_refused() -> None:
    with pytest.raises(InputError, match="must be a str"):
        split_sentences(5)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="not valid Unicode"):
        split_sentences("a\ud800b. C.")


KOREAN = "장관은 봄에 갔다. NBA 2024"


@pytest.mark.parametrize(
    ("language", "tokenizer", "text", "words"),
    [
        ("zh", "icu", "部长周二表示\uff0cNBA 2024年。", "部长 周二 表示 nba 2024 年"),
        ("zh", "characters", "部长\uff0cNBA", "部 长 nba"),
        ("zh", "words", "部长 周二 表示。", "部长 周二 表示"),
        ("ja", "icu", "テレビを見た。新しい橋", "テレビ を 見 た 新しい 橋"),
        ("th", "icu", "รัฐมนตรีกล่าวเมื่อวันอังคาร", "รัฐมนตรี กล่าว เมื่อ วัน อังคาร"),
        ("lo", "icu", "ຂ້ອຍຮັກເຈົ້າ", "ຂ້ອຍ ຮັກ ເຈົ້າ"),
        ("km", "icu", "ខ្ញុំស្រឡាញ់អ្នក", "ខ្ញុំ ស្រឡាញ់ អ្នក"),
        ("my", "icu", "မင်းကိုချစ်တယ်", "မင်း ကို ချစ် တယ်"),
        ("ko", None, KOREAN, "장관은 봄에 갔다 nba 2024"),
        ("ko", "words", KOREAN, "장관은 봄에 갔다 nba 2024"),
        ("ko", "characters", KOREAN, "장 관 은 봄 에 갔 다 nba 2024"),
        ("de", "words", "Br\u00fccke, auf", "br\u00fccke auf"),
        ("en", "icu", "It's raining.", "it s raining"),
    ],
)
def test_words_are_told_apart_as_asked(
    language: str, tokenizer: str | None, text: str, words: str
) -> None:
    analyser = Analyser(language=language, stem=False, tokenizer=tokenizer)
    assert list(analyser.tokens(text)) == words.split()
    assert analyser.count_tokens([text]) == [len(words.split())]


def test_the_signature_names_what_tells_words_apart_and_its_version() -> None:
    import icu4py

    tokens = dict(Analyser(language="ja", stem=False, tokenizer="icu").settings)
    assert tokens["tok"] == f"icu-{icu4py.icu_version}"
    plain = Analyser(language="zh", stem=False).settings
    assert Analyser(language="zh", stem=False, tokenizer="characters").settings == plain
    assert dict(Analyser(tokenizer="icu").settings)["tok"] == "rouge-1.5.5"


def test_korean_morphemes_are_those_of_kiwi() -> None:
    kiwi = pytest.importorskip("kiwipiepy", reason="100 MB, and not among the test dependencies")
    analyser = Analyser(language="ko", stem=False, tokenizer="kiwi")
    assert analyser.tokens("장관은 봄에 갔다.") == ["장관", "은", "봄", "에", "가", "었", "다"]
    assert analyser.tokens("a\ud800b") == ["a", "b"]
    assert dict(analyser.settings)["tok"].startswith(f"kiwi-{kiwi.__version__}-model-")


@pytest.mark.parametrize("language", ["zh", "ja", "th", "lo", "km", "my"])
@given(text=st.text(st.characters(codec=None), max_size=40))
def test_words_of_icu_lose_no_letter_whatever_the_text(language: str, text: str) -> None:
    icu = Analyser(language=language, stem=False, tokenizer="icu")
    words = Analyser(language=language, stem=False, tokenizer="words")
    assert "".join(map(str, icu.tokens(text))) == "".join(map(str, words.tokens(text)))


@pytest.mark.parametrize(
    ("language", "tokenizer", "message"),
    [
        ("de", "icu", "icu is for japanese, .*chinese, not german: leave tokenizer out"),
        ("ko", "icu", "icu is for .*, not korean"),
        ("fr", "characters", "characters is for korean, not french"),
    ],
)
def test_a_way_that_a_language_does_not_have_is_refused(
    language: str, tokenizer: str, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        Analyser(language=language, stem=False, tokenizer=tokenizer)
    with pytest.raises(InputError, match="no stemmer for chinese: use stem=False"):
        Analyser(language="zh", tokenizer="characters")


@pytest.mark.parametrize(
    ("language", "tokenizer", "package", "extra"),
    [("zh", "icu", "icu4py", "languages"), ("ko", "kiwi", "kiwipiepy", "korean")],
)
def test_without_the_library_of_words_the_extra_is_named(
    language: str, tokenizer: str, package: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtraError, match=rf"oraclesum\[{extra}\]") as raised:
        Analyser(language=language, stem=False, tokenizer=tokenizer)
    sent = pickle.loads(pickle.dumps(raised.value))  # as between processes
    assert (str(sent), sent.extra) == (str(raised.value), extra)


def test_each_record_has_the_words_of_its_language() -> None:
    rows = [
        {"id": "zh", "language": "zh", "sentences": ["部长周二表示"], "references": ["部长表示"]},
        {"id": "fr", "language": "fr", "sentences": ["Un pont"], "references": ["Un pont"]},
        {"id": "en", "sentences": ["A bridge"], "references": ["A bridge"]},
    ]
    options = ("--rouge", "1", "--max-sentences", "1", "--no-stem", "--tokens", "icu")
    done = call("enumerate", "-", *options, data=jsonl(*rows))
    assert done.exit_code == 0, done.stderr
    tokens = [record["signature"].partition("|tok:")[2] for record in records(done.stdout)]
    assert [one.partition("-")[0] for one in tokens] == ["icu", "unicode", "rouge"]
    assert [record["total"] for record in records(done.stdout)] == [2, 2, 2]
