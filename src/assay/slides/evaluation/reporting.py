"""An evaluation as a report: a table for each set, with the denominator of every number."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from assay.findings import Report, Table, Value
from assay.slides.evaluation.evaluating import Evaluation, Measured, SetEvaluation
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


def report_of(evaluation: Evaluation, command: str = "") -> Report:
    """The report about a predictions folder."""
    return Report(
        f"Slide predictions in {evaluation.folder}",
        "How good are they, measured over what?",
        tables=tuple(table for one in evaluation.sets for table in _tables(one, evaluation)),
        left_out=tuple(_left_out(evaluation)),
        command=command,
    )


def _tables(one: SetEvaluation, evaluation: Evaluation) -> Iterator[Table]:
    how = evaluation.conventions
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


def _rows(measured: Sequence[Measured]) -> tuple[tuple[Value, ...], ...]:
    return tuple(
        (LABELS.get(one.name, one.name), _short(one.value), _short(one.low), _short(one.high), one.over)
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
