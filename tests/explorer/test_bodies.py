"""Whatever a body holds, the answer is clear and the server goes on."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Iterator
from typing import Any

import pytest
from h11._readers import ChunkedReader

from explorer.serving import PASTED, Served, serve

JSON = {"Content-Type": "application/json"}


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with serve(max_body_mb=5) as one:
        yield one


def body(**changes: Any) -> dict[str, Any]:
    return {"document": {**PASTED, **changes}}


def send_large(served: Served, head: bytes, part: bytes, parts: int) -> tuple[bytes, int]:
    """Send a body bit by bit until the server hangs up; its answer, and how many bits it took."""
    with served.connect() as connection:
        connection.sendall(head)
        sent = 0
        try:
            for _ in range(parts):
                connection.sendall(part)
                sent += 1
        except (BrokenPipeError, ConnectionResetError):
            pass
        answer = b""
        try:
            while more := connection.recv(65536):
                answer += more
        except ConnectionResetError:
            pass
        return answer, sent


MEGABYTE = 1 << 20


@pytest.mark.parametrize(
    ("length", "status"), [(b"9" * 20, b"413"), (b"0" * 30, b"400"), (b"nine", b"400")]
)
def test_announced_lengths_are_read_as_what_they_are(
    served: Served, length: bytes, status: bytes
) -> None:
    head = b"POST /api/families HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    answer = served.ask_raw(head + b"Connection: close\r\nContent-Length: " + length + b"\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 " + status)
    assert b"is not a number" not in answer


def test_50_megabytes_are_refused_by_their_announced_length(served: Served) -> None:
    head = (
        b"POST /api/families HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        b"Content-Length: %d\r\n\r\n" % (50 * MEGABYTE)
    )
    # Not a byte of the body has to be sent to hear it.
    with served.connect() as connection:
        connection.sendall(head)
        assert connection.recv(65536).startswith(b"HTTP/1.1 413 ")
    tracemalloc.start()
    try:
        answer, _ = send_large(served, head, b" " * MEGABYTE, 50)
        assert tracemalloc.get_traced_memory()[1] < 20 * MEGABYTE
    finally:
        tracemalloc.stop()
    assert answer.startswith(b"HTTP/1.1 413 ")
    assert b"larger than 5 MB" in answer
    served.post(PASTED)


CHUNKED = (
    b"POST /api/families HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    b"Transfer-Encoding: chunked\r\n\r\n"
)


def test_50_megabytes_in_chunks_are_refused_without_their_length(served: Served) -> None:
    # Not a byte of the body has to be sent to hear it.
    with served.connect() as connection:
        connection.sendall(CHUNKED)
        assert connection.recv(65536).startswith(b"HTTP/1.1 411 ")
    chunk = b"%x\r\n%s\r\n" % (MEGABYTE, b" " * MEGABYTE)
    tracemalloc.start()
    try:
        answer, _ = send_large(served, CHUNKED, chunk, 50)
        assert tracemalloc.get_traced_memory()[1] < 20 * MEGABYTE
    finally:
        tracemalloc.stop()
    assert answer.startswith(b"HTTP/1.1 411 ")
    served.post(PASTED)


@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
def test_an_ordinary_client_reads_why_its_chunks_were_refused(served: Served, method: str) -> None:
    content = iter([json.dumps(body()).encode(), b" " * MEGABYTE] * 10)
    problem = served.refuse(411, method, "/api/families", content=content, headers=JSON)
    assert "Content-Length" in problem["error"]


def test_no_chunk_is_ever_parsed(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """The smallest take h11 so long that nobody else is answered."""
    parsed: list[object] = []
    monkeypatch.setattr(ChunkedReader, "__call__", lambda _, buffer: parsed.append(buffer))
    answer, _ = send_large(served, CHUNKED, b"1\r\n \r\n" * 40_000, 20)
    assert answer.startswith(b"HTTP/1.1 411 ")
    assert parsed == []


def test_an_ordinary_client_reads_why_its_body_was_refused(served: Served) -> None:
    content = json.dumps(body(id="x" * 20 * MEGABYTE))
    assert (
        "--max-body-mb"
        in served.refuse(413, "POST", "/api/families", content=content, headers=JSON)["error"]
    )


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"not json",
        b"{",
        b'{"document": NaN}',
        b'{"document": Infinity}',
        b'{"document": 1e999}',
        b"\xff\xfe{}",
        '{"document": {"text": "h\xe4"}}'.encode("latin-1"),
        b'{"document": {"text": "\\ud800", "references": ["x"]}}',
        b'{"document": {"text": "a\x00b"}}',
        b"[" * 100_000,
        b'{"document":' * 5000 + b"1" + b"}" * 5000,
        b'{"a": 1} trailing',
    ],
    ids=lambda content: repr(content[:30]),
)
def test_what_is_not_json_is_refused(served: Served, content: bytes) -> None:
    answer = served.client.post("/api/families", content=content, headers=JSON)
    assert answer.status_code == 400, answer.text
    assert answer.json()["error"].startswith("the body is not JSON: ")


@pytest.mark.parametrize(
    ("content", "field"),
    [
        ([], None),
        ({}, "document"),
        ({"document": {}}, "document"),
        ({"document": None}, "document"),
        ({"document": {"references": ["x y"]}}, "document"),
        (body(surprise=1), "document.surprise"),
        ({**body(), "surprise": 1}, "surprise"),
        ({**body(), "settings": {"surprise": 1}}, "settings.surprise"),
        ({**body(), "settings": {"rouge": "2"}}, "settings.rouge"),
        ({**body(), "settings": {"rouge": 2.5}}, "settings.rouge"),
        ({**body(), "settings": {"rouge": 2**64 + 1}}, "settings.rouge"),
        ({**body(), "settings": {"max_words": 10**30}}, "settings.max_words"),
        ({**body(), "settings": {"max_words": -1}}, "settings.max_words"),
        ({**body(), "settings": {"max_words": True}}, "settings.max_words"),
        ({**body(), "settings": {"stem": 1}}, "settings.stem"),
        ({**body(), "settings": {"family": "some"}}, "settings.family"),
        ({**body(), "settings": {"time_limit": 0}}, "settings.time_limit"),
        ({**body(), "settings": {"reference": 1}}, "settings.reference"),
        ({**body(), "settings": {"language": "th"}}, "settings.stem"),
        ({**body(), "settings": {"language": "nowhere at all"}}, None),
        (
            {**body(), "settings": {"language": "fr", "remove_stopwords": True}},
            "settings.remove_stopwords",
        ),
        ({**body(), "settings": {"objective": ""}}, "settings.objective"),
        ({**body(), "settings": {"objective": "recall"}}, "settings.objective"),
        ({**body(), "settings": {"max_words": None}}, None),
        ({"document": {"topic": 10**30}}, "document.topic"),
        (body(sentences=[]), "document.sentences"),
        (body(sentences="text"), "document.sentences"),
        (body(sentences=[1]), "document.sentences.0"),
        (body(references=[]), "document.references"),
        (body(references="text"), "document.references"),
        (body(references=[""]), None),
        (body(references=["...", "!?"]), None),
        (body(references=[[]]), None),
        (body(systems={"s": [99]}), "document.systems"),
        (body(systems={"s": [-1]}), "document.systems.s.0"),
        (body(systems={"s": 1}), "document.systems.s"),
        (body(systems={"s": ["text", 1]}), "document.systems.s.1"),
        (body(references=["text", 5]), "document.references.1"),
        (body(references=[["text", None]]), "document.references.0.1"),
        ({"document": {"text": "   ", "references": ["x y"]}}, "document.text"),
        ({"document": {"text": "", "references": ["x y"]}}, "document.text"),
    ],
    ids=lambda value: repr(value)[:60],
)
def test_what_cannot_be_used_is_named(served: Served, content: Any, field: str | None) -> None:
    problem = served.refuse(422, "POST", "/api/families", json=content)
    assert problem["field"] == field, problem
    assert "__main__" not in problem["error"]


def test_null_is_json_and_no_question(served: Served) -> None:
    served.refuse(422, "POST", "/api/families", content=b"null", headers=JSON)


def test_a_missing_corpus_has_no_topic(served: Served) -> None:
    problem = served.refuse(404, "POST", "/api/families", json={"document": {"topic": 0}})
    assert problem["field"] == "document.topic"
    assert served.get("/api/topics") == {"total": 0, "topics": []}


def test_references_without_words_say_what_to_do(served: Served) -> None:
    greek = body(references=["\u03ba\u03b1\u03bb\u03b7\u03bc\u03ad\u03c1\u03b1"])
    assert "language='el'" in served.refuse(422, "POST", "/api/families", json=greek)["error"]
    short = body(references=["word"])
    assert "set rouge to 1" in served.refuse(422, "POST", "/api/families", json=short)["error"]


def test_100000_sentences_are_answered(served: Served) -> None:
    sentences = [f"sentence number {k % 977} of many" for k in range(100_000)]
    document = {"sentences": sentences, "references": ["sentence number 5 of many others"]}
    view = served.post(document, rouge=2, max_words=5)
    assert len(view["sentences"]) == 100_000
    assert view["status"] == "complete"
    assert int(view["count"]) > 100


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"sentences": ["a b"] * 100_001}, "document.sentences"),
        ({"references": ["a b"] * 101}, "document.references"),
        ({"references": ["harbour " * 70_000]}, "document.references"),
    ],
)
def test_more_than_can_be_shown_is_refused(
    served: Served, changes: dict[str, Any], field: str
) -> None:
    assert served.refuse(422, "POST", "/api/families", json=body(**changes))["field"] == field


def test_too_much_text_to_be_aligned_is_refused(served: Served) -> None:
    sentences = [f"sentence number {k}" for k in range(5000)]
    systems = {"s": " ".join(f"Word {k} is new here." for k in range(1000))}
    document = {"sentences": sentences, "references": ["number 5"], "systems": systems}
    problem = served.refuse(422, "POST", "/api/families", json={"document": document})
    assert "sentence indices" in problem["error"]


QUOTES = "\"\u201c'" * 9000  # sentencex alone takes a minute for it


def test_text_full_of_quotation_marks_is_answered(served: Served) -> None:
    served.post({"text": f"The harbour opened. {QUOTES}", "references": ["the harbour"]})
    path = f"/api/families/{served.post(PASTED)['key']}/overlap"
    assert served.client.post(path, json={"system": QUOTES}).status_code == 200


def test_text_that_is_too_long_to_be_split_is_refused(served: Served) -> None:
    long = {"document": {"text": "The harbour opened. " * 50_001, "references": ["the harbour"]}}
    problem = served.refuse(422, "POST", "/api/families", json=long)
    assert "list of sentences" in problem["error"]
    assert problem["field"] == "document.text"


SCRIPT = (
    "</script><script>alert(1)</script><img src=x onerror=alert(1)>\"'`${1}\u2028{{7*7}}\r\nX: y"
)


def test_script_in_any_text_field_stays_text(served: Served) -> None:
    """It goes out as JSON that no browser takes for HTML, or into a name as plain characters."""
    document = {
        "id": SCRIPT,
        "sentences": [SCRIPT, f"the harbour {SCRIPT}"],
        "references": [[SCRIPT, "the harbour"], SCRIPT],
        "systems": {SCRIPT: [SCRIPT], "unmatched": f"{SCRIPT} nothing like it"},
    }
    answer = served.client.post("/api/families", json={"document": document})
    assert answer.headers["Content-Type"] == "application/json"
    view = answer.json()
    assert view["id"] == SCRIPT
    assert view["sentences"][0]["text"] == SCRIPT
    assert view["systems"][0]["name"] == SCRIPT
    path = f"/api/families/{view['key']}"
    for name, kind in (("download", "application/x-ndjson"), ("input", "application/x-ndjson")):
        file = served.client.get(f"{path}/{name}")
        assert file.headers["Content-Type"] == kind
        assert json.loads(file.content)["id"] == SCRIPT
        disposition = file.headers["Content-Disposition"]
        assert disposition.startswith('attachment; filename="script_script_alert_1')
        assert "<" not in disposition
    for query in ({"system": SCRIPT}, {"sort": SCRIPT}, {"offset": SCRIPT}):
        page = served.client.get(f"{path}/oracles", params=query)
        assert page.headers["Content-Type"] == "application/json"
        assert page.headers["X-Content-Type-Options"] == "nosniff"
    for settings in ({"language": SCRIPT[:40]}, {SCRIPT: 1}, {"family": SCRIPT}):
        served.refuse(422, "POST", "/api/families", json={"document": PASTED, "settings": settings})
    overlap = served.client.post(f"{path}/overlap", json={"system": SCRIPT})
    assert overlap.headers["Content-Type"] == "application/json"
    assert served.client.get("/api/topics", params={"search": SCRIPT}).json()["total"] == 0


def test_the_overview_is_made_of_escaped_text(served: Served) -> None:
    from oraclesum.explorer.app import write_overview

    page = served.client.get("/api")
    assert page.headers["Content-Type"] == "text/html; charset=utf-8"
    assert "<code>POST /api/families</code>" in page.text
    schema = {
        "info": {"title": SCRIPT, "version": SCRIPT, "description": SCRIPT},
        "paths": {SCRIPT: {SCRIPT: {"description": SCRIPT, "parameters": [{"name": SCRIPT}]}}},
    }
    written = write_overview(schema)
    assert "<script" not in written
    assert "<img" not in written


@pytest.mark.parametrize(
    ("changes", "field", "reason"),
    [
        ({"references": [[1] * 500_000]}, "document.references.0.0", "valid string"),
        ({"systems": {"x": [-1] * 500_000}}, "document.systems.x.0", "greater than"),
        ({"systems": {str(k): 3 for k in range(50_000)}}, "document.systems", "50,000 fields"),
        ({str(k): 3 for k in range(50_000)}, "document", "50,002 fields"),
    ],
)
def test_of_all_that_is_wrong_with_a_body_one_thing_is_looked_for(
    served: Served, changes: dict[str, Any], field: str, reason: str
) -> None:
    tracemalloc.start()
    try:
        answer = served.client.post("/api/families", json=body(**changes))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert answer.status_code == 422
    assert answer.json()["field"] == field
    assert reason in answer.json()["error"]
    assert peak < 100 * MEGABYTE  # an error for each of them takes ten times as much
