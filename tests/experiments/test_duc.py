"""Every year of the paper from folders as distributed to tables with the published figures."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.corpus import call
from fixtures import conferences, updates
from fixtures.trees import write_tree
from oraclesum.experiments.corpus import read_corpus
from oraclesum.experiments.published import YEARS, load_published

MAKERS = {
    "2001": conferences.duc2001,
    "2002": conferences.duc2002,
    "2003": conferences.duc2003,
    "2004": conferences.duc2004,
    "2005": updates.duc2005,
    "2006": updates.duc2006,
    "2007": updates.duc2007,
}
QUICK = ("--baseline-time-limit", "1", "--systems", "lead", "--draws", "10")


@pytest.mark.parametrize("year", YEARS)
def test_a_year_is_recognised_with_its_length_and_figures(year: str, tmp_path: Path) -> None:
    folder = write_tree(MAKERS[year](), tmp_path / "in")
    corpus = read_corpus(str(folder))
    assert corpus.year == year
    assert corpus.words == load_published(year).get("statistics", "length")


@pytest.mark.parametrize("year", YEARS)
def test_one_command_gives_the_tables_of_a_year(year: str, tmp_path: Path) -> None:
    folder = write_tree(MAKERS[year](), tmp_path / "in")
    result = call("reproduce", folder, *QUICK, "--tables", "markdown")
    assert result.exit_code in (0, 1), result.stderr
    assert f"paper, DUC {year}" in result.stdout
    assert "Table 7" in result.stdout


def test_one_command_gives_the_tables_of_duc_2004_beside_the_published_ones(
    tmp_path: Path,
) -> None:
    folder = write_tree(conferences.duc2004(), tmp_path / "in")
    result = call("reproduce", folder, *QUICK, "-o", tmp_path / "out", "--tables", "csv")
    assert result.exit_code in (0, 1), result.stderr  # the fixtures hold bad files on purpose
    assert '"paper, DUC 2004",50,10,218,4870,200,100' in result.stdout
    assert "RegSum,,0.331,,0.0974" in result.stdout  # not in the fixture: the paper's figures alone
    assert "(coverage)" in result.stdout  # Table 6 correlates with what the paper does


def test_the_folder_of_results_may_not_be_inside_the_corpus(tmp_path: Path) -> None:
    folder = write_tree(conferences.duc2004(), tmp_path / "in")
    result = call("reproduce", folder, *QUICK, "-o", folder / "out")
    assert result.exit_code == 2
    assert "is inside the input" in result.stderr
