"""REALSumm's pickles are joined with their articles, and no code of a pickle is ever run."""

from __future__ import annotations

import io
import os
import pickle
import struct
import sys
import tracemalloc
import zipfile
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from oraclesum import InputError, RecordError, open_corpus
from oraclesum.corpora.realsumm import load_plain

REFERENCES = ["<t> Two rivers rose . </t> <t> -LSB- One -RSB- fell . </t>", "<t> It rained . </t>"]


def make_document(i: int, reference: str, score: Any = 0.5) -> dict[str, Any]:
    summary = {"system_summary": f"<t> summary {i} . </t> <t> end . </t>"}
    return {
        "doc_id": i,
        "ref_summ": reference,
        "system_summaries": {
            "t5_out_base.txt": {**summary, "scores": {"litepyramid_recall": score, "js-2": 0.25}}
        },
    }


def write_scores(folder: Path, scores: Any, *, references: bool = True, protocol: int = 4) -> Path:
    folder.mkdir(exist_ok=True)
    articles = folder / "articles"
    articles.mkdir()
    (articles / "src.txt").write_text(
        "<t> it rained . a lot . </t>\n<t> two . </t> <t> rose </t>\n"
    )
    if references:
        lines = ["It rained.", "Two rivers rose. [ One ] fell."]
        (articles / "ref.txt").write_text("\n".join(lines) + "\n")
    path = folder / "abs.pkl"
    path.write_bytes(pickle.dumps(scores, protocol=protocol))
    return path


def read(path: Path) -> list[Any]:
    return list(open_corpus([path, path.parent / "articles"]))


@pytest.mark.parametrize(
    ("damaged", "errors"), [(b"rivers rose. [", 2), (b"a lot", 2), (b"summary 0", 1)]
)
def test_a_file_of_an_archive_that_cannot_be_read_is_named_and_no_article_is_guessed(
    damaged: bytes, errors: int, tmp_path: Path
) -> None:
    scores = {i: make_document(i, text) for i, text in enumerate(REFERENCES)}
    path = write_scores(tmp_path, scores)
    with zipfile.ZipFile(tmp_path / "in.zip", "w") as archive:
        for file in (path, *sorted((tmp_path / "articles").iterdir())):
            archive.write(file, file.relative_to(tmp_path))
    data = bytearray((tmp_path / "in.zip").read_bytes())
    data[data.index(damaged)] ^= 1
    (tmp_path / "in.zip").write_bytes(data)
    found = list(open_corpus(tmp_path / "in.zip", format="realsumm"))
    assert [type(item) for item in found] == [RecordError] * errors
    assert "cannot be read: Bad CRC-32" in str(found[0])


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_documents_are_joined_with_the_article_whose_reference_they_have(
    protocol: int, tmp_path: Path
) -> None:
    scores = {i: make_document(i, text) for i, text in enumerate(REFERENCES)}
    first, second = read(write_scores(tmp_path, scores, protocol=protocol))
    assert (first.id, first.sentences) == ("0", ("two .", "rose"))  # the other way round
    assert (second.id, second.text) == ("1", "it rained . a lot .")
    assert first.references == (("Two rivers rose .", "-LSB- One -RSB- fell ."),)
    assert second.references == ("It rained .",)
    assert first.systems == {"t5_out_base": ("summary 0 .", "end .")}
    assert first.human == {"t5_out_base": {"litepyramid_recall": 0.5}}
    assert first.measures == {"t5_out_base": {"js-2": 0.25}}


@pytest.mark.parametrize("name", ["src.txt", "ref.txt"])
def test_articles_of_utf_16_that_are_cut_off_are_an_error(name: str, tmp_path: Path) -> None:
    scores = {i: make_document(i, text) for i, text in enumerate(REFERENCES)}
    path = write_scores(tmp_path, scores)
    cut = tmp_path / "articles" / name
    cut.write_bytes(cut.read_text().encode("utf-16")[:-1])
    first, second = read(path)
    assert (first.file, "UTF-16" in first.reason) == (str(cut), True)
    assert second.file == str(path)


def test_without_references_beside_the_articles_the_number_of_a_document_is_its_line(
    tmp_path: Path,
) -> None:
    scores = {i: make_document(i, text) for i, text in enumerate(REFERENCES)}
    first, second = read(write_scores(tmp_path, scores, references=False))
    assert first.text == "it rained . a lot ."
    assert second.sentences == ("two .", "rose")


