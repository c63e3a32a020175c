"""Families survive their files: saved and loaded, listed as JSON lines and Parquet, old or bad."""

from __future__ import annotations

import json
import os
import pickle
import random
import struct
import tracemalloc
import zlib
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import orjson
import pyarrow.parquet as pq
import pytest

import oraclesum
from oraclesum.errors import InputError
from oraclesum.instances import Instance, Limit
from oraclesum.oracles import OracleFamily, Status, enumerate_instance
from reference.generate import generate_instances

GOLDEN = Path(__file__).parent.parent / "golden"
FACTS = ("n_sentences", "hits", "total", "status", "upper_bound", "checked", "method", "signature")


def make_family(**settings: Any) -> OracleFamily:
    """Two of three copies of one sentence and one of two others: six oracles."""
    instance = Instance(
        id="six",
        total=7,
        gains=[[2, 2], [3]],
        counts=[[(0, 1)], [(1, 1)], [], [(0, 1)], [(1, 1), (0, 0)], [(0, 1)]],
        limits=[Limit(unit="words", budget=6, lengths=(2, 2, 2, 2, 2, 2))],
        signature="oraclesum:0.1.0|made:by hand",
    )
    return enumerate_instance(instance, **settings)


SIX = [(0, 1, 3), (0, 1, 5), (0, 3, 4), (0, 4, 5), (1, 3, 5), (3, 4, 5)]


def assert_equal(loaded: OracleFamily, family: OracleFamily) -> None:
    for name in FACTS:
        assert getattr(loaded, name) == getattr(family, name)
    assert (loaded.count, len(loaded)) == (family.count, len(family))
    assert list(loaded) == list(family)
    assert loaded.inclusion_by_size == family.inclusion_by_size
    assert loaded.sizes == family.sizes


@pytest.mark.parametrize("method", ["search", "paper", "exhaustive"])
def test_a_family_comes_back_from_its_file(method: str, tmp_path: Path) -> None:
    path = tmp_path / "family"
    drawn = list(generate_instances(60, seed=41))
    for instance in (instance for instance in drawn if instance.candidates):
        family = enumerate_instance(instance, method=method)
        family.write(path)
        loaded = OracleFamily.read(path)
        assert_equal(loaded, family)
        assert loaded.sample(5, seed=2) == family.sample(5, seed=2)
        assert all(selected in loaded for selected in family)
    assert [entry.name for entry in tmp_path.iterdir()] == ["family"]


@pytest.mark.parametrize("method", ["search", "exhaustive"])
def test_what_was_counted_but_not_held_stays_counted(method: str, tmp_path: Path) -> None:
    family = make_family(method=method, max_list=2)
    family.write(tmp_path / "family")
    loaded = OracleFamily.read(tmp_path / "family")
    assert_equal(loaded, family)
    assert (loaded.status, loaded.count, len(loaded)) == (Status.LIST_LIMIT, 6, 2)


@pytest.mark.parametrize("name", ["family-v1", "family-v1-listed"])
def test_files_of_the_first_format_stay_readable(name: str) -> None:
    loaded = OracleFamily.read(GOLDEN / f"{name}.family")
    assert list(loaded) == SIX
    assert (loaded.n_sentences, loaded.hits, loaded.total, loaded.count) == (6, 7, 7, 6)
    assert (loaded.status, loaded.upper_bound) == (Status.COMPLETE, 7)
    assert loaded.signature == "oraclesum:0.1.0|made:by hand|family:all"
    assert loaded.inclusion_counts == [4, 3, 0, 4, 3, 4]
    assert loaded.smallest() == (0, 1, 3)


def test_files_of_the_second_format_stay_readable() -> None:
    """Made of "a b c", "b c", "c a b", "b c" against "a b c a" and "b c", within 0.2."""
    loaded = OracleFamily.read(GOLDEN / "family-v2.family")
    assert list(loaded) == [(0,), (0, 1), (0, 2), (0, 3), (1,), (1, 2), (2,), (2, 3), (3,)]
    assert (loaded.value, loaded.hits, loaded.status) == (Fraction(19, 24), None, Status.COMPLETE)


def test_a_count_beyond_every_machine_number_survives(tmp_path: Path) -> None:
    copies = 1_100
    instance = Instance(
        total=1,
        gains=[[1]],
        counts=[[(0, 1)]] * copies,
        limits=[Limit(unit="words", budget=copies, lengths=(1,) * copies)],
    )
    family = enumerate_instance(instance, max_list=0)
    assert family.count == 2**copies - 1
    family.write(tmp_path / "family")
    assert OracleFamily.read(tmp_path / "family").count == family.count


