"""Assessments side by side, and agreement."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from assay.checklists.comparison import agreement, compare
from assay.checklists.filled import Filled, filled_of
from assay.errors import InputError

# Fell et al. 2022, Table 1: which steps three papers describe completely (c), partly (p), not at all (m).
STEPS = ["1", "3", "4", "5", "6", "7", "6b", "8", "6a", "8a", "9", "10", "11", "12"]
TABLE_1 = {
    "Wang": "m m p c p m p c m m p c n p",
    "Lee": "m p m m p m n p p m p n p p",
    "Liu": "c p n p p c c p n c c c n c",
}
MEANS = [0.333, 0.333, 0.25, 0.5, 0.5, 0.333, 0.75, 0.667, 0.25, 0.333, 0.667, 1.0, 0.5, 0.667]
WORD = {"c": "complete", "p": "partial", "m": "missing", "n": "not applicable"}
CHECKLIST = """title = "Steps of Table 1"
version = "1"
source = "Fell et al. 2022"
answer = "scale"
scale = [{name="complete", value=1}, {name="partial", value=0.5}, {name="missing", value=0}]
[[section]]
title = "Steps"
"""


@pytest.fixture
def assessments(tmp_path) -> list[Filled]:
    items = "".join(f'[[section.item]]\nid = "{s}"\ntitle = "{s}"\nasks = "{s}?"\n' for s in STEPS)
    (tmp_path / "steps.toml").write_text(CHECKLIST + items)
    made = []
    for paper, letters in TABLE_1.items():
        answers = "".join(f'  "{s}": {WORD[x]}\n' for s, x in zip(STEPS, letters.split(), strict=True))
        text = f"checklist: steps.toml\nsubject: {paper}\nanswers:\n{answers}"
        made.append(filled_of(text, f"{paper}.yaml", beside=tmp_path))
    return made


def test_the_published_assessment_of_three_papers_is_reproduced(assessments: list[Filled]):
    [table] = compare(assessments)
    assert table.columns == ("item", "about", "Wang", "Lee", "Liu", "mean")
    assert [row[-1] for row in table.rows[:-1]] == MEANS
    assert table.rows[0][2:5] == ("missing", "missing", "complete")


def test_two_assessments_are_compared_with_kappa(assessments: list[Filled]):
    _, table = compare(assessments[:2])
    assert [row[1] for row in table.rows] == [14, 11]
    low, kappa, high = table.rows[0][4], table.rows[0][3], table.rows[0][5]
    assert low < kappa < high  # type: ignore[operator]


def test_assessments_of_different_checklists_are_not_compared(assessments: list[Filled]):
    other = filled_of("checklist: reforms\n", "r.yaml")
    with pytest.raises(InputError, match="one checklist"):
        compare([assessments[0], other])


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=2, max_size=30), st.booleans())
def test_kappa_is_that_of_scikit_learn(pairs: list[tuple[str, str]], weighted: bool):
    one, other = [a for a, _ in pairs], [b for _, b in pairs]
    found = agreement(one, other, "abc" if weighted else "")
    assume(found.kappa is not None)
    known = cohen_kappa_score(
        one, other, labels=list("abc") if weighted else None, weights="linear" if weighted else None
    )
    assert found.kappa == pytest.approx(known)
    assert found.low is not None
    assert found.high is not None
    assert -1 <= found.low <= found.kappa + 1e-12
    assert found.kappa - 1e-12 <= found.high <= 1


def test_the_interval_is_that_of_a_worked_example():
    # 85 patients, counts 20, 5 / 10, 15 scaled: kappa .4, standard error .1275 (Fleiss, Cohen and Everitt's formula).
    one = ["a"] * 25 + ["b"] * 25
    other = ["a"] * 20 + ["b"] * 5 + ["a"] * 10 + ["b"] * 15
    found = agreement(one, other)
    assert found.kappa == pytest.approx(0.4)
    assert found.low == pytest.approx(0.4 - 1.96 * 0.1275, abs=0.003)


@pytest.mark.parametrize("pairs", [[], [("a", "a")], [("a", "a"), ("a", "a")]])
def test_kappa_without_variety_is_not_defined(pairs: list[tuple[str, str]]):
    assert agreement([a for a, _ in pairs], [b for _, b in pairs]).kappa is None
