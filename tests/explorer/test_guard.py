"""Who is let in: names, origins, content types; and what every answer says about itself."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from explorer.serving import PASTED, Served, serve
from oraclesum.explorer.corpus import open_served


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with serve(corpus=open_served("demo"), allow_hosts=("Oracle.Example",)) as one:
        yield one


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "LOCALHOST:8765",
        "127.0.0.1",
        "127.0.0.1:1",
        "[::1]",
        "[::1]:80",
        "oracle.example:443",
        "localhost:65535",
    ],
)
def test_names_of_this_machine_and_allowed_ones_are_answered(served: Served, host: str) -> None:
    assert served.client.get("/api/about", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "127.0.0.1.evil.example",
        "localhost.evil.example:8765",
        "localhost@evil.example",
        "0.0.0.0",
        "::1",
        "oracle.example.evil",
        "localhost.",
        "",
        "localhost:8765:80",
        "localhost:",
        "localhost:0",
        "localhost:65536",
        "localhost:99999999",
        "[::1]:99999999",
        "oracle.example:" + "9" * 5000,
        "localhost, evil.example",
        "[::1%evil]",
        "[127.0.0.1]",
        "[::1",
        "::ffff:127.0.0.1",
    ],
)
def test_any_other_name_is_misdirected(served: Served, host: str) -> None:
    """A page whose name was made to point here (DNS rebinding) sends its own name."""
    assert (
        "--allow-host" in served.refuse(421, "GET", "/api/about", headers={"Host": host})["error"]
    )
    served.refuse(421, "GET", "/", headers={"Host": host})


def test_a_request_without_a_name_or_with_two_is_refused(served: Served) -> None:
    assert b"421" in served.ask_raw(b"GET /api/about HTTP/1.0\r\n\r\n").split(b"\r\n")[0]
    twice = b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nConnection: close\r\n\r\n"
    assert served.ask_raw(twice).split()[1] in (b"400", b"421")


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1"},  # another port is another origin
        {"Origin": "http://["},
        {"Origin": "file://"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_other_sites_cannot_change_anything(served: Served, headers: dict[str, str]) -> None:
    body = {"document": PASTED}
    served.refuse(403, "POST", "/api/families", json=body, headers=headers)
    served.refuse(403, "DELETE", "/api/families/00", headers=headers)


def test_the_page_itself_may_ask(served: Served) -> None:
    headers = {"Origin": f"http://127.0.0.1:{served.port}", "Sec-Fetch-Site": "same-origin"}
    answer = served.client.post("/api/families", json={"document": PASTED}, headers=headers)
    assert answer.status_code == 200


def test_other_sites_cannot_make_the_server_work_but_may_link_to_the_page(served: Served) -> None:
    headers = {"Sec-Fetch-Site": "cross-site"}
    served.refuse(403, "GET", "/api/topics", headers=headers)
    assert served.client.get("/", headers=headers).status_code == 200


@pytest.mark.parametrize("sites", [["same-origin", "cross-site"], ["cross-site", "none"]])
def test_one_header_does_not_hide_another_that_names_another_site(
    served: Served, sites: list[str]
) -> None:
    headers = [("Sec-Fetch-Site", site) for site in sites]
    served.refuse(403, "GET", "/api/topics", headers=headers)
    served.refuse(403, "POST", "/api/families", json={"document": PASTED}, headers=headers)


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "", "json"]
)
def test_a_body_must_say_that_it_is_json(served: Served, kind: str) -> None:
    """What a form of another site can send without asking is not read."""
    headers = {"Content-Type": kind}
    served.refuse(415, "POST", "/api/families", content=b"{}", headers=headers)


@pytest.mark.parametrize(
    "parameters",
    ["charset=utf-16", 'x=1; Charset="UTF-16"', "charset=latin-1", "charset=utf-8; charset=utf-16"],
)
def test_a_body_in_another_charset_is_refused(served: Served, parameters: str) -> None:
    headers = {"Content-Type": f"application/json; {parameters}"}
    refused = served.refuse(415, "POST", "/api/families", content=b"{}", headers=headers)
    assert "UTF-8" in refused["error"]


@pytest.mark.parametrize("parameters", ["", ";charset=utf-8", '; x=1; charset="UTF-8"', "; x"])
def test_a_body_may_say_that_it_is_utf_8(served: Served, parameters: str) -> None:
    headers = {"Content-Type": f"application/json{parameters}"}
    content = json.dumps({"document": PASTED})
    answer = served.client.post("/api/families", content=content, headers=headers)
    assert answer.status_code == 200


def test_two_content_types_are_refused(served: Served) -> None:
    kinds = [("Content-Type", "application/json"), ("Content-Type", "text/plain")]
    served.refuse(415, "POST", "/api/families", content=b"{}", headers=kinds)


def test_a_compressed_body_is_refused(served: Served) -> None:
    headers = {"Content-Type": "application/json", "Content-Encoding": "gzip"}
    served.refuse(415, "POST", "/api/families", content=b"{}", headers=headers)


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/", 200),
        ("GET", "/api", 200),
        ("GET", "/api/about", 200),
        ("GET", "/api/openapi.json", 200),
        ("GET", "/nowhere", 404),
        ("PATCH", "/api/about", 415),
        ("DELETE", "/api/about", 405),
        ("OPTIONS", "/api/families", 405),
    ],
)
def test_every_answer_is_guarded(served: Served, method: str, path: str, status: int) -> None:
    answer = served.client.request(method, path)
    assert answer.status_code == status
    headers = answer.headers
    assert headers["Content-Security-Policy"] == (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert not [name for name in headers if name.lower().startswith("access-control")]
    assert headers["Cache-Control"] in ("no-store", "no-cache")


@pytest.mark.parametrize(
    "path",
    [
        "/page/../app.py",
        "/page/..%2fapp.py",
        "/page/%2e%2e/app.py",
        "/page/..\\app.py",
        "/page//etc/passwd",
        "/page/%2fetc%2fpasswd",
        "/page/....//app.py",
        "/page/index.html%00.js",
        "/page/.",
        "/page/",
        "/../../../../etc/passwd",
        "/api/../app.py",
        "/api/topics/..%2f0",
        "/api/families/..%2f..%2fabout/oracles",
        "/openapi.json",
        "/docs",
        "/api/docs",
    ],
)
def test_no_path_leads_outside(served: Served, path: str) -> None:
    """Sent as it is: a client library would tidy it up first."""
    request = f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    answer = served.ask_raw(request.encode())
    assert answer.split()[1] in (b"404", b"422"), answer
    assert b'{"error":' in answer
    assert b"root:" not in answer
    assert b"import" not in answer


def test_a_line_that_is_no_http_does_no_harm(served: Served) -> None:
    for request in (
        b"\x00\xff\r\n\r\n",
        b"GET\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"\r\n" * 9 + b"x\r\n\r\n",
    ):
        assert served.ask_raw(request).split()[1] in (b"400", b"421")
    assert served.load["running"] == 0
