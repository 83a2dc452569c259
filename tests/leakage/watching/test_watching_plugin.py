"""The pytest plug-in fails the tests that leak, and costs nothing when nobody asks."""

import subprocess
import sys

import pytest
import sklearn.feature_selection  # these once, before a run inside this one loads and forgets them
import sklearn.linear_model
import sklearn.model_selection  # noqa: F401 - loaded, not used

pytest_plugins = ["pytester"]

TESTS = """
import numpy as np
from sklearn.feature_selection import SelectKBest, f_classif
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline

X = np.random.default_rng(0).normal(size=(90, 20))
y = np.arange(90) % 2

def test_leaks():
    best = SelectKBest(f_classif, k=3).fit_transform(X, y)
    assert cross_val_score(LogisticRegression(), best, y, cv=3).mean() > 0

def test_honest():
    cross_val_score(make_pipeline(SelectKBest(f_classif, k=3), LogisticRegression()), X, y, cv=3)

def test_asks_for_the_watch(assay_leakage):
    LogisticRegression().fit(X, y).score(X, y)
    assert not assay_leakage.report().clean
"""


def run(pytester: pytest.Pytester, *options: str) -> pytest.RunResult:
    pytester.makepyfile(TESTS)
    return pytester.runpytest_inprocess("-p", "assay.leakage.watching.plugin", *options)


def test_the_option_watches_every_test(pytester: pytest.Pytester) -> None:
    ended = run(pytester, "--assay-leakage")
    ended.assert_outcomes(passed=1, failed=2, errors=1)
    ended.stdout.fnmatch_lines(["*L1.3*", "*SelectKBest was fitted on 30*", "FAILED *::test_leaks*"])


def test_the_fixture_watches_the_test_that_asks_for_it(pytester: pytest.Pytester) -> None:
    ended = run(pytester)
    ended.assert_outcomes(passed=3, errors=1)
    ended.stdout.fnmatch_lines(["*L1.1*", "ERROR *::test_asks_for_the_watch*"])


def test_the_plug_in_brings_nothing_heavy() -> None:
    code = (
        "import sys, pytest; before = set(sys.modules); import assay.leakage.watching.plugin;"
        "print(*sorted(n for n in set(sys.modules) - before))"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert set(ended.stdout.split()) == {
        "assay",
        "assay.leakage",
        "assay.leakage.watching",
        "assay.leakage.watching.plugin",
    }
