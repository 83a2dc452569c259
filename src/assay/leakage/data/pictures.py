"""How alike two pictures are: as they lie, turned, mirrored, cropped, framed or slightly rotated.

A picture becomes a small grey square with mean 0 and length 1, so brightness and contrast do not count. A copy is far
closer to its original than to anything else. Pictures of one kind, such as handwritten digits, are close to many. So
closeness alone says nothing: a match must beat the picture's other neighbours by a wide margin.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from assay.leakage.data.measures import Floats, Ints
from assay.records import dataclass

Singles = NDArray[np.float32]

THUMB = 48
"""Side of the grey square that a picture is read into."""
_SIDE = 14
"""Side of the square that is compared."""
_ZOOMS = (0.95, 0.9, 0.85, 0.8)
_ANGLES = (-8.0, -5.0, -2.5, 2.5, 5.0, 8.0)
_POSITIONS = 8
_NEIGHBOUR = 5
"""A match is measured against the fifth nearest: up to four copies of one picture do not hide each other."""
_MARGIN = 0.4
"""A copy differs from the picture at most so many times as much as its fifth neighbour does."""
_LARGEST_ANGLE = 0.45
"""Distance of unit vectors beyond which nothing is a copy (a correlation of 0.9)."""
_AT_ONCE = 256


@dataclass(frozen=True, eq=False)
class Descriptors:
    """Pictures as they are, and each in all the ways in which a copy may differ."""

    plain: Singles
    varied: Singles
    """By picture, variant and cell."""


def descriptors_of(thumbs: list[Floats], *, thorough: bool = True) -> Descriptors:
    """The descriptors of some pictures; of many, only in their eight positions."""
    variants = [islice(_varied(thumb), None if thorough else _POSITIONS) for thumb in thumbs]
    varied = np.array([list(some) for some in variants], np.float32)
    return Descriptors(varied[:, 0], varied)


def nearest_copies(asked: Descriptors, learnt: Descriptors, *, same: bool = False) -> Ints:
    """For each picture the one that it is a copy of, or -1.

    With `same`, the asked pictures are the first of the learnt ones, and none is a copy of itself.
    """
    partner = np.full(len(asked.plain), -1, np.int64)
    thorough = learnt.varied.shape[1] > _POSITIONS
    for start in range(0, len(asked.plain), _AT_ONCE):
        rows = slice(start, start + _AT_ONCE)
        likeness = _best(asked.varied[rows], learnt.plain)
        if thorough:  # a test picture may be part of a training picture as well as the other way round
            likeness = np.maximum(likeness, _best(learnt.varied, asked.plain[rows]).T)
        if same:
            places = np.arange(start, start + len(likeness))
            likeness[np.arange(len(likeness)), places] = -1.0
        partner[rows] = _far_ahead(likeness)
    return partner


def _best(varied: Singles, plain: Singles) -> Singles:
    """The correlation of each picture's best variant with each plain picture."""
    best = np.full((len(varied), len(plain)), -1.0, np.float32)
    for number in range(varied.shape[1]):
        np.maximum(best, varied[:, number] @ plain.T, out=best)
    return best


def _far_ahead(likeness: Singles) -> Ints:
    distance = np.sqrt(np.maximum(2 - 2 * likeness, 0.0))
    nearest = distance.argmin(axis=1)
    closest = distance[np.arange(len(distance)), nearest]
    rank = min(_NEIGHBOUR, distance.shape[1]) - 1
    others = np.partition(distance, rank, axis=1)[:, rank]
    is_copy = (closest <= _LARGEST_ANGLE) & (closest <= _MARGIN * others)
    return np.where(is_copy, nearest, -1)


def _varied(thumb: Floats) -> Iterator[Floats]:
    """The picture in its eight positions, cropped from all sides, and slightly rotated."""
    whole = _cells(0, THUMB)
    as_it_is = _descriptor(thumb, whole, whole).reshape(_SIDE, _SIDE)
    for quarter in range(4):
        turned = np.rot90(as_it_is, quarter)
        yield turned.ravel()
        yield np.fliplr(turned).ravel()
    for zoom in _ZOOMS:
        side = round(zoom * THUMB)
        starts = [place * (THUMB - side) // 2 for place in range(3)]
        for top in starts:
            for left in starts:
                yield _descriptor(thumb, _cells(top, side), _cells(left, side))
    for angle in _ANGLES:
        yield _descriptor(thumb[_rotation(angle)], whole, whole)


@lru_cache(maxsize=64)
def _cells(start: int, side: int) -> Floats:
    """Weights that add up a stretch of pixels into the cells of a descriptor."""
    edges = start + np.linspace(0, side, _SIDE + 1)
    pixels = np.arange(THUMB)
    overlap = np.minimum(pixels + 1, edges[1:, None]) - np.maximum(pixels, edges[:-1, None])
    return np.asarray(np.maximum(overlap, 0.0), np.float64)


@lru_cache(maxsize=16)
def _rotation(angle: float) -> tuple[Ints, Ints]:
    """For each pixel of the rotated picture, where it comes from; the edge is repeated."""
    radians, middle = np.deg2rad(angle), (THUMB - 1) / 2
    down, right = np.mgrid[:THUMB, :THUMB] - middle
    rows = np.cos(radians) * down - np.sin(radians) * right + middle
    columns = np.sin(radians) * down + np.cos(radians) * right + middle
    down, right = (np.clip(np.rint(place), 0, THUMB - 1).astype(np.int64) for place in (rows, columns))
    return down, right


def _descriptor(thumb: Floats, rows: Floats, columns: Floats) -> Floats:
    """Part of the picture reduced to a few cells, with mean 0 and length 1."""
    small = (rows @ thumb @ columns.T).ravel()
    small -= small.mean()
    length = float(np.linalg.norm(small))
    return small / length if length else small
