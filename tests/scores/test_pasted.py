"""Pasted scores become experiments with every printed digit, or say why they do not."""

import sys
from pathlib import Path

import pytest

from assay.cli import main
from assay.findings import Verdict
from assay.scores.check import check
from assay.scores.compilation import experiment_of
from assay.scores.pasted import LONGEST, MOST_ROWS, Row, read_pasted, report_of_pasted
from assay.scores.reading import words_as_data

sys.path.insert(0, str(Path(__file__).parents[1] / "reported"))
from printed_forms import forms


def one(text: str) -> Row:
    [row] = read_pasted(text).rows
    return row


def verdict(row: Row) -> Verdict:
    return check(experiment_of(words_as_data(f"{name}={value}" for name, value in row.words), where="")).verdict


@pytest.mark.parametrize(
    ("text", "scores"),
    [
        ("Acc 94.5%, Sens 0.913", {"acc": "94.5%", "sens": "0.913"}),
        ("Accuracy: 0.9450; recall = .91", {"acc": "0.9450", "sens": "0.91"}),
        ("an accuracy of 94.5 % and a precision of 0.80", {"acc": "94.5%", "ppv": "0.80"}),
        ("acc=0.940 f1=0.4004", {"acc": "0.940", "f1": "0.4004"}),
        ("F1-score 0,91 und MCC −0,20", {"f1": "0.91", "mcc": "-0.20"}),
        ("AUC 0.95 sens 1 spec 100", {"auc": "0.95", "sens": "1", "spec": "100%"}),
        ("error rate 5.5%, FPR 0.1", {"err": "5.5%", "fpr": "0.1"}),
        ("accuracy 0.94 (95% CI 0.90-0.97)", {"acc": "0.94"}),
    ],
)
def test_scores_of_a_line(text: str, scores: dict[str, str]) -> None:
    assert dict(one(text).scores) == scores


@pytest.mark.parametrize("size", ["n = 300", "n=300", "N=300", "300 images", "on 300 test cases"])
def test_a_number_of_items_alone_is_the_size_of_the_whole(size: str) -> None:
    row = one(f"acc 0.9 sens 0.8 {size}")
    assert row.total == 300
    assert "n" not in dict(row.words)


def test_folds_and_thousands_are_read() -> None:
    words = dict(one("acc 0.9, 5-fold cross-validation, 1,016 negatives and 284 positives").words)
    assert words == {"acc": "0.9", "folds": "5", "n": "1016", "p": "284"}


def test_fields_of_the_form_outweigh_the_text() -> None:
    [row] = read_pasted("acc 0.9, 38 positives, 262 negatives", [("p", "40"), ("folds", "")]).rows
    assert dict(row.words)["p"] == "40"


def test_a_matrix_is_read_in_the_order_that_gives_the_scores() -> None:
    for text in ("[[8 1]\n [3 7]] sensitivity 0.70", "[[7 3]\n [1 8]] sensitivity 0.70"):
        words = dict(one(text).words)
        assert (words["tp"], words["fn"], words["p"], words["n"]) == ("7", "3", "10", "9")


def test_a_mean_without_a_number_of_folds_is_tested_as_a_mean() -> None:
    words = dict(one("accuracy 0.90 ± 0.02, sensitivity 0.80 ± 0.03, 10 positives, 10 negatives").words)
    assert words == {"aggregation": "mean", "acc": "0.90", "sens": "0.80"}


@pytest.mark.parametrize(
    ("text", "obstacle"),
    [
        ("acc 0.9, zeal 0.7, p=10 n=10", "One number is not explained (0.7)"),
        ("macro F1 0.9", "How many items of each class"),
        ("MAE 2.5", "How many items were predicted?"),
        ("accuracy above 0.9", "None of these scores is tested."),
        (
            "19 cases, 10 positives and 9 negatives; after excluding 2 cases accuracy was 82.4%.",
            "The text gives several",
        ),
        ("Class A: precision 0.70, recall 0.88. 10 positives, 9 negatives.", "How many items of each class"),
        ("F1 (class 0) 0.80, 10 positives, 9 negatives", "How many items of each class"),
        ("Model|Acc|Acc\nA|0.9|0.8", "acc is given twice, as 0.9 and 0.8"),
    ],
)
def test_what_cannot_be_tested_says_why(text: str, obstacle: str) -> None:
    assert one(text).obstacle.startswith(obstacle)


@pytest.mark.no_cover
@pytest.mark.no_cover
def test_many_rows_are_cut_and_a_long_text_is_read_as_far_as_allowed() -> None:
    pasted = read_pasted("Model\tAcc\tSens\n" + "A\t0.9\t0.8\n" * (MOST_ROWS + 3))
    assert (len(pasted.rows), pasted.left_out) == (MOST_ROWS, ("3 further rows",))
    assert "characters" in read_pasted("x " * LONGEST).left_out[0]


