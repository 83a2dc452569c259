"""Rules can be browsed, searched and read in full."""

import pytest
from visitor import Visitor, words

from assay.rules import all_rules


def test_every_rule_is_listed_and_explained(house: Visitor) -> None:
    page = house.get("/rules").text
    for rule in all_rules():
        assert f'href="/rules/{rule.code}"' in page
    for rule in all_rules()[::25]:
        said = words(house.get(f"/rules/{rule.code}").text)
        assert rule.code in said
        assert str(rule.source).split()[0] in said


def test_a_search_finds_rules_by_all_of_its_words(house: Visitor) -> None:
    found = words(house.get("/rules", params={"q": "confusion matrix", "instrument": "scores"}).text)
    assert "S101" in found
    assert "L1.1" not in found


def test_a_search_in_place_gets_only_the_list(house: Visitor) -> None:
    answer = house.piece("/rules?q=leak")
    assert "<html" not in answer.text
    assert "/rules/L1.1" in answer.text


def test_a_search_that_finds_nothing_says_what_to_try(house: Visitor) -> None:
    assert "Try fewer" in house.get("/rules?q=zebra+unicorn").text


def test_an_unknown_rule_is_not_found_and_the_nearest_is_named(house: Visitor) -> None:
    answer = house.get("/rules/S10")
    assert answer.status_code == 404
    assert "There is no such page" in answer.text
    assert "S10" in words(answer.text)


@pytest.mark.parametrize("path", ["/nowhere", "/audits/none", "/checklists/none", "/static/../app.py"])
def test_what_is_not_there_is_a_page_that_says_so(house: Visitor, path: str) -> None:
    answer = house.get(path)
    assert answer.status_code == 404
    assert "Assay" in answer.text
