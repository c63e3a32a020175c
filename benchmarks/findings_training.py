"""Findings: do better labels train better models? Sentence classifiers, alike but for their labels.

Two classifiers of scikit-learn (logistic regression, gradient-boosted trees) are trained on the
same features of the same news articles with eight kinds of labels, and tested by the ROUGE of the
three sentences they like best in articles they have not seen: five seeds, five sizes of training
data. No setting was chosen by a result.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import math
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy

import oraclesum
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
from oraclesum.evaluation.bootstrap import percentile_intervals
from oraclesum.evaluation.correlation import mean_known
from oraclesum.evaluation.significance import correct_holm
from oraclesum.rouge.printed import PrintedScorer

CORPUS = "cnndm_news_3000.jsonl.gz"
OBJECTIVE = "r1-f1+r2-f1"
MAX_SENTENCES = 3
SEEDS = (0, 1, 2, 3, 4)
TEST_SHARE = 0.2
SIZES = (150, 300, 600, 1200, 2400)
RESAMPLES = 10_000
STATISTICS = ("r1", "r2", "rlsum")
SCRATCH = ROOT / "build" / "findings"
BASE = "greedy"  # what the others are compared with

LABELS: Mapping[str, str] = {
    "lead": "the first three sentences",
    "recall": "oracle of ROUGE-2 recall",
    "greedy": "PreSumm's greedy",
    "presumm": "optimum of PreSumm's own score",
    "optimum": "optimum of R1-F1 + R2-F1",
    "soft-optima": "soft over the optima",
    "soft-near": "soft, within 0.02, temperature 0.01",
    "soft-wide": "soft, within 0.05, temperature 0.02",
}
MODELS: Mapping[str, str] = {"logistic": "logistic regression", "trees": "boosted trees"}
REFERENCES: Mapping[str, str] = {
    "lead-3": "the first three sentences themselves",
    "greedy-oracle": "PreSumm's greedy, which sees the reference",
    "oracle": "the optimum, which sees the reference",
}

_VERSION = 1  # of what is measured and how; part of the signature
_RESULTS = "training-results.csv"
_DIFFERENCES = "training-differences.csv"
_LABELS = "training-labels.csv"
_PICTURES = ("training-curves", "training-differences")


# Data, and labels


@dataclass(frozen=True, kw_only=True)
class Corpus:
    """The articles; sentences of all of them in one list, with the number of their article."""

    articles: Sequence[Mapping[str, Any]]
    sentences: Sequence[str]
    starts: Any  # of each article its first sentence; one more at the end

    @property
    def owners(self) -> Any:
        """Of each sentence the number of its article."""
        return numpy.repeat(numpy.arange(len(self.articles)), numpy.diff(self.starts))


def make_corpus(articles: Sequence[Mapping[str, Any]]) -> Corpus:
    """Lay the sentences of all articles side by side."""
    lengths = [len(article["sentences"]) for article in articles]
    return Corpus(
        articles=articles,
        sentences=[sentence for article in articles for sentence in article["sentences"]],
        starts=numpy.concatenate([[0], numpy.cumsum(lengths)]).astype(int),
    )


def label_article(article: Mapping[str, Any]) -> dict[str, tuple[float, ...]]:
    """Every kind of labels of one article: a number between 0 and 1 per sentence."""
    sentences, references = article["sentences"], article["references"]
    n = len(sentences)

    def label(**settings: Any) -> oraclesum.Labels:
        return oraclesum.label_sentences(
            sentences, references, max_sentences=MAX_SENTENCES, **settings
        )

    greedy = oraclesum.find_oracle(
        sentences,
        references,
        rouge=OBJECTIVE,
        method="presumm-greedy",
        max_sentences=MAX_SENTENCES,
    ).indices
    optimum = label(rouge=OBJECTIVE)
    found = {
        "lead": [int(i < MAX_SENTENCES) for i in range(n)],
        "recall": label(rouge="r2-recall").labels,
        "greedy": [int(i in greedy) for i in range(n)],
        "presumm": label(rouge="presumm").labels,
        "optimum": optimum.labels,
        "soft-optima": optimum.soft_labels,
        "soft-near": label(rouge=OBJECTIVE, within=0.02, temperature=0.01).soft_labels,
        "soft-wide": label(rouge=OBJECTIVE, within=0.05, temperature=0.02).soft_labels,
    }
    return {name: tuple(map(float, found[name])) for name in LABELS}


def split_articles(n_articles: int, seed: int) -> tuple[Any, Any]:
    """Numbers of the training and of the test articles; the first k to train on are a sample."""
    order = numpy.random.default_rng(seed).permutation(n_articles)
    n_test = round(n_articles * TEST_SHARE)
    return order[n_test:], numpy.sort(order[:n_test])


# Features

FEATURES = (
    "place: log of the number of sentences before it",
    "place: 1 over its number",
    "place: share of the article before it",
    "place: among the first three",
    "article: log of its number of sentences",
    "length: log of its number of words",
    "length: words over the article's mean",
    "tf-idf: cosine with the article's centroid",
    "tf-idf: cosine with the lead sentence",
    "tf-idf: cosine with the centroid of the first three",
    "tf-idf: rank of the cosine with the centroid, as a share",
    "tf-idf: mean weight of a word",
    "words: share of function words",
    "words: numbers",
    "words: has a quotation mark",
    "words: has a question mark",
    "words: of the first or second person",
    "words: begins with a pronoun",
)

_PERSONS = frozenset(("i", "me", "my", "we", "us", "our", "you", "your"))
_PRONOUNS = frozenset(
    ("he", "she", "it", "they", "his", "her", "its", "their", "this", "that", "these", "those")
)
_QUOTES = frozenset("\"'`\u201c\u201d\u2018\u2019\u00ab\u00bb")


def count_terms(sentences: Sequence[str]) -> Any:
    """How often each sentence has each content word (a sparse matrix)."""
    from sklearn.feature_extraction.text import CountVectorizer

    return CountVectorizer(stop_words="english").fit_transform(sentences).astype(float)


def make_features(corpus: Corpus, terms: Any, training: Any) -> Any:
    """A row per sentence (`FEATURES`); only training articles say how rare a word is.

    Neither references nor labels are looked at, so that all articles get their features at once.
    """
    from scipy import sparse
    from sklearn.preprocessing import normalize

    starts, owners = corpus.starts, corpus.owners
    n, n_articles = len(owners), len(corpus.articles)
    lengths = numpy.diff(starts)
    places = numpy.arange(n) - starts[owners]
    ones = numpy.ones(n)

    def gather(which: Any) -> Any:
        """The matrix that adds up the sentences of each article that are `which`."""
        return sparse.csr_matrix(
            (ones[which], (owners[which], numpy.flatnonzero(which))), shape=(n_articles, n)
        )

    every = gather(numpy.ones(n, bool))
    in_articles = (every[training] @ terms > 0).sum(axis=0)
    rarity = 1 + numpy.log((1 + len(training)) / (1 + numpy.asarray(in_articles).ravel()))
    weighted = terms @ sparse.diags(rarity)
    unit = normalize(weighted)

    def compare(which: Any) -> Any:
        """The cosine of each sentence with the sum of those of its article that are `which`."""
        centre = normalize(gather(which) @ unit)
        return numpy.asarray(unit.multiply(centre[owners]).sum(axis=1)).ravel()

    with_centre = compare(numpy.ones(n, bool))
    order = numpy.lexsort((places, -with_centre, owners))
    ranks = numpy.empty(n)
    ranks[order] = places
    words = [sentence.split() for sentence in corpus.sentences]
    counts = numpy.array([max(1, len(each)) for each in words], float)
    content = numpy.asarray(terms.sum(axis=1)).ravel()
    weight = numpy.asarray(weighted.sum(axis=1)).ravel()
    means = numpy.add.reduceat(counts, starts[:-1]) / lengths
    columns = [
        numpy.log1p(places),
        1 / (1 + places),
        places / lengths[owners],
        places < 3,
        numpy.log(lengths)[owners],
        numpy.log(counts),
        counts / means[owners],
        with_centre,
        compare(places == 0),
        compare(places < 3),
        ranks / lengths[owners],
        weight / numpy.maximum(1, content),
        1 - content / counts,
        [sum(any(map(str.isdigit, word)) for word in each) for each in words],
        [not _QUOTES.isdisjoint(sentence) for sentence in corpus.sentences],
        ["?" in sentence for sentence in corpus.sentences],
        [not _PERSONS.isdisjoint(each) for each in words],
        [bool(each) and each[0] in _PRONOUNS for each in words],
    ]
    return numpy.column_stack([numpy.asarray(column, float) for column in columns])


# Training, and what a model selects


def weigh_examples(soft: Any) -> tuple[Any, Any, Any]:
    """Rows, classes and weights: a share p is one example of class 1 that weighs p, one of 0 that
    weighs 1 - p, so that the loss is the cross-entropy with the share."""
    soft = numpy.asarray(soft, float)
    positive, negative = numpy.flatnonzero(soft > 0), numpy.flatnonzero(soft < 1)
    rows = numpy.concatenate([positive, negative])
    classes = numpy.concatenate([numpy.ones(len(positive), int), numpy.zeros(len(negative), int)])
    return rows, classes, numpy.concatenate([soft[positive], 1 - soft[negative]])


def make_model(name: str, seed: int) -> Any:
    """A classifier that is not trained yet."""
    from sklearn.ensemble import HistGradientBoostingClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    if name == "logistic":
        return make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))
    return HistGradientBoostingClassifier(
        max_iter=60,
        max_leaf_nodes=15,
        max_bins=63,
        l2_regularization=1.0,
        early_stopping=False,
        random_state=seed,
    )


def select_best(scores: Any, count: int = MAX_SENTENCES) -> tuple[int, ...]:
    """The sentences with the highest scores, the earlier of equals, in document order."""
    return tuple(sorted(numpy.argsort(-numpy.asarray(scores), kind="stable")[:count].tolist()))


def train_and_select(
    name: str, features: Any, soft: Any, starts: Any, training: Any, test: Any, seed: int
) -> list[tuple[int, ...]]:
    """Train one model in one thread; what it selects of each test article."""
    from threadpoolctl import threadpool_limits

    taken = numpy.concatenate([numpy.arange(starts[k], starts[k + 1]) for k in training])
    rows, classes, weights = weigh_examples(soft[taken])
    model = make_model(name, seed)
    last = f"{model.steps[-1][0]}__" if hasattr(model, "steps") else ""
    places = [numpy.arange(starts[k], starts[k + 1]) for k in test]
    with threadpool_limits(1):  # models are trained side by side
        model.fit(features[taken][rows], classes, **{f"{last}sample_weight": weights})
        scores = model.predict_proba(features[numpy.concatenate(places)])[:, 1]
    ends = numpy.cumsum([len(each) for each in places])[:-1]
    return [select_best(each) for each in numpy.split(scores, ends)]


# Statistics


@dataclass(frozen=True, kw_only=True)
class Resampled:
    """A mean difference, its 95% interval, and a two-sided p that it is none."""

    value: float
    low: float
    high: float
    p: float


def bootstrap_articles(
    differences: Any, tested: Any, *, resamples: int = RESAMPLES, seed: int = 0
) -> list[Resampled]:
    """The mean of each of many paired differences, by drawing articles anew.

    `differences` has an axis of questions, one of seeds and one of articles; `tested` (seeds by
    articles) says whether an article was tested with a seed. An article that several seeds test is
    drawn with all its differences, since they are no independent findings; a resample's value is
    the mean over seeds of the mean over their test articles. All questions share their resamples.
    """
    known = numpy.where(tested, differences, 0.0)
    n_questions, n_seeds, n = known.shape
    values = (known.sum(axis=2) / tested.sum(axis=1)).mean(axis=1)
    columns = known.reshape(n_questions * n_seeds, n).T
    generator = numpy.random.default_rng(seed)
    parts = []
    for done in range(0, resamples, 1000):
        size = min(1000, resamples - done)
        drawn = generator.integers(0, n, size=(size, n)) + n * numpy.arange(size)[:, None]
        weights = numpy.bincount(drawn.ravel(), minlength=size * n).reshape(size, n).astype(float)
        sums = (weights @ columns).reshape(size, n_questions, n_seeds)
        with numpy.errstate(invalid="ignore"):  # a seed of which no article was drawn
            by_seed = sums / (weights @ tested.T.astype(float))[:, None]
        parts.append(mean_known(by_seed, 2))
    means = numpy.concatenate(parts).T
    return [
        Resampled(value=float(value), low=low, high=high, p=_find_p(row))
        for value, row, (low, high) in zip(values, means, percentile_intervals(means), strict=True)
    ]


def _find_p(means: Any) -> float:
    """Twice the share of resamples on the other side of 0; never 0 itself."""
    tail = min(int((means <= 0).sum()), int((means >= 0).sum()))
    return min(1.0, 2 * (tail + 1) / (len(means) + 1))


def correct_overlap(by_seed: Sequence[float], training: int, test: int) -> tuple[float, float]:
    """The 95% interval of Nadeau and Bengio (2003) for splits that share training articles.

    Seeds train on overlapping data, so the plain standard error of their mean is too small; theirs
    adds the ratio of test to training articles to one over the number of seeds.
    """
    from scipy.stats import t

    values = numpy.asarray(by_seed, float)
    spread = math.sqrt((1 / len(values) + test / training) * float(values.var(ddof=1)))
    reach = float(t.ppf(0.975, len(values) - 1)) * spread
    return float(values.mean()) - reach, float(values.mean()) + reach


# The run


def run(folder: Path, progress: Progress) -> None:
    """Measure, write the CSV files, draw; nothing if all is there under the same signature."""
    path = Path(os.environ.get("ORACLESUM_SHARED", ROOT.parent / "shared"), "data", CORPUS)
    content = path.read_bytes()
    settings = [_VERSION, OBJECTIVE, MAX_SENTENCES, SEEDS, TEST_SHARE, SIZES, RESAMPLES]
    settings += [list(LABELS), list(MODELS), FEATURES, oraclesum.Rouge(OBJECTIVE).signature]
    signature = hashlib.sha256(content + json.dumps(settings).encode()).hexdigest()[:16]
    files = [folder / name for name in (_RESULTS, _DIFFERENCES, _LABELS)]
    if is_current(folder, "training", signature, files):
        progress("training: there already")
    else:
        folder.mkdir(parents=True, exist_ok=True)
        articles = [json.loads(line) for line in gzip.decompress(content).splitlines()]
        measure(make_corpus(articles), folder, Done(SCRATCH, signature), progress)
        sign(folder, "training", signature, ["scikit-learn"])
    draw(folder)


class Done:
    """What an interrupted run has done already, as lines of JSON in a scratch folder."""

    def __init__(self, scratch: Path, signature: str) -> None:
        self._scratch = scratch
        self._signature = signature

    def read(self, kind: str) -> list[Any]:
        """What is there; a line that was being written when the run was stopped is cut off."""
        path = self._find(kind)
        if not path.exists():
            return []
        content = path.read_bytes()
        whole = content[: content.rfind(b"\n") + 1]
        if whole != content:
            path.write_bytes(whole)
        return [json.loads(line) for line in whole.splitlines()]

    def add(self, kind: str, items: Iterable[Any]) -> None:
        """One line for each; `read` comes first."""
        path = self._find(kind)
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a") as file:
            file.writelines(json.dumps(item) + "\n" for item in items)

    def _find(self, kind: str) -> Path:
        return self._scratch / f"training-{self._signature}-{kind}.jsonl"


Task = tuple[int, int, str, str]  # seed, articles, model, labels


def measure(
    corpus: Corpus,
    folder: Path,
    done: Done,
    progress: Progress,
    *,
    seeds: Sequence[int] = SEEDS,
    sizes: Sequence[int] = SIZES,
    jobs: int = 2,
) -> None:
    """Everything that the CSV files say."""
    from joblib import Parallel, delayed

    articles = corpus.articles
    parallel = Parallel(n_jobs=jobs, return_as="generator")
    labelled: list[dict[str, tuple[float, ...]]] = done.read("labels")
    batches = [articles[k : k + 100] for k in range(len(labelled), len(articles), 100)]
    for found in parallel(delayed(_label_batch)(batch) for batch in batches):
        done.add("labels", found)
        labelled += found
        progress(f"training: labels of {len(labelled):,} of {len(articles):,} articles")
    labels = {
        name: numpy.array([share for found in labelled for share in found[name]]) for name in LABELS
    }
    terms = count_terms(corpus.sentences)
    splits = {seed: split_articles(len(articles), seed) for seed in seeds}
    tasks = [
        (seed, size, model, label)
        for seed in seeds
        for size in sizes
        for model in MODELS
        for label in LABELS
    ]
    selected: dict[Task, list[tuple[int, ...]]] = {
        tuple(task): list(map(tuple, chosen)) for task, chosen in done.read("selected")
    }
    missing = [task for task in tasks if task not in selected]
    features = {
        seed: make_features(corpus, terms, splits[seed][0])
        for seed in dict.fromkeys(seed for seed, *_ in missing)
    }
    outcomes = parallel(
        delayed(train_and_select)(
            model,
            features[seed],
            labels[label],
            corpus.starts,
            splits[seed][0][:size],
            splits[seed][1],
            seed,
        )
        for seed, size, model, label in missing
    )
    for task, outcome in zip(missing, outcomes, strict=True):
        done.add("selected", [[task, outcome]])
        selected[task] = outcome
        if len(selected) % 20 == 0 or len(selected) == len(tasks):
            progress(f"training: {len(selected)} of {len(tasks)} models")
    scorer = _Scorer(articles)
    _write_labels(folder / _LABELS, corpus, labels, scorer)
    tables = {
        task: scorer.score_all(splits[task[0]][1], chosen) for task, chosen in selected.items()
    }
    for seed, (_, test) in splits.items():
        own = {
            "lead-3": labels["lead"],
            "greedy-oracle": labels["greedy"],
            "oracle": labels["optimum"],
        }
        for name, shares in own.items():
            chosen = [_take(shares, corpus.starts, k) for k in test]
            tables[seed, max(sizes), "", name] = scorer.score_all(test, chosen)
    progress("training: tests")
    _write_results(folder / _RESULTS, tables)
    _write_differences(folder / _DIFFERENCES, tables, splits, max(sizes), len(articles))


def _label_batch(batch: Sequence[Mapping[str, Any]]) -> list[dict[str, tuple[float, ...]]]:
    return [label_article(article) for article in batch]


def _take(shares: Any, starts: Any, k: int) -> tuple[int, ...]:
    return tuple(numpy.flatnonzero(shares[starts[k] : starts[k + 1]] == 1).tolist())


class _Scorer:
    """F1 by rouge_score's rules and words of sets of sentences; each set is scored once."""

    def __init__(self, articles: Sequence[Mapping[str, Any]]) -> None:
        self._articles = articles
        self._scorers: dict[int, PrintedScorer] = {}
        self._known: dict[tuple[int, tuple[int, ...]], tuple[float, ...]] = {}

    def score(self, k: int, chosen: tuple[int, ...]) -> tuple[float, ...]:
        if (k, chosen) not in self._known:
            article = self._articles[k]
            if k not in self._scorers:
                self._scorers[k] = PrintedScorer(article["sentences"], article["references"])
            scores = self._scorers[k].score(chosen)
            words = sum(len(article["sentences"][i].split()) for i in chosen)
            f1 = [scores[statistic].f1 for statistic in STATISTICS]
            self._known[k, chosen] = (*f1, words)
        return self._known[k, chosen]

    def score_all(self, numbers: Iterable[int], chosen: Iterable[tuple[int, ...]]) -> Any:
        """A row per article: F1 of each statistic, and words."""
        return numpy.array([self.score(k, one) for k, one in zip(numbers, chosen, strict=True)])


