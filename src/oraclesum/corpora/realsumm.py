"""REALSumm's published scores: a pickle of summaries and grades, and the articles beside it.

A pickle is a program. The reader here knows containers, text and numbers (of numpy too) and no
other names, so that nothing is imported and no code of anybody's runs. A pickle can also name one
thing many times: what is read of it stays in proportion to its size, and so does the time that it
takes. The time to hash a key does not (a tuple may have one part in it any number of times, whole
numbers may all have one hash): a key that is neither text nor a usual number is only known by its
kind.
"""

from __future__ import annotations

import io
import pickle
import re
import struct
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any, ClassVar

from ..errors import InputError, NoRecordError, RecordError
from ..message import Message, show_value
from .bad import BadFile
from .caps import Caps
from .files import CorpusFile, Keeper
from .markup import decode
from .rows import read_row
from .topic import Topic

__all__ = ["load_plain", "read_scores"]

_HUMAN = ("litepyramid_recall",)  # what people gave; all other scores are of programs
_NO_LETTERS = re.compile(r"<[^<>]*>|-[lr][rsc]b-|[\W_]+", re.IGNORECASE)
_ALIKE = 80  # percent of the letters of a reference, whose tokens differ from file to file
_MAX_COMPARED = 2_000  # references that are compared one by one
_MAX_LETTERS = 5_000  # of one that is compared, in quadratic time; a longer one must be equal
_PUTS = ("PUT", "BINPUT", "LONG_BINPUT")  # name the entry of the memo that they fill
_KEY_BITS = 64
_SMALL = 1 << 20  # characters that any pickle may come to
_LAYOUT = "{document: {'ref_summ', 'system_summaries': {system: {'system_summary', 'scores'}}}}"


def read_scores(
    files: Iterable[CorpusFile | RecordError], caps: Caps
) -> Iterator[Topic | RecordError]:
    """A topic per document of the one pickle among the files, with the article it is about.

    Articles are the lines of a file src.txt. Which line belongs to a document is told by the
    references in ref.txt beside it, or by the document's number if there is none.
    """
    pickles: list[tuple[str, bytes]] = []
    sources: dict[str, list[str]] = {}
    references: dict[str, list[str]] = {}
    lost = False
    keeper = Keeper(caps)
    for file in files:
        if isinstance(file, RecordError):
            lost = True
            yield file
            continue
        folder, _, last = file.name.rpartition("/")
        if not last.endswith(".pkl") and last not in ("src.txt", "ref.txt"):
            continue
        try:
            data = keeper.read(file)
            text = "" if last.endswith(".pkl") else decode(data)
        except InputError as error:
            lost = True
            yield file.refuse(error)
            continue
        except BadFile as bad:
            lost = True
            yield RecordError(file.place, bad.line, bad.reason, file.place)
            continue
        if last.endswith(".pkl"):
            pickles.append((file.place, data))
        else:
            lines = text.rstrip("\n").split("\n")
            (sources if last == "src.txt" else references)[folder] = lines
    if lost:
        # If the references are what is lost, a number would name some other article.
        sources = {folder: lines for folder, lines in sources.items() if folder in references}
        reason = "its articles, or the references beside them, may be what could not be read"
        if not sources:
            yield from (RecordError(place, 1, reason, place) for place, _ in pickles)
        if not sources or not pickles:
            return
    if not pickles:
        raise InputError("there is no pickle (*.pkl) of REALSumm's scores")
    if len(pickles) > 1:
        names = ", ".join(place for place, _ in pickles)
        raise InputError(
            Message("several pickles ({names}): name one, and the articles by {also}", names=names)
        )
    ((place, data),) = pickles
    documents = _check_layout(load_plain(data, place), place)
    if not sources:
        raise NoRecordError(
            place,
            1,
            Message(
                "these are REALSumm's scores without the articles, which are the lines of "
                "selected_docs_for_human_eval/abs/ptr_generator/src.txt: give that folder by {also}"
            ),
        )
    folder = next((one for one in sources if one in references), next(iter(sources)))
    articles = _Articles(sources[folder], references.get(folder))
    room = _Room(len(data) + sum(map(len, sources[folder])))
    for number, (key, document) in enumerate(documents.items(), 1):
        before = room.left
        try:
            yield _read_document(document, key, articles, room, place, number)
        except RecordError as error:
            room.left = before
            yield error


