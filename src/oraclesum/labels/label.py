"""Labels of a document: 0 or 1 for each sentence after one oracle, and its share in all of them."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from ..errors import InputError
from ..instances.build import build_instance
from ..instances.instance import Instance
from ..instances.limits import Limits
from ..oracles.family import OracleFamily
from ..oracles.options import Options
from ..oracles.solve import solve_all, warn_without_overlap
from ..oracles.status import Status
from ..rouge import Rouge
from ..signature import extend_signature
from ..systems.document import Document
from ..systems.simple import select_lead
from ..text import Analyser
from .settings import LabelSettings
from .soft import soften_labels

__all__ = ["Labels", "label_instance", "label_sentences", "take_lead"]


@dataclass(frozen=True, kw_only=True)
class Labels:
    """Labels of one document after one oracle; both lists have one element per sentence."""

    labels: tuple[int, ...]  # 1: in the oracle
    soft_labels: tuple[float, ...]  # share of the sets that hold it
    oracle_ids: tuple[int, ...]  # the oracle's sentences
    hits: int
    total: int
    count: int  # oracles
    status: Status
    signature: str

    @property
    def score(self) -> float:
        """ROUGE-n recall of the oracle."""
        return self.hits / self.total if self.total else 0.0


def label_sentences(
    sentences: Sequence[str],
    references: Sequence[str | Sequence[str]],
    *,
    rouge: Rouge | None = None,
    max_words: int | None = None,
    max_sentences: int | None = None,
    max_bytes: int | None = None,
    doc_ids: Sequence[int] | None = None,
    choose: str = "first",
    most: int = 1000,
    within_hits: int = 0,
    temperature: float | None = None,
    method: str = "search",
    time_limit: float | None = None,
    family: str = "all",
    threads: int = 1,
    seed: int = 0,
) -> list[Labels]:
    """Hard labels of a chosen oracle and soft labels, in the order of the sentences.

    A list of one, or of at most `most` with choose="all"; see LabelSettings for the choices and
    for soft labels of near-optimal sets. `doc_ids` says which document a sentence is from, for the
    lead of several. Where no oracle exists, all labels are 0 and `status` is "no_overlap".
    """
    limits = Limits(max_words=max_words, max_sentences=max_sentences, max_bytes=max_bytes)
    settings = LabelSettings(
        choose=choose, most=most, within_hits=within_hits, temperature=temperature, seed=seed
    )
    options = Options(time_limit=time_limit, family=family, threads=threads, seed=seed)
    if isinstance(sentences, Sequence) and not sentences:
        raise InputError("the document is empty: sentences must hold at least one str")
    if rouge is not None and not isinstance(rouge, Rouge):
        raise InputError(f"rouge must be a Rouge, not {type(rouge).__name__}: e.g. Rouge(n=2)")
    if doc_ids is not None and len(doc_ids) != len(sentences):
        raise InputError(f"doc_ids has {len(doc_ids)} numbers for {len(sentences)} sentences")
    instance = build_instance(sentences, references, Rouge() if rouge is None else rouge, limits)
    warn_without_overlap(instance, stacklevel=2)
    lead = take_lead(sentences, doc_ids, limits) if choose == "lead" else ()
    return list(label_instance(instance, lead, settings, method=method, options=options))


def label_instance(
    instance: Instance,
    lead: Sequence[int],
    settings: LabelSettings,
    *,
    method: str,
    options: Options,
) -> Iterator[Labels]:
    """The labels of a problem; `lead` is needed where the oracle nearest to it is chosen."""
    oracles = solve_all(instance, method, options)
    soft, status = soften_labels(instance, oracles, settings, method=method, options=options)
    signature = extend_signature(oracles.signature, *settings.describe())
    for chosen in _choose(oracles, lead, settings, instance.id):
        held = set(chosen)
        yield Labels(
            labels=tuple(int(i in held) for i in range(instance.sentences)),
            soft_labels=soft,
            oracle_ids=chosen,
            hits=oracles.hits,
            total=oracles.total,
            count=oracles.count,
            status=status,
            signature=signature,
        )


def take_lead(
    sentences: Sequence[str], doc_ids: Sequence[int] | None, limits: Limits
) -> tuple[int, ...]:
    """The lead summary: first sentences of all documents, then second ones, while they fit."""
    document = Document(sentences=sentences, doc_ids=doc_ids, limits=limits, content=Analyser())
    return tuple(sorted(select_lead(document)))


def _choose(
    oracles: OracleFamily, lead: Sequence[int], settings: LabelSettings, name: str
) -> list[tuple[int, ...]]:
    if not oracles.count:
        return [()]
    if settings.choose == "lead":
        return [oracles.nearest(lead)]
    if settings.choose == "random":
        # Within a corpus every topic draws for itself, whatever its neighbours are.
        return oracles.sample(1, (settings.seed + zlib.crc32(name.encode())) % 2**63)
    return list(islice(oracles.iterate(), 1 if settings.choose == "first" else settings.most))
