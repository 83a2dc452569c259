"""The sentence that the score page offers for a review."""

import pytest

from assay.findings import Judgement, Report, Verdict
from assay.scores.pasted import Row, read_pasted
from assay.web.sentences import label_of, review_sentence

REPORT = """              precision    recall  f1-score   support
         cat       0.91      0.91      0.91        55
         dog       0.91      0.80      0.85        50
         fox       0.84      0.96      0.90        45
    accuracy                           0.89       150
   macro avg       0.89      0.89      0.89       150
"""


def sentence(row: Row, verdict: Verdict) -> str:
    return review_sentence(row, Report("scores", judgements=(Judgement("scores", verdict, "said"),)))


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("f1[0]", "F1 of class 1"),
        ("ppv[2]", "positive predictive value of class 3"),
        ("f1_macro", "macro-averaged F1"),
        ("acc", "accuracy"),
        ("rmse", "rmse"),
    ],
)
def test_scores_of_classes_and_averages_have_names_that_authors_know(name: str, label: str) -> None:
    assert label_of(name) == label


def test_a_whole_report_is_counted_and_not_listed() -> None:
    [row] = read_pasted(REPORT).rows
    assert f"({len(row.scores)} figures)" in sentence(row, Verdict.CONSISTENT)


def test_what_the_authors_printed_is_not_asked_for() -> None:
    matrix = read_pasted("TP=100, FN=5, FP=10, TN=50, accuracy 0.95").rows[0]
    errors = read_pasted("RMSE 4.13, MAE 5.20 on 93 houses").rows[0]
    plain = read_pasted("accuracy 0.455, recall 0.45, 49 positives, 80 negatives").rows[0]
    asked = [sentence(row, Verdict.INCONSISTENT).rpartition("Could")[2] for row in (matrix, errors, plain)]
    assert [("which of" in text, "predictions" in text) for text in asked] == [
        (True, False),
        (False, True),
        (False, False),
    ]
