"""Plain text files, one sentence per line."""

from __future__ import annotations

from pathlib import Path

import pytest

from oraclesum.corpora import read_lines
from oraclesum.errors import InputError


def test_lines_come_without_blank_ones_and_line_ends(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes("\ufeffA cat.\r\n\n  \nIt\x0cslept.".encode())
    assert read_lines(str(path)) == ("A cat.", "It\x0cslept.")


def test_what_cannot_be_read_is_an_input_error_with_its_place(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="No such file"):
        read_lines(str(tmp_path / "none.txt"))
    path = tmp_path / "a.txt"
    path.write_bytes(b"A cat.\nIt \xff slept.")
    with pytest.raises(InputError, match=r"a\.txt:2: not UTF-8: byte 0xff"):
        read_lines(str(path))


def test_a_file_that_is_too_large_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"A cat sat.\n")
    assert read_lines(str(path), record_bytes=11) == ("A cat sat.",)
    with pytest.raises(InputError, match=r"a\.txt: refused: larger than 10 bytes"):
        read_lines(str(path), record_bytes=10)
