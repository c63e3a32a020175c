"""The routes of the API: the server and its corpus, families of oracles, the live curve."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import Annotated, Any, Literal

import orjson
from fastapi import APIRouter, Depends, Path, Query, Request, Response
from fastapi.responses import StreamingResponse

from ..corpora.topic import System
from ..errors import InputError, LimitError
from ..instances.limits import count_words
from ..oracles.bounds import answer_sooner, check_bounds
from ..signature import package_version
from ..text import find_language
from ..text.languages import describe_languages
from .cases import (
    MAX_SORTED,
    ServedCase,
    align_systems,
    check_wanted,
    freeze_system,
    make_case,
    make_key,
    solve,
    solve_limit,
)
from .corpus import require_topic
from .jobs import Stop
from .replies import (
    PROBLEMS,
    ApiError,
    ClientGone,
    StrictRoute,
    refuse_unread,
    reply_file,
    reply_json,
)
from .reproducing import input_name, output_name, write_input, write_record
from .schema import (
    About,
    FamilyQuestion,
    FamilyView,
    OraclePage,
    OverlapQuestion,
    Settings,
    SystemView,
    TopicList,
    TopicView,
)
from .setup import State
from .store import Order, Orders, StoredFamily
from .view import make_view, view_system

__all__ = ["MAX_LISTED", "order_limits", "router"]

MAX_LISTED = 1000
"""The longest page of topics or oracles."""

router = APIRouter(prefix="/api", responses=PROBLEMS, route_class=StrictRoute)

_MAX_WRITTEN = 10_000_000  # sentence indices in one answer
# What is more than that does not hold up quick questions: it takes some tenths of a second.
_LONG_PAGE = 100_000  # sentence indices to look at
_LONG_SYSTEM = 100_000  # letters to score, with those of the references
_LONG_ALIGNMENT = 2_000_000_000  # pairs of letters, one of a system and one of the document
_LONG_COMPARISON = 4_000_000_000  # pairs of letters, one of a system and one of a reference
_LARGE_FAMILY = 4 << 20  # bytes to look through for the nearest oracle
_FILE: dict[int | str, dict[str, Any]] = {
    200: {"content": {"application/x-ndjson": {"schema": {"type": "string"}}}}
}
Key = Annotated[str, Path(min_length=1, max_length=64, pattern="^[0-9a-f]+$")]


async def _find_state(request: Request) -> State:
    state: State = request.app.state.explorer
    return state


Shared = Annotated[State, Depends(_find_state)]


async def _find_family(state: Shared, key: Key) -> StoredFamily:
    return state.store.get(key)


Stored = Annotated[StoredFamily, Depends(_find_family)]


def _list_languages() -> list[dict[str, Any]]:
    """All that are known by name."""
    return [
        {
            "code": language.code,
            "name": language.name.title(),
            "stem": language.snowball is not None,
            "stop_words": language.code == "en",
        }
        for language in describe_languages()
    ]


@router.get("/about", response_model=About)
async def about(state: Shared) -> Response:
    """What this server is, has opened, and allows; and how busy it is."""
    setup, corpus = state.setup, state.setup.corpus
    return reply_json(
        {
            "version": package_version(),
            "corpus": corpus and {"name": corpus.shown, "topics": len(corpus.entries)},
            "languages": _list_languages(),
            "defaults": Settings().model_dump(),
            "limits": {
                "body_bytes": setup.body_bytes,
                "seconds": setup.time_limit,
                "words_from": setup.words_from,
                "words_to": setup.words_to,
                "max_sorted": MAX_SORTED,
                "max_listed": MAX_LISTED,
            },
            "load": {
                "running": state.searches.running,
                "waiting": state.searches.waiting,
                "stored": len(state.store),
            },
        }
    )


@router.get("/topics", response_model=TopicList, response_model_exclude_none=True)
async def topics(
    request: Request,
    state: Shared,
    offset: Annotated[int, Query(ge=0, lt=2**53)] = 0,
    limit: Annotated[int, Query(ge=1, le=MAX_LISTED)] = 50,
    search: Annotated[str, Query(max_length=200, description="part of the id")] = "",
) -> Response:
    """The topics of the corpus, page by page."""
    corpus = state.setup.corpus
    if corpus is None:
        return reply_json({"total": 0, "topics": []})

    def look(stop: Stop) -> dict[str, Any]:
        found = corpus.find(search)
        lines = []
        try:
            for number in found[offset : offset + limit]:
                check_bounds(what="the list of topics")
                lines.append(corpus.describe(number))
        except LimitError:
            check_wanted(stop)
            raise ApiError(
                422,
                f"there was no time to read more than {len(lines)} of these topics: lower limit, "
                "or ask again, which goes on from there",
                field="limit",
            ) from None
        return {"total": len(found), "topics": lines}

    return reply_json(await state.questions.run(request, look))


@router.get("/topics/{number}", response_model=TopicView)
async def topic(
    request: Request, state: Shared, number: Annotated[int, Path(ge=0, lt=2**53)]
) -> Response:
    """One topic with its references and systems."""
    corpus = require_topic(state.setup.corpus, number, field="number")

    def look(_: object) -> dict[str, Any]:
        found = corpus.topic(number)
        language = find_language(found.language or "en").code
        return {
            "number": number,
            "id": found.id,
            "sentences": corpus.sentences(found),
            "doc_ids": found.doc_ids,
            "references": [
                [one] if isinstance(one, str) else list(one) for one in found.references
            ],
            "systems": {
                name: {"sentences": alignment.indices, "unmatched": alignment.unaligned}
                for name, alignment in corpus.align(number, language).items()
            },
            "language": language,
        }

    return reply_json(await state.questions.run(request, look))


@router.post("/families", response_model=FamilyView)
async def post_family(request: Request, state: Shared, question: FamilyQuestion) -> Response:
    """All oracles of a document: everything but the list of them. Asked again, answered at once."""
    setup = state.setup
    stored = state.store.find(make_key(question, setup.corpus, setup.time_limit))
    if stored is None:  # what is known does not wait for searches
        stored = await state.searches.run(request, partial(_answer, state, question))
    return reply_json(stored.view)


def _answer(state: State, question: FamilyQuestion, stop: Stop) -> StoredFamily:
    setup = state.setup
    case = make_case(question, setup.corpus, max_seconds=setup.time_limit)
    known = state.store.find(case.key)
    if known is not None:  # another asked the same while this one waited
        return known
    solved = solve(case, stop)
    view = make_view(case, solved, setup.corpus, stop)
    stored = StoredFamily(
        case=case,
        solved=solved,
        view=orjson.dumps(view),
        orders=Orders(solved, list(map(count_words, case.sentences)), case.compared),
    )
    if not stop():  # an interrupted family must not be the answer to the next who asks
        state.store.put(stored)
    return stored


@router.delete("/families/{key}", status_code=204, response_class=Response)
async def delete_family(state: Shared, key: Key) -> Response:
    """Forget a family."""
    state.store.remove(key)
    return Response(status_code=204)


@router.get("/families/{key}/oracles", response_model=OraclePage)
async def list_oracles(
    request: Request,
    state: Shared,
    stored: Stored,
    offset: Annotated[str, Query(pattern="^[0-9]{1,400}$")] = "0",
    limit: Annotated[int, Query(ge=1, le=MAX_LISTED)] = 100,
    sort: Order = "text",
    descending: bool = False,
    system: Annotated[str | None, Query(max_length=1000, description="a name")] = None,
    nearest_to: Annotated[
        str | None, Query(pattern="^[0-9]{1,9}(,[0-9]{1,9})*$", max_length=20_000)
    ] = None,
) -> Response:
    """Oracles page by page; distances are to a system or to any set of sentences."""
    _refuse_too_long(stored, limit, field="limit")
    near = _find_near(stored, system, nearest_to)
    long = stored.orders.weigh(limit, by=sort, near=near) > _LONG_PAGE

    def look(_: Stop) -> bytes:
        if long:
            refuse_unread()  # others may have been answered while this one waited
        page = stored.orders.page(int(offset), limit, by=sort, descending=descending, near=near)
        return orjson.dumps(page)

    queue = state.downloads if long else state.questions
    return reply_json(await queue.run(request, look))


def _find_near(
    stored: StoredFamily, system: str | None, nearest_to: str | None
) -> frozenset[int] | None:
    if nearest_to is not None:
        chosen = frozenset(map(int, nearest_to.split(",")))
        if max(chosen) >= len(stored.case.sentences):
            raise ApiError(
                422,
                f"there is no sentence {max(chosen)}: the document has "
                f"{len(stored.case.sentences)}, numbered from 0",
                field="nearest_to",
            )
        return chosen
    if system is None:
        return None
    if system not in stored.case.alignments:
        raise ApiError(422, f"there is no system {system!r} in this document", field="system")
    return frozenset(stored.case.alignments[system].indices)


@router.post("/families/{key}/overlap", response_model=SystemView)
async def post_overlap(
    request: Request, state: Shared, stored: Stored, question: OverlapQuestion
) -> Response:
    """A system summary against all oracles, exactly."""
    system = freeze_system(question.system)

    def look(stop: Stop) -> dict[str, Any]:
        case = stored.case
        with answer_sooner(case.seconds):
            found = align_systems(
                {"given": system}, case.sentences, case.rouge.language, field="system"
            )
        return view_system(
            case, stored.solved, "given", system, found["given"], stop, field="system"
        )

    queue = state.downloads if _is_long(stored, system) else state.questions
    return reply_json(await queue.run(request, look))


def _is_long(stored: StoredFamily, system: System) -> bool:
    """Whether it takes a while to find and score a system, or to find the oracle nearest to it."""
    if stored.solved.family.memory > _LARGE_FAMILY:
        return True
    sentences = stored.case.sentences
    if isinstance(system, str):
        letters = told = len(system)
    else:
        told = sum(len(part) for part in system if isinstance(part, str))
        chosen = {part for part in system if isinstance(part, int)}
        letters = told + sum(len(sentences[i]) for i in chosen if i < len(sentences))
    alignment = told * sum(map(len, sentences)) if told else 0  # indices need not be found
    if letters * stored.case.compared > _LONG_COMPARISON:
        return True
    return letters + stored.case.reference_letters > _LONG_SYSTEM or alignment > _LONG_ALIGNMENT


@router.get("/families/{key}/download", responses=_FILE, response_class=Response)
async def download(
    request: Request,
    state: Shared,
    stored: Stored,
    max_list: Annotated[int, Query(alias="list", ge=0, le=1_000_000)] = 1000,
) -> Response:
    """The record that `oraclesum enumerate --list N` writes."""
    _refuse_too_long(stored, max_list, field="list")

    def look(_: Stop) -> bytes:
        refuse_unread()  # others may have been answered while this one waited
        return write_record(stored.case, stored.solved, max_list)

    return reply_file(await state.downloads.run(request, look), output_name(stored.case))


def _refuse_too_long(stored: StoredFamily, most: int, *, field: str) -> None:
    """Raise ApiError if up to `most` oracles are too much for one answer, or others are unread."""
    refuse_unread()
    if _count_written(stored, most) > _MAX_WRITTEN:
        family = stored.solved.family
        raise ApiError(
            422,
            f"{min(most, family.count):,} oracles of up to {max(family.sizes):,} sentences are too "
            f"much for one answer: lower {field}, or use `oraclesum enumerate`",
            field=field,
        )


def _count_written(stored: StoredFamily, most: int) -> int:
    """No fewer sentence indices than up to `most` oracles have."""
    family = stored.solved.family
    return min(most, family.count) * max(family.sizes, default=0)


@router.get("/families/{key}/input", responses=_FILE, response_class=Response)
async def download_input(stored: Stored) -> Response:
    """The document as a record, for the commands of the view."""
    return reply_file(write_input(stored.case), input_name(stored.case))


def order_limits(first: int, last: int, step: int) -> list[int]:
    """Both ends, then the middle of each gap, again and again: a line that gets finer."""
    limits = list(range(first, last + 1, step))
    if limits[-1] != last:
        limits.append(last)
    ends = [0, len(limits) - 1] if len(limits) > 1 else [0]
    ordered = [limits[k] for k in ends]
    gaps = [(0, len(limits) - 1)]
    while gaps:
        halves = []
        for low, high in gaps:
            if high - low > 1:
                middle = (low + high) // 2
                ordered.append(limits[middle])
                halves += [(low, middle), (middle, high)]
        gaps = halves
    return ordered


def _find_point(
    case: ServedCase, unit: str, limit: int, seconds: float, stop: Callable[[], bool]
) -> dict[str, Any]:
    """The best score under one limit, as `CurvePoint` describes it."""
    solved = solve_limit(case, unit, limit, seconds, stop)
    family = solved.family
    return {
        "limit": limit,
        "hits": family.hits,
        "total": family.total,
        "score": family.score,
        "count": str(family.count),
        "status": "complete" if family.status == "list_limit" else family.status.value,
        "proven": family.proven,
        "seconds": solved.seconds,
    }


_MAX_POINTS = 400
_EVENT = {
    "type": "object",
    "properties": {
        "event": {"enum": ["point", "progress", "end", "problem"]},
        "data": {"type": "string", "description": "JSON"},
    },
    "required": ["event", "data"],
}
_EVENTS: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "Events `point` (a CurvePoint), `progress` {done, of}, then `end` {} or "
        "`problem` {error}.",
        "content": {"text/event-stream": {"schema": _EVENT}},
    }
}


@router.get("/families/{key}/curve", responses=_EVENTS, response_class=Response)
async def draw_curve(
    request: Request,
    state: Shared,
    stored: Stored,
    first: Annotated[int, Query(alias="from", ge=1, le=100_000)] = 10,
    last: Annotated[int, Query(alias="to", ge=1, le=100_000)] = 400,
    step: Annotated[int, Query(ge=1, le=100_000)] = 10,
    unit: Literal["words", "sentences"] = "words",
) -> Response:
    """The best score against the limit of words or sentences, coarse at first and then finer."""
    if last < first:
        raise ApiError(422, f"to ({last}) must not be below from ({first})", field="to")
    if (last - first) // step >= _MAX_POINTS:
        raise ApiError(
            422, f"the curve would have more than {_MAX_POINTS} points: raise step", field="step"
        )
    events = _make_events(state, stored, request, unit, order_limits(first, last, step))
    return StreamingResponse(events, media_type="text/event-stream")


async def _make_events(
    state: State, stored: StoredFamily, request: Request, unit: str, limits: list[int]
) -> AsyncIterator[bytes]:
    case, seconds = stored.case, stored.case.seconds
    yield _write("progress", {"done": 0, "of": len(limits)})
    for done, limit in enumerate(limits, 1):
        while True:
            try:
                work = partial(_find_point, case, unit, limit, seconds)
                point = await state.searches.run(request, work, leave_room=True)
            except ClientGone:
                return
            except (ApiError, InputError) as error:
                if isinstance(error, ApiError) and error.status == 429:
                    await asyncio.sleep(0.2)  # others go first
                    continue
                yield _write("problem", {"error": str(error)})
                return
            break
        yield _write("point", point)
        yield _write("progress", {"done": done, "of": len(limits)})
    yield _write("end", {})


def _write(event: str, data: dict[str, Any]) -> bytes:
    return b"event: %s\ndata: %s\n\n" % (event.encode(), orjson.dumps(data))