@pytest.mark.no_cover
@pytest.mark.parametrize("part", ["development", "frozen"])
@pytest.mark.parametrize(("least", "most"), [(5, 12), (9, 60), (100, 400)])
def test_no_true_form_is_called_impossible(part: str, least: int, most: int) -> None:
    wrong = [
        form.text
        for form in forms(part, seed=least, least=least, most=most)
        for row in read_pasted(form.text).rows
        if not row.obstacle and row.total is None and verdict(row) is Verdict.INCONSISTENT
    ]
    assert wrong == []


def test_a_change_gives_two_rows() -> None:
    rows = read_pasted("Sensitivity rose from 70.0% to 80.0% (10 positives, 9 negatives).").rows
    assert [dict(row.scores) for row in rows] == [{"sens": "70.0%"}, {"sens": "80.0%"}]


def test_impossible_prose_is_called_impossible() -> None:
    text = "90.0% accuracy, 80.0% sensitivity and 80.0% specificity, 100 positives, 200 negatives"
    assert verdict(one(text)) is Verdict.INCONSISTENT


def test_overlap_of_areas_is_not_counted_in_images() -> None:
    """An IoU over pixels may have any value, however many images there are."""
    row = one("19 images (10 positive), accuracy 78.9%, AUC 0.86, IoU 0.63")
    assert dict(row.scores) == {"acc": "78.9%", "auc": "0.86"}
    assert verdict(row) is Verdict.CONSISTENT


def test_overlaps_alone_are_compared_with_each_other_without_sizes() -> None:
    row = one("Dice 0.90 and IoU 0.50 on 30 images (12 with lesions)")
    assert not {"p", "n"} & dict(row.words).keys()
    assert verdict(row) is Verdict.INCONSISTENT
    assert verdict(one("Dice 0.90 and IoU 0.82 on 30 images")) is not Verdict.INCONSISTENT


@pytest.mark.no_cover
def test_a_line_with_thousands_of_numbers_is_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    endless = tmp_path / "endless.txt"
    endless.write_text("Scores:\n" + "accuracy 0.9, " * 200_000)
    assert main(["scores", "read", str(endless)]) == 0
    assert "everything after the first 200,000 characters" in " ".join(capsys.readouterr().out.split())


MATRIX = "[[50 3 2]\n [4 40 6]\n [1 1 43]]\n"


@pytest.mark.parametrize(
    ("scores", "verdict"),
    [
        ("Accuracy: 0.887", Verdict.CONSISTENT),
        ("Accuracy: 0.887\nmacro F1 0.885", Verdict.CONSISTENT),
        ("accuracy 0.887, AUC 0.97", Verdict.CONSISTENT),
        ("Accuracy: 0.934", Verdict.INCONSISTENT),
        ("Accuracy: 0.887\nweighted F1 0.934", Verdict.INCONSISTENT),
    ],
)
def test_a_matrix_of_several_classes_gives_the_verdict(scores: str, verdict: Verdict) -> None:
    report = report_of_pasted(read_pasted(MATRIX + scores))
    assert [judgement.verdict for judgement in report.judgements] == [verdict]
    assert [finding.code for finding in report.findings] == (["S103"] if verdict is Verdict.INCONSISTENT else [])


@pytest.mark.parametrize(
    "text",
    [
        "[[95 3 2]\n [4 90 6]\n [1 1 98]]\nAccuracy: 0.914",  # rows in percent: the classes may differ in size
        MATRIX + "mean accuracy over 5 folds: 0.91 ± 0.02",
    ],
)
def test_a_matrix_that_may_be_about_something_else_accuses_nobody(text: str) -> None:
    report = report_of_pasted(read_pasted(text))
    assert Verdict.INCONSISTENT not in {judgement.verdict for judgement in report.judgements}


def test_the_classes_of_a_report_without_accuracy_need_not_be_all_there_are() -> None:
    """Items have several labels, or a choice of labels was scored: the predictions do not add up to the items."""
    report = """
              precision    recall  f1-score   support

           0     0.6667    0.5000    0.5714         4
           1     0.7500    0.7500    0.7500         4

   micro avg     0.7143    0.6250    0.6667         8
   macro avg     0.7083    0.6250    0.6607         8
weighted avg     0.7083    0.6250    0.6607         8
 samples avg     0.4583    0.4722    0.4583         8
"""
    rows = [row for row in read_pasted(report).rows if not row.obstacle]
    assert [dict(row.words)["p"] for row in rows] == ["4", "4"]
    assert [verdict(row) for row in rows] == [Verdict.CONSISTENT] * 2
    wrong = read_pasted(report.replace("0.6667    0.5000", "0.6667    0.6000")).rows
    assert verdict(wrong[0]) is Verdict.INCONSISTENT
