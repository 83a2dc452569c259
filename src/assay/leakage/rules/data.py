"""What tables show beyond the taxonomy: parts that differ, a test set too small to tell, identifiers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from assay.findings import Confidence, Finding, Location, Severity, numbers
from assay.leakage.rules.taxonomy_instrument import PAPER
from assay.rules import Instrument, Source

if TYPE_CHECKING:
    from assay.leakage.data.split import Split

_SHIFT_SEEN, _SHIFT_LARGE = 0.52, 0.65
"""Lower bounds of the AUC with which a classifier tells the parts apart."""
_LABEL_SHIFT, _LABEL_ODDS = 0.05, 1.5
_BLUNT = 0.10
"""A test set that cannot show this difference in AUC can rank few pairs of models."""


def _example(text: str) -> Split:
    """A CSV with a column "split" and a target "y"; a first line "# claimed difference: 0.05" gives a claim."""
    from dataclasses import replace

    from assay.leakage.data.split import Roles, split_by_column
    from assay.tables import read_csv_text

    first, _, rest = text.strip().partition("\n")
    claim = float(first.rpartition(":")[2]) if first.startswith("#") else None
    table = read_csv_text(rest if claim is not None else text, "example.csv")
    return replace(split_by_column(table, "split", Roles(target="y")), claim=claim)


leakage_data = Instrument("leakage-data", "Did the test set leak into training?", _example, "csv")


@leakage_data.rule(
    "LX3",
    title="Distribution shift between training and test sets",
    severity=Severity.NOTE,
    failing="""
split,x,z,y
train,0.1,3,0
train,0.4,1,1
train,0.2,2,0
train,0.9,3,1
train,0.7,1,0
train,0.3,2,1
train,0.8,3,0
train,0.5,1,1
train,0.6,2,0
train,0.1,3,1
test,5.1,2,0
test,5.4,3,1
test,5.2,1,0
test,5.9,2,1
test,5.7,3,0
test,5.3,1,1
test,5.8,2,0
test,5.5,3,1
test,5.6,1,0
test,5.1,2,1
""",
    passing="""
split,x,z,y
train,0.1,3,0
train,0.4,1,1
train,0.2,2,0
train,0.9,3,1
train,0.7,1,0
train,0.3,2,1
train,0.8,3,0
train,0.5,1,1
train,0.6,2,0
train,0.1,3,1
test,0.2,2,0
test,0.4,3,1
test,0.1,1,0
test,0.8,2,1
test,0.7,3,0
test,0.3,1,1
test,0.9,2,0
test,0.5,3,1
test,0.6,1,0
test,0.2,2,1
""",
    source=Source(PAPER, "[L3] Test set is not drawn from the distribution of scientific interest"),
    advice="Say how the test rows were drawn and which population they represent. Compare the columns named here.",
    confidence=Confidence.MEDIUM,
)
def train_test_shift(split: Split) -> Iterator[Finding]:
    """A classifier can tell test rows from training rows, so the two sets were not drawn alike.

    That may be intended (a later year, another hospital) or an accident of the split. The score holds only for the
    population of the test rows.
    """
    from assay.leakage.data.drawing import DrawnBy
    from assay.leakage.data.shift import shift_of

    shift = shift_of(split)
    if shift is None or shift.domain.value < 0.5 or shift.domain.lower() <= _SHIFT_SEEN:
        return
    low, high = shift.domain.interval()
    tests = len(shift.columns)
    differing = [(name, gap) for name, gap, p in shift.columns if p * tests < 0.01][:5]
    in_time = split.drawing.by is DrawnBy.TIME
    unit = f'held-out groups of "{split.drawing.column}"' if split.drawing.by is DrawnBy.GROUPS else "held-out rows"
    later = f'; all test rows are later by "{split.drawing.column}", so that some shift is expected' if in_time else ""
    yield train_test_shift.finding(
        f"a classifier separates test from training rows with AUC {shift.domain.value:.3f} "
        f"({low:.3f} to {high:.3f}) on {unit}{later}",
        location=Location(split.test_numbers.file),
        severity=Severity.NOTE if in_time or shift.domain.lower() <= _SHIFT_LARGE else Severity.WARNING,
        evidence=[
            numbers(
                {"AUC": round(shift.domain.value, 4), **{f'gap of "{name}"': round(gap, 4) for name, gap in differing}},
                "gap: the largest distance between the two distributions of a column",
            )
        ],
    )


@leakage_data.rule(
    "LX4",
    title="Test set too small for the difference claimed",
    severity=Severity.NOTE,
    failing="""
# claimed difference: 0.05
split,x,y
train,0.1,0
train,0.9,1
train,0.2,0
train,0.8,1
test,0.3,0
test,0.7,1
test,0.2,0
test,0.6,1
test,0.4,0
test,0.9,1
""",
    passing="""
