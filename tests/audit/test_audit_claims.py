"""What a sentence claims, and what it only seems to."""

from fractions import Fraction

import pytest

from assay.audit.claims import claims_in
from assay.audit.examples import crossing_of
from assay.audit.facts import Origin, Topic
from assay.audit.rules import crossing
from assay.findings import Location


def claimed(text: str) -> dict[Topic, Fraction | None]:
    return {claim.topic: claim.value for claim in claims_in([(text, Location("paper.tex", 1))], Origin.PAPER)}


@pytest.mark.parametrize(
    ("text", "topic", "value"),
    [
        ("All random seeds were fixed.", Topic.SEEDED, None),
        ("We used a fixed seed throughout.", Topic.SEEDED, None),
        ("We trained with random seed 42.", Topic.SEEDED, None),
        ("We fixed all random seeds, of the split and of the weights.", Topic.SEEDED, None),
        ("Folds were stratified by diagnosis.", Topic.STRATIFIED, None),
        ("We performed a patient-wise split.", Topic.GROUPED, None),
        ("The images were split at the level of patients.", Topic.GROUPED, None),
        ("In this split, no patient is in both parts.", Topic.GROUPED, None),
        ("We report five-fold cross-validation.", Topic.FOLDS, Fraction(5)),
        ("We ran 10-fold stratified cross validation.", Topic.FOLDS, Fraction(10)),
        ("We used cross-validation with 3 folds.", Topic.FOLDS, Fraction(3)),
        ("We kept aside 20 % of the images for testing.", Topic.SHARE, Fraction(1, 5)),
        ("30% of the data was used for testing.", Topic.SHARE, Fraction(3, 10)),
        ("We used an 80/20 split.", Topic.SHARE, Fraction(1, 5)),
        ("Images were divided by a 70:30 stratified train-test split.", Topic.SHARE, Fraction(3, 10)),
        ("A ratio of 90/10 was used for the training and test partitions.", Topic.SHARE, Fraction(1, 10)),
        ("Our code is publicly available on GitHub.", Topic.CODE, None),
        ("The data have been made available.", Topic.DATA, None),
        ("The trained models are provided.", Topic.MODEL, None),
        ("All dependencies are pinned.", Topic.PINNED, None),
        ("The exact versions of all packages are in requirements.txt.", Topic.PINNED, None),
    ],
)
def test_a_claim_is_read_with_its_number(text: str, topic: Topic, value: Fraction | None) -> None:
    found = claimed(text)
    assert topic in found
    assert found[topic] == value


@pytest.mark.parametrize(
    "text",
    [
        "Seeds were not fixed.",
        "The code will be available upon request.",
        "The data are available upon reasonable request.",
        "Future work could use five-fold cross-validation.",
        "The split could not be stratified.",
        "We split hairs over seeds of doubt.",
        "The split-folders function was imported to partition each dataset with the same seed.",
        "Images were shuffled with a fixed random seed.",
        "A 90/20 split makes no sense.",
        "Weights compensate for the 73/27 class split.",
        "",
    ],
)
def test_what_is_denied_planned_or_something_else_is_no_claim(text: str) -> None:
    assert {topic for topic, value in claimed(text).items() if topic is not Topic.SHARE or value} == set()


def test_only_the_topics_that_are_asked_for_are_read() -> None:
    sentence = ("All random seeds were fixed and the code is available.", Location("README.md", 1))
    assert [c.topic for c in claims_in([sentence], Origin.README, [Topic.CODE])] == [Topic.CODE]


def test_a_hostile_text_takes_no_time() -> None:
    long = "no " * 40_000 + "patient " * 40_000
    assert list(claims_in([(long, Location("p", 1))] * 20, Origin.PAPER)) == []


def test_tables_in_which_most_figures_differ_report_different_experiments() -> None:
    paper = "==> paper.md <==\n# Results\n\n| Method | Accuracy | Sensitivity |\n|---|---|---|\n| A | 0.91 | 0.82 |\n"
    readme = (
        "==> README.md <==\n# A\n\n## Results\n\n| Method | Accuracy | Sensitivity |\n|---|---|---|\n| A | {} | {} |\n"
    )
    different, misprint = (crossing_of(paper + readme.format(*row)) for row in (("0.71", "0.62"), ("0.91", "0.62")))
    assert [f.code for f in crossing.run(different) if f.code == "X205"] == []
    assert [f.code for f in crossing.run(misprint) if f.code == "X205"] == ["X205"]
