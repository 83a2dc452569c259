"""Every measure of the small folder, computed by hand."""

from pathlib import Path

import pytest
from predictions_folder import LESIONS, POLYGONS, SLIDES, square, write_folder

from assay.slides.evaluation import Conventions, evaluate


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_folder(tmp_path / "predictions")


def metrics(folder: Path, **options) -> dict[str, float | None]:
    return evaluate(folder, resamples=0, **options).metrics()["test"]


def test_patch_measures(folder: Path) -> None:
    # At 0.5: tumour 0.9 and 0.7 are found, 0.2 is missed; normal 0.6 is a false alarm, 0.1 and 0.3 are right.
    found = metrics(folder)
    assert found["patch_accuracy"] == pytest.approx(4 / 6)
    assert found["patch_recall"] == pytest.approx(2 / 3)
    assert found["patch_specificity"] == pytest.approx(2 / 3)
    assert found["patch_precision"] == pytest.approx(2 / 3)
    # From the top: 0.9 yes, 0.7 yes, 0.6 no, 0.3 no, 0.2 yes: (1/1 + 2/2 + 3/5) / 3.
    assert found["patch_pr_auc"] == pytest.approx((1 + 1 + 3 / 5) / 3)


def test_slide_measures(folder: Path) -> None:
    # Tumour 0.9 and 0.4 against normal 0.5 and 0.1: three of four pairs are in order; C's 0.5 calls tumour.
    found = metrics(folder)
    assert found["slide_auc"] == pytest.approx(3 / 4)
    assert found["slide_accuracy"] == pytest.approx(2 / 4)
    assert found["slide_class_accuracy"] == pytest.approx(2 / 4)


def test_froc_with_isolated_cells_and_a_silent_slide(folder: Path) -> None:
    # Three lesions; by falling score: 0.95 hit, 0.8 false, 0.7 false, 0.4 hit, 0.3 false; four slides.
    # One third is found at 1/4 false positives per slide, two thirds from 1/2 on. 0.99 on isolated cells is nothing.
    assert metrics(folder)["froc"] == pytest.approx((1 / 3 + 5 * 2 / 3) / 6)


def test_froc_that_forgets_the_silent_slide(folder: Path) -> None:
    # Over three slides the second hit needs 2/3 false positives per slide, so it is out of reach at 1/2.
    found = metrics(folder, conventions=Conventions(froc_slides="with detections"))
    assert found["froc"] == pytest.approx((2 / 3 + 4 * 2 / 3) / 6)


def test_a_detection_on_isolated_cells_neither_counts_nor_hurts(folder: Path) -> None:
    before = metrics(folder)["froc"]
    (folder / "lesions.csv").write_text(LESIONS.replace("A,2020,300,0.99\n", ""))
    assert metrics(folder)["froc"] == before


def test_froc_is_0_when_nothing_was_detected(folder: Path) -> None:
    (folder / "lesions.csv").write_text("slide,x_um,y_um,score\n")
    assert metrics(folder)["froc"] == 0


def test_kappa_by_hand(folder: Path) -> None:
    # Places 3, 2, 0 against 4, 0, 0: squares 1 + 4 + 0 seen, and (9+9+1+4+4+4+16+0+0)/3 expected by chance.
    expected = sum((a - b) ** 2 for a in (3, 2, 0) for b in (4, 0, 0)) / 3
    assert metrics(folder)["kappa"] == pytest.approx(1 - 5 / expected)


def test_kappa_in_alphabetical_order_is_another(folder: Path) -> None:
    found = metrics(folder, conventions=Conventions(kappa_order="alphabetical"))
    expected = sum((a - b) ** 2 for a in (2, 3, 0) for b in (4, 0, 0)) / 3
    assert found["kappa"] == pytest.approx(1 - 13 / expected)


@pytest.mark.parametrize(("gap", "lesions"), [(48, 1), (120, 2)])
def test_annotations_within_75_um_are_one_lesion(tmp_path: Path, gap: float, lesions: int) -> None:
    polygons = "slide,polygon,x_um,y_um\n" + square("A", "a", 400, 400, 320) + square("A", "b", 720 + gap, 400, 320)
    slides = "slide,patient,set,label\nA,p1,test,1\n"
    hit = "slide,x_um,y_um,score\nA,500,500,0.9\n"
    folder = write_folder(tmp_path, slides=slides, lesions=hit, polygons=polygons, patches=None, patients=None)
    assert metrics(folder)["froc"] == pytest.approx(1 / lesions)


