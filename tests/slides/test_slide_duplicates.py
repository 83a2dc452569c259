"""One slide in two sets is refused, under whatever name and however it was saved."""

from __future__ import annotations

import csv
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import tifffile

from assay.errors import InputError
from assay.slides.cache import Cache
from assay.slides.configuration import Configuration, Split
from assay.slides.duplicates import refuse_duplicates
from assay.slides.pipeline import begin
from assay.slides.reading import Entry, open_slide, read_cohort


@pytest.fixture
def entries(world: Path) -> tuple[Entry, ...]:
    return read_cohort(world).entries


def copied(entry: Entry, file: Path) -> Entry:
    return Entry("copy", file, "somebody else", entry.kind, entry.annotation, um_per_pixel=entry.um_per_pixel)


def divided(entries: tuple[Entry, ...], tested: Entry) -> dict[str, str]:
    return {entry.slide: "test" if entry is tested else "train" for entry in (*entries, tested)}


def test_two_patients_with_the_same_file_are_refused(world: Path, tiny: Callable[..., Configuration]) -> None:
    folder = Path(shutil.copytree(world, world.parent / "twice"))
    with (folder / "slides.csv").open(newline="") as stream:
        table = list(csv.DictReader(stream))
    tested = {**table[-1], "set": "test"}
    table = [row | {"set": "train"} for row in table] + [tested | {"slide": "again", "patient": "somebody_else"}]
    (folder / "patients.csv").unlink()
    with (folder / "slides.csv").open("w", newline="") as stream:
        writer = csv.DictWriter(stream, list(table[0]))
        writer.writeheader()
        writer.writerows(table)
    with pytest.raises(InputError, match=r'"again" \(test\) and ".*" \(train\) are the same file: leakage L3\.2'):
        begin(tiny({"split.unit": "table"}), folder, world.parent / "other cache")


def test_a_renamed_copy_of_the_file_is_refused(entries: tuple[Entry, ...], tmp_path: Path) -> None:
    copy = copied(entries[0], Path(shutil.copy(entries[0].file, tmp_path / "renamed.tif")))
    with pytest.raises(InputError, match="are the same file"):
        refuse_duplicates((*entries, copy), divided(entries, copy), Split(unit="table"), Cache(tmp_path))


@pytest.mark.parametrize("step", [1, 2], ids=["full size", "half size"])
def test_a_scan_saved_again_with_other_pixels_is_refused(entries: tuple[Entry, ...], tmp_path: Path, step: int) -> None:
    with open_slide(entries[0].file, entries[0].um_per_pixel) as slide:
        pixels = slide.whole(0)[::step, ::step].astype(float)
    noise = np.random.default_rng(0).normal(0, 4, pixels.shape)
    tifffile.imwrite(tmp_path / "saved.tif", np.clip(pixels * 0.95 + noise, 0, 255).astype(np.uint8))
    copy = copied(entries[0], tmp_path / "saved.tif")
    copy = Entry(copy.slide, copy.file, copy.patient, copy.kind, um_per_pixel=8.0 * step)
    with pytest.raises(InputError, match="show the same scan: leakage L3"):
        refuse_duplicates((*entries, copy), divided(entries, copy), Split(unit="table"), Cache(tmp_path))


@pytest.mark.parametrize("mirrored", [False, True], ids=["turned", "turned and mirrored"])
def test_a_scan_that_was_turned_is_refused(entries: tuple[Entry, ...], tmp_path: Path, mirrored: bool) -> None:
    with open_slide(entries[0].file, entries[0].um_per_pixel) as slide:
        pixels = np.rot90(slide.whole(0), 3)
    tifffile.imwrite(tmp_path / "turned.tif", np.ascontiguousarray(pixels[::-1] if mirrored else pixels))
    copy = Entry("copy", tmp_path / "turned.tif", "somebody else", entries[0].kind, um_per_pixel=8.0)
    with pytest.raises(InputError, match="show the same scan: leakage L3"):
        refuse_duplicates((*entries, copy), divided(entries, copy), Split(unit="table"), Cache(tmp_path))


def test_copies_within_one_set_are_no_leak(entries: tuple[Entry, ...], tmp_path: Path) -> None:
    copy = copied(entries[0], entries[0].file)
    sets = divided(entries, copy) | {entries[0].slide: "test"}
    refuse_duplicates((*entries, copy), sets, Split(unit="table"), Cache(tmp_path))


def test_a_leak_on_purpose_runs(entries: tuple[Entry, ...], tmp_path: Path) -> None:
    copy = copied(entries[0], entries[0].file)
    split = Split(unit="table", accept_leakage=True)
    refuse_duplicates((*entries, copy), divided(entries, copy), split, Cache(tmp_path))


def test_two_slides_of_bare_glass_are_not_called_copies(tmp_path: Path) -> None:
    glass = []
    for name in ("first", "second"):
        noise = np.random.default_rng(len(name)).integers(243, 246, (256, 256, 3), np.uint8)
        tifffile.imwrite(tmp_path / f"{name}.tif", noise)
        glass.append(Entry(name, tmp_path / f"{name}.tif", name, "negative", um_per_pixel=8.0))
    refuse_duplicates(glass, {"first": "train", "second": "test"}, Split(unit="table"), Cache(tmp_path))
