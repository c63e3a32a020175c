"""Stage: oracles to labels that training code reads."""

from .label import Labels, label_sentences
from .settings import CHOICES, LabelSettings
from .shapes import SHAPES, shape_example

__all__ = [
    "CHOICES",
    "SHAPES",
    "LabelSettings",
    "Labels",
    "label_sentences",
    "shape_example",
]
