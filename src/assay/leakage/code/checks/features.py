"""L2: the outcome among the features, what was computed from it, identifiers, what is known only afterwards."""

from __future__ import annotations

import re
from collections.abc import Iterator

from assay.findings import Confidence, Severity
from assay.leakage.code.checks.leak import Leak
from assay.leakage.code.checks.telling import Facts, step, tell
from assay.leakage.code.state.events import Evaluation, Purpose
from assay.leakage.code.state.in_order import fits_in_order, marks_in_order, origins_in_order
from assay.leakage.code.state.rows import Site
from assay.leakage.code.state.values import Fit, Kind
from assay.patterns import regex

_IDENTIFIER = regex(
    r"(?:^|.*_)(?:id|uuid|guid)$|^(?:row|record|index)_?(?:id|no|number)$|(?-i:.*[a-z]I[dD])$", re.IGNORECASE
)
"""`customerId` is one by its capital letter; `fluid` and `centroid` are not."""
_AFTERWARDS = regex(
    r"(?:^|_)(?:outcome|after|post|discharge|death|died|deceased|survived|churned|cancel(?:l?ed|lation)?|resolved|"
    r"resolution|closed|refund(?:ed)?|chargeback|default(?:ed)?_date|recover(?:y|ed|ies))(?:_|$)",
    re.IGNORECASE,
)


def features(facts: Facts) -> Iterator[Leak]:
    """Leaks of the second family, told once for each column."""
    told: set[str] = set()
    for evaluation in facts.evaluations:
        if evaluation.purpose is Purpose.SEARCH:
            continue
        for fit in fits_in_order(evaluation.model.fits):
            for name, leak in _illegitimate(facts, evaluation, fit):
                if name not in told:
                    told.add(name)
                    yield leak


def _illegitimate(facts: Facts, evaluation: Evaluation, fit: Fit) -> Iterator[tuple[str, Leak]]:
    if len(fit.target) != 1:
        return
    (target,) = fit.target
    if fit.columns.only == fit.target:
        return  # one name for both is a key of the tables, not a column
    if fit.columns.has(target) and _named(facts, fit, target):
        confidence = Confidence.HIGH if fit.columns.only is not None else Confidence.MEDIUM
        yield (
            target,
            _leak(
                evaluation, fit, fit.site, f"the outcome `{target}` is itself among the features", confidence=confidence
            ),
        )
        return
    of_others = any(k.kind is Kind.STATISTIC and k.name.startswith("groupby.") for k in fit.target_marks)
    for mark in marks_in_order(fit.target_marks) if not of_others else ():  # `last - cycle`: no row knows its last
        if mark.kind is Kind.DERIVED and mark.into is not None and target in mark.into and len(mark.columns) == 1:
            for name in sorted(mark.columns):
                if fit.columns.has(name) and _named(facts, fit, name):
                    message = f"the outcome `{target}` is computed from `{name}`, which is left among the features"
                    yield name, _leak(evaluation, fit, mark.site, message, confidence=Confidence.MEDIUM)
    for mark in marks_in_order(k for k in fit.marks if k.kind is Kind.DERIVED):
        if target in mark.columns and mark.into is not None and target not in mark.into:
            name = min(mark.into)
            past = any(k.kind is Kind.LAG and k.into == mark.into for k in fit.marks)  # yesterday's outcome is known
            if fit.columns.has(name) and not past:
                message = f"the feature `{name}` is computed from the outcome `{target}`"
                yield name, _leak(evaluation, fit, mark.site, message, confidence=Confidence.MEDIUM)
    yield from _by_name(facts, evaluation, fit, target)


def _named(facts: Facts, fit: Fit, name: str) -> bool:
    return any((part.origin, name) in facts.trace.mentioned for part in fit.rows)


def _by_name(facts: Facts, evaluation: Evaluation, fit: Fit, target: str) -> Iterator[tuple[str, Leak]]:
    """Columns whose names give them away; only those that the code itself names as features."""
    for name in sorted(fit.columns.only or ()):
        if name == target:
            continue
        if _IDENTIFIER.fullmatch(name):
            message = f"the feature `{name}` looks like an identifier"
            yield (
                name,
                _leak(
                    evaluation,
                    fit,
                    _mention(facts, fit, name),
                    message,
                    confidence=Confidence.LOW,
                    severity=Severity.NOTE,
                ),
            )
        elif _AFTERWARDS.search(name):
            message = f"the feature `{name}` sounds like something known only after the outcome"
            yield (
                name,
                _leak(
                    evaluation,
                    fit,
                    _mention(facts, fit, name),
                    message,
                    confidence=Confidence.LOW,
                    severity=Severity.NOTE,
                ),
            )


def _mention(facts: Facts, fit: Fit, name: str) -> Site:
    found = origins_in_order(part.origin for part in fit.rows)
    return next((facts.trace.mentioned[o, name] for o in found if (o, name) in facts.trace.mentioned), fit.site)


def _leak(
    evaluation: Evaluation,
    fit: Fit,
    site: Site,
    message: str,
    *,
    confidence: Confidence,
    severity: Severity = Severity.ERROR,
) -> Leak:
    tables = origins_in_order(part.origin for part in fit.rows)[:1]
    read = [step(f"the table comes from here ({origin.description})", origin.site) for origin in tables]
    return tell(
        "L2",
        "features",
        message,
        site,
        [*read, step("the column is made or named here", site), step("the model is fitted here", fit.site),
         step("it is evaluated here", evaluation.site)],
        severity=severity,
        confidence=confidence,
        advice="Leave the column out of the features:\nX = df.drop(columns=[target, column])",
    )  # fmt: skip
