"""The page about the API is true: its example runs, its routes are those of the schema."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from children import run_child
from explorer.serving import serve
from oraclesum.explorer.corpus import open_served

PAGE = (Path(__file__).parents[2] / "docs" / "explorer-api.md").read_text(encoding="utf-8")


def test_the_example_prints_what_the_page_says() -> None:
    found = re.search(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert found
    expected = re.findall(r"\)  # (.+)$", found[1], re.MULTILINE)
    assert len(expected) == 5
    with serve(corpus=open_served("demo")) as served:
        program = found[1].replace(":8765", f":{served.port}")
        done = run_child([sys.executable, "-c", program], text=True)
        assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == expected


def test_the_routes_are_those_of_the_schema() -> None:
    told = set(re.findall(r"^\| `([A-Z]+ /api\S*)` \|", PAGE, re.MULTILINE))
    with serve() as served:
        schema = served.get("/api/openapi.json")
        statuses = {
            status
            for methods in schema["paths"].values()
            for route in methods.values()
            for status in route["responses"]
        }
    assert told == {
        f"{method.upper()} {path}"
        for path, methods in schema["paths"].items()
        for method in methods
    }
    explained = set(re.findall(r"\b[45]\d\d\b", PAGE.partition("## Errors")[2]))
    assert {status for status in statuses if status[0] in "45"} - {"405"} <= explained
