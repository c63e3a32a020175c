"""Summary files in SEE, ISI, SPL, SUM and plain text, and source documents, file by file."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fixtures.conferences import AP, see, sum_tag
from oraclesum import split_sentences
from oraclesum.corpora.bad import BadFile
from oraclesum.corpora.documents import parse_document
from oraclesum.corpora.markup import decode, plain_text, split_paragraphs
from oraclesum.corpora.names import parse_name
from oraclesum.corpora.summaries import parse_extract, parse_marked, parse_summary


def summary(text: str | bytes, *, one_per_line: bool = False) -> tuple[str, ...]:
    data = text.encode() if isinstance(text, str) else text
    return parse_summary(data, split=split_sentences, one_per_line=one_per_line)


@pytest.mark.parametrize(
    "text",
    [
        see("t", "The river rose.", "It fell."),
        see("t", "The river rose.", "It fell.").replace("\n", "\r\n"),
        '<a size="3" name="1">[1]</a> <a href="#1" id=1>The river rose.</a>\n'
        '<a size="3" name="2">[2]</a> <a href="#2" id=2>It fell.</a>\n',
        '<S SNTNO="1">The river rose.</S>\n<S SNTNO="2a,3">It fell.</S>\n',
        "The river rose.\n\nIt fell.\n",
        "The river rose. It fell.",
        "The river\nrose. It\nfell.",
        sum_tag("d04", 100, "B", "The river\nrose. It fell."),
        '<s docid="AP1" num="4" wdcount="3"> The river rose.</s>\n'
        '<s docid="AP1" num="5" wdcount="2"> It fell.</s>\n',
        b"\xef\xbb\xbfThe river rose.\nIt fell.\n",
    ],
)
def test_one_summary_is_the_same_in_every_format(text: str | bytes) -> None:
    assert summary(text) == ("The river rose.", "It fell.")


@pytest.mark.parametrize("text", ["", "\n \n", see("empty"), "<html></html>"])
def test_an_empty_file_is_an_empty_summary(text: str) -> None:
    assert summary(text) == ()


def test_lines_are_kept_where_they_are_said_to_be_sentences() -> None:
    assert summary("a flood\ncame\nand went", one_per_line=True) == ("a flood", "came", "and went")
    assert summary("A flood came. It went.", one_per_line=True) == ("A flood came.", "It went.")


def test_latin_1_and_entities_are_decoded_and_bare_signs_stay() -> None:
    assert summary("Café & co.\n2 < 3.".encode("latin-1")) == ("Café & co.", "2 < 3.")
    assert summary(see("t", "Smith &amp; Sons &#38; more")) == ("Smith & Sons & more",)
    assert plain_text("B&notes &nosuch; AT&T") == "B&notes &nosuch; AT&T"


def test_attributes_on_many_lines_and_a_missing_bracket_are_read() -> None:
    broken = '<SUM\nDOCSET="d35"\nDOCREF="AP1\nAP2"\nSELECTOR="F"\n\nThe river rose.\n</SUM>\n'
    (marked,) = parse_marked(broken.encode())
    assert marked.text == "The river rose."
    assert marked.attributes == {"docset": "d35", "docref": "AP1\nAP2", "selector": "F"}


def test_a_sum_without_an_end_ends_where_the_next_begins() -> None:
    two = '<SUM DOCREF="a">First.\n<SUM DOCREF="b">Second.'
    assert [(m.attributes["docref"], m.text, m.line) for m in parse_marked(two.encode())] == [
        ("a", "First.", 1),
        ("b", "Second.", 2),
    ]


def test_an_extract_is_read_through_wrong_tags_and_broken_ids() -> None:
    text = (
        '<s docid="AP880818-\r\n0088" num="9" wdcount="3"> The price of <s>\n'
        '<s docid="X" num="1">B</s>'
    )
    assert [(e.document, e.number, e.text) for e in parse_extract(text.encode())] == [
        ("AP880818-0088", 9, "The price of"),
        ("X", 1, "B"),
    ]
    with pytest.raises(BadFile, match="without a number"):
        parse_extract(b'\n<s docid="X" num="">B</s>')


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("D30001.M.100.T.A", ("d30001", "A", "100", None)),
        ("D30001.M.100.T.65", ("d30001", "65", "100", None)),
        ("D061.P.100.J.1.AP880911-0016.html", ("d061", "1", "100", "AP880911-0016")),
        ("D30001.P.010.T.A.APW19981016.0240", ("d30001", "A", "10", "APW19981016.0240")),
        ("D0703-B.M.100.A.17", ("d0703-b", "17", "100", None)),
        ("D061.M.050.J.B.html", ("d061", "B", "50", None)),
        ("readme.txt", None),
        ("D30001.X.100.T.A", None),
    ],
)
def test_file_names_say_topic_peer_length_and_document(name: str, expected: object) -> None:
    parsed = parse_name(name)
    found = parsed and (parsed.topic, parsed.peer, parsed.length, parsed.document)
    assert found == expected


def test_an_id_over_two_lines_is_put_together() -> None:
    document = parse_document(AP.encode(), name="file", split=split_sentences)
    assert document.id == "AP880911-0016"


def test_a_document_without_an_id_has_the_name_of_its_file() -> None:
    document = parse_document(b"<TEXT>\nA b.\n</TEXT>", name="file", split=split_sentences)
    assert document.id == "file"


def test_text_without_an_end_and_annotations_are_cut_where_they_should() -> None:
    marked = (
        b"<DOC><TEXT>\nA flood came.\n<ANNOTATION>\nDo not read\n</ANNOTATION>\n</DOC>\n<X>no</X>"
    )
    document = parse_document(marked, name="x", split=split_sentences)
    assert [sentence.text for sentence in document.sentences] == ["A flood came."]


def test_indented_lines_begin_paragraphs_but_tables_stay_together() -> None:
    assert split_paragraphs("   One\ntwo.\n   Three.\n\n     4  5\n     6  7\nend") == [
        "One two.",
        "Three.",
        "4 5 6 7 end",
    ]


@given(st.binary(max_size=300))
def test_no_bytes_break_the_readers(data: bytes) -> None:
    """Whatever a file holds, it is read or refused as a bad file."""
    for reader in (summary, decode):
        with contextlib.suppress(BadFile):
            reader(data)
    with contextlib.suppress(BadFile):
        parse_document(data, name="x", split=str.splitlines)


TAGS = (
    "<TEXT> </TEXT> <s_docid=x_num=1> </s> <s> <LP> <DOC> </DOC> <GRAPHIC> </GRAPHIC> "
    "<SUM_a= > <a_id=1> </a> < & word. _"
)


@given(st.lists(st.sampled_from(TAGS.split(" ")), max_size=40))
def test_no_order_of_tags_breaks_the_readers(pieces: list[str]) -> None:
    text = "\n".join(pieces).replace("_", " ")
    for words in summary(text):
        assert words.strip()
    try:
        document = parse_document(text.encode(), name="x", split=str.splitlines)
    except BadFile:
        return
    assert all(sentence.text for sentence in document.sentences)
