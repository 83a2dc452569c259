"""Positives and negatives counted in a folder of mask images.

A segmentation's test set is its masks: every pixel of an image, or of its field of view, is an item.
Nothing is guessed: what counts as foreground and which field of view belongs to which mask must be
plain from the files, or be said. The files may come from anywhere, so sizes are bounded before
anything is decoded, links are not followed out of the folder, and a file that does not decode is
named in `left_out`.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from assay.errors import InputError
from assay.records import dataclass
from assay.scores.experiment import TestSet
from assay.scores.masks.files import images_in, partners, shown
from assay.scores.masks.pictures import Foreground, UnreadableError, read
from assay.scores.setups import Kind, Setup

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class MaskCount:
    """One image: its foreground and background pixels, and the files that they were counted in."""

    image: str
    p: int
    n: int
    mask: str
    fov: str = ""


@dataclass(frozen=True, slots=True)
class MaskCounts:
    """The counts of a folder. `left_out` names what is there and was not counted."""

    folder: str
    images: tuple[MaskCount, ...]
    warnings: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()

    @property
    def p(self) -> int:
        """Foreground pixels of all images."""
        return sum(image.p for image in self.images)

    @property
    def n(self) -> int:
        """Background pixels of all images."""
        return sum(image.n for image in self.images)

    @property
    def setup(self) -> Setup:
        """The counts as test sets, for use like a published setup."""
        return Setup(
            name=self.folder,
            title=f"masks in {self.folder}",
            parts=tuple(TestSet(image.p, image.n, image.image) for image in self.images),
            source=f"counted in {len(self.images)} mask files",
            note="; ".join([*self.warnings, *(f"left out: {item}" for item in self.left_out)]),
            kind=Kind.ONE if len(self.images) == 1 else Kind.SETS,
        )

    def to_csv(self) -> str:
        """A table of name, p, n. Every row is a test set, so the totals `p` and `n` are not among them."""
        from assay.report.csv import cell

        text = io.StringIO()
        table = csv.writer(text, lineterminator="\n")
        table.writerow(["name", "p", "n"])
        table.writerows([cell(image.image), image.p, image.n] for image in self.images)
        return text.getvalue()


def count_masks(
    masks: Path,
    fov: Path | None = None,
    *,
    pattern: str = "*",
    threshold: int | None = None,
    fov_threshold: int | None = None,
    match: str | None = None,
    track: Callable[[Sequence[Path]], Iterable[Path]] = iter,
) -> MaskCounts:
    """Count the mask images in a folder, inside their fields of view if `fov` is given.

    `fov` is a folder with one image for each mask, or one image for all. Files go together by the
    words and numbers that their names begin with (`01_manual1.gif`, `01_test_mask.gif`), or by the
    regular expression `match`, whose first group must be the same in both names. A pixel is
    foreground if it reaches `threshold`; without one the masks must hold 0 and one other value.
    `pattern` chooses among the files (`*_1stHO.png`); `track` may wrap the files to show progress.
    """
    files, left_out = images_in(masks, pattern)
    fields, beside = ({}, []) if fov is None else partners(files, fov, match)
    rule, fov_rule = Foreground("threshold", threshold), Foreground("fov-threshold", fov_threshold)

    @lru_cache(maxsize=1)
    def field_of_view(path: Path) -> NDArray[np.bool_]:
        try:
            return fov_rule.pixels(read(path))
        except UnreadableError as problem:
            raise InputError(f"the field of view cannot be read: {problem}", where=shown(path)) from problem

    images: list[MaskCount] = []
    lossy: list[str] = []
    for file in track(files):
        try:
            picture = read(file)
        except UnreadableError as problem:
            left_out.append(f"{shown(file.name)}: {problem}")
            continue
        foreground = rule.pixels(picture)
        lossy += [shown(file.name)] if picture.lossy else []
        partner = fields.get(file)
        images.append(
            _within(file, foreground, partner, field_of_view(partner)) if partner else _everywhere(file, foreground)
        )
    if not images:
        raise InputError("none of the masks can be read", where=shown(masks), fix="; ".join(left_out[:5]))
    return MaskCounts(shown(masks), tuple(images), _warnings(lossy), (*left_out, *beside))


def _everywhere(file: Path, foreground: NDArray[np.bool_]) -> MaskCount:
    p = int(foreground.sum())
    return MaskCount(shown(file.stem), p, foreground.size - p, shown(file.name))


def _within(file: Path, foreground: NDArray[np.bool_], partner: Path, inside: NDArray[np.bool_]) -> MaskCount:
    if inside.shape != foreground.shape:
        (height, width), (fov_height, fov_width) = foreground.shape, inside.shape
        raise InputError(
            f"the mask is {width} x {height} pixels and its field of view {shown(partner.name)} "
            f"{fov_width} x {fov_height}",
            where=shown(file),
            fix="Give the field of view of this very image.",
        )
    items = int(inside.sum())
    if not items:
        raise InputError("the field of view is empty", where=shown(partner))
    p = int((foreground & inside).sum())
    return MaskCount(shown(file.stem), p, items - p, shown(file.name), shown(partner.name))


def _warnings(lossy: Sequence[str]) -> tuple[str, ...]:
    if not lossy:
        return ()
    more = f" and {len(lossy) - 3} more" if len(lossy) > 3 else ""
    return (f"{', '.join(lossy[:3])}{more}: JPEG changes pixels, so the counts may be off",)
