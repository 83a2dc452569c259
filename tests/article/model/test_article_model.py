"""The Article Model: its table, its metric, its kin."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.article.model import Grade, Record, all_parts, article_model, attainable, degrees, gaps, variables

PARTS = all_parts()
COMPONENTS = {component.id: component for component in article_model()}
GRADES = st.fixed_dictionaries(
    {}, optional={part.id: st.sampled_from([None, *sorted(part.values)]) for part in PARTS.values()}
)


def record(**values: float | None) -> Record:
    return Record({key.replace("_", "-"): Grade(None if v is None else Fraction(v)) for key, v in values.items()})


def test_the_model_has_eleven_components_and_every_part_once():
    assert len(COMPONENTS) == 11
    assert len(PARTS) == sum(len(component.parts) for component in COMPONENTS.values())


def test_scales_fall_from_one_to_zero():
    for part in PARTS.values():
        values = [value for value, _ in part.grades]
        assert values == sorted(values, reverse=True)
        assert part.counted or (values[0], values[-1]) == (1, 0)


def test_the_two_questions_about_code_count_as_one():
    assert record(language=1, libraries=1, method_code=1, code_version=0).component(
        COMPONENTS["implementation"]
    ) == Fraction(5, 6)


def test_what_does_not_apply_is_neither_zero_nor_one():
    implementation = COMPONENTS["implementation"]
    assert record(language=1, libraries=None).component(implementation) == 1
    assert record(libraries=None).component(implementation) is None
    assert record().metric is None


@pytest.mark.parametrize(
    ("component", "count"), [("method", 9), ("pseudocode", 3), ("partitioned-data", 25), ("experiment-result", 3)]
)
def test_the_number_of_attainable_values_is_known(component: str, count: int):
    assert len(attainable(COMPONENTS[component])) == count


def test_a_printed_value_above_one_is_not_attainable():
    near = [v for v in attainable(COMPONENTS["implementation"]) if abs(v - Fraction("1.17")) <= Fraction(1, 200)]
    assert near == []


@given(GRADES)
def test_every_record_has_attainable_components_and_a_metric_within_bounds(values: dict[str, Fraction | None]):
    made = Record({key: Grade(value) for key, value in values.items()})
    for component in COMPONENTS.values():
        metric = made.component(component)
        assert metric is None or metric in attainable(component)
    assert made.metric is None or 0 <= made.metric <= 1
    assert {part.id for part in made.missing} == PARTS.keys() - values.keys()
    for degree in degrees(made).values():
        assert degree is None or 0 <= degree <= 1


def test_the_sixteen_variables_follow_from_the_record():
    known = variables(record(problem=1, pseudocode=0.5, method_code=0.5, hardware=0, language=0, libraries=1))
    assert len(known) == 16
    told = {name: present for name, present in known.items() if present is not None}
    assert told == {
        "method-1": True,
        "method-5": True,
        "experiment-3": True,
        "experiment-5": False,
        "experiment-6": True,
    }


def test_degrees_are_means_over_factors():
    full = Record({key: Grade(Fraction(1)) for key in PARTS})
    assert degrees(full) == {"R3": 1, "R2": 1, "R1": 1}
    assert degrees(record(problem=1, goal=0)) == {"R3": Fraction(1, 2), "R2": None, "R1": None}


def test_gaps_name_what_a_reproducer_will_meet():
    assert gaps(record(hardware=0, summary=1)) == {"problems": ("P20",), "assumptions": ("A15",), "errors": ("E14",)}
    assert gaps(record(hyper_parameter_values=0.5))["problems"] == ("P4", "P13")
