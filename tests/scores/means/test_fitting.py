"""Means over many or large parts: honest reports have a verified witness, and impossible ones get none."""

import random

import numpy as np
import pytest

from assay.findings import Verdict
from assay.scores.check import check
from assay.scores.compilation import experiment_of
from assay.scores.definitions import SCORES, Matrix
from assay.scores.reading import read_words


def matrices_of(sizes: list[tuple[int, int]], seed: int) -> list[Matrix]:
    """One matrix for each size, around a common sensitivity and specificity."""
    rng = random.Random(seed)
    centre = rng.uniform(0.6, 0.95), rng.uniform(0.8, 0.98)
    found = []
    for size in sizes:
        tp, tn = (round(s * min(max(rng.gauss(c, 0.04), 0), 1)) for s, c in zip(size, centre, strict=True))
        found.append(Matrix(tp, size[0] - tp, size[1] - tn, tn))
    return found


def printed(sizes: list[tuple[int, int]], names: list[str], seed: int, *, sd: bool = False) -> dict[str, object]:
    """Honest means over the sizes, with four digits."""
    matrices = matrices_of(sizes, seed)
    scores: dict[str, object] = {}
    for name in names:
        values = [float(SCORES[name].value(matrix)) for matrix in matrices]  # type: ignore[arg-type]
        spread = {"sd": f"{np.std(values, ddof=seed % 2):.4f}"} if sd else {}
        scores[name] = {"mean": f"{np.mean(values):.4f}", **spread}
    return scores


def verdict(sizes: list[tuple[int, int]], scores: dict[str, object]) -> Verdict:
    folds = [{"p": p, "n": n} for p, n in sizes]
    return check(experiment_of({"folds": folds, "aggregation": "mean", "scores": scores}, where="test")).verdict


IMAGES = [(9_000 + 611 * i, 80_000 - 137 * i) for i in range(45)]
STRATIFIED = [(600, 1_400)] * 5
LARGE = [(6_000, 14_000)] * 5
SEGMENTS = [(40 + 97 * i % 3_000, 60_000 - 31 * i) for i in range(150)]


@pytest.mark.parametrize("names", [["acc", "sens", "spec"], ["acc", "sens", "spec", "f1"], ["f1", "ji", "sens", "ppv"]])
@pytest.mark.parametrize("sd", [False, True])
def test_means_over_many_images_of_different_size_have_a_witness(names, sd):
    for seed in range(2):
        assert verdict(IMAGES, printed(IMAGES, names, seed, sd=sd)) is Verdict.CONSISTENT


@pytest.mark.parametrize("sizes", [STRATIFIED, LARGE], ids=["10,000 items", "100,000 items"])
@pytest.mark.parametrize("names", [["acc"], ["acc", "sens", "spec"], ["acc", "f1"], ["acc", "sens", "ppv", "f1"]])
def test_mean_and_spread_over_large_folds_have_a_witness(sizes, names):
    for seed in range(2):
        assert verdict(sizes, printed(sizes, names, seed, sd=True)) is Verdict.CONSISTENT


def test_segmentation_means_over_many_images_have_a_witness():
    assert verdict(SEGMENTS, printed(SEGMENTS, ["f1", "sens", "spec", "acc"], 3, sd=True)) is Verdict.CONSISTENT
    assert verdict(SEGMENTS, printed(SEGMENTS, ["f1", "ji"], 4, sd=True)) is Verdict.CONSISTENT


def test_extremes_over_three_folds_have_a_witness():
    scores = {"sens": {"mean": ".6608", "min": ".4655", "max": ".9310"}}
    assert verdict([(232, 1_617), (507, 1_284), (553, 11)], scores) is Verdict.CONSISTENT


def test_an_accuracy_outside_of_the_class_rates_stays_impossible():
    scores = printed(IMAGES, ["sens", "spec"], 1)
    assert verdict(IMAGES, {**scores, "acc": "0.5000"}) is Verdict.INCONSISTENT


def test_a_check_prints_nothing(capfd):
    check(
        read_words(["setup=drive.train.all", "aggregation=mean", "acc=.4786", "sens=.3395", "spec=.4985", "eps=.0001"])
    )
    assert capfd.readouterr() == ("", "")
