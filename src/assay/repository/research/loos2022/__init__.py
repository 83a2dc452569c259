"""The scores of M. J. Loos, Classification of Machine Learning Reproducibility Factors (2022), for comparability.

The indicators are measured by our readers, the formulas, weights and thresholds are those of the thesis's tables.
"""

from assay.repository.research.loos2022.factors import factors_of
from assay.repository.research.loos2022.feedback import feedback
from assay.repository.research.loos2022.indicators import Indicators
from assay.repository.research.loos2022.measurement import Asked, indicators_of
from assay.repository.research.loos2022.ratings import Rating, pylint_rating
from assay.repository.research.loos2022.scale import LOOS2022, Factor, Scale, Span, Weights
from assay.repository.research.loos2022.scores import FactorScore, Part, score, worst_scores

__all__ = [
    "LOOS2022", "Asked", "Factor", "FactorScore", "Indicators", "Part", "Rating", "Scale", "Span", "Weights",
    "factors_of", "feedback", "indicators_of", "pylint_rating", "score", "worst_scores",
]  # fmt: skip
