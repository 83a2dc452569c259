"""Figures that are possible only under unusual conventions have a verdict and a finding of their own."""

import pytest

from assay.findings import Verdict
from assay.scores.check import check
from assay.scores.compilation import experiment_of
from assay.scores.reading import read_words

MIXTURE = "p=6 n=44 folds=5 aggregation=mean acc=0.36 sens=0.20 spec=0.36 bacc=0.80"
WITHOUT_A_CLASS = "p=5 n=20 folds=5 aggregation=mean acc=0.88 sens=0.20 spec=1.00"


@pytest.mark.parametrize(
    ("words", "condition"),
    [
        (MIXTURE, "0/0 counts differently in different scores"),
        (WITHOUT_A_CLASS, "some folds lack one of the classes"),
    ],
)
def test_the_condition_is_named_with_the_reading_that_fails(words, condition):
    result = check(read_words(words.split()))
    assert result.verdict is Verdict.CONDITIONAL
    assert condition in result.condition
    report = result.report()
    assert [finding.code for finding in report.findings] == ["S106"]
    certificates = [piece.text for piece in report.findings[0].evidence]
    assert any("each with both classes" in text or "both" in text for text in certificates)
    assert report.to_dict()["judgements"][0]["verdict"] == "conditional"
    assert result.decisive.answer.witness


@pytest.mark.parametrize(
    "words",
    [
        "p=5 n=20 folds=5 aggregation=mean acc=0.84 sens=0.20 spec=1.00",
        "p=38 n=262 folds=5 acc=0.9633 sens=0.9139 spec=0.9733",
        # who says that any folds may have been cut has settled the question
        "p=5 n=20 folds=5 fold_model=any aggregation=mean acc=0.88 sens=0.20 spec=1.00",
        "p=10 n=10 sens=0.00 spec=1.00 ppv=0.00",
        # scikit-learn counts the recall of the class that is present as balanced accuracy, and 0 as F1
        "p=3 n=20 folds=5 aggregation=mean fold_model=any bacc=0.695 bacc_min=0.375 ppv=0.000 f1=0.000",
    ],
)
def test_usual_conventions_stay_consistent(words):
    assert check(read_words(words.split())).verdict is Verdict.CONSISTENT


def test_several_datasets_are_read_with_both_classes_too():
    dataset = {"p": 6, "n": 44, "folds": 5, "aggregation": "mean"}
    data = {
        "datasets": [dataset, dataset],
        "aggregation": "mean",
        "scores": {"acc": "0.36", "sens": "0.20", "spec": "0.36", "bacc": "0.80"},
    }
    result = check(experiment_of(data, where="test"))
    assert result.verdict is Verdict.CONDITIONAL
    assert any("each with" in hypothesis.reading for hypothesis in result.hypotheses)
