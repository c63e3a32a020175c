"""enumerate_corpus: any source, in input order, streaming, the same with any number of threads."""

from __future__ import annotations

import gc
import signal
import subprocess
import sys
import warnings
import weakref
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Thread
from typing import Any

import numpy
import pytest

import oraclesum
from children import run_child, start_child
from explorer.serving import HARD as QUESTION
from oraclesum import InputError, OraclesumWarning, enumerate_corpus
from oraclesum.notices import collect_warnings, warn
from runs.documents import make_documents, write_lines

DOCUMENTS = make_documents(150)


def records_of(source: Any, **options: Any) -> list[dict[str, Any]]:
    return list(enumerate_corpus(source, max_words=14, **options))


def test_records_are_those_of_single_calls() -> None:
    for document, record in zip(DOCUMENTS[:20], records_of(DOCUMENTS[:20]), strict=True):
        family = oraclesum.enumerate_oracles(
            document["sentences"], document["references"], max_words=14
        )
        assert record["id"] == document["id"]
        assert (record["hits"], record["total"]) == (family.hits, family.total)
        assert record["count"] == family.count
        assert [tuple(oracle) for oracle in record["oracles"]] == list(family)
        assert record["inclusion"] == family.inclusion
        assert record["signature"] == family.signature


def test_an_unknown_format_is_refused_for_rows_as_for_files() -> None:
    with pytest.raises(InputError, match="format must be one of 'auto', 'jsonl'"):
        records_of(DOCUMENTS[:1], format="jason")


def test_a_format_of_another_type_is_refused_too(tmp_path: Path) -> None:
    file = write_lines(tmp_path / "one.jsonl", DOCUMENTS[:1])
    with pytest.raises(InputError, match="format must be one of 'auto', 'jsonl'"):
        records_of(file, format=numpy.array(["a", "b"]))


def read_own(text: str) -> list[str]:
    if "Boom" in text:
        raise KeyError("boom")
    return text.split()


def test_a_tokenizer_that_fails_costs_its_records_and_is_named() -> None:
    documents: list[dict[str, Any]] = [dict(document) for document in DOCUMENTS[:3]]
    documents[1]["sentences"] = ["Boom", "no"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = records_of(documents, rouge=oraclesum.Rouge(tokenizer=read_own, stem=False))
    assert found[1]["error"].endswith("the tokenizer failed: KeyError: 'boom'")
    assert not any("error" in record for record in (found[0], found[2]))


@pytest.mark.parametrize("ask", [enumerate_corpus, oraclesum.upper_bound])
def test_what_a_signal_handler_of_the_caller_raises_ends_the_run(ask: Callable[..., Any]) -> None:
    def ring(number: int, frame: object) -> None:
        raise TimeoutError("time is up")  # an OSError, as the system raises them

    def read(text: str) -> list[str]:
        signal.raise_signal(signal.SIGUSR1)
        return text.split()

    rouge = oraclesum.Rouge(tokenizer=read, stem=False)
    before = signal.signal(signal.SIGUSR1, ring)
    try:
        with pytest.raises(TimeoutError, match="time is up"):
            list(ask(DOCUMENTS[:3], max_words=14, rouge=rouge))
    finally:
        signal.signal(signal.SIGUSR1, before)


@pytest.mark.parametrize("jobs", [2, 5])
def test_threads_change_nothing(jobs: int) -> None:
    assert records_of(DOCUMENTS, jobs=jobs) == records_of(DOCUMENTS)


def test_tables_and_files_give_the_same_records(tmp_path: Path) -> None:
    wanted = records_of(DOCUMENTS)
    assert records_of(write_lines(tmp_path / "in.jsonl", DOCUMENTS)) == wanted
    assert records_of(str(tmp_path / "in.jsonl")) == wanted
    pa = pytest.importorskip("pyarrow")
    table = pa.Table.from_pylist(DOCUMENTS)
    assert records_of(table) == wanted
    pandas = pytest.importorskip("pandas")
    assert records_of(pandas.DataFrame(DOCUMENTS)) == wanted


def test_a_data_set_that_only_iterates_is_enough() -> None:
    class Dataset:  # as datasets.Dataset: rows are dicts
        features: Any = None

        def __iter__(self) -> Iterator[dict[str, Any]]:
            return iter(DOCUMENTS[:5])

        def __len__(self) -> int:
            return 5

    assert records_of(Dataset()) == records_of(DOCUMENTS[:5])


def test_topics_are_taken_as_they_are(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "in.jsonl", [*DOCUMENTS[:3], {"id": "bad"}])
    assert records_of(oraclesum.open_corpus(path)) == records_of(path)


@pytest.mark.parametrize("jobs", [1, 2])
def test_little_is_read_ahead(jobs: int) -> None:
    read = []

    def source() -> Iterator[dict[str, Any]]:
        for document in make_documents(1000):
            read.append(document["id"])
            yield document

    results = enumerate_corpus(source(), max_words=14, jobs=jobs)
    assert len(read) <= 1  # looked at, as a wrong source is refused at once
    assert next(results)["id"] == "d0"
    assert len(read) < 100
    results.close()  # type: ignore[attr-defined]


def test_a_bad_row_is_a_record_in_its_place() -> None:
    rows: list[Any] = [DOCUMENTS[0], {"id": "bad", "sentences": []}, 3, DOCUMENTS[1]]
    records = records_of(rows)
    assert [record["status"] for record in records][1:3] == ["error", "error"]
    assert "the document is empty" in records[1]["error"]
    assert records[2]["id"] == "row:3"
    assert records[3]["id"] == "d1"


def test_warnings_name_the_record() -> None:
    rows = [{"id": "x", "sentences": ["a b"], "references": ["c d"]}]
    with pytest.warns(oraclesum.OraclesumWarning, match="<table>:1: warning: "):
        (record,) = records_of(rows)
    assert record["status"] == "no_overlap"


def test_settings_are_checked_at_once() -> None:
    with pytest.raises(InputError, match="length limit"):
        enumerate_corpus(DOCUMENTS)
    for wrong in ({"jobs": 0}, {"family": "some"}, {"references": "both"}, {"method": "guess"}):
        with pytest.raises(InputError):
            enumerate_corpus(DOCUMENTS, max_words=9, **wrong)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="a path or a table"):
        enumerate_corpus(3, max_words=9)


