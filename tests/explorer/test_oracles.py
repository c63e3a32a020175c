"""Pages of oracles: any place, any order, exact distances, and clear refusals."""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import islice
from typing import Any

import pytest

from explorer.serving import PASTED, Served, serve
from oraclesum.errors import LimitError
from oraclesum.explorer.corpus import open_served
from oraclesum.explorer.schema import OraclePage
from oraclesum.explorer.store import Order
from oraclesum.oracles import OracleFamily
from oraclesum.oracles.bounds import answer_within
from oraclesum.oracles.objective import ObjectiveProblem


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with serve(corpus=open_served("demo")) as one:
        yield one


@pytest.fixture(scope="module")
def many(served: Served) -> dict[str, Any]:
    """A family of a few thousand."""
    view = served.post({"topic": 0}, rouge=1, max_words=100, within_hits=12)
    assert 1000 < int(view["count"]) <= 100_000
    return view


def tied(sentences: int, limit: int) -> dict[str, Any]:
    """A document of which every choice of `limit` sentences is an oracle."""
    words = [f"word{k}" for k in range(sentences)]
    return {"sentences": words, "references": [" ".join(words)]}


def list_all(served: Served, key: str, **query: Any) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    while True:
        page = served.get(f"/api/families/{key}/oracles", offset=len(rows), limit=1000, **query)
        OraclePage.model_validate(page)
        if not page["oracles"]:
            return rows
        rows += page["oracles"]


def test_pages_in_text_order_make_up_the_family(served: Served, many: dict[str, Any]) -> None:
    rows = list_all(served, many["key"])
    assert len(rows) == int(many["count"])
    assert [int(row["rank"]) for row in rows] == list(range(len(rows)))
    sets = [row["sentences"] for row in rows]
    assert sets == sorted(sets)
    words = [sentence["words"] for sentence in many["sentences"]]
    assert all(row["words"] == sum(words[i] for i in row["sentences"]) for row in rows)
    assert list_all(served, many["key"], descending=True) == rows[::-1]


@pytest.mark.parametrize("sort", ["length", "sentences", "position", "hits", "distance"])
def test_other_orders_hold_the_same_oracles(
    served: Served, many: dict[str, Any], sort: str
) -> None:
    near = {0, 1, 2}
    query = {"sort": sort, "nearest_to": "0,1,2"}
    rows = list_all(served, many["key"], **query)
    keys = {
        "length": [row["words"] for row in rows],
        "sentences": [len(row["sentences"]) for row in rows],
        "position": [Fraction(sum(row["sentences"]), len(row["sentences"])) for row in rows],
        "hits": [-row["hits"] for row in rows],
        "distance": [row["distance"] for row in rows],
    }[sort]
    assert keys == sorted(keys)
    assert len(set(keys)) > 1
    assert all(row["distance"] == len(near ^ set(row["sentences"])) for row in rows)
    by_rank = sorted(rows, key=lambda row: int(row["rank"]))
    assert by_rank == list_all(served, many["key"], nearest_to="0,1,2")
    assert list_all(served, many["key"], **query, descending=True) == rows[::-1]


def test_sets_within_some_hits_say_how_many_they_have(served: Served, many: dict[str, Any]) -> None:
    rows = list_all(served, many["key"], sort="hits")
    assert rows[0]["hits"] == many["hits"]
    assert many["hits"] - 12 <= rows[-1]["hits"] < many["hits"]
    best = served.post({"topic": 0}, rouge=1, max_words=100)
    oracles = [row["sentences"] for row in list_all(served, best["key"])]
    assert [row["sentences"] for row in rows if row["hits"] == best["hits"]] == oracles


def test_orders_take_no_more_memory_than_is_counted(served: Served) -> None:
    view = served.post(tied(62, 60), rouge=1, max_words=60)
    stored = served.explorer.state.store.get(view["key"])
    orders: tuple[Order, ...] = ("length", "sentences", "position", "hits", "distance")
    near = frozenset([0])
    tracemalloc.start()
    try:
        for by in orders:
            stored.orders.page(0, 1, by=by, descending=False, near=near)
        taken, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert int(view["count"]) == 1891  # of 60 sentences each: a megabyte
    assert taken < stored.orders.max_bytes + 100_000
    assert stored.size > stored.solved.family.memory + stored.orders.max_bytes