@pytest.mark.parametrize(("x_um", "found"), [(428, 1), (460, 0)])
def test_a_detection_may_miss_the_annotation_by_37_um(tmp_path: Path, x_um: float, found: float) -> None:
    polygons = "slide,polygon,x_um,y_um\n" + square("A", "a", 0, 0, 400)
    slides = "slide,patient,set,label\nA,p1,test,1\n"
    hit = f"slide,x_um,y_um,score\nA,{x_um},200,0.9\n"
    folder = write_folder(tmp_path, slides=slides, lesions=hit, polygons=polygons, patches=None, patients=None)
    assert metrics(folder)["froc"] == found


def test_masks_give_what_polygons_give(folder: Path) -> None:
    import numpy as np
    from PIL import Image

    from assay.slides.evaluation.references import POLYGON_UM, read_references

    before = metrics(folder)
    references = read_references(folder)
    for name in ("A", "B"):
        Image.fromarray((references.mask(name).tumour * 255).astype(np.uint8)).save(folder / f"{name}.png")
    (folder / "polygons.csv").unlink()
    (folder / "masks.csv").write_text(f"slide,file,um_per_pixel\nA,A.png,{POLYGON_UM}\nB,B.png,{POLYGON_UM}\n")
    assert metrics(folder) == before


def test_the_report_tells_every_denominator(folder: Path) -> None:
    told = {one.name: one.over for one in evaluate(folder, resamples=0).sets[0].measured}
    assert told["patch_accuracy"] == "6 patches (3 tumour) on 3 of 4 slides"
    assert told["slide_auc"] == "4 slides (2 with tumour)"
    assert told["froc"] == (
        "3 lesions (1 of isolated cells not counted); false positives over 4 slides (1 without detections included)"
    )
    assert told["kappa"] == "3 patients in 5 stages"


def test_row_order_does_not_matter(folder: Path) -> None:
    before = metrics(folder)
    for name in ("slides.csv", "patches.csv", "lesions.csv", "patients.csv"):
        head, *rows = (folder / name).read_text().splitlines()
        (folder / name).write_text("\n".join([head, *reversed(rows)]) + "\n")
    assert metrics(folder) == pytest.approx(before)


def test_sets_are_evaluated_apart(folder: Path) -> None:
    (folder / "slides.csv").write_text(SLIDES + "E,p9,train,0,0.3,negative,negative\n")
    found = evaluate(folder, resamples=0)
    assert [one.name for one in found.sets] == ["test", "train"]
    assert found.metrics()["train"]["slide_auc"] is None
    assert any("slide_auc" in note for note in found.sets[1].notes)
    assert "kappa" not in found.metrics()["train"]
    assert evaluate(folder, sets=["test"], resamples=0).metrics() == {"test": found.metrics()["test"]}


def test_slides_without_annotation_in_a_whole_set_leave_froc_out(folder: Path) -> None:
    (folder / "polygons.csv").write_text(POLYGONS.splitlines()[0] + "\n")
    found = evaluate(folder, resamples=0)
    assert "froc" not in found.metrics()["test"]
    assert any("no FROC" in note for note in found.sets[0].notes)


def test_patients_alone_are_enough(tmp_path: Path) -> None:
    patients = "patient,set,stage,predicted_stage\np1,valid,pN0,pN0\np2,valid,pN2,pN2\n"
    folder = write_folder(tmp_path, slides=None, patches=None, lesions=None, polygons=None, patients=patients)
    assert evaluate(folder, resamples=0).metrics() == {"valid": {"kappa": 1.0}}


def test_intervals_hold_the_estimate_and_repeat(folder: Path) -> None:
    one, again = evaluate(folder, resamples=200, seed=3), evaluate(folder, resamples=200, seed=3)
    assert one == again
    for measured in one.sets[0].measured:
        if measured.low is not None:
            assert measured.low <= measured.value <= measured.high
