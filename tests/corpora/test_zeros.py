"""Zeros where something else may have been: padding is passed over, more than that is named."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
from collections.abc import Callable
from pathlib import Path

import pytest

from fixtures.trees import pack
from oraclesum import RecordError, Topic
from oraclesum.corpora import open_corpus, unpacking

LINE = '{"id": "%s", "text": "A cat sat.", "references": ["a cat"]}\n'
TAR = pack({f"{name}.jsonl": LINE % name for name in "ab"}, "in.tar")[:2048]  # without its end


def read(path: Path) -> tuple[list[str], list[str]]:
    """The ids of the topics, and the reasons of the errors."""
    items = list(open_corpus(path))
    ids = [item.id for item in items if isinstance(item, Topic)]
    return ids, [item.reason for item in items if isinstance(item, RecordError)]


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize(
    ("zeros", "is_usual"),
    [
        (1024, True),
        (10_240, True),
        (65_536, True),
        (66_048, False),
        ((1 << 20) - 2048, True),  # a record of a mebibyte, filled
        ((1 << 20) - 2048 + 512, False),
        (3_000_320, False),
    ],
)
def test_a_tar_that_ends_with_more_zeros_than_padding_is_named(
    zeros: int, is_usual: bool, packed: bool, tmp_path: Path
) -> None:
    whole = TAR + bytes(zeros)
    path = tmp_path / ("in.tgz" if packed else "in.tar")
    path.write_bytes(gzip.compress(whole) if packed else whole)
    ids, reasons = read(path)
    assert ids == ["a", "b"]
    assert len(reasons) == (not is_usual)
    if reasons:
        assert reasons[0].startswith(f"its last {zeros:,} bytes are zeros, which is more than")
        assert "files may be lost" in reasons[0]


PACK: dict[str, Callable[[bytes], bytes]] = {
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "xz": lzma.compress,
}


@pytest.mark.parametrize("kind", PACK)
def test_zeros_behind_packed_data_are_padding_or_named(kind: str, tmp_path: Path) -> None:
    path = tmp_path / f"in.jsonl.{kind}"
    first, second = (PACK[kind]((LINE % name).encode()) for name in "ab")
    for zeros in (100, 65_536, (1 << 17) - len(first)):
        path.write_bytes(first + bytes(zeros))
        assert read(path) == (["a"], [])
    path.write_bytes(first + bytes(70_000))
    ids, [reason] = read(path)
    assert ids == ["a"]
    assert "70,000 bytes of zeros follow the " in reason
    assert "there may have been more data" in reason
    path.write_bytes(first + bytes(70_000) + second)
    ids, [reason] = read(path)
    assert ids == ["a"]
    assert "70,000 bytes of zeros follow" in reason


def test_zeros_are_not_counted_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unpacking, "MOST_ZEROS", 100_000)
    source = io.BytesIO(gzip.compress(b"a") + bytes(10_000_000))
    stream = unpacking.unpack(source, b"\x1f\x8b")
    assert stream.read(1) == b"a"
    with pytest.raises(unpacking.DamageError, match=r"more than 1.*bytes of zeros follow the gzip"):
        stream.read(1)
    assert source.tell() < 300_000
