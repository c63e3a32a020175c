"""The API keeps its own schema, whatever schemathesis makes up from it."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import positive_data_acceptance

from explorer.serving import PASTED, TIMEOUT, Served, serve
from oraclesum.explorer.corpus import open_served


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with serve(corpus=open_served("demo"), time_limit=2, max_body_mb=1) as one:
        yield one


@pytest.fixture(scope="module")
def schema_of_server(served: Served) -> Any:
    return schemathesis.openapi.from_url(f"http://127.0.0.1:{served.port}/api/openapi.json")


ROUTES = [
    ("GET", "/api/about"),
    ("GET", "/api/topics"),
    ("GET", "/api/topics/{number}"),
    ("POST", "/api/families"),
    ("DELETE", "/api/families/{key}"),
    ("GET", "/api/families/{key}/oracles"),
    ("POST", "/api/families/{key}/overlap"),
    ("GET", "/api/families/{key}/curve"),
    ("GET", "/api/families/{key}/download"),
    ("GET", "/api/families/{key}/input"),
]


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
@pytest.mark.parametrize(("method", "path"), ROUTES)
def test_every_answer_is_as_the_schema_says(
    schema_of_server: Any, served: Served, method: str, path: str, mode: GenerationMode
) -> None:
    coin = itertools.cycle([True, True, False])

    @settings(
        max_examples=settings.default.max_examples // 4,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=schema_of_server[path][method].as_strategy(generation_mode=mode))
    def check(case: Any) -> None:
        meant_well = mode is GenerationMode.POSITIVE
        if "key" in case.path_parameters and meant_well and next(coin):
            # A key made up is never stored: most questions are about a family that is.
            case.path_parameters["key"] = served.post(PASTED, rouge=1, max_words=17)["key"]
        # No schema can say that references need words: such requests are refused all the same.
        case.call_and_validate(timeout=TIMEOUT, excluded_checks=[positive_data_acceptance])

    try:
        check()
    except Unsatisfiable:
        assert mode is GenerationMode.NEGATIVE  # a route without parameters cannot be asked wrongly
        assert path == "/api/about"


def test_the_schema_describes_every_route(served: Served) -> None:
    paths = served.get("/api/openapi.json")["paths"]
    assert sorted(paths) == [
        "/api/about",
        "/api/families",
        "/api/families/{key}",
        "/api/families/{key}/curve",
        "/api/families/{key}/download",
        "/api/families/{key}/input",
        "/api/families/{key}/oracles",
        "/api/families/{key}/overlap",
        "/api/topics",
        "/api/topics/{number}",
    ]
    for path in paths.values():
        for route in path.values():
            assert route["description"]
            for status in ("403", "421", "422", "429"):
                content = route["responses"][status]["content"]["application/json"]
                assert content["schema"]["$ref"].endswith("/Problem")
