"""An evaluation as a report: a table for each set, with the denominator of every number."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from assay.findings import Figure, Report, Table, Value
from assay.slides.evaluation.curve_pictures import curve_figures
from assay.slides.evaluation.evaluation import Evaluation, Measured, SetEvaluation
from assay.slides.evaluation.predictions import STAGES

FEW_PATIENTS = 20
"""With fewer, an interval from resampled patients is a rough guide."""
LABELS = {
    "patch_accuracy": "patch accuracy",
    "patch_recall": "patch recall",
    "patch_specificity": "patch specificity",
    "patch_precision": "patch precision",
    "patch_pr_auc": "patch PR-AUC",
    "slide_auc": "slide AUC",
    "slide_accuracy": "slide accuracy",
    "slide_recall": "slide recall",
    "slide_specificity": "slide specificity",
    "slide_precision": "slide precision",
    "slide_class_accuracy": "slide accuracy, four classes",
    "froc": "FROC",
    "kappa": "patient kappa",
}
TASK_LABELS = {
    "auc": "AUC",
    "f1": "F1",
    "recall": "recall (sensitivity)",
    "balanced_accuracy": "balanced accuracy",
    "macro_f1": "macro F1",
    "kappa": "kappa, unweighted",
    "quadratic_kappa": "kappa, quadratic",
    "within_one_grade": "within one grade",
    "mean_grade_error": "mean error in grades",
    "brier": "Brier score",
    "calibration_error": "calibration error, 10 bins",
    "dice_per_image": "Dice, mean over images",
    "iou_per_image": "IoU, mean over images",
    "dice_pooled": "Dice, all pixels pooled",
    "iou_pooled": "IoU, all pixels pooled",
}
"""Names of the measures of `assay slides evaluate --task`."""


def report_of(
    evaluation: Evaluation, command: str = "", pictures: Sequence[Figure] = (), *, figures: bool = False
) -> Report:
    """The report about a predictions folder; with `figures`, curves are drawn before the pictures of slides."""
    return Report(
        f"Slide predictions in {evaluation.folder}",
        "How good are they, measured over what?",
        tables=tuple(table for one in evaluation.sets for table in _tables(one, evaluation)),
        figures=(*(curve_figures(evaluation) if figures else ()), *pictures),
        left_out=tuple(_left_out(evaluation)),
        command=command,
    )


def _tables(one: SetEvaluation, evaluation: Evaluation) -> Iterator[Table]:
    how = evaluation.conventions
    if evaluation.task != "camelyon":
        title = f"Set {one.name}: {one.patients} patients, task {evaluation.task}"
        rows = _rows(one.measured, TASK_LABELS)
        yield Table(title, ("measure", "value", "95 % from", "to", "over"), rows)
        return
    title = f"Set {one.name}: {one.patients} patients; a score of {evaluation.threshold:g} or more calls tumour"
    yield Table(title, ("measure", "value", "95 % from", "to", "over"), _rows(one.measured))
    if one.operating_points:
        yield Table(
            f"Set {one.name}: sensitivity at false positives per slide",
            ("false positives per slide", "sensitivity", "95 % from", "to"),
            tuple(row[:-1] for row in _rows(one.operating_points)),
        )
    if one.confusion:
        yield Table(
            f"Set {one.name}: patients by stage (rows) and predicted stage",
            ("stage", *STAGES),
            tuple((stage, *row) for stage, row in zip(STAGES, one.confusion, strict=True)),
        )
    if one.conventions:
        title = f"Set {one.name}: the same predictions by other conventions of reporting"
        yield Table(title, ("measure", "value", "95 % from", "to", "over"), _rows(one.conventions))
    chosen = f"{how.kappa_order} order, {how.kappa_weights} weights; FROC over {how.froc_slides} slides"
    if chosen != "clinical order, quadratic weights; FROC over all slides":
        yield Table(f"Set {one.name}: not the official rules", ("convention",), ((chosen,),))


def _rows(measured: Sequence[Measured], labels: Mapping[str, str] = LABELS) -> tuple[tuple[Value, ...], ...]:
    return tuple(
        (labels.get(one.name, one.name), _short(one.value), _short(one.low), _short(one.high), one.over)
        for one in measured
    )


def _short(value: float | None) -> float | None:
    return None if value is None else round(value, 3)


def _left_out(evaluation: Evaluation) -> Iterator[str]:
    for one in evaluation.sets:
        yield from one.notes
        if evaluation.resamples and one.patients < FEW_PATIENTS:
            yield f"{one.name}: intervals from {one.patients} resampled patients are a rough guide"
    if not evaluation.resamples:
        yield "intervals were not asked for"
