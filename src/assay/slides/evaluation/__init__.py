"""Patch, slide, lesion and patient measures of a predictions folder, usable without any slide reader."""

from assay.slides.evaluation.cases import Task
from assay.slides.evaluation.evaluation import Evaluation, Measured, SetEvaluation, evaluate
from assay.slides.evaluation.measures import Conventions
from assay.slides.evaluation.report import report_of
from assay.slides.evaluation.tasks import Settings, evaluate_task

__all__ = [
    "Conventions",
    "Evaluation",
    "Measured",
    "SetEvaluation",
    "Settings",
    "Task",
    "evaluate",
    "evaluate_task",
    "report_of",
]
