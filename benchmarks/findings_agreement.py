"""Findings: does F against all oracles (M) agree with people more than F against one (S)?

Hirao et al. (EACL 2017, Table 6) say that it does, significantly, and show intervals over random
draws of the one oracle. Here the difference of the two correlations with human scores is tested
over topics, on open corpora, with what could have been seen at all beside it.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, median
from typing import Any

import numpy

from findings_page import (
    COLOURS,
    ROOT,
    Progress,
    is_current,
    read_rows,
    save_figure,
    sign,
    write_rows,
    write_table,
)
from oraclesum.evaluation.agreement import judge_topics
from oraclesum.evaluation.bootstrap import bootstrap_mean, percentile_interval
from oraclesum.evaluation.coefficients import COEFFICIENTS, Coefficient, correlate_rows
from oraclesum.evaluation.correlation import LEVELS, Level, correlate_level, mean_known
from oraclesum.evaluation.judge import judge_topic
from oraclesum.evaluation.judged import Judged
from oraclesum.evaluation.paired import compare_paired
from oraclesum.evaluation.panel import prepare_summaries
from oraclesum.evaluation.significance import correct_holm, williams_test
from oraclesum.instances.limits import Limits
from oraclesum.notices import collect_warnings


@dataclass(frozen=True, kw_only=True)
class Source:
    """A corpus with human scores; the first of `human` is the one that the main table has."""

    name: str
    file: str
    language: str
    max_words: int
    human: tuple[str, ...]


SOURCES = (
    Source(
        name="MultiLing English",
        file="multiling2011_english.jsonl",
        language="en",
        max_words=250,
        human=("grade", "length_aware_grade"),
    ),
    Source(
        name="MultiLing French",
        file="multiling2011_french.jsonl",
        language="fr",
        max_words=250,
        human=("grade", "length_aware_grade"),
    ),
    Source(
        name="SummEval",
        file="summeval.jsonl",
        language="en",
        max_words=65,  # the mean length of its system summaries
        human=("relevance", "coherence", "consistency", "fluency"),
    ),
)
MEASURES = tuple(f"F-measure (R{n}) ({kind})" for n in (1, 2) for kind in ("single", "multi"))
DRAWS = 100
RESAMPLES = 2000  # of topics, for intervals and for tests at system level
SIMULATIONS = 2000
SYSTEMS = (6, 8, 10, 13, 16, 20, 30, 50, 100)  # numbers of systems whose power is simulated
POWER = 0.8
LEVEL = 0.05

_VERSION = 1  # of what is measured and how; part of the signature
_DIFFERENCES = "agreement-differences.csv"
_POWER = "agreement-power.csv"
_CORPORA = "agreement-corpora.csv"


# Tests over topics


@dataclass(frozen=True, kw_only=True)
class Tested:
    """Agreement of M less the mean agreement of S, and what is known about that difference."""

    all_oracles: float  # correlation of M
    one_oracle: float  # mean over the draws of the correlation of S
    draws: tuple[float, ...]  # the correlation of each draw of S
    low: float  # of the difference: 95%, topics drawn anew
    high: float
    p: float  # topics exchange M and S
    error: float  # standard error of the difference, topics drawn anew
    topics: int  # that have a correlation to compare
    effect: float  # summary level: mean over standard deviation of the topics' differences

    @property
    def difference(self) -> float:
        return self.all_oracles - self.one_oracle


def compare_topics(
    scores: Any,
    drawn: Any,
    human: Any,
    *,
    level: Level,
    coefficient: Coefficient,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Tested:
    """M (topics by systems) against S (draws by topics by systems), paired over topics.

    The null hypothesis: within a topic, M and S could change places. The interval draws topics with
    replacement.
    """
    if level == "summary":
        return _compare_summaries(scores, drawn, human, coefficient)
    return _compare_systems(scores, drawn, human, coefficient, resamples, seed)


def _compare_summaries(scores: Any, drawn: Any, human: Any, coefficient: Coefficient) -> Tested:
    """Of each topic the correlation of M less that of S: exchanging them changes its sign."""
    with_all = correlate_rows(scores, human, coefficient)
    with_each = correlate_rows(drawn, human, coefficient)
    with_one = mean_known(with_each, 0)
    known = ~numpy.isnan(with_all - with_one)
    paired = compare_paired(with_all[known].tolist(), with_one[known].tolist())
    effect = 0.0 if math.isnan(paired.effect) else paired.effect
    spread = float((with_all - with_one)[known].std(ddof=1))
    return Tested(
        all_oracles=float(with_all[known].mean()),
        one_oracle=float(with_one[known].mean()),
        draws=tuple(mean_known(with_each[:, known], -1).tolist()),
        low=paired.low,
        high=paired.high,
        p=paired.p,
        error=spread / math.sqrt(paired.topics),
        topics=paired.topics,
        effect=effect,
    )


def _compare_systems(
    scores: Any, drawn: Any, human: Any, coefficient: Coefficient, resamples: int, seed: int
) -> Tested:
    """Averages of systems over topics, correlated across systems; S for every draw.

    Each draw has its own test, in which topics exchange their rows of M and of that S. Tests of the
    same topics depend on each other in an unknown way; twice their median p is a p value whatever
    the way is (Rüger 1978).
    """
    known = ~(numpy.isnan(scores) | numpy.isnan(human) | numpy.isnan(drawn).any(axis=0))
    filled, judged = numpy.where(known, scores, 0.0), numpy.where(known, human, 0.0)
    n_draws, n_topics, n_systems = drawn.shape
    by_topic = numpy.where(known, drawn, 0.0).transpose(1, 0, 2).reshape(n_topics, -1)

    def average(weights: Any, values: Any) -> Any:
        """Weighted averages of systems, a row per row of weights (and per draw)."""
        with numpy.errstate(invalid="ignore", divide="ignore"):
            sums = (weights @ values).reshape(len(weights), -1, n_systems)
            return sums / (weights @ known)[:, None]

    def compare(weights: Any) -> tuple[Any, Any]:
        people = average(weights, judged)
        with_all = correlate_rows(average(weights, filled), people, coefficient)[:, 0]
        return with_all, correlate_rows(average(weights, by_topic), people, coefficient)

    generator = numpy.random.default_rng(seed)
    with_all, with_each = compare(numpy.ones((1, n_topics)))
    parts = [compare(_draw_topics(generator, size, n_topics)) for size in _cut(resamples)]
    resampled = numpy.concatenate([first - mean_known(second, -1) for first, second in parts])
    counts = known.sum(axis=0)
    people = judged.sum(axis=0) / counts
    # Standardised, so that what topics exchange is how they rank and not how far scores spread.
    first = _standardise(filled, known)
    second = numpy.stack([_standardise(one, known) for one in numpy.where(known, drawn, 0.0)])
    changes = (second - first).transpose(1, 0, 2).reshape(n_topics, -1)

    def exchange(swap: Any) -> Any:
        moved = (swap.astype(float) @ changes).reshape(-1, n_draws, n_systems)
        every = (first.sum(axis=0) + moved) / counts
        one = (second.sum(axis=1) - moved) / counts
        with_every = correlate_rows(every, people, coefficient)
        return with_every - correlate_rows(one, people, coefficient)

    exchanged = numpy.concatenate(
        [exchange(generator.random((size, n_topics)) < 0.5) for size in _cut(resamples)]
    )
    by_draw = _find_p(exchanged, with_all[0] - with_each[0])
    low, high = percentile_interval(resampled.tolist())
    return Tested(
        all_oracles=float(with_all[0]),
        one_oracle=float(mean_known(with_each[0], -1)),
        draws=tuple(with_each[0].tolist()),
        low=low,
        high=high,
        p=min(1.0, 2 * float(numpy.median(by_draw))),
        error=float(numpy.nanstd(resampled, ddof=1)),
        topics=n_topics,
        effect=math.nan,
    )


def _standardise(scores: Any, known: Any) -> Any:
    """Mean 0 and standard deviation 1 over all summaries; 0 for those without a score."""
    values = scores[known]
    spread = values.std()
    return numpy.where(known, (scores - values.mean()) / (spread if spread > 0 else 1.0), 0.0)


def _find_p(permuted: Any, observed: Any) -> Any:
    """Two-sided: how often a permutation (first axis) is as far from 0 as what was observed."""
    # A difference that rounding moved off the observed one still counts as large.
    as_large = (numpy.abs(permuted) >= numpy.abs(observed) - 1e-12).sum(axis=0)
    return (as_large + 1) / (len(permuted) + 1)


def _cut(resamples: int) -> list[int]:
    return [min(100, resamples - done) for done in range(0, resamples, 100)]


def _draw_topics(generator: Any, size: int, topics: int) -> Any:
    """How often each topic is drawn, a row per resample."""
    return generator.multinomial(topics, numpy.full(topics, 1 / topics), size=size).astype(float)


# What could have been seen


def find_detectable(error: float, topics: int) -> float:
    """The true difference that a paired test over so many topics sees in 80% of samples.

    `error` is the standard error of the difference. Two-sided, at 5%, by Student's t.
    """
    from scipy.stats import t

    return error * float(t.ppf(1 - LEVEL / 2, topics - 1) + t.ppf(POWER, topics - 1))


def simulate_williams(
    systems: int,
    agreement: float,
    between: float,
    difference: float,
    *,
    simulations: int = SIMULATIONS,
    seed: int = 0,
) -> float:
    """How often Williams' test sees a difference at 5%, if the scores of systems are normal.

    `agreement`: the true correlation of the better measure with people; `difference`: how much
    lower that of the other is; `between`: the correlation of the measures with each other. nan if
    no three variables have such correlations.
    """
    lower = agreement - difference
    matrix = numpy.array([[1, agreement, lower], [agreement, 1, between], [lower, between, 1]])
    values, vectors = numpy.linalg.eigh(matrix)
    if values.min() < -1e-12:
        return math.nan
    root = vectors * numpy.sqrt(numpy.maximum(values, 0.0))
    generator = numpy.random.default_rng(seed)
    drawn = generator.standard_normal((simulations, systems, 3)) @ root.T
    people, first, second = (drawn[..., k] for k in range(3))
    rows = zip(
        correlate_rows(first, people, "pearson").tolist(),
        correlate_rows(second, people, "pearson").tolist(),
        correlate_rows(first, second, "pearson").tolist(),
        strict=True,
    )
    return fmean(williams_test(*row, systems) < LEVEL for row in rows)


def find_detectable_by_systems(
    systems: int,
    agreement: float,
    between: float,
    *,
    simulations: int = SIMULATIONS,
    seed: int = 0,
) -> float:
    """The smallest difference that Williams' test sees in 80% of simulated corpora, to 0.002.

    nan if even the largest possible difference is not seen so often.
    """
    low, high = 0.0, largest_difference(agreement, between)
    if not _sees(systems, agreement, between, high, simulations, seed):
        return math.nan
    while high - low > 0.002:
        middle = (low + high) / 2
        if _sees(systems, agreement, between, middle, simulations, seed):
            high = middle
        else:
            low = middle
    return high


def _sees(
    systems: int, agreement: float, between: float, difference: float, simulations: int, seed: int
) -> bool:
    power = simulate_williams(
        systems, agreement, between, difference, simulations=simulations, seed=seed
    )
    return power >= POWER


def largest_difference(agreement: float, between: float) -> float:
    """The furthest that the lower correlation can be from `agreement`, given `between`."""
    lower = agreement * between - math.sqrt((1 - agreement**2) * (1 - between**2))
    return agreement - lower


# The run


def run(folder: Path, progress: Progress) -> None:
    """Measure, write the CSV files, draw; nothing if all is there under the same signature."""
    data = Path(os.environ.get("ORACLESUM_SHARED", ROOT.parent / "shared"), "data")
    digest = hashlib.sha256(
        repr((_VERSION, SOURCES, MEASURES, DRAWS, RESAMPLES, SIMULATIONS, SYSTEMS)).encode()
    )
    for source in SOURCES:
        digest.update((data / source.file).read_bytes())
    signature = digest.hexdigest()[:16]
    files = [folder / name for name in (_DIFFERENCES, _POWER, _CORPORA)]
    if is_current(folder, "agreement", signature, files):
        progress("agreement: there already")
    else:
        folder.mkdir(parents=True, exist_ok=True)
        measure(data, folder, progress)
        sign(folder, "agreement", signature)
    draw(folder)


def measure(data: Path, folder: Path, progress: Progress) -> None:
    """Everything that the CSV files say."""
    corpora: list[dict[str, Any]] = []
    rows: list[dict[str, Any]] = []
    for source in SOURCES:
        topics = []
        records = [json.loads(line) for line in (data / source.file).read_text().splitlines()]
        signature = ""
        for record in records:
            judged, signature = judge_record(record, source)
            topics.append(judged)
        progress(f"agreement: {source.name}, {len(topics)} topics scored")
        for human in source.human:
            judged = judge_topics(topics, human)
            rows += _compare_all(source, human, judged)
            progress(f"agreement: {source.name}, {human} compared")
        corpora.append(
            {
                "corpus": source.name,
                "topics": len(judged.topics),
                "systems": len(judged.systems),
                "max_words": source.max_words,
                "signature": signature,
            }
        )
    _correct(rows)
    write_rows(folder / _CORPORA, list(corpora[0]), corpora)
    write_rows(folder / _DIFFERENCES, list(rows[0]), rows)
    progress("agreement: power")
    power = _list_power(rows)
    write_rows(folder / _POWER, list(power[0]), power)


def judge_record(record: Mapping[str, Any], source: Source) -> tuple[dict[str, Any], str]:
    """The scores of one topic's systems, as `judge_topics` takes them; and their signature."""
    limits = Limits(max_words=source.max_words)
    systems = {name: record["systems"][name] for name in record["human"]}
    with collect_warnings():  # a reference that shares nothing has no oracle, and takes no part
        summaries = prepare_summaries(systems, record["sentences"], language=source.language)
        found = judge_topic(
            record["sentences"],
            record["references"],
            summaries,
            limits,
            language=source.language,
            id=record["id"],
            draws=DRAWS,
        )
    topic = {
        "id": record["id"],
        "measures": found.measures,
        "drawn": found.drawn,
        "human": {
            name: {human: scores[human] for human in source.human}
            for name, scores in record["human"].items()
        },
    }
    return topic, found.signature


