"""Assessed papers → a report: how much is documented, by which words, and what a reproducer will have to ask."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from assay.article.assessment import Assessment
from assay.article.crosswalk import Scheme, discrepancy_rows, seen_through
from assay.article.model import Record, all_parts, article_model, degrees
from assay.article.rules import article
from assay.findings import Report, Table, Value

PITFALLS = "What a reproducer will meet"
_CAUTION = (
    "Values that are only proposed are a program's reading of the paper's words: confirm or correct them in the file "
    "that `assay paper FILE --assessment NEW.yaml` writes."
)


def report_of(assessments: Sequence[Assessment], left_out: Iterable[str] = (), command: str = "") -> Report:
    """How much each paper documents, and what is amiss in its assessment."""
    records = [assessment.record for assessment in assessments]
    proposed = any(grade.proposed for record in records for grade in record.grades.values())
    single = len(records) == 1
    tables = [] if single else [_overview(records)]
    for record in records:
        tables += _tables(record, "" if single else f" ({_name(record)})")
    return Report(
        "Article Model" if not single else f"Article Model: {_name(records[0])}",
        article.question,
        findings=tuple(finding for assessment in assessments for finding in article.run(assessment)),
        tables=tuple(tables),
        left_out=(*left_out, *[_CAUTION] * proposed),
        command=command,
    )


def crosswalk_of(records: Sequence[Record], scheme: Scheme, left_out: Iterable[str] = (), command: str = "") -> Report:
    """The assessments as another scheme puts them."""
    tables = []
    for record in records:
        table = seen_through(scheme, record)
        title = table.title if len(records) == 1 else f"{table.title} ({_name(record)})"
        tables.append(Table(title, table.columns, table.rows))
    unanswered = "Items of the scheme that no sub-component of the Article Model answers are not listed."
    return Report(
        f"Article Model: {scheme.value}",
        article.question,
        tables=tuple(tables),
        left_out=(*left_out, unanswered),
        command=command,
    )


def _tables(record: Record, suffix: str) -> list[Table]:
    if not record.grades:  # only figures were given, as in a table of components
        return []
    tables = [_components(record, suffix), _evidence(record, suffix), _degrees(record, suffix)]
    meets = discrepancy_rows(record)
    if meets:
        tables.append(Table(f"{PITFALLS}{suffix}", ("category", "what it is", "because of"), meets))
    return tables


def _overview(records: Sequence[Record]) -> Table:
    rows = []
    for record in records:
        found = degrees(record)
        rows.append((_name(record), _rounded(record.metric), *(_rounded(found[key]) for key in ("R1", "R2", "R3"))))
    return Table("Papers", ("paper", "metric", "R1", "R2", "R3"), tuple(rows))


def _components(record: Record, suffix: str) -> Table:
    rows: list[tuple[Value, ...]] = []
    for component in article_model():
        parts = [f"{part.id} {_mark(record, part.id)}" for part in component.parts]
        rows.append((component.title, _rounded(record.component(component)), ", ".join(parts)))
    rows.append(("Article Model Metric", _rounded(record.metric), "mean of the components that apply"))
    return Table(f"Components{suffix}", ("component", "metric", "sub-components"), tuple(rows))


def _evidence(record: Record, suffix: str) -> Table:
    """Every value above nothing, with the words that earn it."""
    rows = []
    for part in all_parts().values():
        grade = record.grades.get(part.id)
        if grade is not None and (grade.value or grade.quote):
            told = f"{grade.where}: {grade.quote}" if grade.where else grade.quote
            sure = grade.proposed.removeprefix("assay, ").removesuffix(" confidence") or "confirmed"
            rows.append((part.id, _mark(record, part.id), sure, told))
    return Table(f"What the paper says{suffix}", ("sub-component", "value", "confidence", "quote"), tuple(rows))


def _degrees(record: Record, suffix: str) -> Table:
    meanings = {"R1": "method, data and experiment", "R2": "method and data", "R3": "method"}
    found = degrees(record)
    rows = tuple((key, _rounded(found[key]), means) for key, means in meanings.items())
    return Table(f"Degrees of Gundersen & Kjensmo{suffix}", ("degree", "share documented", "of"), rows)


def _mark(record: Record, part: str) -> str:
    grade = record.grades.get(part)
    if grade is None:
        return "?"
    return "–" if grade.value is None else f"{float(grade.value):.3g}"


def _rounded(value: Fraction | None) -> float | None:
    return None if value is None else round(float(value), 4)


def _name(record: Record) -> str:
    return record.paper or record.path