def _read_document(
    document: Any, key: Any, articles: _Articles, room: _Room, place: str, number: int
) -> Topic:
    try:
        topic_id = _name(key)
    except (TypeError, ValueError) as error:
        reason = f"the document's name cannot be written as text: {error}"
        raise RecordError(place, number, reason, f"row:{number}") from None
    try:
        reference = _get_field(document, "ref_summ")
        sentences = _split(reference)
        systems: dict[str, Any] = {}
        scores: dict[str, dict[str, Any]] = {}
        for system, one in _get_dict(document, "system_summaries").items():
            name = _name(system).removesuffix(".txt")
            if name in systems:
                reason = f"two systems are called {show_value(name)}, with or without .txt"
                raise RecordError(place, number, reason, topic_id)
            summary, given = _get_field(one, "system_summary"), _get_dict(one, "scores")
            systems[name] = _split(summary)
            scores[name] = {_name(score): _flatten(value) for score, value in given.items()}
            room.take(len(summary) + len(given))
        article = articles.find(key, reference)
        room.take(len(reference) + len(article or ""))
    except RecordError:
        raise
    except (TypeError, ValueError) as error:
        reason = f"no document of REALSumm, {_LAYOUT}: {error}"
        raise RecordError(place, number, reason, topic_id) from None
    if article is None:
        reason = "no article has this reference beside it: give the src.txt and ref.txt of its data"
        raise RecordError(place, number, reason, topic_id)
    text = _split(article)
    row = {
        "id": topic_id,
        **({"text": text} if isinstance(text, str) else {"sentences": text}),
        "references": [sentences],
        "systems": systems,
        "human": {name: _pick(one, human=True) for name, one in scores.items()},
        "measures": {name: _pick(one, human=False) for name, one in scores.items()},
    }
    return read_row(row, number, name=place)


def _get_field(found: Any, field: str) -> Any:
    """A field. Raises TypeError or ValueError if it is not there."""
    if not isinstance(found, dict):
        raise TypeError(f"a {type(found).__name__} stands where {field!r} is looked for")
    if field not in found:
        raise ValueError(f"{field!r} is missing")
    return found[field]


def _get_dict(found: Any, field: str) -> dict[Any, Any]:
    value = _get_field(found, field)
    if not isinstance(value, dict):
        raise TypeError(f"{field!r} is a {type(value).__name__}")
    return value


def _pick(scores: Mapping[str, Any], *, human: bool) -> dict[str, Any]:
    return {name: value for name, value in scores.items() if (name in _HUMAN) == human}


def _name(key: Any) -> str:
    """A name as text. Raises TypeError or ValueError if it is none."""
    if isinstance(key, _OddKey):
        raise TypeError(f"a name is {key.kind}")
    name = str(key)
    try:
        name.encode()
    except UnicodeEncodeError:
        raise ValueError(f"the name {show_value(name)} has half of a surrogate pair") from None
    return name


def _flatten(score: Any) -> Any:
    """A score; of a container, which is none, only its kind: it may unfold to any size."""
    kinds: tuple[type, ...] = (list, tuple, dict, set, frozenset)
    return type(score)() if isinstance(score, kinds) else score


class _Room:
    """How many characters may be read: what is shared stands in the file once, but is read often.

    What is not shared comes to less than the size of the file.
    """

    def __init__(self, size: int) -> None:
        self.left = max(2 * size, _SMALL)

    def take(self, size: int) -> None:
        """Take so many characters. Raises ValueError if they are not there."""
        if size > self.left:
            raise ValueError(
                "what is stored once and named often comes to more than twice the file"
            )
        self.left -= size


def _split(text: Any) -> str | list[str]:
    """The sentences between `<t>` and `</t>`; one of them is running text."""
    if not isinstance(text, str):
        raise TypeError(f"text is a {type(text).__name__}")
    ended = (part.partition("<t>") for part in text.split("</t>")[:-1])
    found = [sentence.strip() for _, start, sentence in ended if start]
    if len(found) > 1:
        return found
    return found[0] if found else text.strip()


