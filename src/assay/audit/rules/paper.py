"""Rules about the score tables of a paper that hold only under a reading of it: each says under which."""

from __future__ import annotations

from collections.abc import Iterator

from assay.audit.paper_rows import Account, Outcome, Status, accounts_of
from assay.audit.paper_wording import conflict_of, evidence_of
from assay.audit.rules.instrument import FAZEKAS
from assay.audit.table_relations import Stranger
from assay.findings import Confidence, Finding, Severity, certificate, note, numbers, quote
from assay.report.wording import counted
from assay.rules import Instrument, Source

_GRIM = Source("Brown & Heathers, The GRIM test, Social Psychological and Personality Science 8(4), 2017")


def _read_example(text: str) -> tuple[Account, ...]:
    from assay.article.reading.markup import read_markdown

    return accounts_of(read_markdown(text, "paper.md"))


paper_scores = Instrument("audit-paper", "Can the scores in the paper's tables be true?", _read_example, "markdown")

_STATED = """# Data

The test set has 100 positives and 200 negatives.

# Results

| Test set | Accuracy | Sensitivity | Specificity |
|---|---|---|---|
| ours, test | {} | 0.810 | 0.795 |
"""
_SHARES = """# Data

We tested on 177 test images of ten kinds.

# Results

| Method | Accuracy | AUC |
|---|---|---|
| A | {} | 0.91 |
| B | 0.8693 | 0.92 |
| C | 0.8295 | 0.93 |
"""
_RELATION = """# Results

| Method | Precision | Recall | F1 |
|---|---|---|---|
| A | 0.900 | 0.800 | 0.847 |
| B | 0.850 | 0.750 | 0.797 |
| C | 0.910 | 0.820 | 0.863 |
| D | 0.920 | 0.840 | {} |
"""


@paper_scores.rule(
    "S120",
    title="Scores impossible on the described test set",
    severity=Severity.WARNING,
    failing=_STATED.format("0.900"),
    passing=_STATED.format("0.800"),
    source=FAZEKAS,
    advice="Say on which items the row was scored and how its figures were averaged, or give the confusion matrix.",
    confidence=Confidence.MEDIUM,
)
def impossible_as_stated(facts: tuple[Account, ...]) -> Iterator[Finding]:
    """No confusion matrix of the test set that this row seems to be about gives its scores.

    Either a figure or a count is wrong, or the row is about something else that the paper does not say: other items, or
    means over folds or runs.
    """
    for account in facts:
        rows = [o for o in account.outcomes if o.status is Status.CONDITIONAL]
        if rows:
            yield _conditional(rows)


def _conditional(outcomes: list[Outcome]) -> Finding:
    """One finding for all rows of a table that fail on the same items."""
    first = outcomes[0]
    more = f"; the same holds for {counted(len(outcomes) - 1, 'more row')}" if len(outcomes) > 1 else ""
    return impossible_as_stated.finding(
        conflict_of(first, f", {_IF[first.binding is None]}{more}"),
        subject=", ".join(o.row.name for o in outcomes),
        location=first.row.location,
        evidence=[*evidence_of(first), note(_POSSIBLE[first.binding is None])],
    )


_IF = {
    False: "assuming that the scores are about them",
    True: "if the headings mean what they usually mean",
}
_POSSIBLE = {
    False: "Possible: as means over folds or runs, or on other items.",
    True: "Possible: if the figures of a row belong to different decisions, such as two thresholds, or were averaged "
    "differently.",
}


@paper_scores.rule(
    "S121",
    title="Accuracies imply another number of test items",
    severity=Severity.WARNING,
    failing=_SHARES.format("0.9034"),
    passing=_SHARES.replace("177", "176").format("0.9034"),
    source=_GRIM,
    advice="Say how many items were scored, and which were left out.",
    confidence=Confidence.MEDIUM,
)
def shares_of_another_number(facts: tuple[Account, ...]) -> Iterator[Finding]:
    """An accuracy is a number of correct items divided by all items, however many classes there are.

    If accuracies of a table are impossible for the stated number of items, and all of them are possible for a number
    near it, some items were left out or counted twice.
    """
    for account in facts:
        found = account.shares
        if found is None:
            continue
        stated = found.binding.counted
        others = ", ".join(map(str, found.others[:3]))
        yield shares_of_another_number.finding(
            f"{len(found.misfits)} of {len(found.rows)} accuracies are not whole numbers out of "
            f"{stated.counts.total:,} {stated.unit.value}, but all are out of {others}",
            subject=account.table.grid.caption or f"table {account.table.number}",
            location=found.rows[0].location,
            evidence=[
                numbers({row.name: dict(row.scores)["acc"] for row in found.rows}, "the accuracies as printed"),
                certificate(f"No whole number of {stated.counts.total} items is printed as {found.misfits[0]}."),
                quote(stated.quote, stated.location),
                note(f"Compared with this number because {found.binding.why}."),
            ],
        )


