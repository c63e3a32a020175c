"""The options that verbs share, each spelled once; names and defaults are those of Settings.

An option that some verbs word differently is a `partial`: it is called with what differs, as
`click.option` takes it (`jobs_option(default=2, help="Searches at once.")`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from ..answers import Case
    from .settings import Settings

__all__ = [
    "OUR_SYSTEMS",
    "NumberRange",
    "PathName",
    "alignment_options",
    "choice_options",
    "collection_options",
    "draw_option",
    "family_option",
    "folder_options",
    "force_option",
    "format_option",
    "further_objective_options",
    "human_option",
    "jobs_option",
    "language_option",
    "length_options",
    "limit_options",
    "list_option",
    "max_length_options",
    "method_option",
    "near_options",
    "one_limit_options",
    "output_option",
    "output_options",
    "parts_options",
    "quiet_option",
    "record_bytes_option",
    "rouge_options",
    "run_options",
    "run_own_systems",
    "seed_option",
    "shard_format_option",
    "solve_options",
    "summary_option",
    "systems_option",
    "text_options",
    "threshold_option",
    "time_limit_option",
]

Decorator = Callable[[Any], Any]

_STANDARD_OUTPUT = ("/dev/stdout", "/dev/fd/1", "/proc/self/fd/1")


def stack_options(*options: Decorator) -> Decorator:
    """Several options as one decorator, shown in this order."""

    def decorate(function: Any) -> Any:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


class PathName(click.ParamType):  # type: ignore[type-arg]  # older versions take none
    """The name of a file or folder, an address, or `-`; refused if nothing can have that name."""

    name = "path"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        from ..corpora.reading import check_name
        from ..errors import InputError

        if "://" not in value:
            try:
                check_name(value)
            except InputError as error:
                self.fail(str(error), param, ctx)
        return str(value)


class OutputName(PathName):
    """The name of an output. Other names of standard output are that: opened again, it is another.

    If it is closed, what is opened in its place would take everything without a word.
    """

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        return "-" if value in _STANDARD_OUTPUT else super().convert(value, param, ctx)


class NumberRange(click.FloatRange):
    """A number in a range; click lets nan through, which is neither below nor above anything."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        number = float(super().convert(value, param, ctx))
        if number != number:
            self.fail(f"{value} is no number.", param, ctx)
        return number


_LENGTHS = tuple("123456789")


class RougeLength(click.ParamType):  # type: ignore[type-arg]  # older versions take none
    """N of ROUGE-N; what people write for other measures gets the right word."""

    name = "n"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        from ..message import show_value

        text = str(value).strip().lower()
        if text in _LENGTHS:
            return int(text)
        if text.lstrip("-").isdecimal():
            self.fail(f"{show_value(value)} is not in the range 1<=x<=9.", param, ctx)
        if text in ("l", "lsum", "rougel", "rougelsum", "rouge-l"):
            self.fail("ROUGE-L is an objective: --objective rlsum-f1, or rl-f1", param, ctx)
        parts = [part.strip() for part in text.replace("+", ",").split(",")]
        if len(parts) > 1 and all(part in _LENGTHS for part in parts):
            terms = "+".join(f"r{part}-f1" for part in parts)
            self.fail(f"a sum is an objective: --objective {terms}", param, ctx)
        raise click.BadParameter(
            f"{show_value(value)} is not a whole number from 1 to 9", ctx, param
        )


def _refuse_f1(_: click.Context, __: click.Parameter, value: bool) -> None:
    if value:
        raise click.UsageError("--f1 is not an option; F1 is an objective: --objective r1-f1+r2-f1")


language_option = partial(
    click.option,
    "--language",
    metavar="CODE",
    help="Language of all records, e.g. en, fr, de. Default: each record's own `language` field, "
    "else en; auto: else the one that its text is in.",
)


