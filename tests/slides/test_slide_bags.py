"""Multiple-instance learning on bags of features: the table, the split, what is learnt, and that it can be metered."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from assay.errors import InputError
from assay.slides.bags.run import BagRun, load, run_bags
from assay.slides.bags.table import read_bags
from assay.slides.configuration.answers import answers
from assay.slides.configuration.bag_steps import BagConfiguration
from assay.slides.configuration.files import read_pipeline
from assay.slides.menu import gaps, read_menu

ROOM = {"split.train": 0.5, "split.validation": 0.0, "metrics.sets": ["test"], "metrics.resamples": 20}


def write_bags(folder: Path, classes: int = 2, slides: int = 40) -> Path:
    """Bags in which one patch in ten shows the class, as CLAM lays them out."""
    rng = np.random.default_rng(0)
    (folder / "h5_files").mkdir(parents=True)
    rows = ["case_id,slide_id,label"]
    for number in range(slides):
        label = number % classes
        bag = rng.normal(size=(30, 4)).astype(np.float32)
        bag[:3, label] += 6 * (label > 0)
        np.save(folder / "h5_files" / f"s{number}.npy", bag)
        rows.append(f"p{number // 2},s{number},{'abc'[label]}")
    (folder / "bags.csv").write_text("\n".join(rows) + "\n")
    return folder


def configured(**changes: Any) -> BagConfiguration:
    found = read_pipeline("attention", ROOM | {key.replace("__", "."): value for key, value in changes.items()})
    assert isinstance(found, BagConfiguration)
    return found


@pytest.mark.parametrize("pooling", ["gated-attention", "attention", "max"])
def test_attention_finds_the_few_patches_that_show_the_class(tmp_path: Path, pooling: str) -> None:
    configuration = configured(attention__pooling=pooling, attention__learning_rate=0.005)
    found = run_bags(BagRun(configuration, "", tmp_path / "run", write_bags(tmp_path / "data")))
    assert found.evaluation is not None
    assert found.evaluation.metrics()["test"]["auc"] == pytest.approx(1, abs=0.02)
    with np.load(tmp_path / "run" / "attention.npz") as weights:
        positive = [weights[f"s{number}"][:3].sum() for number in range(1, 40, 2)]
    assert np.mean(positive) > (0.5 if pooling != "max" else 0.2)  # three of thirty patches


def test_a_run_repeats_itself(tmp_path: Path) -> None:
    data = write_bags(tmp_path / "data")
    for name in ("one", "two"):
        run_bags(BagRun(configured(attention__epochs=3, attention__dropout=0.2), "", tmp_path / name, data))
    one, two = ((tmp_path / name / "predictions" / "cases.csv").read_bytes() for name in ("one", "two"))
    assert one == two


def test_three_classes_are_classes_and_not_scores(tmp_path: Path) -> None:
    data = write_bags(tmp_path / "data", classes=3, slides=60)
    found = run_bags(BagRun(configured(attention__learning_rate=0.005), "", tmp_path / "run", data))
    assert found.evaluation is not None
    assert found.evaluation.task == "classes"
    assert (found.evaluation.metrics()["test"]["balanced_accuracy"] or 0) > 0.9


def test_scaling_learns_from_training_slides_alone(tmp_path: Path) -> None:
    loaded, _ = load(write_bags(tmp_path / "data"), configured())
    trained = np.concatenate(list(loaded.only("train").bags))
    assert trained.mean(axis=0) == pytest.approx(0, abs=1e-4)
    assert trained.std(axis=0) == pytest.approx(1, abs=1e-4)
    assert np.concatenate(list(loaded.only("test").bags)).mean(axis=0) != pytest.approx(0, abs=1e-4)


def test_patients_and_copies_in_two_sets_are_refused(tmp_path: Path) -> None:
    data = write_bags(tmp_path / "data")
    with pytest.raises(InputError, match=r"patient .* leakage L3\.2"):
        load(data, configured(split__unit="slide"))
    (data / "h5_files" / "s0.npy").write_bytes((data / "h5_files" / "s39.npy").read_bytes())
    with pytest.raises(InputError, match=r"same features: leakage L3\.2"):
        load(data, configured(split__seed=2))
    load(data, configured(split__unit="slide", split__accept_leakage=True))


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ("slide,patient\ns0,p0\n", 'no column "label"'),
        ("slide,patient,label\ns0,p0,a\ns0,p1,b\n", "listed twice"),
        ("slide,patient,label\nnone,p0,a\ns1,p1,b\n", 'no features of slide "none"'),
        ("slide,patient,label,features\ns0,p0,a,../x.npy\ns1,p1,b,h5_files/s1.npy\n", "outside the folder"),
        ("slide,patient,label\ns0,p0,a\ns1,p1,a\n", "one label"),
    ],
)
def test_a_table_that_cannot_be_used_is_refused(tmp_path: Path, table: str, said: str) -> None:
    data = write_bags(tmp_path / "data", slides=4)
    (data / "bags.csv").write_text(table)
    with pytest.raises(InputError, match=said):
        read_bags(data)


def test_the_configuration_answers_every_item_once_and_marks_what_is_not_described() -> None:
    found = {one.item: one.answer for one in answers(configured(encoder__description=""), "attention")}
    assert list(found) == ["1", "2", "3", "4", "5", "6", "6a", "6b", "7", "8", "8a", "9", "10", "11", "12"]
    assert found["8"] == "missing"
    assert (found["6a"], found["9"]) == ("not applicable", "complete")


def test_every_alternative_of_the_menu_is_a_configuration() -> None:
    configuration = configured()
    menu = read_menu(None, configuration)
    for gap in gaps(menu, menu.ids, configuration):
        for _, changes in gap.alternatives:
            read_pipeline("attention", changes)
