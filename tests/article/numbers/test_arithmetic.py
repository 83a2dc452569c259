"""Checks that need no confusion matrix: what they find, and honest tables and sentences that they leave alone."""

from collections.abc import Iterable

import pytest

from assay.article.numbers import clashes
from assay.article.numbers.clash import ClashKind
from assay.article.reading.markup import read_markdown


def kinds(text: str) -> list[ClashKind]:
    return [clash.kind for clash in clashes(read_markdown(f"# Results\n\n{text}\n", "p.md"))]


def table(head: str, rows: Iterable[str], caption: str = "") -> str:
    columns = head.count("|") + 1
    lines = [f"| {head} |", "|" + "---|" * columns, *(f"| {row} |" for row in rows)]
    return (f"Table: {caption}\n\n" if caption else "") + "\n".join(lines)


CLASSES = ["cat | 0.90 | 0.80 | 0.85 | 0.95", "dog | 0.80 | 0.70 | 0.75 | 0.91"]
HEAD = "Class | Precision | Recall | F1 | AUC"


@pytest.mark.parametrize("label", ["Average", "Mean", "avg.", "Macro avg"])
def test_a_mean_that_is_none_of_its_rows_is_found(label: str):
    assert kinds(table(HEAD, [*CLASSES, f"{label} | 0.88 | 0.75 | 0.80 | 0.93"])) == [ClashKind.SUMMARY]


@pytest.mark.parametrize(
    "row",
    [
        "Average | 0.85 | 0.75 | 0.80 | 0.93",
        "Weighted avg | 0.88 | 0.75 | 0.80 | 0.93",
        "Average | 0.87 | 0.77 | 0.82 | 0.94",  # weighted without saying so
        "Average | 0.86 | 0.75 | 0.80 | 0.93",  # rounded twice
        "Ours | 0.88 | 0.75 | 0.80 | 0.93",
        "Average | - | 0.75 | 0.80 | 0.93",
    ],
)
def test_honest_summary_rows_are_left_alone(row: str):
    assert kinds(table(HEAD, [*CLASSES, row])) == []


def test_a_mean_column_is_checked_against_its_row():
    rows = ["A | 80.0 | 90.0 | 85.0", "B | 70.0 | 80.0 | 75.0", "C | 60.0 | 64.0 | 62.0", "D | 50.0 | 60.0 | 58.0"]
    assert kinds(table("Method | Set1 | Set2 | Avg.", rows)) == [ClashKind.SUMMARY]
    rows[-1] = "D | 50.0 | 60.0 | 55.0"
    assert kinds(table("Method | Set1 | Set2 | Avg.", rows)) == []


def test_totals_are_sums_of_whole_numbers():
    rows = ["A | 10 | 20 | 30 | 5", "B | 11 | 22 | 33 | 6", "Total | 21 | 42 | 63 | 12"]
    assert kinds(table("Set | w | x | y | z", rows)) == [ClashKind.SUMMARY]
    rows[-1] = "Total | 21 | 42 | 63 | 11"
    assert kinds(table("Set | w | x | y | z", rows)) == []


BOLD = ["A | 0.90 | 0.91", "B | 0.88 | {}", "C | **0.91** | **0.94**", "D | 0.87 | 0.92"]