def _write_labels(path: Path, corpus: Corpus, labels: Mapping[str, Any], scorer: _Scorer) -> None:
    """What the kinds of labels are like: size, place, likeness to the optimum, own scores."""
    places = numpy.arange(len(corpus.sentences)) - corpus.starts[corpus.owners]
    best = labels["optimum"]
    rows = []
    for name, shares in labels.items():
        hard = bool(((shares == 0) | (shares == 1)).all())
        row: dict[str, Any] = {
            "labels": name,
            "mass": shares.sum() / len(corpus.articles),
            "sentences": (shares > 0).sum() / len(corpus.articles),
            "first_three": shares[places < 3].sum() / shares.sum(),
            # Of soft labels: what a sentence drawn by its label has in common with the optimum.
            "shared_with_optimum": (shares * best).sum() / shares.sum(),
        }
        if hard:
            every = range(len(corpus.articles))
            sets = [_take(shares, corpus.starts, k) for k in every]
            scores = scorer.score_all(every, sets).mean(axis=0)
            row |= dict(zip((*STATISTICS, "words"), scores.tolist(), strict=True))
            same = [
                one == _take(best, corpus.starts, k) for k, one in zip(every, sets, strict=True)
            ]
            row["same_as_optimum"] = sum(same) / len(same)
        rows.append(row)
    heads = ("labels", "mass", "sentences", "first_three", "shared_with_optimum")
    write_rows(path, (*heads, "same_as_optimum", *STATISTICS, "words"), rows)


