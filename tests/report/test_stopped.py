"""What the report says of searches that were stopped: what was found so far, and no more."""

from __future__ import annotations

import csv
import io
import re
from base64 import b64decode
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from oraclesum.corpora import open_corpus
from oraclesum.report.page.build import build_report
from oraclesum.report.page.facts import CaseFacts
from oraclesum.report.page.gathering import gather_facts
from oraclesum.report.page.records import load_results
from report.results import SIGNATURE, enumerated, stopped, unmet, write_lines

OUT_OF_TIME = ("time_limit", "memory_limit", "interrupted")


def build(folder: Path, *records: dict[str, Any], texts: bool = False) -> str:
    """The report of some records, beside texts if they are asked for."""
    sentences = {"sentences": ["a b", "c d", "e f", "g h"]} if texts else {}
    rows = [{**record, **sentences} for record in records]
    return build_report([write_lines(folder / "out.jsonl", *rows)])


def read_tiles(page: str) -> dict[str, tuple[str, str]]:
    tiles = re.findall(r"<dt>(.*?)</dt><dd><b>(.*?)</b><span>(.*?)</span>", page)
    return {unescape(name): (unescape(value), unescape(text)) for name, value, text in tiles}


def read_csv(page: str, name: str) -> list[dict[str, str]]:
    (data,) = re.findall(rf'download="{name}.csv" href="[^,]*,([^"]+)"', page)
    return list(csv.DictReader(io.StringIO(b64decode(data).decode())))


def read_section(page: str, key: str) -> str:
    return page.split(f'<section id="{key}">')[1].split("</section>")[0]


@pytest.mark.parametrize("status", OUT_OF_TIME)
def test_counts_of_stopped_searches_are_in_no_number_of_oracles(
    tmp_path: Path, status: str
) -> None:
    alone = read_tiles(build(tmp_path, stopped(status=status)))
    assert alone["oracles, median"] == ("not known", "no search came to its end")
    records = [enumerated("two"), enumerated("seven", count=7, status="streamed")]
    page = build(tmp_path, *records, stopped("slow", status=status), unmet("none", status))
    text = "at most 7; unique in 0 of 2; not known in 2 cases"
    assert read_tiles(page)["oracles, median"] == ("2", text)
    families = read_section(page, "families")
    assert "The oracle is never unique (of 2 with a known count)" in families
    assert "one: 0 cases and 1 stopped; 2 to 9: 2 cases" in families
    many = build(tmp_path, stopped("a", status=status), stopped("b", status=status, count=900))
    assert "How many oracles there are is not known" in read_section(many, "families")


@pytest.mark.parametrize("status", OUT_OF_TIME)
def test_a_topic_without_any_set_is_in_no_mean_and_one_without_overlap_is_a_zero(
    tmp_path: Path, status: str
) -> None:
    records = [enumerated("one"), stopped("slow", hits=5, status=status), unmet("none", status)]
    page = build(tmp_path, *records)
    name = "oracle's ROUGE-2 recall, mean"
    told = "from 0.300 to 0.500; 1 lower bound in it; 1 case left out: no set met in time"
    assert read_tiles(page)[name] == ("0.400", told)
    assert "In 1 case no set was met in time: left out of the mean" in page
    room = read_section(page, "room")
    assert "Oracles reach at least 0.400 ROUGE-2 recall on average" in room
    assert "2 cases. Bar:" in room
    assert "The best score of 1 case is not proven" in room
    zero = enumerated(
        "zero", status="no_overlap", hits=0, count=0, upper_bound=0, oracles=[], inclusion=[0.0] * 4
    )
    page = build(tmp_path, *records, zero)
    assert read_tiles(page)[name][0] == "0.267"
    assert "at least 0.267" in read_section(page, "room")
    nothing = build(tmp_path, unmet("none", status))
    assert read_tiles(nothing)[name] == ("not known", "1 case left out: no set met in time")
    assert '<section id="room">' not in nothing


def test_several_problems_have_the_same_means_as_one(tmp_path: Path) -> None:
    shorter = SIGNATURE.replace("words<=60", "words<=40")
    page = build(
        tmp_path, enumerated("one"), stopped("slow"), unmet("none"), stopped("s", signature=shorter)
    )
    first, second = read_csv(page, "headline")
    assert (first["mean oracle score"], first["median oracles"]) == ("0.3", "2")
    assert (first["with a known count"], first["no set met in time"]) == ("1", "1")
    assert (second["mean oracle score"], second["median oracles"]) == ("0.3", "")


@pytest.mark.parametrize("status", OUT_OF_TIME)
def test_no_sentence_of_a_stopped_search_is_core_or_in_no_oracle(
    tmp_path: Path, status: str
) -> None:
    page = build(tmp_path, stopped(status=status), unmet("none", status), texts=True)
    topics = page[page.index('<section id="topics">') :].split("Where the search was stopped")[1]
    for false in (">core<", "no oracle", "some oracle", "every oracle", "Oracles:", "of oracles"):
        assert false not in topics
    assert "4 sentences; 1 in the sets found so far" in topics
    assert "4 sentences; no set was met in time" in topics
    assert topics.count("in no set found so far") == 3  # around the sentence, and all of the other
    assert "Found so far: {1}" in topics
    assert "<b>3/10 = 0.300</b> ROUGE-2 recall or more" in topics
    assert "<b>no set met in time</b>" in topics
    whole = build(tmp_path, enumerated(), texts=True)
    for true in (">core<", "1 sentence in no oracle", "3 in some oracle, 1 in every oracle"):
        assert true in whole


