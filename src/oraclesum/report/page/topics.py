"""The hardest topics, a section for each, and the table of all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from html import escape

from ...evaluation.share import measure_share
from ...oracles.status import Status
from ..grid import Cell, Grid, make_grid
from .facts import PROVEN, CaseFacts, Facts, Hits, Objective, label_case
from .families import show_number_of_oracles
from .numbers import show_count, show_nodes, show_number, show_score, show_seconds, show_share

__all__ = ["Budget", "pick_topics", "rank_cases", "render_hardest", "render_topic", "tabulate_all"]

Pair = tuple[Objective, CaseFacts]

_MAX_ORACLES = 5  # sets shown of a case
_MAX_INDICES = 40  # of a set that are shown


class Budget:
    """How many characters of text the sections may still use, so that the file stays handy."""

    def __init__(self, characters: int) -> None:
        self.left = characters
        self.cut = False

    def take(self, characters: int) -> bool:
        """Whether so many characters more may be shown."""
        if characters > self.left:
            self.cut = True
            return False
        self.left -= characters
        return True


def rank_cases(facts: Facts) -> list[Pair]:
    """All cases, the hardest first: not proven, not ended, many nodes, long, many sentences."""

    def hardness(pair: Pair) -> tuple[object, ...]:
        case = pair[1]
        return (
            case.proven,
            case.exact,
            -(case.checked or 0),
            -case.seconds.get("search", 0.0),
            -(case.sentences or 0),
        )

    return sorted(facts.every_case(), key=hardness)


def pick_topics(ranked: Sequence[Pair], max_topics: int) -> dict[str, str]:
    """The topics that get a section: id of the topic to id of the section."""
    names = list(dict.fromkeys(case.id for _, case in ranked))[:max_topics]
    return {name: f"topic-{number}" for number, name in enumerate(names, 1)}


def render_hardest(
    ranked: Sequence[Pair],
    labels: Mapping[Objective, str],
    sections: dict[str, str],
    shown: int,
) -> str:
    """The hardest cases as a table with links."""
    timed = any("search" in case.seconds for _, case in ranked[:shown])
    heads = ["score", "oracles", "nodes", *(["seconds"] if timed else []), "sentences"]
    rows = []
    for objective, case in ranked[:shown]:
        name = escape(case.name)
        if case.id in sections:
            name = f'<a href="#{sections[case.id]}">{name}</a>'
        if len(labels) > 1:
            name += f' <small class="muted">{escape(labels[objective])}</small>'
        cells = [
            "–"  # noqa: RUF001 - a dash
            if case.unmet
            else show_score(case.score) + ("" if case.proven else " or more"),
            ("" if case.exact or case.count is None else "≥ " if case.proven else "found ")
            + show_count(case.count),
            "–" if case.checked is None else show_count(case.checked),  # noqa: RUF001 - a dash
        ]
        if timed:
            seconds = case.seconds.get("search")
            cells.append("–" if seconds is None else show_seconds(seconds))  # noqa: RUF001
        cells.append("–" if case.sentences is None else f"{case.sentences:,}")  # noqa: RUF001
        rest = "".join(f'<td class="r">{cell}</td>' for cell in cells)
        status = escape(_say_status(case))
        rows.append(f'<tr><th scope="row">{name}</th>{rest}<td class="status">{status}</td></tr>')
    head = "".join(f'<th scope="col" class="r">{name}</th>' for name in heads)
    return (
        '<div class="scroll" tabindex="0" role="region" aria-label="Hardest cases"><table>'
        f'<thead><tr><th scope="col">case</th>{head}<th scope="col">status</th></tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


def _say_status(case: CaseFacts) -> str:
    if case.status == PROVEN:
        return "best score proven, oracles not counted"
    try:
        return Status(case.status).words
    except ValueError:
        return case.status


def render_topic(
    name: str,
    pairs: Sequence[Pair],
    labels: Mapping[Objective, str],
    section: str,
    budget: Budget,
    *,
    unfolded: bool,
) -> str:
    """The section of one topic: its cases in a line each, then the sentences by inclusion."""
    # Of one problem the report says at its head which it is.
    named = len(pairs) > 1 or len(labels) > 1
    lines = "".join(
        _render_case(objective, case, label_case(labels[objective], case) if named else "")
        for objective, case in pairs
    )
    shown = next(((objective, case) for objective, case in pairs if case.inclusion), None)
    body = ""
    if shown is not None:
        label = f"{label_case(labels[shown[0]], shown[1])}: " if len(pairs) > 1 else ""
        body = _render_sentences(shown[1], label, budget, unfolded)
    return (
        f'<section class="topic" id="{section}"><h3>{escape(name)}</h3>{lines}{body}'
        '<p class="back"><a href="#hardest">Back to the hardest topics</a></p></section>\n'
    )


def _render_case(objective: Objective, case: CaseFacts, name: str) -> str:
    more = "" if case.proven else " or more"
    score = f"<b>{case.tell(case.hits)} = {show_score(case.score)}</b> "
    parts = [
        "<b>no set met in time</b>" if case.unmet else score + escape(objective.statistic) + more,
        escape(
            "oracles not counted"
            if case.count is None or case.unmet
            else show_number_of_oracles(case.count, case.exact)
            if case.proven
            else f"{show_number(case.count, 'set')} found so far"
        ),
    ]
    if case.greedy_hits is not None and case.hits:
        parts.append(f"greedy {case.tell(case.greedy_hits)}")
    if case.checked is not None:
        parts.append(show_nodes(case.checked))
    if case.upper_bound is not None and not case.proven:
        parts.append(f"at most {case.tell(case.upper_bound)} possible")
    best = max(case.systems.items(), key=lambda row: row[1].objective_hits, default=None)
    reached = None if best is None else measure_share(best[1].objective_hits, case.hits)
    if best is not None and reached is not None:
        longer = " (longer than the limit)" if best[1].exceeds(objective.max_words) else ""
        share = show_share(reached)
        of = "the oracle" if case.proven else "the best found"
        parts.append(f"best system: {escape(best[0])}, {share} of {of}{longer}")
    label = f'<span class="muted">{escape(name)}:</span> ' if name else ""
    return (
        f'<p class="facts">{label}{" · ".join(parts)}<br>'
        f'<span class="muted">{escape(_say_status(case))}</span></p>'
    )


def _render_sentences(case: CaseFacts, label: str, budget: Budget, unfolded: bool) -> str:
    inclusion = case.inclusion or []
    used = [k for k, value in enumerate(inclusion) if value > 0]
    core = [k for k in used if inclusion[k] >= 1]
    strip = _draw_strip(inclusion, case)
    words = f"{label}{show_number(len(inclusion), 'sentence')}; " + (
        f"{len(used):,} in some oracle, {len(core):,} in every oracle"
        if case.exact
        else "no set was met in time"
        if case.unmet
        else f"{len(used):,} in the sets found so far"
    )
    sets = ""
    if case.oracles:
        shown = "; ".join(_show_set(oracle) for oracle in case.oracles[:_MAX_ORACLES])
        more = (case.count or 0) - min(len(case.oracles), _MAX_ORACLES)
        rest = f"; and {show_count(more)} more" if more > 0 else ""
        name = "Oracles" if case.exact else "Found so far"
        sets = f'<p class="sets muted">{name}: {shown}{rest}</p>'
    body = ""
    if case.texts is not None:
        texts = _render_texts(case, case.texts, inclusion, budget)
        state = " open" if unfolded else ""
        body = f"<details{state}><summary>The sentences</summary>{texts}</details>"
    return f'{strip}<p class="muted">{escape(words)}</p>{sets}{body}'


def _show_set(oracle: Sequence[int]) -> str:
    text = " ".join(map(str, oracle[:_MAX_INDICES]))
    return f"{{{text}{' …' if len(oracle) > _MAX_INDICES else ''}}}"


def _draw_strip(inclusion: Sequence[float], case: CaseFacts) -> str:
    """A bar per sentence, all in one path: thousands of sentences stay small."""
    bars = "".join(
        f"M{k}.1 20v-{max(2.0, 20 * value):.3g}h.8V20z"
        for k, value in enumerate(inclusion)
        if value > 0
    )
    sets = "oracles" if case.exact else "the sets found so far"
    name = escape(
        f"Share of {sets} that contain each sentence of {case.name}, in order", quote=True
    )
    return (
        f'<svg class="strip" role="img" aria-label="{name}" viewBox="0 0 {len(inclusion)} 20" '
        f'preserveAspectRatio="none"><path d="{bars}"/></svg>'
    )


def _render_texts(
    case: CaseFacts, texts: Sequence[str], inclusion: Sequence[float], budget: Budget
) -> str:
    greedy = set(case.greedy or ())
    absent = "in no oracle" if case.exact else "in no set found so far"
    rows: list[str] = []

    def show_row(k: int, text: str, value: float) -> str:
        return _render_row(k, text, _show_inclusion(value, case), value, k in greedy)

    run: list[int] = []

    def end_run() -> None:
        if not run:
            return
        name = f"{show_number(len(run), 'sentence')} {absent}"
        if budget.take(sum(len(texts[k]) for k in run)):
            inner = "".join(show_row(k, texts[k], 0.0) for k in run)
            rows.append(
                f'<li class="gap"><details><summary>{name}</summary><ol>{inner}</ol></details></li>'
            )
        else:
            rows.append(f'<li class="gap">{name}, text left out</li>')
        run.clear()

    for k, value in enumerate(inclusion):
        if value <= 0:
            run.append(k)
            continue
        end_run()
        if budget.take(len(texts[k])):
            rows.append(show_row(k, texts[k], value))
        else:
            rows.append(show_row(k, "(text left out)", value))
    end_run()
    return f'<ol class="sentences">{"".join(rows)}</ol>'


def _show_inclusion(value: float, case: CaseFacts) -> str:
    """The share of the sets with a sentence; only of all oracles is one in each of them core."""
    if value >= 1:
        return "core" if case.exact else "100%"
    share = f"{value:.0%}" if value else ""
    return {"0%": "&lt;1%", "100%": "&gt;99%"}.get(share, share)  # neither none nor all


def _render_row(k: int, text: str, share: str, value: float, greedy: bool) -> str:
    mark = ' <abbr title="the greedy summary has it">G</abbr>' if greedy else ""
    return (
        f'<li style="--s:{value:.3g}"><span class="k">{k}</span><span class="v">{share}</span>'
        f"<span>{escape(text)}{mark}</span></li>"
    )


def _show_exact(hits: Hits | None) -> int | str | None:
    return str(hits) if isinstance(hits, Fraction) else hits


def tabulate_all(facts: Facts) -> Grid:
    """Every case with everything known of it, for the CSV file."""
    methods = sorted({method for _, case in facts.every_case() for method in case.seconds})
    names = [
        "topic",
        "reference",
        "objective",
        "status",
        "hits",
        "total",
        "score",
        "score proven",
        "upper bound",
        "oracles",
        "count exact",
        "nodes",
        "sentences",
        "candidates",
        "greedy hits",
        "greedy Jaccard",
        *(f"seconds {method}" for method in methods),
        *(["problem"] if len(facts.cases) > 1 else []),
        *(["files"] if len(facts.sources) > 1 else []),
    ]
    rows = []
    for objective, case in facts.every_case():
        values = [
            case.id,
            case.reference,
            objective.statistic,
            case.status,
            None if case.unmet else _show_exact(case.hits),
            case.total,
            None if case.unmet else round(case.score, 6),
            "yes" if case.proven else "no",
            _show_exact(case.upper_bound),
            None if case.count is None else str(case.count),
            "yes" if case.known_count is not None else "no",
            case.checked,
            case.sentences,
            case.candidates,
            _show_exact(case.greedy_hits),
            None if case.jaccard is None else round(case.jaccard, 6),
            *(case.seconds.get(method) for method in methods),
            *([facts.labels[objective]] if len(facts.cases) > 1 else []),
            *([", ".join(case.files)] if len(facts.sources) > 1 else []),
        ]
        rows.append(tuple(Cell(value=value) for value in values))
    return make_grid("all-cases", "All cases", names, rows)
