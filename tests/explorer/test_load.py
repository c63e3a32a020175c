"""Many at once, clients that vanish, searches that take for ever: the server keeps answering."""

from __future__ import annotations

import json
import random
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import chain, repeat
from pathlib import Path
from typing import Any

import httpx
import pytest

from explorer.serving import HARD, PASTED, TIMEOUT, Served, read_events, send_post, serve, wait_for
from oraclesum.errors import LimitError
from oraclesum.evaluation import alignment
from oraclesum.explorer import routes
from oraclesum.explorer.cases import ServedCase, Solved, align_systems, make_case, solve
from oraclesum.explorer.corpus import ServedCorpus, open_served
from oraclesum.explorer.once import Once
from oraclesum.explorer.replies import ApiError, ClientGone
from oraclesum.explorer.routes import order_limits
from oraclesum.explorer.schema import CurvePoint, FamilyQuestion, FamilyView
from oraclesum.explorer.store import Orders
from oraclesum.explorer.view import make_view, mark_ngrams
from oraclesum.oracles.bounds import answer_within, check_bounds


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with serve(corpus=open_served("demo"), time_limit=600) as one:
        yield one


def test_50_requests_at_once_are_all_answered(served: Served) -> None:
    def ask(number: int) -> int:
        with httpx.Client(base_url=f"http://127.0.0.1:{served.port}", timeout=TIMEOUT) as client:
            question = {
                "document": {"topic": number % 6},
                "settings": {"rouge": 1 + number % 2, "max_words": 60 + number},
            }
            answer = client.post("/api/families", json=question)
            if answer.status_code == 429:
                assert int(answer.headers["Retry-After"]) >= 1
                assert "try again" in answer.json()["error"]
            return answer.status_code

    with ThreadPoolExecutor(50) as crowd:
        answers = list(crowd.map(ask, range(50)))
    assert set(answers) <= {200, 429}
    assert 200 in answers
    assert ask(0) == 200
    wait_for(lambda: served.load == {"running": 0, "waiting": 0, "stored": served.load["stored"]})


def test_a_full_queue_is_said_and_the_rest_goes_on() -> None:
    with serve(jobs=1, max_waiting=2, time_limit=600) as served:
        known = served.post(PASTED, rouge=1)
        busy = send_post(served, HARD)
        wait_for(lambda: served.load["running"] == 1)
        waiting = [send_post(served, HARD) for _ in range(2)]
        wait_for(lambda: served.load["waiting"] == 2)
        answer = served.client.post("/api/families", json={"document": PASTED})
        assert answer.status_code == 429
        assert answer.headers["Retry-After"] == "1"
        assert served.get("/api/topics")["total"] == 0  # quick questions are not in the way
        assert served.post(PASTED, rouge=1) == known  # nor is what was asked before
        waiting.pop().close()  # leaves the queue without having been served
        wait_for(lambda: served.load["waiting"] == 1)
        for connection in (busy, *waiting):
            connection.close()
        wait_for(lambda: served.load["running"] == 0)
        served.post(PASTED)


@pytest.mark.parametrize("ahead", [b"", b"\r\n", b"GET /api/about HTTP/1.1\r\n"])
def test_a_search_ends_when_its_client_vanishes(served: Served, ahead: bytes) -> None:
    stored = served.load["stored"]
    connection = send_post(served, HARD)
    wait_for(lambda: served.load["running"] == 1)
    connection.sendall(ahead)
    connection.close()
    wait_for(lambda: served.load["running"] == 0)
    assert served.load["stored"] == stored  # half an answer is no answer to the next who asks


def test_who_sends_too_much_ahead_of_an_answer_is_dropped_in_the_end() -> None:
    with serve(time_limit=600, stall_seconds=0.3) as served:
        connection = send_post(served, HARD)
        wait_for(lambda: served.load["running"] == 1)
        connection.sendall(b"x" * 70_000)
        wait_for(lambda: served.load["running"] == 0)
        assert served.load["stored"] == 0  # it did not come to an end by itself
        connection.close()