@pytest.mark.parametrize("settings", [{"rouge": 1}, {"objective": "r1-f1"}])
def test_a_page_is_as_much_work_as_has_to_be_done_for_it(
    served: Served, settings: dict[str, Any]
) -> None:
    view = served.post(tied(12, 3), max_words=3, **settings)
    orders = served.explorer.state.store.get(view["key"]).orders
    assert view["count"] == "220"
    scored = 10 if "objective" in settings else 0
    near = frozenset([0, 1])
    assert orders.weigh(10, by="text", near=None) == 10 * (3 + scored)
    assert orders.weigh(1000, by="text", near=None) == 220 * (3 + scored)
    sorting = orders.weigh(10, by="length", near=None)
    assert sorting == 10 * (3 + scored) + 220 * 3
    assert orders.weigh(10, by="hits", near=None) == sorting + 220 * scored
    assert orders.weigh(10, by="distance", near=near) == 10 * (5 + scored) + 220 * 5
    orders.page(0, 10, by="length", descending=False, near=None)
    assert orders.weigh(10, by="length", near=None) == 10 * (3 + scored) + 66
    assert orders.weigh(10, by="hits", near=None) == sorting + 220 * scored


def test_oracles_of_many_words_are_more_work_to_score(served: Served) -> None:
    document = {"sentences": ["word " * 500, "word " * 500], "references": ["word " * 1000]}
    view = served.post(document, objective="r1-f1", max_words=None)
    orders = served.explorer.state.store.get(view["key"]).orders
    assert orders.weigh(1, by="text", near=None) == 2 + 10 + 100
    view = served.post(document, objective="rl-f1+rlsum-f1", max_words=None)
    orders = served.explorer.state.store.get(view["key"]).orders
    assert orders.weigh(1, by="text", near=None) == 2 + 10 + 100 + 1000 * 2 * 5000 // 100_000


def test_distances_can_be_to_a_system(served: Served, many: dict[str, Any]) -> None:
    system = many["systems"][0]
    page = served.get(
        f"/api/families/{many['key']}/oracles", sort="distance", system=system["name"]
    )
    first = page["oracles"][0]
    assert first["distance"] == len(set(system["sentences"]) ^ set(system["nearest"]))


def test_any_place_of_a_huge_family_is_a_page_away(served: Served) -> None:
    view = served.post(tied(120, 60), rouge=1, max_words=60)
    count = int(view["count"])
    assert count > 2**100
    path = f"/api/families/{view['key']}/oracles"
    last = served.get(path, offset=str(count - 2))
    assert [row["rank"] for row in last["oracles"]] == [str(count - 2), str(count - 1)]
    assert last["oracles"][1]["sentences"] == list(range(60, 120))
    backwards = served.get(path, descending=True, limit=1)
    assert backwards["oracles"] == [last["oracles"][1]]
    assert served.get(path, offset=str(count))["oracles"] == []
    problem = served.refuse(422, "GET", path, params={"sort": "length"})
    assert problem["field"] == "sort"
    assert "too many to be sorted" in problem["error"]


def test_a_count_of_hundreds_of_digits_is_written_out(served: Served) -> None:
    document = {"sentences": ["word"] * 2000, "references": ["word"]}
    view = served.post(document, rouge=1, max_words=1000)
    assert len(view["count"]) > 600
    page = served.get(f"/api/families/{view['key']}/oracles", limit=2)
    assert [row["sentences"] for row in page["oracles"]] == [[0], [0, 1]]
    assert page["total"] == view["count"]