def _write_results(path: Path, tables: Mapping[tuple[int, int, str, str], Any]) -> None:
    rows = []
    for (seed, size, model, labels), table in tables.items():
        means = table.mean(axis=0).tolist()
        rows.append(
            {
                "model": model,
                "labels": labels,
                "articles": size if model else "",
                "seed": seed,
                **dict(zip((*STATISTICS, "words"), means, strict=True)),
                "mean": sum(means[: len(STATISTICS)]) / len(STATISTICS),
            }
        )
    write_rows(path, ("model", "labels", "articles", "seed", *STATISTICS, "mean", "words"), rows)


def _write_differences(
    path: Path,
    tables: Mapping[tuple[int, int, str, str], Any],
    splits: Mapping[int, tuple[Any, Any]],
    size: int,
    n_articles: int,
) -> None:
    """Each kind of labels against greedy's, and the models against the lead, at full size."""
    seeds = list(splits)
    tested = numpy.zeros((len(seeds), n_articles), bool)
    for row, seed in enumerate(seeds):
        tested[row, splits[seed][1]] = True
    training, test = size, len(splits[seeds[0]][1])
    asked = [(model, name, model, BASE) for model in MODELS for name in LABELS if name != BASE]
    asked += [(model, name, "", "lead-3") for model in MODELS for name in LABELS]
    questions: list[tuple[str, str, str, str]] = []
    matrices = []
    for first_model, first, second_model, second in asked:
        changes = numpy.zeros((1 + len(STATISTICS), *tested.shape))
        for row, seed in enumerate(seeds):
            change = (
                tables[seed, size, first_model, first] - tables[seed, size, second_model, second]
            )
            scores = change[:, : len(STATISTICS)].T
            changes[:, row, splits[seed][1]] = [scores.mean(axis=0), *scores]
        for statistic, matrix in zip(("mean", *STATISTICS), changes, strict=True):
            questions.append((first_model, first, second, statistic))
            matrices.append(matrix)
    rows: list[dict[str, Any]] = []
    outcomes = bootstrap_articles(numpy.array(matrices), tested)
    for question, matrix, outcome in zip(questions, matrices, outcomes, strict=True):
        by_seed = (matrix.sum(axis=1) / tested.sum(axis=1)).tolist()
        split_low, split_high = correct_overlap(by_seed, training, test)
        known = matrix[tested]
        rows.append(
            {
                **dict(zip(("model", "first", "second", "statistic"), question, strict=True)),
                "difference": outcome.value,
                "low": outcome.low,
                "high": outcome.high,
                "p": outcome.p,
                "split_low": split_low,
                "split_high": split_high,
                "seeds_above": sum(each > 0 for each in by_seed),
                # Standardised: in standard deviations of the difference on one article.
                "effect": outcome.value / float(known.std(ddof=1)) if known.any() else 0.0,
                "articles_changed": float((known != 0).mean()),
            }
        )
    # The hypotheses: both models, every kind of labels against greedy's, by the mean of all three.
    main = [row for row in rows if row["statistic"] == "mean" and row["second"] == BASE]
    for row, holm in zip(main, correct_holm([row["p"] for row in main]), strict=True):
        row["p_holm"] = holm
    write_rows(path, (*[name for name in rows[0] if name != "p_holm"], "p_holm"), rows)


