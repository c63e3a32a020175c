"""Families in files: whole, as a header in JSON and packed sets; or their oracles one by one.

The format of whole families is in docs/families.md. A file is read by every later version of the
package. What is read is checked before it is used.
"""

from __future__ import annotations

import struct
import sys
import zlib
from array import array
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice, pairwise, repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import orjson

from ..errors import InputError, LimitError
from ..given import check_path, read_content
from ..message import show_name, show_value
from ..replacing import open_whole
from ..stopping import importing
from ..whole import as_fraction, require_whole
from .bounds import answer_within
from .diagram import DiagramStore
from .status import Status
from .store import ListedStore, Set, Store

if TYPE_CHECKING:
    from .family import OracleFamily

__all__ = ["VERSION", "load_family", "save_family", "write_jsonl", "write_parquet"]

MAGIC = b"ORACLEFM"
# 1: families of recall, with hits; 2: also of other objectives, with values; 3: a checksum of the
# header, which has the score.
VERSION = 3
_PREFIX = struct.Struct("<8sII")  # magic, version, bytes of the header
_CHECKSUM = struct.Struct("<I")  # from format 3 on, after the header: CRC-32 of all before it
# Memory that things take when they are loaded, roughly.
_SENTENCE_BYTES = 16
_HEADER_BYTES = 8  # per byte of the header
_DIAGRAM_BYTES = 4  # per byte of unpacked data
_LISTED_BYTES = 12
_PAGE = 65_536  # oracles in one row group
_PIECE = 1 << 20  # bytes packed or unpacked at a time: Ctrl-C is heard in between
_NUMBERS = ("sentences", "checked", "held", "data_bytes")
_HITS = ("hits", "total", "upper_bound")  # of format 1
_VALUES = ("value", "upper_value")  # of format 2, as "p/q"
_TEXTS = ("kind", "status", "method", "signature", "count")


def save_family(family: OracleFamily, store: Store, path: str | Path) -> None:
    """Write a family; an older file of that name is replaced only by a complete new one."""
    data = store.pack() if isinstance(store, DiagramStore) else _pack_sets(store)
    header: dict[str, Any] = {
        "kind": "diagram" if isinstance(store, DiagramStore) else "listed",
        "sentences": family.n_sentences,
        **_write_score(family),
        "status": family.status.value,
        "checked": family.checked,
        "method": family.method,
        "signature": family.signature,
        "count": _write_integer(family.count),
        "held": store.stored,
        "data_bytes": len(data),
        "data_crc32": zlib.crc32(data),
    }
    if store.stored < store.count and not isinstance(store, DiagramStore):
        header["inclusion_by_size"] = {
            str(size): [_write_integer(number) for number in row]
            for size, row in store.inclusion_by_size.items()
        }
        header["sizes"] = {str(size): _write_integer(n) for size, n in store.sizes.items()}
    text = orjson.dumps(header)
    start = _PREFIX.pack(MAGIC, VERSION, len(text)) + text
    with _open_file(path) as stream:
        stream.write(start)
        stream.write(_CHECKSUM.pack(zlib.crc32(start)))
        packing = zlib.compressobj()
        for place in range(0, len(data), _PIECE):
            stream.write(packing.compress(data[place : place + _PIECE]))
        stream.write(packing.flush())


def load_family(cls: type[OracleFamily], path: str | Path, max_bytes: int) -> OracleFamily:
    """Read a family of any version up to this one that takes at most so much memory."""
    file = check_path("path", path)
    try:
        content, size = read_content(file, max_bytes)
    except OSError as error:
        raise InputError(f"{show_name(path)}: cannot be read: {error.strerror}") from None
    try:
        if size > max_bytes:
            raise InputError(_too_large(size, max_bytes))
        header, data = _read_parts(content, max_bytes)
        with answer_within(max_bytes=max_bytes):
            store = _restore(header, data)
        count = _read_integer(header["count"])
        if (store.count, store.stored) != (count, header["held"]):
            raise InputError("the number of its oracles is not the one in its header")
        return cls(
            store=store,
            n_sentences=header["sentences"],
            **_read_score(header),
            status=Status(header["status"]),
            checked=header["checked"],
            method=header["method"],
            signature=header["signature"],
        )
    except LimitError as error:
        raise InputError(f"{show_name(path)}: not a usable family file: {error}") from None
    except ValueError as error:  # an InputError, the kernel's, or a status of another name
        raise InputError(f"{show_name(path)}: not a usable family file: {error}") from None


def _write_score(family: OracleFamily) -> dict[str, Any]:
    if family.total is not None:
        return {name: getattr(family, name) for name in _HITS}
    return {name: str(getattr(family, name)) for name in _VALUES}


