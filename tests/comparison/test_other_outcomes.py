"""Several classes and numbers: the scores are scikit-learn's, the tests are SciPy's."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn import metrics

from assay.cli import main
from assay.comparison.measures import Task
from assay.comparison.multiclass import ClassPredictions
from assay.comparison.prediction_files import Columns
from assay.comparison.regression import NumberPredictions
from assay.comparison.resampled import compare_classes, compare_numbers
from assay.comparison.results import Method, Settings
from assay.comparison.tasks import classes_in, numbers_in, task_of
from assay.errors import InputError

few = settings(max_examples=25, deadline=None)
NO_RESAMPLES = Settings(resamples=0)


def three_classes(seed, rows=90):
    draw = np.random.default_rng(seed)
    y = np.repeat([0, 1, 2], rows // 3)
    models = {}
    for name, skill in (("new", 2.0), ("old", 1.0)):
        raw = np.exp(draw.normal(size=(y.size, 3)) + skill * (y[:, None] == np.arange(3)))
        models[name] = raw / raw.sum(axis=1, keepdims=True)
    return y, models


def predictions(y, models, groups=None):
    labels = {name: values.argmax(axis=1) for name, values in models.items()}
    return ClassPredictions(y, ("a", "b", "c"), labels, models, groups)


@few
@given(st.integers(0, 10_000))
def test_scores_of_several_classes_are_those_of_scikit_learn(seed):
    y, models = three_classes(seed)
    found = compare_classes(predictions(y, models), NO_RESAMPLES)
    for name, likely in models.items():
        called, truth = likely.argmax(axis=1), y[:, None] == np.arange(3)
        for measure, expected in {
            "acc": metrics.accuracy_score(y, called),
            "bacc": metrics.balanced_accuracy_score(y, called),
            "f1_macro": metrics.f1_score(y, called, average="macro"),
            "kappa": metrics.cohen_kappa_score(y, called),
            "mcc": metrics.matthews_corrcoef(y, called),
            "auc_ovr": metrics.roc_auc_score(y, likely, multi_class="ovr"),
            "logloss": metrics.log_loss(y, likely),
            "brier": ((likely - truth) ** 2).sum(axis=1).mean(),
        }.items():
            assert found.estimate(name, measure).value == pytest.approx(expected, abs=1e-12)


def test_resampled_scores_are_those_of_the_rows_written_out():
    from assay.comparison.multiclass import class_measures, class_scores
    from assay.comparison.regression import number_measures, number_scores

    y, models = three_classes(3)
    weights = np.random.default_rng(0).integers(0, 4, (y.size, 1)).astype(np.int32)
    again = np.repeat(np.arange(y.size), weights[:, 0])
    measures = class_measures(())
    written_out = {name: values[again] for name, values in models.items()}
    resampled = class_scores(predictions(y, models), measures, weights)
    expected = class_scores(predictions(y[again], written_out), measures, np.ones((again.size, 1), dtype=np.int32))
    np.testing.assert_allclose(resampled, expected)
    numbers = NumberPredictions(1e6 + y, {"m": 1e6 + y + models["new"][:, 0]})
    resampled = number_scores(numbers, number_measures(()), weights)
    short = NumberPredictions(numbers.y[again], {"m": numbers.predicted["m"][again]})
    np.testing.assert_allclose(resampled, number_scores(short, number_measures(()), np.ones((again.size, 1), np.int32)))


@few
@given(st.integers(0, 10_000))
def test_scores_of_numbers_are_those_of_scikit_learn_and_scipy(seed):
    draw = np.random.default_rng(seed)
    y = draw.normal(5, 2, 60)
    models = {"near": y + draw.normal(0, 0.5, 60), "far": y + draw.normal(0.2, 1.0, 60)}
    found = compare_numbers(NumberPredictions(y, models), NO_RESAMPLES)
    for name, said in models.items():
        assert found.estimate(name, "rmse").value == pytest.approx(metrics.root_mean_squared_error(y, said))
        assert found.estimate(name, "mae").value == pytest.approx(metrics.mean_absolute_error(y, said))
        assert found.estimate(name, "r2").value == pytest.approx(metrics.r2_score(y, said))
    [test] = found.between("mae", Method.WILCOXON)
    assert test.p == pytest.approx(stats.wilcoxon(abs(models["near"] - y), abs(models["far"] - y)).pvalue)


def test_one_sided_tests_know_that_less_error_is_better():
    draw = np.random.default_rng(1)
    y = draw.normal(size=200)
    models = {"near": y + draw.normal(0, 0.5, 200), "far": y + draw.normal(0, 1.0, 200)}
    found = compare_numbers(NumberPredictions(y, models), Settings(resamples=500, one_sided=True))
    assert all(d.p < 0.001 for d in found.differences)
    assert {d.measure.name for d in found.decisive()} == {"rmse"}


def test_bootstrap_intervals_of_a_clear_difference_exclude_zero_and_those_of_none_include_it():
    y, models = three_classes(5, 600)
    found = compare_classes(predictions(y, models), Settings(resamples=500))
    by_measure = {d.measure.name: d for d in found.differences if d.method is Method.BOOTSTRAP}
    assert by_measure["logloss"].interval.high < 0 < by_measure["auc_ovr"].interval.low
    same = compare_classes(predictions(y, {"a": models["new"], "b": models["new"]}), Settings(resamples=200))
    assert all(d.p == 1 for d in same.between("acc", Method.MCNEMAR_EXACT))


def test_rows_in_groups_are_drawn_together_and_not_tested_one_by_one():
    y, models = three_classes(5)
    groups = np.arange(y.size) // 3
    found = compare_classes(predictions(y, models, groups), Settings(resamples=200))
    assert {d.method for d in found.differences} == {Method.BOOTSTRAP}
    assert any("groups" in note for note in found.left_out)


@pytest.mark.parametrize(
    ("columns", "task"),
    [
        ({"y": [0, 1, 0, 1], "m": [0.1, 0.9, 0.2, 0.8]}, Task.BINARY),
        ({"y": ["a", "b", "c", "a"], "m": ["a", "b", "a", "a"]}, Task.CLASSES),
        ({"y": [1, 2, 3, 1], "m": [1, 2, 2, 1]}, Task.CLASSES),
        ({"y": [1, 2, 3, 1], "m": [1.2, 2.1, 2.9, 1.4]}, Task.NUMBERS),
        ({"y": [1.5, 2.25, 3.0, 1.0], "m": [1.2, 2.1, 2.9, 1.4]}, Task.NUMBERS),
        ({"y": [1, 2, 3], "m:1": [0.5, 0.2, 0.1], "m:2": [0.3, 0.6, 0.2], "m:3": [0.2, 0.2, 0.7]}, Task.CLASSES),
    ],
)
def test_the_kind_of_outcome_is_read_from_outcome_and_answers(columns, task):
    assert task_of(pl.DataFrame(columns), Columns(), "t.csv") is task


def test_classes_come_from_labels_and_from_a_column_for_each_class():
    table = pl.DataFrame(
        {
            "y": ["a", "b", "c", None],
            "tree": ["a", "b", "a", "a"],
            "net:a": [0.5, 0.2, 0.1, 0.3],
            "net:b": [0.3, 0.6, 0.2, 0.3],
            "net:c": [0.2, 0.2, 0.7, 0.4],
            "note": ["x", "y", "z", "w"],
        }
    )
    found = classes_in(table, Columns(), "t.csv")
    assert found.models == ("tree", "net")
    assert found.y.tolist() == [0, 1, 2]
    assert found.labels["net"].tolist() == [0, 1, 2]
    assert "1 of 4 rows" in found.left_out[0]
    with pytest.raises(InputError, match="holds no predicted classes"):
        classes_in(table, Columns(scores=("note",)), "t.csv")


def test_columns_that_do_not_add_up_are_no_probabilities():
    table = pl.DataFrame(
        {"y": list("abc"), "m:a": [1.0, 2, 3], "m:b": [1.0, 2, 3], "m:c": [1.0, 2, 3], "n": list("abb")}
    )
    found = classes_in(table, Columns(), "t.csv")
    assert found.models == ("n",)
    assert "do not add up" in found.left_out[0]


def test_rows_with_a_gap_are_left_out_of_a_regression():
    table = pl.DataFrame({"y": [1.0, 2.0, None, 4.0], "m": [1.0, None, 3.0, 4.5]})
    found = numbers_in(table, Columns(), ["m"], "t.csv")
    assert found.y.tolist() == [1.0, 4.0]
    assert found.left_out == ("2 of 4 rows: the outcome or a prediction is missing",)


def test_the_command_compares_classes_and_numbers(tmp_path, capsys):
    y, models = three_classes(2, 150)
    table = pl.DataFrame(
        {"y": np.array(list("abc"))[y]} | {n: np.array(list("abc"))[v.argmax(1)] for n, v in models.items()}
    )
    table.write_parquet(tmp_path / "classes.parquet")
    assert main(["compare", str(tmp_path / "classes.parquet"), "--resamples", "200"]) == 0
    assert "On 150 rows (3 classes), the accuracy was" in capsys.readouterr().out
    truth = np.random.default_rng(0).normal(size=80)
    pl.DataFrame({"y": truth, "one": truth + 0.1, "other": truth * 0.5}).write_csv(tmp_path / "numbers.csv")
    numbers = tmp_path / "all.parquet"
    command = ["compare", str(tmp_path / "numbers.csv"), "--resamples", "200", "--numbers", str(numbers)]
    assert main(command) == 0
    assert "On 80 rows, the RMSE was 0.100" in capsys.readouterr().out
    assert {"rmse", "mae", "r2"} == set(pl.read_parquet(numbers)["score"])
    assert main([*command[:-1], str(tmp_path / "all.docx")]) == 2
    assert "Known: .csv, .parquet" in capsys.readouterr().err
    assert main(["compare", str(tmp_path / "numbers.csv"), "--measure", "auc"]) == 2
    assert 'no score "auc" for an outcome of numbers' in capsys.readouterr().err