@paper_scores.rule(
    "S122",
    title="Row of scores contradicts the rest of its table",
    severity=Severity.WARNING,
    failing=_RELATION.format("0.868"),
    passing=_RELATION.format("0.878"),
    source=FAZEKAS,
    advice="Check the row for a misprint, or say how it was averaged.",
    confidence=Confidence.MEDIUM,
)
def broken_relation(facts: tuple[Account, ...]) -> Iterator[Finding]:
    """The scores of one class depend on each other.

    If nearly all rows of a table satisfy that relation, its figures are of one class. A row that does not satisfy it
    holds a wrong figure, or was averaged in another way.
    """
    for found in (stranger for account in facts for stranger in account.strangers if _is_news(stranger, account)):
        low, high = (f"{float(end):.4f}" for end in found.follows)
        yield broken_relation.finding(
            f"{found.relation} in {found.keeping} rows of this table, but not here: it should be {low} to {high}, "
            f"but {found.printed} is printed",
            subject=found.row.name,
            location=found.row.location,
            evidence=[
                numbers(dict(found.row.scores), "the scores as printed"),
                note("Possible: as means over classes, folds or images, if this row alone was averaged so."),
            ],
        )


def _is_news(found: Stranger, account: Account) -> bool:
    """Whether the row has not been found impossible already."""
    known = {Status.IMPOSSIBLE, Status.CONDITIONAL}
    return not any(o.row == found.row and o.status in known for o in account.outcomes)


_COUNTS = """# Results

| Method | TP | FP | FN | Precision | Recall |
|---|---|---|---|---|---|
| A | 80 | 20 | 10 | 0.800 | 0.889 |
| B | 70 | 10 | 20 | 0.875 | {} |
"""
_FEWEST_CONFIRMED = 2


@paper_scores.rule(
    "S123",
    title="Score contradicts the counts beside it",
    severity=Severity.ERROR,
    failing=_COUNTS.format("0.828"),
    passing=_COUNTS.format("0.778"),
    source=FAZEKAS,
    advice="Correct the score or the counts.",
    confidence=Confidence.HIGH,
)
def counts_and_scores(facts: tuple[Account, ...]) -> Iterator[Finding]:
    """The counts in a row determine its scores, and the classes of a report determine its averages.

    Reported only if other figures of the table follow from their counts, which shows that they belong together.
    """
    for account in facts:
        wrong = [one for one in account.derived if not one.holds]
        right = len(account.derived) - len(wrong)
        if right < _FEWEST_CONFIRMED or right < len(wrong) * 2:
            continue
        for one in wrong:
            yield counts_and_scores.finding(
                f"the printed {one.score} is {one.printed}, but {one.formula} = {float(one.value):.4f}",
                subject=one.row.name,
                location=one.row.location,
                evidence=[
                    numbers(dict(one.row.counts), "the counts as printed"),
                    numbers(dict(one.row.scores), "the scores as printed"),
                    note(f"{right} other figures of the table follow from their counts."),
                ],
            )


_MATRIX = """# Results

Table: Confusion matrix of the final model

|  | Predicted benign | Predicted malignant |
|---|---|---|
| Actual benign | 412 | 31 |
| Actual malignant | 27 | 203 |

Table: Results

| Model | Accuracy | Precision | Recall | F1 |
|---|---|---|---|---|
| Final | {} | 0.868 | 0.883 | 0.875 |
"""


@paper_scores.rule(
    "S124",
    title="Score contradicts the confusion matrix",
    severity=Severity.ERROR,
    failing=_MATRIX.format("0.934"),
    passing=_MATRIX.format("0.914"),
    source=FAZEKAS,
    advice="Correct the score or the matrix.",
    confidence=Confidence.HIGH,
)
def matrix_and_scores(facts: tuple[Account, ...]) -> Iterator[Finding]:
    """A confusion matrix determines every score of its classifier.

    Reported only if other figures of the row follow from the matrix more exactly than by chance, which shows that they
    belong together, and if no folds or runs are mentioned.
    """
    for one in (one for account in facts for one in account.from_matrices):
        for score, figure, value in one.contradicted:
            yield matrix_and_scores.finding(
                f"the printed {score} is {figure}, but the confusion matrix gives {float(value):.4f}",
                subject=one.row.name,
                location=one.row.location,
                evidence=[
                    quote(one.matrix.grid.caption or f"table {one.matrix.number}", one.matrix.grid.location),
                    numbers(dict(one.row.scores), "the scores as printed"),
                    note(f"The matrix is read {one.reading}."),
                    note(f"Follow from it: {', '.join(f'{name} {shown}' for name, shown in one.following)}."),
                ],
            )
