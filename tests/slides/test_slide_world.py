"""The synthetic world keeps what it promises: readable pyramids, clinical limits, annotations that agree."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.errors import InputError
from assay.slides.configuration import Configuration, World
from assay.slides.reading import open_slide, read_annotation, read_cohort
from assay.slides.vocabulary import CLASSES, STAGES, class_of_length, stage_of
from assay.slides.world import make_world
from assay.slides.world.anatomy import lay_out
from assay.slides.world.plan import plan


def longest(polygon: np.ndarray) -> float:
    return float(np.hypot(*(polygon[:, None] - polygon[None]).transpose(2, 0, 1)).max())


@settings(max_examples=25)
@given(seed=st.integers(0, 10_000), kind=st.sampled_from(["itc", "micro", "macro"]))
def test_lesions_keep_the_clinical_limits(seed: int, kind: str) -> None:
    anatomy = lay_out(kind, 4096.0, np.random.default_rng(seed))
    assert anatomy.lesions
    assert {class_of_length(longest(lesion) / 1000) for lesion in anatomy.lesions} == {kind}


def test_slides_are_pyramids_that_openslide_reads(world: Path) -> None:
    for entry in read_cohort(world).entries[:3]:
        with open_slide(entry.file) as slide:
            assert slide.um_per_pixel == pytest.approx(8.0)
            assert slide.dimensions == ((512, 512), (256, 256), (128, 128))
            assert slide.whole(0).std() > 10


def test_three_formats_of_annotation_say_the_same(world: Path) -> None:
    entry = next(e for e in read_cohort(world).entries if e.kind == "micro")
    files = [f"annotations/{entry.slide}.xml", f"annotations/{entry.slide}.geojson", f"masks/{entry.slide}.png"]
    rasters = [read_annotation(world / name, (512, 512)).raster(1.0, (512, 512)) for name in files]
    assert rasters[0].sum() > 100
    for one, other in pairwise(rasters):
        assert (one ^ other).sum() < 0.1 * one.sum()


def test_every_stage_and_class_and_both_centres_are_there() -> None:
    slides = plan(World())
    assert {s.stage for s in slides} == set(STAGES)
    assert {s.kind for s in slides} == set(CLASSES)
    assert {s.centre for s in slides} == {"A", "B"}
    by_patient: dict[str, list[str]] = {}
    for slide in slides:
        by_patient.setdefault(slide.patient, []).append(slide.kind)
    assert all(len(kinds) == 5 for kinds in by_patient.values())
    assert all(stage_of(by_patient[s.patient]) == s.stage for s in slides)


def test_slides_of_one_patient_look_more_alike_than_slides_of_two() -> None:
    looks = {s.name: (s.patient, s.look.tumour) for s in plan(World(patients=60))}
    patients = sorted({p for p, _ in looks.values()})
    within = np.mean([np.var([v for p, v in looks.values() if p == q]) for q in patients])
    between = np.var([np.mean([v for p, v in looks.values() if p == q]) for q in patients])
    assert between > 2 * within


def test_making_again_changes_nothing_and_more_patients_leave_the_first_alone(
    tmp_path: Path, tiny: Callable[..., Configuration]
) -> None:
    small = World(patients=1, slides_per_patient=2, side=256, um_per_pixel=16, levels=2)
    make_world(tmp_path / "a", small)
    first = {p.name: p.read_bytes() for p in (tmp_path / "a").rglob("*") if p.is_file()}
    make_world(tmp_path / "a", small)
    assert {p.name: p.read_bytes() for p in (tmp_path / "a").rglob("*") if p.is_file()} == first
    make_world(tmp_path / "b", small.model_copy(update={"patients": 2}))
    for slide in (tmp_path / "a" / "slides").iterdir():
        assert (tmp_path / "b" / "slides" / slide.name).read_bytes() == slide.read_bytes()


def test_another_world_or_somebodys_folder_is_left_alone(tmp_path: Path) -> None:
    small = World(patients=1, slides_per_patient=1, side=256, um_per_pixel=16, levels=1)
    make_world(tmp_path / "a", small)
    with pytest.raises(InputError, match="another synthetic world"):
        make_world(tmp_path / "a", small.model_copy(update={"seed": 1}))
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.tex").touch()
    with pytest.raises(InputError, match="not empty"):
        make_world(tmp_path / "mine", small)
