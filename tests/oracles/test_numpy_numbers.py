"""Whole numbers of numpy are taken wherever an int is; bools are not."""

from __future__ import annotations

import pytest

from oraclesum import Rouge, count_feasible, enumerate_oracles, find_oracle, label_sentences
from oraclesum.errors import InputError
from oraclesum.evaluation.alignment import align_summary

np = pytest.importorskip("numpy")

SENTENCES = ["The cat sat.", "Dogs bark at night.", "A cat sat on a warm mat."]
REFERENCES = ["A cat sat. Dogs bark."]


def test_limits_and_options_take_numpy_numbers() -> None:
    family = enumerate_oracles(
        SENTENCES,
        REFERENCES,
        rouge=Rouge(n=np.int32(1)),
        max_words=np.int64(8),
        max_sentences=np.uint8(2),
        time_limit=np.float32(60),
        max_list=np.int64(10),
        within_hits=np.int64(0),
        threads=np.int16(1),
        seed=np.int64(1),
    )
    plain = enumerate_oracles(
        SENTENCES, REFERENCES, rouge=Rouge(n=1), max_words=8, max_sentences=2, max_list=10
    )
    assert list(family) == list(plain)
    assert family.signature == plain.signature
    drawn = find_oracle(SENTENCES, REFERENCES, max_words=8, method="genetic", seed=np.int64(1))
    assert "|seed:1" in drawn.signature
    assert label_sentences(SENTENCES, REFERENCES, max_words=8, top=np.int64(3))
    assert count_feasible(np.array([1, 2, 3]), np.int64(3)) == count_feasible([1, 2, 3], 3)


def test_a_family_is_asked_with_numpy_indices() -> None:
    family = enumerate_oracles(SENTENCES, REFERENCES, rouge=Rouge(n=1), max_words=8)
    first = next(iter(family))
    assert first in family
    assert tuple(np.int64(i) for i in first) in family
    assert np.array(first) in family
    assert np.array([99]) not in family
    assert family.nearest(np.array(first)) == family.nearest(first)
    assert next(family.iterate(np.array(first))) == first
    assert family.pair_counts(np.int64(0)) == family.pair_counts(0)
    assert family.sample(np.int64(2), np.int64(5)) == family.sample(2, 5)
    assert align_summary(list(np.array([0, 2])), SENTENCES).indices == (0, 2)


@pytest.mark.parametrize("truth", [True, np.True_])
def test_truth_values_are_no_numbers(truth: object) -> None:
    family = enumerate_oracles(SENTENCES, REFERENCES, max_words=8)
    assert (truth,) not in family
    with pytest.raises(InputError, match="must be a whole number"):
        family.nearest([truth])  # type: ignore[list-item]
    with pytest.raises(InputError, match="max_words must be a whole number"):
        enumerate_oracles(SENTENCES, REFERENCES, max_words=truth)  # type: ignore[arg-type]
