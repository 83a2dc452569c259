"""Each step does what its choice says."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.errors import InputError
from assay.slides.augmentation import for_inference, for_training
from assay.slides.configuration import (
    Augmentation,
    HeatMaps,
    Labels,
    Lesions,
    Mining,
    Patches,
    SlideModel,
    Split,
    Stain,
    Tissue,
    World,
)
from assay.slides.division import divide
from assay.slides.features import features_of
from assay.slides.heatmap import HeatMap, heat_map
from assay.slides.lesions import detections
from assay.slides.reading import Annotation, Cohort, Entry, open_slide, read_cohort
from assay.slides.regions import clusters, components
from assay.slides.slide_model import classify, slide_features
from assay.slides.stain import normalised, palette_of
from assay.slides.tiles import Ground, Scale, Tiles, grid_tiles, labels_of, patch_pixels, random_tiles
from assay.slides.tissue import tissue_mask
from assay.slides.training_sample import with_hard_negatives
from assay.slides.vocabulary import class_of_length, stage_of
from assay.slides.world.anatomy import lay_out
from assay.slides.world.files import write_pyramid
from assay.slides.world.picture import paint
from assay.slides.world.plan import Look, plan

ALL = Patches(size=16, stride=16, minimum_tissue=0)


def cohort(patients: int, sets: str = "", per_patient: int = 5) -> Cohort:
    entries = tuple(
        Entry(f"p{p}_{i}", Path("x.tif"), f"p{p}", "negative", None, sets)
        for p in range(patients)
        for i in range(per_patient)
    )
    return Cohort(Path(), entries, {f"p{p}": "pN0" for p in range(patients)})


# --- split -----------------------------------------------------------------------------------------


@given(patients=st.integers(3, 60), seed=st.integers(0, 99), train=st.floats(0.3, 0.6), validation=st.floats(0, 0.3))
def test_a_patient_split_divides_patients_in_proportion(
    patients: int, seed: int, train: float, validation: float
) -> None:
    sets = divide(cohort(patients), Split(train=train, validation=validation, seed=seed))
    by_patient = {name.split("_")[0]: found for name, found in sets.items()}
    assert len(sets) == 5 * patients
    assert all(sets[f"{p}_{i}"] == found for p, found in by_patient.items() for i in range(5))
    counts = Counter(by_patient.values())
    assert abs(counts["train"] - train * patients) <= 1.5
    assert abs(counts["validation"] - validation * patients) <= 1.5


@pytest.mark.parametrize("unit", ["slide", "patch"])
def test_a_patient_in_two_sets_is_refused_as_leakage_unless_it_is_wanted(unit: str) -> None:
    with pytest.raises(InputError, match=r"L3\.2"):
        divide(cohort(12), Split.model_validate({"unit": unit}))
    sets = divide(cohort(12), Split.model_validate({"unit": unit, "accept_leakage": True}))
    assert len({sets[f"p0_{i}"] for i in range(5)} | {sets[f"p1_{i}"] for i in range(5)}) > 1


def test_a_slide_split_of_patients_with_one_slide_each_is_no_leak() -> None:
    assert set(divide(cohort(20, per_patient=1), Split(unit="slide")).values()) == {"train", "validation", "test"}


def test_a_table_decides_and_must_decide_everything() -> None:
    assert set(divide(cohort(3, "train"), Split(unit="table")).values()) == {"train"}
    with pytest.raises(InputError, match="has no set"):
        divide(cohort(3), Split(unit="table"))


def test_test_slides_of_the_table_stay_test_slides() -> None:
    fixed = cohort(4, "test").entries
    mixed = Cohort(Path(), (*fixed, *(Entry(f"q{i}", Path("x"), f"q{i}", "negative") for i in range(10))), {})
    sets = divide(mixed, Split(train=0.8, validation=0.2, stratify="none"))
    assert {sets[e.slide] for e in fixed} == {"test"}
    assert Counter(sets[f"q{i}"] for i in range(10)) == {"train": 8, "validation": 2}


# --- tissue, patches, labels -----------------------------------------------------------------------


def test_glass_and_small_specks_are_not_tissue_and_holes_can_be_filled(world: Path) -> None:
    with open_slide(read_cohort(world).entries[0].file) as slide:
        usual = tissue_mask(slide, Tissue(level=1))
        filled = tissue_mask(slide, Tissue(level=1, fill_holes_um2=1e6))
        assert 0.2 < usual.mean() < 0.8
        assert filled.sum() > usual.sum()
        assert (filled | ~usual).all()
        assert tissue_mask(slide, Tissue(level=1, method="none")).all()
        assert not tissue_mask(slide, Tissue(level=1, minimum_area_um2=9e8)).any()


def test_ink_is_tissue_until_it_is_removed(world: Path) -> None:
    differ = []
    for entry in read_cohort(world).entries:
        with open_slide(entry.file) as slide:
            kept, removed = (tissue_mask(slide, Tissue(level=1, artefacts=a)) for a in ("keep", "remove-pen"))
        assert removed.sum() > 0.75 * kept.sum()
        differ.append(int((kept & ~removed).sum()))
    assert 1 <= sum(count > 50 for count in differ) <= 9


def test_label_rules_differ_on_a_patch_that_is_a_quarter_tumour(world: Path) -> None:
    square = np.array([[0, 0], [24, 0], [24, 24], [0, 24]], float)
    with open_slide(read_cohort(world).entries[0].file) as slide:
        tiles = grid_tiles(Ground(slide, np.ones((64, 64), bool), Annotation((square,))), ALL, 16)
    corner = int(np.flatnonzero((tiles.x == 16) & (tiles.y == 16))[0])
    assert tiles.tumour[corner] == pytest.approx(0.25, abs=0.1)
    found = {rule: labels_of(tiles, Labels.model_validate({"rule": rule}))[corner] for rule in ("any", "share")}
    assert found == {"any": True, "share": False}
    assert labels_of(tiles, Labels(share=0.2))[corner]
    assert labels_of(tiles, Labels(rule="any")).sum() == 4
    assert labels_of(tiles, Labels(rule="share", share=0.9)).sum() == 1


def test_a_huge_slide_is_measured_on_a_coarser_raster(world: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    square = np.array([[100, 100], [300, 100], [300, 300], [100, 300]], float)
    with open_slide(read_cohort(world).entries[0].file) as slide:
        ground = Ground(slide, np.ones((64, 64), bool), Annotation((square,)))
        fine = grid_tiles(ground, ALL, 16)
        monkeypatch.setattr("assay.slides.tiles._MAX_CELLS", 128 * 128)
        coarse = grid_tiles(ground, ALL, 16)
        assert np.abs(coarse.tumour - fine.tumour).max() < 0.5
        assert coarse.tumour.sum() == pytest.approx(fine.tumour.sum(), rel=0.05)
        monkeypatch.setattr("assay.slides.tiles._MAX_CELLS", 64 * 64)
        with pytest.raises(InputError, match="such small patches"):
            grid_tiles(ground, ALL, 16)


def test_patches_are_the_pixels_of_their_place_at_every_scale(world: Path) -> None:
    with open_slide(read_cohort(world).entries[0].file) as slide:
        whole = {k: slide.whole(k) for k in (0, 1)}
        for level in (0, 1):
            choice = Patches(level=level, size=32, stride=20, minimum_tissue=0)
            tiles = grid_tiles(Ground(slide, np.ones((64, 64), bool), None), choice, 20)
            for chosen, stack in patch_pixels(slide, tiles, choice):
                for i, patch in zip(chosen[::37], stack[::37], strict=True):
                    y, x = tiles.y[i] // 2**level, tiles.x[i] // 2**level
                    assert np.array_equal(patch, whole[level][y : y + 32, x : x + 32])
        by_scale = Patches.model_validate({"um_per_pixel": 16.0, "size": 32, "stride": 20, "minimum_tissue": 0})
        same = grid_tiles(Ground(slide, np.ones((64, 64), bool), None), by_scale, 20)
        assert np.array_equal(same.x, tiles.x)
        with pytest.raises(InputError, match="µm per pixel at best"):
            grid_tiles(
                Ground(slide, np.ones((64, 64), bool), None), by_scale.model_copy(update={"um_per_pixel": 1.0}), 8
            )


def test_random_places_hold_tissue_and_follow_their_seed(world: Path) -> None:
    choice = Patches(size=16, stride=16, placement="random", per_slide=50, minimum_tissue=0.8)
    with open_slide(read_cohort(world).entries[0].file) as slide:
        ground = Ground(slide, tissue_mask(slide, Tissue(level=1)), None)
        one, again, other = (random_tiles(ground, choice, np.random.default_rng(s)) for s in (1, 1, 2))
    assert len(one) == 50
    assert one.tissue.min() >= 0.8
    assert np.array_equal(one.x, again.x)
    assert not np.array_equal(one.x, other.x)


# --- stain -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["reinhard", "macenko"])
def test_normalisation_undoes_the_stain_of_another_centre(tmp_path: Path, method: str) -> None:
    world = World(side=512, um_per_pixel=8.0, levels=2)
    stain, tissue = Stain.model_validate({"method": method}), Tissue(level=1)
    planned = replace(plan(world)[0], look=Look((0.0, 0.0, 0.0), 0.0, 0.0, 0.0, 0.0, 0.0))
    palettes, pixels = [], []
    for centre in ("A", "B"):  # the same tissue to the pixel, stained twice
        rng = np.random.default_rng(1)
        anatomy = lay_out("micro", 4096.0, rng)
        write_pyramid(tmp_path / centre, paint(replace(planned, centre=centre), anatomy, world, rng), 2, 8.0)
        with open_slide(tmp_path / centre) as slide:
            palettes.append(palette_of(slide, stain, tissue))
            pixels.append(slide.whole(0).astype(int))
    inside = pixels[0].sum(2) < 650
    moved = normalised(pixels[1].astype(np.uint8), palettes[1], palettes[0], stain).astype(int)
    before, after = (np.abs(p - pixels[0])[inside].mean() for p in (pixels[1], moved))
    assert after < 0.6 * before
    same = normalised(pixels[0].astype(np.uint8), palettes[0], palettes[0], stain)
    assert np.abs(same - pixels[0])[inside].max() <= 3


# --- augmentation ----------------------------------------------------------------------------------

STACK = np.random.default_rng(3).integers(0, 255, (6, 16, 16, 3), dtype=np.uint8)


def test_turns_and_mirrors_keep_the_pixels_and_the_light_features() -> None:
    varied = for_training(STACK, Augmentation(), np.random.default_rng(1))
    assert not np.array_equal(varied, STACK)
    assert np.array_equal(np.sort(varied.reshape(6, -1)), np.sort(STACK.reshape(6, -1)))
    assert np.allclose(features_of(varied), features_of(STACK), atol=1e-4)


def test_colour_changes_features_and_crops_change_the_size() -> None:
    rng = np.random.default_rng(1)
    coloured = for_training(STACK, Augmentation(training=("colour",), colour=0.3), rng)
    assert not np.allclose(features_of(coloured), features_of(STACK), atol=0.05)
    assert for_training(STACK, Augmentation(crop=12), rng).shape == (6, 12, 12, 3)


@pytest.mark.parametrize(("choices", "variants"), [((), 1), (("flip",), 2), (("rotate",), 4), (("flip", "rotate"), 8)])
def test_inference_looks_at_each_variant_once(choices: tuple[str, ...], variants: int) -> None:
    choice = Augmentation.model_validate({"inference": choices})
    seen = [v.tobytes() for v in map(np.ascontiguousarray, for_inference(STACK, choice, np.random.default_rng(0)))]
    assert len(set(seen)) == len(seen) == variants


def test_a_random_crop_at_inference_is_a_choice_of_its_own() -> None:
    centre, chance = (Augmentation.model_validate({"crop": 8, "inference_crop": c}) for c in ("centre", "random"))
    fixed = [next(for_inference(STACK, centre, np.random.default_rng(s))) for s in (0, 1)]
    assert np.array_equal(*fixed)
    drawn = [next(for_inference(STACK, chance, np.random.default_rng(s))) for s in (0, 1)]
    assert not np.array_equal(*drawn)


# --- hard negatives --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("choice", "size", "mined"),
    [(Mining(), 23, 3), (Mining(most=2), 22, 2), (Mining(how="replace"), 20, 3), (Mining(threshold=0.99), 20, 0)],
)
def test_hard_negatives_are_added_or_replace_the_surest_first(choice: Mining, size: int, mined: int) -> None:
    negatives = np.arange(10, 110)
    told = np.zeros(100, np.float32)
    told[[90, 91, 92]] = 0.7, 0.9, 0.8
    rng = np.random.default_rng(0)
    chosen, hard = with_hard_negatives(np.arange(20), negatives, told, choice, rng)
    assert len(chosen) == size
    assert list(hard) == [101, 102, 100][:mined]
    assert set(range(10)) <= set(chosen.tolist())


# --- heat maps, lesions, slides --------------------------------------------------------------------


def map_of(values: list[list[float]]) -> HeatMap:
    array = np.array(values, np.float32)
    return HeatMap(array, np.ones(array.shape, bool), 100.0)


@pytest.mark.parametrize(("overlap", "middle"), [("mean", 0.5), ("max", 0.8), ("last", 0.2)])
def test_overlapping_patches_are_resolved_by_the_rule(overlap: str, middle: float) -> None:
    nothing = np.zeros(2, np.float32)
    tiles = Tiles(np.array([0, 8], np.int32), np.zeros(2, np.int32), nothing + 1, nothing, nothing > 1)
    choice = HeatMaps.model_validate({"stride": 8, "overlap": overlap})
    heat = heat_map(tiles, np.array([0.8, 0.2], np.float32), Scale(0, 1.0, 16), choice, (32, 32, 0.5))
    assert heat.values[0].tolist() == pytest.approx([0.8, middle, 0.2, 0.0])
    assert heat.cell_um == 4.0
    assert heat.place(0, 1) == (6.0, 2.0)


def test_regions_have_the_shape_of_their_cells() -> None:
    [line, dot] = components(map_of([[0.9, 0.8, 0.7, 0.9], [0, 0, 0, 0], [0, 0, 0, 0.6]]), 0.5)
    assert (line.area, line.box, dot.area) == (4, (1, 4), 1)
    assert line.solidity() == pytest.approx(1.0)
    assert dot.axes()[0] == pytest.approx(dot.axes()[1])
    assert line.axes()[0] == pytest.approx(4 * np.sqrt(16 / 12))


def test_groupings_of_the_same_map_give_other_lesions() -> None:
    heat = map_of([[0.9, 0, 0.8], [0, 0.6, 0], [0, 0, 0], [0.7, 0.7, 0]])
    found = {g: len(detections(heat, Lesions.model_validate({"grouping": g}))) for g in ("components", "suppression")}
    assert found == {"components": 2, "suppression": 3}
    assert len(components(heat, 0.5, 4)) == 4
    assert len(detections(heat, Lesions(grouping="dbscan", radius=1.0))) == 4
    assert len(clusters(heat, 0.5, 0.5, 5)) == 0  # the defaults of scikit-learn join no two cells
    assert not detections(heat, Lesions(done=False))
    [first, second] = detections(heat, Lesions(score="sum"))
    assert (first.score, second.score) == pytest.approx((2.3, 1.4))
    assert (first.x_um, first.y_um) == (150.0, 150.0)


@settings(max_examples=25)
@given(st.integers(0, 10_000), st.sampled_from(["wang", "lee"]))
def test_features_of_any_map_are_finite(seed: int, kind: str) -> None:
    rng = np.random.default_rng(seed)
    values = (rng.random(rng.integers(1, 9, 2)) * rng.integers(0, 2)).astype(np.float32)
    choice = SlideModel.model_validate({"features": kind})
    features = slide_features([HeatMap(values, values > 0, 50.0)], choice)
    assert features.shape == (1, 30 if kind == "wang" else 21)
    assert np.isfinite(features).all()


@pytest.mark.parametrize("model", ["forest", "boosting", "xgboost", "largest-probability", "tumour-area"])
def test_slide_models_rank_bright_maps_above_dark_ones(model: str) -> None:
    rng = np.random.default_rng(0)
    kinds = ["negative", "macro"] * 30
    heats = [map_of((rng.random((6, 6)) * 0.4 + (0.59 if k == "macro" else 0)).tolist()) for k in kinds]
    choice = SlideModel.model_validate({"model": model, "trees": 20, "features_per_split": "all"})
    trains = np.arange(60) < 30
    told = classify(slide_features(heats, choice), heats, kinds, trains, choice, seed=1)
    assert told.scores[1::2].min() > told.scores[::2].max()
    assert told.classes[30:] == tuple(kinds[30:])


@pytest.mark.parametrize("model", ["forest", "boosting", "xgboost"])
@pytest.mark.parametrize("per_split", ["all", "sqrt", "log2"])
def test_classes_without_training_slides_are_never_predicted(model: str, per_split: str) -> None:
    kinds = ["negative", "macro"] * 4 + ["itc", "micro"]
    choice = SlideModel.model_validate({"model": model, "trees": 3, "leaf": 1, "features_per_split": per_split})
    features = np.repeat(np.arange(10.0)[:, None], 30, axis=1)
    found = classify(features, [map_of([[0.1]])] * 10, kinds, np.arange(10) < 8, choice, seed=0)
    assert set(found.classes) <= {"negative", "macro"}


def test_slides_of_one_class_give_that_class() -> None:
    choice = SlideModel.model_validate({"model": "largest-probability"})
    found = classify(np.zeros((4, 30)), [map_of([[0.1]])] * 4, ["micro"] * 4, np.ones(4, bool), choice, seed=0)
    assert found.classes == ("micro",) * 4


def test_one_label_in_training_is_refused() -> None:
    heats = [map_of([[0.1]])] * 4
    with pytest.raises(InputError, match="one label"):
        classify(np.zeros((4, 30)), heats, ["micro"] * 4, np.ones(4, bool), SlideModel(), seed=0)


@pytest.mark.parametrize(
    ("classes", "stage"),
    [
        (["negative"] * 5, "pN0"),
        (["itc", "itc", "negative"], "pN0(i+)"),
        (["micro"] * 5, "pN1mi"),
        (["macro", "micro", "micro", "itc"], "pN1"),
        (["macro", "micro", "micro", "micro"], "pN2"),
    ],
)
def test_stages_follow_the_rules_of_camelyon17(classes: list[str], stage: str) -> None:
    assert stage_of(classes) == stage


def test_classes_change_at_the_clinical_lengths() -> None:
    assert [class_of_length(mm) for mm in (0, 0.2, 0.21, 2.0, 2.01)] == ["negative", "itc", "micro", "micro", "macro"]
