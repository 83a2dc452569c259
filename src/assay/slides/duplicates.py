"""The same slide in two sets: equal files, or pictures that differ by no more than a new encoding.

A patient's name cannot show this: one scan under two names, or with two patients, is one slide (L3.2).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from assay.errors import InputError
from assay.records import dataclass
from assay.slides.cache import Cache, code_of, fingerprint, key_of
from assay.slides.configuration import Split
from assay.slides.reading import Entry, Slide, open_slide
from assay.slides.reading.slide import require_file

_SIDE = 48
"""Rows and columns of a thumbnail: coarse enough to ignore compression, fine enough to show the tissue's outline."""
_NEAR_COPY = 0.99
"""Least correlation of two thumbnails of one scan; see docs/slides/index.md for what was measured."""
_FLAT = 2.0
"""Grey levels (standard deviation) below which a thumbnail shows glass alone and cannot identify a slide."""
_SHAPE = 0.02
"""Largest relative difference between the aspect ratios of one scan saved twice."""

Thumbnail = NDArray[np.float32]


@dataclass(frozen=True)
class Portrait:
    """What identifies the content of a slide: the hash of its file, and a coarse picture."""

    entry: Entry
    digest: str
    aspect: float
    thumbnail: Thumbnail


def refuse_duplicates(entries: Sequence[Entry], sets: Mapping[str, str], split: Split, cache: Cache) -> None:
    """Refuse a split in which one slide, or a near copy of it, is in two sets (L3.2)."""
    if split.accept_leakage or len(set(sets.values())) < 2:
        return
    by_digest = _by_digest(entries)
    copies = (pair for same in by_digest.values() for pair in combinations(same, 2))
    for first, second in copies:
        if sets[first.slide] != sets[second.slide]:
            raise _refusal(first, second, sets, "are the same file")
    portraits = [_portrait(same[0], digest, cache) for digest, same in by_digest.items()]
    for one, other in combinations(portraits, 2):
        if sets[one.entry.slide] != sets[other.entry.slide] and near_copies(one, other):
            raise _refusal(one.entry, other.entry, sets, "show the same scan")


def _by_digest(entries: Sequence[Entry]) -> dict[str, list[Entry]]:
    found: dict[str, list[Entry]] = defaultdict(list)
    for entry in entries:
        found[_digest(entry)].append(entry)
    return found


def near_copies(one: Portrait, other: Portrait) -> bool:
    """Whether two pictures are one scan, saved twice, turned or mirrored; bare glass never is."""
    if min(one.thumbnail.std(), other.thumbnail.std()) < _FLAT:
        return False
    return likeness(one, other) >= _NEAR_COPY


def likeness(one: Portrait, other: Portrait) -> float:
    """The largest correlation of two thumbnails over the turns and mirrorings that keep the shape of the slide."""
    fixed, moved = _centred(one.thumbnail), _centred(other.thumbnail)
    turned = (np.rot90(moved, quarter) for quarter in range(4) if _same_shape(one.aspect, other.aspect, quarter))
    pictures = (picture for one_way in turned for picture in (one_way, one_way[:, ::-1]))
    return max((float(np.sum(fixed * picture)) for picture in pictures if picture.shape == fixed.shape), default=0.0)


def _same_shape(one: float, other: float, quarter: int) -> bool:
    return abs(one * (other if quarter % 2 else 1 / other) - 1) <= _SHAPE


def _centred(thumbnail: Thumbnail) -> Thumbnail:
    """The differences from the mean, of length 1: the product of two is their correlation."""
    left = thumbnail - thumbnail.mean()
    centred: Thumbnail = left / max(float(np.sqrt(np.sum(left * left))), 1e-6)
    return centred


def thumbnail_of(slide: Slide) -> Thumbnail:
    """The mean grey level of each cell of a coarse grid, read one row of cells at a time from the coarsest level."""
    level = len(slide.dimensions) - 1
    width, height = slide.dimensions[level]
    rows, columns = _cells(height), _cells(width)
    scale = slide.downsample(level)
    out = np.zeros((len(rows), len(columns)), np.float32)
    for number, row in enumerate(rows):
        top, bottom = np.flatnonzero(row)[[0, -1]]
        band = slide.region(0, int(top * scale), level, width, int(bottom - top + 1)).mean(axis=2)
        out[number] = columns @ (row[top : bottom + 1] @ band)
    return out


def _cells(length: int) -> NDArray[np.float32]:
    """The share of each pixel in each cell; cut pixels count in part, as in turned and smaller copies."""
    edges = np.linspace(0, length, min(_SIDE, length) + 1)[:, None]
    pixels = np.arange(length)[None, :]
    covered = np.minimum(edges[1:], pixels + 1) - np.maximum(edges[:-1], pixels)
    shares: NDArray[np.float32] = (np.clip(covered, 0, None) / (edges[1:] - edges[:-1])).astype(np.float32)
    return shares


def _digest(entry: Entry) -> str:
    require_file(entry.file)
    return fingerprint(entry.file)


def _portrait(entry: Entry, digest: str, cache: Cache) -> Portrait:
    def made() -> dict[str, NDArray[np.float32]]:
        with open_slide(entry.file, entry.um_per_pixel) as slide:
            shape = np.array([slide.width / slide.height], np.float32)
            return {"thumbnail": thumbnail_of(slide), "aspect": shape}

    kept = cache.arrays("thumbnails", key_of(digest, code_of("duplicates", "reading/slide")), made)
    return Portrait(entry, digest, float(kept["aspect"][0]), kept["thumbnail"])


def _refusal(first: Entry, second: Entry, sets: Mapping[str, str], how: str) -> InputError:
    names = f'slides "{first.slide}" ({sets[first.slide]}) and "{second.slide}" ({sets[second.slide]})'
    fix = (
        "Keep one of the two, or give both to one set; "
        "split.accept_leakage = true runs it all the same, to measure the effect (L3.2)."
    )
    return InputError(f"{names} {how}: leakage L3.2 (assay explain L3.2)", where=str(second.file), fix=fix)
