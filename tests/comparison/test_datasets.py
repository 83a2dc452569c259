"""Several data sets: Friedman, Nemenyi and the Bayesian signed rank are those of the literature."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from assay.cli import main
from assay.comparison.datasets import DatasetScores, compare_datasets, friedman
from assay.comparison.measures import Kind, Measure
from assay.comparison.prediction_files import Columns
from assay.comparison.rank_plot import cliques
from assay.comparison.signed_rank import bayesian_signed_rank
from assay.comparison.tasks import datasets_in
from assay.errors import InputError

few = settings(max_examples=30, deadline=None)
ACCURACY = Measure("acc", "accuracy", Kind.RANKING)
FOURTEEN_SETS = np.round(0.7 + 0.2 * np.random.default_rng(6).random((14, 1)) + 0.02 * np.arange(4), 3)
FOURTEEN_SETS += np.round(np.random.default_rng(7).normal(0, 0.03, FOURTEEN_SETS.shape), 2)


def scores(values, measure=ACCURACY):
    models = tuple(f"m{i}" for i in range(values.shape[1]))
    return DatasetScores(models, tuple(f"d{i}" for i in range(len(values))), values, measure)


def test_ranks_friedman_and_wilcoxon_are_those_of_scipy():
    found = compare_datasets(scores(FOURTEEN_SETS))
    ranks = [found.estimate(model, "rank").value for model in found.models]
    assert ranks == pytest.approx(stats.rankdata(-FOURTEEN_SETS, axis=1).mean(axis=0))
    assert found.omnibus.chi2 == pytest.approx(stats.friedmanchisquare(*FOURTEEN_SETS.T).statistic)
    for one in found.decisive():
        first, second = (FOURTEEN_SETS[:, found.models.index(name)] for name in (one.first, one.second))
        assert one.p == pytest.approx(stats.wilcoxon(first, second).pvalue)


@pytest.mark.parametrize(("models", "q"), [(2, 1.960), (3, 2.343), (4, 2.569), (5, 2.728), (8, 3.031), (10, 3.164)])
def test_critical_differences_use_the_published_quantiles(models, q):
    sets = 12
    found = friedman(scores(np.random.default_rng(0).random((sets, models))), 0.05)
    assert found.critical_difference / np.sqrt(models * (models + 1) / (6 * sets)) == pytest.approx(q, abs=0.001)


@few
@given(st.integers(0, 10_000), st.integers(3, 6), st.integers(3, 15), st.booleans())
def test_friedman_is_that_of_scipy_with_ties_or_without(seed, models, sets, ties):
    values = np.random.default_rng(seed).random((sets, models))
    values = np.round(values, 1) if ties else values
    found = friedman(scores(values), 0.05)
    reference = stats.friedmanchisquare(*values.T)
    if np.isfinite(reference.statistic):
        assert found.chi2 == pytest.approx(reference.statistic, abs=1e-9)
        assert found.chi2_p == pytest.approx(reference.pvalue, abs=1e-9)


def test_the_best_rank_goes_to_the_smallest_error():
    error = Measure("rmse", "RMSE", Kind.NUMBER, larger_is_better=False)
    found = compare_datasets(scores(np.array([[1.0, 2.0], [3.0, 4.0]]), error))
    assert found.mean_ranks == {"m0": 1.0, "m1": 2.0}


def test_the_posterior_of_a_clear_winner_of_equals_and_of_nothing():
    always = bayesian_signed_rank(np.full(10, 0.05), 0.01, seed=1)
    assert always.first > 0.99
    equal = bayesian_signed_rank(np.full(10, 0.001), 0.01, seed=1)
    assert equal.equal > 0.99
    even = bayesian_signed_rank(np.array([0.1, -0.1] * 6), 0.0, seed=1)
    assert even.first == pytest.approx(even.second, abs=0.05)


@few
@given(st.integers(0, 10_000), st.floats(0, 0.05))
def test_posteriors_add_up_and_turn_round_with_the_models(seed, rope):
    gains = np.random.default_rng(seed).normal(0.01, 0.05, 12)
    one, other = bayesian_signed_rank(gains, rope, 1), bayesian_signed_rank(-gains, rope, 1)
    assert one.first + one.equal + one.second == pytest.approx(1)
    assert (one.first, one.equal, one.second) == pytest.approx((other.second, other.equal, other.first))


def test_bars_join_the_longest_runs_within_the_distance():
    assert cliques([1.0, 1.5, 2.0, 3.5], 1.0) == [(0, 2)]
    assert cliques([1.0, 1.9, 2.8], 1.0) == [(0, 1), (1, 2)]
    assert cliques([1.0, 3.0], 1.0) == []


def test_folds_of_a_data_set_count_once():
    table = pl.DataFrame({"dataset": ["a", "a", "b", "c"], "one": [0.7, 0.9, 0.6, 0.5], "other": [0.6, 0.6, 0.7, 0.4]})
    found = datasets_in(table, "dataset", Columns(), "acc", "t.csv")
    assert found.names == ("a", "b", "c")
    np.testing.assert_allclose(found.scores[0], [0.8, 0.6])
    assert "its mean" in found.left_out[0]


def test_predictions_of_several_data_sets_are_scored_one_by_one():
    draw = np.random.default_rng(0)
    y = np.tile([0, 1], 60)
    models = {"good": y + draw.normal(size=120), "bad": draw.normal(size=120)}
    table = pl.DataFrame({"y": y, "site": np.repeat(["a", "b", "c"], 40)} | models)
    found = datasets_in(table, "site", Columns(), None, "t.csv")
    assert found.measure.name == "auc"
    assert (found.scores[:, 0] > found.scores[:, 1]).all()


def test_codes_are_no_models_of_several_data_sets():
    draw = np.random.default_rng(1)
    y = np.tile([0, 1], 60)
    models = {"good": y + draw.normal(size=120), "bad": draw.normal(size=120), "region": draw.integers(1, 8, 120)}
    table = pl.DataFrame({"y": y, "site": np.repeat(["a", "b", "c"], 40)} | models)
    found = datasets_in(table, "site", Columns(), None, "t.csv")
    assert found.models == ("good", "bad")
    assert any('"region" is no model' in said for said in found.left_out)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"d": ["a", "b"], "one": [0.5, 0.6]}, "one model only"),
        ({"d": ["a", "a"], "one": [0.5, 0.6], "two": [0.5, 0.6]}, "one data set only"),
        ({"d": ["a", "b"], "one": [0.5, None], "two": [0.5, 0.6]}, "no score for some model"),
        ({"d": ["a", None], "one": [0.5, 0.1], "two": [0.5, 0.6]}, "has gaps"),
    ],
)
def test_tables_that_cannot_be_compared_are_refused(table, message):
    with pytest.raises(InputError, match=message):
        datasets_in(pl.DataFrame(table), "d", Columns(), None, "t.csv")


def test_the_command_draws_the_critical_differences(tmp_path, capsys):
    table = pl.DataFrame(
        {"dataset": [f"d{i}" for i in range(14)]} | {f"c45-{i}": FOURTEEN_SETS[:, i] for i in range(4)}
    )
    table.write_csv(tmp_path / "t.csv")
    command = ["compare", str(tmp_path / "t.csv"), "--dataset", "dataset", "--measure", "auc"]
    assert main(command) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "Over 14 data sets, the AUC was" in out
    assert "Nemenyi, critical difference" in out
    assert main([*command, "-o", str(tmp_path / "r.html")]) == 0
    page = (tmp_path / "r.html").read_text()
    assert "critical difference" in page
    assert page.count("<svg") == 2