class _Articles:
    """The articles, found by the number of a document and by its reference."""

    def __init__(self, lines: list[str], references: list[str] | None) -> None:
        self._lines = lines
        if references is not None and len(references) != len(lines):
            raise InputError(
                f"src.txt has {len(lines)} lines and ref.txt beside it {len(references)}: "
                "they must go together line by line"
            )
        self._references = None if references is None else list(map(_fold, references))

    def find(self, key: Any, reference: Any) -> str | None:
        """The article of a document; None if there is none."""
        number = int(key) if str(key).isdecimal() and len(str(key)) < 10 else None
        if number is not None and number >= len(self._lines):
            number = None
        if self._references is None:
            return None if number is None else self._lines[number]
        from rapidfuzz import fuzz, process

        wanted = _fold(str(reference))
        short = len(wanted) <= _MAX_LETTERS
        if number is not None:
            own = self._references[number]
            alike = short and len(own) <= _MAX_LETTERS and fuzz.ratio(wanted, own) >= _ALIKE
            if own == wanted or alike:
                return self._lines[number]
        if wanted in self._references:
            return self._lines[self._references.index(wanted)]
        if not short or len(self._references) > _MAX_COMPARED:
            return None
        # Those that are None are passed over.
        compared = [one if len(one) <= _MAX_LETTERS else None for one in self._references]
        found = process.extractOne(wanted, compared, scorer=fuzz.ratio, score_cutoff=_ALIKE)
        return None if found is None else self._lines[found[2]]


def _fold(text: str) -> str:
    """The letters and digits of a reference, which all of its copies have."""
    return _NO_LETTERS.sub("", text).lower()


def _check_layout(found: Any, place: str) -> dict[Any, Any]:
    first = next(iter(found.values()), None) if isinstance(found, dict) else None
    if isinstance(first, dict) and "system_summaries" in first:
        assert isinstance(found, dict)
        return found
    kind = type(found).__name__
    raise NoRecordError(
        place, 1, f"this pickle is a {kind} and not REALSumm's scores, {_LAYOUT}; save it as JSON"
    )


def load_plain(data: bytes, place: str) -> Any:
    """What a pickle of containers, text and numbers contains. Raises InputError for any other."""
    data = _cut_readable(data, place)
    try:
        return _Plain(data).load()
    except _Refused as refused:
        raise InputError(
            f"{place}: this pickle asks for {refused}, which is refused: only dict, list, tuple, "
            "set, text, numbers and numpy's numbers are read, as any other name could run code; "
            "save the data as JSON"
        ) from None
    except RecursionError:
        raise InputError(f"{place}: this pickle is nested too deep") from None
    except Exception as error:  # what a broken pickle raises is not documented
        raise InputError(f"{place}: is no readable pickle: {type(error).__name__}") from None


def _cut_readable(data: bytes, place: str) -> bytes:
    """The pickle as far as its instructions can be read, which is all of one that is whole.

    The unpickler makes room for what an instruction announces before it sees that it is not there,
    and for all entries of its memo below the one that is named. Raises InputError if that is one
    that no pickle of this size can have.
    """
    from pickletools import genops

    stream = io.BytesIO(data)
    end, highest, last = 0, 0, ""
    # What it raises is not documented; the unpickler comes to the same place, and says why.
    with suppress(Exception):
        for instruction, argument, _ in genops(stream):
            end, last = stream.tell(), instruction.name
            if instruction.name in _PUTS and isinstance(argument, int):
                highest = max(highest, argument)
    if highest > len(data):
        raise InputError(
            f"{place}: is no readable pickle: it names entry {show_value(highest)} of its memo, "
            f"and has {len(data):,} bytes"
        )
    if last == "STOP" and end < len(data):
        raise InputError(f"{place}: something follows the pickle, which ends at byte {end:,}")
    return data[:end]


class _Refused(Exception):  # noqa: N818 - on its way to the message that explains it
    """The name of something that a pickle asks for."""


class _OddKey:
    """Stands for a key or member that is neither text nor a number of the usual size."""

    __slots__ = ("kind",)

    def __init__(self, kind: str) -> None:
        self.kind = kind


def _check_key(key: Any) -> Any:
    if isinstance(key, int) and key.bit_length() > _KEY_BITS:
        return _OddKey(f"a whole number of more than {_KEY_BITS} bits")
    plain = isinstance(key, str | bytes | int | float | None)
    return key if plain else _OddKey(f"a {type(key).__name__}")