def _read_score(header: Mapping[str, Any]) -> dict[str, Any]:
    if "value" not in header:
        return {name: header[name] for name in _HITS}
    try:
        values = {name: as_fraction(header[name]) for name in _VALUES}
    except ValueError:
        raise InputError("the values in its header are no fractions") from None
    return {**dict.fromkeys(_HITS), **values}


def _read_parts(content: bytes, max_bytes: int) -> tuple[dict[str, Any], bytes]:
    if content[: len(MAGIC)] != MAGIC[: len(content)] or not content:
        raise InputError("it does not start as one")
    if len(content) < _PREFIX.size:
        raise InputError("it is cut off")
    _, version, size = _PREFIX.unpack_from(content)
    if version > VERSION:
        raise InputError(
            f"it has format {version}, this package knows up to {VERSION}; install a newer one"
        )
    if size * _HEADER_BYTES > max_bytes:
        raise InputError(f"its header is too large: {_too_large(size * _HEADER_BYTES, max_bytes)}")
    end = _PREFIX.size + size
    packed = end + (_CHECKSUM.size if version >= 3 else 0)
    if len(content) < packed:
        raise InputError("it is cut off in its header")
    if version >= 3 and _CHECKSUM.unpack_from(content, end)[0] != zlib.crc32(content[:end]):
        raise InputError("its header is damaged: the checksum differs")
    text = content[_PREFIX.size : end]
    try:
        header = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise InputError(f"its header is not JSON: {error}") from None
    _check_header(header)
    _check_memory(header, max_bytes)
    return header, _decompress(content[packed:], header)


def _check_header(header: Any) -> None:
    if not isinstance(header, dict):
        raise InputError("its header is not a JSON object")
    score = _VALUES if "value" in header else ()
    for name in (*_NUMBERS, *(() if score else _HITS), "data_crc32"):
        value = header.get(name)
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise InputError(f"{name!r} in its header must be a whole number, not {value!r}")
    for name in (*_TEXTS, *score):
        if not isinstance(header.get(name), str):
            raise InputError(f"{name!r} in its header must be text, not {header.get(name)!r}")


def _check_memory(header: Mapping[str, Any], max_bytes: int) -> None:
    """Before anything of that size is made: a small file can claim to be a huge one."""
    per_byte = _DIAGRAM_BYTES if header["kind"] == "diagram" else _LISTED_BYTES
    needed = header["sentences"] * _SENTENCE_BYTES + header["data_bytes"] * per_byte
    if needed > max_bytes:
        raise InputError(_too_large(needed, max_bytes))


def _too_large(needed: int, max_bytes: int) -> str:
    return (
        f"it would take about {(needed >> 20) + 1:,} MiB of memory, more than the limit of "
        f"{max_bytes >> 20:,} MiB; raise max_bytes if you trust it"
    )


def _decompress(packed: bytes, header: Mapping[str, Any]) -> bytes:
    machine = zlib.decompressobj()
    unpacked = bytearray()
    try:
        while not machine.eof and len(unpacked) <= header["data_bytes"]:
            piece = machine.decompress(packed, _PIECE)
            packed = machine.unconsumed_tail
            if not piece and not packed and not machine.eof:
                raise InputError("it is cut off in its data")
            unpacked += piece
    except zlib.error as error:
        raise InputError(f"its data is damaged: {error}") from None
    data = bytes(unpacked)
    if machine.unused_data:
        raise InputError("something follows its data")
    if len(data) != header["data_bytes"] or zlib.crc32(data) != header["data_crc32"]:
        raise InputError("its data is damaged: the checksum differs")
    return data


def _restore(header: Mapping[str, Any], data: bytes) -> Store:
    if header["kind"] == "diagram":
        return DiagramStore.unpack(data, header["sentences"], header["held"])
    if header["kind"] != "listed":
        raise InputError(f"it holds a family of unknown kind {header['kind']!r}")
    sets = _unpack_sets(data, header["sentences"])
    if "sizes" not in header:
        return ListedStore(sets, header["sentences"])
    try:
        sizes = {int(size): _read_integer(n) for size, n in header["sizes"].items()}
        inclusion = {
            int(size): [_read_integer(number) for number in row]
            for size, row in header["inclusion_by_size"].items()
        }
    except (AttributeError, KeyError, TypeError):
        raise InputError("the sums in its header are damaged") from None
    if any(len(row) != header["sentences"] for row in inclusion.values()):
        raise InputError("the sums in its header are not of its sentences")
    count = _read_integer(header["count"])
    if sum(sizes.values()) != count or not _fit(sets, header["sentences"], sizes, inclusion):
        raise InputError("the sums in its header contradict each other, its count or its sets")
    return ListedStore(
        sets, header["sentences"], count=count, inclusion_by_size=inclusion, sizes=sizes
    )


