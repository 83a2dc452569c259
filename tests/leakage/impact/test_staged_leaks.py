"""Each leak, staged on small tables: what differs between the versions, and what it does to a score."""

from dataclasses import replace

import numpy as np
import pytest

from assay.errors import InputError
from assay.leakage.impact.experiment import run
from assay.leakage.impact.imputers import impute
from assay.leakage.impact.leaks import LEAKS, find_leak, folds_for
from assay.leakage.impact.material import Material
from assay.leakage.impact.models import Model, estimator_of, model_of

TAXONOMY = {"L1.1", "L1.2", "L1.3", "L1.4", "L2", "L3.1", "L3.2", "L3.3"}
TREE = Model("tree", "sklearn.tree:DecisionTreeClassifier")


def table(rows=300, columns=8, signal=0.5, gaps=0.0, seed=0):
    """Patients seen five times, in the order of time; the first two columns carry signal."""
    draw = np.random.default_rng(seed)
    group = np.repeat(np.arange(rows // 5), 5)
    y = (draw.random(rows // 5) < 0.4).astype(float)[group]
    x = draw.normal(size=(rows // 5, columns))[group] + 0.3 * draw.normal(size=(rows, columns))
    x[:, :2] += signal * y[:, None]
    x = np.where(draw.random(x.shape) < gaps, np.nan, x)
    names = tuple(f"x{i}" for i in range(columns))
    return Material(x, names, y, classes=True, groups=group, times=np.arange(rows) / 1.0, computed=np.isnan(x))


def optimism(leak, material, model=TREE, **plan):
    [result] = run(material, [model], find_leak(leak), **{"folds": 4, "repeats": 2, **plan}).results
    return result.optimism


def test_the_eight_kinds_and_the_three_imputations_can_be_staged():
    assert {leak.code for leak in LEAKS.values()} == TAXONOMY
    assert {"imputation-together", "imputation-outcome", "imputation-reuse"} <= LEAKS.keys()


@pytest.mark.parametrize("leak", ["no-test-set", "duplicates", "proxy", "groups"])
def test_a_tree_profits_from_leaks_that_let_it_remember(leak):
    assert optimism(leak, table()) > 0.03


def test_named_proxies_are_taken_out_of_the_clean_version():
    honest = table()
    named = replace(honest, x=np.column_stack([honest.x, honest.y]), names=(*honest.names, "p"), proxies=("p",))
    [result] = run(named, [TREE], find_leak("proxy"), folds=3, repeats=1).results
    assert result.means[0] == 1
    assert result.means[1] < 0.9


def test_copying_the_rare_class_before_the_split_lets_a_tree_remember_it():
    draw = np.random.default_rng(0)
    noise = Material(draw.normal(size=(300, 4)), ("a", "b", "c", "d"), (draw.random(300) < 0.1) / 1.0, classes=True)
    assert optimism("oversampling", noise) > 0.2


def test_features_selected_on_all_rows_make_noise_look_like_skill():
    draw = np.random.default_rng(0)
    noise = Material(
        draw.normal(size=(60, 400)), tuple(f"g{i}" for i in range(400)), (np.arange(60) % 2) / 1.0, classes=True
    )
    assert optimism("selection", noise, Model("logistic", "logistic")) > 0.2


def test_leaving_out_borderline_rows_flatters_the_score():
    assert optimism("picked", table(signal=0.8), Model("logistic", "logistic")) > 0.01


def test_an_imputer_that_sees_the_outcome_leaks_and_one_that_does_not_hardly_does():
    gapped = table(gaps=0.6)
    assert optimism("imputation-outcome", gapped) > 0.1
    assert abs(optimism("imputation-together", gapped)) < optimism("imputation-outcome", gapped)


def test_a_series_that_drifts_is_easier_with_its_own_future():
    draw = np.random.default_rng(0)
    walk = np.cumsum(draw.normal(size=400))
    drifting = Material(np.arange(400.0)[:, None], ("t",), walk, classes=False, times=np.arange(400.0))
    assert optimism("time", drifting, Model("forest", "forest"), folds=2, repeats=1) > 0.5


@pytest.mark.parametrize("leak", sorted(LEAKS))
def test_clean_versions_never_train_on_a_row_that_they_test_on(leak):
    material = table(gaps=0.2)
    marked = np.column_stack([material.x, np.arange(material.rows)])
    named = Material(
        marked, (*material.names, "row"), material.y, True, material.groups, material.times, np.isnan(marked)
    )
    for fold in folds_for(find_leak(leak), named, 3, 0):
        leaky, clean = find_leak(leak).stage(named, fold, np.random.default_rng(0))
        place = len(material.names)
        assert not set(clean.train_x[:, place]) & set(clean.test_x[:, place])
        assert len(leaky.test_y) > 0


@pytest.mark.parametrize("leak", ["groups", "time"])
def test_dependent_versions_are_tested_on_the_same_rows_and_trained_on_as_many(leak):
    material = table()
    for fold in folds_for(find_leak(leak), material, 3, 0):
        leaky, clean = find_leak(leak).stage(material, fold, np.random.default_rng(0))
        assert np.array_equal(leaky.test_x, clean.test_x)
        assert len(leaky.train_y) == len(clean.train_y)


def test_groups_are_kept_together_in_clean_versions():
    material = table()
    for train, test in folds_for(find_leak("groups"), material, 3, 0):
        assert not set(material.groups[train]) & set(material.groups[test])


@pytest.mark.parametrize(
    ("leak", "material", "said"),
    [
        ("time", Material(np.ones((50, 1)), ("a",), np.arange(50) % 2 / 1.0, True), "--time"),
        ("groups", Material(np.ones((50, 1)), ("a",), np.arange(50) % 2 / 1.0, True), "--group"),
        ("imputation-outcome", table(), "no gaps"),
        ("imputed-cells", Material(np.ones((50, 1)), ("a",), np.arange(50) % 2 / 1.0, True), "looks imputed"),
    ],
)
def test_what_a_leak_needs_is_asked_for(leak, material, said):
    with pytest.raises(InputError, match=said):
        run(material, [TREE], find_leak(leak), folds=2, repeats=1)


def test_runs_are_repeatable_and_depend_on_the_seed():
    one, again, other = (run(table(), [TREE], find_leak("L1.4"), folds=3, repeats=1, seed=s) for s in (0, 0, 1))
    assert one == again
    assert one != other


def test_imputation_fills_every_gap_and_changes_nothing_else():
    material = table(gaps=0.5)
    filled = impute(material.x, np.arange(150))
    known = ~np.isnan(material.x)
    assert not np.isnan(filled).any()
    assert np.array_equal(filled[known], material.x[known])


def test_rows_outside_the_donors_have_no_say_in_what_others_get():
    material = table(gaps=0.3)
    changed = material.x.copy()
    changed[200:] += 100
    donors = np.arange(200)
    assert np.array_equal(impute(material.x, donors)[:200], impute(changed, donors)[:200])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("forest", Model("forest", "forest")),
        ("old=logistic@a, b", Model("old", "logistic", ("a", "b"))),
        ("sklearn.svm:SVC", Model("sklearn.svm:SVC", "sklearn.svm:SVC")),
    ],
)
def test_models_are_written_in_a_word(text, expected):
    assert model_of(text) == expected


@pytest.mark.parametrize(
    ("text", "said"),
    [("forrest", "Did you mean"), ("", "not a model"), ("a=b=c", "not a model"), ("x@", "not a model|no model")],
)
def test_words_that_are_no_models_are_refused(text, said):
    with pytest.raises(InputError, match=said):
        model_of(text)


@pytest.mark.parametrize("path", ["no.such:Thing", "sklearn.svm:Nothing", "os:getcwd", "json:JSONDecoder"])
def test_import_paths_that_lead_to_no_estimator_are_refused(path):
    with pytest.raises(InputError, match=r"cannot be imported|is not an estimator"):
        estimator_of(Model("m", path), classes=True, seed=0)


def test_a_model_on_a_column_that_is_not_there_is_refused_before_anything_runs():
    with pytest.raises(InputError, match='no feature "z"'):
        run(table(), [Model("m", "logistic", ("z",))], find_leak("proxy"))


@pytest.mark.parametrize("model", ["logistic", "forest", "boosting", "sklearn.svm:SVC"])
def test_every_kind_of_model_runs(model):
    run(table(100), [model_of(model)], find_leak("duplicates"), folds=2, repeats=1)