def test_a_family_can_be_pickled() -> None:
    family = make_family()
    assert_equal(pickle.loads(pickle.dumps(family)), family)


def split(content: bytes) -> tuple[dict[str, Any], bytes]:
    size = struct.unpack_from("<8sII", content)[2]
    return orjson.loads(content[16 : 16 + size]), zlib.decompress(content[16 + size + 4 :])


def join(header: Any, data: bytes, *, version: int = 1) -> bytes:
    """A file of the first format, whose header has no checksum, so that it can say anything."""
    text = orjson.dumps(header)
    prefix = struct.pack("<8sII", b"ORACLEFM", version, len(text))
    return prefix + text + zlib.compress(data)


def sign(header: dict[str, Any], data: bytes) -> bytes:
    """A file whose checksum is right, whatever else is wrong."""
    return join({**header, "data_bytes": len(data), "data_crc32": zlib.crc32(data)}, data)


def change(data: bytes, place: int, value: int) -> bytes:
    """The data with one of its 32-bit numbers replaced."""
    return data[: 4 * place] + struct.pack("<I", value) + data[4 * place + 4 :]


def saved(family: OracleFamily, tmp_path: Path) -> bytes:
    family.write(tmp_path / "good")
    return (tmp_path / "good").read_bytes()


@pytest.fixture
def content(tmp_path: Path) -> bytes:
    return saved(make_family(), tmp_path)


def load(content: bytes, tmp_path: Path) -> OracleFamily:
    path = tmp_path / "bad.family"
    path.write_bytes(content)
    return OracleFamily.read(path)


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda c: b"", "does not start as one"),
        (lambda c: b"PAR1" + c, "does not start as one"),
        (lambda c: c[:10], "cut off"),
        (lambda c: c[:40], "cut off in its header"),
        (lambda c: c[:-3], "cut off in its data"),
        (lambda c: c[:-20], "cut off in its data"),
        (lambda c: c + b"more", "something follows its data"),
        (lambda c: c[:-1] + bytes([c[-1] ^ 1]), "damaged"),
        (lambda c: join(*split(c), version=4), "format 4, this package knows up to 3"),
        (lambda c: join([], split(c)[1]), "header is not a JSON object"),
        (lambda c: join({**split(c)[0], "hits": "7"}, split(c)[1]), "'hits' in its header must be"),
        (lambda c: join({**split(c)[0], "kind": "zdd"}, split(c)[1]), "unknown kind 'zdd'"),
        (lambda c: join({**split(c)[0], "kind": 1}, split(c)[1]), "'kind' in its header"),
        (lambda c: join({**split(c)[0], "status": "fine"}, split(c)[1]), "'fine' is not a valid"),
        (lambda c: join({**split(c)[0], "count": "0x7"}, split(c)[1]), "number of its oracles"),
        (lambda c: join({**split(c)[0], "sentences": 10**12}, split(c)[1]), "limit of 1,024 MiB"),
        (lambda c: join({**split(c)[0], "sentences": 3}, split(c)[1]), "does not exist"),
        (lambda c: join({**split(c)[0], "data_bytes": 10}, split(c)[1]), "checksum differs"),
        (lambda c: join({**split(c)[0], "data_bytes": 2**63}, split(c)[1]), "limit of 1,024 MiB"),
        (lambda c: sign(split(c)[0], split(c)[1][:-2]), "middle of a number"),
        (lambda c: sign(split(c)[0], split(c)[1][:-4]), "too short or too long"),
        (lambda c: sign(split(c)[0], split(c)[1] + bytes(4)), "too short or too long"),
    ],
)
def test_a_bad_file_is_told_by_name_and_reason(
    spoil: Callable[[bytes], bytes], message: str, content: bytes, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=rf"bad\.family: not a usable family file: .*({message})"):
        load(spoil(content), tmp_path)


