"""The mask of computed cells comes back from digits, and cells that know the outcome are found."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_splits import cut, honest, split_from, table_from

from assay.findings import Severity
from assay.leakage.data.imputation import computed_cells, imputation


def surveyed(rows, draw):
    """Numbers as a survey prints them: two decimals."""
    return np.round(draw.normal(50, 10, rows), 2)


def imputed_table(leaky, rows=1200, columns=6, seed=0):
    draw = np.random.default_rng(seed)
    y = (draw.random(rows) < 0.2).astype(int)
    table, masks = {}, {}
    for i in range(columns):
        mask = draw.random(rows) < 0.25
        filled = draw.normal(50, 1, rows) + (6 * y if leaky else 0)
        table[f"s{i}"] = np.where(mask, filled, surveyed(rows, draw))
        masks[f"s{i}"] = mask
    return {**table, "y": y}, masks


def test_the_mask_of_imputed_cells_comes_back():
    table, masks = imputed_table(leaky=False)
    for name, mask in masks.items():
        found = computed_cells(pl.Series(table[name]))
        assert found is not None
        assert (found == mask).mean() > 0.999


@pytest.mark.parametrize(
    "values",
    [
        surveyed(300, np.random.default_rng(0)),
        np.random.default_rng(0).normal(size=300),
        np.arange(300.0),
        np.float32(np.random.default_rng(0).normal(size=300)).astype(float).round(6),
        np.full(300, np.nan),
    ],
    ids=["printed", "all computed", "whole", "single precision", "empty"],
)
def test_columns_of_one_kind_have_no_mask(values):
    assert computed_cells(pl.Series(values, nan_to_null=True).cast(pl.Float64)) is None


@settings(max_examples=25)
@given(st.lists(st.decimals(-9999, 9999, places=2), min_size=30, max_size=60))
def test_numbers_as_people_write_them_are_never_called_computed(values):
    column = pl.Series([float(v) for v in values])
    mask = computed_cells(pl.concat([column, pl.Series(np.random.default_rng(0).normal(size=30))]))
    assert mask is None or not mask[: len(column)].any()


def test_a_value_that_many_rows_share_is_no_imputed_cell():
    rate = np.where(np.arange(300) % 3 == 0, 1 / 3, np.round(np.arange(300) / 7, 1))
    mask = computed_cells(pl.Series(rate))
    assert mask is None or not mask.any()


def test_cells_that_know_the_outcome_are_found_from_the_table_alone():
    table, _ = imputed_table(leaky=True)
    outcome = imputation(table_from(table))
    [finding] = outcome.findings
    assert finding.code == "L1.2"
    assert "in 6 of 6 columns" in finding.message
    assert outcome.tables[0].rows
    assert {r.columns for r in outcome.rows} == {f"s{i}" for i in range(6)}


def test_honest_imputation_is_left_alone():
    table, _ = imputed_table(leaky=False)
    assert not imputation(table_from(table)).findings
    assert not imputation(split_from(*cut(honest(600)))).findings


def test_a_logarithm_with_zeros_was_never_imputed():
    draw = np.random.default_rng(0)
    y = (draw.random(1200) < 0.3).astype(int)
    spend = np.where(draw.random(1200) < 0.4, 0.0, draw.gamma(2, 50, 1200) * (1 + 2 * y)).round(2)
    table = honest(1200) | {"log_spend": np.log1p(spend), "y": y}
    assert computed_cells(pl.Series(table["log_spend"])) is None
    assert not imputation(table_from(table)).findings


def test_an_honest_imputer_knows_what_the_other_columns_know():
    """Gaps filled by a regression on columns that predict the outcome, which it never saw."""
    draw = np.random.default_rng(0)
    y = (draw.random(1500) < 0.4).astype(int)
    signal = {f"s{i}": (draw.normal(50, 10, 1500) + 18 * y).round(2) for i in range(3)}
    noisy = (0.5 * sum(signal.values()) + draw.normal(0, 60, 1500)).round(2)
    gap = draw.random(1500) < 0.3
    weights = np.linalg.lstsq(np.column_stack(list(signal.values())), noisy, rcond=None)[0]
    table = signal | {"filled": np.where(gap, np.column_stack(list(signal.values())) @ weights, noisy), "y": y}
    assert {f.severity for f in imputation(table_from(table)).findings} <= {Severity.NOTE}


def test_a_fill_with_the_mean_of_both_parts_is_recognised_by_arithmetic():
    train, test = cut(honest(600))
    known = np.concatenate([train["x0"][50:], test["x0"][20:]]).mean()
    train["x0"][:50], test["x0"][:20] = known, known
    [finding] = imputation(split_from(train, test)).findings
    assert "training and test rows together" in finding.message
    assert finding.subject == "x0"


def test_a_fill_with_the_mean_of_training_is_right():
    train, test = cut(honest(600))
    known = train["x0"][50:].mean()
    train["x0"][:50], test["x0"][:20] = known, known
    assert not imputation(split_from(train, test)).findings


def test_rows_without_an_outcome_do_not_stop_the_search():
    table, _ = imputed_table(leaky=True)
    table["y"] = np.where(np.arange(len(table["y"])) % 9 == 0, np.nan, table["y"])
    [finding] = imputation(table_from(table)).findings
    assert "in 6 of 6 columns" in finding.message


def test_a_target_of_several_classes_is_said_to_be_unjudged():
    table, _ = imputed_table(leaky=True)
    table["y"] = np.array(["a", "b", "c"])[np.arange(len(table["y"])) % 3]
    outcome = imputation(table_from(table))
    assert not outcome.findings
    assert "several classes" in outcome.left_out[0]
