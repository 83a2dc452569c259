"""The generated parts of the documentation of scores say what the code does."""

import re

from generate_scores import PICTURES, page, picture

from assay.scores.definitions import COMPLEMENTS, SCORES, find_score


def test_every_score_is_in_the_table_under_names_that_are_understood() -> None:
    rows = [line for line in page().splitlines() if line.startswith("| `")]
    assert len(rows) == len(SCORES) + len(COMPLEMENTS)
    for row in rows:
        name, _, _, synonyms = (cell.strip(" `") for cell in row.strip("|").split("|")[:4])
        assert {find_score(synonym) for synonym in synonyms.split(", ") if synonym} <= {find_score(name)}


def test_what_zero_over_zero_counts_as_is_told_by_kind() -> None:
    told = {re.findall(r"`([^`]+)`", row)[0]: row.rsplit(" | ", 1)[1] for row in page().splitlines() if "| `" in row}
    assert told["acc"].startswith("never 0/0")
    assert told["ppv"].startswith("0 or 1 |")
    assert told["sens"].startswith("0 or 1; only if a class is missing")
    assert told["bacc"].startswith("the recall of the class that occurs, 0 or 1; only")
    assert told["mcc"].startswith("0, 1 or -1 |")


def test_pictures_show_what_their_names_say() -> None:
    titles = {"possible": "2 whole-number points lie in all 3 bands", "impossible": "no point in common"}
    for path, words in PICTURES.items():
        assert titles[re.split(r"[-.]", path)[1]] in picture(words)