def test_a_document_whose_article_is_not_there_is_an_error_of_its_own(tmp_path: Path) -> None:
    scores = {0: make_document(0, "<t> Nothing of it . </t>"), 1: make_document(1, REFERENCES[1])}
    error, topic = read(write_scores(tmp_path, scores))
    assert isinstance(error, RecordError)
    assert "no article has this reference beside it" in str(error)
    assert topic.id == "1"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"ref_summ": None}, "text is a NoneType"),
        ({"system_summaries": []}, "'system_summaries' is a list"),
        ({"system_summaries": {"a": None}}, "a NoneType stands where 'system_summary'"),
        ({"system_summaries": {"a": {"scores": {}}}}, "'system_summary' is missing"),
        ({"system_summaries": {"a": {"system_summary": "A ."}}}, "'scores' is missing"),
        ({"system_summaries": {"a": {"system_summary": "A .", "scores": 1}}}, "'scores' is a int"),
    ],
)
def test_what_is_missing_in_a_document_is_named(
    change: dict[str, Any], reason: str, tmp_path: Path
) -> None:
    broken = make_document(1, REFERENCES[1]) | change
    topic, error = read(write_scores(tmp_path, {0: make_document(0, REFERENCES[0]), 1: broken}))
    assert topic.id == "0"
    assert f"}}}}}}: {reason}" in error.reason


def test_two_systems_of_one_name_are_an_error_of_their_document(tmp_path: Path) -> None:
    doubled = make_document(0, REFERENCES[0])
    one = doubled["system_summaries"]["t5_out_base.txt"]
    doubled["system_summaries"] = {"a": one, "a.txt": {**one, "system_summary": "Other ."}}
    error, topic = read(write_scores(tmp_path, {0: doubled, 1: make_document(1, REFERENCES[1])}))
    assert isinstance(error, RecordError)
    assert error.reason == "two systems are called 'a', with or without .txt"
    assert topic.id == "1"


def test_a_document_of_another_shape_is_an_error_of_its_own(tmp_path: Path) -> None:
    broken = make_document(0, REFERENCES[0]) | {"ref_summ": 5}
    errors = read(write_scores(tmp_path, {0: broken, 1: make_document(1, REFERENCES[1])}))
    assert ": text is a int" in str(errors[0])
    assert errors[1].id == "1"


def test_a_score_that_no_double_has_costs_no_document(tmp_path: Path) -> None:
    scores = {0: make_document(0, REFERENCES[0], 10**400), 1: make_document(1, REFERENCES[1])}
    first, second = read(write_scores(tmp_path, scores))
    (flaw,) = first.flaws
    where = "human['t5_out_base']['litepyramid_recall']"
    assert flaw.reason == f"{where} must be a finite number, at most 1.8e308"
    assert second.human == {"t5_out_base": {"litepyramid_recall": 0.5}}


def test_a_document_whose_name_has_too_many_digits_is_an_error_of_its_own(tmp_path: Path) -> None:
    documents = {10**5000: make_document(0, REFERENCES[0]), 1: make_document(1, REFERENCES[1])}
    path = write_scores(tmp_path, documents)
    digits = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(4300)  # the command sets none
    try:
        error, topic = read(path)
    finally:
        sys.set_int_max_str_digits(digits)
    assert "the document's name cannot be written as text" in str(error)
    assert "a name is a whole number of more than 64 bits" in str(error)
    assert topic.id == "1"


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("<t> a </t><t>b</t> c", ("a", "b")),
        ("</t> a <t> b <t> c </t> </t> <t> d\n</t> <t> e", ("b <t> c", "d")),
        ("<t> a </t>", "a"),
        ("a", "a"),
        # A time that grows with the square of the length would be hours.
        ("<t> " * 500_000, ("<t> " * 500_000).strip()),
    ],
    ids=["two", "marks that are not paired", "one", "none", "many marks"],
)
def test_sentences_are_what_stands_between_marks(text: str, sentences: Any, tmp_path: Path) -> None:
    document = make_document(1, REFERENCES[1])
    document["system_summaries"]["t5_out_base.txt"]["system_summary"] = text
    (topic,) = read(write_scores(tmp_path, {1: document}))
    assert topic.systems == {"t5_out_base": sentences}


