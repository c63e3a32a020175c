"""The options of the verbs that look at system summaries, and our own systems run on a case."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from .options import stack_options

if TYPE_CHECKING:
    from ..answers import Case
    from .settings import Settings

__all__ = ["alignment_options", "draw_option", "own_systems_option", "run_own_systems"]

_OURS = ("lead", "random", "frequency", "centroid", "concept-coverage")


def _split_systems(_: click.Context, __: click.Parameter, value: str | None) -> tuple[str, ...]:
    names = tuple(name.strip() for name in (value or "").split(",") if name.strip())
    if names == ("all",):
        return _OURS
    for name in names:
        if name not in _OURS:
            raise click.BadParameter(f"{name!r} is not one of {', '.join(_OURS)}, or all")
    return tuple(dict.fromkeys(names))


own_systems_option = click.option(
    "--systems",
    metavar="NAMES",
    callback=_split_systems,
    help=f"Also run our own: {', '.join(_OURS)}; separated by commas, or all.",
)

alignment_options = stack_options(
    click.option(
        "--threshold",
        type=click.FloatRange(0, 1),
        default=0.8,
        show_default=True,
        metavar="X",
        help="Similarity from which text counts as a document sentence that is not equal to it.",
    ),
    click.option(
        "--cut/--no-cut",
        default=False,
        show_default=True,
        help="Let ROUGE see a summary only up to the limits, as ROUGE's -l and -b do.",
    ),
)

draw_option = click.option(
    "--draws",
    type=click.IntRange(min=1),
    default=100,
    show_default=True,
    metavar="N",
    help="How many times one random oracle is drawn.",
)


def run_own_systems(case: Case, settings: Settings) -> dict[str, Any]:
    """The summaries of our own systems that were asked for, under names that say they are ours."""
    if not settings.systems:
        return {}
    from ..evaluation.panel import derive_seed
    from ..systems import run_systems

    return run_systems(
        settings.systems,
        sentences=case.sentences,
        doc_ids=case.topic.doc_ids,
        limits=settings.make_limits(),
        language=case.rouge.language,
        seed=derive_seed(settings.seed, case.id),  # as `reproduce` does
        time_limit=settings.time_limit,
    )