# Each of these has to be warned of: two references that are empty, and no shared n-gram.
FLAWED = [
    {"id": f"d{k}", "sentences": ["one two three"], "references": ["four five six", "", " "]}
    for k in range(400)
]


@pytest.mark.parametrize("jobs", [1, 4])
def test_no_warning_is_lost_on_any_number_of_threads(jobs: int) -> None:
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)  # threads take turns as often as can be
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            shown, filters = warnings.showwarning, list(warnings.filters)
            records_of(FLAWED, jobs=jobs, method="exhaustive")
            assert warnings.showwarning is shown
            assert warnings.filters == filters
    finally:
        sys.setswitchinterval(interval)
    told = Counter(str(warning.message).split(": ")[1:][-1] for warning in caught)
    assert len(caught) == 3 * len(FLAWED), told


def test_other_threads_warn_as_ever_while_one_collects() -> None:
    with collect_warnings() as ours, ThreadPoolExecutor(1) as other:
        with pytest.warns(OraclesumWarning, match="from there"):
            other.submit(warn, "from there", OraclesumWarning).result()
        warn("from here", OraclesumWarning)
    assert [str(one) for one in ours] == ["from here"]


HARD = {"id": "hard", **QUESTION["document"]}
ENDLESS: dict[str, Any] = {"rouge": "r1-f1+r2-f1", "max_words": 250, "time_limit": 60}


@pytest.mark.parametrize("jobs", [1, 3])
def test_stop_ends_a_long_search_of_a_corpus(jobs: int) -> None:
    rows = [*DOCUMENTS[:3], HARD]
    records = list(enumerate_corpus(rows, jobs=jobs, stop=lambda: True, **ENDLESS))
    assert [record["id"] for record in records] == ["d0", "d1", "d2", "hard"]
    assert records[-1]["status"] == "interrupted"


@pytest.mark.parametrize("jobs", [1, 3])
@pytest.mark.parametrize("rouge", ["r1-recall", "r1-f1+r2-f1"])
@pytest.mark.parametrize("call", [enumerate_corpus, oraclesum.upper_bound, oraclesum.label_dataset])
def test_what_stop_raises_comes_out_of_a_corpus(
    call: Callable[..., Any], rouge: str, jobs: int
) -> None:
    def stop() -> bool:
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        list(call([HARD, *DOCUMENTS[:3]], rouge=rouge, max_words=250, jobs=jobs, stop=stop))


