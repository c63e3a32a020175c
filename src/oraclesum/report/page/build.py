"""A report from result files: read, complete from the corpus, draw, and put together."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from hashlib import sha256
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any

from ...corpora import Caps, Topic
from ...errors import InputError, RecordError
from ...frozen import dataclass
from ...signature import package_version
from ..correlated import SIGNIFICANT, smallest_p, tabulate_differences
from .completing import complete_facts
from .correlations import chart_correlations
from .effort import chart_nodes, chart_seconds
from .facts import CaseFacts, Facts, Objective
from .families import chart_families
from .figures import Chart, link_csv, render_chart, render_table
from .gathering import gather_facts
from .greedy import chart_greedy
from .headline import render_headline, render_objective
from .numbers import show_number, show_seconds
from .positions import chart_positions
from .ranking import chart_ranking
from .records import load_results
from .room import chart_room
from .scatter import chart_scatter
from .topics import Budget, pick_topics, rank_cases, render_hardest, render_topic, tabulate_all

__all__ = ["Section", "build_report", "render_document"]

# Characters that HTML does not allow, whatever was in the texts.
_CONTROLS = {code: "\N{REPLACEMENT CHARACTER}" for code in range(32) if chr(code) not in "\t\n\r"}


@dataclass(frozen=True, kw_only=True)
class Section:
    """A part of the report with its own heading."""

    key: str
    title: str
    body: str


def render_document(title: str, lead: str, sections: Sequence[Section], version: str) -> str:
    """The whole file: nothing in it is fetched from anywhere."""
    style, script = _read("style.css"), _read("page.js")
    digest = b64encode(sha256(script.encode()).digest()).decode()
    # The browser itself is told to fetch nothing, and to run this one script only.
    policy = (
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
        f"form-action 'none'; script-src 'sha256-{digest}'"
    )
    contents = "".join(
        f'<li><a href="#{section.key}">{escape(section.title)}</a></li>' for section in sections
    )
    body = "".join(
        f'<section id="{section.key}"><h2>{escape(section.title)}</h2>\n{section.body}</section>\n'
        for section in sections
    )
    page = f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="generator" content="oraclesum {escape(version, quote=True)}">
<title>{escape(title)}</title>
<style>{style}</style>
</head>
<body>
<a class="skip" href="#main">To the report</a>
<header><div><p class="eyebrow">Oracle report</p><h1>{escape(title)}</h1><p class="lead">\
{escape(lead)}</p></div><button id="theme" type="button" hidden>Theme: auto</button></header>
<div class="columns">
<nav aria-label="Contents"><ol>{contents}</ol></nav>
<main id="main" tabindex="-1">
{body}</main>
</div>
<footer><p>Made by oraclesum {escape(version)}. This file needs no network: charts, tables and CSV \
files are inside it.</p></footer>
<script>{script}</script>
</body>
</html>
"""
    return page.translate(_CONTROLS)


