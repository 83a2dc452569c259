"""LX9: the test part is prepared by its own statistics, and not by what the training rows taught."""

from __future__ import annotations

from assay.leakage.code.checks.inner_rows import UNSCORED
from assay.leakage.code.learnt.kinds import ROWS_CHANGED
from assay.leakage.code.state.events import Evaluation
from assay.leakage.code.state.rows import held_out, meet, within
from assay.leakage.code.state.values import Fit, Kind, Mark

CODE = "LX9"
ADVICE = "Prepare the test part by what the training rows taught:\n"


def learnt_by_itself(evaluation: Evaluation, fit: Fit, mark: Mark) -> bool:
    """Whether a test part learnt from itself alone: from nothing else, or from no row that the model was fitted on."""
    apart = within(mark.rows, evaluation.rows) or not meet(mark.rows, fit.rows)
    return mark not in fit.marks and apart


def is_own_scale(evaluation: Evaluation, fit: Fit, mark: Mark) -> bool:
    """Whether the test part was only prepared by itself.

    Then no training row meets a test row. Who encodes test rows by their own outcome has told the model the answers.
    """
    return mark.kind is not Kind.TARGET_ENCODE and learnt_by_itself(evaluation, fit, mark)


def keeps_to_itself(evaluation: Evaluation, fit: Fit, mark: Mark) -> bool:
    """Whether what a test part learnt from itself alone is no fault of this family."""
    if mark.kind is Kind.OUTLIER and not any(known.kind is Kind.OUTLIER for known in fit.marks):
        return True  # a look at some of the test rows, the dearest or the rarest: training left none out
    if mark.kind in ROWS_CHANGED:
        return True  # a test part that was resampled by itself is another fault: L3.3
    if mark.kind in {Kind.DISCRETISE, Kind.EXPLODE, Kind.ENCODE}:
        return True  # classes of values within the test part reach no model
    if _of_each_group(mark):
        return True
    # a table to predict for, prepared by itself: nobody tests there
    return evaluation.purpose in UNSCORED and not held_out(evaluation.rows)


def _of_each_group(mark: Mark) -> bool:
    """`cycles.groupby("machine")["cycle"].max()`: a feature of each machine, which the training rows do not know."""
    return mark.kind is Kind.STATISTIC and mark.name.startswith("groupby.")
