"""Routes about the server and its corpus: /api/about, /api/topics."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request, Response

from ..signature import package_version
from ..text import find_language
from ..text.languages import Writing, describe_languages
from .answers import About, TopicList, TopicView
from .failure import ApiError
from .questions import Settings
from .replies import PROBLEMS, reply_json
from .setup import State
from .shelf import Shelf
from .solving import MOST_SORTED
from .strict import StrictRoute

__all__ = ["MOST_LISTED", "router"]

MOST_LISTED = 1000
"""The longest page of topics or oracles."""

router = APIRouter(prefix="/api", responses=PROBLEMS, route_class=StrictRoute)


def _list_languages() -> list[dict[str, Any]]:
    """Those whose words can be told apart without a tokenizer of the user's own."""
    return [
        {
            "code": language.code,
            "name": language.name.title(),
            "stem": language.snowball is not None,
            "stop_words": language.code == "en",
        }
        for language in describe_languages()
        if language.writing is not Writing.UNSPACED
    ]


@router.get("/about", response_model=About)
async def about(request: Request) -> Response:
    """What this server is, has opened, and allows; and how busy it is."""
    state: State = request.app.state.explorer
    setup, shelf = state.setup, state.setup.shelf
    return reply_json(
        {
            "version": package_version(),
            "corpus": shelf and {"name": shelf.name, "topics": len(shelf.entries)},
            "languages": _list_languages(),
            "defaults": Settings().model_dump(),
            "limits": {
                "body_bytes": setup.body_bytes,
                "seconds": setup.time_limit,
                "words_from": setup.words_from,
                "words_to": setup.words_to,
                "most_sorted": MOST_SORTED,
                "most_listed": MOST_LISTED,
            },
            "load": {
                "running": state.searches.running,
                "waiting": state.searches.waiting,
                "held": len(state.store),
            },
        }
    )


@router.get("/topics", response_model=TopicList, response_model_exclude_none=True)
async def topics(
    request: Request,
    offset: Annotated[int, Query(ge=0, lt=2**53)] = 0,
    limit: Annotated[int, Query(ge=1, le=MOST_LISTED)] = 50,
    search: Annotated[str, Query(max_length=200, description="part of the id")] = "",
) -> Response:
    """The topics of the corpus, page by page."""
    state: State = request.app.state.explorer
    shelf = state.setup.shelf
    if shelf is None:
        return reply_json({"total": 0, "topics": []})

    def look(_: object) -> dict[str, Any]:
        found = shelf.find(search)
        lines = [_describe(shelf, number) for number in found[offset : offset + limit]]
        return {"total": len(found), "topics": lines}

    return reply_json(await state.questions.run(request, look))


def _describe(shelf: Shelf, number: int) -> dict[str, Any]:
    entry = shelf.entries[number]
    if entry.error is not None:
        return {"number": number, "id": entry.id, "error": entry.error}
    size = shelf.measure(number)
    return {
        "number": number,
        "id": entry.id,
        "sentences": size.sentences,
        "words": size.words,
        "references": size.references,
        "systems": size.systems,
    }


@router.get("/topics/{number}", response_model=TopicView)
async def topic(request: Request, number: Annotated[int, Path(ge=0, lt=2**53)]) -> Response:
    """One topic with its references and systems."""
    state: State = request.app.state.explorer
    shelf = state.setup.shelf
    if shelf is None or number >= len(shelf.entries):
        held = 0 if shelf is None else len(shelf.entries)
        raise ApiError(404, f"there is no topic {number}: the corpus has {held}", field="number")

    def look(_: object) -> dict[str, Any]:
        found = shelf.topic(number)
        language = find_language(found.language or "en").code
        sentences = shelf.sentences(found)
        return {
            "number": number,
            "id": found.id,
            "sentences": sentences,
            "doc_ids": found.doc_ids,
            "references": [
                [one] if isinstance(one, str) else list(one) for one in found.references
            ],
            "systems": {
                name: {"sentences": alignment.indices, "unmatched": alignment.unaligned}
                for name, alignment in shelf.align(number, found, language).items()
            },
            "language": language,
        }

    return reply_json(await state.questions.run(request, look))
