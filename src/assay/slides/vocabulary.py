"""The closed sets of words of the field: sets, classes of slides, stages of patients."""

from __future__ import annotations

from collections.abc import Iterable

SETS = ("train", "validation", "test")
CLASSES = ("negative", "itc", "micro", "macro")
"""Classes of a slide by its largest lesion: none, isolated tumour cells, micro- and macrometastasis."""
STAGES = ("pN0", "pN0(i+)", "pN1mi", "pN1", "pN2")
"""In clinical order."""
ITC_MM, MICRO_MM = 0.2, 2.0
"""A cluster up to the first length is isolated cells, up to the second a micrometastasis, else a macrometastasis."""


def stage_of(classes: Iterable[str]) -> str:
    """The stage of a patient from the classes of the slides, by the simplified rules of Camelyon17."""
    present = list(classes)
    metastases = sum(c in {"micro", "macro"} for c in present)
    if "macro" in present:
        return "pN2" if metastases > 3 else "pN1"
    if "micro" in present:
        return "pN1mi"
    return "pN0(i+)" if "itc" in present else "pN0"


def class_of_length(millimetres: float) -> str:
    """The class of a slide whose largest lesion has this length."""
    if millimetres <= 0:
        return "negative"
    if millimetres <= ITC_MM:
        return "itc"
    return "micro" if millimetres <= MICRO_MM else "macro"
