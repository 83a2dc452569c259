"""Several classes over folds: honest means are never called inconsistent, and impossible ones are proven so."""

import warnings
from collections.abc import Callable
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score, balanced_accuracy_score, f1_score, precision_score, recall_score
from sklearn.model_selection import StratifiedKFold

from assay.errors import InputError
from assay.findings import Verdict
from assay.scores.check import Result, check
from assay.scores.exact import Interval
from assay.scores.multiclass.class_folds import listed, stratified
from assay.scores.multiclass.confusion import margins_of
from assay.scores.multiclass.quantities import read_quantities
from assay.scores.multiclass.values import Gap, Reading, value
from assay.scores.reading import read_words

SCORES: dict[str, Callable[..., float]] = {
    "acc": accuracy_score,
    "bacc": balanced_accuracy_score,
    "f1_macro": lambda y, found: f1_score(y, found, average="macro"),
    "precision_weighted": lambda y, found: precision_score(y, found, average="weighted"),
}


def checked(*words: str) -> Result:
    return check(read_words(list(words)))


def draws(counts: list[int], k: int, seed: int, accuracy: float) -> list[tuple[np.ndarray, np.ndarray]]:
    """Actual and predicted labels of each fold of a real stratified cross-validation."""
    random = np.random.default_rng(seed)
    truth = np.repeat(np.arange(len(counts)), counts)
    random.shuffle(truth)
    found = np.where(random.random(len(truth)) < accuracy, truth, random.integers(0, len(counts), len(truth)))
    cut = StratifiedKFold(k, shuffle=True, random_state=seed)
    return [(truth[test], found[test]) for _, test in cut.split(truth, truth)]


@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(6, 30), min_size=2, max_size=4), st.integers(2, 5), st.integers(0, 10**6), st.data())
def test_stratified_folds_are_dealt_as_scikit_learn_deals_them(
    counts: list[int], k: int, seed: int, data: st.DataObject
):
    folds = draws(counts, k, seed, data.draw(st.sampled_from([0.2, 0.9])))
    found = listed([tuple(np.bincount(truth, minlength=len(counts)).tolist()) for truth, _ in folds])
    assert found in set(stratified(tuple(counts), k))


@settings(max_examples=12, deadline=None)
@given(
    st.lists(st.integers(6, 25), min_size=2, max_size=3),
    st.integers(2, 4),
    st.integers(0, 10**6),
    st.sets(st.sampled_from(sorted(SCORES)), min_size=1, max_size=2),
    st.sampled_from([0.1, 0.6, 0.95]),
)
def test_means_over_real_folds_are_never_inconsistent(
    counts: list[int], k: int, seed: int, names: set[str], accuracy: float
):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        folds = draws(counts, k, seed, accuracy)
        values = {name: [SCORES[name](*fold) for fold in folds] for name in names}
    words = [f"classes={','.join(map(str, counts))}", f"folds={k}", "fold_model=stratified", "aggregation=mean"]
    result = checked(*words, *(f"{name}={np.mean(found):.2f} ± {np.std(found):.2f}" for name, found in values.items()))
    assert result.verdict is not Verdict.INCONSISTENT, result


FOLDS = ("classes=50,50,50", "folds=5", "fold_model=stratified", "aggregation=mean")


@pytest.mark.parametrize(
    "figures",
    [
        ("acc=0.9500",),  # 150 items: steps of 1/150
        ("acc=0.9533", "f1_micro=0.9600"),
        ("recall_macro=0.99", "acc=0.60"),
        ("recall[0]=1.00", "precision[0]=1.00", "f1[0]=0.80"),
        ("acc=0.9533", "acc_min=0.9667"),
        ("precision_macro=0.99", "f1_macro=0.40", "acc=0.98"),
    ],
)
def test_impossible_means_over_folds_are_proven(figures: tuple[str, ...]):
    assert checked(*FOLDS, *figures).verdict is Verdict.INCONSISTENT


def test_a_witness_over_folds_gives_the_reported_means_and_spread():
    result = checked(*FOLDS, "acc=0.9533 ± 0.0340", "f1_macro=0.953")
    answer = result.hypotheses[0].answer
    assert answer.verdict is Verdict.CONSISTENT
    rows = [[int(x) for x in str(row).split()] for _, row in answer.figures]
    matrices = np.array(rows).reshape(5, 3, 3)
    accuracies = matrices.trace(axis1=1, axis2=2) / 30
    assert accuracies.mean() == pytest.approx(0.9533, abs=5e-5)
    assert 0.03395 <= accuracies.std() <= 0.03405 or 0.03395 <= accuracies.std(ddof=1) <= 0.03405


