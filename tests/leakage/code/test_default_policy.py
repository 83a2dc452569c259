"""What the default policy says at warning or above is what a reviewer would raise; the rest is a note."""

import pytest

from assay.findings import Severity
from assay.leakage.code.analysis import analyse_text
from assay.leakage.rules.taxonomy_instrument import leakage

HEAD = """\
import numpy as np
import pandas as pd
import xgboost as xgb
from sklearn.decomposition import PCA
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.feature_selection import SelectKBest
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler
df = pd.read_csv("a.csv")
X, y = df.drop(columns="ill"), df["ill"]
"""
SPLIT = """
a, b, c, d = train_test_split(X, y, random_state=0)
print(LogisticRegression().fit(a, c).score(b, d))
"""
CROSS_VALIDATED = """
rows = xgb.DMatrix(X, label=y)
print(xgb.cv({}, rows, 100, nfold=5))
print(log_loss(y, xgb.train({}, rows, 100).predict(rows)))
"""


def worst(text: str) -> set[tuple[str, Severity]]:
    return {(finding.code, finding.severity) for finding in leakage.run(analyse_text(text))}


@pytest.mark.parametrize(
    "step",
    [
        "X = SimpleImputer().fit_transform(X)",
        "X = PCA(2).fit_transform(X)",
        'X = TfidfVectorizer().fit_transform(df["text"])',
        "X = X.fillna(X.median())",
        "X = StandardScaler().fit_transform(X)",
    ],
)
def test_a_step_fitted_on_test_rows_is_a_warning(step: str) -> None:
    found = worst(HEAD + step + SPLIT)
    assert found == {("L1.2", Severity.WARNING)}


@pytest.mark.parametrize("step", ["X = (X - X.mean()) / X.std()", 'X["age"] = pd.qcut(X["age"], 4, labels=False)'])
def test_plain_statistics_and_bins_of_all_rows_are_a_note(step: str) -> None:
    assert worst(HEAD + step + SPLIT) == {("L1.2", Severity.NOTE)}


def test_what_rests_on_an_assumption_is_a_note() -> None:
    unknown = "X = StandardScaler().fit_transform(X)\na, b, c, d = train_test_split(X, y)\nb = strange.twisted(b)\n"
    found = worst("import strange\n" + HEAD + unknown + "print(LogisticRegression().fit(a, c).score(b, d))")
    assert found == {("L1.2", Severity.NOTE)}


def test_the_size_of_the_effect_is_stated() -> None:
    (leak,) = analyse_text(HEAD + "X = StandardScaler().fit_transform(X)" + SPLIT).leaks
    assert any("usually small" in evidence.text for evidence in leak.evidence)


def test_a_selection_by_the_outcome_is_an_error() -> None:
    assert worst(HEAD + "X = SelectKBest(k=5).fit_transform(X, y)" + SPLIT) == {("L1.3", Severity.ERROR)}


def test_columns_dropped_because_they_resemble_each_other_are_a_note() -> None:
    pruning = "matrix = X.corr().abs()\nX = X.drop(columns=[c for c in matrix.columns if any(matrix[c] > 0.9)])"
    assert {severity for _, severity in worst(HEAD + pruning + SPLIT)} <= {Severity.NOTE}


def test_a_grey_picture_repeated_in_three_channels_is_no_copy_of_rows() -> None:
    assert worst(HEAD + 'X = np.repeat(np.load("x.npy"), 3, axis=2)' + SPLIT) == set()


def test_a_training_score_beside_a_cross_validation_of_the_same_rows_is_no_missing_test_set() -> None:
    assert "L1.1" not in {code for code, _ in worst(HEAD + CROSS_VALIDATED)}


@pytest.mark.parametrize(
    ("options", "steered_by"),
    [("", "the choice of the best iteration"), (", early_stopping_rounds=5", "early stopping")],
)
def test_only_what_steers_a_training_is_named(options: str, steered_by: str) -> None:
    fit = f"CatBoostClassifier().fit(a, c, eval_set=(b, d){options})"
    program = f"from catboost import CatBoostClassifier\n{HEAD}{SPLIT}model = {fit}\nprint(model.score(b, d))\n"
    messages = [leak.message for leak in analyse_text(program).leaks if leak.code == "LX1"]
    assert messages == [f"training is steered by {steered_by} on the test rows"]
