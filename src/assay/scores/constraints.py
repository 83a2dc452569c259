"""What the engines are asked: a score of a confusion matrix lies in an interval.

Reading turns printed figures into constraints; from here on there are no strings, no rounding
modes and no synonyms, only exact statements that a matrix satisfies or does not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations

from assay.records import dataclass
from assay.scores.conventions import Undefined
from assay.scores.definitions import Matrix, Ratio, Score
from assay.scores.exact import Interval


@dataclass(frozen=True, slots=True)
class Constraint:
    """`score` of the matrix lies in `interval`; `name` and `printed` are the report's own words.

    `substitutes` are the values that count where the score is 0/0; empty means that it must be defined.
    """

    score: Score
    interval: Interval
    substitutes: tuple[Ratio, ...] = ()
    name: str = ""
    printed: str = ""

    def holds(self, matrix: Matrix) -> bool:
        """Whether this matrix gives the reported figure: the final word on every witness."""
        value = self.score.value(matrix)
        if value is not None:
            return value in self.interval
        pairs = (substitute(*matrix) for substitute in self.substitutes)
        return any(bottom and Fraction(top, bottom) in self.interval for top, bottom in pairs)


def substitutes_for(score: Score, policy: Undefined) -> tuple[Ratio, ...]:
    """The values that a policy allows a score to take where it is 0/0."""
    if policy is Undefined.ANY:
        return score.undefined_as
    if policy is Undefined.SCIKIT_LEARN:
        return score.undefined_as[:1]
    if policy in (Undefined.NEVER, Undefined.SKIP):
        return ()
    wanted = 1 if policy is Undefined.ONE else 0
    return (lambda *_: (wanted, 1),)


def subsets_without_witness(count: int, satisfied: Sequence[set[int]]) -> Iterator[tuple[int, ...]]:
    """The proper subsets of so many statements, small ones first, that none of the sets `satisfied` so far includes."""
    for size in range(1, count):
        for chosen in combinations(range(count), size):
            if not any(witnessed.issuperset(chosen) for witnessed in satisfied):
                yield chosen
