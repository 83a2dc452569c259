"""A sentence for the review: what was found, in words that an author can answer."""

from __future__ import annotations

from assay.findings import EvidenceKind, Report, Verdict
from assay.scores.definitions import find_score
from assay.scores.pasted import Row

_SHORT = 300


def review_sentence(row: Row, report: Report | None) -> str:
    """What a reviewer may copy; empty when there is nothing to say."""
    if report is None:
        return ""
    judgement = report.judgements[0]
    whose = f" of {row.name}" if row.name else ""
    scores = _enumeration([f"{_label(name)} {value}" for name, value in row.scores])
    if judgement.verdict is Verdict.INCONSISTENT:
        return (
            f"The reported scores{whose} ({scores}) cannot all come from the described experiment{_test_set(row)}: "
            f"an exact search over all possible outcomes finds none that gives them.{_argument(report)} "
            "Could the authors provide the confusion matrix and say how the scores were computed and averaged?"
        )
    if judgement.verdict is Verdict.CONDITIONAL:
        return (
            f"The reported scores{whose} ({scores}) can come from the described experiment{_test_set(row)} only under "
            "unusual conventions. Could the authors say how the folds were formed, and what was counted where a score "
            "is 0/0?"
        )
    if judgement.verdict is Verdict.CONSISTENT:
        return (
            f"The reported scores{whose} ({scores}) are numerically consistent with the described experiment"
            f"{_test_set(row)}; this does not show that they are right."
        )
    if not dict(row.words).keys() & {"p", "n", "classes", "task"} and row.total is None:
        return (
            f"The reported scores{whose} ({scores}) cannot be verified, because the paper does not say how many "
            "positive and negative items were tested. Please report these numbers."
        )
    return ""


def _argument(report: Report) -> str:
    """The certificate, where it is short enough for a reader of the review to check."""
    pieces = [piece for finding in report.findings for piece in finding.evidence]
    found = next((piece.text for piece in pieces if piece.kind is EvidenceKind.CERTIFICATE), "")
    return f" {found}" if 0 < len(found) <= _SHORT else ""


def _test_set(row: Row) -> str:
    words = dict(row.words)
    if "p" in words and "n" in words:
        folds = f" in {words['folds']} folds" if "folds" in words else ""
        return f" ({words['p']} positives and {words['n']} negatives{folds})"
    return f" ({row.total} items)" if row.total is not None else ""


def _label(name: str) -> str:
    try:
        named = find_score(name)
    except ValueError:
        return name
    return name if named.complement else named.score.label


def _enumeration(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}" if words else ""
