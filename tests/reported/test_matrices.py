"""Printed confusion matrices of any size and layout, and the scores that follow from them."""

from fractions import Fraction

import pytest

from assay.reported import read_text
from assay.reported.matrices import readings_of
from assay.reported.model import Axis

THREE = ((50, 3, 2), (4, 40, 6), (1, 1, 43))
LAYOUTS = {
    "LaTeX with a divided corner": (
        (
            "\\begin{table}\\caption{Confusion matrix of the SVM}\n\\begin{tabular}{lrrr}\n"
            "True / Predicted & cat & dog & fox \\\\\ncat & 50 & 3 & 2 \\\\\ndog & 4 & 40 & 6 \\\\\n"
            "fox & 1 & 1 & 43 \\\\\n"
            "\\end{tabular}\\end{table}"
        ),
        THREE,
        Axis.TRUE,
    ),
    "LaTeX with numbered classes": (
        (
            "\\begin{table}\\caption{Confusion matrix}\n\\begin{tabular}{l|rrr}\n"
            " & 1 & 2 & 3 \\\\\n1 & 50 & 3 & 2 \\\\\n2 & 4 & 40 & 6 \\\\\n3 & 1 & 1 & 43 \\\\\n"
            "\\end{tabular}\\end{table}"
        ),
        THREE,
        Axis.UNSTATED,
    ),
    "Markdown with sums": (
        (
            "| | Predicted cat | Predicted dog | Predicted fox | Total |\n|---|---|---|---|---|\n"
            "| Actual cat | 50 | 3 | 2 | 55 |\n| Actual dog | 4 | 40 | 6 | 50 |\n| Actual fox | 1 | 1 | 43 | 45 |\n"
            "| Total | 55 | 44 | 51 | 150 |"
        ),
        THREE,
        Axis.TRUE,
    ),
    "predictions as rows": (
        "| | Actual no | Actual yes |\n|---|---|---|\n| Predicted no | 1,050 | 10 |\n| Predicted yes | 5 | 100 |",
        ((1050, 10), (5, 100)),
        Axis.PREDICTED,
    ),
    "fixed width with numbered classes": (
        "              Predicted 0  Predicted 1\nActual 0          10           2\nActual 1          1           23\n",
        ((10, 2), (1, 23)),
        Axis.TRUE,
    ),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_matrix_is_read(layout: str) -> None:
    text, counts, axis = LAYOUTS[layout]
    reading = read_text(text)
    [matrix] = reading.matrices
    assert (matrix.counts, matrix.rows_are) == (counts, axis)
    assert reading.complete


def test_counts_under_other_headings_are_no_matrix() -> None:
    text = "| Set | Train | Test |\n|---|---|---|\n| cat | 50 | 3 |\n| dog | 4 | 40 |\n"
    assert read_text(text).matrices == ()


def test_scores_follow_from_a_matrix_in_every_reading() -> None:
    text, _, _ = LAYOUTS["Markdown with sums"]
    [matrix] = read_text(text).matrices
    scores = {reading.words: reading.scores for reading in readings_of(matrix)}
    assert scores["as means over the classes"]["acc"] == Fraction(133, 150)
    assert scores["as means over the classes"]["sens"] == (Fraction(50, 55) + Fraction(40, 50) + Fraction(43, 45)) / 3
    assert scores["as means weighted by class size"]["sens"] == Fraction(133, 150)
    assert scores['for the class "dog"']["ppv"] == Fraction(40, 44)


def test_a_matrix_without_words_for_its_axes_is_read_both_ways() -> None:
    rows = "& a & b \\\\ a & 8 & 2 \\\\ b & 1 & 9 \\\\"
    table = f"\\caption{{Confusion matrix}}\\begin{{tabular}}{{lrr}} {rows} \\end{{tabular}}"
    [matrix] = read_text(f"\\begin{{table}}{table}\\end{{table}}").matrices
    assert matrix.rows_are is Axis.UNSTATED
    assert {reading.scores["sens"] for reading in readings_of(matrix)} >= {Fraction(8, 10), Fraction(8, 9)}
