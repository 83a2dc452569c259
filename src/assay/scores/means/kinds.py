"""A table of matrices taken apart by class: what depends on the true positives, on the true negatives, on both."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from assay.records import dataclass
from assay.scores.definitions import Matrix
from assay.scores.means.patterns import Table
from assay.scores.means.sums import Addend
from assay.scores.means.windows import Reads, Window

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Side:
    """One class of a kind of part. A state is a count of true predictions, with the scores of this class alone."""

    counts: Integers
    shares: Integers
    """What each state adds to the quantities that are sums over both classes."""
    addend: Addend
    """For each state the quantities of this class alone (several states where they are 0/0), then its shares."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A table by class: each pair of states, one of the positives and one of the negatives, is a cell.

    Its rows are `others[:, starts[cell]]` and those after, `sizes[cell]` in all: none where the matrix is
    impossible, several where a score is 0/0 and may count several values.
    """

    p: int
    n: int
    positives: Side
    negatives: Side
    rest: tuple[Integers, Integers]
    """The least and the greatest that the sums hold beyond the shares of both classes."""
    others: Integers
    """The quantities that read both classes in any other way, a line for each."""
    starts: Integers
    sizes: Integers

    def cells(self, positives: Integers, negatives: Integers) -> Integers:
        """The cells of pairs of states."""
        return positives * len(self.negatives.counts) + negatives

    def matrix(self, positive: int, negative: int) -> Matrix:
        """The confusion matrix of two states."""
        tp, tn = int(self.positives.counts[positive]), int(self.negatives.counts[negative])
        return Matrix(tp, self.p - tp, self.n - tn, tn)


def kind_of(table: Table, windows: Sequence[Window]) -> Kind:
    """The table, which is not empty, taken apart."""
    reads = [window.reads for window in windows]
    of_tp, of_tn, sums, others = (
        table.vectors[:, [r is wanted for r in reads]] for wanted in (Reads.TP, Reads.TN, Reads.SUM, Reads.BOTH)
    )
    found = table.cells[:, [0, 3]]
    slopes = _slopes(found, sums)
    beyond = sums - found @ slopes
    positives, row = _side(found[:, 0], of_tp, slopes[0])
    negatives, column = _side(found[:, 1], of_tn, slopes[1])
    cell = row * len(negatives.counts) + column
    sizes = np.bincount(cell, minlength=len(positives.counts) * len(negatives.counts))
    return Kind(
        table.matrix(0).p,
        table.matrix(0).n,
        positives,
        negatives,
        (beyond.min(axis=0), beyond.max(axis=0)),
        np.ascontiguousarray(others[np.argsort(cell, kind="stable")].T),
        np.cumsum(sizes) - sizes,
        sizes,
    )


def _slopes(cells: Integers, sums: Integers) -> Integers:
    """Whole numbers near the slopes of linear quantities in (tp, tn); what they miss, a range will hold."""
    plane = np.concatenate([cells, np.ones((len(cells), 1))], axis=1)
    fitted: NDArray[np.float64] = np.linalg.lstsq(plane, sums.astype(float))[0]
    return np.rint(fitted[:2]).astype(np.int64)


def _side(counts: Integers, own: Integers, slopes: Integers) -> tuple[Side, Integers]:
    """The states of a class, and the state of each row of the table."""
    states, state = np.unique(np.concatenate([counts[:, None], own], axis=1), axis=0, return_inverse=True)
    shares = states[:, :1] * slopes
    return Side(
        states[:, 0], shares, Addend.from_table(np.concatenate([states[:, 1:], shares], axis=1))
    ), state.reshape(-1)
