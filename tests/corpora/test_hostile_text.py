"""Reading takes time in proportion to the size of a file, whatever mark-up it is made of."""

from __future__ import annotations

import sys
from contextlib import suppress

import pytest

from children import run_child
from oraclesum.corpora.bad import BadFile
from oraclesum.corpora.documents import parse_document
from oraclesum.corpora.gigaword import read_topic_file
from oraclesum.corpora.markup import plain_text, split_paragraphs
from oraclesum.corpora.summaries import parse_extract, parse_marked, parse_summary

# What is repeated, and what stands before and after it.
HOSTILE = {
    "comments": ("", "<!--", ""),
    "comments in a text": ("<DOC><TEXT>", "<!-- x ", "</TEXT></DOC>"),
    "numbers": ("", "<DOCNO>", ""),
    "ids": ("<DOC ", "id ", ">"),
    "blanks in a tag": ("<s ", " ", ""),
    "blanks in a sentence": ("<TEXT><s docid=1 num=1>", " ", "</TEXT>"),
    "documents in a tag": ("<s ", "docid ", ""),
    "an attribute": ("<TEXT><s docid=", "a", ">x</s></TEXT>"),
    "a number": ("<TEXT><s docid=a num=", "9", ">x</s></TEXT>"),
    "a long name": ("<TEXT><s docid num=1 ", "a", ">x</s></TEXT>"),
    "attributes": ("<SUM ", "a=b ", "x"),
    "quotes": ("<SUM ", 'a="', "x"),
    "heads": ("<html>", "<head ", ""),
    "anchors": ("<html>", "<a id ", ""),
    "an anchor": ("<html><a ", "id ", ""),
    "sizes": ("<a ", "size= ", ""),
    "blank lines": ("<TEXT>x", " ", "\nx</TEXT>"),
    "an indented line": ("<TEXT>", "    \t", "\nx</TEXT>"),
    "summaries": ("", "<SUM>\nx", ""),
    "sentences": ("<TEXT>", "<s docid=a num=1>\nx", "</TEXT>"),
    "units": ("", "<S SNTNO=1", ""),
    "parts": ('<topic id="D1101A">', "<docsetA><docsetb>", ""),
    "names": ('<topic id="D1101A"><docsetA>', '<doc id="', "</docsetA>"),
    "topics": ("", '<topic id="D1101A">\n', ""),
    "semicolons": ("<DOC><DOCNO>SJMN1</DOCNO><TEXT>", '.")  ', ";</TEXT>"),
    "dots": ("<TEXT>", ". ", "</TEXT>"),
    "entities": ("<TEXT>", "&a", "</TEXT>"),
    "brackets": ("<TEXT>", "<", "</TEXT>"),
    "closings": ("<TEXT>", "</p", "</TEXT>"),
}
SIZE = 500_000

PROGRAM = f"""
import sys
sys.path.insert(0, sys.argv[1])
from corpora.test_hostile_text import HOSTILE, read_all
for name, (before, piece, after) in HOSTILE.items():
    read_all((before + piece * ({SIZE} // len(piece)) + after).encode())
    print(name, flush=True)
"""


def read_all(data: bytes) -> None:
    """Give the data to every reader of mark-up."""
    readers = [
        lambda: parse_document(data, name="x", split=lambda text: [text]),
        lambda: parse_summary(data, split=lambda text: [text]),
        lambda: parse_marked(data),
        lambda: parse_extract(data),
        lambda: read_topic_file(data),
    ]
    for read in readers:
        with suppress(BadFile):
            read()


def test_no_mark_up_takes_more_than_its_share_of_time() -> None:
    tests = __file__.rpartition("/corpora/")[0]
    child = run_child(
        [sys.executable, "-c", PROGRAM, tests],
        seconds=600,  # it takes seconds; one quadratic pattern takes many minutes
        text=True,
    )
    assert child.stderr == ""
    assert child.stdout.splitlines() == list(HOSTILE)


def test_comments_and_heads_that_end_are_left_out_and_others_stay() -> None:
    assert plain_text("a<!-- b <!-- c -->d<!-- e") == "a d<!-- e"
    summary = b"<html><head>A title</head><body>Some <HEAD x>more</Head> text.</body></html>"
    assert parse_summary(summary, split=lambda text: [text]) == ("Some text.",)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("<DOC id=a><DOCNO> b </DOCNO><TEXT>x</TEXT></DOC>", "a"),
        ("<DOC><DOCNO> b\n1 </DOCNO><TEXT>x</TEXT></DOC>", "b1"),
        ("<DOCNO>b<DOC id='a'><TEXT>x</TEXT></DOC>", "a"),
        ("<DOC><TEXT>x</TEXT></DOC>", "file"),
    ],
)
def test_the_first_of_number_and_id_names_a_document(text: str, name: str) -> None:
    document = parse_document(text.encode(), name="file", split=lambda text: [text])
    assert document.id == name


@pytest.mark.parametrize(
    "tag", ["<s docid num=1>", "<s docid=a num=x>", "<s docid=a num=1234567890>"]
)
def test_a_sentence_of_an_extract_without_document_or_number_is_named(tag: str) -> None:
    with pytest.raises(BadFile, match="a sentence <s …>"):
        parse_extract(f"{tag}x</s>".encode())


def test_lines_are_counted_as_before() -> None:
    marked = parse_marked(b"\n\n<SUM>a\n</SUM>\n<SUM>b")
    assert [summary.line for summary in marked] == [3, 5]


def test_indented_lines_begin_a_paragraph_and_blank_ones_end_it() -> None:
    text = "a\nb\n   c\n   d\n \t\n\te\n  f"
    assert split_paragraphs(text) == ["a b", "c d", "e f"]