# The page


def draw(folder: Path) -> None:
    """Learning curves, and the differences from greedy's labels with their intervals."""
    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot

    colours = dict(zip(LABELS, (*COLOURS, "#000000"), strict=True))
    results = _average(folder)
    figure, panels = pyplot.subplots(1, 2, figsize=(9.5, 4), sharey=True, layout="constrained")
    for axes, model in zip(panels, MODELS, strict=True):
        sizes = sorted({size for kind, _, size in results if kind == model})
        for name in LABELS:
            if name == "lead":
                continue
            means = [results[model, name, size]["mean"] for size in sizes]
            axes.plot(sizes, means, "o-", markersize=3, color=colours[name], label=LABELS[name])
        lead = results["", "lead-3", 0]["mean"]
        axes.axhline(lead, color="black", linestyle="--", linewidth=0.8, label="lead-3")
        axes.set_xscale("log")
        axes.set_xticks(sizes, [f"{size:,}" for size in sizes])
        axes.minorticks_off()
        axes.set_xlabel("training articles")
        axes.set_title(MODELS[model], fontsize=10)
    panels[0].set_ylabel("mean of R1, R2 and RLsum F1, held-out articles")
    handles, names = panels[0].get_legend_handles_labels()
    figure.legend(handles, names, fontsize=7, loc="outside lower center", ncols=4)
    _finish(figure, panels, "training-curves")

    rows = _list_main(folder)
    figure, axes = pyplot.subplots(figsize=(7.5, 3.6), layout="constrained")
    names = [name for name in LABELS if name != BASE]
    for row in rows:
        shift = 0.15 * (1 if row["model"] == "trees" else -1)
        place, colour = names.index(row["first"]) + shift, COLOURS[list(MODELS).index(row["model"])]
        bounds = [100 * float(row["low"]), 100 * float(row["high"])]
        axes.plot(bounds, [place, place], color=colour)
        axes.plot(100 * float(row["difference"]), place, "o", color=colour, markersize=4)
    for colour, name in zip(COLOURS, MODELS.values(), strict=False):
        axes.plot([], [], "o-", color=colour, markersize=4, label=name)
    axes.axvline(0, color="black", linewidth=0.6)
    axes.set_yticks(range(len(names)), [LABELS[name] for name in names])
    axes.tick_params(axis="y", labelsize=8)
    axes.invert_yaxis()
    axes.set_xlabel("points of mean F1 against greedy's labels, 95% over articles")
    axes.legend(fontsize=7)
    _finish(figure, [axes], "training-differences")