def test_no_changed_number_of_a_diagram_gets_past_the_checks_unnoticed(
    content: bytes, tmp_path: Path
) -> None:
    header, data = split(content)
    values = [0, 1, 2, 3, 4, 5, 6, 7, 100, 2**27, 2**31, 2**32 - 1]
    refused = 0
    for place in range(len(data) // 4):
        for value in values:
            changed = change(data, place, value)
            if changed == data:
                continue
            try:
                family = load(sign(header, changed), tmp_path)
            except InputError:
                refused += 1
                continue
            # What is let through is a family: asking it anything is safe, and its sums agree.
            assert sum(family.sizes.values()) == family.count == len(set(family))
            assert all(selected in family for selected in family.sample(9))
            family.smallest()
            family.pairs_apart()
    assert refused > 0.8 * len(values) * len(data) // 4


def test_a_listed_file_with_impossible_sets_is_refused(tmp_path: Path) -> None:
    make_family(method="exhaustive").write(tmp_path / "good")
    header, data = split((tmp_path / "good").read_bytes())
    for place, value in [(0, 7), (0, 2**32 - 1), (1, 4), (7, 1), (8, 6), (12, 9), (7, 5)]:
        with pytest.raises(InputError, match="not a usable family file"):
            load(sign(header, change(data, place, value)), tmp_path)


def test_random_bytes_never_crash_the_reader(content: bytes, tmp_path: Path) -> None:
    rng = random.Random(4)
    for _ in range(300):
        spoiled = bytearray(content)
        for _ in range(rng.randint(1, 4)):
            spoiled[rng.randrange(len(spoiled))] = rng.randrange(256)
        try:
            family = load(bytes(spoiled), tmp_path)
        except InputError:
            continue
        assert_equal(family, make_family())


def test_no_flipped_bit_in_any_byte_of_a_file_changes_what_is_read(tmp_path: Path) -> None:
    """The score stands in the header: it has a checksum of its own."""
    other = oraclesum.enumerate_oracles(["a b", "b c"], ["a b c"], rouge="r1-f1")
    for family in (other, make_family()):
        content = saved(family, tmp_path)
        for place in range(len(content)):
            spoiled = bytearray(content)
            spoiled[place] ^= 1 << place % 8
            try:
                loaded = load(bytes(spoiled), tmp_path)
            except InputError:
                continue
            # A packed stream has a few bits that mean nothing.
            assert_equal(loaded, family)
            assert loaded.value == family.value


def make_bomb(header: dict[str, Any], size: int) -> bytes:
    """A file of a thousandth of what its data unpacks to."""
    machine = zlib.compressobj()
    zeros = bytes(1 << 20)
    packed = b"".join(machine.compress(zeros) for _ in range(size >> 20)) + machine.flush()
    text = orjson.dumps(header)
    return struct.pack("<8sII", b"ORACLEFM", 1, len(text)) + text + packed


@pytest.mark.parametrize("kind", ["diagram", "listed"])
def test_a_small_file_that_claims_to_be_huge_is_refused_before_it_is_unpacked(
    kind: str, content: bytes, tmp_path: Path
) -> None:
    header = {**split(content)[0], "kind": kind}
    tracemalloc.start()
    try:
        for bad in (
            join({**header, "sentences": 10**8}, split(content)[1]),
            join({**header, "data_bytes": 10**10}, split(content)[1]),
            make_bomb({**header, "data_bytes": 100}, 256 << 20),
        ):
            with pytest.raises(InputError, match=r"limit of 1,024 MiB|checksum differs"):
                load(bad, tmp_path)
        assert tracemalloc.get_traced_memory()[1] < 32 << 20
    finally:
        tracemalloc.stop()


def test_the_limit_of_a_file_can_be_raised_and_lowered(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "family"
    header, data = split(content)
    path.write_bytes(join({**header, "sentences": 300_000}, data))
    with pytest.raises(InputError, match=r"5 MiB of memory, more than the limit of 4 MiB; raise"):
        OracleFamily.read(path, max_bytes=4 << 20)
    assert OracleFamily.read(path, max_bytes=8 << 20).count == 6
    with pytest.raises(InputError, match="max_bytes"):
        OracleFamily.read(path, max_bytes=0)


@pytest.mark.parametrize(
    "changes",
    [
        {"count": "0x7"},
        {"sizes": {"3": "0x5"}},
        {"sizes": {"3": "0x5", "4": "0x1"}},
        {"sizes": {"2": "0x6"}, "inclusion_by_size": {"2": [4, 3, 0, 4, 3, 4]}},
        {"sizes": {"3": "0x9", "2": "-0x3"}, "inclusion_by_size": {"3": [4, 3, 0, 4, 3, 4]}},
        {"inclusion_by_size": {}},
        {"inclusion_by_size": {"3": [4, 3, 0, 4, 3, 5]}},
        {"inclusion_by_size": {"3": [4, 3, -1, 4, 4, 4]}},
        {"inclusion_by_size": {"3": [7, 3, 0, 1, 3, 4]}},  # seven of six
        {"inclusion_by_size": {"3": [1, 4, 1, 4, 4, 4]}},  # two with sentence 0 are stored
    ],
    ids=lambda changes: "-".join(changes),
)
def test_a_header_that_contradicts_itself_is_refused(
    changes: dict[str, Any], tmp_path: Path
) -> None:
    made = saved(make_family(method="exhaustive", max_list=2), tmp_path)
    header, data = split(made)
    if "inclusion_by_size" in changes:
        rows = changes["inclusion_by_size"].items()
        changes["inclusion_by_size"] = {size: list(map(hex, row)) for size, row in rows}
    assert load(sign(header, data), tmp_path).count == 6
    with pytest.raises(InputError, match="sums in its header contradict each other, its count or"):
        load(sign({**header, **changes}, data), tmp_path)


@pytest.mark.parametrize("method", ["search", "exhaustive"])
def test_mutated_files_are_refused_or_are_families(method: str, tmp_path: Path) -> None:
    rng = random.Random(12)
    make_family(method=method, max_list=4).write(tmp_path / "good")
    header, data = split((tmp_path / "good").read_bytes())
    numbers = [0, 1, 2, 7, 255, 2**16, 2**27, 2**31, 2**32 - 1]
    for _ in range(1500):
        changed, told = data, dict(header)
        for _ in range(rng.randint(1, 3)):
            mutation = rng.randrange(4)
            if mutation == 0:
                place = rng.randrange(8 * len(changed))
                flipped = bytearray(changed)
                flipped[place // 8] ^= 1 << place % 8
                changed = bytes(flipped)
            elif mutation == 1:
                changed = changed[: rng.randrange(4, len(changed) + 1)]
            elif mutation == 2:
                changed = change(changed, rng.randrange(len(changed) // 4), rng.choice(numbers))
            else:
                name = rng.choice(sorted(told))
                told[name] = rng.choice([-1, 0, 1, 2**31, 2**64 - 1, "0x6", "", None, {}, 0.5])
        try:
            family = load(sign(told, changed), tmp_path)
        except InputError:
            continue
        assert len(list(family)) == len(family) <= family.count
        assert len(family.inclusion_counts) == family.n_sentences


def test_a_file_that_is_not_there_and_a_place_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.family: cannot be read: No such file"):
        OracleFamily.read(tmp_path / "none.family")
    with pytest.raises(InputError, match=r"cannot be written: No such file"):
        make_family().write(tmp_path / "no" / "such" / "folder")


@pytest.mark.parametrize("write", [OracleFamily.write, OracleFamily.to_jsonl])
def test_a_pipe_is_written_to_and_stays_one(write: Any, tmp_path: Path) -> None:
    pipe, file = tmp_path / "pipe", tmp_path / "file"
    os.mkfifo(pipe)
    write(make_family(), file)
    reading = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write(make_family(), pipe)
        assert os.read(reading, 1 << 16) == file.read_bytes()
    finally:
        os.close(reading)
    assert pipe.is_fifo()


def test_a_device_that_never_ends_is_read_up_to_the_limit() -> None:
    with pytest.raises(InputError, match="more than the limit of 3 MiB"):
        OracleFamily.read("/dev/zero", max_bytes=3 << 20)


def test_names_that_are_not_utf8_are_shown_with_escapes(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"f\\xff: cannot be read"):
        OracleFamily.read(tmp_path / "f\udcff")
    with pytest.raises(InputError, match=r"f\\xff/no: cannot be written"):
        make_family().write(tmp_path / "f\udcff" / "no")


def test_oracles_are_listed_as_json_lines(tmp_path: Path) -> None:
    path = tmp_path / "oracles.jsonl"
    assert make_family(max_list=2).to_jsonl(path) == 6  # all of them, not only the stored ones
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    assert [tuple(row["oracle"]) for row in rows] == SIX
    assert make_family().to_jsonl(path, max_list=4) == 4
    assert len(path.read_text().splitlines()) == 4


@pytest.mark.parametrize("write", [OracleFamily.to_jsonl, OracleFamily.to_parquet])
def test_a_wrong_max_list_is_named_as_it_was_given(write: Any, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="max_list must be at least 0, not -1"):
        write(make_family(), tmp_path / "oracles", max_list=-1)
    assert not any(tmp_path.iterdir())


def test_oracles_are_listed_as_parquet(tmp_path: Path) -> None:
    path = tmp_path / "oracles.parquet"
    family = make_family()
    assert family.to_parquet(path) == 6
    table = pq.read_table(path)
    assert [tuple(row) for row in table["oracle"].to_pylist()] == SIX
    assert str(table.schema.field("oracle").type) == "list<element: int32>"
    facts = table.schema.metadata
    assert facts[b"oraclesum.signature"].decode() == family.signature
    assert int(facts[b"oraclesum.count"], 16) == 6
    assert family.to_parquet(path, max_list=0) == 0
    assert pq.read_table(path).num_rows == 0