def test_requests_that_come_during_a_search_are_answered_after_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    release = threading.Event()

    def wait_and_solve(case: ServedCase, stop: Any) -> Solved:
        release.wait(TIMEOUT)
        return solve(case, stop)

    monkeypatch.setattr("oraclesum.explorer.routes.solve", wait_and_solve)
    get = "GET /api/topics?offset={} HTTP/1.1\r\nHost: localhost\r\nX-Long: {}\r\n{}\r\n"
    # 60,000 bytes are read before the search has ended, the others after it.
    ahead = [get.format(k, "x" * 6000, "Connection: close\r\n" * (k == 30)) for k in range(31)]
    with serve() as served:
        connection = send_post(served, {"document": PASTED})
        wait_for(lambda: served.load["running"] == 1)
        sender = threading.Thread(target=connection.sendall, args=["".join(ahead).encode()])
        sender.start()
        waiting = served.find(connection)
        wait_for(lambda: len(waiting.conn.trailing_data[0]) > 6000)
        release.set()
        answer = b""
        while part := connection.recv(65536):
            answer += part
        sender.join()
        connection.close()
    assert answer.count(b"HTTP/1.1 200 OK\r\n") == 32
    assert answer.index(b'"commands"') < answer.index(b'"topics":[]}')
    assert answer.count(b'"topics":[]}') == 31


def test_quick_questions_do_not_wait_for_others_lists_to_be_sorted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    release = threading.Event()
    sort = Orders._sort

    def wait_and_sort(self: Orders, order: Any) -> Any:
        release.wait(TIMEOUT)
        return sort(self, order)

    monkeypatch.setattr(Orders, "_sort", wait_and_sort)
    words = [f"word{k}" for k in range(20)]
    with serve() as served, ThreadPoolExecutor(5) as crowd:
        view = served.post(
            {"sentences": words, "references": [" ".join(words)]}, rouge=1, max_words=7
        )
        assert view["count"] == "77520"
        path = f"/api/families/{view['key']}/oracles"
        state = served.explorer.state

        def ask(order: str) -> int:
            url = f"http://127.0.0.1:{served.port}{path}?limit=1&sort={order}"
            return httpx.get(url, timeout=TIMEOUT).status_code

        orders = ("length", "sentences", "position", "hits", "distance&nearest_to=1")
        try:
            answers = [crowd.submit(ask, order) for order in orders]
            wait_for(lambda: state.downloads.running + state.downloads.waiting == 5)
            assert state.questions.running == 0
            assert served.get("/api/topics")["total"] == 0
            assert len(served.get(path, limit=1)["oracles"]) == 1
        finally:
            release.set()
        assert [answer.result() for answer in answers] == [200] * 5
        # An order that is known is a quick question.
        monkeypatch.setattr(state.downloads, "run", None)
        assert ask("hits") == 200


