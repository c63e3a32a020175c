"""The exact command line and Python call that reproduce a view."""

from __future__ import annotations

import shlex

from ..oracles.status import Status
from .case import Case
from .record import input_name
from .shelf import Shelf

__all__ = ["write_commands"]

_LIMITS = ("max_words", "max_sentences", "max_bytes")
_LISTED = 1000  # as the command's own default


def write_commands(case: Case, shelf: Shelf | None, status: Status) -> dict[str, str | None]:
    """Both as text, and the file that they read where the document is not in the corpus."""
    pasted = case.number is None
    # The server's own limit of time is part of the result where it ended the search.
    limited = case.settings.time_limit is not None or status == Status.TIME_LIMIT
    seconds = case.seconds if limited else None
    return {
        "shell": _write_shell(case, shelf, seconds),
        "python": _write_python(case, shelf, seconds),
        "needs": input_name(case) if pasted else None,
    }


def _write_shell(case: Case, shelf: Shelf | None, seconds: float | None) -> str:
    options = _write_options(case, seconds)
    one = case.settings.reference
    if case.number is None or shelf is None:
        command = f"oraclesum enumerate {shlex.quote(input_name(case))} {options}"
        return command if one is None else f"{command} | {_take_line(one + 1)}"
    entry = shelf.entries[case.number]
    name = shlex.quote(_as_path(shelf.name))
    if shelf.by_lines and not entry.nameless:
        # One line of the file is the whole topic; nothing else has to be searched.
        command = f"{_take_line(entry.line)} {name} | oraclesum enumerate - {options}"
        return command if one is None else f"{command} | {_take_line(one + 1)}"
    command = f"oraclesum enumerate {name} {options}"
    if one is None:
        return f"{command} | {_take_line(case.number + 1)}"
    before = sum(other.records for other in shelf.entries[: case.number])
    return f"{command} | {_take_line(before + one + 1)}"


def _take_line(line: int) -> str:
    return f"sed -n '{line}{{p;q}}'"


def _as_path(name: str) -> str:
    return f"./{name}" if name.startswith("-") else name


def _write_options(case: Case, seconds: float | None) -> str:
    settings = case.settings
    options = [f"--rouge {settings.rouge}"]
    options += [
        f"--{name.replace('_', '-')} {limit}"
        for name in _LIMITS
        if (limit := getattr(settings, name)) is not None
    ]
    if not settings.stem:
        options.append("--no-stem")
    if settings.remove_stopwords:
        options.append("--remove-stopwords")
    options.append(f"--language {shlex.quote(case.rouge.language)}")
    if settings.reference is not None:
        options.append("--references single")
    if settings.family != "all":
        options.append(f"--family {settings.family}")
    if settings.within_hits:
        options.append(f"--within-hits {settings.within_hits}")
    if seconds is not None:
        options.append(f"--time-limit {seconds:g}")
    options.append(f"--list {_LISTED}")
    return " ".join(options)


def _write_python(case: Case, shelf: Shelf | None, seconds: float | None) -> str:
    settings = case.settings
    if case.number is None or shelf is None:
        lines = [
            "import json",
            "",
            "import oraclesum",
            "",
            f'with open("{input_name(case)}", encoding="utf-8") as file:',
            "    topic = json.loads(file.readline())",
        ]
        field = 'topic["{}"]'
    else:
        corpus = "oraclesum.demo_path()" if shelf.is_demo else repr(shelf.name)
        lines = [
            "from itertools import islice",
            "",
            "import oraclesum",
            "",
            f"corpus = oraclesum.open_corpus({corpus}, split=oraclesum.split_sentences)",
            f"topic = next(islice(corpus, {case.number}, None))",
        ]
        field = "topic.{}"
    sentences, references = field.format("sentences"), field.format("references")
    if case.text is not None:
        text = field.format("text")
        lines.append(f'sentences = oraclesum.split_sentences({text}, "{case.rouge.language}")')
        sentences = "sentences"
    if settings.reference is not None:
        references = f"[{references}[{settings.reference}]]"
    lines += [
        "family = oraclesum.enumerate_oracles(",
        f"    {sentences},",
        f"    {references},",
        f"    rouge=oraclesum.Rouge(n={settings.rouge}, stem={settings.stem}, "
        f'remove_stopwords={settings.remove_stopwords}, language="{case.rouge.language}"),',
    ]
    lines += [
        f"    {name}={limit}," for name in _LIMITS if (limit := getattr(settings, name)) is not None
    ]
    if settings.family != "all":
        lines.append(f'    family="{settings.family}",')
    if settings.within_hits:
        lines.append(f"    within_hits={settings.within_hits},")
    if seconds is not None:
        lines.append(f"    time_limit={seconds!r},")
    lines += [")", "print(family.score, family.hits, family.total, family.count)"]
    return "\n".join(lines) + "\n"
