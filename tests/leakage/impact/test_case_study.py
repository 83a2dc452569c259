"""The generated case study shows what the real one showed, and the command runs on tables."""

import json

import numpy as np
import polars as pl
import pytest

from assay.cli import main
from assay.errors import InputError
from assay.leakage.data.split import Roles, unsplit
from assay.leakage.impact import studies
from assay.leakage.impact.advantage import advantage
from assay.leakage.impact.checkpoint import Checkpoint
from assay.leakage.impact.material import material_of
from assay.leakage.impact.panel import (
    CLASSIC,
    COUNTRIES,
    CUT,
    LAST_YEAR,
    OTHERS,
    PROXIES,
    YEARS,
    Outcome,
    forward,
    panel,
)
from assay.leakage.impact.studies import LAST_OUTCOME, REGRESSIONS, STUDIES, run_studies
from assay.tables import plain_table


def test_the_panel_has_the_structure_of_the_case_study():
    made = panel(3)
    late = made.times >= CUT
    indicators = made.columns(OTHERS)
    assert 0.01 < made.y.mean() < 0.05
    assert np.isnan(made.x[late][:, indicators]).mean() == pytest.approx(0.95, abs=0.01)
    assert np.isnan(made.x[~late][:, indicators]).mean() < 0.2
    assert np.isnan(made.x[:, made.columns(CLASSIC)]).mean() < 0.05
    train, test = forward(made)
    assert made.times[train].max() < made.times[test].min()


def test_wars_go_on_and_leave_their_marks_in_the_proxies():
    made = panel(3, Outcome.INCIDENCE)
    last_year = made.x[:, made.columns((LAST_YEAR,))].ravel()
    assert made.y[last_year == 1].mean() > 0.8
    assert made.y[last_year == 0].mean() < 0.2
    rows = made.y.reshape(COUNTRIES, YEARS)
    assert (last_year.reshape(COUNTRIES, YEARS)[:, 1:] == rows[:, :-1]).all()
    for proxy in made.columns(PROXIES):
        assert np.corrcoef(made.x[:, proxy], made.y)[0, 1] > 0.5


@pytest.fixture(scope="module")
def four_studies():
    return {impact.leak: impact for impact in run_studies(2, seed=5)}


@pytest.mark.parametrize("study", STUDIES, ids=lambda study: study.name)
def test_every_study_leads_with_its_leak_and_no_longer_without_it(four_studies, study):
    impact = four_studies[study.name]
    for rival in REGRESSIONS:
        found = advantage(impact, study.ambitious.name, rival.name)
        assert found.leaky.value > 0.02
        assert found.change.value > 0.05
        assert not found.clean.is_ahead
    assert advantage(impact, study.ambitious.name, REGRESSIONS[0].name).clean.value < 0


def test_without_proxies_no_model_beats_the_outcome_of_last_year(four_studies):
    impact = four_studies["proxies and time"]
    models = [result.model for result in impact.results if result.model != LAST_OUTCOME.name]
    for model in models:
        assert advantage(impact, model, LAST_OUTCOME.name).clean.value < -0.05
    assert advantage(impact, "boosting", LAST_OUTCOME.name).leaky.value > 0.05


def test_an_interrupted_run_goes_on_where_it_ended(tmp_path, monkeypatch):
    kept = tmp_path / "worlds.jsonl"
    measured = []

    def score(study, seed):
        measured.append((study.name, seed))
        return {model.name: (0.9, 0.8 + seed / 100) for model in (study.ambitious, *study.plain)}

    monkeypatch.setattr(studies, "_score", score)
    first = run_studies(2, 0, Checkpoint(kept, "this one"))
    kept.write_text(kept.read_text() + '{"part": "imputation/2", "sco')  # killed while it wrote
    measured.clear()
    longer = run_studies(3, 0, Checkpoint(kept, "this one"))
    assert {seed for _, seed in measured} == {2}
    assert longer[0].results[0].clean[:2] == first[0].results[0].clean
    with pytest.raises(InputError, match="another experiment"):
        Checkpoint(kept, "that one")
    kept.write_text("x,y\n")
    with pytest.raises(InputError, match="not a file of finished repeats"):
        Checkpoint(kept, "this one")


def test_the_example_and_a_table_exclude_each_other(capsys):
    assert main(["leakage", "impact", "t.csv", "--example", "civil-war"]) == 2
    assert "given together" in capsys.readouterr().err


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
    assert main([*command, "--folds", "3", "--repeats", "1", "-o", str(tmp_path / "r.json")]) == 0
    report = json.loads((tmp_path / "r.json").read_text())
    [row] = report["tables"][0]["rows"]
    assert row[1] > row[2]
    assert {f["code"] for f in report["findings"]} == {"LX7"}