def _compare_all(source: Source, human: str, judged: Judged) -> Iterable[dict[str, Any]]:
    for level in LEVELS:
        for coefficient in COEFFICIENTS:
            for measure in MEASURES:
                scores = judged.measures[f"{measure[:-1]}-M)"]
                drawn = judged.drawn[f"{measure[:-1]}-S)"]
                tested = compare_topics(
                    scores, drawn, judged.human, level=level, coefficient=coefficient
                )
                draw_low, draw_high = percentile_interval(tested.draws)
                known = [value for value in tested.draws if not math.isnan(value)]
                mean_low, mean_high = bootstrap_mean(known)
                yield {
                    "corpus": source.name,
                    "human": human,
                    "main": int(human == source.human[0]),
                    "level": level,
                    "coefficient": coefficient,
                    "measure": measure,
                    "topics": tested.topics,
                    "systems": len(judged.systems),
                    "all_oracles": tested.all_oracles,
                    "one_oracle": tested.one_oracle,
                    "draw_low": draw_low,
                    "draw_high": draw_high,
                    "mean_low": mean_low,
                    "mean_high": mean_high,
                    "draws_below": fmean(value < tested.all_oracles for value in known),
                    "difference": tested.difference,
                    "low": tested.low,
                    "high": tested.high,
                    "p": tested.p,
                    "cohen_q": math.atanh(tested.all_oracles) - math.atanh(tested.one_oracle),
                    "effect": tested.effect,
                    "detectable": find_detectable(tested.error, tested.topics),
                    **_ask_williams(scores, drawn, judged, level, coefficient),
                }


