"""Stage: oracles to labels that training code reads."""

from .dataset import label_dataset
from .label import DEFAULT_OBJECTIVE, Labels, label_every_oracle, label_sentences
from .settings import CHOICES, LabelSettings
from .shapes import SHAPES, shape_example

__all__ = [
    "CHOICES",
    "DEFAULT_OBJECTIVE",
    "SHAPES",
    "LabelSettings",
    "Labels",
    "label_dataset",
    "label_every_oracle",
    "label_sentences",
    "shape_example",
]
