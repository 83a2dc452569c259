"""What may have gone wrong, and how often it does: the vocabulary of repairs, one declarative table."""

from __future__ import annotations

from enum import StrEnum

from assay.records import dataclass
from assay.scores.experiment import Experiment


class RepairKind(StrEnum):
    """A kind of slip, in the making of the scores or in their printing."""

    DIGIT = "one digit misprinted"
    TRANSPOSED = "two digits transposed"
    POINT = "decimal point moved"
    EXCHANGED = "two figures exchanged"
    CLASSES = "classes exchanged"
    NAME = "another score under this name"
    CLASS_AVERAGE = "averaged over the classes"
    ROUNDING = "another rounding"
    PAIR = "another rounding and one more slip"
    AGGREGATION = "summed up in another way"
    FOLDS = "other folds"
    MISCOUNT = "test set miscounted"
    PART = "a part or a multiple of the test set"
    OVERSAMPLED = "minority class oversampled"
    UNDERSAMPLED = "majority class undersampled"
    ANOTHER_SET = "another test set"


@dataclass(frozen=True, slots=True)
class Prior:
    """How often a kind of slip is behind impossible scores, relative to the others, and why we think so."""

    share: float
    why: str


PRIORS: dict[RepairKind, Prior] = {
    RepairKind.DIGIT: Prior(0.20, "Retyped tables: the commonest slip in any printed number."),
    RepairKind.TRANSPOSED: Prior(0.05, "Rarer than a wrong digit, typical of typing."),
    RepairKind.POINT: Prior(
        0.03, "Percentages and shares mixed; most such slips leave the range and are seen at once."
    ),
    RepairKind.EXCHANGED: Prior(0.08, "Columns in another order than the header; Fazekas & Kovács suspect it in 5.3."),
    RepairKind.CLASSES: Prior(0.10, "Which class is positive is a convention that software and authors choose apart."),
    RepairKind.NAME: Prior(
        0.08, "Scores have rival names and definitions; precision has more than one in other fields."
    ),
    RepairKind.CLASS_AVERAGE: Prior(
        0.10, "Library functions average over classes on request; found by Fazekas & Kovács in 5.3."
    ),
    RepairKind.ROUNDING: Prior(0.10, "Cutting off decimals is common in spreadsheets and by hand."),
    RepairKind.PAIR: Prior(0.01, "Two slips at once; looked for only where one explains nothing."),
    RepairKind.AGGREGATION: Prior(0.15, "Papers seldom say whether folds were pooled or averaged."),
    RepairKind.FOLDS: Prior(0.08, "Stratification and the number of folds are often left unsaid or defaults."),
    RepairKind.MISCOUNT: Prior(0.08, "Class counts get retyped too, and a few items get lost in preprocessing."),
    RepairKind.PART: Prior(
        0.08, "Scores of a hold-out part printed beside the counts of the whole, or of augmented data."
    ),
    RepairKind.OVERSAMPLED: Prior(0.10, "Oversampling before the split; found by Fazekas & Kovács in 5.2."),
    RepairKind.UNDERSAMPLED: Prior(0.05, "Balancing by leaving items out, also in the test set."),
    RepairKind.ANOTHER_SET: Prior(0.08, "The scores belong to a test set that the paper does not describe."),
}
"""Judgements, not measurements: only their order of magnitude matters."""


@dataclass(frozen=True, slots=True)
class Change:
    """One slip undone. `what` completes "It would be consistent if …".

    `touched` names the only scores whose figures differ, None when more than figures changed.
    `weight` compares it with other changes of its kind.
    """

    kind: RepairKind
    what: str
    experiment: Experiment
    touched: frozenset[str] | None = None
    weight: float = 1.0
