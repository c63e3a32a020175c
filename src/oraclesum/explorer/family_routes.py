"""Routes about families of oracles: ask for one, page through it, lay a system over it."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

import orjson
from fastapi import APIRouter, Path, Query, Request, Response

from ..evaluation.alignment import Alignment
from ..instances.limits import count_words
from .answers import FamilyView, OraclePage, SystemView
from .case import align_systems, freeze_system, make_case, make_key
from .corpus_routes import MOST_LISTED
from .desk import Stop
from .failure import ApiError
from .held import Held
from .orders import Order, Orders
from .questions import FamilyQuestion, OverlapQuestion
from .record import input_name, output_name, write_input, write_record
from .replies import PROBLEMS, reply_file, reply_json
from .setup import State
from .solving import solve
from .strict import StrictRoute
from .system_view import view_system
from .view import make_view

__all__ = ["Key", "router"]

router = APIRouter(prefix="/api/families", responses=PROBLEMS, route_class=StrictRoute)

Key = Annotated[str, Path(min_length=1, max_length=64, pattern="^[0-9a-f]+$")]
_MOST_WRITTEN = 10_000_000  # sentence indices in one file
_FILE: dict[int | str, dict[str, Any]] = {
    200: {"content": {"application/x-ndjson": {"schema": {"type": "string"}}}}
}


@router.post("", response_model=FamilyView)
async def post_family(request: Request, question: FamilyQuestion) -> Response:
    """All oracles of a document: everything but the list of them. Asked again, answered at once."""
    state: State = request.app.state.explorer
    setup = state.setup
    held = state.store.find(make_key(question, setup.shelf, setup.time_limit))
    if held is None:  # what is known does not wait for searches
        held = await state.searches.run(request, partial(_answer, state, question))
    return reply_json(held.view)


def _answer(state: State, question: FamilyQuestion, stop: Stop) -> Held:
    setup = state.setup
    split = partial(state.splitter.split, stop=stop)
    case = make_case(question, setup.shelf, most_seconds=setup.time_limit, split=split)
    known = state.store.find(case.key)
    if known is not None:  # another asked the same while this one waited
        return known
    solved = solve(case, stop)
    view = make_view(case, solved, setup.shelf, stop)
    lengths = [count_words(sentence) for sentence in case.sentences]
    held = Held(
        case=case,
        solved=solved,
        view=orjson.dumps(view),
        orders=Orders(solved.family, solved.instance, lengths),
    )
    if not stop():  # an interrupted family must not be the answer to the next who asks
        state.store.put(held)
    return held


@router.delete("/{key}", status_code=204, response_class=Response)
async def delete_family(request: Request, key: Key) -> Response:
    """Forget a family."""
    state: State = request.app.state.explorer
    state.store.remove(key)
    return Response(status_code=204)


@router.get("/{key}/oracles", response_model=OraclePage)
async def list_oracles(
    request: Request,
    key: Key,
    offset: Annotated[str, Query(pattern="^[0-9]{1,400}$")] = "0",
    limit: Annotated[int, Query(ge=1, le=MOST_LISTED)] = 100,
    sort: Order = "text",
    descending: bool = False,
    system: Annotated[str | None, Query(max_length=1000, description="a name")] = None,
    nearest_to: Annotated[
        str | None, Query(pattern="^[0-9]{1,9}(,[0-9]{1,9})*$", max_length=20_000)
    ] = None,
) -> Response:
    """Oracles page by page; distances are to a system or to any set of sentences."""
    state: State = request.app.state.explorer
    held = state.store.get(key)
    near = _find_near(held, system, nearest_to)

    def look(_: Stop) -> dict[str, Any]:
        return held.orders.page(int(offset), limit, by=sort, descending=descending, near=near)

    return reply_json(await state.questions.run(request, look))


def _find_near(held: Held, system: str | None, nearest_to: str | None) -> frozenset[int] | None:
    if nearest_to is not None:
        chosen = frozenset(map(int, nearest_to.split(",")))
        if max(chosen) >= len(held.case.sentences):
            raise ApiError(
                422,
                f"there is no sentence {max(chosen)}: the document has "
                f"{len(held.case.sentences)}, numbered from 0",
                field="nearest_to",
            )
        return chosen
    if system is None:
        return None
    if system not in held.case.alignments:
        raise ApiError(422, f"there is no system {system!r} in this document", field="system")
    return frozenset(held.case.alignments[system].indices)


@router.post("/{key}/overlap", response_model=SystemView)
async def post_overlap(request: Request, key: Key, question: OverlapQuestion) -> Response:
    """A system summary against all oracles, exactly."""
    state: State = request.app.state.explorer
    held = state.store.get(key)
    system = freeze_system(question.system)

    def look(stop: Stop) -> dict[str, Any]:
        case = held.case
        found: dict[str, Alignment] = align_systems(
            {"given": system},
            case.sentences,
            case.rouge.language,
            where="system",
            split=partial(state.splitter.split, stop=stop),
        )
        return view_system(case, held.solved, "given", system, found["given"])

    return reply_json(await state.questions.run(request, look))


@router.get("/{key}/download", responses=_FILE, response_class=Response)
async def download(
    request: Request,
    key: Key,
    most: Annotated[int, Query(alias="list", ge=0, le=1_000_000)] = 1000,
) -> Response:
    """The record that `oraclesum enumerate --list N` writes."""
    state: State = request.app.state.explorer
    held = state.store.get(key)

    if most * max(held.solved.family.sizes, default=0) > _MOST_WRITTEN:
        raise ApiError(
            422,
            f"{most:,} oracles of up to {max(held.solved.family.sizes):,} sentences are too much "
            "for one file: lower list, or use `oraclesum enumerate`",
            field="list",
        )

    def look(_: Stop) -> bytes:
        return write_record(held.case, held.solved, most)

    return reply_file(await state.questions.run(request, look), output_name(held.case))


@router.get("/{key}/input", responses=_FILE, response_class=Response)
async def download_input(request: Request, key: Key) -> Response:
    """The document as a record, for the commands of the view."""
    state: State = request.app.state.explorer
    held = state.store.get(key)
    return reply_file(write_input(held.case), input_name(held.case))
