"""True rows in honest papers: whatever the paper counts and averages, no row is called impossible."""

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.article.reading.markup import read_markup
from assay.audit.paper_scores import check_scores
from examples_tried import a_third_of

Matrix = tuple[int, int, int, int]
"""True positives, false negatives, false positives, true negatives."""


def scores_of(tp: int, fn: int, fp: int, tn: int) -> list[Fraction]:
    """Accuracy, precision, recall, specificity and F1."""
    return [
        share(tp + tn, tp + fn + fp + tn),
        share(tp, tp + fp),
        share(tp, tp + fn),
        share(tn, fp + tn),
        share(2 * tp, 2 * tp + fp + fn),
    ]


def share(part: int, whole: int) -> Fraction:
    return Fraction(part, whole) if whole else Fraction(0)


def matrix(random: Random, p: int, q: int) -> Matrix:
    tp, tn = random.randint(0, p), random.randint(0, q)
    return tp, p - tp, q - tn, tn


def mean(rows: list[list[Fraction]]) -> list[Fraction]:
    return [sum(column, Fraction(0)) / len(rows) for column in zip(*rows, strict=True)]


def pooled(random: Random, p: int, q: int) -> list[Fraction]:
    return scores_of(*matrix(random, p, q))


def macro(random: Random, p: int, q: int) -> list[Fraction]:
    tp, fn, fp, tn = matrix(random, p, q)
    return mean([scores_of(tp, fn, fp, tn), scores_of(tn, fp, fn, tp)])


