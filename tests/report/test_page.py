"""The report as a file: its sections, what it says where data is missing, and that it is safe."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
from base64 import b64decode
from html.parser import HTMLParser
from pathlib import Path

import pytest

from cli.corpus import call
from oraclesum.corpora import demo_path, open_corpus
from oraclesum.errors import InputError
from oraclesum.report.page.build import build_report
from oraclesum.report.page.gathering import gather_facts
from oraclesum.report.page.ranking import average_cases
from oraclesum.report.page.records import load_results
from report.results import EVIL, SIGNATURE, enumerated, make_results, write_lines

VOID = {"meta", "br", "img", "link", "input", "path", "use", "rect", "hr"}


class Outline(HTMLParser):
    """Checks that tags nest, and keeps ids, links and the tags that could fetch or run."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.scripts = 0
        self.sources: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id":
                self.ids.append(value or "")
            elif name in ("href", "xlink:href"):
                self.links.append(value or "")
            elif name in ("src", "srcset", "action", "data", "poster"):
                self.sources.append(value or "")
            assert not name.startswith("on"), (tag, name)
        self.scripts += tag == "script"
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag


def read_outline(page: str) -> Outline:
    outline = Outline()
    outline.feed(page)
    assert not outline.open
    return outline


def read_sections(page: str) -> list[str]:
    return re.findall(r'<section id="([^"]+)"><h2>', page)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("results")
    verbs = ("enumerate", "shards", "evaluate", "correlate", "compare", "reproduce")
    return make_results(folder, *verbs)


@pytest.fixture(scope="module")
def whole(made: dict[str, Path]) -> str:
    names = ("enumerate", "evaluate", "correlate")
    return build_report([made[name] for name in names], corpus=open_corpus(demo_path()))


def test_a_report_of_everything_has_every_section(whole: str) -> None:
    assert read_sections(whole) == [
        "objective",
        "numbers",
        "room",
        "families",
        "positions",
        "greedy",
        "systems",
        "agreement",
        "effort",
        "hardest",
        "topics",
    ]


def test_the_page_is_well_formed_and_its_links_lead_somewhere(whole: str) -> None:
    outline = read_outline(whole)
    assert len(set(outline.ids)) == len(outline.ids)
    inside = [link[1:] for link in outline.links if link.startswith("#")]
    assert set(inside) <= set(outline.ids)
    assert outline.scripts == 1


def test_nothing_is_fetched_from_anywhere(whole: str) -> None:
    outline = read_outline(whole)
    assert not outline.sources
    assert all(link.startswith(("#", "data:text/csv")) for link in outline.links)
    assert not re.findall(r"(?:https?:)?//[a-z]", whole.replace("data:text/csv", ""), re.IGNORECASE)
    assert "@import" not in whole
    assert "default-src 'none'" in whole


def test_equal_results_give_an_equal_file(made: dict[str, Path], whole: str) -> None:
    names = ("enumerate", "evaluate", "correlate")
    again = build_report([made[name] for name in names], corpus=open_corpus(demo_path()))
    assert again == whole


def test_every_chart_has_a_name_a_finding_a_table_and_a_csv_file(whole: str) -> None:
    charts = re.findall(r'<figure class="chart".*?</figure>', whole, re.DOTALL)
    assert len(charts) >= 8
    for chart in charts:
        assert len(re.findall(r'<svg role="img" aria-label="[^"]{20,}"', chart)) == 2
        assert re.search(r"<h3>[^<]{20,}</h3>", chart)
        assert "<table>" in chart
        (data,) = re.findall(r"base64,([^\"]+)\"", chart)
        rows = list(csv.reader(io.StringIO(b64decode(data).decode())))
        assert len(rows) > 1
        assert len({len(row) for row in rows}) == 1


def test_charts_have_the_colours_of_the_page_and_none_of_their_own(whole: str) -> None:
    drawn = "".join(re.findall(r"<svg.*?</svg>", whole, re.DOTALL))
    assert not re.findall(r"(?:fill|stroke): #\w+", drawn)
    assert "var(--series-1)" in drawn
    assert "DejaVu" not in drawn


@pytest.mark.parametrize("verb", ["enumerate", "shards", "evaluate", "compare", "reproduce"])
def test_each_kind_of_results_alone_gives_a_report(made: dict[str, Path], verb: str) -> None:
    page = build_report([made[verb]])
    read_outline(page)
    sections = read_sections(page)
    assert {"objective", "numbers", "room", "hardest"} <= set(sections)
    # What has no data is left out, and the notes name the command that brings it.
    absent = {"positions", "greedy", "systems", "agreement", "effort"} - set(sections)
    notes = page[page.index("Not in this report") :]
    assert absent
    assert notes.count("<code>oraclesum ") >= len(absent)


