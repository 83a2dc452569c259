"""Sentences that seem to contradict a table, and do not: other languages, tables in a PDF's text, other tables."""

from assay.article.numbers import clashes
from assay.article.numbers.claims import is_english, is_running_text
from assay.article.numbers.clash import ClashKind
from assay.article.reading.markup import read_markdown
from assay.article.reading.paper import Paper

TABLE = "| Method | Accuracy | Recall |\n|---|---|---|\n| DeepThing | 0.945 | 0.91 |\n"


def kinds(text: str) -> list[ClashKind]:
    return [clash.kind for clash in clashes(read_markdown(text, "paper.md"))]


def paper(text: str) -> Paper:
    return read_markdown(text, "paper.md")


def test_a_difference_in_another_language_is_no_contradiction() -> None:
    filler = "Chúng tôi mô tả dữ liệu và cách đánh giá của hệ thống này. " * 12
    text = f"# Kết quả\n\n{filler}DeepThing có accuracy thấp hơn 0.020.\n\n{TABLE}"
    assert not is_english(paper(text).sentences)
    assert kinds(text) == []


def test_an_english_sentence_is_still_compared() -> None:
    filler = "We describe the data and the evaluation of the system that was built for this study. " * 12
    assert kinds(f"# Results\n\n{filler}DeepThing reaches an accuracy of 0.954.\n\n{TABLE}") == [ClashKind.TABLE]


def test_a_table_that_a_text_layer_put_into_a_sentence_is_no_sentence() -> None:
    text = "Metric value precision 94.23% recall 89.33% Table 13: Metrics of the best model on the test set."
    assert not is_running_text(text)
    assert is_running_text("The best model in Table 13 reaches a precision of 94.23% on the test set.")


def test_a_figure_of_another_table_was_taken_from_there() -> None:
    other = "| Metric | Value |\n|---|---|\n| Accuracy | 0.925 |\n| Recall | 0.90 |\n"
    text = f"# Results\n\nDeepThing reaches an accuracy of 0.925 on the test set.\n\n{TABLE}\nMore.\n\n{other}"
    assert kinds(text) == []


def test_an_abstract_is_compared_with_decimal_commas_too() -> None:
    filler = "We describe the data and the settings of the model. " * 20
    text = (
        f"# A study\n\n## Abstract\n\nThe pseudo-R^2 was 0,071 for poverty.\n\n## Results\n\n{filler}"
        "It explains more (0,071).\n\n| Model | R2 |\n|---|---|\n| size | 0,010 |\n"
    )
    assert kinds(text) == []