def test_without_the_articles_it_is_said_where_they_are(tmp_path: Path) -> None:
    path = write_scores(tmp_path, {0: make_document(0, REFERENCES[0])})
    with pytest.raises(InputError, match=r"ptr_generator/src\.txt: give that folder by also"):
        open_corpus(path)


def test_several_pickles_are_not_mixed(tmp_path: Path) -> None:
    write_scores(tmp_path, {0: make_document(0, REFERENCES[0])})
    (tmp_path / "ext.pkl").write_bytes((tmp_path / "abs.pkl").read_bytes())
    with pytest.raises(InputError, match=r"several pickles .*abs\.pkl, .*ext\.pkl"):
        open_corpus(tmp_path)


def test_articles_and_references_that_do_not_go_together_are_refused(tmp_path: Path) -> None:
    path = write_scores(tmp_path, {0: make_document(0, REFERENCES[0])})
    (tmp_path / "articles" / "ref.txt").write_text("one line\n")
    with pytest.raises(InputError, match=r"src.txt has 2 lines and ref.txt beside it 1"):
        open_corpus([path, tmp_path / "articles"])


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize(
    "number",
    [np.float64(0.1), np.float32(0.5), np.int64(-7), np.uint8(200), np.bool_(True), np.float16(2)],
)
def test_numbers_of_numpy_are_numbers(number: Any, protocol: int) -> None:
    found = load_plain(pickle.dumps([number], protocol=protocol), "a.pkl")
    assert found == [number.item()]
    assert type(found[0]) in (int, float, bool)


def test_numbers_of_any_byte_order_are_read() -> None:
    number = np.array([3.5], dtype=">f8")[0]
    assert load_plain(pickle.dumps(number), "a.pkl") == 3.5


class Evil:
    """Makes a folder when it is unpickled."""

    def __init__(self, path: str) -> None:
        self.path = path

    def __reduce__(self) -> Any:
        return os.mkdir, (self.path,)


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_pickle_that_would_run_code_is_refused_by_name(protocol: int, tmp_path: Path) -> None:
    target = tmp_path / "made"
    path = tmp_path / "abs.pkl"
    path.write_bytes(pickle.dumps({0: Evil(str(target))}, protocol=protocol))
    with pytest.raises(InputError, match=r"asks for posix\.mkdir, which is refused"):
        open_corpus(path)
    assert not target.exists()
    pickle.loads(path.read_bytes())  # it would have
    assert target.exists()


class Persistent(pickle.Pickler):
    def persistent_id(self, obj: Any) -> Any:
        return "x" if obj == "y" else None


def make_persistent() -> bytes:
    out = io.BytesIO()
    Persistent(out).dump(["y"])
    return out.getvalue()


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (pickle.dumps(OrderedDict(a=1)), r"asks for collections\.OrderedDict"),
        (
            pickle.dumps(np.zeros(3)),
            r"asks for numpy\.\S*_reconstruct|asks for numpy\.\S*_frombuffer",
        ),
        (pickle.dumps(np.array(["a"])[0]), "asks for a numpy value of the kind 'U1'"),
        (pickle.dumps(np.datetime64("2020-01-01")), "asks for a numpy value of the kind"),
        (make_persistent(), "asks for a persistent object"),
        (b"cnumpy\ncore.multiarray.scalar\n.", "asks for"),
        (b"\x80\x04\x8c\x08builtins\x8c\x04eval\x93\x8c\x01x\x85R.", r"asks for builtins\.eval"),
        (b"", "is no readable pickle: EOFError"),
        (b"PK\x03\x04", "is no readable pickle"),
        (pickle.dumps({"a": 1})[:-3], "is no readable pickle"),
        (b"\x80\x04\x8e\xff\xff\xff\xff\xff\xff\xff\x7f.", "is no readable pickle"),
    ],
)
def test_anything_else_in_a_pickle_is_refused(data: bytes, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        load_plain(data, "a.pkl")


@pytest.mark.parametrize("content", [[1], {"a": 1}, {}, "text", {0: {"text": "a"}}])
def test_a_pickle_of_something_else_says_what_is_expected(content: Any, tmp_path: Path) -> None:
    (tmp_path / "abs.pkl").write_bytes(pickle.dumps(content))
    with pytest.raises(InputError, match=r"not REALSumm's scores, .*; save it as JSON"):
        open_corpus(tmp_path / "abs.pkl")


def test_a_pickle_beside_a_table_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "a_cache.pkl").write_bytes(b"")
    (tmp_path / "b.csv").write_text("article,highlights\nIt rained.,It rained.\n")
    (topic,) = open_corpus(tmp_path)
    assert topic.text == "It rained."