def test_correlations_alone_give_a_report_without_topics(made: dict[str, Path]) -> None:
    sections = read_sections(build_report([made["correlate"]]))
    assert sections == ["objective", "agreement", "notes"]


def test_the_same_facts_from_shards_and_from_lines(made: dict[str, Path]) -> None:
    def strip(page: str) -> str:
        start = page.index('<section id="numbers">')
        return page[start : page.index('<section id="effort">')]

    assert strip(build_report([made["enumerate"]])) == strip(build_report([made["shards"]]))


def test_text_of_results_never_becomes_markup(tmp_path: Path) -> None:
    topic = {"id": EVIL, "sentences": [EVIL, "a b c"], "references": ["a b c"]}
    corpus = write_lines(tmp_path / "corpus.jsonl", topic)
    signature = SIGNATURE + "|x:" + EVIL
    path = write_lines(
        tmp_path / "out.jsonl",
        enumerated(
            EVIL,
            hits=2,
            total=2,
            upper_bound=2,
            count=1,
            oracles=[[1]],
            inclusion=[0.0, 1.0],
            signature=signature,
        ),
        {"id": EVIL, "status": "error", "error": EVIL},
    )
    page = build_report([path], corpus=open_corpus(corpus), title=EVIL)
    outline = read_outline(page)
    assert outline.scripts == 1
    assert not outline.sources
    assert "<img" not in page
    assert page.count("&lt;img src=x") >= 5


def test_counts_of_hundreds_of_digits_are_shown_as_powers(tmp_path: Path) -> None:
    large = {"count": str(3 * 10**400), "status": "list_limit"}
    path = write_lines(tmp_path / "out.jsonl", enumerated("a", **large), enumerated("b"))
    page = build_report([path])
    assert "the largest 3.00×10⁴⁰⁰" in page  # noqa: RUF001 - a multiplication sign is meant


def test_searches_that_were_stopped_are_told(tmp_path: Path) -> None:
    stopped = enumerated("slow", status="time_limit", upper_bound=9, count=4)
    none = enumerated(
        "none", status="no_overlap", hits=0, count=0, upper_bound=0, oracles=[], inclusion=[0.0]
    )
    page = build_report([write_lines(tmp_path / "out.jsonl", enumerated(), stopped, none)])
    hardest = page[page.index('id="hardest"') :]
    assert hardest.index(">slow<") < hardest.index(">one<")
    assert "0.300 or more" in page
    assert "found 4" in page
    assert "4 sets found so far" in page
    assert "at most 9/10 possible" in page
    assert "no sentence that fits shares an n-gram" in page
    read_outline(page)


def test_a_family_that_was_only_counted_is_reported(tmp_path: Path) -> None:
    counted = enumerated("large", status="counted", count=str(10**30), oracles=[], inclusion=None)
    page = build_report([write_lines(tmp_path / "out.jsonl", enumerated(), counted)])
    assert "large" in page
    read_outline(page)


def read_ticks(page: str, chart: str, name: str) -> list[str]:
    """The numbers along the axis of that name, in the wide picture of a chart."""
    figure = page[page.index(f'<figure class="chart" id="{chart}') :]
    picture = figure[
        figure.index('<div class="plot wide">') : figure.index('<div class="plot narr')
    ]
    texts = re.findall(r"<text[^>]*>([^<]*)</text>", picture)
    ticks: list[str] = []
    for text in texts[: texts.index(name)][::-1]:
        if not re.fullmatch(r"[\d.,]+", text):
            break
        ticks.insert(0, text)
    return ticks


