"""Units that no column names are seen by rows that go on from one occasion to the next."""

import numpy as np
import polars as pl
import pytest

from assay.findings import Severity
from assay.leakage.data.split import Roles, split_of_tables
from assay.leakage.data.unnamed_units import unnamed_units
from assay.tables import ReadTable

UNITS, YEARS = 60, 8


def panel(persistence: float) -> pl.DataFrame:
    """Each unit once a year; `persistence` is the share of a measurement that belongs to the unit."""
    draw = np.random.default_rng(0)
    own = draw.normal(size=(UNITS, 5))[np.tile(np.arange(UNITS), YEARS)]
    seen = persistence * own + np.sqrt(1 - persistence**2) * draw.normal(size=own.shape)
    names = [f"x{i}" for i in range(5)]
    year = np.repeat(np.arange(2001, 2001 + YEARS), UNITS)
    return pl.DataFrame(seen, names).with_columns(year=year, y=pl.Series(seen[:, 0] > 0).cast(pl.Int8))


def outcome_of(table: pl.DataFrame, in_test: np.ndarray):
    train, test = ReadTable(table.filter(~in_test), "train.csv"), ReadTable(table.filter(in_test), "test.csv")
    return unnamed_units(split_of_tables(train, test, Roles("y")))


def test_rows_of_the_same_units_on_both_sides_are_a_warning():
    by_rows = np.random.default_rng(1).random(UNITS * YEARS) < 0.25
    [finding] = outcome_of(panel(0.995), by_rows).findings
    assert (finding.code, finding.severity) == ("L3.2", Severity.WARNING)
    assert '"year"' in finding.message


def test_whole_units_in_the_test_part_are_no_leak():
    by_unit = np.tile(np.random.default_rng(1).random(UNITS) < 0.25, YEARS)
    assert not outcome_of(panel(0.995), by_unit).findings


@pytest.mark.parametrize("persistence", [0.0, 0.3])
def test_independent_rows_of_each_year_are_no_units(persistence):
    by_rows = np.random.default_rng(1).random(UNITS * YEARS) < 0.25
    assert not outcome_of(panel(persistence), by_rows).findings