def _make_objective_options(what: str) -> Decorator:
    return stack_options(
        click.option(
            "--objective",
            metavar="TEXT",
            help=f"{what}: terms added with +, such as r1-f1+r2-f1 or 2*r1-f1+rlsum-f1. "
            "A term is r1 to r9 (n-grams), rl (longest common subsequence) or rlsum (its union "
            "over sentences) with -recall, -precision, -f1 or another -fBETA. Or a preset, which "
            "sets tokens, counting and limits too: presumm, oreo, memsum, neusum, matchsum (what "
            "these programs maximise), rouge-score, rouge-1.5.5 (what they print), hirao (the "
            "paper).",
        ),
        click.option("--f1", is_flag=True, hidden=True, expose_value=False, callback=_refuse_f1),
        click.option(
            "--boundaries",
            type=click.Choice(["within", "across"]),
            help="N-grams of a summary stay within its sentences, or run across them, as ROUGE "
            "programs print it. [default: within]",
        ),
        click.option(
            "--counting",
            type=click.Choice(["clipped", "sets"]),
            help="N-grams count as often as they occur in both texts, or each distinct one once. "
            "[default: clipped]",
        ),
        click.option(
            "--multi-reference",
            type=click.Choice(["pooled", "best"]),
            help="Several references: added up (ROUGE-1.5.5's -f A), or the best one. "
            "[default: pooled]",
        ),
        click.option(
            "--stem/--no-stem",
            default=None,
            help="Compare stems (ROUGE-1.5.5's Porter for English, Snowball elsewhere). "
            "[default: stem]",
        ),
        click.option(
            "--remove-stopwords",
            is_flag=True,
            default=None,
            help="Leave stop words out (ROUGE's -s).",
        ),
        click.option(
            "--tokens",
            type=click.Choice(
                [
                    *("rouge-1.5.5", "rouge-score", "presumm", "memsum", "whitespace"),
                    *("words", "characters", "icu", "kiwi"),
                ]
            ),
            help="Whose rules make English words [default: rouge-1.5.5]. Languages without "
            "spaces have characters for words, or those of the library icu; Korean has words, "
            "characters, or the morphemes of kiwi.",
        ),
        language_option(),
    )


rouge_options = stack_options(
    click.option(
        "--rouge",
        type=RougeLength(),
        metavar="N",
        help="Maximise ROUGE-N recall, n-grams of length N. Without it and --objective: ROUGE-2 "
        "recall; `labels` and `upper-bound`: r1-f1+r2-f1.",
    ),
    _make_objective_options("Maximise this instead"),
)

further_objective_options = _make_objective_options("A further measure beside ROUGE-N")

list_option = partial(click.option, "--list", default=1000, show_default=True, metavar="N")
family_option = partial(click.option, "--family", type=click.Choice(["all", "minimal"]))