@pytest.mark.parametrize(
    ("sentences", "nodes", "expected"),
    [
        ([3, 3, 3], [7, 7, 7], (["3"], ["6", "7", "8"])),
        ([1, 1], [1, 1], (["1"], ["1"])),
        ([3, 4, 5], [2, 2, 3], (["3", "4", "5"], ["2", "3"])),
        ([10, 300], [5, 900], (["10", "20", "50", "100", "200"], ["10", "100", "1,000"])),
    ],
)
def test_axes_of_whole_numbers_have_whole_numbers_once(
    tmp_path: Path,
    sentences: list[int],
    nodes: list[int],
    expected: tuple[list[str], list[str]],
) -> None:
    records = [
        enumerated(str(k), inclusion=[1.0] + [0.0] * (size - 1), oracles=[[0]], count=1, checked=n)
        for k, (size, n) in enumerate(zip(sentences, nodes, strict=True))
    ]
    page = build_report([write_lines(tmp_path / "all.jsonl", *records)])
    found = tuple(
        read_ticks(page, "nodes", name)
        for name in ("sentences of the input", "nodes of the search")
    )
    assert found == expected
    assert ("looks at 1 node in" in page) is (nodes == [1, 1])


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [
        ([1.2, 1.9], ["1.2", "1.4", "1.6", "1.8"]),
        ([0.00002, 0.0002], ["0.00002", "0.00005", "0.0001", "0.0002"]),
        ([2.0, 70.0], ["2", "5", "10", "20", "50"]),
    ],
)
def test_seconds_along_an_axis_are_what_stands_there(
    tmp_path: Path, seconds: list[float], expected: list[str]
) -> None:
    cases = [enumerated(str(k)) for k in range(2)]
    compared = [
        {**enumerated(str(k)), "seconds": time, "oracle": [0, 2]} for k, time in enumerate(seconds)
    ]
    files = (
        write_lines(tmp_path / "a.jsonl", *cases),
        write_lines(tmp_path / "b.jsonl", *compared),
    )
    assert read_ticks(build_report(files), "seconds", "seconds") == expected


def test_one_record_is_enough(tmp_path: Path) -> None:
    page = build_report([write_lines(tmp_path / "out.jsonl", enumerated())])
    assert "One case alone has no distribution" in page
    assert "2 oracles" in page
    assert "topic-1" in page


def test_more_topics_than_sections_are_told_and_are_all_in_the_csv_file(tmp_path: Path) -> None:
    records = [enumerated(f"t{k}", checked=k) for k in range(300)]
    page = build_report([write_lines(tmp_path / "out.jsonl", *records)], topics=5)
    assert page.count('class="topic"') == 5
    assert "The 5 hardest of 300 topics" in page
    assert "The first 200 of 300 rows" in page
    (data,) = re.findall(r'download="all-cases.csv" href="[^,]*,([^"]+)"', page)
    assert len(b64decode(data).decode().splitlines()) == 301


def test_texts_that_are_not_those_of_the_results_are_not_shown(tmp_path: Path) -> None:
    topic = {"id": "one", "sentences": ["other words"], "references": ["quite other words"]}
    corpus = write_lines(tmp_path / "corpus.jsonl", topic)
    page = build_report(
        [write_lines(tmp_path / "out.jsonl", enumerated())], corpus=open_corpus(corpus)
    )
    assert "quite other" not in page
    assert "1 cases are not what the corpus gives" in page


def test_files_that_disagree_are_told(tmp_path: Path) -> None:
    first = write_lines(tmp_path / "a.jsonl", enumerated())
    second = write_lines(tmp_path / "b.jsonl", enumerated(hits=4, upper_bound=4))
    assert "files disagree, 3/10 and 4/10" in build_report([first, second])


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "there is no record in it"),
        ("{", "out.jsonl:1: broken JSON"),
        ("[]", "is not a record"),
        ('{"id": "x", "sentences": ["a"], "references": ["a"]}', "is no record of `enumerate`"),
        ('{"id": "x", "status": "error", "error": "bad"}', "every record is an error"),
        ('{"id": "x", "oracles": [], "inclusion": []}', "out.jsonl:1: status is missing"),
    ],
)
def test_what_is_no_result_is_refused_with_the_reason(
    tmp_path: Path, text: str, reason: str
) -> None:
    path = tmp_path / "out.jsonl"
    path.write_text(text)
    with pytest.raises(InputError, match=reason):
        build_report([path])


def test_systems_are_shown_with_the_human_score_that_was_asked_for(made: dict[str, Path]) -> None:
    results = [made["evaluate"], made["correlate"]]
    # `correlate` was run on coverage, so that is shown unasked.
    assert "its mean “coverage” over" in build_report(results)
    assert "its mean “responsiveness” over" in build_report(results, human="responsiveness")


def test_a_run_that_has_not_ended_is_told(made: dict[str, Path], tmp_path: Path) -> None:
    folder = tmp_path / "copy"
    shutil.copytree(made["shards"], folder)
    manifest = folder / "_manifest.json"
    manifest.write_text(manifest.read_text().replace('"complete": true', '"complete": false'))
    page = build_report([folder])
    assert "copy: the run has not come to its end" in page
    assert "Its slowest documents: " in page