@pytest.mark.parametrize("jobs", [1, 2])
def test_nothing_that_stop_knows_is_kept_after_a_run(jobs: int) -> None:
    class Known:
        def __call__(self) -> bool:
            return False

    stop = Known()
    known = weakref.ref(stop)
    list(enumerate_corpus(DOCUMENTS[:3], jobs=jobs, max_words=14, stop=stop))
    del stop
    gc.collect()
    assert known() is None


# For programs: a document that is easy, and one whose search nobody has seen the end of.
TEXTS = """
import os, random, signal, sys, threading, time
from oraclesum import enumerate_corpus, find_oracle, upper_bound

draw = random.Random(1)
words = [f"w{k}" for k in range(400)]
common = [1 / (k + 1) for k in range(400)]
sentences = [" ".join(draw.choices(words, common, k=draw.randint(8, 30))) for _ in range(400)]
references = [" ".join(draw.choices(words, common, k=300)) for _ in range(4)]
easy = {"sentences": ["w1 w2", "w3"], "references": ["w1"]}
hard = {"sentences": sentences, "references": references}
"""


def test_ctrl_c_is_heard_even_if_the_system_tells_another_thread() -> None:
    """The signal then wakes nobody who waits: the main thread has to look by itself."""
    program = """
def ring():
    sys.stdin.read(1)  # until the searches are under way
    time.sleep(1)  # and beyond their first, short try
    os.kill(os.getpid(), signal.SIGINT)

def asked():
    if threading.current_thread() is not ringing and not begun.is_set():
        begun.set()
        print("searching", flush=True)
    return False

begun = threading.Event()
ringing = threading.Thread(target=ring)
ringing.start()
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])  # of the main thread, and those to come
try:
    list(enumerate_corpus([hard] * 2, rouge="r1-f1+r2-f1", max_words=250, jobs=2, stop=asked))
except KeyboardInterrupt:
    print("heard")
"""
    with start_child(
        [sys.executable, "-c", TEXTS + program], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout.readline() == b"searching\n"
        process.stdin.write(b".")
        process.stdin.close()
        assert process.stdout.read() == b"heard\n"
        assert process.wait() == 0


# A generator that is still there, and searches on threads of the program's own.
@pytest.mark.parametrize(
    "begun",
    [
        "next(rest := enumerate_corpus([easy, *[hard] * 6], jobs=2, **asked))",
        "leave(lambda: upper_bound([hard] * 3, jobs=2, **asked))",
        "leave(lambda: find_oracle(sentences, references, threads=2, **asked))",
        "leave(lambda: find_oracle(sentences, references, stop=lambda: False, **asked))",
        "leave(lambda: find_oracle(sentences[:100], references, max_words=250, method='ilp'))",
        "leave(find_again, find_again)",
    ],
)
def test_a_program_that_ends_during_a_search_ends_as_it_wants_to(begun: str) -> None:
    program = f"""
asked = {{"rouge": "r1-f1+r2-f1", "max_words": 250}}

def leave(*calls):
    for call in calls:
        threading.Thread(target=call, daemon=True).start()
    time.sleep(1)

def find_again():
    while True:
        find_oracle(sentences[:20], references, max_words=100, method="ilp")

{begun}
sys.exit(5)
"""
    done = run_child([sys.executable, "-W", "ignore", "-c", TEXTS + program])
    assert (done.returncode, done.stderr) == (5, b"")


@pytest.mark.parametrize("call", [enumerate_corpus, oraclesum.upper_bound])
def test_an_exception_ends_the_searches_of_other_threads(call: Callable[..., Any]) -> None:
    """Ctrl-C raises in the thread that reads, as this source does."""

    def rows() -> Iterator[dict[str, Any]]:
        yield from DOCUMENTS[:6]  # a call looks at the first records before it begins
        yield HARD
        raise KeyboardInterrupt

    ended: list[BaseException] = []

    def work() -> None:
        try:
            list(call(rows(), jobs=2, **{**ENDLESS, "time_limit": None}))
        except BaseException as error:
            ended.append(error)

    worker = Thread(target=work, daemon=True)
    worker.start()
    worker.join(60)
    assert not worker.is_alive()
    assert isinstance(ended[0], KeyboardInterrupt)


def test_half_a_surrogate_pair_in_an_id_costs_nothing() -> None:
    record = {**DOCUMENTS[0], "id": "x\ud800"}
    assert oraclesum.upper_bound([record], max_words=14).errors == ()
    (row,) = oraclesum.label_dataset([record], max_words=14, choose="random")
    assert row["label_status"] == "complete"
