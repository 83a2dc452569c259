"""Patch, slide, lesion and patient measures of a predictions folder, usable without any slide reader."""

from assay.slides.evaluation.evaluating import Evaluation, Measured, SetEvaluation, evaluate
from assay.slides.evaluation.measures import Conventions
from assay.slides.evaluation.reporting import report_of

__all__ = ["Conventions", "Evaluation", "Measured", "SetEvaluation", "evaluate", "report_of"]
