"""Confusion matrices up to their size: cones of (tp, fn, fp, tn), held exactly by their extreme rays.

A matrix and its double have the same scores, so without sizes a matrix is a ray. Scores that are ratios of sums of
cells cut the rays by planes through the origin. The cone of what is left is kept by its extreme rays (the double
description method), in integers, so that "nothing is left" is a proof.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import gcd

from assay.records import dataclass

Ray = tuple[int, int, int, int]
"""Shares of tp, fn, fp and tn, in any unit; never negative."""
Plane = tuple[int, int, int, int]
"""Factors of tp, fn, fp and tn whose sum of products is at least 0."""

CELLS = 4


def dot(plane: Sequence[int], ray: Sequence[int]) -> int:
    """The sum of products."""
    return plane[0] * ray[0] + plane[1] * ray[1] + plane[2] * ray[2] + plane[3] * ray[3]


@dataclass(frozen=True, slots=True)
class Cone:
    """Extreme rays; each with the planes it lies in, as bits, which identify neighbouring rays."""

    rays: tuple[Ray, ...]
    planes_of: tuple[int, ...]
    planes: int
    """How many planes have bounded the cone so far."""
    dimension: int

    @classmethod
    def on(cls, cells: Iterable[int]) -> Cone:
        """All matrices in which only these cells may be positive."""
        chosen = sorted(cells)
        rays = tuple(_unit(cell) for cell in chosen)
        everything = (1 << len(chosen)) - 1
        return cls(rays, tuple(everything & ~(1 << i) for i in range(len(chosen))), len(chosen), len(chosen))

    @property
    def empty(self) -> bool:
        """Whether no matrix is left."""
        return not self.rays

    def clipped(self, plane: Plane) -> Cone:
        """The part of the cone on the plane's side of 0 or above."""
        sides = [dot(plane, ray) for ray in self.rays]
        if all(side > 0 for side in sides):
            return self
        bit = 1 << self.planes
        kept = [
            (ray, mask if side else mask | bit)
            for ray, mask, side in zip(self.rays, self.planes_of, sides, strict=True)
            if side >= 0
        ]
        if len(kept) < len(sides):
            kept += self._crossings(sides, bit)
        rays, masks = zip(*kept, strict=True) if kept else ((), ())
        return Cone(rays, masks, self.planes + 1, self.dimension)

    def _crossings(self, sides: Sequence[int], bit: int) -> list[tuple[Ray, int]]:
        """The rays in which edges of the cone cross the plane, with the planes they lie in."""
        return [
            (_between(self.rays[i], sides[i], self.rays[j], sides[j]), self.planes_of[i] & self.planes_of[j] | bit)
            for i in range(len(sides))
            if sides[i] > 0
            for j in range(len(sides))
            if sides[j] < 0 and self._neighbours(i, j)
        ]

    def _neighbours(self, i: int, j: int) -> bool:
        """Whether an edge joins two rays: no third ray lies in all the planes that hold both."""
        common = self.planes_of[i] & self.planes_of[j]
        if common.bit_count() < self.dimension - 2:
            return False
        return not any(mask & common == common for k, mask in enumerate(self.planes_of) if k not in (i, j))

    def inner_ray(self) -> Ray:
        """A ray of the relative interior: what holds strictly somewhere on the cone by a plane holds strictly here."""
        totals = [sum(ray) for ray in self.rays]
        largest = max(totals)
        cells = [sum(largest // total * ray[k] for ray, total in zip(self.rays, totals, strict=True)) for k in range(4)]
        return _reduced(cells)


def _unit(cell: int) -> Ray:
    return int(cell == 0), int(cell == 1), int(cell == 2), int(cell == 3)


def _between(above: Ray, over: int, below: Ray, under: int) -> Ray:
    """The ray in which a plane cuts the edge between two rays on either side of it."""
    return _reduced([over * b - under * a for a, b in zip(above, below, strict=True)])


def _reduced(cells: Sequence[int]) -> Ray:
    tp, fn, fp, tn = cells
    common = gcd(tp, fn, fp, tn) or 1
    return tp // common, fn // common, fp // common, tn // common