def _finish(figure: Any, panels: Iterable[Any], name: str) -> None:
    from matplotlib import pyplot

    for axes in panels:
        axes.grid(alpha=0.3, linewidth=0.5)
        axes.spines[["top", "right"]].set_visible(False)
    save_figure(figure, name)
    pyplot.close(figure)


def describe(folder: Path) -> dict[str, str]:
    """The blocks of the page, from the CSV files."""
    return {
        "training-labels": _tabulate_labels(folder),
        "training": _tabulate_results(folder),
        "training-follows": _conclude(folder),
    }


def _tabulate_labels(folder: Path) -> str:
    return write_table(
        (
            "labels",
            "labels add up to",
            "sentences with a label",
            "of the first three",
            "in the optimum",
            "R1",
            "R2",
            "RLsum",
        ),
        [
            (
                LABELS[row["labels"]],
                f"{float(row['mass']):.2f}",
                f"{float(row['sentences']):.2f}",
                f"{float(row['first_three']):.0%}",
                f"{float(row['shared_with_optimum']):.0%}",
                *(_show(row[name]) if row[name] else "" for name in STATISTICS),
            )
            for row in read_rows(folder / _LABELS)
        ],
    )


def _tabulate_results(folder: Path) -> str:
    results = _average(folder)
    differences = {(row["model"], row["first"]): row for row in _list_main(folder)}
    largest = max(size for _, _, size in results)
    heads = (
        "labels",
        "R1",
        "R2",
        "RLsum",
        "mean",
        "against greedy",
        "95%",
        "Holm",
        "seeds",
        "effect",
    )

    def show_scores(model: str, name: str, size: int) -> tuple[str, ...]:
        means = results[model, name, size]
        return tuple(_show(means[statistic]) for statistic in (*STATISTICS, "mean"))

    parts = []
    for model, shown in MODELS.items():
        rows = []
        for name, words in LABELS.items():
            row = differences.get((model, name))
            against = _show_difference(row) if row else ("", "", "", "", "")
            rows.append((words, *show_scores(model, name, largest), *against))
        parts.append(f"{shown.capitalize()}:\n\n{write_table(heads, rows)}")
    rows = [(words, *show_scores("", name, 0)) for name, words in REFERENCES.items()]
    parts.append(f"Without a model:\n\n{write_table(('summary', *heads[1:5]), rows)}")
    return "\n\n".join(parts)


