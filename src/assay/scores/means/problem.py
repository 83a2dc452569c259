"""What is asked about means of scores: the parts, what was reported of them, and how much work may be spent.

A reported score is a weighted mean of the scores of several confusion matrices (folds, test sets,
datasets). Beside the mean, or instead of it, a report may give the standard deviation, the minimum, the maximum
and the median over the parts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field, replace
from fractions import Fraction

from assay.errors import InputError
from assay.records import dataclass
from assay.scores.constraints import Constraint, substitutes_for
from assay.scores.conventions import Undefined
from assay.scores.definitions import Matrix, Ratio, Score
from assay.scores.exact import Interval

Convention = Ratio | Undefined
"""What one score counts where it is 0/0: a substitute, or SKIP (left out of the mean), or NEVER."""


@dataclass(frozen=True, slots=True)
class Part:
    """`count` equal test sets. `weight` is the relative weight of each one in the mean.

    `group` separates the inner means of a nested mean: where a score is skipped on a part, the
    weight of that part goes to the other parts of its group.
    """

    p: int
    n: int
    count: int = 1
    weight: Fraction = Fraction(1)
    group: int = 0

    def __post_init__(self) -> None:
        if self.p < 0 or self.n < 0 or self.p + self.n == 0:
            raise InputError(f"a part with {self.p} positives and {self.n} negatives cannot be scored")
        if self.count < 1 or self.weight <= 0:
            raise InputError(f"a part with count {self.count} and weight {self.weight} does not enter a mean")

    @property
    def corners(self) -> tuple[Matrix, Matrix, Matrix, Matrix]:
        """All or nothing found in each class: where linear scores are extreme and 0/0 happens if it can."""
        p, n = self.p, self.n
        return Matrix(0, p, n, 0), Matrix(p, 0, n, 0), Matrix(0, p, 0, n), Matrix(p, 0, 0, n)


@dataclass(frozen=True, slots=True)
class Reported:
    """What is reported of one score over the parts; every interval is what the printed digits leave open.

    `constraint.interval` holds the mean. `ddof` lists the divisors `count - ddof` that the standard
    deviation may have used. The policy `undefined` rules what a part counts on which the score is 0/0.
    """

    constraint: Constraint
    sd: Interval | None = None
    ddof: tuple[int, ...] = (0, 1)
    minimum: Interval | None = None
    maximum: Interval | None = None
    median: Interval | None = None
    undefined: Undefined = Undefined.ANY

    def __post_init__(self) -> None:
        if self.sd is not None and self.constraint.interval.infinite:
            raise InputError(f"{self.name}: an infinite mean has no standard deviation", fix="Leave the sd out.")
        if self.sd is not None and not (self.ddof and set(self.ddof) <= {0, 1}):
            raise InputError(f"{self.name}: ddof is 0 or 1, not {self.ddof}")

    @property
    def score(self) -> Score:
        """The score in question."""
        return self.constraint.score

    @property
    def mean(self) -> Interval:
        """What the printed mean leaves open."""
        return self.constraint.interval

    @property
    def name(self) -> str:
        """The report's own word for the score."""
        return self.constraint.name or self.score.name

    @property
    def only_mean(self) -> bool:
        """Whether nothing but the mean is reported."""
        return not any((self.sd, self.minimum, self.maximum, self.median))

    @property
    def mean_alone(self) -> Reported:
        """The same report without spread and extremes."""
        return self if self.only_mean else replace(self, sd=None, minimum=None, maximum=None, median=None)

    @property
    def conventions(self) -> tuple[Convention, ...]:
        """Every way to count an undefined part that the policy leaves open; each holds for all parts alike."""
        if self.undefined is Undefined.ANY:
            return (*self.score.undefined_as, Undefined.SKIP)
        return substitutes_for(self.score, self.undefined) or (self.undefined,)

    def may_be_undefined(self, part: Part) -> bool:
        """Whether some matrix of this part leaves the score 0/0."""
        return any(self.score.ratio(*corner) == (0, 0) for corner in part.corners)