def _ask_williams(
    scores: Any, drawn: Any, judged: Judged, level: Level, coefficient: Coefficient
) -> dict[str, float]:
    """Across systems: how alike M and S are, and the median p of Williams' test over the draws."""
    if level != "system" or coefficient != "pearson":
        return {"between": math.nan, "williams": math.nan}
    with_all = float(correlate_level(scores, judged.human, "system", "pearson"))
    with_one = correlate_level(drawn, judged.human, "system", "pearson").tolist()
    between = correlate_level(drawn, scores, "system", "pearson").tolist()
    values = [
        williams_test(with_all, one, alike, len(judged.systems))
        for one, alike in zip(with_one, between, strict=True)
    ]
    return {"between": fmean(between), "williams": median(values)}


def _correct(rows: Sequence[dict[str, Any]]) -> None:
    """Holm's correction over all corpora, levels and measures of one coefficient.

    The main human scores are one family of hypotheses; all further ones together are another.
    """
    families: dict[tuple[int, str], list[dict[str, Any]]] = {}
    for row in rows:
        families.setdefault((row["main"], row["coefficient"]), []).append(row)
    for family in families.values():
        for row, holm in zip(family, correct_holm([row["p"] for row in family]), strict=True):
            row["p_holm"] = holm


def _list_power(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """What Williams' test can see, at the agreement and likeness that were found.

    At the median likeness of M and S, and at that of two measures that are less alike.
    """
    across = [
        row
        for row in rows
        if row["main"] and row["level"] == "system" and row["coefficient"] == "pearson"
    ]
    agreement = round(median(row["all_oracles"] for row in across), 2)
    alike = round(median(row["between"] for row in across), 3)
    return [
        {
            "agreement": agreement,
            "between": between,
            "systems": systems,
            "detectable": find_detectable_by_systems(systems, agreement, between),
            "largest": largest_difference(agreement, between),
        }
        for between in (alike, 0.95, 0.8)
        for systems in SYSTEMS
    ]


# The page


def draw(folder: Path) -> None:
    """The differences with their intervals, and what Williams' test can see."""
    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot

    figure, (left, right) = pyplot.subplots(
        1, 2, figsize=(9.5, 5.2), width_ratios=(1.5, 1), layout="constrained"
    )
    rows = _list_main(folder)
    for place, row in enumerate(rows):
        colour = COLOURS[LEVELS.index(row["level"])]
        one = float(row["one_oracle"])
        spread = [float(row["draw_low"]) - one, float(row["draw_high"]) - one]
        left.plot(spread, [place, place], color="#cccccc", linewidth=6, solid_capstyle="butt")
        left.plot([float(row["low"]), float(row["high"])], [place, place], color=colour)
        left.plot(float(row["difference"]), place, "o", color=colour, markersize=4)
    left.axvline(0, color="black", linewidth=0.6)
    left.set_yticks(range(len(rows)), [f"{row['corpus']}, {_shorten(row)}" for row in rows])
    left.tick_params(axis="y", labelsize=7)
    left.invert_yaxis()
    left.set_xlabel("Pearson of M less mean Pearson of S")
    left.set_title("M less S, and the luck of one draw", fontsize=10)
    left.plot([], [], "o-", color=COLOURS[0], markersize=4, label="system level, 95% over topics")
    left.plot([], [], "o-", color=COLOURS[1], markersize=4, label="summary level, 95% over topics")
    left.plot([], [], color="#cccccc", linewidth=6, label="95% of single draws of S")
    left.legend(fontsize=7, loc="upper center", bbox_to_anchor=(0.4, -0.1), ncols=3)
    power = read_rows(folder / _POWER)
    for colour, between in zip(
        COLOURS, dict.fromkeys(row["between"] for row in power), strict=False
    ):
        seen = [row for row in power if row["between"] == between and row["detectable"]]
        right.plot(
            [int(row["systems"]) for row in seen],
            [float(row["detectable"]) for row in seen],
            "o-",
            color=colour,
            markersize=3,
            label=f"measures correlate by {float(between):.3g}",
        )
    right.set_xscale("log")
    right.set_yscale("log")
    right.set_xticks([10, 20, 50, 100], ["10", "20", "50", "100"])
    right.minorticks_off()
    right.set_yticks([0.01, 0.03, 0.1, 0.3], ["0.01", "0.03", "0.1", "0.3"])
    right.set_xlabel("systems")
    right.set_ylabel("smallest difference seen in 80% of corpora")
    right.set_title("What Williams' test can see", fontsize=10)
    right.legend(fontsize=7)
    for axes in (left, right):
        axes.grid(alpha=0.3, linewidth=0.5)
        axes.spines[["top", "right"]].set_visible(False)
    save_figure(figure, "agreement")
    pyplot.close(figure)


def describe(folder: Path) -> dict[str, str]:
    """The blocks of the page, from the CSV files."""
    rows = _list_main(folder)
    return {
        "agreement-data": _describe_corpora(read_rows(folder / _CORPORA)),
        "agreement": _tabulate(rows),
        "agreement-follows": _conclude(rows, read_rows(folder / _DIFFERENCES)),
        "agreement-power": _describe_power(read_rows(folder / _POWER)),
    }


def _describe_corpora(corpora: Sequence[Mapping[str, str]]) -> str:
    humans = {source.name: source.human[0] for source in SOURCES}
    return write_table(
        ("corpus", "topics", "systems", "words of an oracle, at most", "human score"),
        [
            (row["corpus"], row["topics"], row["systems"], row["max_words"], humans[row["corpus"]])
            for row in corpora
        ],
    )


def _tabulate(rows: Sequence[Mapping[str, str]]) -> str:
    """A table for each level, narrow enough for the page."""
    heads = ("corpus", "measure", "M", "S", "± of draws", "M - S", "95%", "p", "Holm", "effect")
    parts = []
    for level, words in (
        ("system", "Across systems"),
        ("summary", "Across the summaries of a topic"),
    ):
        table = write_table(
            (*heads, "detectable"),
            [
                (
                    row["corpus"].removeprefix("MultiLing "),
                    _shorten(row, level=False),
                    _show(row["all_oracles"]),
                    _show(row["one_oracle"]),
                    _show((float(row["draw_high"]) - float(row["draw_low"])) / 2),
                    _show(row["difference"], signed=True),
                    f"{_show(row['low'], signed=True)}&nbsp;{_show(row['high'], signed=True)}",
                    _show_p(row["p"]),
                    _show_p(row["p_holm"]),
                    f"{float(row['effect']):+.2f}"
                    if level == "summary"
                    else _show(row["cohen_q"], signed=True),
                    _show(row["detectable"]),
                )
                for row in rows
                if row["level"] == level
            ],
            left=2,
        )
        parts.append(f"{words}:\n\n{table}")
    return "\n\n".join(parts)


def _conclude(rows: Sequence[Mapping[str, str]], every: Sequence[Mapping[str, str]]) -> str:
    differences = [float(row["difference"]) for row in rows]
    above = sum(float(row["all_oracles"]) > float(row["mean_high"]) for row in rows)
    below = sum(float(row["all_oracles"]) < float(row["mean_low"]) for row in rows)
    plain, stand = (sum(float(row[name]) < LEVEL for row in rows) for name in ("p", "p_holm"))
    further = [
        float(row["difference"])
        for row in every
        if float(row["p_holm"]) < LEVEL and row not in rows
    ]
    spreads = [(float(row["draw_high"]) - float(row["draw_low"])) / 2 for row in rows]
    low, middle, high = (_show(find(differences), signed=True) for find in (min, median, max))
    own = [float(row["difference"]) for row in rows if row["level"] == "summary"]
    lines = [
        f"**{stand or 'None'} of the {len(rows)} differences {_verb(stand)} after Holm's "
        "correction**;",
        f"{plain} have p < .05 before it. M - S runs from {low} to {high} (median {middle}).",
        f"At summary level M is ahead in {sum(each > 0 for each in own)} of {len(own)} rows, by "
        f"{_show(median(own))} in the median.",
        f"By the paper's own criterion M would be better in {above} of the {len(rows)} rows,",
        f"worse in {below}, and neither in {len(rows) - above - below}. 95% of single draws",
        f"lie within {_show(median(spreads))} of their middle (median over rows; up to",
        f"{_show(max(spreads))}). Of the {len(every) - len(rows)} further comparisons in the CSV",
        "file, with Spearman's and Kendall's coefficients and further human scores,",
        f"{len(further) or 'none'} {_verb(len(further))} after correction"
        + ("." if not further else ";"),
    ]
    if further:
        ahead = sum(each > 0 for each in further)
        lines.append(
            f"M is ahead in {ahead} of them, and the largest is {_show(max(further, key=abs))}."
        )
    return "\n".join(lines)


def _verb(count: int) -> str:
    return "stand" if count > 1 else "stands"


def _describe_power(power: Sequence[Mapping[str, str]]) -> str:
    by_likeness: dict[str, dict[int, str]] = {}
    for row in power:
        by_likeness.setdefault(row["between"], {})[int(row["systems"])] = (
            _show(row["detectable"]) if row["detectable"] else "none"
        )
    shown = (6, 10, 16, 30, 50, 100)  # as many as fit the page
    table = write_table(
        ("measures correlate by", *(f"{systems} systems" for systems in shown)),
        [
            (_show(between), *(found[systems] for systems in shown))
            for between, found in by_likeness.items()
        ],
    )
    between, found = next(iter(by_likeness.items()))
    return "\n".join(
        [
            table,
            "",
            f"**With 10 systems a difference between M and S below {found[10]} cannot be seen**",
            f"(with a power of 80%), nor one below {found[16]} with 16 systems, nor one below",
            f"{found[50]} with 50: their scores of systems correlate by {_show(between)} with each",
            f"other (median). Agreement with people is {_show(power[0]['agreement'])} in the",
            "simulation, which is the median of M.",
        ]
    )


def _list_main(folder: Path) -> list[dict[str, str]]:
    rows = read_rows(folder / _DIFFERENCES)
    return [row for row in rows if row["main"] == "1" and row["coefficient"] == "pearson"]


def _shorten(row: Mapping[str, str], *, level: bool = True) -> str:
    """E.g. `R1 single, system`."""
    name = row["measure"].removeprefix("F-measure (").replace(") (", " ").removesuffix(")")
    return f"{name}, {row['level']}" if level else name


def _show(value: float | str, *, signed: bool = False) -> str:
    text = f"{float(value):+.3f}" if signed else f"{float(value):.3f}"
    return (".000" if float(text) == 0 else text).replace("0.", ".", 1)


def _show_p(value: str) -> str:
    number = float(value)
    return "< .001" if number < 0.001 else f"{number:.3f}".replace("0.", ".", 1)
