"""Labels as further columns of a data set: of datasets, pandas, polars, pyarrow, or any rows.

None of these libraries is imported here; an object is recognised by what it can do.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, Literal, Unpack

from ..answers.case import clean_topic, settle_language
from ..corpora import Topic
from ..corpora.bad import BadRecord
from ..corpora.columns import Columns, check_columns
from ..corpora.rows import is_table, iterate_rows, read_row
from ..errors import InputError, OraclesumError, OraclesumWarning, RecordError
from ..message import show_value
from ..notices import collect_warnings, warn
from ..oracles.api import ListTextKeywords
from ..rouge import Rouge
from ..text import Preparation, Splitter, wants_detection
from ..whole import require_whole
from ..workers import MAX_JOBS
from .label import DEFAULT_OBJECTIVE, label_sentences

__all__ = ["COLUMNS", "label_dataset"]

COLUMNS = ("labels", "soft_labels", "oracle_ids", "oracle_score", "label_status")
"""The columns that are added; `sentences` too if text was split here."""

_FRAMES = ("arrow", "pandas", "polars")  # formats of datasets whose rows are frames
_MAX_TOLD = 5  # rows without labels that are told one by one


def label_dataset(
    dataset: Any,
    *,
    rouge: Rouge | str | None = None,
    method: str = "search",
    choose: str = "first",
    temperature: float | None = None,
    jobs: int = 1,
    split: str | Splitter | None = None,
    clean: str | None = None,
    columns: Mapping[str, str] | str | None = None,
    language: Literal["auto"] | None = None,
    **keywords: Unpack[ListTextKeywords],
) -> Any:
    """A data set with labels as further columns; the rows, their order and their kind stay.

    Parameters
    ----------
    dataset
        A `datasets.Dataset`, `IterableDataset` or `DatasetDict`, a frame of pandas or polars, a
        table of pyarrow, or any iterable of mappings or of the topics that `open_corpus` gives; an
        iterable gives an iterator of rows. Columns are those of our records (`sentences` or `text`,
        `references`; `language` says which rules hold for a row) or of known data sets (`article`
        and `highlights`, `document` and `summary`, …).
    rouge, method, choose, temperature, max_sentences, max_words, within, top, …
        As for `label_sentences`; the objective is "r1-f1+r2-f1" by default.
    jobs
        Processes, for a `datasets.Dataset`. Default 1.
    split, clean, columns, language
        As for `enumerate_corpus`: how `text` is split, "markup" to remove what data sets leave in
        text, which column has what, "auto" to detect the language of rows that have no `language`.

    Returns
    -------
    The same kind of object
        With `labels` (0 or 1 per sentence), `soft_labels`, `oracle_ids`, `oracle_score` and
        `label_status`; and `sentences` if a row has text that was split here. A row that cannot be
        labelled has empty labels and the status "error: …".

    Raises
    ------
    InputError
        If the object is no data set, or a setting cannot be used.

    Examples
    --------
    >>> rows = [{"article": "A cat sat. It rained.", "highlights": "The cat sat."}]
    >>> [row] = label_dataset(rows, max_sentences=1)
    >>> row["labels"], row["sentences"]
    ([1, 0], ['A cat sat.', 'It rained.'])
    """
    settings: dict[str, Any] = {
        "rouge": rouge,
        "method": method,
        "choose": choose,
        "temperature": temperature,
        **keywords,
    }
    label_sentences(["a b"], ["a b"], **settings)  # says now what is wrong with the settings
    preparation = Preparation(split=split, clean=clean, detect=wants_detection(language))
    jobs = require_whole("jobs", jobs, least=1, most=MAX_JOBS)
    label = _Labeller(settings, preparation, check_columns(columns))
    if hasattr(dataset, "map") and (hasattr(dataset, "features") or isinstance(dataset, Mapping)):
        return _map(dataset, label, jobs)
    if hasattr(dataset, "append_column"):  # pyarrow
        return _extend_table(dataset, _type_columns(_label_columns(dataset, label)))
    if hasattr(dataset, "with_columns"):  # polars
        lazy = not hasattr(dataset, "iter_rows")
        frame = dataset.collect() if lazy else dataset
        frame = frame.with_columns(type(frame)(_type_columns(_label_columns(frame, label))))
        return frame.lazy() if lazy else frame
    if hasattr(dataset, "itertuples"):  # pandas
        return dataset.assign(**_label_columns(dataset, label))
    if isinstance(dataset, str | bytes | Mapping) or not (
        isinstance(dataset, Iterable) and is_table(dataset)
    ):
        raise InputError(
            f"a data set has rows; this is {type(dataset).__name__}. "
            "For a file, pass oraclesum.open_corpus(path)"
        )
    return _label_rows(dataset, label)


class _Labeller:
    """The new columns of a row; can be sent to another process."""

    def __init__(
        self, settings: dict[str, Any], preparation: Preparation, columns: Columns
    ) -> None:
        rouge = settings["rouge"]
        rouge = DEFAULT_OBJECTIVE if rouge is None else rouge
        self._rouge = Rouge(rouge) if isinstance(rouge, str) else rouge
        self._settings = {key: value for key, value in settings.items() if key != "rouge"}
        self._preparation = preparation
        self._columns = columns
        self._number = 0
        self._failed = 0
        self._replaces = False
        self._with_sentences: bool | None = None

    def settle_columns(self, rows: Iterable[Mapping[str, Any]], has_sentences: bool) -> bool:
        """Give every row the same columns, for a library that has to know their types before.

        Whether `sentences` becomes a new one: if the first row that can be read has text to be
        split. A column of this name that is there already keeps what is not split.
        """
        self._with_sentences = None if has_sentences else False
        if has_sentences:
            return False
        for row in rows:
            with suppress(RecordError):
                self._with_sentences = read_row(row, 1, columns=self._columns).sentences is None
                break
        return bool(self._with_sentences)

    def __call__(self, row: Mapping[str, Any] | Topic | RecordError | BadRecord) -> dict[str, Any]:
        self._number += 1
        if not isinstance(row, Mapping | Topic | RecordError | BadRecord):
            raise InputError(
                f"a row must be a mapping of columns to values, not {type(row).__name__}; of a "
                "data set with a format, pass dataset.with_format(None)"
            )
        try:
            if isinstance(row, RecordError):
                raise row
            if isinstance(row, BadRecord):
                raise InputError(row.reason)
            if not isinstance(row, Topic):
                self._tell_what_is_replaced(row)
                row = read_row(row, self._number, columns=self._columns)
            return self._label(row)
        except OraclesumError as error:
            reason = error.reason if isinstance(error, RecordError) else str(error)
            self._failed += 1
            if self._failed <= _MAX_TOLD:
                rest = "; further ones are not told" if self._failed == _MAX_TOLD else ""
                warn(f"row {self._number}: {reason}{rest}", OraclesumWarning)
            empty: dict[str, Any] = {name: [] for name in COLUMNS[:3]}
            if self._with_sentences:
                empty["sentences"] = None
            return {**empty, "oracle_score": None, "label_status": f"error: {reason}"}

    def _tell_what_is_replaced(self, row: Mapping[str, Any]) -> None:
        names = [name for name in COLUMNS if name in row]
        if names and not self._replaces:
            self._replaces = True
            warn(
                f"the data set has columns {', '.join(names)}, which are replaced; rename them "
                "before if you need them",
                OraclesumWarning,
            )

    def _label(self, topic: Topic) -> dict[str, Any]:
        preparation = self._preparation
        topic = settle_language(topic, preparation)
        if preparation.clean is not None:
            topic = clean_topic(topic, preparation.clean)
        rouge = self._rouge
        if topic.language is not None and rouge.language == "en":
            rouge = rouge.in_language(topic.language, detected=topic.detection is not None)
        sentences = topic.sentences
        if sentences is None:
            assert topic.text is not None
            sentences = tuple(preparation.split_text(topic.text, rouge.language))
        with collect_warnings():  # the status says that nothing overlaps
            found = label_sentences(
                sentences, topic.references, rouge=rouge, doc_ids=topic.doc_ids, **self._settings
            )
        columns: dict[str, Any] = {
            "labels": list(found.labels),
            "soft_labels": list(found.soft_labels),
            "oracle_ids": list(found.oracle_ids),
            "oracle_score": found.score,
            "label_status": found.status.value,
        }
        if self._with_sentences is False and topic.sentences is None:
            raise InputError("the row has text to be split, where rows before it have sentences")
        if self._with_sentences or topic.sentences is None:
            columns["sentences"] = list(sentences)
        return columns


def _label_columns(frame: Any, label: _Labeller) -> dict[str, list[Any]]:
    """The new columns of a frame or table, by their names."""
    made, given = [], []
    for row in iterate_rows(frame):
        made.append(label(row))
        given.append(row.get("sentences") if isinstance(row, Mapping) else None)
    columns = {name: [found.get(name) for found in made] for name in COLUMNS}
    if any("sentences" in found for found in made):  # rows that were not split keep their own
        columns["sentences"] = [
            found.get("sentences", own) for found, own in zip(made, given, strict=True)
        ]
    return columns


def _make_schema() -> Any:
    """The types of the new columns, also of those that are empty in every row."""
    import pyarrow

    numbers, shares = pyarrow.list_(pyarrow.int64()), pyarrow.list_(pyarrow.float64())
    kinds = (numbers, shares, numbers, pyarrow.float64(), pyarrow.string())
    fields = [*zip(COLUMNS, kinds, strict=True), ("sentences", pyarrow.list_(pyarrow.string()))]
    return pyarrow.schema(fields)


def _type_columns(columns: dict[str, list[Any]]) -> dict[str, Any]:
    import pyarrow

    schema = _make_schema()
    return {
        name: pyarrow.array(values, schema.field(name).type) for name, values in columns.items()
    }


def _extend_table(table: Any, columns: dict[str, Any]) -> Any:
    for name, values in columns.items():
        place = table.schema.get_field_index(name)
        if place < 0:
            table = table.append_column(name, values)
        else:
            table = table.set_column(place, name, values)
    return table


def _map(dataset: Any, label: _Labeller, jobs: int) -> Any:
    """A data set of the library datasets, or several by their names."""
    if isinstance(dataset, Mapping):
        kind: Any = type(dataset)
        return kind({name: _map(part, label, jobs) for name, part in dataset.items()})
    if not hasattr(dataset, "num_rows"):  # streaming ones take no number of processes
        return dataset.map(label)
    if not len(dataset):  # is not changed by `map`
        return _extend_empty(dataset)
    form = dataset.format
    framed = form["type"] in _FRAMES
    rows = dataset.with_format(None) if framed else dataset
    known = rows.features
    own = known.get("sentences")
    has_sentences = own is not None and getattr(own, "dtype", None) != "null"
    names = list(COLUMNS)
    if label.settle_columns(rows, has_sentences):
        names.append("sentences")
    made = rows.map(
        label,
        features=type(known)({**known, **_make_features(type(known), names)}),
        **({"num_proc": jobs} if jobs > 1 else {}),
    )
    if not framed:
        return made
    hidden = set(dataset.column_names) - set(form["columns"])
    return made.with_format(
        form["type"],
        columns=[name for name in made.column_names if name not in hidden] if hidden else None,
        output_all_columns=form["output_all_columns"],
        **form["format_kwargs"],
    )


def _make_features(kind: Any, names: Sequence[str]) -> dict[str, Any]:
    import pyarrow

    schema = _make_schema()
    return {**kind.from_arrow_schema(pyarrow.schema([schema.field(name) for name in names]))}


def _extend_empty(dataset: Any) -> Any:
    dataset = dataset.remove_columns([name for name in COLUMNS if name in dataset.column_names])
    for name, values in _type_columns({name: [] for name in COLUMNS}).items():
        dataset = dataset.add_column(name, values)
    return dataset


def _label_rows(rows: Iterable[Any], label: _Labeller) -> Iterator[dict[str, Any]]:
    for row in rows:
        if isinstance(row, Topic):
            yield {**_as_row(row), **label(row)}
        elif isinstance(row, RecordError):
            yield {"id": row.record_id, **label(row)}
        elif isinstance(row, Mapping):
            yield {**row, **label(row)}
        else:
            raise InputError(f"a row must be a mapping of columns to values, not {show_value(row)}")


def _as_row(topic: Topic) -> dict[str, Any]:
    """The document and its references, under the names of our records."""
    texts = {"text": topic.text} if topic.sentences is None else {"sentences": topic.sentences}
    return {"id": topic.id, **texts, "references": topic.references, "language": topic.language}
