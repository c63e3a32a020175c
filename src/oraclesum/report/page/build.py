"""A report from result files: read, complete from the corpus, draw, and put together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from html import escape
from pathlib import Path

from ...corpora import Topic
from ...errors import InputError, RecordError
from ...signature import package_version
from .completing import complete_facts
from .correlations import chart_correlations
from .document import Section, render_document
from .effort import chart_nodes, chart_seconds
from .facts import Case, Facts
from .families import chart_families
from .figures import Chart, link_csv, render_chart, render_table
from .gathering import gather_facts
from .greedy import chart_greedy
from .headline import render_headline, render_objective
from .loading import load_results
from .numbers import show_number, show_seconds
from .objective import Objective
from .positions import chart_positions
from .ranking import chart_ranking
from .room import chart_room
from .scatter import chart_scatter
from .topics import Budget, pick_topics, rank_cases, render_hardest, render_topic, tabulate_all

__all__ = ["build_report"]

_MOST_HARDEST = 20
_MOST_ERRORS = 50
_UNFOLDED = 10  # topics whose sentences are shown unasked
_TEXT_BUDGET = 1_000_000  # characters of sentences in all sections together

# What to say instead where the corpus was given.
_WITH_CORPUS = {
    "positions": "Where oracle sentences stand needs their inclusion: add the output of `oraclesum "
    "enumerate`.",
    "greedy": "How near greedy summaries come needs the texts of the results, which the given "
    "corpus does not hold; the output of `oraclesum reproduce` says it without texts.",
}

Draw = Callable[[Sequence[Case], str, str, Objective], Chart | None]

# Section, its charts, and what to say where the input has nothing to draw.
_DRAWN: tuple[tuple[str, str, tuple[tuple[str, Draw], ...], str], ...] = (
    (
        "room",
        "The room left",
        (("room", lambda c, k, label, o: chart_room(c, k, label, o)),),
        "No case has a score: run `oraclesum enumerate` or `oraclesum evaluate`.",
    ),
    (
        "families",
        "How many oracles",
        (("families", lambda c, k, label, o: chart_families(c, k, label)),),
        "The number of oracles is in the output of `oraclesum enumerate`.",
    ),
    (
        "positions",
        "Where oracle sentences stand",
        (("positions", lambda c, k, label, o: chart_positions(c, k, label)),),
        "Where oracle sentences stand needs their inclusion: add the output of `oraclesum "
        "enumerate`, or the corpus by --corpus.",
    ),
    (
        "greedy",
        "Greedy against oracles",
        (("greedy", lambda c, k, label, o: chart_greedy(c, k, label)),),
        "How near greedy summaries come needs the texts: add the corpus by --corpus, or the output "
        "of `oraclesum reproduce`.",
    ),
    (
        "systems",
        "Systems, by ROUGE and by F",
        (("systems", lambda c, k, label, o: chart_ranking(c, k, label, o)),),
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
            ("nodes", lambda c, k, label, o: chart_nodes(c, k, label)),
            ("seconds", lambda c, k, label, o: chart_seconds(c, k, label)),
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
    warn: Callable[[str], None] | None = None,
) -> str:
    """The report of some result files as HTML. Raises InputError, MissingExtraError.

    `corpus` adds texts and what follows from them; `topics` is how many get a section; `human`
    names the human score of the systems as points, where there are several; `warn` is told what of
    the results the corpus does not have.
    """
    files = [load_results(path) for path in results]
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
    measures = dict.fromkeys(f"ROUGE-{objective.n}" for objective in facts.cases)
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
        if key == "agreement":
            scores = dict.fromkeys(str(record["human"]) for record in facts.correlations)
            for number, score in enumerate(scores):
                rows = [record for record in facts.correlations if record["human"] == score]
                drawn.append(chart_correlations(rows, f"correlations-{number}"))
            charts = (("scatter", partial(_draw_scatter, human=human)),)
        for name, draw in charts:
            for number, (objective, cases) in enumerate(facts.cases.items()):
                label = facts.labels[objective]
                own = f"{name}-{number}" if several else f"{name}-chart"
                drawn.append(draw(list(cases.values()), own, label, objective))
        found = [render_chart(chart) for chart in drawn if chart is not None]
        if key == "effort" and facts.work_seconds is not None:
            found.append(_tell_times(facts))
        if found:
            sections.append(Section(key=key, title=title, body="".join(found)))
        else:
            missing.append(_WITH_CORPUS.get(key, absent) if with_corpus else absent)
    return sections, missing


def _draw_scatter(
    cases: Sequence[Case], key: str, label: str, objective: Objective, *, human: str | None
) -> Chart | None:
    return chart_scatter(cases, key, label, objective.n, human)


def _tell_times(facts: Facts) -> str:
    slowest = sorted(facts.slowest, key=lambda pair: -pair[1])[:5]
    listed = ", ".join(f"{escape(name)} {show_seconds(seconds)}" for name, seconds in slowest)
    return (
        f"<p>The run took {show_seconds(facts.work_seconds or 0.0)} of work over all its workers. "
        f"Its slowest documents: {listed}.</p>"
    )


def _list_topics(facts: Facts, most: int) -> list[Section]:
    if not facts.cases:
        return []
    ranked = rank_cases(facts)
    chosen = pick_topics(ranked, most)
    number = len({case.id for _, case in ranked})
    budget = Budget(_TEXT_BUDGET)
    by_topic: dict[str, list[tuple[Objective, Case]]] = {name: [] for name in chosen}
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
        f"<p>{intro}</p>{render_hardest(ranked, facts.labels, chosen, _MOST_HARDEST)}"
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
            "Sentences are shaded by the share of oracles that hold them; “core” is in every "
            "oracle, G in the greedy summary."
        )
    else:
        parts.append("Bars show the share of oracles that hold each sentence, in document order.")
    if budget.cut:
        parts.append("Texts beyond a million characters in all are left out.")
    return f"<p>{escape(' '.join(parts))}</p>"


def _note(facts: Facts, missing: Sequence[str], *, with_corpus: bool) -> Section:
    parts = []
    if facts.errors:
        rows = "".join(
            f"<li><b>{escape(name)}</b>: {escape(reason)}</li>"
            for name, reason in list(facts.errors)[:_MOST_ERRORS]
        )
        more = len(facts.errors) - _MOST_ERRORS
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
