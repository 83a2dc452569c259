"""Pictures of score checks: the feasible region of one confusion matrix, and the folds of a witness."""

from assay.scores.plots.folds import folds_figure
from assay.scores.plots.plain import plain_region_figure
from assay.scores.plots.region import region_figure

__all__ = ["folds_figure", "plain_region_figure", "region_figure"]
