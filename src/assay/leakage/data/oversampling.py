"""Classes that were made equally frequent by repeating rows before the split (L1.2).

After random oversampling every class has the same number of rows, and the classes that were rarer have far fewer
different ones. Rows that are alike by chance do not make classes equal, and equal classes do not repeat rows.
"""

from __future__ import annotations

import numpy as np

from assay.findings import Confidence, Location, Severity, numbers
from assay.leakage.data.outcome import Line, Outcome, percent
from assay.leakage.data.split import Split
from assay.leakage.rules.taxonomy import preprocessing_on_test_rows

_CODE = "L1.2"
_CHECK = "oversampling"
_MOST_CLASSES, _FEWEST_ROWS = 20, 20
_EQUAL = 0.01
"""How much the largest class may exceed the smallest: rounding, and rows that were left out."""
_FEWER = 0.8
"""Different rows of a class, in those of the class that has most."""
_SHARED = 0.05


def oversampled(split: Split) -> Outcome:
    """Whether equal classes of unequal variety share rows across the split."""
    target = split.roles.target
    if target is None or split.test is None or not split.key_columns:
        return Outcome(Line.not_run(_CHECK, _CODE, "no target, or no split"))
    train, test = split.row_keys
    labels = split.whole.get_column(target)
    if not 2 <= labels.n_unique() <= _MOST_CLASSES:
        return Outcome(Line.not_run(_CHECK, _CODE, "the target has no classes"))
    keys, place = np.concatenate([train, test]), labels.rank("dense").fill_null(0).to_numpy().astype(np.int64)
    sizes = np.bincount(place)
    classes = sizes.nonzero()[0]
    variety = {int(c): len(np.unique(keys[place == c])) for c in classes}
    rarest, richest = min(variety, key=variety.__getitem__), max(variety.values())
    equal = sizes[classes].max() <= (1 + _EQUAL) * sizes[classes].min() and sizes[classes].min() >= _FEWEST_ROWS
    of_class = place[len(train) :] == rarest
    shared = float(np.isin(test[of_class], train, kind="sort").mean()) if of_class.any() else 0.0
    if not equal or variety[rarest] > _FEWER * richest or shared < _SHARED:
        return Outcome(Line(_CHECK, _CODE, "classes differ in size, or are equally varied"))
    name = labels.gather(int((place == rarest).argmax()))[0]
    finding = preprocessing_on_test_rows.finding(
        f"rows of {target} = {name} were repeated until the classes were equal, before the split: "
        f"{percent(shared)} of its test rows are training rows too",
        subject="oversampling",
        location=Location(split.test_numbers.file),
        severity=Severity.ERROR,
        confidence=Confidence.HIGH,
        evidence=[
            numbers(
                {
                    "rows of each class": int(sizes[classes].min()),
                    "different rows of this class": variety[rarest],
                    "different rows of the most varied class": richest,
                }
            )
        ],
        advice="Split first, and repeat rows of the training part alone.",
    )
    return Outcome(Line(_CHECK, _CODE, f"{target} = {name}"), [finding])
