"""The table at the end of a run shows every record once, and what was slow."""

from __future__ import annotations

from answers.records import make_record
from oraclesum.answers import ErrorRecord, Written
from oraclesum.answers.answerer import write_row
from oraclesum.runs.tally import Tally, summarise


def make_tally(*records: tuple[str, float, int]) -> Tally:
    tally = Tally()
    tally.add(
        Written(
            [write_row(make_record(id=f"d{i}", status=status, score=score, count=count), float(i))],
            [],
        )
        for i, (status, score, count) in enumerate(records)
    )
    return tally


def test_every_record_stands_in_its_row() -> None:
    tally = make_tally(
        ("complete", 0.25, 7),
        ("complete", 0.25, 12),
        ("list_limit", 1.0, 10**30),
        ("no_overlap", 0.0, 0),
    )
    lines = summarise(tally, fresh=3, seconds=2.0)
    assert lines[0] == ("4 documents, 4 records, 0 errors; 1 were there, 3 done in 2.0 s (2/s)")
    rows = {line[:16].strip(): line[16:26].strip() for line in lines[1:]}
    assert rows["complete"] == "2"
    assert rows["list_limit"] == rows["no_overlap"] == "1"
    assert rows["0.2-0.3"] == "2"
    assert rows["0.9-1.0"] == rows["0.0-0.1"] == "1"
    assert rows["none"] == rows["1-9"] == rows["10-99"] == rows["10^30"] == "1"
    assert rows["mean"] == "0.37500"
    assert [line.split() for line in lines[-4:]] == [
        ["3.0000", "d3"],
        ["2.0000", "d2"],
        ["1.0000", "d1"],
        ["0.0000", "d0"],
    ]


def test_bars_are_as_long_as_their_share() -> None:
    tally = make_tally(*[("complete", 0.5, 1)] * 4, *[("complete", 0.7, 1)] * 2)
    lines = summarise(tally, fresh=6, seconds=1.0)
    bars = {line[:7]: line.count("█") for line in lines if line.startswith("0.")}
    assert bars == {"0.5-0.6": 30, "0.7-0.8": 15}


def test_without_an_answer_there_is_no_distribution() -> None:
    tally = Tally()
    tally.add([Written([write_row(ErrorRecord(id="x", error="bad"))], [])])
    lines = summarise(tally, fresh=1, seconds=0.0)
    assert lines == [
        "1 documents, 1 records, 1 errors; 1 done in 0.0 s (0/s)",
        "",
        "status             records",
        "error                    1",
    ]