@pytest.mark.parametrize(
    ("caption", "other", "found"),
    [
        ("Best results in bold", "0.95", True),
        ("Best results in bold", "0.93", False),
        ("Results (bold: our method)", "0.95", False),
        ("Best in bold, second best underlined", "0.95", False),
        ("Results", "0.95", False),
    ],
)
def test_bold_is_best_only_where_the_caption_says_so(caption: str, other: str, found: bool):
    text = table("Method | Accuracy | AUC", [row.format(other) for row in BOLD], caption)
    assert kinds(text) == [ClashKind.BOLD] * found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It improves the accuracy from 80.0% to 84.0%, a gain of 6.0 points.", True),
        ("It improves the accuracy from 80.0% to 84.0%, a gain of 4.0 points.", False),
        ("It improves the accuracy from 80.0% to 84.0% (5% relative).", False),
        ("The error falls from 20.0% to 16.0%, a reduction of 20%.", False),
        ("The score rises from 0.80 to 0.84 (4 points).", False),
        ("The score rises by 5.0% from 80.0% to 84.0%.", False),
        ("The accuracy rises by 9.0% from 80.0% to 84.0%.", True),
        ("It improves from 80.0% to 84.0%, about 6 points.", False),
        ("Raising the rate from 10 to 20 gains up to 3.0 points.", False),
        ("It improves from 80.04% to 84.06%, by 4.0 points.", False),
        ("A and B improve from 80% to 84% and from 70% to 75%, by 9.0 points.", False),
    ],
)
def test_a_change_follows_from_its_two_figures(text: str, found: bool):
    assert (ClashKind.GAIN in kinds(text)) is found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("We use 70% for training, 15% for validation and 20% for testing.", True),
        ("We use 70% for training, 15% for validation and 15% for testing.", False),
        ("We use 33.3% for training, 33.3% for validation and 33.3% for testing.", False),
        ("A 70/15/20 split was used.", True),
        ("A 70:20:10 split was used.", False),
        ("Split at 12:30:45 today.", False),
        ("The ratio was 10:20:30.", False),
    ],
)
def test_the_shares_of_a_split_add_up(text: str, found: bool):
    assert (ClashKind.SPLIT in kinds(text)) is found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("For the five-class task the chance level is 25%.", True),
        ("For the four-class task the chance level is 25%.", False),
        ("For the 3-class task the chance level is 33.3%.", False),
        ("The chance level is 25%.", False),
        ("The chance level is about 40% for the five-class task.", False),
    ],
)
def test_chance_depends_on_the_number_of_classes(text: str, found: bool):
    assert (ClashKind.CHANCE in kinds(text)) is found


SHARES = ["cat | 50 (25.0%)", "dog | 30 ({}%)", "cow | 80 (40.0%)", "hen | 40 (20.0%)"]


@pytest.mark.parametrize(("share", "found"), [("15.0", False), ("18.0", True), ("15.1", False)])
def test_shares_in_a_column_are_those_of_its_counts(share: str, found: bool):
    rows = [row.format(share) for row in SHARES]
    assert kinds(table("Class | Images", rows)) == [ClashKind.COLUMN] * found
    apart = [row.replace(" (", " | ").replace("%)", "") for row in rows]
    assert kinds(table("Class | Images | %", apart)) == [ClashKind.COLUMN] * found


def test_shares_that_are_of_something_else_are_left_alone():
    rows = ["cat | 50 | 91.0", "dog | 30 | 84.0", "cow | 80 | 77.0", "hen | 40 | 95.0"]
    assert kinds(table("Class | Images | %", rows)) == []


@pytest.mark.parametrize(
    "text",
    [
        "We train on 3 of 10 folds (90% training data).",
        "We used 3 of 10 folds (about 40%).",
        "Method X labels 17 of 30 papers (57%).",
    ],
)
def test_what_is_no_share_of_its_counts_is_not_read_as_one(text: str):
    assert kinds(text) == []


BODY = "We describe what we did. " * 20 + "\n\n" + table("Method | Accuracy | Recall", ["Ours | 0.934 | 0.91"])


@pytest.mark.parametrize(
    ("claim", "found"),
    [
        ("We reach an accuracy of 94.3% on the test set.", True),
        ("We reach an accuracy of 93.4% on the test set.", False),
        ("We reach 93.4% accuracy.", False),
        ("We reach an accuracy of 0.93.", False),
        ("We reach an accuracy of 94.3%, surpassing the baseline by 1.8%.", True),
        ("It improves accuracy by 4.3% accuracy points.", False),
        ("We reach an accuracy of over 92.5%.", False),
        ("Accuracy is high.", False),
    ],
)
def test_a_score_of_the_abstract_is_found_in_the_paper(claim: str, found: bool):
    text = f"# A study\n\n## Abstract\n\n{claim}\n\n## Results\n\n{BODY}\n"
    made = [clash.kind for clash in clashes(read_markdown(text, "p.md"))]
    assert (ClashKind.ABSTRACT in made) is found


@pytest.mark.parametrize(("share", "found"), [("75.93", False), ("74.93", True)])
def test_shares_of_a_whole_of_which_the_table_leaves_out_rows(share: str, found: bool):
    rows = [
        f"benign | 1,594,545 | {share}",
        "scan | 159,066 | 7.57",
        "flood | 158,468 | 7.55",
        "other | 187,010 | 8.91",
    ]
    assert kinds(table("Label | Count | %", rows)) == [ClashKind.COLUMN] * found


def test_counts_in_a_cell_give_its_share():
    assert kinds(table("Set | Right", ["A | 15 / 117 (20.1%)", "B | 30 of 60 (50.0 %)"])) == [ClashKind.SHARE]
    assert kinds(table("Set | Right", ["A | 15 / 117 (12.8%)", "B | 30 of 60 (50.0 %)"])) == []
