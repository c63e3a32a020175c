"""Files to download, and the command line and Python call that reproduce a view."""

from __future__ import annotations

import re
import shlex
from typing import Any

import orjson

from ..answers import FamilyRecord
from ..errors import LimitError
from ..instances.limits import LENGTHS
from ..oracles.status import Status
from ..signature import extend_signature
from .cases import ServedCase, Solved
from .corpus import ServedCorpus

__all__ = ["input_name", "output_name", "write_commands", "write_input", "write_record"]

_UNSAFE = re.compile("[^A-Za-z0-9_-]+")


def write_record(case: ServedCase, solved: Solved, max_list: int) -> bytes:
    """The line that `enumerate --list MAX_LIST` writes, to the byte. Raises LimitError."""
    record = FamilyRecord.describe(
        solved.family,
        id=case.id,
        reference=case.settings.reference,
        max_list=max_list,
        counts_nodes=True,
        method="search",
        signature=sign(case, solved),
        sentences=case.sentences if case.was_split else None,
    )
    wanted = min(max_list, solved.family.count)
    if len(record.oracles) < wanted and solved.family.exact:
        raise LimitError(f"there was no time to list {wanted:,} oracles")
    return record.to_line()


def sign(case: ServedCase, solved: Solved) -> str:
    """The signature, with what was done to the text."""
    pairs = case.preparation.settings(case.rouge.language, was_split=case.was_split)
    return extend_signature(solved.family.signature, *pairs)


def write_input(case: ServedCase) -> bytes:
    """The case's document as a line that every verb reads."""
    record: dict[str, Any] = {"id": case.id}
    if case.was_split and case.text is not None:
        record["text"] = case.text
    else:
        record["sentences"] = case.sentences
        if case.doc_ids is not None:
            record["doc_ids"] = case.doc_ids
    record["references"] = case.references
    if case.systems:
        record["systems"] = case.systems
    record["language"] = case.rouge.language
    return orjson.dumps(record, option=orjson.OPT_APPEND_NEWLINE)


def output_name(case: ServedCase) -> str:
    """A file name for the record, made of the id."""
    return f"{_clean(case.id)}.jsonl"


def input_name(case: ServedCase) -> str:
    """A file name for the document."""
    return f"{_clean(case.id)}.input.jsonl"


def _clean(id: str) -> str:
    return _UNSAFE.sub("_", id).strip("_-")[:80] or "document"


_LISTED = 1000  # as the command's own default


def write_commands(
    case: ServedCase, corpus: ServedCorpus | None, status: Status
) -> dict[str, str | None]:
    """Both as text, and the file that they read if the document is not in the corpus."""
    pasted = case.number is None
    # The server's own limit of time is part of the result if it ended the search.
    limited = case.settings.time_limit is not None or status == Status.TIME_LIMIT
    seconds = case.seconds if limited else None
    return {
        "shell": _write_shell(case, corpus, seconds),
        "python": _write_python(case, corpus, seconds),
        "needs": input_name(case) if pasted else None,
    }


def _write_shell(case: ServedCase, corpus: ServedCorpus | None, seconds: float | None) -> str:
    if case.settings.required or case.settings.forbidden:
        return "# Required and forbidden sentences are settings of one document: see the Python."
    options = _write_options(case, corpus, seconds)
    one = case.settings.reference
    if case.number is None or corpus is None:
        command = f"oraclesum enumerate {shlex.quote(input_name(case))} {options}"
        return command if one is None else f"{command} | {_take_line(one + 1)}"
    entry = corpus.entries[case.number]
    name = _quote_path(corpus.name)
    if corpus.by_lines and not entry.nameless:
        # One line of the file is the whole topic; nothing else has to be searched.
        command = f"{_take_line(entry.line)} {name} | oraclesum enumerate - {options}"
        return command if one is None else f"{command} | {_take_line(one + 1)}"
    command = f"oraclesum enumerate {name} {options}"
    if one is None:
        return f"{command} | {_take_line(case.number + 1)}"
    before = sum(other.records for other in corpus.entries[: case.number])
    return f"{command} | {_take_line(before + one + 1)}"


def _take_line(line: int) -> str:
    return f"sed -n '{line}{{p;q}}'"


def _quote_path(name: str) -> str:
    """A path for a shell; bytes that are not UTF-8, which text cannot contain, as escapes."""
    path = f"./{name}" if name.startswith("-") else name
    quoted = path.replace("\\", r"\\").replace("'", r"\'")
    escaped = quoted.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    return shlex.quote(path) if escaped == quoted else f"$'{escaped}'"