def test_correlations_without_a_value_are_passed_over(tmp_path: Path) -> None:
    head = {"kind": "correlation", "status": "complete", "human": "h", "level": "system"}
    rest = {"coefficient": "pearson", "interval": "topics and systems", "topics": 3, "systems": 9}
    rows = [
        {**head, **rest, "measure": name, "value": value, "low": None, "high": None}
        for name, value in (("ROUGE-1", None), ("ROUGE-2", 0.5))
    ]
    rows = [{**row, "signature": SIGNATURE} for row in rows]
    page = build_report([write_lines(tmp_path / "out.jsonl", *rows)])
    assert "ROUGE-2 correlates best with h" in page


def test_names_in_any_script_or_none_are_drawn(tmp_path: Path) -> None:
    names = ["系统", "نظام", "a\x00b\nc", "$x^2$", "x" * 300, EVIL, ""]
    rows = [
        {
            "id": "one",
            "system": name,
            "status": "complete",
            "oracle": {"hits": 3, "total": 10, "score": 0.3, "count": 2, "proven": True},
            "rouge": {"recall": k / 10},
            "objective_hits": k,
            "all": {"precision": 0.5, "recall": 0.5, "f_measure": 1 - k / 10},
            "missed_core": None,
            "words": 20,
            "human": {"grade": k},
            "signature": SIGNATURE,
        }
        for k, name in enumerate(names)
    ]
    page = build_report([write_lines(tmp_path / "out.jsonl", *rows)])
    outline = read_outline(page)
    assert outline.scripts == 1
    assert "<img" not in page
    drawn = "".join(re.findall(r"<svg.*?</svg>", page, re.DOTALL))
    for text in ("系统", "نظام", "$x^2$"):
        assert text in drawn
    assert "\x00" not in drawn


def test_each_human_score_has_its_own_correlations(tmp_path: Path) -> None:
    rest = {"level": "system", "coefficient": "pearson", "value": 0.5, "low": 0.1, "high": 0.9}
    rest |= {"interval": "topics and systems", "topics": 3, "systems": 9, "signature": SIGNATURE}
    rows = [
        {"kind": "correlation", "human": human, "measure": "ROUGE-2", **rest}
        for human in ("grade", "coverage")
    ]
    page = build_report([write_lines(tmp_path / "out.jsonl", *rows)])
    assert "correlates best with grade" in page
    assert "correlates best with coverage" in page
    read_outline(page)


def test_without_a_corpus_nothing_is_said_of_the_lead(made: dict[str, Path], whole: str) -> None:
    alone = build_report([made["enumerate"]])
    assert "Within the whole input, the first tenth has" in alone
    for verdict in ("lead is favoured", "mostly the lead", "favour for the lead"):
        assert verdict not in alone
    assert "Within the whole input, the first tenth" not in whole


def test_systems_longer_than_the_limit_are_marked_beside_the_best_within_it(
    made: dict[str, Path], tmp_path: Path
) -> None:
    records = [json.loads(line) for line in made["evaluate"].read_text().splitlines()]
    for record in records:
        if record["system"] == "oraclesum/random" and "oracle" in record:
            record |= {"words": 61, "objective_hits": record["oracle"]["hits"] + 5}
    page = build_report([write_lines(tmp_path / "long.jsonl", *records)])
    assert "(longer than the limit in 6 of 6); the best that never is, " in page
    assert "the best that never is, oraclesum/random" not in page
    assert "random †" in page
    assert "systems, marked †, passed the limit" in page


def test_one_overlong_summary_does_not_drop_a_system_from_the_headline(
    made: dict[str, Path], tmp_path: Path
) -> None:
    records = [json.loads(line) for line in made["evaluate"].read_text().splitlines()]
    own = [r for r in records if r["system"] == "oraclesum/random" and "oracle" in r]
    for record in own:
        record["objective_hits"] = record["oracle"]["hits"]
    own[0]["words"] = 61
    page = build_report([write_lines(tmp_path / "one.jsonl", *records)])
    assert (
        "; the best system, oraclesum/random, 100% of the oracle (longer than the limit in 1 of 6)"
        in page
    )