_LOADERS: Any = pickle._Unpickler.dispatch  # what is done for each instruction


class _Plain(pickle._Unpickler):
    """Knows the names that numpy writes for a number, and gives functions of ours for them.

    It is the one in Python, as keys have to be looked at before they are hashed.
    """

    stack: list[Any]  # since the last mark
    dispatch: ClassVar[Any] = dict(_LOADERS)

    def __init__(self, data: bytes) -> None:
        super().__init__(io.BytesIO(data))
        # No method of ours: Python never frees an unpickler whose memo leads back to it.
        self._make_bytes = _limit_bytes(_Room(len(data)))

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) in (
            ("numpy.core.multiarray", "scalar"),
            ("numpy._core.multiarray", "scalar"),
        ):
            return _make_number
        if (module, name) == ("numpy", "dtype"):
            return _Dtype
        if (module, name) == ("_codecs", "encode"):
            return self._make_bytes
        raise _Refused(f"{module}.{name}"[:200])

    def persistent_load(self, pid: Any) -> Any:
        raise _Refused("a persistent object")

    def load_one_item(self) -> None:
        self.stack[-2] = _check_key(self.stack[-2])
        _LOADERS[pickle.SETITEM[0]](self)

    def load_items(self) -> None:
        self.stack[::2] = map(_check_key, self.stack[::2])
        _LOADERS[pickle.SETITEMS[0]](self)

    def load_whole_dict(self) -> None:
        self.stack[::2] = map(_check_key, self.stack[::2])
        _LOADERS[pickle.DICT[0]](self)

    def load_members(self) -> None:
        self.stack[:] = map(_check_key, self.stack)
        _LOADERS[pickle.ADDITEMS[0]](self)

    def load_whole_set(self) -> None:
        self.stack[:] = map(_check_key, self.stack)
        _LOADERS[pickle.FROZENSET[0]](self)

    def load_state(self) -> None:
        state = self.stack.pop()
        if not isinstance(self.stack[-1], _Dtype):  # our functions keep what they have
            raise _Refused("a state of something that has none")
        self.stack[-1].__setstate__(state)

    dispatch[pickle.SETITEM[0]] = load_one_item
    dispatch[pickle.SETITEMS[0]] = load_items
    dispatch[pickle.DICT[0]] = load_whole_dict
    dispatch[pickle.ADDITEMS[0]] = load_members
    dispatch[pickle.FROZENSET[0]] = load_whole_set
    dispatch[pickle.BUILD[0]] = load_state


class _Dtype:
    """The kind of a number of numpy: "f8" and the like, with its byte order."""

    __slots__ = ("code", "order")

    def __init__(self, code: Any, *_: Any) -> None:
        self.code = code if isinstance(code, str) else ""
        self.order = "<"

    def __setstate__(self, state: Any) -> None:
        if isinstance(state, tuple) and len(state) > 1 and state[1] == ">":
            self.order = ">"


_FORMATS = {
    "f2": "e",
    "f4": "f",
    "f8": "d",
    "i1": "b",
    "i2": "h",
    "i4": "i",
    "i8": "q",
    "u1": "B",
    "u2": "H",
    "u4": "I",
    "u8": "Q",
    "b1": "?",
}


def _limit_bytes(room: _Room) -> Callable[[Any, Any], bytes]:
    """What makes bytes as early protocols write them, of no more text than there is room for."""

    def make_bytes(text: Any, encoding: Any) -> bytes:
        if not isinstance(text, str) or encoding != "latin1":
            named = encoding if isinstance(encoding, str) else type(encoding).__name__
            raise _Refused(f"text in the encoding {named!r:.20}")
        room.take(len(text))
        return text.encode("latin-1")

    return make_bytes


def _make_number(dtype: Any, data: Any) -> Any:
    if not isinstance(dtype, _Dtype) or dtype.code not in _FORMATS:
        raise _Refused(f"a numpy value of the kind {getattr(dtype, 'code', '?')!r:.20}")
    # Python 2 wrote bytes as text of Latin-1.
    raw = data.encode("latin-1") if isinstance(data, str) else data
    return struct.unpack(dtype.order + _FORMATS[dtype.code], raw)[0]