def test_folds_that_are_not_described_leave_more_open():
    words = ("classes=50,50,50", "folds=5", "aggregation=mean")
    assert checked(*words, "acc=0.9500").verdict is Verdict.INCONSISTENT
    assert checked(*words, "acc=0.9533", "f1_macro=0.953").verdict is Verdict.CONSISTENT


def test_averages_over_both_classes_are_understood_with_p_and_n():
    assert checked("p=50", "n=70", "f1_macro=0.83", "sens=0.80", "acc=0.833").verdict is Verdict.CONSISTENT
    assert checked("p=50", "n=70", "f1_macro=0.93", "sens=0.80").verdict is Verdict.INCONSISTENT
    assert checked("p=50", "n=70", "f1_micro=0.90", "acc=0.80").verdict is Verdict.INCONSISTENT


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("f1_macro=0.9",), "need their sizes"),
        ((*FOLDS, "gm_micro=0.9"), "not tested as a mean over folds"),
        (("classes=50,50", "f1_macro=0.90 ± 0.01"), "a spread needs several folds"),
        (("classes=5,5", "folds=11", "f1_macro=0.90"), "11 folds of 10 items"),
    ],
)
def test_what_is_not_tested_is_refused_in_one_sentence(words: tuple[str, ...], message: str):
    with pytest.raises(InputError) as error:
        checked(*words)
    assert message in str(error.value)


def test_three_means_with_their_spreads_over_ten_folds_are_decided() -> None:
    """A real cross-validation; improving two folds at a time found no matrices for it."""
    figures = ["acc=0.5720", "acc_sd=0.0943", "precision_weighted=0.6100", "precision_weighted_sd=0.1256"]
    found = checked("classes=44,17,56", "folds=10", "fold_model=stratified", "aggregation=mean", *figures)
    assert found.verdict is Verdict.CONSISTENT


@pytest.mark.parametrize(
    "words",
    [
        "classes=7,7,7 folds=5 fold_model=stratified recall_macro=0.7333",
        "classes=13,13 folds=3 fold_model=any bacc=0.9333",
        "classes=24,24,24 folds=5 fold_model=unknown recall_macro=0.8838",
    ],
)
def test_classes_of_equal_size_may_be_unequal_in_a_fold(words: str) -> None:
    """Means of real cross-validations; over classes that are equal in each fold the mean recall is accuracy."""
    assert checked(*words.split(), "aggregation=mean").verdict is not Verdict.INCONSISTENT


@pytest.mark.parametrize(
    "words",
    [
        # a fold without items of the first class: balanced accuracy leaves the class out, macro recall counts 0
        "classes=5,42,47,16,26 folds=5 fold_model=any acc=0.68 bacc=0.68 bacc_sd=0.09 recall_macro=0.64±0.14",
        # one of few foldings, and few matrices on it
        "classes=52,44 folds=3 fold_model=any recall_macro=0.9110 recall_macro_sd=0.0200 f1_weighted=0.9065",
        # every item of every fold correct
        "classes=29,22,38,33,16 folds=10 fold_model=stratified recall_macro=1.000 recall_weighted=1.000 kappa=1.000",
    ],
)
def test_matrices_are_found_for_honest_means(words: str) -> None:
    """Real cross-validations as scikit-learn scores them."""
    assert checked(*words.split(), "aggregation=mean").verdict is Verdict.CONSISTENT


@pytest.mark.parametrize("name", ["recall_macro", "precision_macro", "f1_macro", "bacc"])
def test_a_fold_without_a_class_is_averaged_as_scikit_learn_does(name: str) -> None:
    """Every pair of labels and predictions for three items of three classes, some absent."""
    counted = {"recall_macro": recall_score, "precision_macro": precision_score, "f1_macro": f1_score}
    quantity = read_quantities((1, 1, 1), {name: Interval(None, None)}, folds=True)[0]
    for truth, found in product(product(range(3), repeat=3), repeat=2):
        table = np.zeros((3, 3), dtype=int)
        np.add.at(table, (truth, found), 1)
        exact = value(quantity, margins_of(tuple(map(tuple, table.tolist()))), Reading(Gap.ABSENT))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            printed = (
                counted[name](truth, found, average="macro")
                if name in counted
                else balanced_accuracy_score(truth, found)
            )
        assert exact is not None
        assert float(exact[0]) == pytest.approx(printed)
