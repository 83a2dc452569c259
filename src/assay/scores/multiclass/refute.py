"""Proofs of impossibility: weights for the rows such that no class counts can satisfy the weighted sum.

The classes are independent once the rows are added up with weights ≥ 0: each class then has a largest
number of points, and if these do not reach zero together, nothing does. A linear programme in floating
point proposes the weights; they are rounded to small whole numbers and the claim is then established in
integers. A wrong proposal costs a proof, never a verdict.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from assay.records import dataclass
from assay.scores.multiclass.domains import Domain, Integers
from assay.scores.multiclass.rows import UNIT, Row

Pairs = tuple[Integers, Integers]

_LARGEST_TABLE = 30_000_000
_SLOWER = 30
"""How much longer Python's integers take than those of the machine."""
_ROUNDS = 60
_SCALES = (1, 2, 5, 10, 20, 50, 100, 1000, 10_000, 1 << 20)


@dataclass(frozen=True)
class Proof:
    """Weighted rows, and for each class the pair that collects most points: together less than zero."""

    weights: tuple[tuple[Row, int], ...]
    best: tuple[tuple[int, int, Fraction], ...]
    """(correct, predicted, points) of each class."""
    total: Fraction
    """All points and constants: negative."""

    @property
    def names(self) -> tuple[str, ...]:
        """The figures used."""
        return tuple(dict.fromkeys(name for row, _ in self.weights for name in row.names))


def refute(domains: Sequence[Domain], rows: Sequence[Row]) -> Proof | None:
    """A proof that no confusion matrix satisfies the rows, with as few figures as it takes, if one is found."""
    corners = _corners(domains, rows)
    if corners is None:
        return None
    table = _Table(
        rows, corners, [np.array([row.points(i, *pairs) for row in rows]) for i, pairs in enumerate(corners)]
    )
    proof = _proof(table)
    for name in proof.names if proof else ():
        fewer = table.without(name)
        simpler = _proof(fewer)
        proof, table = (simpler, fewer) if simpler else (proof, table)
    return proof


def _corners(domains: Sequence[Domain], rows: Sequence[Row]) -> list[Pairs] | None:
    """Pairs among which every weighted sum of rows is largest.

    The ends of each run when all rows are linear, else all pairs; None when there are too many.
    """
    linear = all(row.linear for row in rows)
    size = sum(3 * len(d.predicted) if linear else d.size for d in domains)
    if size * len(rows) > _LARGEST_TABLE // (_SLOWER if any(row.wide for row in rows) else 1):
        return None
    return [d.ends() if linear else d.pairs() for d in domains]


@dataclass(frozen=True)
class _Table:
    """The points that each row gives to each corner of each class."""

    rows: Sequence[Row]
    corners: list[Pairs]
    points: list[Integers]

    @property
    def constants(self) -> Integers:
        return np.array([row.constant for row in self.rows])

    @cached_property
    def largest(self) -> int:
        """The size of the greatest number of points."""
        return max(int(abs(part).max()) for part in self.points)

    def without(self, name: str) -> _Table:
        """The table without the rows that a figure takes part in."""
        kept = [r for r, row in enumerate(self.rows) if name not in row.names]
        return _Table([self.rows[r] for r in kept], self.corners, [part[kept] for part in self.points])


def _proof(table: _Table) -> Proof | None:
    for proposal in _proposals(table.points, table.constants):
        for scale in _SCALES:
            weights = np.rint(proposal / proposal.max() * scale).astype(np.int64)
            if int(weights.sum()) * table.largest >= 1 << 62:
                break
            found = _weighed(table, weights)
            if found is not None:
                return found
    return None


def _weighed(table: _Table, weights: Integers) -> Proof | None:
    """The proof by these weights, if they prove anything."""
    scores = [weights @ part for part in table.points]
    total = sum(int(s.max()) for s in scores) + int(weights @ table.constants)
    if total >= 0:
        return None
    best = [(int(s.argmax()), int(s.max())) for s in scores]
    return Proof(
        tuple((row, int(w)) for row, w in zip(table.rows, weights, strict=True) if w),
        tuple(
            (int(d[at]), int(q[at]), Fraction(most, UNIT))
            for (at, most), (d, q) in zip(best, table.corners, strict=True)
        ),
        Fraction(total, UNIT),
    )


def _cuts(shares: list[NDArray[np.float64]], weights: NDArray[np.float64]) -> Iterator[NDArray[np.float64]]:
    """For each class, that its bound is at least the point which these weights make the largest."""
    m = len(weights)
    for i, share in enumerate(shares):
        cut = np.zeros(m + len(shares))
        cut[:m], cut[m + i] = share[:, (weights @ share).argmax()], -1
        yield cut


def _proposals(parts: list[Integers], constants: Integers) -> Iterator[NDArray[np.float64]]:
    """Weights that look like a proof: cutting planes on min over weights of the classes' largest points."""
    from scipy.optimize import linprog

    m, k = len(constants), len(parts)
    if not m:
        return
    shares = [part / UNIT for part in parts]
    cuts: list[NDArray[np.float64]] = []
    weights = np.full(m, 1 / m)
    for _ in range(_ROUNDS):
        cuts += _cuts(shares, weights)
        solved = linprog(
            np.concatenate([constants / UNIT, np.ones(k)]),
            A_ub=np.array(cuts),
            b_ub=np.zeros(len(cuts)),
            A_eq=np.concatenate([np.ones(m), np.zeros(k)])[None],
            b_eq=[1],
            bounds=[(0, 1)] * m + [(None, None)] * k,
        )
        if solved.status == 3:  # some class has no cut that bounds it yet
            continue
        if solved.status != 0 or solved.fun > -1e-10:
            return
        weights = np.maximum(solved.x[:m], 0)
        reached = sum((weights @ share).max() for share in shares) + weights @ constants / UNIT
        if reached < 0:
            yield weights
        if reached - solved.fun < 1e-9:
            return
