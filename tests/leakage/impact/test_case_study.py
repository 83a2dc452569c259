"""The generated case study shows what the real one showed, and the command runs on tables."""

import json

import numpy as np
import polars as pl
import pytest

from assay.cli import main
from assay.errors import InputError
from assay.leakage.data.split import Roles, unsplit
from assay.leakage.impact.material import material_of
from assay.leakage.impact.panel import CLASSIC, CUT, OTHERS, PROXIES, case_study, forward, panel
from assay.tables import plain_table


def test_the_panel_has_the_structure_of_the_case_study():
    made = panel(3)
    late = made.times >= CUT
    indicators = made.columns(OTHERS)
    assert 0.01 < made.y.mean() < 0.05
    assert np.isnan(made.x[late][:, indicators]).mean() == pytest.approx(0.95, abs=0.01)
    assert np.isnan(made.x[~late][:, indicators]).mean() < 0.2
    assert np.isnan(made.x[:, made.columns(CLASSIC)]).mean() < 0.05
    for proxy in made.columns(PROXIES):
        assert np.corrcoef(made.x[:, proxy], made.y)[0, 1] > 0.5
    train, test = forward(made)
    assert made.times[train].max() < made.times[test].min()


def test_the_leaky_imputation_makes_the_forest_win_and_the_right_one_does_not():
    found = case_study(repeats=1)
    logistic, forest = found.results
    assert forest.means[0] > logistic.means[0] + 0.05
    assert forest.means[1] < logistic.means[1]
    assert forest.optimism > 0.1
    assert abs(logistic.optimism) < 0.05
    assert found.flips[0][:2] == (forest.model, logistic.model)


def material(columns, **roles):
    return material_of(unsplit(plain_table(pl.DataFrame(columns), "t.csv"), Roles(**{"target": "y", **roles})))


def test_categories_become_indicators_and_names_of_rows_are_left_out():
    draw = np.random.default_rng(0)
    made = material(
        {
            "id": range(60),
            "colour": draw.choice(["red", "blue"], 60),
            "town": [f"t{i % 20}" for i in range(60)],
            "x": draw.normal(size=60),
            "y": draw.choice(["ill", "well"], 60),
        }
    )
    assert made.names == ("colour", "colour", "town", "x")
    assert set(np.unique(made.y)) == {0.0, 1.0}


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ({"x": range(60), "y": [0] * 59 + [1]}, "fewer than 5 rows|can serve"),
        ({"x": np.random.default_rng(0).normal(size=10), "y": [0, 1] * 5}, "too few"),
        ({"x": np.random.default_rng(0).normal(size=60), "y": list("abc") * 20}, "3 classes"),
    ],
)
def test_tables_that_no_experiment_can_use_are_refused(columns, said):
    with pytest.raises(InputError, match=said):
        material(columns)


def test_the_command_reports_both_scores_and_the_optimism(tmp_path):
    draw = np.random.default_rng(0)
    x, y = draw.normal(size=(200, 3)), draw.integers(0, 2, 200)
    pl.DataFrame({"a": x[:, 0] + 0.3 * y, "b": x[:, 1], "c": x[:, 2], "y": y}).write_csv(tmp_path / "t.csv")
    command = ["leakage", "impact", str(tmp_path / "t.csv"), "--target", "y", "--leak", "L1.1", "--model", "forest"]
    assert main([*command, "--folds", "3", "--repeats", "1", "-o", str(tmp_path / "r.json")]) == 1
    report = json.loads((tmp_path / "r.json").read_text())
    [row] = report["tables"][0]["rows"]
    assert row[1] > row[2]
    assert {f["code"] for f in report["findings"]} == {"LX7"}
