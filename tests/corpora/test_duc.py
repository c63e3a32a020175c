"""Every year of DUC and TAC, packed as distributed and unpacked, with the odd cases of each."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

from fixtures import conferences, updates
from fixtures.trees import Tree, write_tree
from oraclesum import InputError, RecordError, Topic, split_sentences
from oraclesum.corpora import LAYOUTS, open_corpus
from oraclesum.corpora.bad import BadFile
from oraclesum.corpora.gigaword import pick_documents
from oraclesum.corpora.tables import average

YEARS: dict[str, Callable[[], Tree]] = {
    "duc2001": conferences.duc2001,
    "duc2002": conferences.duc2002,
    "duc2003": conferences.duc2003,
    "duc2004": conferences.duc2004,
    "duc2005": updates.duc2005,
    "duc2006": updates.duc2006,
    "duc2007": updates.duc2007,
    "tac2008": lambda: updates.tac(2008),
    "tac2009": lambda: updates.tac(2009),
    "tac2010": lambda: updates.tac(2010),
    "tac2011": lambda: updates.tac(2011),
}


def read(source: object, **options: object) -> dict[str, Topic]:
    """The topics of a corpus in which nothing is wrong."""
    topics: dict[str, Topic] = {}
    for item in open_corpus(source, split=split_sentences, **options):  # type: ignore[arg-type]
        assert isinstance(item, Topic), item
        topics[item.id] = item
    return topics


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "corpus"


@pytest.fixture(params=["packed", "unpacked"])
def write(request: pytest.FixtureRequest, folder: Path) -> Callable[[Tree], Path]:
    return lambda tree: write_tree(tree, folder, unpacked=request.param == "unpacked")


@pytest.mark.parametrize("key", YEARS)
def test_a_year_is_recognised_and_has_documents_references_systems_and_grades(
    key: str, write: Callable[[Tree], Path]
) -> None:
    topics = read(write(YEARS[key]()))
    assert topics == read(write(YEARS[key]()), format=key)
    for topic in topics.values():
        assert topic.sentences
        assert topic.doc_ids is not None
        assert len(topic.doc_ids) == len(topic.sentences)
        assert len(topic.reference_names) == len(topic.references) > 0
        assert max(topic.doc_ids) < len(topic.documents)
    assert any(topic.systems for topic in topics.values())
    assert any(topic.human for topic in topics.values())


def test_every_layout_has_a_fixture() -> None:
    assert set(YEARS) | {"duc2001-training", "duc2007-update"} == set(LAYOUTS)


def test_2001_reads_six_sources_leniently(write: Callable[[Tree], Path]) -> None:
    topic = read(write(conferences.duc2001()))["d04"]
    assert topic.sentences == (
        "The river rose on Monday, said R&D chief Ann Holm of Smith & Sons.",
        "Two bridges were closed.",
        "Nobody was hurt....",
        "Boats were moored.",
        "Language: Danish Article Type:BFN",
        "[Text] The ferry sank off Aarhus.",
        "The café in Malmö reopened.",
        "The harbour froze",
        "Ferries stopped.",
        "Trains ran & buses too.",
        'The mayor opened a "quiet" bridge',
        "The band played.",
        'It rained all "day."',
        "People stayed.",
        "A bakery burned in Lund.",
        "The owner said the oven was old.",
    )
    assert topic.doc_ids == (0, 0, 0, 0, 1, 1, 2, 3, 3, 3, 4, 4, 4, 4, 5, 5)
    assert [document.id for document in topic.documents] == [
        "AP880911-0016",
        "FBIS3-41815",  # its file is called FBIS-41815, and the editor's FBIS-41815~ is no document
        "FT923-5089",
        "LA081489-0025",
        "SJMN91-06165048",
        "WSJ891102-0161",
    ]
    assert topic.was_split


def test_2001_joins_original_and_duplicate_models_and_takes_the_letter_t_for_a_system(
    folder: Path,
) -> None:
    topic = read(write_tree(conferences.duc2001(), folder))["d04"]
    assert topic.reference_names == ("B", "C")
    assert set(topic.systems) == {"T", "1"}
    assert topic.human == {"T": {"coverage": 1.5}}  # the mean of the two units' 0 and 3


def test_a_length_chooses_models_systems_and_grades(folder: Path) -> None:
    write_tree(conferences.duc2001(), folder)
    topics = list(open_corpus(folder, split=split_sentences, length=50))
    short = next(item for item in topics if isinstance(item, Topic))
    assert short.references == (("The river rose.",),)
    assert short.systems == {"T": ("The river.",)}
    assert short.human == {"T": {"coverage": 4.0}}
    missing = [item for item in topics if isinstance(item, RecordError)]
    assert [error.record_id for error in missing] == ["d35"]
    with pytest.raises(InputError, match="50, 100, 200, 400, not 75"):
        open_corpus(folder, split=split_sentences, length=75)


def test_2001_training_sets_are_a_format_of_their_own(write: Callable[[Tree], Path]) -> None:
    topics = read(write(conferences.duc2001()), format="duc2001-training")
    assert list(topics) == ["d01"]
    assert topics["d01"].reference_names == ("C",)


def test_2001_single_documents_mend_misspelt_ids_and_a_missing_bracket(folder: Path) -> None:
    write_tree(conferences.duc2001(), folder)
    items = list(open_corpus(folder, split=split_sentences, task="single"))
    topics = {item.id: item for item in items if isinstance(item, Topic)}
    assert list(topics) == ["d04/AP880911-0016", "d04/LA081489-0025", "d35/AP880911-0016"]
    assert topics["d04/LA081489-0025"].references == (("The harbour froze.",),)
    assert topics["d35/AP880911-0016"].references[0][0] == "The river rose on Monday."
    assert topics["d04/AP880911-0016"].human == {"T": {"coverage": 2.0}}
    assert len(items) - len(topics) == 4  # documents of d04 that nobody summarised


def test_2002_candidates_are_the_sentences_under_text(folder: Path) -> None:
    topic = read(write_tree(conferences.duc2002(), folder))["d061"]
    assert topic.sentences == (
        "The river rose on Monday.",
        "Two bridges were closed.",
        "Prices fell & rose.",
        "Traders slept.",
    )
    first = topic.documents[0].sentences
    assert [(s.number, s.candidate) for s in first] == [(1, False), (2, True), (3, True)]
    assert not topic.was_split
    assert topic.reference_names == ("B", "I")
    assert topic.references[0] == tuple(split_sentences(conferences.RIVER))  # not the SEE copy
    assert topic.human["19"]["coverage"] == 0.4
    assert "Q8" not in topic.human["19"]  # a dash in the table


def test_2002_extracts_are_found_through_broken_and_misspelt_ids(folder: Path) -> None:
    write_tree(conferences.duc2002(), folder)
    items = list(open_corpus(folder, split=split_sentences, length="200e"))
    topic = next(item for item in items if isinstance(item, Topic))
    assert topic.references == (("The river rose on", "Traders slept.", "Market"),)
    assert topic.extracts == {"B": (0, 3)}  # the headline "Market" is no candidate


def test_2002_single_documents_have_peers_and_grades_of_their_own(folder: Path) -> None:
    write_tree(conferences.duc2002(), folder)
    items = list(open_corpus(folder, split=split_sentences, task="single"))
    topic = next(item for item in items if isinstance(item, Topic))
    assert topic.id == "d061/AP880428-0041"
    assert topic.systems == {"19": ("Bridges closed.",)}
    assert topic.human["19"]["coverage"] == 0.3


def test_2003_prefers_plain_models_and_reads_html_that_is_plain_text(folder: Path) -> None:
    topics = read(write_tree(conferences.duc2003(), folder))
    assert list(topics) == ["d30001"]  # task 1 has further clusters
    topic = topics["d30001"]
    assert topic.references == (
        ("The river rose on Monday.", "Two bridges were closed."),  # hard-wrapped in the file
        ("A flood came.", "It & left."),
    )
    assert topic.sentences is not None
    assert topic.sentences[-1] == "A map of the flood."  # a document with <GRAPHIC> only
    assert topic.systems == {
        "2": ("The river rose.",),
        "6": ("The mayor spoke.", "The river rose."),
    }
    assert topic.human["6"]["coverage"] == 0.25
    assert topic.human["A"]["length_adjusted_coverage"] == 0.1


def test_2004_cuts_peers_that_are_one_line_or_hard_wrapped(folder: Path) -> None:
    topics = read(write_tree(conferences.duc2004(), folder))
    assert list(topics) == ["d30001", "d30002"]
    assert topics["d30001"].systems == {
        "2": ("The river rose on Monday and nobody was hurt.", "Boats were moored."),
        "65": ("The river rose on Monday.", "Two bridges were closed."),
    }
    assert topics["d30001"].reference_names == ("A", "B")  # not the Z of another task
    assert topics["d30002"].systems == {"65": ()}  # an empty file is an empty summary
    assert topics["d30001"].human["65"]["coverage"] == 0.067
    assert topics["d30001"].human["A"]["model_units"] == 11


def test_sumrepo_adds_systems_to_2004(tmp_path: Path, write: Callable[[Tree], Path]) -> None:
    corpus = write(conferences.duc2004())
    repository = write_tree(conferences.sumrepo(), tmp_path / "sumrepo")
    topics = read([corpus, repository])
    assert set(topics["d30001"].systems) == {"2", "65", "Centroid", "CLASSY04", "DPP"}
    assert topics["d30001"].systems["DPP"] == (
        "The river rose on Monday.",
        "Two bridges were closed.",
    )
    assert topics["d30001"].systems["CLASSY04"] == ("A flood came", "and went", "Nobody was hurt .")
    with pytest.raises(InputError, match="summaries of systems only"):
        open_corpus(repository)


def test_2005_leaves_extra_models_out_and_reads_three_tables(folder: Path) -> None:
    topic = read(write_tree(updates.duc2005(), folder))["d301"]
    assert topic.reference_names == ("A", "B")
    assert topic.references[1] == ("Cafés closed.", "Nobody was hurt.")  # Latin-1 bytes
    assert topic.systems["10"] == ()
    assert topic.human["15"] == {
        "responsiveness": 3,
        "linguistic_quality_1": 4,
        "pyramid": 0.25,
        "modified_pyramid": 0.5,
        "scus": 7,
        "repetitions": 1,
    }


def test_2006_counts_models_once_though_they_are_among_the_peers(folder: Path) -> None:
    topic = read(write_tree(updates.duc2006(), folder))["d0601"]
    assert topic.reference_names == ("A", "B")
    assert set(topic.systems) == {"23"}  # 24 has basic elements only
    assert topic.human["23"]["responsiveness"] == 3
    assert topic.human["23"]["content_responsiveness"] == 2


def test_2007_keeps_main_and_update_task_apart(write: Callable[[Tree], Path]) -> None:
    folder = write(updates.duc2007())
    main = read(folder)
    assert list(main) == ["d0701"]
    assert main["d0701"].sentences == ("The river rose.", "It fell")  # paragraphs end sentences
    update = read(folder, format="duc2007-update")
    assert list(update) == ["d0703-a", "d0703-b"]
    assert update["d0703-b"].human == {
        "17": {
            "content_responsiveness": 2,
            "modified_pyramid": 0.125,
            "scus": 4,
            "repetitions": 0,
        }
    }


@pytest.mark.parametrize("year", range(2008, 2012))
def test_tac_has_parts_and_two_widths_of_tables(year: int, folder: Path) -> None:
    topics = read(write_tree(updates.tac(year), folder))
    docset = f"d{year % 100:02}01"
    assert list(topics) == [f"{docset}-a", f"{docset}-b"]
    first, second = topics.values()
    assert first.sentences == ("The river rose on Monday.", "Two bridges were closed.")
    assert second.sentences == ("A bakery burned in Lund.", "The oven was old.")
    assert first.human["12"] == {
        "pyramid": 0.625,
        "scus": 7,
        "repetitions": 1,
        "pyramid_jackknifed": 0.583,
        "linguistic_quality": 4,
        "responsiveness": 3,
    }
    assert first.human["A"]["responsiveness"] == 10


def test_tac_2011_takes_documents_from_gigaword_where_it_has_only_their_ids(
    tmp_path: Path, write: Callable[[Tree], Path]
) -> None:
    corpus = write(updates.tac2011_ids())
    gigaword = write_tree(updates.gigaword(), tmp_path / "gigaword_eng_4")
    topics = read([corpus, gigaword])
    assert list(topics) == ["d1101-a", "d1101-b"]
    assert topics["d1101-a"].sentences == ("The river rose on Monday.", "Two bridges were closed.")
    assert topics["d1101-b"].sentences == ("A bakery burned in Lund.", "The oven was old.")
    with pytest.raises(InputError, match="no source documents of TAC 2011"):
        open_corpus(corpus, split=split_sentences)


def test_a_document_that_gigaword_lacks_is_named(tmp_path: Path, folder: Path) -> None:
    write_tree(updates.tac2011_ids(), folder)
    gigaword = write_tree(updates.gigaword(), tmp_path / "gigaword_eng_4")
    next(gigaword.rglob("nyt_eng_200501.gz")).write_bytes(gzip.compress(b"x" * 99)[:-9])
    items = list(open_corpus([folder, gigaword], split=split_sentences))
    errors = [item for item in items if isinstance(item, RecordError)]
    assert [error.record_id for error in errors[1:]] == ["d1101-b/NYT_ENG_20050120.0001", "d1101-b"]
    assert errors[0].file.endswith("nyt_eng_200501.gz")
    assert [item.id for item in items if isinstance(item, Topic)] == ["d1101-a"]


def write_ids(folder: Path, text: str, *, files: Tree | None = None) -> Path:
    """The corpus of 2011 whose first part names two documents, with a month of Gigaword."""
    first = '<doc id="AFP_ENG_20050119.0019.LDC2009T13" />'
    topics = updates.TOPICS.replace(first, first + first.replace("0019.", "0020."))
    tree: Tree = {
        **updates.tac2011_ids(),
        "GuidedSumm11_test_topics.xml": topics,
        "gigaword": updates.gigaword(),
        **({} if files is None else {"docs": {"D1101A": {"D1101A-A": files}}}),
    }
    write_tree(tree, folder)
    next(folder.rglob("afp_eng_200501.gz")).write_bytes(gzip.compress(text.encode()))
    return folder


STORY = updates.STORY[updates.STORY.index("<DOC") :]
STORIES = STORY + STORY.replace("0019", "0020").replace("river", "lake")
BOTH = (
    "The river rose on Monday.",
    "Two bridges were closed.",
    "The lake rose on Monday.",
    "Two bridges were closed.",
)


def sort_items(folder: Path) -> tuple[dict[str, Topic], list[RecordError]]:
    items = list(open_corpus(folder, split=split_sentences))
    topics = {item.id: item for item in items if isinstance(item, Topic)}
    return topics, [item for item in items if isinstance(item, RecordError)]


@pytest.mark.parametrize(
    "name",
    ["AFP_ENG_20050119.0019", "afp_eng_20050119.0019", "AFP_ENG_20050119.0019.LDC2009T13"],
)
def test_documents_that_are_no_files_are_looked_up_though_others_are(
    name: str, folder: Path
) -> None:
    whole = write_ids(folder / "whole", STORIES, files={name: updates.STORY})
    topics, errors = sort_items(whole)
    assert not errors
    assert topics["d1101-a"].sentences is not None
    assert sorted(topics["d1101-a"].sentences) == sorted(BOTH)
    lacking = write_ids(folder / "lacking", updates.STORY, files={name: updates.STORY})
    topics, errors = sort_items(lacking)
    assert [error.record_id for error in errors] == ["d1101-a/AFP_ENG_20050119.0020"]
    assert topics["d1101-a"].sentences == BOTH[:2]


def test_documents_are_not_looked_up_if_files_are_named_in_another_way(folder: Path) -> None:
    topics, errors = sort_items(
        write_ids(folder, STORIES, files={"APW_ENG_20050101.0001": updates.STORY})
    )
    assert not errors
    assert topics["d1101-a"].sentences == BOTH[:2]


def test_files_of_topics_that_differ_are_an_error_and_the_first_is_kept(folder: Path) -> None:
    write_ids(folder, STORIES)
    other = folder / "old" / "GuidedSumm11_test_topics.xml"
    other.parent.mkdir()
    other.write_text(updates.TOPICS)
    topics, errors = sort_items(folder)
    assert [(error.file, error.line, error.record_id) for error in errors] == [
        (str(other), 4, "d1101-a")
    ]
    assert "names other documents of d1101-a" in errors[0].reason
    assert topics["d1101-a"].sentences == BOTH


@pytest.mark.parametrize("place", ["middle", "end", "damage"])
def test_a_document_of_gigaword_without_its_end_is_said_to_be_cut_off(
    place: str, folder: Path
) -> None:
    first, second = STORIES.split("</DOC>\n")[:2]
    cut, kept = ("0019", "0020") if place == "middle" else ("0020", "0019")
    text = first + second + "</DOC>\n" if place == "middle" else f"{first}</DOC>\n{second}"
    write_ids(folder, text)
    if place == "damage":
        month = next(folder.rglob("afp_eng_200501.gz"))
        month.write_bytes(month.read_bytes()[:-8])  # without check sum and length
    topics, errors = sort_items(folder)
    assert errors[0].reason == (f"the document AFP_ENG_20050119.{cut} is cut off: it has no </DOC>")
    assert errors[0].record_id == f"d1101-a/AFP_ENG_20050119.{cut}"
    assert len(errors) == (2 if place == "damage" else 1)
    assert topics["d1101-a"].sentences == (BOTH[2:] if kept == "0020" else BOTH[:2])


@pytest.mark.parametrize(
    "text",
    [
        STORIES.replace("\n</DOC>", "</DOC>"),
        STORIES.replace("</DOC>\n", "</DOC>"),
        STORIES.replace("\n", "\r\n"),
        "\ufeff" + STORIES,
        STORIES.replace("\n", " "),
    ],
)
def test_documents_of_gigaword_are_found_wherever_their_tags_stand(text: str, folder: Path) -> None:
    topics, errors = sort_items(write_ids(folder, text))
    assert not errors
    assert topics["d1101-a"].sentences == BOTH


def test_a_document_of_gigaword_that_is_too_large_costs_no_other() -> None:
    large = STORIES.replace("river", "river" * 99).encode()
    found = dict(
        pick_documents(large, {"AFP_ENG_20050119.0019", "AFP_ENG_20050119.0020"}, record_bytes=400)
    )
    assert isinstance(found["AFP_ENG_20050119.0019"], BadFile)
    assert isinstance(found["AFP_ENG_20050119.0020"], bytes)


def test_the_mean_of_judgements_whose_sum_is_too_large_is_a_number() -> None:
    assert average([1e308, 1e308]) == 1e308
    assert average([1.0, 2.0]) == 1.5
