"""DUC 2001-2007 and TAC 2008-2011 as one table: where each year keeps what.

Patterns are searched in the path of a file, the name of the given folder or archive included and
archives taken for folders, without regard to case. A tuple of patterns is in order of preference:
where two of them give the same summary or the documents of the same cluster, the first one counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from ..frozen import dataclass
from .tables import Table, Units

__all__ = ["LAYOUTS", "Layout"]


@dataclass(frozen=True, kw_only=True)
class Layout:
    """One task of one year."""

    title: str
    year: str  # as paths name it, to tell apart years whose docsets have the same numbers
    documents: tuple[str, ...]  # groups: docset, and group if a cluster has parts
    models: tuple[str, ...] = ()  # folders of files named DOCSET.TYPE.LENGTH.SELECTOR.PEER
    writers: str = "[A-Z]+"  # who is human; all others are systems
    marked: tuple[str, ...] = ()  # model files with <SUM>: groups docset, writer, length
    peers: tuple[str, ...] = ()
    systems: str = "(?!)"  # summaries of SumRepo: groups docset, system
    docset: str  # of file names and tables
    exclude: str = "(?!)"
    tables: tuple[Table, ...] = ()
    topic_file: str = "(?!)"  # names the documents if they are to be taken from Gigaword
    words: int  # the length of the task
    bytes: int | None = None  # the official limit, if it was in bytes
    lengths: tuple[str, ...] = ()  # if references of several lengths exist
    errata: Mapping[str, str] = field(default_factory=dict)  # document ids misspelt in summaries
    preferred: bool = True  # the year's main task, which its folder is taken for


_NEWS = r"(?P<document>[A-Z]{2,}[^/]*\d)"  # AP880911-0016, FBIS3-41815, APW19981016.0240 …
_SUM_FILE = r"(?P<writer>[a-z])/(?P<length>10|50|100|200|400|200e|400e|perdocs)$"
_ROUGE_MODELS, _ROUGE_PEERS = r"ROUGE[^/]*/(?:[^/]*/)*models?/", r"ROUGE[^/]*/(?:[^/]*/)*peers?/"


def _questions(count: int, first: int) -> dict[str, int]:
    return {f"Q{i + 1}": first + i for i in range(count)}


def _see_table(
    files: str, *, peer: int, width: int, questions: int, first: int, adjusted: bool
) -> Table:
    """A table of the SEE evaluations 2002-2004: questions, counts of units, then coverage."""
    after = first + questions
    names = ["unmarked_related", "peer_units", "marked_units", "unmarked_units", "model_units"]
    names += ["coverage", "coverage_median", "coverage_std"]
    if adjusted:
        names += [f"length_adjusted_{name}" for name in names[-3:]]
    measures = _questions(questions, first) | {name: after + i for i, name in enumerate(names)}
    return Table(
        files=files, peer=peer, width=width, kind=1, document=2, length=3, measures=measures
    )


def _graded(files: str, measure: str) -> Table:
    return Table(files=files, peer=3, width=5, open_ended=True, measures={measure: 4})


def _linguistic(files: str) -> Table:
    question = ("linguistic_quality", 4, 5)
    return Table(files=files, peer=3, width=6, open_ended=True, question=question)


def _tac_tables(extra: int) -> tuple[Table, ...]:
    """manual.peer and manual.model; from 2009 on one more column stands before the last three."""
    peer = {"pyramid": 2, "scus": 3, "repetitions": 4}
    last = ("pyramid_jackknifed", "linguistic_quality", "responsiveness")
    return (
        Table(
            files=r"(?:^|/)manual\.peers?(?:\.[AB])?$",
            peer=1,
            width=9 + extra,
            open_ended=True,
            measures=peer | {name: 6 + extra + i for i, name in enumerate(last)},
        ),
        Table(
            files=r"(?:^|/)manual\.models?(?:\.[AB])?$",
            peer=1,
            width=7 + extra,
            open_ended=True,
            measures={"scus_jackknifed": 2} | {name: 4 + extra + i for i, name in enumerate(last)},
        ),
    )


def _clusters(docset: str) -> str:
    return rf"(?:^|/)(?P<docset>{docset})[A-Z]/{_NEWS}$"


def _parts(docset: str) -> str:
    """Clusters in parts A, B (and C), which update tasks read one after another."""
    return rf"(?:^|/)(?P<docset>{docset})[A-Z]/(?P=docset)[A-Z]-(?P<group>[A-C])/{_NEWS}$"


def _tac(year: str, docset: str, *, task: str, extra: int) -> Layout:
    return Layout(
        title=f"TAC {year}, {task}",
        year=year,
        docset=docset,
        documents=(_parts(docset),),
        models=(_ROUGE_MODELS, ""),
        peers=(_ROUGE_PEERS, ""),
        tables=_tac_tables(extra),
        topic_file=rf"(?:Update|Guided)Summ(?:20)?{year[2:]}_test_topics[^/]*$",
        words=100,
    )


_DUC2001 = Layout(
    title="DUC 2001, task 2, test sets",
    year="2001",
    docset=r"d\d\d",
    documents=(rf"(?:^|/)(?P<docset>d\d\d)[a-z]/(?:docs/)?{_NEWS}$",),
    marked=(rf"(?:^|/)(?P<docset>d\d\d)[a-z]{_SUM_FILE}",),
    peers=("",),
    writers="[A-K]",  # systems have the letters L to Z, baselines 1 to 3
    exclude=r"(?:^|/)training/",
    tables=(
        Table(
            files=r"results1_table[^/]*$",
            peer=7,
            width=17,
            open_ended=True,
            kind=1,
            document=2,
            length=3,
            units=Units(measure="coverage", count=14, first=18, step=3),
        ),
    ),
    words=100,
    lengths=("50", "100", "200", "400"),
    errata={
        "SMN91-06154062": "SJMN91-06154062",
        "AP870611-0085": "WSJ870611-0085",
        "SJMN91-0605144": "SJMN91-06015144",
        "APP890515-0232": "AP890515-0232",
        "WSJ891125-0090": "AP891125-0090",
        "FT931-100514": "FT931-10514",
        "FB153-57782": "FBIS3-57782",
        "FBIS4-45908": "FBIS-45908",
        "FBIS4-35908": "FBIS-45908",
        "FBIS3-41815": "FBIS-41815",
        "AP890325-0143": "AP830325-0143",
        "LA081489-0225": "LA081489-0025",
    },
)

LAYOUTS: Mapping[str, Layout] = {
    "duc2001": _DUC2001,
    "duc2001-training": Layout(
        title="DUC 2001, task 2, training sets",
        year="2001",
        docset=r"d\d\d",
        documents=(rf"(?:^|/)training/(?:.*/)?(?P<docset>d\d\d)[a-z]/(?:docs/)?{_NEWS}$",),
        marked=(rf"(?:^|/)training/(?:.*/)?(?P<docset>d\d\d)[a-z]{_SUM_FILE}",),
        words=100,
        lengths=("50", "100", "200", "400"),
        errata=_DUC2001.errata,
        preferred=False,
    ),
    "duc2002": Layout(
        title="DUC 2002, task 2",
        year="2002",
        docset=r"d(?:0[6-9]|1[0-2])\d",
        documents=(
            rf"(?:^|/)(?P<docset>d(?:0[6-9]|1[0-2])\d)[a-z]/{_NEWS}\.S$",
            rf"(?:^|/)(?P<docset>d(?:0[6-9]|1[0-2])\d)[a-z]/{_NEWS}$",
        ),
        marked=(rf"(?:^|/)(?P<docset>d(?:0[6-9]|1[0-2])\d)[a-z]{_SUM_FILE}",),
        models=("manualpeers", ""),
        peers=("",),
        tables=(
            _see_table(
                r"(?:^|/)short\.results\.table$",
                peer=8,
                width=33,
                questions=12,
                first=10,
                adjusted=True,
            ),
        ),
        words=100,
        lengths=("10", "50", "100", "200", "200e", "400e"),
        errata={"AP890729-0155": "AP880729-0155", "SJMN91-06048": "SJMN91-06165048"},
    ),
    "duc2003": Layout(
        title="DUC 2003, task 2",
        year="2003",
        docset=r"d\d{5}",
        documents=(_clusters(r"d\d{5}"),),
        models=(r"manual\.abstracts", "/models/", ""),
        peers=(r"/peer\d\.2/", ""),
        exclude=r"(?:^|/)task[134]\b|/peer\d\.[134]/",
        tables=(
            _see_table(
                r"(?:^|/)short\.results\.table2$",
                peer=8,
                width=34,
                questions=12,
                first=11,
                adjusted=True,
            ),
        ),
        words=100,
    ),
    "duc2004": Layout(
        title="DUC 2004, task 2",
        year="2004",
        docset=r"d\d{5}",
        documents=(_clusters(r"d\d{5}"),),
        models=(r"task2\.ROUGE\.models|" + _ROUGE_MODELS, ""),
        peers=(r"task2\.ROUGE\.peers|" + _ROUGE_PEERS, ""),
        exclude=r"\btasks?[345]",
        systems=r"(?:^|/)(?:basicsums|SOAsums)/(?:.*/)?(?P<docset>d\d{5})t?\.(?P<system>[A-Z]\w*)$",
        tables=(
            _see_table(
                r"(?:^|/)short\.results\.table2$",
                peer=7,
                width=23,
                questions=7,
                first=8,
                adjusted=False,
            ),
        ),
        words=100,
        bytes=665,
    ),
    "duc2005": Layout(
        title="DUC 2005",
        year="2005",
        docset=r"d[3-7]\d\d",
        documents=(_clusters(r"d[3-7]\d\d"),),
        models=(_ROUGE_MODELS, ""),
        peers=(_ROUGE_PEERS, ""),
        tables=(
            _graded(r"(?:^|/)responsiveness\.table$", "responsiveness"),
            _linguistic(r"(?:^|/)linguistic_quality\.table$"),
            Table(
                files=r"(?:^|/)processed_pans\.txt$",
                peer=1,
                width=6,
                open_ended=True,
                prefix="d",
                measures={"pyramid": 2, "modified_pyramid": 3, "scus": 4, "repetitions": 5},
            ),
        ),
        words=250,
    ),
    "duc2006": Layout(
        title="DUC 2006",
        year="2006",
        docset=r"d06\d\d",
        documents=(_clusters(r"d06\d\d"),),
        models=(_ROUGE_MODELS, _ROUGE_PEERS, ""),
        peers=(_ROUGE_PEERS, ""),
        tables=(
            _graded(r"(?:^|/)overall\.table$", "responsiveness"),
            _graded(r"(?:^|/)content\.table$", "content_responsiveness"),
            _linguistic(r"(?:^|/)linguistic_quality\.table$"),
        ),
        words=250,
    ),
    "duc2007": Layout(
        title="DUC 2007, main task",
        year="2007",
        docset=r"d07\d\d",
        documents=(rf"(?:^|/)(?P<docset>d07\d\d)[A-Z]/{_NEWS}$",),
        models=(_ROUGE_MODELS, ""),
        peers=(_ROUGE_PEERS, ""),
        exclude=r"(?:^|/)update",
        tables=(
            _graded(r"(?:^|/)content\.table$", "content_responsiveness"),
            _linguistic(r"(?:^|/)linguistic_quality\.table$"),
            Table(
                files=r"(?:^|/)2007_modified_scores\.txt$",
                peer=1,
                width=5,
                open_ended=True,
                measures={"modified_pyramid": 2, "scus": 3, "repetitions": 4},
            ),
        ),
        words=250,
    ),
    "duc2007-update": Layout(
        title="DUC 2007, update task",
        year="2007",
        docset=r"d07\d\d",
        documents=(_parts(r"d07\d\d"),),
        models=(_ROUGE_MODELS, ""),
        peers=(_ROUGE_PEERS, ""),
        exclude=r"(?:^|/)main",
        tables=(
            _graded(r"(?:^|/)content\.table$", "content_responsiveness"),
            Table(
                files=r"(?:^|/)2007_modified_scores\.txt$",
                peer=1,
                width=5,
                open_ended=True,
                measures={"modified_pyramid": 2, "scus": 3, "repetitions": 4},
            ),
        ),
        words=100,
        preferred=False,
    ),
    "tac2008": _tac("2008", r"d08\d\d", task="update task", extra=0),
    "tac2009": _tac("2009", r"d09\d\d", task="update task", extra=1),
    "tac2010": _tac("2010", r"d10\d\d", task="guided task", extra=1),
    "tac2011": _tac("2011", r"d11\d\d", task="guided task", extra=1),
}
