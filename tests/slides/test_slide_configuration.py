"""A configuration is a complete record: typed, validated, and the answer to the checklist."""

from __future__ import annotations

from pathlib import Path

import pytest

from assay import cli
from assay.checklists.files import load
from assay.checklists.filled import read_filled
from assay.errors import InputError
from assay.slides.configuration import Configuration, configuration_of, read_configuration, shipped
from assay.slides.configuration.answers import answers
from assay.slides.configuration.files import parsed_change, read_pipeline

TABLE_1 = """
System specification,         red,    red,    green
Dataset splitting,            red,    yellow, yellow
Stain normalisation,          yellow, red,    NA
Tissue segmentation,          green,  red,    yellow
Patch extraction,             yellow, yellow, yellow
Patch labelling,              red,    red,    green
Patch augmentation,           yellow, NA,     green
Patch classification,         green,  yellow, yellow
Hard negative mining,         red,    yellow, NA
Heatmap generation,           red,    red,    green
Whole slide classification,   yellow, yellow, green
Lesion level classification,  green,  NA,     green
Patient level classification, NA,     yellow, NA
Reported metrics,             yellow, yellow, green
"""
"""Fell et al. 2022, Table 1: Wang, Lee, Liu."""
COLOURS = {"green": "complete", "yellow": "partial", "red": "missing", "NA": "not applicable"}


@pytest.mark.parametrize(("column", "name"), [(1, "wang"), (2, "lee"), (3, "liu")])
def test_marked_assumptions_give_the_grades_of_table_1(column: int, name: str) -> None:
    rows = [[cell.strip() for cell in line.split(",")] for line in TABLE_1.strip().splitlines()]
    steps = {item.id: item.step for item in load("whole-slide") if item.step}
    given = {steps[a.item]: a.answer for a in answers(read_configuration(name), name) if a.item in steps}
    assert len(given) == 14
    assert given == {row[0]: COLOURS[row[column]] for row in rows}


def test_every_assumption_of_the_three_papers_says_why() -> None:
    for name in ("wang", "lee", "liu"):
        for one in read_configuration(name).steps():
            reasons = (*one.step.assumed.values(), *one.step.departs.values())
            assert all(len(reason) > 7 for reason in reasons), (name, one.title)


def test_shipped_default_spells_out_the_defaults() -> None:
    spelt, bare = read_configuration("default"), Configuration()
    told = {"title", "source", "system"}
    assert spelt.model_dump(exclude=told) == bare.model_dump(exclude=told)


@pytest.mark.parametrize("name", shipped())
def test_steps_answer_every_item_of_the_checklist(name: str, tmp_path: Path) -> None:
    assert {a.item for a in answers(read_pipeline(name), name)} == {item.id for item in load("whole-slide")}
    assert cli.main(["slides", "checklist", name, str(tmp_path / "filled.yaml")]) == 0
    filled = read_filled(tmp_path / "filled.yaml")
    assert all(answer.given for answer in filled.answers)
    assert all(answer.reason for answer in filled.answers if not answer.applies)


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("patches.sise", 32, 'Did you mean "size"'),
        ("patches.size", 0, "Give 8 or more"),
        ("labels.rule", "half", "'any', 'centre' or 'share'"),
        ("split.train", 1.5, "Give 1 or less"),
        ("split.validation", 0.9, "more than everything"),
        ("augmentation.crop", 100, "larger than patches.size"),
        ("stain.assumed", {"colour": "x"}, "no choice of this step"),
        ("seed.of", 1, "is no key"),
    ],
)
def test_a_wrong_choice_is_refused_with_its_name(key: str, value: object, said: str) -> None:
    with pytest.raises(InputError) as error:
        read_configuration("default", {"seed": 1, key: value})
    assert said in str(error.value)


def test_a_resolution_takes_the_place_of_a_level_and_back() -> None:
    finer = read_configuration("default", {"patches.um_per_pixel": 4.0})
    assert (finer.patches.level, finer.patches.um_per_pixel) == (None, 4.0)
    text = "[patches]\num_per_pixel = 4.0\n"
    assert configuration_of(text, "x", {"patches.level": 1}).patches.level == 1


@pytest.mark.parametrize("text", ["[patches", "x = " + "[" * 5_000, "patches = 3"])
def test_broken_toml_is_bad_input(text: str) -> None:
    with pytest.raises(InputError):
        configuration_of(text, "broken.toml")


def test_changes_are_typed_as_in_the_file() -> None:
    assert parsed_change("patches.size=32") == ("patches.size", 32)
    assert parsed_change("labels.rule=any") == ("labels.rule", "any")
    assert parsed_change('metrics.sets=["test"]') == ("metrics.sets", ["test"])
    with pytest.raises(InputError, match="changes nothing"):
        parsed_change("patches.size")


def test_an_unknown_name_suggests_a_shipped_one() -> None:
    with pytest.raises(InputError, match='Did you mean "wang"'):
        read_configuration("wangg")