def over_parts(random: Random, p: int, q: int) -> list[Fraction]:
    """The mean over five parts: folds, or images with their own pixels."""
    return mean([scores_of(*matrix(random, max(1, p // 5), max(1, q // 5))) for _ in range(5)])


def other_set(random: Random, p: int, q: int) -> list[Fraction]:
    return scores_of(*matrix(random, random.randint(1, 400), random.randint(1, 400)))


MADE = {"pooled": pooled, "macro": macro, "parts": over_parts, "other": other_set}
HONEST = (
    # how rows were made, the text, the caption, the label of each row
    ("pooled", "", "Results on the test set of {p} positives and {q} negatives", "Model"),
    ("pooled", "The test set has {p} positives and {q} negatives.", "Results on the test set", "Model"),
    ("pooled", "We test on {n:,} images ({p} positive).", "Test results", "Model"),
    ("pooled", "We ran 3 seeds with batches of 32 samples and 10 examples per class.", "Test results", "Model"),
    ("macro", "The test set has {p} positives and {q} negatives.", "Macro-averaged results on the test set", "Model"),
    ("macro", "", "Results on the test set of {p} positives and {q} negatives (macro averages)", "Model"),
    ("parts", "We use 5-fold cross-validation.", "Results on {p} positives and {q} negatives", "Model"),
    ("parts", "Scores are averaged over the images.", "Per-image segmentation of {n} images", "Model"),
    ("parts", "There are {p} patients and {q} controls.", "Mean over subjects", "Model"),
    ("other", "The test set has {p} positives and {q} negatives.", "Results on the training set", "Training run"),
    ("other", "The test set has {p} positives and {q} negatives.", "Results of earlier work, as published", "Smith"),
    ("other", "For training we use {p} positive and {q} negative samples.", "Results on the test set", "Model"),
    ("other", "Each patient has {p} positive and {q} negative tiles.", "Slide-level test results", "Model"),
    ("other", "Earlier work tested on {p} positives and {q} negatives [4].", "Test results", "Model"),
    ("other", "The test set has {p} to {q} positives per fold.", "Test results", "Model"),
    ("other", "The validation set has {p} positives and {q} negatives.", "Results on the test set", "Model"),
)


def page(text: str, caption: str, rows: list[tuple[str, list[str]]]) -> str:
    head = "".join(f"<th>{name}</th>" for name in ("Method", "Accuracy", "Precision", "Recall", "Specificity", "F1"))
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in (name, *cells)) + "</tr>" for name, cells in rows)
    table = f"<table><caption>{caption}</caption><tr>{head}</tr>{body}</table>"
    return f"<h2>Data</h2><p>{text}</p><h2>Results</h2>{table}"


def printed(value: Fraction, digits: int, padding: int) -> str:
    return f"{float(round(value, digits)):.{digits}f}" + "0" * padding


@pytest.mark.no_cover
@settings(max_examples=a_third_of(40), deadline=None)
@given(
    st.integers(5, 5000),
    st.sampled_from(HONEST),
    st.tuples(st.integers(2, 4), st.integers(0, 2), st.integers(1, 4)),
    st.integers(0, 2**32),
)
def test_no_honest_row_is_called_impossible(
    total: int, paper: tuple[str, str, str, str], layout: tuple[int, int, int], seed: int
):
    made, text, caption, label = paper
    digits, padding, count = layout
    random = Random(seed)
    p = random.randint(1, total - 1)
    sizes = {"p": p, "q": total - p, "n": total}
    rows = [
        (f"{label} {at}", [printed(v, digits, padding) for v in MADE[made](random, p, total - p)])
        for at in range(count)
    ]
    found = check_scores(read_markup(page(text.format(**sizes), caption.format(**sizes), rows), "p.html"))
    conditional = "cross-validation" in text  # a caption that counts items, and folds in the text: a warning asks
    assert {finding.code for finding in found.findings} <= ({"S120"} if conditional else set())


def test_a_whole_percent_from_another_paper_is_not_taken_for_two_digits_more():
    """69 %, 47 % and 56 % are precise to a percent, though a table may print them as 69.00, 47.00 and 56.00."""
    rows = [("Nye", ["84.00", "61.00", "70.00"]), ("Brockmeier", ["69.00", "47.00", "56.00"])]
    head = "<tr><th>Method</th><th>P</th><th>R</th><th>F1</th></tr>"
    body = "".join("<tr>" + "".join(f"<td>{c}</td>" for c in (name, *cells)) + "</tr>" for name, cells in rows)
    found = check_scores(read_markup(f"<h2>Results</h2><table>{head}{body}</table>", "p.html"))
    assert found.clean


@pytest.mark.parametrize(("stated", "blamed"), [(177, True), (176, False)])
def test_accuracies_of_one_other_number_of_images_point_to_it(stated: int, blamed: bool):
    """Ten published accuracies are all shares of 176 images, and the paper counts 177."""
    figures = ("34.66", "28.98", "28.41", "19.32", "17.61", "79.55", "76.14", "72.73", "68.18", "51.14")
    body = "".join(f"<tr><td>m{at}</td><td>{figure}%</td></tr>" for at, figure in enumerate(figures))
    table = f"<table><caption>Benchmark (Test Set)</caption><tr><th>Model</th><th>Accuracy</th></tr>{body}</table>"
    text = "To evaluate the methods in a controlled setting, we took a subset of 1,176 images."
    sets = f"<ul><li>Training Set: 823 images</li><li>Test Set: {stated} images</li></ul>"
    found = check_scores(read_markup(f"<h2>Data</h2><p>{text}</p>{sets}<h2>Results</h2>{table}", "p.html"))
    assert [finding.code for finding in found.findings] == ["S121"] * blamed


def test_accuracies_that_are_all_multiples_of_five_percent_point_to_nothing():
    body = "".join(f"<tr><td>m{at}</td><td>{figure}.00%</td></tr>" for at, figure in enumerate((90, 85, 80, 75, 95)))
    table = f"<table><caption>Test Set</caption><tr><th>Model</th><th>Accuracy</th></tr>{body}</table>"
    found = check_scores(read_markup(f"<h2>Data</h2><p>Test set: 177 images.</p><h2>Results</h2>{table}", "p.html"))
    assert found.clean


def test_accuracies_of_few_patients_point_to_no_other_number_of_their_items():
    figures = ("100.00", "75.00", "25.00", "50.00")
    body = "".join(f"<tr><td>m{at}</td><td>{figure}</td></tr>" for at, figure in enumerate(figures))
    table = f"<table><caption>Results on the test set.</caption><tr><th>Model</th><th>Accuracy</th></tr>{body}</table>"
    text = "The test set has 14 tweets of 4 patients. Predictions were averaged for each patient."
    found = check_scores(read_markup(f"<h2>Methods</h2><p>{text}</p><h2>Results</h2>{table}<p>{text}</p>", "p.html"))
    assert found.clean