def _write_options(case: ServedCase, corpus: ServedCorpus | None, seconds: float | None) -> str:
    settings = case.settings
    options = [
        f"--rouge {settings.rouge}"
        if settings.objective is None
        else f"--objective {shlex.quote(str(case.rouge.objective))}"
    ]
    options += [
        f"--{name.replace('_', '-')} {limit}"
        for name in LENGTHS
        if (limit := getattr(settings, name)) is not None
    ]
    if not settings.stem:
        options.append("--no-stem")
    if settings.remove_stopwords:
        options.append("--remove-stopwords")
    options.append(f"--language {shlex.quote(case.rouge.language)}")
    if case.number is not None and corpus is not None and corpus.columns:
        named = ",".join(f"{ours}={theirs}" for ours, theirs in corpus.columns)
        options.append(f"--columns {shlex.quote(named)}")
    if case.preparation.split is not None:
        options.append(f"--split {case.preparation.split}")
    if case.preparation.clean is not None:
        options.append(f"--clean {case.preparation.clean}")
    if settings.reference is not None:
        options.append("--references single")
    if settings.family != "all":
        options.append(f"--family {settings.family}")
    if settings.within_hits:
        options.append(f"--within-hits {settings.within_hits}")
    if settings.within != "0":
        options.append(f"--within {settings.within}")
    if settings.top:
        options.append(f"--top {settings.top}")
    if settings.boundaries != "within":
        options.append(f"--boundaries {settings.boundaries}")
    if seconds is not None:
        options.append(f"--time-limit {seconds:g}")
    options.append(f"--list {_LISTED}")
    return " ".join(options)


def _write_python(case: ServedCase, corpus: ServedCorpus | None, seconds: float | None) -> str:
    settings = case.settings
    split = "oraclesum.split_sentences"
    if case.number is None or corpus is None:
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
        source = "oraclesum.demo_path()" if corpus.is_demo else repr(corpus.name)
        columns = f", columns={dict(corpus.columns)!r}" if corpus.columns else ""
        chosen = case.preparation.split
        own = f"split = partial(oraclesum.split_sentences, split={chosen!r})"
        split = split if chosen is None else "split"
        lines = [
            *([] if chosen is None else ["from functools import partial"]),
            "from itertools import islice",
            "",
            "import oraclesum",
            *(["from oraclesum.text import clean_text"] if case.preparation.clean else []),
            "",
            *([] if chosen is None else [own]),
            f"corpus = oraclesum.open_corpus({source}, split={split}{columns})",
            f"topic = next(islice(corpus, {case.number}, None))",
        ]
        field = "topic.{}"
    sentences, references = field.format("sentences"), field.format("references")
    text = field.format("text")
    if case.preparation.clean:
        text = f"clean_text({text})"
        if case.text is None:
            lines.append(f"sentences = [clean_text(one) for one in {sentences}]")
            sentences = "sentences"
        lines += [
            "references = [",
            "    clean_text(one) if isinstance(one, str) else [clean_text(part) for part in one]",
            f"    for one in {references}",
            "]",
        ]
        references = "references"
    if case.text is not None:
        lines.append(f'sentences = {split}({text}, "{case.rouge.language}")')
        sentences = "sentences"
    if settings.reference is not None:
        references = f"[{references}[{settings.reference}]]"
    measure = f'"{case.rouge.objective}"' if settings.objective else f"n={settings.rouge}"
    lines += [
        "family = oraclesum.enumerate_oracles(",
        f"    {sentences},",
        f"    {references},",
        f"    rouge=oraclesum.Rouge({measure}, stem={settings.stem}, "
        f'remove_stopwords={settings.remove_stopwords}, language="{case.rouge.language}"'
        + (f', boundaries="{settings.boundaries}"),' if settings.boundaries != "within" else "),"),
    ]
    lines += [
        f"    {name}={limit}," for name in LENGTHS if (limit := getattr(settings, name)) is not None
    ]
    if settings.family != "all":
        lines.append(f'    family="{settings.family}",')
    if settings.within_hits:
        lines.append(f"    within_hits={settings.within_hits},")
    if settings.within != "0":
        lines.append(f'    within="{settings.within}",')
    if settings.top:
        lines.append(f"    top={settings.top},")
    lines += [
        f"    {name}={chosen},"
        for name in ("required", "forbidden")
        if (chosen := getattr(settings, name))
    ]
    if seconds is not None:
        lines.append(f"    time_limit={seconds!r},")
    shown = "family.hits, family.total" if case.rouge.plain else "family.value"
    lines += [")", f"print(family.score, {shown}, family.count)"]
    return "\n".join(lines) + "\n"