near_options = stack_options(
    click.option(
        "--within-hits",
        type=click.IntRange(min=0),
        default=0,
        metavar="K",
        help="Also the sets that are at most K hits below the best (recall).",
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
)

floor_options = stack_options(
    click.option("--min-words", type=int, metavar="N", help="Shortest summary in words."),
    click.option("--min-sentences", type=int, metavar="N", help="Shortest summary in sentences."),
)


def max_length_options(how_many: str) -> Decorator:
    """The upper limits, with a sentence that says how many of them are given."""
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


def _split_indices(_: click.Context, __: click.Parameter, value: str | None) -> tuple[int, ...]:
    try:
        return tuple(int(part) for part in (value or "").split(",") if part.strip())
    except ValueError:
        raise click.BadParameter(f"{value!r} is no list of sentence indices such as 0,3") from None


choice_options = stack_options(
    click.option(
        "--required",
        metavar="I,J,…",
        callback=_split_indices,
        help="Sentences that every summary contains, by their indices from 0; the same for every "
        "record.",
    ),
    click.option(
        "--forbidden",
        metavar="I,J,…",
        callback=_split_indices,
        help="Sentences that no summary contains.",
    ),
)

_references_option = click.option(
    "--references",
    type=click.Choice(["multi", "single"]),
    default="multi",
    show_default=True,
    help="All references of a topic together, or each one alone.",
)

length_options = stack_options(
    max_length_options("Limits can be combined; recall needs one."), floor_options
)
limit_options = stack_options(length_options, _references_option)
one_limit_options = stack_options(
    max_length_options("Exactly one limit is needed."), _references_option
)

format_option = click.option(
    "--format",
    default="auto",
    show_default=True,
    metavar="NAME",
    help="Of IN: jsonl, json, csv, tsv, parquet, arrow, txt, summeval, realsumm, "
    "stories, duc2001 to duc2007, tac2008 to tac2011.",
)

parts_options = stack_options(
    click.option(
        "--also",
        type=PathName(),
        multiple=True,
        metavar="PATH",
        help="A further folder or archive of the same corpus. Can be given again.",
    ),
    click.option(
        "--reference-length",
        metavar="N",
        help="Which references, if a year of DUC has several lengths, e.g. 50 or 200e.",
    ),
)

collection_options = stack_options(
    parts_options,
    click.option(
        "--task",
        type=click.Choice(["multi", "single"]),
        default="multi",
        show_default=True,
        help="DUC 2001-2002: one topic per cluster of documents, or per document.",
    ),
)

text_options = stack_options(
    click.option(
        "--columns",
        metavar="NAME=COLUMN,…",
        help="Which column or field of IN has what: text=body,references=abstract,id=nr.",
    ),
    click.option(
        "--split",
        metavar="NAME",
        help="How `text` is split into sentences: auto, nupunkt, sentencex, newline (a line is a "
        "sentence), none.  [default: auto, which is nupunkt for English, else sentencex]",
    ),
    click.option(
        "--clean",
        metavar="NAME",
        help="Remove what data sets leave in text: markup (<t>, </s>, -lrb-, HTML entities).",
    ),
)

jobs_option = partial(
    click.option,
    "--jobs",
    type=click.IntRange(1, 1024),
    default=1,
    show_default=True,
    metavar="N",
    help="Topics worked on at once, each in a process of its own.",
)

record_bytes_option = click.option(
    "--record-bytes",
    type=click.IntRange(1, 1 << 40),
    default=256 << 20,
    show_default="256 MiB",
    metavar="N",
    help="Refuse a longer line or row, or a larger file that must be read whole.",
)

run_options = stack_options(
    format_option,
    text_options,
    collection_options,
    record_bytes_option,
    jobs_option(),
)

output_option = partial(click.option, "-o", "--output", type=OutputName(), metavar="OUT")
force_option = partial(click.option, "--force", is_flag=True, help="Overwrite OUT if it exists.")
quiet_option = partial(
    click.option, "-q", "--quiet", is_flag=True, help="Say nothing if all is well."
)

output_options = stack_options(
    output_option(help="Write JSON lines to this file."),
    force_option(),
    quiet_option(help="No progress and no closing summary."),
    click.option(
        "--progress",
        type=click.Choice(["auto", "json"]),
        default="auto",
        show_default=True,
        help="json writes one JSON object per line to standard error, for programs.",
    ),
)

summary_option = click.option(
    "--summary",
    is_flag=True,
    help="Only what closes the run: tables on a terminal, else their records. Errors are told on "
    "standard error.",
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


time_limit_option = partial(
    click.option,
    "--time-limit",
    type=NumberRange(min=0, min_open=True),
    show_default=True,
    metavar="S",
    help="Seconds per problem and method; then the best found so far is reported.",
)

seed_option = partial(
    click.option,
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    metavar="N",
    help="Seed of the methods that draw at random.",
)


def solve_options(*, time_limit: float | None = None) -> Decorator:
    """How long and with how many threads a problem is worked on."""
    return stack_options(
        time_limit_option(default=time_limit),
        click.option(
            "--threads",
            type=click.IntRange(min=1),
            default=1,
            show_default=True,
            metavar="N",
            help="Threads inside one problem.",
        ),
        seed_option(),
    )


def method_option(*names: str) -> Decorator:
    """--method with the names a verb can run."""
    return click.option(
        "--method",
        type=click.Choice(names),
        default="search",
        show_default=True,
        help="How to solve; all exact methods agree.",
    )


OUR_SYSTEMS = ("lead", "random", "frequency", "centroid", "concept-coverage")


def _split_systems(_: click.Context, __: click.Parameter, value: str | None) -> tuple[str, ...]:
    names = tuple(name.strip() for name in (value or "").split(",") if name.strip())
    if names == ("all",):
        return OUR_SYSTEMS
    if names == ("none",):
        return ()
    for name in names:
        if name not in OUR_SYSTEMS:
            raise click.BadParameter(
                f"{name!r} is not one of {', '.join(OUR_SYSTEMS)}, all or none"
            )
    return tuple(dict.fromkeys(names))


systems_option = partial(
    click.option,
    "--systems",
    metavar="NAMES",
    callback=_split_systems,
    help=f"Also run our own: {', '.join(OUR_SYSTEMS)}; separated by commas, or all.",
)

human_option = partial(
    click.option, "--human", metavar="NAME", help="Which human score, if records have several."
)

threshold_option = click.option(
    "--threshold",
    type=NumberRange(0, 1),
    default=0.8,
    show_default=True,
    metavar="X",
    help="Similarity from which text counts as a document sentence that is not equal to it.",
)

alignment_options = stack_options(
    threshold_option,
    click.option(
        "--cut/--no-cut",
        default=False,
        show_default=True,
        help="Let ROUGE see a summary only up to the limits, as ROUGE's -l and -b do.",
    ),
)

draw_option = click.option(
    "--draws",
    type=click.IntRange(1, 1_000_000),
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
