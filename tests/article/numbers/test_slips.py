"""A figure of a sentence that differs by a slip from the table, in the ways that people write such sentences."""

import pytest

from assay.article.numbers import clashes
from assay.article.numbers.slips import figure_of, is_slip
from assay.article.reading.markup import read_markdown

FILLER = "We describe the data and the settings of the models that were built for this study. " * 20
PAPER = f"""# A study

## Abstract

{{abstract}}

## Results

{FILLER}

{{text}}

| Method | Accuracy | Precision | Recall | F1 |
|---|---|---|---|---|
| Forest | 88.1 | 86.4 | 84.9 | 85.6 |
| Boosting | 90.7 | 89.2 | 87.5 | 88.3 |
| DeepThing | 93.4 | 91.8 | 90.6 | 91.2 |
"""


def found(text: str = "", abstract: str = "We study models.") -> list[str]:
    return [clash.said for clash in clashes(read_markdown(PAPER.format(text=text, abstract=abstract), "p.md"))]


WRONG = (
    "DeepThing reaches an accuracy of 94.3%.",
    "The accuracy of DeepThing is 94.3%.",
    "DeepThing (accuracy 94.3%) needs no other data.",
    "With 94.3% accuracy, DeepThing is ahead of all other methods.",
    "DeepThing achieves an accuracy of 0.943 on these data.",
    "Forest, Boosting and DeepThing reach accuracies of 88.1%, 90.7% and 94.3%, respectively.",
    "DeepThing obtains 93.4% accuracy, 91.8% precision and 96.0% recall.",
    "DeepThing improves the accuracy from 90.7% to 93.4%, a gain of 3.7 points.",
    "DeepThing outperforms Boosting by 3.7 points of accuracy (93.4% vs. 90.7%).",
    "Accuracy rises by 3.7 percentage points, from 90.7% to 93.4%.",
    "Compared with Boosting (90.7%), DeepThing gains 3.7 points in accuracy and reaches 93.4%.",
    "DeepThing beats Boosting by 3.7 points of accuracy.",
    "The highest recall of 91.6% is that of DeepThing.",
    "Boosting achieves the highest accuracy.",
    "Forest has the best F1.",
    "The F1-score of DeepThing is 92.1%.",
    "The F1 score of 92.1% (precision 91.8%, recall 90.6%) shows that both kinds of error are rare.",
    "The error falls from 9.3% to 6.6%, a reduction of 92%.",
    "In terms of F1, Boosting scores 83.8 and Forest 85.6.",
    "We reach 93.4% accuracy (F1 = 92.1%) with this model.",
    "DeepThing is right in 17 of 30 of these cases (55%).",
)
NOT_FOUND = {"DeepThing beats Boosting by 3.7 points of accuracy."}


@pytest.mark.parametrize("text", WRONG)
def test_a_slip_is_found_in_most_wordings(text: str) -> None:
    assert bool(found(text)) is (text not in NOT_FOUND)


def test_a_slip_in_the_abstract_is_found() -> None:
    assert found(abstract="DeepThing reaches an accuracy of 94.3% on the test set.") == ["94.3"]


@pytest.mark.parametrize(
    "text",
    [
        "DeepThing reaches an accuracy of 93.4%.",
        "DeepThing reaches an accuracy of 93% and a recall of 0.906.",
        "On the validation data DeepThing reached an accuracy of 95.8%.",
        "Forest, Boosting and DeepThing reach accuracies of 88.1%, 90.7% and 93.4%, respectively.",
        "DeepThing improves the accuracy from 90.7% to 93.4%, a gain of 2.7 points.",
        "DeepThing outperforms Boosting by 2.7 points of accuracy (93.4% vs. 90.7%).",
        "DeepThing achieves the highest accuracy.",
        "Forest has the lowest accuracy.",
        "Boosting has the lowest accuracy.",
        "The mean accuracy of the three methods is 90.7%.",
        "DeepThing needs an accuracy of at least 94.3% to be of use.",
        "Smith et al. (2019) report an accuracy of 94.3% for DeepThing.",
        "DeepThing gains 2.7 points in accuracy, and 3.1 points in recall, over Boosting (90.7% and 87.5%).",
        "The error of DeepThing is 6.6%, a reduction of 29% from 9.3%.",
        "In five runs, the accuracy of DeepThing was between 93.1% and 93.7%.",
    ],
)
def test_true_sentences_are_left_alone(text: str) -> None:
    assert found(text) == []


def test_a_sentence_of_figures_that_no_table_shows_is_about_something_else() -> None:
    assert found("With three layers the precision of DeepThing is 71.3%, with five 85.7% and with nine 98.1%.") == []


def test_a_figure_of_another_score_in_the_same_line_is_not_meant() -> None:
    head = "| Task | High P. Low R. | High P. |\n|---|---|---|\n"
    rows = "| Precision @0.1, bleeding | 0.324 | 0.351 |\n| Precision @0.1, stroke | 0.211 | 0.295 |\n"
    text = "For bleeding, its recall@0.1 increases by 8.85% to 0.384 on these data.\n\n"
    assert list(clashes(read_markdown(f"# Results\n\n{text}{head}{rows}", "p.md"))) == []


@pytest.mark.parametrize(
    ("figure", "right", "slip"),
    [
        ("94.3", "93.4", True),
        ("0.943", "93.4", True),
        ("93.5", "93.4", False),
        ("83.4", "93.42", True),
        ("93.42", "93.4", False),
        ("0.93", "0.94", False),
        ("61.7", "93.4", False),
    ],
)
def test_a_slip_is_one_wrong_digit_or_two_swapped_ones(figure: str, right: str, slip: bool) -> None:
    assert is_slip(figure_of(figure), figure_of(right)) is slip


def test_another_score_does_not_explain_a_figure() -> None:
    tables = "| Other | Recall |\n|---|---|\n| Forest, later | 94.3 |\n"
    text = PAPER.format(text="DeepThing reaches an accuracy of 94.3%.", abstract="We study models.")
    assert [clash.said for clash in clashes(read_markdown(f"{text}\n\n{tables}", "p.md"))] == ["94.3"]
    same = tables.replace("Recall", "Accuracy")
    assert list(clashes(read_markdown(f"{text}\n\n{same}", "p.md"))) == []
