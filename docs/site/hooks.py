"""What the site needs beyond the pages in docs/: pages from elsewhere, links, commands."""

from __future__ import annotations

import inspect
import json
import posixpath
import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
PAGES = {  # a file of the repository, and its page of the site
    "CHANGELOG.md": "changelog.md",
    "CODE_OF_CONDUCT.md": "code-of-conduct.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
    "benchmarks/results/engine.md": "results/engine.md",
    "benchmarks/results/objectives.md": "results/objectives.md",
    "examples/evaluate.ipynb": "examples/evaluate.md",
    "examples/explore.ipynb": "examples/explore.md",
    "examples/labels.ipynb": "examples/labels.md",
}
_LINK = re.compile(r"(?<!!)\[([^\]]*)\]\(([^)\s#:]+)(#[^)\s]*)?\)")
_BLOCK = re.compile(r"^(```.*?^```$)", flags=re.DOTALL | re.MULTILINE)


def rewrite_links(text: str, source: str, page: str) -> str:
    """Links of a file of the repository, for its page of the site.

    `source` is the file, from the root of the repository; `page` is its page, from the root of the
    site. A link to a file that has no page becomes its text: the site has to work without the
    repository beside it.
    """

    def rewrite(link: re.Match[str]) -> str:
        words, target, anchor = link[1], link[2], link[3] or ""
        file = posixpath.normpath(posixpath.join(posixpath.dirname(source), target))
        if not (ROOT / file).exists():
            return link[0]  # a mistake, which the strict build reports
        if not (to := page_of(file)):
            return words
        return f"[{words}]({posixpath.relpath(to, posixpath.dirname(page) or '.')}{anchor})"

    parts = _BLOCK.split(text)
    return "".join(part if part.startswith("```") else _LINK.sub(rewrite, part) for part in parts)


def page_of(file: str) -> str | None:
    """The page of a file of the repository, if it has one."""
    if file.startswith("docs/") and file.endswith(".md"):
        return file.removeprefix("docs/")
    return PAGES.get(file)


def describe_verbs() -> str:
    """A section per verb: what its `--help` says, from the same click commands."""
    import click

    from oraclesum.cli.entry import VERBS, main

    sections = []
    with click.Context(main, info_name="oraclesum", **main.context_settings) as above:
        for name in VERBS:
            verb = main.get_command(above, name)
            assert verb is not None
            context = click.Context(verb, info_name=name, parent=above)
            usage = " ".join(["oraclesum", name, *verb.collect_usage_pieces(context)])
            records = [param.get_help_record(context) for param in verb.get_params(context)]
            options = [
                f"`{flags}`\n:   {_escape(re.sub(' +', ' ', text))}"
                for flags, text in filter(None, records)
                if flags.startswith("-")
            ]
            parts = [f"## {name}", f"```text\n{usage}\n```", _help_as_markdown(verb.help or "")]
            sections.append("\n\n".join([*parts, *options]))
    return "\n\n".join(sections)


def _escape(text: str) -> str:
    return re.sub(r"([*_<>\[\]])", r"\\\1", text)


def _help_as_markdown(text: str) -> str:
    """A help text: what click prints as it is, after a line with \\b, becomes a block of code."""
    parts = []
    for part in inspect.cleandoc(text).split("\n\n"):
        if not part.startswith("\b"):
            parts.append(_escape(part))
            continue
        heading, *lines = part.removeprefix("\b").strip("\n").splitlines()
        code = inspect.cleandoc("\n" + "\n".join(lines))
        parts.append(f"{heading}\n\n```sh\n{code}\n```")
    return "\n\n".join(parts)


def notebook_as_markdown(text: str) -> str:
    """A notebook with its kept outputs; HTML stays as it is, and pictures are part of the page."""
    parts = []
    for cell in json.loads(text)["cells"]:
        source = "".join(cell["source"])
        parts.append(source if cell["cell_type"] == "markdown" else f"```python\n{source}\n```")
        for output in cell.get("outputs", ()):
            data = output.get("data", {})
            if "image/png" in data:
                picture = "".join(data["image/png"]).strip()
                parts.append(f'<img alt="the plot" src="data:image/png;base64,{picture}">')
            elif "text/html" in data:
                parts.append(f"<div>{''.join(data['text/html'])}</div>")
            else:
                shown = "".join(output.get("text", data.get("text/plain", "")))
                parts.append(f"```text\n{shown.rstrip()}\n```")
    return "\n\n".join(parts)


def on_files(files: Any, config: Any) -> Any:
    """Add the pages that are made from files outside docs/."""
    from mkdocs.structure.files import File

    for source, page in PAGES.items():
        text = (ROOT / source).read_text("utf-8")
        text = notebook_as_markdown(text) if source.endswith(".ipynb") else text
        files.append(File.generated(config, page, content=text))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:
    """Make the links of a page fit the site, and write the sections of the verbs."""
    uri = page.file.src_uri
    if uri == "commands.md":
        return markdown + "\n\n" + describe_verbs()
    source = next((file for file, to in PAGES.items() if to == uri), f"docs/{uri}")
    return rewrite_links(markdown, source, uri)