def _read(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


_MAX_HARDEST = 20
_MAX_ERRORS = 50
_UNFOLDED = 10  # topics whose sentences are shown unasked
_TEXT_BUDGET = 1_000_000  # characters of sentences in all sections together

# What to say instead if the corpus was given.
_WITH_CORPUS = {
    "positions": "Where oracle sentences stand needs their inclusion, which a search that was "
    "stopped does not know: add the output of `oraclesum enumerate`.",
    "greedy": "How near greedy summaries come needs all oracles of two cases, and texts of the "
    "results in the given corpus; the output of `oraclesum reproduce` says it without texts.",
}

Draw = Callable[[Sequence[CaseFacts], str, Objective], Chart | None]

# Section, its charts, and what to say if the input has nothing to draw.
_DRAWN: tuple[tuple[str, str, tuple[tuple[str, Draw], ...], str], ...] = (
    (
        "room",
        "The room left",
        (("room", chart_room),),
        "No case has a score: run `oraclesum enumerate` or `oraclesum evaluate`, with more time if "
        "no set was met.",
    ),
    (
        "families",
        "How many oracles",
        (("families", chart_families),),
        "The number of oracles is in the output of `oraclesum enumerate`.",
    ),
    (
        "positions",
        "Where oracle sentences stand",
        (("positions", chart_positions),),
        "Where oracle sentences stand needs their inclusion, which a search that was stopped does "
        "not know: add the output of `oraclesum enumerate`, or the corpus by --corpus.",
    ),
    (
        "greedy",
        "Greedy against oracles",
        (("greedy", chart_greedy),),
        "How near greedy summaries come needs the texts: add the corpus by --corpus, or the output "
        "of `oraclesum reproduce`.",
    ),
    (
        "systems",
        "Systems, by ROUGE and by F",
        (("systems", chart_ranking),),
        "Two rankings of systems need at least two of them: add the output of `oraclesum "
        "evaluate` (`--systems all` runs ours).",
    ),
    (
        "agreement",
        "Agreement with people",
        (),
        "Agreement with people needs records with `human` scores: add the output of `oraclesum "
        "correlate` for correlations, and of `oraclesum evaluate` for systems as points.",
    ),
    (
        "effort",
        "Time and nodes",
        (
            ("nodes", chart_nodes),
            ("seconds", chart_seconds),
        ),
        "Nodes are in the output of `oraclesum enumerate`; times are in those of `oraclesum "
        "compare` and `oraclesum reproduce`.",
    ),
)


def build_report(
    results: Sequence[Path],
    *,
    corpus: Iterable[Topic | RecordError] | None = None,
    title: str | None = None,
    topics: int = 60,
    human: str | None = None,
    record_bytes: int = Caps.record_bytes,
    warn: Callable[[str], None] | None = None,
) -> str:
    """The report of some result files as HTML. Raises InputError, MissingExtraError.

    `corpus` adds texts and what follows from them; `topics` is how many get a section; `human`
    names the human score of the systems as points, if there are several; a result with a line or
    row of more than `record_bytes` is refused; `warn` is told what of
    the results the corpus does not have.
    """
    files = [load_results(path, record_bytes=record_bytes) for path in results]
    facts = gather_facts(files)
    if not facts.cases and not facts.correlations:
        raise InputError("there is nothing to report: every record is an error")
    if corpus is not None:
        for message in complete_facts(facts, corpus):
            facts.notes.append(message)
            if warn is not None:
                warn(message)
    if human is None and facts.correlations:
        human = str(facts.correlations[0]["human"])
    sections, missing = _draw_sections(facts, human, with_corpus=corpus is not None)
    if len(facts.every_case()) == 1:
        missing = ["One case alone has no distribution to draw: its section shows it.", *missing]
    sections += _list_topics(facts, topics)
    if missing or facts.notes or facts.errors:
        sections.append(_note(facts, missing, with_corpus=corpus is not None))
    opening = [
        Section(key="objective", title="What was maximised", body=render_objective(facts)),
    ]
    if facts.cases:
        opening.append(Section(key="numbers", title="In numbers", body=render_headline(facts)))
    return render_document(
        title or _name(facts), _summarise(facts), [*opening, *sections], package_version()
    )


def _name(facts: Facts) -> str:
    if not facts.cases:
        return "Measures and people"
    measures = dict.fromkeys(objective.statistic for objective in facts.cases)
    return f"Oracle summaries under {' and '.join(measures)}"


def _summarise(facts: Facts) -> str:
    sources = ", ".join(name for name, _ in facts.sources)
    if not facts.cases:
        return f"How well measures agree with people, from {sources}."
    ids = {case.id for _, case in facts.every_case()}
    limits = dict.fromkeys(objective.limit_words for objective in facts.cases)
    return f"{show_number(len(ids), 'topic')}, {' or '.join(limits)}, from {sources}."


def _draw_sections(
    facts: Facts, human: str | None, *, with_corpus: bool
) -> tuple[list[Section], list[str]]:
    sections, missing = [], []
    several = len(facts.cases) > 1
    for key, title, charts, absent in _DRAWN:
        drawn: list[Chart | None] = []
        tests = ""
        if key == "agreement":
            scores = dict.fromkeys(str(record["human"]) for record in facts.correlations)
            for number, score in enumerate(scores):
                rows = [record for record in facts.correlations if record["human"] == score]
                drawn.append(chart_correlations(rows, f"correlations-{number}"))
                tests += _show_tests([r for r in facts.differences if r["human"] == score], number)
            charts = (("scatter", partial(chart_scatter, human=human)),)
        for name, draw in charts:
            for number, (objective, cases) in enumerate(facts.cases.items()):
                own = f"{name}-{number}" if several else f"{name}-chart"
                chart = draw(list(cases.values()), own, objective)
                drawn.append(chart and replace(chart, label=facts.labels[objective]))
        found = [render_chart(chart) for chart in drawn if chart is not None]
        if tests:
            found.append(tests)
        if key == "effort" and facts.work_seconds is not None:
            found.append(_tell_times(facts))
        if found:
            sections.append(Section(key=key, title=title, body="".join(found)))
        else:
            missing.append(_WITH_CORPUS.get(key, absent) if with_corpus else absent)
    return sections, missing


def _show_tests(records: Sequence[Mapping[str, Any]], number: int) -> str:
    """The tests of `correlate`: the pairs that differ, and all of them to unfold."""
    if not records:
        return ""
    shown = [record for record in records if smallest_p(record) <= SIGNIFICANT]
    every = replace(tabulate_differences(records), key=f"tests-{number}", title="All pairs")
    said = (
        f"{len(shown):,} of {len(records):,} comparisons of two measures differ at "
        f"{SIGNIFICANT:g} after Holm's correction (Williams' test or the permutation test)."
    )
    return (
        f"<p>{escape(said)}</p>{render_table(tabulate_differences(shown)) if shown else ''}"
        f'<details class="numbers"><summary>All {show_number(len(records), "comparison")}</summary>'
        f"{render_table(every)}</details>{link_csv(every, 'Download all comparisons as CSV')}"
    )


def _tell_times(facts: Facts) -> str:
    slowest = sorted(facts.slowest, key=lambda pair: -pair[1])[:5]
    listed = ", ".join(f"{escape(name)} {show_seconds(seconds)}" for name, seconds in slowest)
    return (
        f"<p>The run took {show_seconds(facts.work_seconds or 0.0)} of work over all its workers. "
        f"Its slowest documents: {listed}.</p>"
    )


def _list_topics(facts: Facts, max_topics: int) -> list[Section]:
    if not facts.cases:
        return []
    ranked = rank_cases(facts)
    chosen = pick_topics(ranked, max_topics)
    number = len({case.id for _, case in ranked})
    budget = Budget(_TEXT_BUDGET)
    by_topic: dict[str, list[tuple[Objective, CaseFacts]]] = {name: [] for name in chosen}
    for objective, case in facts.every_case():
        if case.id in by_topic:
            by_topic[case.id].append((objective, case))
    bodies = [
        render_topic(
            name,
            by_topic[name],
            facts.labels,
            chosen[name],
            budget,
            unfolded=place < _UNFOLDED,
        )
        for place, name in enumerate(chosen)
    ]
    table = tabulate_all(facts)
    intro = (
        "Searches that were stopped come first, then those that looked at the most nodes. The "
        "table of all cases has what is known of each."
    )
    hardest = (
        f"<p>{intro}</p>{render_hardest(ranked, facts.labels, chosen, _MAX_HARDEST)}"
        f'<details class="numbers"><summary>All {show_number(len(table.rows), "case")}</summary>'
        f"{render_table(table)}</details>{link_csv(table, 'Download all cases as CSV')}"
    )
    sections = [Section(key="hardest", title="Hardest topics", body=hardest)]
    if bodies:
        sections.append(
            Section(
                key="topics",
                title="Topic by topic",
                body=_introduce_topics(facts, len(bodies), number, budget) + "".join(bodies),
            )
        )
    return sections


def _introduce_topics(facts: Facts, shown: int, number: int, budget: Budget) -> str:
    parts = []
    if shown < number:
        parts.append(
            f"The {shown} hardest of {number:,} topics, to keep the file handy (--topics shows "
            "more); the table of all cases above has every one."
        )
    if facts.has_texts:
        parts.append(
            "Sentences are shaded by the share of oracles that contain them; “core” is in every "
            "oracle, G in the greedy summary."
        )
    else:
        parts.append("Bars show, in document order, the share of oracles with each sentence.")
    if any(not case.exact for _, case in facts.every_case()):
        parts.append("Where the search was stopped, the share is of the sets found so far.")
    if budget.cut:
        parts.append("Texts beyond a million characters in all are left out.")
    return f"<p>{escape(' '.join(parts))}</p>"


def _note(facts: Facts, missing: Sequence[str], *, with_corpus: bool) -> Section:
    parts = []
    if facts.errors:
        rows = "".join(
            f"<li><b>{escape(name)}</b>: {escape(reason)}</li>"
            for name, reason in list(facts.errors)[:_MAX_ERRORS]
        )
        more = len(facts.errors) - _MAX_ERRORS
        rest = f"<p>and {more:,} errors more</p>" if more > 0 else ""
        number = show_number(len(facts.errors), "record")
        parts.append(f'<h3>{number} failed</h3><ul class="plain">{rows}</ul>{rest}')
    if facts.notes:
        rows = "".join(f"<li>{escape(note)}</li>" for note in facts.notes)
        parts.append(f'<h3>To keep in mind</h3><ul class="plain">{rows}</ul>')
    if facts.cases and not facts.has_texts and not with_corpus:
        missing = [*missing, "Texts are not in the results: add the corpus by --corpus."]
    if missing:
        rows = "".join(f"<li>{_mark_code(text)}</li>" for text in missing)
        parts.append(f'<h3>Not in this report</h3><ul class="plain">{rows}</ul>')
    return Section(key="notes", title="Notes", body="".join(parts))


def _mark_code(text: str) -> str:
    parts = escape(text).split("`")
    return "".join(f"<code>{part}</code>" if k % 2 else part for k, part in enumerate(parts))
