"""Two classes, many, grades and masks agree with scikit-learn; centres and scanners are shown apart."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from sklearn import metrics
from sklearn.calibration import calibration_curve

from assay.cli import main
from assay.slides.evaluation import Evaluation, Settings, Task, evaluate_task

Table = Callable[..., Path]
POINT = Settings(resamples=0)


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """Writes cases.csv, two cases to a patient, with these columns."""

    def write(**columns: Sequence[object]) -> Path:
        count = len(next(iter(columns.values())))
        fixed = {
            "case": [f"c{n}" for n in range(count)],
            "patient": [f"p{n // 2}" for n in range(count)],
            "set": ["test"] * count,
        }
        named = fixed | columns
        with (tmp_path / "cases.csv").open("w", newline="") as stream:
            writer = csv.writer(stream)
            writer.writerow(named)
            writer.writerows(zip(*named.values(), strict=True))
        return tmp_path

    return write


def values(found: Evaluation, name: str = "test") -> dict[str, float | None]:
    return found.metrics()[name]


@pytest.mark.parametrize("seed", range(5))
def test_two_classes_agree_with_scikit_learn(table: Table, seed: int) -> None:
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, 60)
    score = np.round(np.clip(truth * 0.3 + rng.random(60) * 0.7, 0, 1), 2)
    found = values(evaluate_task(table(truth=truth, score=score), Task.BINARY, POINT))
    called = score >= 0.5
    assert found["auc"] == pytest.approx(metrics.roc_auc_score(truth, score))
    assert found["f1"] == pytest.approx(metrics.f1_score(truth, called))
    assert found["specificity"] == pytest.approx(metrics.recall_score(truth, called, pos_label=0))
    assert found["brier"] == pytest.approx(metrics.brier_score_loss(truth, score))
    true, probable = calibration_curve(truth, score, n_bins=10)
    held = np.bincount(np.searchsorted(np.linspace(0, 1, 11)[1:-1], score), minlength=10)
    assert found["calibration_error"] == pytest.approx((np.abs(true - probable) * held[held > 0]).sum() / 60)


@pytest.mark.parametrize("seed", range(5))
def test_many_classes_agree_with_scikit_learn(table: Table, seed: int) -> None:
    rng = np.random.default_rng(seed)
    truth, predicted = (rng.choice(["luad", "lusc", "normal", "other"], 50) for _ in range(2))
    found = values(evaluate_task(table(truth=truth, predicted=predicted), Task.CLASSES, POINT))
    assert found["accuracy"] == pytest.approx(metrics.accuracy_score(truth, predicted))
    assert found["balanced_accuracy"] == pytest.approx(metrics.balanced_accuracy_score(truth, predicted))
    assert found["macro_f1"] == pytest.approx(metrics.f1_score(truth, predicted, average="macro"))
    assert found["kappa"] == pytest.approx(metrics.cohen_kappa_score(truth, predicted))


@pytest.mark.parametrize("order", ["", "3+3,3+4,4+3,4+4,4+5,5+5"])
def test_grades_have_quadratic_kappa_in_their_order(table: Table, order: str) -> None:
    rng = np.random.default_rng(3)
    names = order.split(",") if order else list("012345")
    truth = rng.integers(0, 6, 80)
    predicted = np.clip(truth + rng.integers(-2, 3, 80), 0, 5)
    folder = table(truth=[names[n] for n in truth], predicted=[names[n] for n in predicted])
    settings = Settings(order=tuple(names) if order else (), resamples=0)
    found = values(evaluate_task(folder, Task.GRADES, settings))
    assert found["quadratic_kappa"] == pytest.approx(metrics.cohen_kappa_score(truth, predicted, weights="quadratic"))
    assert found["within_one_grade"] == pytest.approx((np.abs(truth - predicted) <= 1).mean())


def test_masks_have_dice_and_iou_per_image_and_pooled(table: Table, tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    pairs = [(rng.random((20, 30)) < share, rng.random((20, 30)) < share) for share in (0.1, 0.5, 0.9, 0.0)]
    for number, masks in enumerate(pairs):
        for kind, mask in zip("tp", masks, strict=True):
            Image.fromarray(mask.astype(np.uint8) * 255).save(tmp_path / f"{kind}{number}.png")
    folder = table(truth=[f"t{n}.png" for n in range(4)], predicted=[f"p{n}.png" for n in range(4)])
    evaluation = evaluate_task(folder, Task.SEGMENTATION, POINT)
    found, marked = values(evaluation), pairs[:3]
    dice = [metrics.f1_score(a.ravel(), b.ravel()) for a, b in marked]
    iou = [metrics.jaccard_score(a.ravel(), b.ravel()) for a, b in marked]
    together = [np.concatenate([pair[side].ravel() for pair in pairs]) for side in (0, 1)]
    assert found["dice_per_image"] == pytest.approx(np.mean(dice))
    assert found["iou_per_image"] == pytest.approx(np.mean(iou))
    assert found["dice_pooled"] == pytest.approx(metrics.f1_score(*together))
    assert found["iou_pooled"] == pytest.approx(metrics.jaccard_score(*together))
    assert any("1 images with two empty masks" in note for note in evaluation.sets[0].notes)


def test_centres_and_scanners_are_measured_apart(table: Table) -> None:
    truth, score = [0, 1, 0, 1, 0, 1, 0, 1], [0.1, 0.9, 0.2, 0.8, 0.9, 0.1, 0.8, 0.2]
    folder = table(truth=truth, score=score, centre=["a"] * 4 + ["b"] * 4, scanner=["x"] * 8)
    found = evaluate_task(folder, Task.BINARY, POINT).metrics()
    assert {name: one["auc"] for name, one in found.items()} == {
        "test": 0.5,
        "test, centre a": 1.0,
        "test, centre b": 0.0,
    }


def test_intervals_draw_patients_and_not_cases(table: Table) -> None:
    truth, patients = [0, 1] * 20, ["p0"] * 20 + ["p1"] * 20
    predicted = truth[:20] + [1 - one for one in truth[20:]]
    folder = table(truth=truth, predicted=predicted, patient=patients)
    [one] = evaluate_task(folder, Task.CLASSES, Settings(resamples=200)).sets
    accuracy = next(m for m in one.measured if m.name == "accuracy")
    assert (accuracy.low, accuracy.value, accuracy.high) == (0.0, 0.5, 1.0)


def test_the_confidence_of_the_predicted_class_is_calibrated_or_not(table: Table) -> None:
    folder = table(truth=list("abab"), predicted=list("abba"), confidence=[1.0, 1.0, 1.0, 1.0])
    assert values(evaluate_task(folder, Task.CLASSES, POINT))["calibration_error"] == pytest.approx(0.5)


def test_calling_nothing_gives_an_f1_of_zero_and_no_precision(table: Table) -> None:
    found = values(evaluate_task(table(truth=[0, 1], score=[0.1, 0.2]), Task.BINARY, POINT))
    assert (found["f1"], found["precision"]) == (0.0, None)


def test_the_command_writes_the_numbers(table: Table, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = table(truth=[0, 1, 5, 3], predicted=[0, 2, 5, 3])
    numbers = tmp_path / "metrics.json"
    assert main(["slides", "evaluate", str(folder), "--task", "grades", "--metrics", str(numbers)]) == 0
    assert "kappa, quadratic" in capsys.readouterr().out
    assert json.loads(numbers.read_text())["test"]["accuracy"] == 0.75


@pytest.mark.parametrize(
    ("task", "columns", "said"),
    [
        ("grade", {"truth": [1]}, 'Did you mean "grades"'),
        ("grades", {"truth": ["3+4"], "predicted": ["4+3"]}, "--order"),
        ("binary", {"truth": [2], "score": [0.5]}, "neither 0 nor 1"),
        ("binary", {"truth": [1, 0]}, 'no column "score"'),
        ("classes", {"truth": ["a"], "predicted": ["a"], "confidence": [1.5]}, "outside 0 to 1"),
        ("classes", {"truth": ["a", "b"], "predicted": ["a", "b"], "set": ["x", "y"]}, "L3.2"),
        ("segmentation", {"truth": ["../a.png"], "predicted": ["b.png"]}, "outside the folder"),
        ("segmentation", {"truth": ["a.png"], "predicted": ["b.png"]}, "does not exist"),
    ],
)
def test_bad_tables_are_refused_in_one_sentence(
    table: Table, capsys: pytest.CaptureFixture[str], *, task: str, columns: dict[str, list[object]], said: str
) -> None:
    assert main(["slides", "evaluate", str(table(**columns)), "--task", task]) == 2
    told = capsys.readouterr().err
    assert said in told
    assert "Traceback" not in told


@pytest.mark.parametrize("seed", range(12))
def test_no_interval_leaves_out_its_own_value(table: Table, seed: int) -> None:
    rng = np.random.default_rng(seed)
    score = rng.random(60)
    found = evaluate_task(table(truth=(rng.random(60) < score).astype(int), score=score), Task.BINARY, Settings())
    measured = {one.name: one for one in found.sets[0].measured}
    assert measured["calibration_error"].low is None, "resampling raises it"
    for one in measured.values():
        if one.low is not None and one.high is not None and one.value is not None:
            assert one.low <= one.value <= one.high, one.name
