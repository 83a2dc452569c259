"""Claims about numbers in running text."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.article.numbers import clashes
from assay.article.numbers.claims import rounds_to
from assay.article.reading.markup import read_markdown


def found(text: str) -> list[tuple[str, str]]:
    return [(c.said, c.follows) for c in clashes(read_markdown(text, "p.md"))]


@pytest.mark.parametrize(
    ("text", "follows"),
    [
        ("We reproduced 17 of 30 papers (55 %).", "56.67 %"),
        ("Of these, 1,234 out of 2,000 test images (64%) failed.", "61.7 %"),
        ("The rate was 45.5% (11/22).", "50 %"),
        ("That is 55 % (n = 17 of 30).", "56.67 %"),
    ],
)
def test_a_share_that_does_not_follow_is_found(text: str, follows: str):
    assert [f for _, f in found(text)] == [follows]


@pytest.mark.parametrize(
    "text",
    [
        "We reproduced 17 of 30 papers (57 %).",
        "We reproduced 17 of 30 papers (56 %).",  # cut off
        "We reproduced 17 of 30 papers (56.7 %).",
        "In 1 of 8 runs (12.5%), and in 1 of 8 runs (13%), and in 1 of 8 (12%).",
        "We set 3 of 4 layers, 50 % dropout and 17/30 of nothing.",
        "There were 100 patients (60 men and 40 women).",
        "There were 100 patients (aged 60 and 41 years).",
        "Figure 3 of 10 (see 20 %)",
    ],
)
def test_what_is_right_or_no_claim_is_left_alone(text: str):
    assert found(text) == []


def test_parts_that_do_not_add_up_are_found():
    assert found("We had 100 patients (60 men and 41 women).") == [("100", "60 + 41 = 101")]


def test_claims_about_others_are_left_to_them():
    assert found("Smith et al. (2019) reproduced 17 of 30 papers (55 %).") == []


TABLE = (
    "\n\n| Method | Accuracy (%) | Recall |\n|---|---|---|\n| DeepThing | 94.5 | 0.91 |\n| Baseline | 90.0 | 0.8 |\n"
)


@pytest.mark.parametrize(
    ("text", "clash"),
    [
        ("DeepThing reaches an accuracy of 95.4 %.", True),
        ("DeepThing reaches an accuracy of 94.5 %.", False),
        ("DeepThing reaches an accuracy of 0.945.", False),
        ("DeepThing beats Baseline by 4.5 points of accuracy.", False),
        ("DeepThing reaches a recall of 0.91.", False),
        ("DeepThing needs 3.5 hours.", False),
        ("The accuracy of others is 95.3 %.", False),
        ("Both fail on some images, Baseline more often (F1 = 0.42) and DeepThing (accuracy = 95.4 %) less.", True),
        ("Both fail on some images, Baseline more often (F1 = 0.42) and DeepThing (accuracy = 94.5 %) less.", False),
        ("One more method has the highest accuracy (97.5%), followed by DeepThing (94.5%).", False),
    ],
)
def test_text_is_held_against_the_table_when_both_name_the_same_thing(text: str, clash: bool):
    assert bool(found(text + TABLE)) is clash


@given(st.integers(0, 500), st.integers(1, 500), st.integers(0, 3))
def test_no_honest_share_is_questioned(part: int, whole: int, digits: int):
    value = Fraction(100 * min(part, whole), whole)
    scaled = value * 10**digits
    for shown in {round(scaled), int(scaled), int(scaled + Fraction(1, 2))}:
        printed = f"{shown / 10**digits:.{digits}f}"
        assert rounds_to(value, printed)
