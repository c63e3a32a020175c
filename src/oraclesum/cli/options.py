"""The options that verbs share, in groups; names and defaults are those of Settings."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from ..answers import Case
    from .settings import Settings

__all__ = [
    "alignment_options",
    "draw_option",
    "folder_options",
    "length_options",
    "limit_options",
    "method_option",
    "objective_options",
    "one_limit_options",
    "output_options",
    "own_systems_option",
    "rouge_options",
    "run_options",
    "run_own_systems",
    "shard_format_option",
    "solve_options",
    "stack_options",
]

Decorator = Callable[[Any], Any]


def stack_options(*options: Decorator) -> Decorator:
    """Several options as one decorator, shown in this order."""

    def decorate(function: Any) -> Any:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


rouge_options = stack_options(
    click.option(
        "--rouge",
        type=click.IntRange(1, 9),
        default=2,
        show_default=True,
        metavar="N",
        help="ROUGE-N: length of the n-grams.",
    ),
    click.option(
        "--stem/--no-stem",
        default=True,
        show_default=True,
        help="Compare stems (ROUGE-1.5.5's Porter for English, Snowball elsewhere).",
    ),
    click.option("--remove-stopwords", is_flag=True, help="Leave stop words out (ROUGE's -s)."),
    click.option(
        "--language",
        metavar="CODE",
        help="Language of all records, e.g. en, fr, de. Default: each record's own "
        "`language` field, else en.",
    ),
)


objective_options = stack_options(
    click.option(
        "--objective",
        metavar="TEXT",
        help="Maximise this instead of recall of --rouge: r1-f1+r2-f1, rlsum-f1, 2*r1-f1+r2-f2. "
        "A term is r1 to r9, rl or rlsum with -recall, -precision, -f1 or another -fBETA.",
    ),
    click.option(
        "--boundaries",
        type=click.Choice(["within", "across"]),
        default="within",
        show_default=True,
        help="Whether n-grams of a summary run across its sentences, as ROUGE programs print it.",
    ),
    click.option(
        "--counting",
        type=click.Choice(["clipped", "sets"]),
        default="clipped",
        show_default=True,
        help="Count n-grams as often as they occur in both texts, or each distinct one once.",
    ),
    click.option(
        "--multi-reference",
        type=click.Choice(["pooled", "best"]),
        default="pooled",
        show_default=True,
        help="Several references: added up (ROUGE-1.5.5's -f A), or the best one.",
    ),
    click.option(
        "--within",
        metavar="X",
        default="0",
        help="Also the sets whose score is at most X below the best, e.g. 0.005.",
    ),
    click.option(
        "--top",
        type=click.IntRange(min=0),
        metavar="M",
        default=0,
        help="The M best sets, with all ties of the last.",
    ),
    click.option("--min-words", type=int, metavar="N", help="Shortest summary in words."),
    click.option("--min-sentences", type=int, metavar="N", help="Shortest summary in sentences."),
)


def _make_length_options(how_many: str) -> Decorator:
    return stack_options(
        click.option("--max-words", type=int, metavar="N", help="Longest summary in words."),
        click.option(
            "--max-sentences", type=int, metavar="N", help="Longest summary in sentences."
        ),
        click.option(
            "--max-bytes",
            type=int,
            metavar="N",
            help=f"Longest summary in UTF-8 bytes. {how_many}",
        ),
    )


_references_option = click.option(
    "--references",
    type=click.Choice(["multi", "single"]),
    default="multi",
    show_default=True,
    help="All references of a topic together, or each one alone.",
)

length_options = _make_length_options("Limits can be combined; one is needed.")
limit_options = stack_options(length_options, _references_option)
one_limit_options = stack_options(
    _make_length_options("Exactly one limit is needed."), _references_option
)

run_options = stack_options(
    click.option(
        "--format",
        default="auto",
        show_default=True,
        metavar="NAME",
        help="Of IN: jsonl, parquet, arrow, stories, duc2001 to duc2007, tac2008 to tac2011.",
    ),
    click.option(
        "--also",
        multiple=True,
        metavar="PATH",
        help="A further folder or archive of the same corpus. Can be given again.",
    ),
    click.option(
        "--reference-length",
        metavar="N",
        help="Which references, where a year of DUC has several lengths, e.g. 50 or 200e.",
    ),
    click.option(
        "--task",
        type=click.Choice(["multi", "single"]),
        default="multi",
        show_default=True,
        help="DUC 2001-2002: one topic per cluster of documents, or per document.",
    ),
    click.option(
        "--record-bytes",
        type=click.IntRange(1, 1 << 40),
        default=256 << 20,
        show_default="256 MiB",
        metavar="N",
        help="Refuse a longer line or row, or a larger file that must be read whole.",
    ),
    click.option(
        "--jobs",
        type=click.IntRange(1, 1024),
        default=1,
        show_default=True,
        metavar="N",
        help="Topics worked on at once, each in a process of its own.",
    ),
)


progress_option = click.option(
    "--progress",
    type=click.Choice(["auto", "json"]),
    default="auto",
    show_default=True,
    help="json writes one JSON object per line to standard error, for programs.",
)

output_options = stack_options(
    click.option("-o", "--output", metavar="OUT", help="Write JSON lines to this file."),
    click.option("--force", is_flag=True, help="Overwrite OUT if it exists."),
    click.option("-q", "--quiet", is_flag=True, help="No progress and no closing summary."),
    progress_option,
)

folder_options = stack_options(
    click.option(
        "--shard-size",
        type=click.IntRange(1, 10**9),
        metavar="N",
        help="OUT is a folder of files with N input records each. [default: 1000]",
    ),
    click.option("--resume", is_flag=True, help="Continue the run that the folder OUT contains."),
    click.option(
        "--engine",
        type=click.Choice(["local", "ray"]),
        help="Make shards in --jobs processes here, or on a Ray cluster. [default: local]",
    ),
    click.option(
        "--ray-address",
        metavar="HOST:PORT",
        help="The Ray cluster, or auto. Default: one of this machine alone.",
    ),
)

shard_format_option = click.option(
    "--output-format",
    type=click.Choice(["jsonl", "parquet"]),
    help="OUT is a folder of such files. [default: jsonl]",
)


def solve_options(*, time_limit: float | None = None) -> Decorator:
    """How long and with how many threads a problem is worked on."""
    return stack_options(
        click.option(
            "--time-limit",
            type=click.FloatRange(min=0, min_open=True),
            metavar="S",
            default=time_limit,
            show_default=time_limit is not None,
            help="Seconds per problem and method; then the best found so far is reported.",
        ),
        click.option(
            "--threads",
            type=click.IntRange(min=1),
            default=1,
            show_default=True,
            metavar="N",
            help="Threads inside one problem.",
        ),
        click.option(
            "--seed",
            type=click.IntRange(min=0),
            default=0,
            show_default=True,
            metavar="N",
            help="Seed of the methods that draw at random.",
        ),
    )


def method_option(*names: str, default: str = "search") -> Decorator:
    """--method with the names a verb can run."""
    return click.option(
        "--method",
        type=click.Choice(names),
        default=default,
        show_default=True,
        help="How to solve; all exact methods agree.",
    )


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
