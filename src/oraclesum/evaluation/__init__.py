"""Stage: oracles and system summaries to scores."""

from .alignment import Alignment, align_summary
from .correlation import Correlation, correlate_measures
from .draws import DrawnOverlap
from .judged import Judged, gather_scores
from .overlap import Overlap, evaluate
from .panel import Summary, derive_seed, prepare_summaries, score_panel
from .significance import Difference, compare_measures
from .summary import SummaryScore

__all__ = [
    "Alignment",
    "Correlation",
    "Difference",
    "DrawnOverlap",
    "Judged",
    "Overlap",
    "Summary",
    "SummaryScore",
    "align_summary",
    "compare_measures",
    "correlate_measures",
    "derive_seed",
    "evaluate",
    "gather_scores",
    "prepare_summaries",
    "score_panel",
]
