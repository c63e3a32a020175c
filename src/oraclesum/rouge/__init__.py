"""Stage: tokens to ROUGE-n counts."""

from .rouge import Rouge, check_rouge
from .score import Printed, RougeScore, score, score_summaries
from .texts import check_references, check_sentences, warn_no_tokens

__all__ = [
    "Printed",
    "Rouge",
    "RougeScore",
    "check_references",
    "check_rouge",
    "check_sentences",
    "score",
    "score_summaries",
    "warn_no_tokens",
]