@contextmanager
def bounded_memory(most: int) -> Iterator[None]:
    """Fails if the block takes more than `most` bytes, whether it keeps them or not."""
    tracemalloc.start()
    try:
        yield
        assert tracemalloc.get_traced_memory()[1] <= most
    finally:
        tracemalloc.stop()


MANY = 10_000_000  # pointers of 8 bytes


@pytest.mark.parametrize(
    "put", [b"r" + struct.pack("<I", MANY), b"p%d\n" % MANY], ids=["LONG_BINPUT", "PUT"]
)
def test_an_entry_that_no_pickle_of_this_size_has_is_refused(put: bytes) -> None:
    with bounded_memory(MANY), pytest.raises(InputError, match=r"a\.pkl: .* names entry 10000000"):
        load_plain(b"\x80\x02}" + put + b".", "a.pkl")


def test_what_stands_behind_instructions_that_cannot_be_read_is_not_done() -> None:
    put = b"r" + struct.pack("<I", MANY)
    with bounded_memory(MANY), pytest.raises(InputError, match=r"a\.pkl: is no readable pickle"):
        load_plain(b"\x80\x02I0x1\n" + put + b".", "a.pkl")  # a number that Python reads


def test_text_that_is_not_there_takes_no_memory() -> None:
    announced = b"\x80\x05\x96" + struct.pack("<Q", MANY) + b"text"
    with bounded_memory(MANY // 2), pytest.raises(InputError, match="is no readable pickle"):
        load_plain(announced, "a.pkl")


def test_bytes_made_of_one_text_over_and_over_are_refused() -> None:
    text = b"a" * 500_000
    strings = b"X" + struct.pack("<I", len(text)) + text + b"q\x01X\x06\x00\x00\x00latin1q\x02"
    data = (
        b"\x80\x02c_codecs\nencode\nq\x00" + strings + b"](" + b"h\x00h\x01h\x02\x86R" * 100 + b"e."
    )
    with bounded_memory(10_000_000), pytest.raises(InputError, match="is no readable pickle"):
        load_plain(data, "a.pkl")
    assert load_plain(pickle.dumps([text] * 100, protocol=2), "a.pkl") == [text] * 100


def share_parts() -> frozenset[Any]:
    """A value that is short to store and long to write: every part is in it twice."""
    shared: frozenset[Any] = frozenset()
    for _ in range(16):
        shared = frozenset([shared, (shared,)])
    return shared


TWICE = b"2\x86"  # a tuple that has the thing before it in it twice


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"}", b"K\x05s"),
        (b"}(", b"K\x05u"),
        (b"(", b"K\x05d"),
        (b"\x8f(", b"\x90"),
        (b"(", b"\x91"),
    ],
    ids=["SETITEM", "SETITEMS", "DICT", "ADDITEMS", "FROZENSET"],
)
def test_a_key_of_shared_parts_is_not_hashed(before: bytes, after: bytes) -> None:
    # To hash it would take longer than the world has been there.
    found = load_plain(b"\x80\x04" + before + b"K\x01" + TWICE * 60 + after + b".", "a.pkl")
    (key,) = found
    assert key.kind == "a tuple"


def test_scores_that_are_pairs_in_a_list_are_none(tmp_path: Path) -> None:
    key: Any = 1
    for _ in range(60):
        key = (key, key)
    broken = make_document(0, REFERENCES[0])
    broken["system_summaries"]["t5_out_base.txt"]["scores"] = [(key, 0.5)]
    error, topic = read(write_scores(tmp_path, {0: broken, 1: make_document(1, REFERENCES[1])}))
    assert "no document of REALSumm" in str(error)
    assert topic.id == "1"


def test_keys_that_share_one_hash_are_not_kept_by_it() -> None:
    numbers = [k * (2**61 - 1) for k in range(1, 30)]
    found = load_plain(pickle.dumps(dict.fromkeys(numbers, 1)), "a.pkl")
    assert [key for key in found if isinstance(key, int)] == numbers[:8]
    assert len(found) == len(numbers)