def test_more_sizes_than_can_be_counted_are_refused(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("oraclesum.explorer.cases._MAX_INCLUSION", 199 * 400 - 1)
    document = {"sentences": ["word"] * 400, "references": ["word"]}
    served.post(document, rouge=1, max_words=198)
    question = {"document": document, "settings": {"rouge": 1, "max_words": 199}}
    problem = served.refuse(422, "POST", "/api/families", json=question)
    assert problem["field"] == "settings"
    assert "tighter limit" in problem["error"]


def test_questions_to_a_family_keep_to_the_servers_time(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    sentences = [f"word {' '.join(['filler'] * (k % 7))}" for k in range(60)]
    document = {"sentences": sentences, "references": ["word"]}
    question = {"document": document, "settings": {"rouge": 1, "max_words": 100}}
    monkeypatch.setattr("oraclesum.explorer.jobs._QUESTION_SECONDS", 0.0)
    problem = served.refuse(422, "POST", "/api/families", json=question)
    assert "tighter limit" in problem["error"]


def test_a_file_without_all_oracles_that_were_asked_for_is_refused(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = served.post({"sentences": ["word"] * 400, "references": ["word"]}, rouge=1, max_words=3)
    path = f"/api/families/{view['key']}/download"
    whole = OracleFamily.iterate

    def stop_early(family: OracleFamily) -> Iterator[Any]:
        yield from islice(whole(family), 5)
        raise LimitError("the list has no answer: time ran out")

    monkeypatch.setattr(OracleFamily, "iterate", stop_early)
    problem = served.refuse(422, "GET", path, params={"list": 6})
    assert "no time to list 6 oracles" in problem["error"]
    assert len(served.client.get(path, params={"list": 5}).json()["oracles"]) == 5


@pytest.mark.parametrize("route", ["overlap", "families"])
def test_a_sentence_named_twice_is_refused(served: Served, route: str) -> None:
    document: dict[str, Any] = {"sentences": ["a b", "a c"], "references": ["a b"]}
    if route == "overlap":
        view = served.post(document, rouge=1, max_words=3)
        path = f"/api/families/{view['key']}/overlap"
        problem = served.refuse(422, "POST", path, json={"system": [1, 0, 1]})
    else:
        question = {
            "document": {**document, "systems": {"s": [1, 0, 1]}},
            "settings": {"rouge": 1, "max_words": 3},
        }
        problem = served.refuse(422, "POST", "/api/families", json=question)
    assert "names a sentence twice" in problem["error"]


def test_more_oracles_than_fit_one_file_are_refused(served: Served) -> None:
    document = {"sentences": ["word"] * 400, "references": ["word"]}
    view = served.post(document, rouge=1, max_words=300)
    path = f"/api/families/{view['key']}/download"
    problem = served.refuse(422, "GET", path, params={"list": 1_000_000})
    assert problem["field"] == "list"
    assert served.client.get(path, params={"list": 10}).status_code == 200


@pytest.mark.parametrize("sort", ["text", "length"])
def test_a_page_of_more_sentences_than_one_answer_has_is_refused(
    served: Served, monkeypatch: pytest.MonkeyPatch, sort: str
) -> None:
    view = served.post(tied(40, 39), rouge=1, max_words=39)
    assert view["sizes"] == {"39": "40"}
    path = f"/api/families/{view['key']}"
    monkeypatch.setattr("oraclesum.explorer.routes._MAX_WRITTEN", 39 * 20)
    for route, name in (("oracles", "limit"), ("download", "list")):
        problem = served.refuse(422, "GET", f"{path}/{route}", params={name: 21})
        assert problem["field"] == name
        assert "21 oracles of up to 39 sentences" in problem["error"]
        assert served.client.get(f"{path}/{route}", params={name: 20}).status_code == 200
    # As many as there are, however many are asked for.
    monkeypatch.setattr("oraclesum.explorer.routes._MAX_WRITTEN", 39 * 40)
    assert len(served.get(f"{path}/oracles", limit=1000, sort=sort)["oracles"]) == 40
    assert served.client.get(f"{path}/download", params={"list": 1_000_000}).status_code == 200


@pytest.mark.parametrize("sort", ["text", "length"])
def test_a_page_is_left_as_soon_as_nobody_waits_for_it(
    served: Served, many: dict[str, Any], sort: Order
) -> None:
    described: list[None] = []

    class Near(frozenset[int]):
        def symmetric_difference(self, other: Iterable[object]) -> frozenset[Any]:
            described.append(None)
            return super().symmetric_difference(other)

    orders = served.explorer.state.store.get(many["key"]).orders
    with (
        answer_within(stop=lambda: len(described) == 3),
        pytest.raises(LimitError, match="a page of oracles has no answer"),
    ):
        orders.page(0, 100, by=sort, descending=False, near=Near([0]))
    assert len(described) == 3


@pytest.mark.parametrize("sort", ["hits", "length"])
def test_sorting_ends_when_its_time_is_over(
    served: Served, monkeypatch: pytest.MonkeyPatch, sort: Order
) -> None:
    view = served.post({"topic": 0}, objective="rl-f1", max_words=60, within="0.1")
    assert int(view["count"]) > 100
    orders = served.explorer.state.store.get(view["key"]).orders
    looked: list[int] = []

    class Clock:
        """Time is over as soon as a few sets were looked at."""

        @staticmethod
        def monotonic() -> float:
            return 0.0 if sum(looked) < 25 else 100.0

    whole = ObjectiveProblem.score_each

    def score_each(problem: ObjectiveProblem, sets: Sequence[Any], **how: Any) -> list[Fraction]:
        looked.append(len(sets))
        return whole(problem, sets, **how)

    class Lengths(list[int]):
        def __getitem__(self, place: Any) -> Any:
            looked.append(1)
            return super().__getitem__(place)

    monkeypatch.setattr(ObjectiveProblem, "score_each", score_each)
    monkeypatch.setattr("oraclesum.explorer.store._PIECE", 10)
    monkeypatch.setattr(orders, "_lengths", Lengths(orders._lengths))
    monkeypatch.setattr("oraclesum.oracles.bounds.time", Clock)
    with answer_within(seconds=30), pytest.raises(LimitError, match="the time limit"):
        orders.page(0, 1, by=sort, descending=False, near=None)
    assert sum(looked) < 100
    monkeypatch.setattr("oraclesum.oracles.bounds.time", time)
    assert orders.page(0, 1, by=sort, descending=False, near=None)["oracles"]


def test_scores_of_a_page_keep_to_the_time_and_those_of_a_search_do_not(served: Served) -> None:
    view = served.post({"topic": 0}, objective="rl-f1", max_words=60)
    solved = served.explorer.state.store.get(view["key"]).solved
    sets = list(solved.family)
    assert isinstance(solved.problem, ObjectiveProblem)
    with answer_within(seconds=-1):
        assert set(solved.problem.score_each(sets)) == {solved.family.value}
        with pytest.raises(LimitError, match="scoring has no answer"):
            solved.score_each(sets)


def test_long_oracles_are_listed_in_little_memory(served: Served) -> None:
    # 4,096 oracles of 2,000 sentences: 65 MB of tuples if all were written out at once.
    words = [f"w{k}" for k in range(2000)]
    document = {"sentences": [*words, *words[-12:]], "references": [" ".join(words)]}
    view = served.post(document, rouge=1, max_words=2000)
    assert view["sizes"] == {"2000": "4096"}
    stored = served.explorer.state.store.get(view["key"])
    tracemalloc.start()
    try:
        page = stored.orders.page(0, 2, by="text", descending=False, near=None)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert [row["rank"] for row in page["oracles"]] == ["0", "1"]
    assert all(len(row["sentences"]) == 2000 for row in page["oracles"])
    assert peak < 50_000_000


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"sort": "distance"}, "sort"),
        ({"sort": "beauty"}, "sort"),
        ({"offset": "-1"}, "offset"),
        ({"offset": "1e3"}, "offset"),
        ({"offset": "9" * 401}, "offset"),
        ({"limit": 0}, "limit"),
        ({"limit": 1001}, "limit"),
        ({"nearest_to": "4"}, "nearest_to"),
        ({"nearest_to": "1,,2"}, "nearest_to"),
        ({"system": "nobody"}, "system"),
        ({"surprise": "1"}, "surprise"),
    ],
)
def test_what_cannot_be_listed_is_said(served: Served, query: dict[str, Any], field: str) -> None:
    view = served.post(PASTED, rouge=1, max_words=17)
    problem = served.refuse(422, "GET", f"/api/families/{view['key']}/oracles", params=query)
    assert problem["field"] == field
