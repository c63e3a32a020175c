"""Charts as SVG in a page, and what keeps thousands of points and their names readable."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import Any

import matplotlib
import pytest

from children import run_child
from oraclesum.report.page.build import build_report
from oraclesum.report.page.figures import INK, SERIES, draw_picture, place_names, thin_points
from report.results import enumerated, write_lines

# Some change what is drawn, and without LaTeX the last is an error.
SETTINGS: dict[Any, Any] = {
    "lines.linewidth": 9.0,
    "axes.grid": True,
    "savefig.bbox": "tight",
    "xtick.labelsize": 40.0,
    "path.sketch": (1, 100, 2),
    "text.usetex": True,
}


def draw(figure: Any, narrow: bool) -> None:
    axes = figure.add_subplot()
    axes.plot([0, 1], [0, 1], color=SERIES[0], marker="o")
    axes.bar([0], [1], hatch="//", color=SERIES[1])
    axes.set_title("1.23456 <&>", color=INK)


def test_two_charts_share_no_id_and_each_link_has_its_target() -> None:
    pictures = [draw_picture(key, draw, height=200) for key in ("one", "two")]
    drawn = [svg for picture in pictures for svg in (picture.wide, picture.narrow)]
    ids = [each for svg in drawn for each in re.findall(r' id="([^"]+)"', svg)]
    assert len(set(ids)) == len(ids) > 0
    for svg in drawn:
        own = set(re.findall(r' id="([^"]+)"', svg))
        assert set(re.findall(r"#([\w-]+)[\")]", svg)) <= own


def test_numbers_of_text_are_kept_and_those_of_paths_are_short() -> None:
    svg = draw_picture("key", draw, height=200).wide
    assert "1.23456 &lt;&amp;&gt;" in svg
    tags = "".join(re.findall(r"<[^>]+>", svg))
    assert not re.search(r"\d\.\d{3}", tags)


def test_a_chart_has_nothing_of_matplotlibs_document() -> None:
    svg = draw_picture("key", draw, height=200).wide
    assert svg.startswith('<svg viewBox="0 0 760 200"')
    assert svg.endswith("</svg>")
    for part in ("<?xml", "DOCTYPE", "<metadata", "<style", "xlink", "font-family", "#0101"):
        assert part not in svg


def test_points_of_one_cell_become_one_that_says_how_many_they_are() -> None:
    points = [(0.5, 0.5)] * 9 + [(0.1, 0.9)]
    assert thin_points(points, 100, 100) == {0: 9, 9: 1}
    apart = [(k / 10, 0.0) for k in range(10)]
    assert len(thin_points(apart, 100, 100)) == 10


def test_names_of_near_points_do_not_cover_each_other() -> None:
    points = [(50.0, 50.0), (52.0, 51.0), (54.0, 50.0)]
    offsets = place_names(points, ["first", "second", "third"])
    boxes = [
        (x + dx, y + dy, x + dx + 6.8 * 5, y + dy + 11)
        for (x, y), (dx, dy) in zip(points, offsets, strict=True)
    ]
    for k, a in enumerate(boxes):
        for b in boxes[k + 1 :]:
            assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]


def test_a_name_without_a_clear_place_is_written_all_the_same() -> None:
    points = [(0.0, 0.0)] * 12
    assert len(place_names(points, ["name"] * 12)) == 12


def test_settings_of_a_program_change_no_chart_and_stay_its_own() -> None:
    plain = draw_picture("key", draw, height=200)
    with matplotlib.rc_context(SETTINGS):
        before = dict(matplotlib.rcParams)
        assert draw_picture("key", draw, height=200) == plain
        assert dict(matplotlib.rcParams) == before


def test_a_date_of_the_environment_is_neither_read_nor_lost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plain = draw_picture("key", draw, height=200)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "x")
    assert draw_picture("key", draw, height=200) == plain
    assert os.environ["SOURCE_DATE_EPOCH"] == "x"


@pytest.mark.parametrize("place", ["working directory", "MATPLOTLIBRC", "MPLCONFIGDIR"])
@pytest.mark.parametrize(
    "settings", [b"no: setting\nlines.linewidth: 9\naxes.grid: True\n", b"# \xff\n"]
)
def test_settings_of_the_user_change_no_report(place: str, settings: bytes, tmp_path: Path) -> None:
    results = write_lines(tmp_path / "oracles.jsonl", enumerated("one"), enumerated("two"))
    folder, work = tmp_path / "settings", tmp_path / "work"
    folder.mkdir()
    work.mkdir()
    inside = work if place == "working directory" else folder
    (inside / "matplotlibrc").write_bytes(settings)
    named = {} if inside == work else {place: str(folder)}
    # Nothing is said of bad settings either.
    done = run_child(
        [sys.executable, "-m", "oraclesum", "report", "../oracles.jsonl", "-q", "-o", "page.html"],
        cwd=work,
        env={**os.environ, "MPLBACKEND": "nonsense", **named},
    )
    assert (done.returncode, done.stdout) == (0, b"")
    said = done.stderr.decode()
    assert not [line for line in said.splitlines() if "font cache" not in line], said
    assert (work / "page.html").read_text(encoding="utf-8") == build_report([results])
