"""Pictures that are nearly the same in training and test: also turned, mirrored, cropped, framed or rotated."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np

from assay.errors import InputError
from assay.findings import Confidence, Location, Severity, numbers
from assay.leakage.data.measures import Floats, share_difference
from assay.leakage.data.outcome import Line, Outcome, Rows, percent
from assay.leakage.data.pictures import THUMB, Descriptors, descriptors_of, nearest_copies
from assay.leakage.data.split import TEST_NAMES, TRAIN_NAMES
from assay.leakage.rules.taxonomy import duplicates_across_the_split
from assay.records import dataclass

_CODE = "L1.4"
_CHECK = "near-duplicate images"
ENDINGS = frozenset({".png", ".jpg", ".jpeg", ".bmp", ".gif", ".tif", ".tiff", ".webp"})
_MOST_IMAGES = 20_000
_MOST_BYTES = 64 * 1024**2
_MOST_PIXELS = 100_000_000
_MOST_IN_DETAIL = 4_000
"""Of more training pictures, crops, frames and small rotations are not compared: that takes minutes."""
_MOST_WITHIN = 1_000
"""So many training pictures are compared with the others, to see how often pictures are alike by nature."""
_FLAT = 2.0
"""Grey levels: a picture with less spread is a blank, and all blanks are alike."""


@dataclass(frozen=True, eq=False)
class Pictures:
    """The pictures of one part: their paths below the folder, and small grey versions of them."""

    paths: tuple[str, ...]
    thumbs: list[Floats]


def near_images(folder: Path) -> Outcome:
    """Pictures under a test sub-folder that are like one under a training sub-folder."""
    train_folder, test_folder = _part(folder, TRAIN_NAMES, "train"), _part(folder, TEST_NAMES, "test")
    train, told_train = _read(train_folder, folder)
    test, told_test = _read(test_folder, folder)
    left_out = [*told_train, *told_test]
    if not train.paths or not test.paths:
        return Outcome(Line(_CHECK, _CODE, "no pictures in one of the parts"), left_out=left_out)
    thorough = len(train.paths) <= _MOST_IN_DETAIL
    if not thorough:
        left_out.append(f"crops, frames and small rotations of {len(train.paths):,} training pictures")
    learnt = descriptors_of(train.thumbs, thorough=thorough)
    partner = nearest_copies(descriptors_of(test.thumbs, thorough=thorough), learnt)
    some = Descriptors(learnt.plain[:_MOST_WITHIN], learnt.varied[:_MOST_WITHIN])
    within = nearest_copies(some, learnt, same=True)
    rows = (partner >= 0).nonzero()[0]
    told = f"{len(rows):,} of {len(test.paths):,} test pictures ({percent(len(rows) / len(test.paths))})"
    if not len(rows):
        return Outcome(Line(_CHECK, _CODE, told), left_out=left_out)
    tally = (float(len(rows)), float(len(test.paths)))
    base = (float((within >= 0).sum()), float(len(within)))
    across = share_difference(tally, base)[1] > 0
    finding = duplicates_across_the_split.finding(
        f"{told} are nearly the same as a training picture or part of one",
        location=Location(str(folder)),
        severity=Severity.ERROR if across else Severity.WARNING,
        confidence=Confidence.HIGH if across else Confidence.MEDIUM,
        evidence=[
            numbers(
                {
                    "test pictures": len(rows),
                    "share among training pictures themselves": round(base[0] / base[1], 4),
                    **{test.paths[r]: train.paths[partner[r]] for r in rows[:5]},
                },
                "first test pictures and the training pictures that they resemble",
            )
        ],
    )
    pairs = [
        Rows(
            _CODE, _CHECK, train.paths[partner[r]], test.paths[r], np.array([1]), train.paths[partner[r]], np.array([1])
        )
        for r in rows
    ]
    return Outcome(Line(_CHECK, _CODE, told), [finding], pairs, left_out=left_out)


def _part(folder: Path, names: frozenset[str], wanted: str) -> Path:
    try:
        found = [p for p in sorted(folder.iterdir()) if p.is_dir() and p.name.lower() in names]
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror})", where=str(folder), fix="Check the path.") from None
    if len(found) != 1:
        raise InputError(
            f"has {len(found) or 'no'} sub-folder for the {wanted} part",
            where=str(folder),
            fix='Put the pictures in sub-folders called "train" and "test".',
        )
    return found[0]


def _read(part: Path, folder: Path) -> tuple[Pictures, list[str]]:
    files = sorted(p for p in part.rglob("*") if p.suffix.lower() in ENDINGS and p.is_file() and not p.is_symlink())
    told = [f"{part.name}: {len(files) - _MOST_IMAGES:,} pictures were not read"] if len(files) > _MOST_IMAGES else []
    paths: list[str] = []
    thumbs: list[Floats] = []
    unreadable, blank = 0, 0
    for file in files[:_MOST_IMAGES]:
        small = _thumbnail(file)
        if small is None:
            unreadable += 1
        elif small.std() < _FLAT:
            blank += 1
        else:
            paths.append(str(file.relative_to(folder)))
            thumbs.append(small)
    if unreadable:
        told.append(f"{part.name}: {unreadable:,} files are not pictures that can be read")
    if blank:
        told.append(f"{part.name}: {blank:,} blank pictures were not compared")
    return Pictures(tuple(paths), thumbs), told


def _thumbnail(file: Path) -> Floats | None:
    from PIL import Image

    try:
        if file.stat().st_size > _MOST_BYTES:
            return None
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a large picture warns before it is refused
            with Image.open(file) as image:
                if image.width * image.height > _MOST_PIXELS:
                    return None
                image.draft("L", (THUMB * 4, THUMB * 4))
                small = image.convert("L").resize((THUMB, THUMB), Image.Resampling.BOX)
                return np.asarray(small, dtype=np.float64)
    except Exception:  # noqa: BLE001 - a broken picture may fail in any way; it is counted and said
        return None