@pytest.mark.parametrize("why", ["text", "indices", "alignment", "family"])
def test_quick_questions_do_not_wait_for_long_systems(
    why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    release = threading.Event()

    def wait_and_align(*given: Any, **named: Any) -> Any:
        release.wait(TIMEOUT)
        return align_systems(*given, **named)

    sentences = [f"{'word ' * 20}{k}" for k in range(2000)]
    systems: dict[str, Any] = {
        "text": ["word " * 20_001],
        "indices": list(range(1000)),
        "alignment": "word " * 2500,
        "family": [0],
    }
    with serve() as served, ThreadPoolExecutor(1) as crowd:
        key = served.post({"sentences": sentences, "references": ["word"]}, rouge=1)["key"]
        path = f"/api/families/{key}/overlap"
        state = served.explorer.state
        with monkeypatch.context() as quick:
            quick.setattr(state.downloads, "run", None)
            for system in ([0, 1], ["word " * 100], "word " * 100):
                assert served.client.post(path, json={"system": system}).status_code == 200
        wait_for(lambda: state.questions.running == 0)
        if why == "family":
            monkeypatch.setattr("oraclesum.explorer.routes._LARGE_FAMILY", 0)
        monkeypatch.setattr("oraclesum.explorer.routes.align_systems", wait_and_align)
        url = f"http://127.0.0.1:{served.port}{path}"
        try:
            answer = crowd.submit(httpx.post, url, json={"system": systems[why]}, timeout=TIMEOUT)
            wait_for(lambda: state.downloads.running + state.questions.running == 1)
            assert state.questions.running == 0
        finally:
            release.set()
        assert answer.result().status_code == 200


def test_a_list_of_topics_is_left_as_soon_as_nobody_waits_for_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun: list[int] = []

    def describe(_: ServedCorpus, number: int) -> dict[str, Any]:
        begun.append(number)
        with suppress(LimitError):  # it hears nothing, but waits until others would
            wait_for(lambda: check_bounds() is not None)
        return {"number": number, "id": str(number)}

    monkeypatch.setattr(ServedCorpus, "_describe", describe)
    with serve(corpus=open_served("demo")) as served:
        connection = served.connect()
        connection.sendall(b"GET /api/topics HTTP/1.1\r\nHost: localhost\r\n\r\n")
        wait_for(lambda: begun == [0])
        connection.close()
        wait_for(lambda: served.explorer.state.questions.running == 0)
    assert begun == [0]


def test_a_list_of_topics_that_takes_too_long_says_how_far_it_came(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def describe(_: ServedCorpus, number: int) -> dict[str, Any]:
        if number == 2:
            raise LimitError("the time limit was reached")
        return {"number": number, "id": str(number)}

    monkeypatch.setattr(ServedCorpus, "_describe", describe)
    with serve(corpus=open_served("demo")) as served:
        problem = served.refuse(422, "GET", "/api/topics")
        assert problem["field"] == "limit"
        assert "no time to read more than 2 of these topics" in problem["error"]


def test_a_text_is_not_split_to_its_end_if_nobody_waits_for_it(tmp_path: Path) -> None:
    file = tmp_path / "texts.jsonl"
    file.write_text(json.dumps({"text": "It rained here. " * 1000, "references": ["rain"]}))
    corpus = open_served(str(file))
    question = {"document": {"text": "It rained here. " * 1000, "references": ["rain"]}}
    asked = FamilyQuestion.model_validate(question)
    ways: list[Callable[[], object]] = [
        lambda: corpus.describe(0),
        lambda: corpus.sentences(corpus.topic(0)),
        lambda: make_case(asked, None, max_seconds=1),
    ]
    for ask in ways:
        looks = iter([False] * 3)
        with (
            answer_within(stop=partial(next, looks, True)),
            pytest.raises(LimitError, match="splitting text"),
        ):
            ask()
    assert corpus.describe(0)["sentences"] == 1000  # whoever asks next gets it all


def test_what_several_ask_for_is_worked_out_by_one_of_them() -> None:
    release = threading.Event()
    begun: list[int] = []
    looked: set[int] = set()

    def work(key: int) -> int:
        begun.append(key)
        release.wait(TIMEOUT)
        if len(begun) == 1:
            raise LimitError("its client has left")
        return 2 * key

    once = Once(work)

    def look() -> bool:
        looked.add(threading.get_ident())
        return False

    def ask(_: int) -> int | None:
        with answer_within(stop=look), suppress(LimitError):
            return once(7)
        return None

    with ThreadPoolExecutor(4) as crowd:
        answers = crowd.map(ask, range(4))
        wait_for(lambda: len(looked) == 3)  # they wait for the fourth
        assert begun == [7]
        release.set()
        assert sorted(answers, key=str) == [14, 14, 14, None]
    assert begun == [7, 7]  # one of those who waited, when the first gave up


def test_what_was_asked_for_last_is_kept() -> None:
    begun: list[int] = []
    once = Once(begun.append, most=2)
    for key in (1, 2, 1, 3, 1, 2):
        once(key)
    assert begun == [1, 2, 3, 2]


def test_a_view_that_nobody_waits_for_ends_between_its_parts() -> None:
    with serve() as served:
        key = served.post({**PASTED, "systems": {"lead": [0]}}, rouge=1)["key"]
        stored = served.explorer.state.store.get(key)
        calls = iter([False, False, True])
        with pytest.raises(ClientGone):
            make_view(stored.case, stored.solved, None, lambda: next(calls, True))


def many_ngrams(references: int, words: int) -> dict[str, Any]:
    """A document with references of so many words, all of them different."""
    letters = [f"w{k:x}" for k in range(references * words)]
    each = [" ".join(letters[k * words : (k + 1) * words]) for k in range(references)]
    return {"sentences": [each[0][:80]], "references": each}


def test_marks_that_nobody_waits_for_end_between_references() -> None:
    question = FamilyQuestion.model_validate({"document": many_ngrams(50, 5)})
    case = make_case(question, None, max_seconds=600)
    answers = chain([False] * 20, repeat(True))
    looked: list[bool] = []

    def look() -> bool:
        looked.append(next(answers))
        return looked[-1]

    with pytest.raises(ClientGone):
        mark_ngrams(case, look)
    assert len(looked) == 22  # it ended at once, and then asked why
    assert len(mark_ngrams(case, lambda: False).ngrams) == 50 * 4


def test_marks_keep_to_the_time_of_a_search_and_some_seconds() -> None:
    question = FamilyQuestion.model_validate({"document": many_ngrams(5, 5)})
    case = make_case(question, None, max_seconds=600)
    with pytest.raises(ApiError) as caught:
        mark_ngrams(replace(case, seconds=-60.0), lambda: False)
    assert caught.value.status == 422
    assert "no time to mark" in caught.value.error


@pytest.mark.parametrize("module", ["cases", "view"])
def test_questions_about_all_oracles_keep_to_the_time_of_a_search_and_some_seconds(
    module: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"oraclesum.explorer.{module}.TEXT_SECONDS", -1000.0)
    fillers = [f"the {' '.join(['x'] * (k % 7 + 1))}" for k in range(100)]
    question = {
        "document": {"sentences": fillers, "references": ["the end the end"]},
        "settings": {"rouge": 1, "max_words": 200, "stem": False},
    }
    with serve() as served:
        problem = served.refuse(422, "POST", "/api/families", json=question)
        assert "time limit" in problem["error"]


def test_more_counts_than_can_be_shown_are_refused(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("oraclesum.explorer.view._MAX_COUNTS", 1999)
    document = many_ngrams(10, 20)
    refused = served.refuse(
        422, "POST", "/api/families", json={"document": document, "settings": {"rouge": 1}}
    )
    assert "the 10 references have 200 different n-grams of 1" in refused["error"]
    assert refused["field"] == "document.references"
    view = served.post(document, rouge=1, max_words=10, reference=0)
    assert len(view["ngrams"]) == 200
    document["references"].pop()
    assert len(served.post(document, rouge=1, max_words=10)["ngrams"]) == 180


def test_a_search_over_time_says_what_it_has() -> None:
    with serve(time_limit=600) as served:
        view = served.post(HARD["document"], rouge=1, max_words=250, time_limit=0.3)
        assert view["status"] == "time_limit"
        assert not view["proven"]
        assert 0 < view["hits"] < view["upper_bound"]
        page = served.get(f"/api/families/{view['key']}/oracles")
        assert "stopped" in page["note"]
        assert len(page["oracles"]) == 1


def test_what_needs_all_oracles_is_not_told_of_some() -> None:
    document = {**HARD["document"], "systems": {"lead": [0, 1]}}
    with serve(time_limit=0.3) as served:
        view = served.post(document, rouge=1, max_words=250)
        FamilyView.model_validate(view)
        assert view["status"] == "time_limit"
        assert view["support"]
        assert view["core"] == []
        assert not any(sentence["core"] for sentence in view["sentences"])
        assert [view[name] for name in ("lengths", "smallest", "earliest")] == [None] * 3
        (lead,) = view["systems"]
        unknown = ("precision", "recall", "f_measure", "nearest")
        assert [lead[name] for name in unknown] == [None] * 4
        assert lead["hits"] > 0
        assert any("found so far" in note for note in view["notes"])
        given = served.client.post(f"/api/families/{view['key']}/overlap", json={"system": [0]})
        assert given.json()["f_measure"] is None
        # The limit of time was the server's, and the commands have to say it.
        assert "--time-limit 0.3 " in view["commands"]["shell"]
        assert "time_limit=0.3," in view["commands"]["python"]
        done = served.post({"sentences": ["a b"], "references": ["a b"]})
        assert "time" not in done["commands"]["shell"] + done["commands"]["python"]


def test_the_server_sets_the_longest_time() -> None:
    with serve(time_limit=0.2) as served:
        view = served.post(HARD["document"], rouge=1, max_words=250, time_limit=1000)
        assert view["status"] == "time_limit"


def test_a_curve_comes_point_by_point_and_never_falls(served: Served) -> None:
    view = served.post({"topic": 0}, rouge=1, max_words=100)
    path = f"/api/families/{view['key']}/curve"
    answer = served.client.get(path, params={"from": 10, "to": 103, "step": 10})
    assert answer.headers["Content-Type"].startswith("text/event-stream")
    events = read_events(answer.text)
    points = [data for name, data in events if name == "point"]
    for point in points:
        CurvePoint.model_validate(point)
    assert [point["limit"] for point in points] == order_limits(10, 103, 10)
    assert events[-1] == ("end", {})
    assert [data["done"] for name, data in events if name == "progress"] == list(range(12))
    by_limit = sorted(points, key=lambda point: int(point["limit"]))
    scores = [point["score"] for point in by_limit]
    assert scores == sorted(scores)
    at_100 = next(point for point in points if point["limit"] == 100)
    assert (at_100["hits"], at_100["count"]) == (view["hits"], view["count"])


def test_a_curve_ends_when_its_client_vanishes(served: Served) -> None:
    view = served.post(HARD["document"], rouge=1, max_words=20, time_limit=500)
    with served.connect() as connection:
        request = (
            f"GET /api/families/{view['key']}/curve?from=250 HTTP/1.1\r\nHost: localhost\r\n\r\n"
        )
        connection.sendall(request.encode())
        assert b"text/event-stream" in connection.recv(65536)
        wait_for(lambda: served.load["running"] == 1)
    wait_for(lambda: served.load["running"] == 0)


def test_clients_that_leave_at_any_moment_take_no_place_with_them() -> None:
    with serve(jobs=1, time_limit=600) as served:
        view = served.post(PASTED, rouge=1)
        draw = random.Random(2)
        for _ in range(150):
            with served.connect() as connection:
                path = f"/api/families/{view['key']}/curve?to=400&step=1"
                connection.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
                connection.recv(draw.randint(1, 3000))
        wait_for(lambda: served.load["running"] == 0)
        served.post(PASTED, rouge=1, max_words=5)


def test_limits_come_from_coarse_to_fine() -> None:
    assert order_limits(10, 50, 10) == [10, 50, 30, 20, 40]
    assert order_limits(10, 10, 10) == [10]
    assert order_limits(10, 25, 10) == [10, 25, 20]
    assert sorted(order_limits(10, 400, 10)) == list(range(10, 401, 10))


@pytest.mark.parametrize("query", [{"from": 20, "to": 10}, {"from": 1, "to": 100_000, "step": 1}])
def test_a_curve_that_makes_no_sense_is_refused(served: Served, query: dict[str, int]) -> None:
    view = served.post(PASTED)
    served.refuse(422, "GET", f"/api/families/{view['key']}/curve", params=query)


def test_what_is_shutting_down_says_so() -> None:
    with serve() as served:
        view = served.post(PASTED)
        served.explorer.state.close()
        new = {"document": PASTED, "settings": {"rouge": 3}}
        problem = served.refuse(503, "POST", "/api/families", json=new)
        assert "shutting down" in problem["error"]
        served.refuse(503, "GET", f"/api/families/{view['key']}/oracles")


def test_a_greedy_summary_that_is_not_ready_in_time_is_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("oraclesum.explorer.view._GREEDY_SECONDS", 0.0)
    with serve(time_limit=0.3) as served:
        view = served.post(HARD["document"], objective="r1-f1+r2-f1", max_words=250)
        FamilyView.model_validate(view)
        assert view["status"] == "time_limit"
        assert view["greedy"] is None


def test_a_system_that_takes_too_long_to_be_scored_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with serve() as served:
        key = served.post(PASTED, objective="rl-f1")["key"]
        monkeypatch.setattr("oraclesum.oracles.objective.TEXT_SECONDS", -100.0)
        document = {**PASTED, "systems": {"long": ["Divers cleared the channel."]}}
        question = {"document": document, "settings": {"objective": "rl-f1"}}
        problem = served.refuse(422, "POST", "/api/families", json=question)
        assert problem["field"] == "document.systems"
        assert "'long' is too long to be scored in 30 s" in problem["error"]
        path = f"/api/families/{key}/overlap"
        problem = served.refuse(422, "POST", path, json={"system": ["Divers cleared it."]})
        assert problem["field"] == "system"


def test_systems_are_looked_for_no_longer_than_a_search_may_take(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = FamilyQuestion.model_validate(
        {"document": {**PASTED, "systems": {"x": ["Quite another sentence."]}}}
    )
    monkeypatch.setattr(alignment, "TEXT_SECONDS", -2.0)  # a second less than the search has
    with answer_within(seconds=30), pytest.raises(ApiError, match="too long to be found"):
        make_case(asked, None, max_seconds=1)


@pytest.mark.parametrize(
    ("reference", "objective", "long"),
    [
        ("word " * 100, "rl-f1", False),
        ("word " * 21_000, "r1-f1", True),
        ("word " * 10_000, "rl-f1", True),
        ("word " * 10_000, "r1-f1", False),
    ],
)
def test_a_system_is_long_by_what_it_is_compared_with(
    reference: str, objective: str, long: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serve() as served:
        document = {"sentences": ["word"], "references": [reference]}
        key = served.post(document, objective=objective, max_words=5)["key"]
        state = served.explorer.state
        monkeypatch.setattr(routes, "_LONG_COMPARISON", 1_000_000)
        queues = []
        for name in ("questions", "downloads"):
            queue = getattr(state, name)

            def note(*given: Any, name: str = name, run: Any = queue.run) -> Any:
                queues.append(name)
                return run(*given)

            monkeypatch.setattr(queue, "run", note)
        served.client.post(f"/api/families/{key}/overlap", json={"system": ["word " * 10]})
    assert queues == ["downloads" if long else "questions"]
