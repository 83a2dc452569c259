"""A sentence for the review: what was found, in words that an author can answer."""

from __future__ import annotations

from assay.findings import EvidenceKind, Report, Verdict
from assay.scores.definitions import find_score
from assay.scores.pasted import Row

_SHORT = 300
_MOST_LISTED = 8
"""More figures than this are counted: a sentence of a review does not list them."""
_AVERAGES = {"macro": "macro-averaged", "micro": "micro-averaged", "weighted": "weighted-average"}


def review_sentence(row: Row, report: Report | None) -> str:
    """What a reviewer may copy; empty when there is nothing to say."""
    if report is None:
        return ""
    judgement = report.judgements[0]
    whose = f" of {row.name}" if row.name else ""
    scores = _enumeration([f"{label_of(name)} {value}" for name, value in row.scores])
    scores = scores if len(row.scores) <= _MOST_LISTED else f"{len(row.scores)} figures"
    if judgement.verdict is Verdict.INCONSISTENT and row.report is not None:
        return (
            f"The reported scores{whose} ({scores}) do not follow from the printed confusion matrix."
            f"{_argument(report)} Could the authors say which of the two is right?"
        )
    if judgement.verdict is Verdict.INCONSISTENT:
        return (
            f"The reported scores{whose} ({scores}) cannot all come from the described experiment{_test_set(row)}: "
            f"an exact search over all possible outcomes finds none that gives them.{_argument(report)} "
            f"{_question(row)}"
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
    return f" {found[0].upper()}{found[1:]}" if 0 < len(found) <= _SHORT else ""


def _question(row: Row) -> str:
    """What the authors can do about it: what they have printed already is not asked for."""
    words = dict(row.words)
    if words.get("task") == "regression":
        return "Could the authors provide the predictions and say how the errors were computed?"
    if {"tp", "fn", "fp", "tn"} <= words.keys():
        return "Could the authors say which of the confusion matrix and the scores is right?"
    return "Could the authors provide the confusion matrix and say how the scores were computed and averaged?"


def _test_set(row: Row) -> str:
    words = dict(row.words)
    if "p" in words and "n" in words:
        folds = f" in {words['folds']} folds" if "folds" in words else ""
        return f" ({words['p']} positives and {words['n']} negatives{folds})"
    return f" ({row.total} items)" if row.total is not None else ""


def label_of(name: str) -> str:
    """What a score is called in a sentence: "macro-averaged sensitivity", "F1 of class 2"."""
    base, _, index = name.rstrip("]").partition("[")
    if index.isdigit():
        return f"{label_of(base)} of class {int(index) + 1}"
    score, _, average = name.rpartition("_")
    if average in _AVERAGES and score:
        return f"{_AVERAGES[average]} {label_of(score)}"
    try:
        named = find_score(name)
    except ValueError:
        return name
    return name if named.complement else named.score.label


def _enumeration(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}" if words else ""
