"""What tells the problems of a report apart, and which files were taken together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from .facts import Case, CaseKey
from .numbers import show_number
from .objective import Objective

__all__ = ["explain_pools", "label_case", "label_objectives"]

_MOST_FILES = 3
_ALONE = "each reference alone"

Cases = Mapping[CaseKey, Case]


def label_objectives(problems: Mapping[Objective, Cases]) -> dict[Objective, str]:
    """A short name of each problem with all that differs; empty where there is one of one file."""
    if len(problems) == 1:
        ((objective, cases),) = problems.items()
        return {objective: _name_pool(cases)}
    settings: tuple[Callable[[Objective], str], ...] = (
        lambda o: o.limit_words.removeprefix("at most "),
        lambda o: _ALONE if o.single else "all references",
        lambda o: "stems" if o.stem else "no stems",
        lambda o: "no stop words" if o.remove_stopwords else "with stop words",
        lambda o: "minimal sets only" if o.family == "minimal" else f"{o.family} sets",
        lambda o: f"within {show_number(o.within_hits, 'hit')}",
    )
    differing = [say for say in settings if len({say(o) for o in problems}) > 1]
    languages = {o: _list(sorted({c.language for c in problems[o].values()})) for o in problems}
    files = {o: _list(_list_files(problems[o])) for o in problems}
    labels = {}
    for objective, cases in problems.items():
        parts = [f"ROUGE-{objective.n}", *(say(objective) for say in differing)]
        if len(set(languages.values())) > 1 and languages[objective]:
            parts.append(languages[objective])
        if pool := _name_pool(cases):
            parts.append(pool)
        elif len(set(files.values())) > 1:
            parts.append(files[objective])
        labels[objective] = ", ".join(parts)
    return labels


def label_case(label: str, case: Case) -> str:
    """The name of the problem with the reference that the case is of."""
    if case.reference is None:
        return label
    own = f"reference {case.reference}"
    return label.replace(_ALONE, own) if _ALONE in label else ", ".join(filter(None, (label, own)))


def explain_pools(problems: Mapping[Objective, Cases]) -> list[str]:
    """A sentence for each problem whose means are over files that share no case."""
    told = []
    for objective, cases in problems.items():
        pools = _find_pools(cases)
        if len(pools) < 2:
            continue
        parts = [
            f"{show_number(len({case.id for case in held}), 'topic')} of {_list(names)}"
            for names, held in pools
        ]
        name = f"ROUGE-{objective.n}, {objective.limit_words}: " if len(problems) > 1 else ""
        told.append(
            f"{name}Means and charts take files together that share no topic: {'; '.join(parts)}. "
            "A report of each file alone keeps them apart."
        )
    return told


def _name_pool(cases: Cases) -> str:
    return f"{_list(_list_files(cases))} together" if len(_find_pools(cases)) > 1 else ""


def _list_files(cases: Cases) -> list[str]:
    return list(dict.fromkeys(name for case in cases.values() for name in case.files))


def _find_pools(cases: Cases) -> list[tuple[list[str], list[Case]]]:
    """Files that share cases, with those: one group where every file speaks of the same."""
    pools: list[tuple[list[str], list[Case]]] = []
    by_files: dict[tuple[str, ...], list[Case]] = {}
    for case in cases.values():
        by_files.setdefault(tuple(case.files), []).append(case)
    for files, members in by_files.items():
        names, held = list(files), list(members)
        apart = []
        for pool in pools:
            if set(pool[0]) & set(names):
                names = list(dict.fromkeys([*pool[0], *names]))
                held = [*pool[1], *held]
            else:
                apart.append(pool)
        pools = [*apart, (names, held)]
    return pools


def _list(names: Iterable[str]) -> str:
    shown = [name for name in names if name]
    if len(shown) > _MOST_FILES:
        more = len(shown) - _MOST_FILES + 1
        shown = [*shown[: _MOST_FILES - 1], f"{more} more"]
    return " and ".join(filter(None, (", ".join(shown[:-1]), *shown[-1:])))
