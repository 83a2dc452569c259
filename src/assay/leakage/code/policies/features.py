"""L2: the outcome among the features, what was computed from it, identifiers, what is known only afterwards."""

from __future__ import annotations

import re
from collections.abc import Iterator

from assay.findings import Confidence, Severity
from assay.leakage.code.facts.observations import Observations
from assay.leakage.code.leak import Leak
from assay.leakage.code.policies.path import leak_at, step
from assay.leakage.code.state.events import Evaluation, Purpose
from assay.leakage.code.state.in_order import fits_in_order, marks_in_order, origins_in_order
from assay.leakage.code.state.rows import Site
from assay.leakage.code.state.values import Fit, Kind, Mark
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


def features(facts: Observations) -> Iterator[Leak]:
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


def _illegitimate(facts: Observations, evaluation: Evaluation, fit: Fit) -> Iterator[tuple[str, Leak]]:
    """Columns that a model must not be given, with the finding."""
    if len(fit.target) != 1:
        return
    (target,) = fit.target
    if _may_be_another_column(fit, target):
        return
    if _is_named_feature(facts, fit, target):
        confidence = Confidence.HIGH if fit.columns.only is not None else Confidence.MEDIUM
        message = f"the outcome `{target}` is itself among the features"
        yield target, _leak(evaluation, fit, fit.site, message, confidence=confidence)
        return
    for mark, name in _sources_of_outcome(fit, target):
        if _is_named_feature(facts, fit, name):
            message = f"the outcome `{target}` is computed from `{name}`, which remains among the features"
            yield name, _leak(evaluation, fit, mark.site, message, confidence=Confidence.MEDIUM)
    for mark, name in _made_of_outcome(fit, target):
        message = f"the feature `{name}` is computed from the outcome `{target}`"
        yield name, _leak(evaluation, fit, mark.site, message, confidence=Confidence.MEDIUM)
    yield from _by_name(facts, evaluation, fit, target)


def _sources_of_outcome(fit: Fit, target: str) -> Iterator[tuple[Mark, str]]:
    """The single columns that the outcome was computed from; no row knows the last of its group (`last - cycle`)."""
    if any(k.kind is Kind.STATISTIC and k.name.startswith("groupby.") for k in fit.target_marks):
        return
    for mark in marks_in_order(k for k in fit.target_marks if k.kind is Kind.DERIVED and len(k.columns) == 1):
        if target in (mark.into or ()):
            yield mark, min(mark.columns)


def _made_of_outcome(fit: Fit, target: str) -> Iterator[tuple[Mark, str]]:
    """The features that were computed from the outcome; yesterday's outcome is known."""
    past = {k.into for k in fit.marks if k.kind is Kind.LAG}
    for mark in marks_in_order(k for k in fit.marks if k.kind is Kind.DERIVED and target in k.columns):
        into = mark.into or frozenset({target})
        if target not in into and into not in past and fit.columns.has(min(into)):
            yield mark, min(into)


_UNNAMED = "target"
"""What the outcome of a library's data set is called where it is not a column of a table."""


def _may_be_another_column(fit: Fit, target: str) -> bool:
    """Whether the column of that name among the features is not the outcome.

    Of an outcome moved to later rows, today's value is known. The outcome of a library's data set has a name of its
    own, and may be the column left out. One name for features and outcome is a key of the tables.
    """
    left_out = target == _UNNAMED and bool(fit.columns.without)
    return left_out or _is_of_the_future(fit, target) or fit.columns.only == fit.target


def _is_of_the_future(fit: Fit, target: str) -> bool:
    """Whether the outcome is moved to later rows: `df["close"].shift(-1)`."""
    ahead = (k for k in fit.target_marks if k.kind is Kind.LOOK_AHEAD)
    return any(mark.into is None or target in mark.into or target in mark.columns for mark in ahead)


def _is_named_feature(facts: Observations, fit: Fit, name: str) -> bool:
    """Whether a column is among the features, and the code names it."""
    return fit.columns.has(name) and any((part.origin, name) in facts.trace.mentioned for part in fit.rows)


def _by_name(facts: Observations, evaluation: Evaluation, fit: Fit, target: str) -> Iterator[tuple[str, Leak]]:
    """Columns whose names give them away; only those that the code itself names as features."""
    for name in sorted((fit.columns.only or ()) if fit.columns.sure else ()):
        remark = "looks like an identifier" if _IDENTIFIER.fullmatch(name) else ""
        remark = remark or ("sounds like something known only after the outcome" if _AFTERWARDS.search(name) else "")
        if remark and name != target:
            message, site = f"the feature `{name}` {remark}", _mention(facts, fit, name)
            yield name, _leak(evaluation, fit, site, message, confidence=Confidence.LOW, severity=Severity.NOTE)


def _mention(facts: Observations, fit: Fit, name: str) -> Site:
    found = origins_in_order(part.origin for part in fit.rows)
    return next((facts.trace.mentioned[o, name] for o in found if (o, name) in facts.trace.mentioned), fit.site)


def _leak(
    evaluation: Evaluation,
    fit: Fit,
    site: Site,
    message: str,
    *,
    confidence: Confidence,
    severity: Severity | None = None,
) -> Leak:
    """Without a given severity, an error where the columns are named one by one, else a question."""
    tables = origins_in_order(part.origin for part in fit.rows)[:1]
    read = [step(f"the table comes from here ({origin.description})", origin.site) for origin in tables]
    return leak_at(
        "L2",
        "features",
        message,
        site,
        [*read, step("the column is made or named here", site), step("the model is fitted here", fit.site),
         step("it is evaluated here", evaluation.site)],
        severity=severity or (Severity.ERROR if confidence is Confidence.HIGH else Severity.WARNING),
        confidence=confidence,
        advice="Leave the column out of the features:\nX = df.drop(columns=[target, column])",
    )  # fmt: skip
