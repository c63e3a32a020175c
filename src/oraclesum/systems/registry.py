"""Our reference systems by name; each takes a document and limits, and gives sentence indices."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from importlib import import_module

from ..errors import InputError
from ..instances.limits import Limits
from ..text import Analyser
from .document import Document

__all__ = ["PREFIX", "SYSTEMS", "Document", "run_system", "run_systems"]

# Tables name our own runs of well-known ideas as ours: none of them is the authors' program.
PREFIX = "oraclesum/"

System = Callable[[Document], tuple[int, ...]]


def _lazy(module: str, name: str) -> System:
    @cache
    def load() -> Callable[[Document], Iterable[int]]:
        chooser: Callable[[Document], Iterable[int]] = getattr(
            import_module(f"{__package__}.{module}"), name
        )
        return chooser

    return lambda document: tuple(sorted(load()(document)))


SYSTEMS: Mapping[str, System] = {
    "lead": _lazy("simple", "select_lead"),
    "random": _lazy("simple", "select_random"),
    "frequency": _lazy("frequency", "select_frequent"),
    "centroid": _lazy("centroid", "select_central"),
    "concept-coverage": _lazy("concepts", "select_concepts"),
}


def run_system(name: str, document: Document) -> tuple[int, ...]:
    """Sentence indices, ascending, that the system of that name chooses within the limits."""
    system = SYSTEMS.get(name.removeprefix(PREFIX))
    if system is None:
        raise InputError(f"unknown system {name!r}; known: {', '.join(SYSTEMS)}")
    return system(document)


def run_systems(
    names: Iterable[str],
    *,
    sentences: Sequence[str],
    doc_ids: Sequence[int] | None,
    limits: Limits,
    language: str = "en",
    seed: int = 0,
    time_limit: float | None = None,
) -> dict[str, tuple[int, ...]]:
    """The summaries of several of our systems, under names that say they are ours."""
    document = Document(
        sentences=sentences,
        doc_ids=doc_ids,
        limits=limits,
        content=_content_words(language),
        seed=seed,
        time_limit=time_limit,
    )
    return {PREFIX + name.removeprefix(PREFIX): run_system(name, document) for name in names}


@cache
def _content_words(language: str) -> Analyser:
    """Stems without stop words, as far as the language has a stemmer and a stop list."""
    if language == "en":
        return Analyser(remove_stopwords=True)
    try:
        return Analyser(language=language)
    except InputError:
        return Analyser(language=language, stem=False)
