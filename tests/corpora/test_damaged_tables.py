"""Parquet and Arrow files that are damaged or joined are told, and never end the process."""

from __future__ import annotations

import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from children import run_child

# Reads the file once for each bit of its footer, with that bit flipped.
_FLIP = """
import sys
from oraclesum import InputError, RecordError
from oraclesum.corpora import open_corpus

path = sys.argv[1]
good = open(path, "rb").read()
size = int.from_bytes(good[-8:-4], "little")
told = 0
for place in range(len(good) - 8 - size, len(good)):
    data = bytearray(good)
    data[place] ^= 1 << place % 8
    with open(path, "wb") as file:
        file.write(data)
    try:
        told += any(isinstance(item, RecordError) for item in open_corpus(path))
    except InputError:
        told += 1
print(size, told)
"""


def test_no_flipped_bit_in_the_footer_of_parquet_ends_the_process(tmp_path: Path) -> None:
    rows = 50
    table = pa.table(
        {
            "id": [f"r{i}" for i in range(rows)],
            "sentences": [["The ship left the harbour.", "A storm came."]] * rows,
            "references": [["The ship left."]] * rows,
        }
    )
    path = tmp_path / "in.parquet"
    pq.write_table(table, path)
    done = run_child([sys.executable, "-c", _FLIP, path], text=True)
    assert done.returncode == 0, done.stderr
    size, told = map(int, done.stdout.split())
    assert size / 3 < told < size
