"""The comparison room tells how sure a score is, and whether one model is really better than another.

>>> from assay.comparison import compare_models
>>> y = [1, 1, 1, 0, 0, 0, 0]
>>> found = compare_models(y, {"new": [9, 8, 3, 4, 2, 1, 5], "old": [8, 4, 7, 5, 1, 3, 2]}, resamples=0)
>>> round(found.estimate("new", "auc").value, 3)
0.833
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from assay.comparison.display import DisplayedComparison

__all__ = ["compare_fold_scores", "compare_models"]


def compare_models(
    y: Any,
    scores: Mapping[str, Any],
    *,
    groups: Any = None,
    times: Any = None,
    positive: Any = None,
    last_outcome: bool = False,
    **settings: Any,
) -> DisplayedComparison:
    """Compare models on one test set: their scores with intervals, and tests for every pair.

    `y` and each of `scores` are columns (lists, arrays, series) of the same rows. Further words are those of
    `assay.comparison.results.Settings`: ``claim``, ``one_sided``, ``resamples``, ``seed``, ``measures``, …
    """
    from assay.comparison.analysis import compare
    from assay.comparison.display import displayed
    from assay.comparison.predictions import predictions_of
    from assay.comparison.results import Settings

    predictions = predictions_of(y, scores, groups=groups, times=times, positive=positive, last_outcome=last_outcome)
    return displayed(compare(predictions, Settings(**settings)))


def compare_fold_scores(
    scores: Mapping[str, Any], *, repeats: int = 1, test_share: float | None = None, **settings: Any
) -> DisplayedComparison:
    """Compare models by their scores in the folds of a cross-validation, in the order of the repeats.

    >>> compare_fold_scores({"new": [0.81, 0.84, 0.80], "old": [0.79, 0.80, 0.80]}).decisive()[0].p > 0.05
    True
    """
    import numpy as np

    from assay.comparison.display import displayed
    from assay.comparison.folds import FoldScores, compare_folds
    from assay.comparison.measures import Kind, Measure
    from assay.comparison.results import Settings
    from assay.errors import InputError

    try:
        values = np.stack([np.asarray(column, dtype=np.float64) for column in scores.values()], axis=-1)
        table = values.reshape(repeats, -1, len(scores))
    except (TypeError, ValueError, ZeroDivisionError):
        raise InputError("the fold scores are no table", fix="Give as many numbers for each model.") from None
    share = 1 / table.shape[1] if test_share is None else test_share
    measure = Measure("score", "score", Kind.RANKING)
    return displayed(compare_folds(FoldScores(tuple(scores), table, measure, share), Settings(**settings)))