@pytest.fixture(scope="module")
def under_objective(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("objective")
    made = {}
    for verb, more in (
        ("enumerate", ()),
        ("evaluate", ("--systems", "lead,random", "--draws", "5")),
        ("compare", ("--methods", "search,greedy")),
    ):
        made[verb] = folder / f"{verb}.jsonl"
        options = ("--objective", "r1-f1+r2-f1", "--counting", "sets", "--max-words", "60", *more)
        done = call(verb, "demo", *options, "-q", "-o", made[verb])
        assert done.exit_code == 0, done.stderr
    return made


def test_other_objectives_are_shown_by_their_exact_value(under_objective: dict[str, Path]) -> None:
    page = build_report(list(under_objective.values()), corpus=open_corpus(demo_path()))
    assert "Oracle summaries under r1-f1+r2-f1" in page
    first = json.loads(under_objective["enumerate"].read_text().splitlines()[0])
    assert f"<b>{first['value']} = {first['score']:.3f}</b> r1-f1+r2-f1" in page
    for section in ("room", "families", "positions", "greedy", "systems", "agreement", "effort"):
        assert f'<section id="{section}">' in page
    assert "each distinct n-gram counted once" in page
    assert "not what the corpus gives" not in page


def test_the_share_of_the_oracle_is_that_of_evaluate(under_objective: dict[str, Path]) -> None:
    averages = [
        record
        for record in map(json.loads, under_objective["evaluate"].read_text().splitlines())
        if record.get("kind") == "average"
    ]
    facts = gather_facts([load_results(under_objective["evaluate"])])
    ((_, cases),) = facts.cases.items()
    shares = {system.name: system.share for system in average_cases(list(cases.values()))}
    assert shares == pytest.approx({record["system"]: record["share"] for record in averages})


def test_the_report_shows_the_tests_of_correlate(tmp_path: Path) -> None:
    pair = {
        "kind": "difference",
        "human": "h",
        "first": "ROUGE-1 recall",
        "second": "ROUGE-2 recall",
        "level": "system",
        "coefficient": "pearson",
        "difference": 0.25,
        "williams_holm": None,
        "permutation_holm": 1 / 1001,
        "permutation_bound": True,
    }
    one = {
        "kind": "correlation",
        "human": "h",
        "measure": "ROUGE-2 recall",
        "level": "system",
        "coefficient": "pearson",
        "value": 0.5,
        "low": 0.4,
        "high": 0.6,
        "interval": "topics",
        "topics": 3,
        "systems": 8,
        "signature": SIGNATURE,
    }
    page = build_report([write_lines(tmp_path / "c.jsonl", one, pair)])
    assert "1 of 1 comparisons of two measures differ at 0.05" in page
    assert "&lt; 0.0010" in page
    broken = write_lines(tmp_path / "d.jsonl", one, {**pair, "permutation_holm": 7})
    with pytest.raises(InputError, match="permutation_holm must be"):
        build_report([broken])


def test_problems_that_differ_in_the_limit_are_told_apart(tmp_path: Path) -> None:
    shorter = SIGNATURE.replace("words<=60", "words<=40")
    first = write_lines(tmp_path / "a.jsonl", enumerated("one"), enumerated("two"))
    second = write_lines(tmp_path / "b.jsonl", enumerated("one", signature=shorter))
    page = build_report([first, second])
    for label in ("ROUGE-2 recall, 60 words, a.jsonl", "ROUGE-2 recall, 40 words, b.jsonl"):
        assert f'<p class="eyebrow">{label}</p>' in page or label.endswith("b.jsonl")
        assert f"<li><b>{label}.</b>" in page
        assert f'<th scope="row">{label}</th>' in page
        assert f'<small class="muted">{label}</small>' in page


def test_files_of_different_topics_in_one_mean_are_told(tmp_path: Path) -> None:
    first = write_lines(tmp_path / "a.jsonl", enumerated("one"), enumerated("two"))
    second = write_lines(tmp_path / "b.jsonl", enumerated("three"))
    page = build_report([first, second])
    assert "2 topics of a.jsonl; 1 topic of b.jsonl" in page
    assert '<p class="eyebrow">a.jsonl and b.jsonl together</p>' in page
    assert "together" not in build_report([first, first]).split("<h2>In numbers")[1][:1500]


def test_a_corpus_of_other_topics_is_refused_and_a_part_is_told(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "out.jsonl", enumerated("one"))
    with pytest.raises(InputError, match="no topic of the results is in the corpus"):
        build_report([path], corpus=open_corpus(demo_path()))
    path = write_lines(tmp_path / "out.jsonl", enumerated("one"), enumerated("harbour"))
    told: list[str] = []
    page = build_report([path], corpus=open_corpus(demo_path()), warn=told.append)
    assert "1 of 2 topics of the results are not in the corpus" in told
    assert "--corpus" not in page