# claimed difference: 0.6
split,x,y
train,0.1,0
train,0.9,1
train,0.2,0
train,0.8,1
test,0.3,0
test,0.7,1
test,0.2,0
test,0.6,1
test,0.4,0
test,0.9,1
""",
    source=Source(PAPER, "Finding 2: No significance testing or uncertainty quantification"),
    advice="Report a confidence interval of the difference. Test on more rows of the rarer class, or claim less.",
    confidence=Confidence.HIGH,
)
def test_set_too_small(split: Split) -> Iterator[Finding]:
    """With few rows of the rarer class every score is uncertain, however many rows the other class has.

    In the study of civil war that the paper re-analyses, 11 onsets among thousands of test rows could not distinguish
    any of the models.
    """
    from assay.leakage.data.sizes import ASSUMED_AUC, CORRELATION, resolution_of

    found = resolution_of(split)
    if found is None or found.auc <= (_BLUNT if split.claim is None else split.claim):
        return
    told = "" if split.claim is None else f", more than the {split.claim:g} that are claimed"
    yield test_set_too_small.finding(
        f"with {found.rarer:,} test rows of the rarer class two models must differ by {found.auc:.2f} in AUC "
        f"to be distinguishable{told}",
        location=Location(split.test_numbers.file),
        severity=Severity.WARNING if split.claim is not None else Severity.NOTE,
        evidence=[
            numbers(
                {
                    "positives": found.positives,
                    "negatives": found.negatives,
                    "difference in AUC seen with 80 % power": round(found.auc, 4),
                    "difference in accuracy": round(found.accuracy, 4),
                },
                f"assumed: AUC about {ASSUMED_AUC}, correlation {CORRELATION} between the models, two-sided 5 % level",
            )
        ],
    )


@leakage_data.rule(
    "LX5",
    title="Different class balance in the test set",
    severity=Severity.WARNING,
    failing="""
split,x,y
train,0.1,0
train,0.2,0
train,0.3,0
train,0.4,0
train,0.5,0
train,0.6,0
train,0.7,0
train,0.8,0
train,0.9,0
train,0.2,1
test,0.1,0
test,0.2,1
test,0.3,1
test,0.4,1
test,0.5,1
test,0.6,1
test,0.7,1
test,0.8,1
test,0.9,1
test,0.3,1
""",
    passing="""
split,x,y
train,0.1,0
train,0.2,0
train,0.3,0
train,0.4,0
train,0.5,0
train,0.6,0
train,0.7,0
train,0.8,0
train,0.9,0
train,0.2,1
test,0.1,0
test,0.2,0
test,0.3,0
test,0.4,0
test,0.5,0
test,0.6,1
test,0.7,0
test,0.8,0
test,0.9,0
test,0.3,0
""",
    source=Source(PAPER, "[L3.3] Sampling bias in test distribution"),
    advice=(
        "Test on the rows as they were collected. After balancing, report scores that do not depend on the class "
        "shares."
    ),
    confidence=Confidence.MEDIUM,
)
def label_shift(split: Split) -> Iterator[Finding]:
    """Precision, accuracy and F1 depend on how frequent each class is.

    If the test set was balanced or selected, its class shares differ from the real ones, and so do these scores.
    """
    from assay.leakage.data.drawing import DrawnBy
    from assay.leakage.data.shift import label_shift_of

    in_time = split.drawing.by is DrawnBy.TIME
    for one in label_shift_of(split):
        odds = _odds_ratio(one.test, one.train)
        if (one.low > 0 or one.high < 0) and (abs(one.difference) >= _LABEL_SHIFT or odds >= _LABEL_ODDS):
            yield label_shift.finding(
                f"{one.label} in {100 * one.test:.1f} % of test rows and {100 * one.train:.1f} % of training rows",
                subject=one.label,
                location=Location(split.test_numbers.file),
                severity=Severity.NOTE if in_time else Severity.WARNING,
                evidence=[
                    numbers(
                        {
                            "training": round(one.train, 4),
                            "test": round(one.test, 4),
                            "difference": round(one.difference, 4),
                            "99.9 % interval": f"{one.low:.4f} to {one.high:.4f}",
                        }
                    )
                ],
            )


def _odds_ratio(p: float, q: float) -> float:
    """How many times larger the odds of one share are, whichever is larger."""
    a, b = p * (1 - q), q * (1 - p)
    return float("inf") if min(a, b) <= 0 else max(a / b, b / a)


@leakage_data.rule(
    "LX6",
    title="Identifier used as a feature",
    severity=Severity.NOTE,
    failing="""
split,row_id,x,y
train,1001,0.1,0
train,1002,0.7,1
train,1003,0.2,0
train,1004,0.8,1
train,1005,0.3,0
train,1006,0.9,1
test,1007,0.2,0
test,1008,0.8,1
test,1009,0.1,0
test,1010,0.7,1
test,1011,0.4,0
test,1012,0.6,1
""",
    passing="""
split,x,y
train,0.1,0
train,0.7,1
train,0.2,0
train,0.8,1
train,0.3,0
train,0.9,1
test,0.2,0
test,0.8,1
test,0.1,0
test,0.7,1
test,0.4,0
test,0.6,1
""",
    source=Source(PAPER, "[L2] Model uses features that are not legitimate"),
    advice="Leave it out of the features. If it is left out already, name it with --id.",
    confidence=Confidence.MEDIUM,
)
def identifier_column(split: Split) -> Iterator[Finding]:
    """A column that identifies each row says nothing about a new row, but may give away the outcome.

    Row numbers follow the order of collection, record numbers the site or the year. Identifiers also hide duplicates,
    because no two rows are then equal.
    """
    from assay.leakage.data.columns import Kind

    for column in split.columns.values():
        if column.kind is Kind.IDENTIFIER and column.name not in (*split.roles.identifiers, split.roles.target):
            yield identifier_column.finding(
                f'column "{column.name}" identifies rows: all its values differ',
                subject=column.name,
                location=Location(split.train_numbers.file),
                evidence=[numbers({"different values": column.distinct})],
            )