def _show_difference(row: Mapping[str, str]) -> tuple[str, ...]:
    points = [f"{100 * float(row[name]):+.2f}" for name in ("difference", "low", "high")]
    holm = float(row["p_holm"])
    return (
        points[0],
        f"{points[1]}&nbsp;{points[2]}",
        "< .001" if holm < 0.001 else _show(holm),
        f"{row['seeds_above']}&nbsp;of&nbsp;{len(SEEDS)}",
        f"{float(row['effect']):+.3f}",
    )


def _conclude(folder: Path) -> str:
    """The sentences with figures: what differs from greedy's labels, and what could be seen."""
    rows = _list_main(folder)
    lines = []
    for model, shown in MODELS.items():
        own = [row for row in rows if row["model"] == model]
        apart = [row for row in own if float(row["p_holm"]) < 0.05]
        better = [LABELS[row["first"]] for row in apart if float(row["difference"]) > 0]
        worse = [LABELS[row["first"]] for row in apart if float(row["difference"]) < 0]
        optimum = next(row for row in own if row["first"] == "optimum")
        change, reach, split = (
            100 * value
            for value in (
                float(optimum["difference"]),
                (float(optimum["high"]) - float(optimum["low"])) / 2,
                (float(optimum["split_high"]) - float(optimum["split_low"])) / 2,
            )
        )
        lines += [
            f"- {shown.capitalize()}: labels of the optimum change the mean F1 by {change:+.2f}",
            f"  points against greedy's (95% interval over articles ± {reach:.2f}; over splits, by",
            f"  Nadeau and Bengio, ± {split:.2f}). After Holm's correction better than greedy's:",
            f"  {', '.join(better) or 'none'}; worse: {', '.join(worse) or 'none'}.",
        ]
    results = _average(folder)
    largest = max(size for _, _, size in results)
    lead = results["", "lead-3", 0]["mean"]
    room = results["", "oracle", 0]["mean"] - lead
    trained = [
        results[model, name, largest]["mean"]
        for model in MODELS
        for name in LABELS
        if name != "lead"
    ]
    recall = [
        results[model, "recall", size]["mean"] - results[model, BASE, size]["mean"]
        for model in MODELS
        for size in SIZES
    ]
    lines += [
        "- Labels of the recall oracle are ahead of greedy's in "
        f"{sum(each > 0 for each in recall)} of {len(recall)} points of the",
        "  learning curves (both models, all sizes).",
        f"- All trained models lie between {100 * (min(trained) - lead):+.2f} and "
        f"{100 * (max(trained) - lead):+.2f} points of lead-3, and the oracle is",
        f"  {100 * room:.1f} points above it: what the labels change is at most "
        f"{(max(trained) - min(trained)) / room:.0%} of the room that an extract has.",
    ]
    return "\n".join(lines)


def _average(folder: Path) -> dict[tuple[str, str, int], dict[str, float]]:
    """Means over seeds by model, labels and number of training articles (0 for no model)."""
    found: dict[tuple[str, str, int], list[Mapping[str, str]]] = {}
    for row in read_rows(folder / _RESULTS):
        key = row["model"], row["labels"], int(row["articles"] or 0)
        found.setdefault(key, []).append(row)
    return {
        key: {
            name: math.fsum(float(row[name]) for row in rows) / len(rows)
            for name in (*STATISTICS, "mean", "words")
        }
        for key, rows in found.items()
    }


def _list_main(folder: Path) -> list[dict[str, str]]:
    """The hypotheses: every kind of labels against greedy's, by the mean of all three."""
    return [
        row
        for row in read_rows(folder / _DIFFERENCES)
        if row["second"] == BASE and row["statistic"] == "mean"
    ]


def _show(value: float | str) -> str:
    return f"{float(value):.3f}".replace("0.", ".", 1)