@dataclass(slots=True)
class Budget:
    """Work that may still be done, in units that do not depend on the machine, so that verdicts repeat."""

    nodes: int = 300_000
    """Steps of a depth-first search."""
    programmes: int = 60
    """Linear programmes."""
    patterns: int = 400_000
    """Confusion matrices tabulated."""
    sums: int = 5_000_000
    """Sums of scores of several parts formed in a search."""
    nearby: int = 10_000_000
    """Sums formed around real-valued solutions."""
    configurations: int = 3_000_000
    """Fold configurations looked at."""
    spent: dict[str, int] = field(default_factory=dict)

    def left(self, kind: str) -> int:
        """What remains of one kind of work."""
        allowed: int = getattr(self, kind)
        return allowed - self.spent.get(kind, 0)

    def spend(self, kind: str, amount: int = 1) -> bool:
        """Take from the budget; False when it does not suffice."""
        if amount > self.left(kind):
            return False
        self.spent[kind] = self.spent.get(kind, 0) + amount
        return True

    def share(self, divisor: int) -> Budget:
        """A fresh budget for a side question: a share of the whole, never more than what is left."""
        kinds = ("nodes", "programmes", "patterns", "sums", "nearby", "configurations")
        return Budget(*(min(getattr(self, kind) // divisor, self.left(kind)) for kind in kinds))

    def charge(self, other: Budget) -> None:
        """Count what a side question has spent, as far as there is something left."""
        for kind, amount in other.spent.items():
            self.spend(kind, min(amount, self.left(kind)))

    def __str__(self) -> str:
        return ", ".join(f"{amount:,} {kind}" for kind, amount in self.spent.items()) or "nothing"


def check(parts: Sequence[Part], reported: Sequence[Reported]) -> None:
    """Refuse questions that have no meaning."""
    if not parts:
        raise InputError("a mean needs at least one part", fix="Give the folds or test sets.")
    if not reported:
        raise InputError("no score is reported", fix="Give at least one score.")
    if any(r.sd is not None for r in reported) and len({part.weight for part in parts}) > 1:
        raise InputError(
            "a standard deviation over parts of unequal weight is not defined",
            fix="Leave the sd out, or give the parts equal weights.",
        )


def each(parts: Sequence[Part]) -> Iterator[Part]:
    """The parts one by one."""
    for part in parts:
        yield from [_single(part)] * part.count


def _single(part: Part) -> Part:
    return part if part.count == 1 else replace(part, count=1)


def merged(parts: Sequence[Part]) -> tuple[Part, ...]:
    """Equal parts counted together, in the order of their first occurrence."""
    counts: dict[Part, int] = {}
    for part in parts:
        single = _single(part)
        counts[single] = counts.get(single, 0) + part.count
    return tuple(part if count == 1 else replace(part, count=count) for part, count in counts.items())


def shares(parts: Sequence[Part], counts: Sequence[bool]) -> list[Fraction]:
    """The share of each single one of the equal parts in the mean when only those marked in `counts` enter it.

    Groups keep their weight among one another as long as one of their parts counts.
    """
    group_weight: dict[int, Fraction] = {}
    counted_weight: dict[int, Fraction] = {}
    for part, counted in zip(parts, counts, strict=True):
        weight = part.weight * part.count
        group_weight[part.group] = group_weight.get(part.group, 0) + weight
        if counted:
            counted_weight[part.group] = counted_weight.get(part.group, 0) + weight
    total = sum((group_weight[group] for group in counted_weight), Fraction(0))
    factors = {group: group_weight[group] / (weight * total) for group, weight in counted_weight.items()}
    return [
        part.weight * factors[part.group] if counted else Fraction(0)
        for part, counted in zip(parts, counts, strict=True)
    ]
