"""From the score tables of a paper to the score tests: the one place where the two rooms meet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice

from assay.article.reading import Paper
from assay.article.tables import ScoreRow, score_rows_of
from assay.errors import InputError
from assay.findings import Confidence, Finding, Report, Table, Value, certificate, note, numbers, quote
from assay.rules import get_rule
from assay.scores.check import Result, check
from assay.scores.compiling import experiment_of, reported_of
from assay.scores.constraints import Constraint
from assay.scores.conventions import Undefined
from assay.scores.reading import words_as_data
from assay.scores.reporting import report_of
from assay.scores.sizes import fitting_sizes

LARGEST_SEARCHED = 300
_MOST_SPLITS = 5_000
_SHOWN = 6
_GRANTED = (
    "The arithmetic is exact. What it takes for granted was read off the page: that the row is about these items, in "
    "two classes, and that the headings mean what they usually mean."
)


def check_scores(paper: Paper, *, up_to: int = LARGEST_SEARCHED) -> Report:
    """Can the scores in the paper's tables be true? Exact where the paper says how many items were tested.

    Where it does not, the smallest test sets that would give the scores are listed instead: a fact for the reader to
    judge, not a finding.
    """
    results: list[Result] = []
    findings: list[Finding] = []
    searched: list[tuple[Value, ...]] = []
    left_out: list[str] = []
    rows = score_rows_of(paper)
    for row in rows:
        told = dict(row.scores)
        if any("±" in figure for figure in told.values()):
            left_out.append(f"{row.location}: {row.name}: means over runs; give the folds to `assay scores check`")
            continue
        try:
            if row.sizes.p is not None and row.sizes.n is not None:
                results.append(_examined(row, {"p": str(row.sizes.p), "n": str(row.sizes.n), **told}))
            elif row.sizes.total is not None and row.sizes.total <= _MOST_SPLITS:
                findings += _any_split(row, row.sizes.total)
            else:
                searched.append(_smallest(row, up_to))
        except InputError as error:
            left_out.append(f"{row.location}: {row.name}: {error}")
    report = report_of(results)
    tables = list(report.tables)
    if searched:
        title = f"Smallest test sets (positives + negatives, up to {up_to}) that would give the printed scores"
        tables.append(Table(title, ("row", "scores", "test sets"), tuple(searched)))
    return replace(
        report,
        findings=(*(_with_quote(f, rows) for f in report.findings), *findings),
        tables=tuple(tables),
        left_out=(*report.left_out, *left_out),
    )


def _examined(row: ScoreRow, words: dict[str, str]) -> Result:
    data = words_as_data([f"{name}={value}" for name, value in words.items()])
    data["name"] = row.name
    return check(experiment_of(data, where=str(row.location), location=row.location))


def _constraints(row: ScoreRow) -> list[Constraint]:
    """What the binary scores of a row say; an area under a curve is left to experiments whose sizes are known."""
    from assay.files import validated
    from assay.scores.study import ExperimentModel

    data = words_as_data([f"{name}={figure}" for name, figure in row.scores if name != "auc"])
    model = validated(ExperimentModel, data, where=str(row.location))
    return [reported.constraint(Undefined.ANY) for reported in reported_of(model)]


def _any_split(row: ScoreRow, total: int) -> list[Finding]:
    """A finding when no division of the items into positives and negatives gives the scores."""
    constraints = _constraints(row)
    if any(next(fitting_sizes(constraints, total, p=p, n=total - p), None) for p in range(total + 1)):
        return []
    names = ", ".join(name for name, _ in row.scores if name != "auc")
    tried = f"Every division of the {total} items into positives and negatives was tried; none has a matrix that fits."
    return [
        get_rule("S101", "scores").finding(
            f"{names} cannot all be true on {total} items, however many of them are positive",
            subject=row.name,
            location=row.location,
            evidence=[
                certificate(tried, {"items": total}),
                numbers(dict(row.scores), "the scores as printed"),
                quote(row.sizes.quote, row.location),
                note(_GRANTED),
            ],
            confidence=Confidence.MEDIUM,
        )
    ]


def _smallest(row: ScoreRow, up_to: int) -> tuple[Value, ...]:
    found = list(islice(fitting_sizes(_constraints(row), up_to), _SHOWN + 1))
    told = ", ".join(f"{p} + {n}" for p, n, _ in found[:_SHOWN]) + (", …" if len(found) > _SHOWN else "")
    scores = ", ".join(f"{name} {figure}" for name, figure in row.scores)
    return (row.name, scores, told or f"none up to {up_to}")


def _with_quote(finding: Finding, rows: Sequence[ScoreRow]) -> Finding:
    """The finding with the words of the paper that its sizes were taken from."""
    same = (row for row in rows if row.location == finding.location and row.name == finding.subject)
    told = [quote(row.sizes.quote, row.location) for row in same if row.sizes.quote]
    evidence = (*finding.evidence, *told[:1], note(_GRANTED))
    return replace(finding, evidence=evidence, confidence=Confidence.MEDIUM)