def test_a_pickle_cannot_change_the_functions_that_read_it() -> None:
    changed = b"\x80\x02cnumpy\ndtype\nN}X\x08\x00\x00\x00__init__K\x05s\x86b."
    with pytest.raises(InputError, match="a state of something that has none, which is refused"):
        load_plain(changed, "a.pkl")


@pytest.mark.parametrize("place", ["document", "system", "score"])
def test_a_name_of_shared_parts_is_an_error_of_its_own(place: str, tmp_path: Path) -> None:
    name, broken = share_parts(), make_document(0, REFERENCES[0])
    system = broken["system_summaries"]["t5_out_base.txt"]
    if place == "system":
        broken["system_summaries"][name] = system
    elif place == "score":
        system["scores"][name] = 0.5
    documents = {name if place == "document" else 0: broken, 1: make_document(1, REFERENCES[1])}
    error, topic = read(write_scores(tmp_path, documents))
    assert "a name is a frozenset" in str(error)
    assert topic.id == "1"


def test_a_score_of_shared_parts_costs_no_document(tmp_path: Path) -> None:
    score: Any = 0.5
    for _ in range(10):
        score = [score] * 4
    scores = {0: make_document(0, REFERENCES[0], score), 1: make_document(1, REFERENCES[1])}
    path = write_scores(tmp_path, scores)
    with bounded_memory(10_000_000):
        first, second = read(path)
    (flaw,) = first.flaws
    where = "human['t5_out_base']['litepyramid_recall']"
    assert flaw.reason == f"{where} must be a number, not a list"
    assert second.human == {"t5_out_base": {"litepyramid_recall": 0.5}}


def test_summaries_that_share_one_long_text_are_refused(tmp_path: Path) -> None:
    text = "<t> a . </t> " * 20_000
    system = {"system_summary": text, "scores": {}}
    document = make_document(0, REFERENCES[0])
    document["system_summaries"] = {f"s{i}": system for i in range(200)}
    path = write_scores(tmp_path, {0: document, 1: make_document(1, REFERENCES[1])})
    with bounded_memory(60_000_000):
        error, topic = read(path)
    assert "stored once and named often" in str(error)
    assert topic.id == "1"


def test_short_summaries_may_be_the_same_object(tmp_path: Path) -> None:
    system = {"system_summary": "<t> a . </t> <t> b . </t>", "scores": {"litepyramid_recall": 1.0}}
    document = make_document(1, REFERENCES[1])
    document["system_summaries"] = {f"s{i}": system for i in range(100)}
    (topic,) = read(write_scores(tmp_path, {1: document}))
    assert len(topic.systems) == 100


@pytest.mark.parametrize("place", ["document", "system", "score"])
def test_a_name_with_half_of_a_surrogate_pair_costs_its_own_document(
    place: str, tmp_path: Path
) -> None:
    broken = make_document(0, REFERENCES[0])
    system = broken["system_summaries"]["t5_out_base.txt"]
    if place == "system":
        broken["system_summaries"]["\ud800"] = system
    elif place == "score":
        system["scores"]["\ud800"] = 0.5
    documents = {"\ud800" if place == "document" else 0: broken}
    error, topic = read(write_scores(tmp_path, {**documents, 1: make_document(1, REFERENCES[1])}))
    assert isinstance(error, RecordError)
    assert "half of a surrogate pair" in error.reason
    assert topic.id == "1"


def test_what_follows_a_pickle_is_an_error(tmp_path: Path) -> None:
    path = write_scores(tmp_path, {1: make_document(1, REFERENCES[1])})
    size = path.stat().st_size
    path.write_bytes(path.read_bytes() * 2)
    with pytest.raises(InputError, match=f"something follows the pickle, .* byte {size}"):
        read(path)


def test_long_references_are_compared_in_linear_time(tmp_path: Path) -> None:
    words = [f"w{number}" for number in range(300_000)]
    path = write_scores(tmp_path / "in", {0: make_document(0, " ".join(words))})
    references = path.parent / "articles" / "ref.txt"
    references.write_text(f"{' '.join(words[1:])}\n{' , '.join(words)}\n")
    [topic] = read(path)
    assert topic.sentences == ("two .", "rose")
    references.write_text(f"{' '.join(words[1:])}\n{' '.join(words[:-1])}\n")
    [error] = read(path)
    assert isinstance(error, RecordError)
    assert "no article has this reference" in error.reason
