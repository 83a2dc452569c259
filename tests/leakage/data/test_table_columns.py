"""What a column is taken for."""

import numpy as np
import polars as pl
import pytest

from assay.leakage.data.columns import Column, Kind, as_times, looks_like_time, profile, tells_when


def kind(values, name="c") -> Kind:
    [column] = profile(pl.DataFrame({name: values}), None)
    return column.kind


DRAW = np.random.default_rng(0)


@pytest.mark.parametrize(
    ("values", "name", "expected"),
    [
        (DRAW.normal(size=100), "x", Kind.NUMBER),
        (DRAW.integers(0, 90, 100), "age", Kind.NUMBER),
        (np.arange(1000, 1100), "x", Kind.IDENTIFIER),
        (DRAW.permutation(100), "order", Kind.IDENTIFIER),
        ([f"ab{i:04}" for i in range(100)], "x", Kind.IDENTIFIER),
        (["red", "blue"] * 50, "x", Kind.CATEGORY),
        ([True, False] * 50, "x", Kind.CATEGORY),
        ([f"the quick brown fox jumps over dog {i} on day {i % 7}" for i in range(60)] * 2, "x", Kind.TEXT),
        (["Standard Circuit Breakers & Romex", "Fuse Box over 60 AMP and all Romex wiring"] * 50, "x", Kind.CATEGORY),
        (["2020-01-05", "2021-02-07"] * 20, "x", Kind.TIME),
        (["05/01/2020", "27/02/2021"] * 20, "x", Kind.TIME),
        ([1990, 1991, 1992] * 20, "year", Kind.TIME),
        ([1990, 1991, 1992] * 20, "price", Kind.NUMBER),
        ([3, 4, 5] * 20, "year", Kind.NUMBER),
        ([7.5] * 20, "x", Kind.CONSTANT),
        ([None] * 20, "x", Kind.CONSTANT),
    ],
)
def test_kinds(values, name, expected):
    assert kind(values, name) is expected


def test_few_measured_numbers_that_happen_to_differ_are_no_identifier():
    incomes = np.random.default_rng(1).choice(np.arange(20_000, 90_000), 30, replace=False)
    assert kind(incomes, "income") is Kind.NUMBER
    assert kind(incomes, "customer_id") is Kind.IDENTIFIER


def test_both_parts_count_when_values_are_told_apart():
    [column] = profile(pl.DataFrame({"i": range(50)}), pl.DataFrame({"i": range(50)}))
    assert column.kind is Kind.NUMBER


def test_written_dates_become_numbers_that_grow():
    times = as_times(pl.Series(["31/12/2020", "01/01/2021", None]))
    assert times is not None
    assert times[1] - times[0] == 1
    assert as_times(pl.Series(["yes", "no"])) is None


def test_a_date_of_birth_does_not_tell_when_a_row_was_observed():
    assert tells_when(Column("visit_date", Kind.TIME, 9, 0.0))
    assert not tells_when(Column("birth_date", Kind.TIME, 9, 0.0))


def test_the_year_of_construction_is_a_measurement():
    [column] = profile(pl.DataFrame({"Year_Built": [1950 + i % 60 for i in range(100)]}), None)
    assert column.kind is Kind.NUMBER


def test_numbered_periods_may_be_the_axis_of_a_cut():
    assert looks_like_time(Column("trend", Kind.NUMBER, 35, 0.0, integral=True))
    assert not looks_like_time(Column("age", Kind.NUMBER, 35, 0.0, integral=True))
