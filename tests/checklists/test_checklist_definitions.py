"""The checklists that ship, and files of the user's own."""

from pathlib import Path

import pytest

from assay.checklists.files import checklist_of, load, shipped
from assay.errors import InputError
from assay.rules import all_rules

OWN = """
title = "Ours"
version = "1"
source = "our lab"
answer = "choice"

[[section]]
title = "Animals"
[[section.item]]
id = "1"
title = "Which"
asks = "Which animal?"
choices = ["cat", "dog"]
[[section.item]]
id = "2"
title = "How many"
asks = "How many?"
answer = "number"
"""


ITEMS = {
    "whole-slide": 15,
    "model-info-sheet": 21,
    "reforms": 32,
    "ml-reproducibility": 21,
    "code-completeness": 5,
    "discrepancies": 50,
    "gundersen-kjensmo": 16,
}


@pytest.mark.parametrize(("name", "items"), ITEMS.items())
def test_a_shipped_checklist_has_the_official_number_of_items(name: str, items: int):
    assert len(load(name)) == items


def test_there_is_no_other():
    assert set(shipped()) == set(ITEMS)


def test_the_two_steps_the_paper_forgot_are_marked_as_additions():
    assert [item.id for item in load("whole-slide") if item.addition] == ["6a", "6b", "8a"]


def test_modules_of_reforms_have_their_official_sizes():
    assert [len(section.items) for section in load("reforms").sections] == [3, 5, 7, 3, 6, 3, 3, 2]


def test_every_rule_that_an_item_names_exists():
    known = {rule.code for rule in all_rules()}
    named = {(name, code) for name in shipped() for item in load(name) for code in item.codes}
    assert {(name, code) for name, code in named if code not in known} == set()


def test_a_checklist_of_ones_own_is_read(tmp_path: Path):
    (tmp_path / "ours.toml").write_text(OWN)
    ours = load(str(tmp_path / "ours.toml"))
    assert ours.accepted(next(iter(ours))) == ("cat", "dog", "not applicable")
    assert load("ours.toml", beside=tmp_path).title == ours.title


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ('id = "2"', 'id = "1"', "item 1 is there twice"),
        ('choices = ["cat", "dog"]', "", "fewer than two choices"),
        ('answer = "choice"', 'answer = "scale"', "the checklist has none"),
        ('title = "Ours"', "", "title"),
        ('title = "Ours"', 'titel = "Ours"', 'unknown key "titel"'),
        ('id = "2"', 'id = "two words"', "section.0.item.1.id"),
        ('answer = "number"', 'answer = "numbre"', "section.0.item.1.answer"),
        ("[[section]]", "[section", "not valid TOML"),
        (
            OWN,
            OWN + '[[contradiction]]\nall = [{ item = "9", says = ["x"] }]\nmessage = "m"\nasks = "a"',
            'names item "9"',
        ),
        (OWN, OWN + '[[contradiction]]\nall = [{ item = "1" }]\nmessage = "m"\nasks = "a"', "what it says"),
    ],
)
def test_a_checklist_that_does_not_hang_together_is_refused_in_words(before: str, after: str, said: str):
    with pytest.raises(InputError, match=said):
        checklist_of(OWN.replace(before, after, 1), "ours", "ours.toml")


def test_an_unknown_name_is_answered_with_the_nearest():
    with pytest.raises(InputError, match='Did you mean "reforms"'):
        load("reform")
