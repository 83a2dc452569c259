"""Confusion matrices of k classes.

Every score depends on the matrix only through its *margins*: for each class the items, the correct ones
(the diagonal) and the predicted ones (the column sum). Off the diagonal, row i has r_i items left and
column i has s_i. Whole numbers ≥ 0 fill the cells off the diagonal with these sums if and only if
r_i + s_i ≤ Σr for every class: row i must find room in the columns of the other classes, and two rows
together reach every column, so Hall's condition asks nothing more. `filled` is the constructive half of
that proof.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

Confusion = tuple[tuple[int, ...], ...]
"""Row = actual class, column = predicted class."""


class Margins(NamedTuple):
    """Per class: its items, how many of them are predicted right, and how often it is predicted."""

    counts: tuple[int, ...]
    correct: tuple[int, ...]
    predicted: tuple[int, ...]

    @property
    def items(self) -> int:
        """All items of the test set."""
        return sum(self.counts)

    @property
    def possible(self) -> bool:
        """Whether some confusion matrix has these margins."""
        if sum(self.predicted) != self.items:
            return False
        wrong = self.items - sum(self.correct)
        return all(
            0 <= d <= min(c, q) and c + q - 2 * d <= wrong
            for c, d, q in zip(self.counts, self.correct, self.predicted, strict=True)
        )


def margins_of(confusion: Confusion) -> Margins:
    """The sums that the scores depend on."""
    diagonal = tuple(row[i] for i, row in enumerate(confusion))
    return Margins(tuple(map(sum, confusion)), diagonal, tuple(map(sum, zip(*confusion, strict=True))))


def filled(margins: Margins) -> Confusion:
    """A confusion matrix with these (possible) margins."""
    k = len(margins.counts)
    rows = [c - d for c, d in zip(margins.counts, margins.correct, strict=True)]
    columns = [q - d for q, d in zip(margins.predicted, margins.correct, strict=True)]
    rest = _north_west(rows, columns)
    # What landed on the diagonal of class i trades places with cells outside its row and column; these hold
    # Σr - r_i - s_i + rest[i][i] items, which is enough, and no trade puts anything on a diagonal.
    for i in range(k):
        for a, b in product(range(k), repeat=2):
            if not rest[i][i]:
                break
            moved = min(rest[i][i], rest[a][b]) if i not in (a, b) else 0
            rest[i][i] -= moved
            rest[a][b] -= moved
            rest[i][b] += moved
            rest[a][i] += moved
    for i, d in enumerate(margins.correct):
        rest[i][i] += d
    return tuple(map(tuple, rest))


def _north_west(rows: Sequence[int], columns: Sequence[int]) -> list[list[int]]:
    """Any table with these row and column sums: fill from the upper left corner on."""
    left, room = list(rows), list(columns)
    table = [[0] * len(room) for _ in left]
    for i in range(len(left)):
        for j in range(len(room)):
            table[i][j] = min(left[i], room[j])
            left[i] -= table[i][j]
            room[j] -= table[i][j]
    return table