def test_positions_are_of_whole_families(tmp_path: Path) -> None:
    page = build(tmp_path, stopped("slow"), unmet("none"))
    assert '<section id="positions">' not in page
    assert "which a search that was stopped does not know" in page
    page = build(tmp_path, enumerated("one"), stopped("slow"))
    assert "1 case; results do not say" in read_section(page, "positions")
    assert "1 case left out, as the search was stopped" in read_section(page, "positions")


def test_the_files_of_numbers_say_what_is_proven(tmp_path: Path) -> None:
    page = build(tmp_path, enumerated("one"), stopped("slow", seconds=2.0), unmet("none"))
    rows = {row["topic"]: row for row in read_csv(page, "all-cases")}
    columns = ("score", "score proven", "oracles", "count exact")
    assert {name: tuple(row[key] for key in columns) for name, row in rows.items()} == {
        "one": ("0.3", "yes", "2", "yes"),
        "slow": ("0.3", "no", "1", "no"),
        "none": ("", "no", "0", "no"),
    }
    assert read_csv(page, "seconds-chart")[0]["ended"] == "0"
    assert "In 2 cases the search was stopped" in read_section(page, "effort")


def test_greedy_beside_a_stopped_search_is_not_said_to_be_best(tmp_path: Path) -> None:
    topic = {"sentences": ["a b", "c d"], "references": ["a b x y"]}
    corpus = write_lines(tmp_path / "c.jsonl", *({"id": name, **topic} for name in ("p", "q")))
    short = {"hits": 1, "total": 3, "score": 1 / 3, "oracles": [[0]], "inclusion": [1.0, 0.0]}
    rows = [stopped(name, **{**short, "upper_bound": 3}) for name in ("p", "q")]
    out = write_lines(tmp_path / "out.jsonl", *rows)
    page = build_report([out], corpus=open_corpus(corpus))
    text = "of the best found; the best score of 2 of 2 is not proven"
    assert read_tiles(page)["greedy reaches"] == ("100%", text)
    assert "the greedy summary at most 100% of the oracle" in page
    assert '<section id="greedy">' not in page  # nothing is known of all oracles


@pytest.mark.parametrize("status", ["counted", "list_limit", "streamed"])
def test_counts_of_searches_that_ended_are_exact(tmp_path: Path, status: str) -> None:
    inclusion = None if status == "counted" else [0.5, 0.5, 1.0, 0.0]
    large = enumerated("large", status=status, count=900, oracles=[[0, 2]], inclusion=inclusion)
    page = build(tmp_path, enumerated("one"), large)
    assert read_tiles(page)["oracles, median"] == ("2", "at most 900; unique in 0 of 2")
    assert "<b>3/10 = 0.300</b> ROUGE-2 recall · 900 oracles" in page
    said = page[page.index("<main") : page.index("</main>")]
    assert "so far" not in said
    assert "not proven" not in said


def read_case(*paths: Path) -> CaseFacts:
    facts = gather_facts([load_results(path) for path in paths])
    ((_, case),) = facts.every_case()
    return case


@pytest.mark.parametrize("backwards", [False, True])
def test_a_whole_search_stands_over_a_stopped_one_in_any_order(
    tmp_path: Path, backwards: bool
) -> None:
    first = write_lines(tmp_path / "a.jsonl", stopped("one", hits=2, checked=1))
    second = write_lines(tmp_path / "b.jsonl", enumerated("one"))
    case = read_case(*((second, first) if backwards else (first, second)))
    assert (case.hits, case.count, case.exact, case.proven) == (3, 2, True, True)
    assert (case.status, case.inclusion) == ("complete", [0.5, 0.5, 1.0, 0.0])
    better = write_lines(tmp_path / "c.jsonl", stopped("one", hits=3, oracles=[[0]]))
    case = read_case(*((better, first) if backwards else (first, better)))
    assert (case.hits, case.oracles, case.exact, case.proven) == (3, [[0]], False, False)


def compared(name: str, method: str, **changes: Any) -> dict[str, Any]:
    """A record of `compare`."""
    record = {
        **enumerated(name),
        "method": method,
        "proven": True,
        "seconds": 0.1,
        "oracle": [0, 2],
    }
    for key in ("oracles", "inclusion"):
        del record[key]
    return {**record, **changes}


def test_of_compared_methods_what_is_proven_is_and_what_is_not_counted_is_not(
    tmp_path: Path,
) -> None:
    """Each record says itself whether the best score is proven; a proof counts no oracles."""
    late = {"status": "time_limit", "count": 1}
    page = build(
        tmp_path,
        compared("both", "search", **late),
        compared("both", "ilp", count=None),
        compared("search", "search", **late),
        compared("ilp", "ilp", count=None),
        compared("whole", "search"),
    )
    tiles = read_tiles(page)
    assert tiles["proven best"] == ("100%", "2 time limit, 1 proven, 1 complete")
    assert "lower bound" not in tiles["oracle's ROUGE-2 recall, mean"][1]
    assert tiles["oracles, median"] == ("2", "at most 2; unique in 0 of 1; not known in 3 cases")
    assert "best score proven, oracles not counted" in page
    assert "is not proven" not in page
    assert page.count("all oracles stored") == 2  # in the table and in the section of one topic
