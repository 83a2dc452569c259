"""Scores are understood as people paste them, digit by digit."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import InputError
from assay.web.pasting import LONGEST, MOST_ROWS, Row, known_name, read_pasted


def one(text: str) -> Row:
    [row] = read_pasted(text).rows
    return row


SIZES = (("p", "38"), ("n", "262"))


@pytest.mark.parametrize(
    ("text", "scores"),
    [
        ("Acc 94.5%, Sens 0.913", {"acc": "94.5%", "sens": "0.913"}),
        ("Accuracy: 0.9450; recall = .91", {"acc": "0.9450", "sens": ".91"}),
        ("an accuracy of 94.5 % and a precision of 0.80", {"acc": "94.5%", "ppv": "0.80"}),
        ("acc=0.940 f1=0.4004", {"acc": "0.940", "f1": "0.4004"}),
        ("acc=0.94,sens=0.91", {"acc": "0.94", "sens": "0.91"}),
        ("F1-score 0,91 und MCC −0,20", {"f1": "0.91", "mcc": "-0.20"}),
        ("AUC 0.95 sens 1 spec 100", {"auc": "0.95", "sens": "1", "spec": "100%"}),
        ("acc 0.94 ± 0.02, sens 91.3±1.2", {"acc": "0.94 ± 0.02", "sens": "91.3% ± 1.2%"}),
        ("error rate 5.5%, FPR 0.1", {"errorrate": "5.5%", "fpr": "0.1"}),
        ("accuracy 0.94 (95% CI 0.90-0.93)", {"acc": "0.94"}),
    ],
)
def test_scores_of_a_line(text: str, scores: dict[str, str]) -> None:
    assert dict(one(text).scores) == scores


@pytest.mark.parametrize(
    "sizes",
    [
        "38 positives, 262 negatives",
        "p = 38, n = 262",
        "p=38 n=262",
        "38 malignant and 262 benign",
        "38 cases and 262 controls",
        "positives: 38; negatives: 262",
    ],
)
def test_sizes_of_the_classes(sizes: str) -> None:
    row = one(f"acc 0.9, sens 0.8\n{sizes}")
    assert row.words[:2] == SIZES
    assert row.total is None


@pytest.mark.parametrize("size", ["n = 300", "n=300", "N=300", "300 images", "on 300 test cases"])
def test_a_number_of_items_alone_is_the_size_of_the_whole(size: str) -> None:
    row = one(f"acc 0.9 sens 0.8 {size}")
    assert row.total == 300
    assert "n" not in dict(row.words)


def test_thousands_and_folds_are_read() -> None:
    words = dict(one("acc 0.9, 5-fold cross-validation, 1,016 negatives and 284 positives").words)
    assert words == {"acc": "0.9", "folds": "5", "n": "1016", "p": "284"}


def test_n_of_a_regression_and_of_classes_stays_what_it_is() -> None:
    assert dict(one("task=regression n=100 mae=2.50 rmse=2.10").words)["n"] == "100"
    assert dict(one("classes=50,50,50 acc=0.94 recall_macro=0.95").words)["classes"] == "50,50,50"


@pytest.mark.parametrize(
    "table",
    [
        "Model\tAccuracy (%)\tSensitivity (%)\nSVM\t87.2\t81.3\nOurs\t95.1\t93.1",
        "| Model | Accuracy (%) | Sensitivity (%) |\n|---|---|---|\n| SVM | 87.2 | 81.3 |\n| Ours | 95.1 | 93.1 |",
        r"Model & Accuracy (\%) & Sensitivity (\%) \\ \hline" + "\n" + r"SVM & 87.2 & 81.3 \\" + "\n"
        r"Ours & \textbf{95.1} & 93.1 \\",
        "Model,Accuracy (%),Sensitivity (%)\nSVM,87.2,81.3\nOurs,95.1,93.1",
        "Model   Accuracy (%)   Sensitivity (%)\nSVM     87.2   81.3\nOurs    95.1   93.1",
    ],
    ids=["tabs", "markdown", "latex", "csv", "spaces"],
)
def test_tables_however_their_cells_are_cut(table: str) -> None:
    rows = read_pasted(f"{table}\n38 positives, 262 negatives").rows
    assert [row.name for row in rows] == ["SVM", "Ours"]
    assert rows[1].words == (*SIZES, ("acc", "95.1%"), ("sens", "93.1%"))


def test_sizes_in_columns_belong_to_their_rows() -> None:
    rows = read_pasted("Set\tAcc\tSens\tp\tn\nA\t0.9\t0.8\t10\t20\nB\t0.9\t0.8\t30\t40").rows
    assert [dict(row.words)["p"] for row in rows] == ["10", "30"]


def test_lines_that_name_the_same_scores_are_rows() -> None:
    rows = read_pasted("Model A: Acc 0.9, Sens 0.8\nModel B: Acc 0.91, Sens 0.82").rows
    assert [row.name for row in rows] == ["Model A", "Model B"]


def test_lines_with_different_scores_are_one_row() -> None:
    assert len(one("acc 0.9\nsens 0.8\nspec 0.7").scores) == 3


def test_fields_of_the_form_outweigh_the_text() -> None:
    [row] = read_pasted("acc 0.9, 38 positives, 262 negatives", [("p", "40"), ("folds", "")]).rows
    assert dict(row.words)["p"] == "40"


def test_what_is_not_understood_is_told() -> None:
    assert read_pasted("acc 0.9, zeal 0.7").unread == ("zeal 0.7",)


def test_much_is_refused_and_many_rows_are_cut() -> None:
    with pytest.raises(InputError, match="too much to paste"):
        read_pasted("x" * (LONGEST + 1))
    pasted = read_pasted("Model\tAcc\tSens\n" + "A\t0.9\t0.8\n" * (MOST_ROWS + 3))
    assert len(pasted.rows) == MOST_ROWS
    assert "3 further rows" in pasted.unread


def test_names_that_are_no_scores_are_none() -> None:
    assert known_name("Balanced accuracy (%)") == "bacc"
    assert known_name("Epoch") is None


@given(st.text(alphabet=st.sampled_from("acsenp=:0123456789.,%±-+&|\t\n ()\\{}N"), max_size=200))
def test_any_text_is_read_or_refused_in_words(text: str) -> None:
    for row in read_pasted(text).rows:
        assert row.scores
