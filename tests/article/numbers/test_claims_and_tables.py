"""Claims to be best, and rows that two tables repeat: what is contradicted, and what honest papers write."""

import pytest

from assay.article.numbers import clashes
from assay.article.numbers.claims import is_running_text
from assay.article.numbers.clash import ClashKind
from assay.article.reading.markup import read_markdown

TABLE = """
| Method | Accuracy | Error rate |
|---|---|---|
| Forest | 0.902 | 0.098 |
| Boosting | 0.951 | 0.049 |
| DeepThing | 0.934 | 0.066 |
| Human expert | 0.990 | 0.010 |
"""


def kinds(text: str, table: str = TABLE) -> list[ClashKind]:
    return [clash.kind for clash in clashes(read_markdown(f"# Results\n\n{text}\n\n{table}", "p.md"))]


@pytest.mark.parametrize(
    "text",
    [
        "DeepThing achieves the highest accuracy.",
        "The best accuracy was obtained by DeepThing.",
        "In our study DeepThing has the lowest error rate.",
    ],
)
def test_a_claim_to_be_best_is_compared_with_the_table(text: str):
    assert kinds(text) == [ClashKind.BEST]


@pytest.mark.parametrize(
    "text",
    [
        "Boosting achieves the highest accuracy.",
        "DeepThing achieves the second highest accuracy.",
        "DeepThing achieves the highest accuracy among the neural networks.",
        "DeepThing achieves the highest accuracy on the validation set.",
        "DeepThing achieves the best trade-off of accuracy and cost.",
        "DeepThing outperforms all linear methods in accuracy.",
        "We expect DeepThing to reach the highest accuracy.",
        "DeepThing achieves the highest accuracy of all networks, but Boosting is better.",
        "In [1], DeepThing had the highest accuracy.",
        "The highest accuracy of DeepThing in one epoch was 0.95.",
    ],
)
def test_other_sentences_about_the_best_are_left_alone(text: str):
    assert kinds(text) == []


def test_rows_of_other_sets_do_not_compete():
    table = """
| Method | Data | Accuracy |
|---|---|---|
| Forest | A | 0.90 |
| DeepThing | A | 0.93 |
| Boosting | A | 0.91 |
| Forest | B | 0.97 |
| Boosting | B | 0.98 |
"""
    assert kinds("DeepThing achieves the highest accuracy.", table) == []


TWICE = """
| Method | Accuracy | Recall | AUC |
|---|---|---|---|
| Forest | 0.902 | 0.871 | 0.913 |
| DeepThing | 0.934 | 0.912 | 0.951 |

Then we left parts out.

| Method | Accuracy | Recall | AUC |
|---|---|---|---|
| DeepThing | {} |
| without depth | 0.921 | 0.899 | 0.942 |
"""


@pytest.mark.parametrize(
    ("row", "found"),
    [
        ("0.934 | 0.921 | 0.951", True),
        ("0.934 | 0.912 | 0.951", False),
        ("93.4 | 91.2 | 95.1", False),
        ("0.93 | 0.91 | 0.95", False),
        ("0.917 | 0.899 | 0.940", False),
        ("0.934 | 0.899 | 0.940", False),
    ],
    ids=["one slip", "same", "in percent", "fewer digits", "another set", "two differ"],
)
def test_a_row_in_two_tables_may_differ_in_all_figures_but_not_in_one(row: str, found: bool):
    assert kinds("", TWICE.format(row)) == [ClashKind.REPEAT] * found


def test_three_parts_are_not_read_as_two():
    assert kinds("We made 10 splits (8 for training, 1 for validation and 1 for test).", "") == []


def test_sizes_times_counts_are_no_parts():
    assert kinds("There were 50 runs (5 different sizes, 10 datasets for each).", "") == []


def test_means_and_spreads_in_a_table_of_sums_are_left_alone():
    rows = [
        "| | Train | Test | Total |",
        "|---|---|---|---|",
        "| Patients | 40 | 10 | 50 |",
        "| Notes | 90 | 30 | 120 |",
    ]
    rows += ["| Women | 21 | 6 | 27 |", "| Mean age | 63.9 | 64.1 | 63.9 |", "| Deaths | 4 | 1 | 5 |"]
    assert kinds("", "\n".join(rows)) == []


def test_cells_among_the_text_of_a_pdf_are_no_sentence():
    assert not is_running_text("(%) F1 (%) ±10% LaBSE Cos.")
    assert is_running_text("LaBSE reaches an F1 of 53.7 % on the test set.")