def _fit(
    sets: list[Set],
    sentences: int,
    sizes: Mapping[int, int],
    inclusion: Mapping[int, Sequence[int]],
) -> bool:
    """Whether there can be a family with these sums that has the stored sets."""
    stored = ListedStore(sets, sentences)
    # How many are not stored. A size that only the stored sets have makes it negative.
    others = {n: sizes.get(n, 0) - stored.sizes.get(n, 0) for n in {*sizes, *stored.sizes}}
    if any(number < 0 for number in others.values()):
        return False
    if any(sum(inclusion.get(size, ())) != size * number for size, number in sizes.items()):
        return False
    # From here on every size of a stored set has a row: their table is no larger than the header's.
    for size, row in inclusion.items():
        known = stored.inclusion_by_size.get(size, repeat(0))
        most = others.get(size, 0)
        if not all(0 <= total - here <= most for total, here in zip(row, known, strict=False)):
            return False
    return True


def _pack_sets(store: Store) -> bytes:
    """Number of sets, their sizes, their sentences: unsigned, 32 bits, lowest byte first."""
    sets = list(store)
    members = [i for selected in sets for i in selected]
    numbers = [len(sets), *map(len, sets), *members]
    return struct.pack(f"<{len(numbers)}I", *numbers)


def _unpack_sets(data: bytes, sentences: int) -> list[Set]:
    if len(data) < 4 or len(data) % 4:
        raise InputError("its data ends in the middle of a number")
    numbers = memoryview(data).cast("I") if sys.byteorder == "little" else _swap(data)
    number, rest = numbers[0], numbers[1:]
    if len(rest) < number or sum(rest[:number]) != len(rest) - number:
        raise InputError("its data is too short or too long for its sets")
    sets: list[Set] = []
    at = number
    for size in rest[:number]:
        selected = tuple(rest[at : at + size])
        at += size
        if any(i >= j for i, j in pairwise(selected)) or (selected and selected[-1] >= sentences):
            raise InputError(f"its set {len(sets)} is not one of ascending sentences")
        sets.append(selected)
    if any(a >= b for a, b in pairwise(sets)):
        raise InputError("its sets are not in ascending order")
    return sets


def _swap(data: bytes) -> memoryview:
    numbers = array("I", data)
    numbers.byteswap()
    return memoryview(numbers)


def _write_integer(number: int) -> str:
    """Hexadecimal: Python refuses decimal digits beyond a few thousand, and counts have more."""
    return hex(number)


def _read_integer(text: object) -> int:
    if not isinstance(text, str):
        raise InputError(f"{text!r} in its header must be a number written as text")
    return int(text, 16)


@contextmanager
def _open_file(path: str | Path) -> Iterator[BinaryIO]:
    """The file to write; whatever keeps it from being written is an InputError."""
    file = check_path("path", path)
    if not file.name:
        raise InputError(f"path must name a file, not {show_value(str(file))}")
    try:
        with open_whole(file) as stream:
            yield stream
    except OSError as error:
        raise InputError(f"{show_name(file)}: cannot be written: {error.strerror}") from None


def write_jsonl(family: OracleFamily, path: str | Path, max_list: int | None) -> int:
    """One object per oracle; returns how many."""
    written = 0
    with _open_file(path) as stream:
        for page in _cut_pages(family, max_list):
            lines = (orjson.dumps({"oracle": selected}) + b"\n" for selected in page)
            stream.write(b"".join(lines))
            written += len(page)
    return written


def write_parquet(family: OracleFamily, path: str | Path, max_list: int | None) -> int:
    """One row per oracle, what the family says of itself in the file's metadata."""
    with importing():  # not before it is needed: it takes half a second
        import pyarrow as pa
        import pyarrow.parquet as pq

    facts = {
        "oraclesum.hits": str(family.hits),
        "oraclesum.total": str(family.total),
        "oraclesum.count": hex(family.count),
        "oraclesum.sentences": str(family.n_sentences),
        "oraclesum.status": family.status.value,
        "oraclesum.signature": family.signature,
    }
    schema = pa.schema([("oracle", pa.list_(pa.int32()))], metadata=facts)
    written = 0
    with _open_file(path) as stream, pq.ParquetWriter(stream, schema) as writer:
        for page in _cut_pages(family, max_list):
            column = pa.array([list(selected) for selected in page], pa.list_(pa.int32()))
            writer.write_table(pa.table([column], schema=schema))
            written += len(page)
    return written


def _cut_pages(family: OracleFamily, max_list: int | None) -> Iterator[list[Set]]:
    if max_list is not None:
        max_list = require_whole("max_list", max_list, least=0)
    oracles = islice(family.iterate(), max_list)
    while page := list(islice(oracles, _PAGE)):
        yield page
