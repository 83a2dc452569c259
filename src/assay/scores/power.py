"""What "consistent" is worth: how many misprints in these very scores would have been noticed.

Scores with few digits on a large test set are nearly always consistent, whatever is printed. So every
digit of every reported figure is replaced by every other digit, and the check is run on each: the
share that turns out impossible is the chance that a random one-digit error would have been caught.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING

from assay.findings import Verdict
from assay.records import dataclass
from assay.scores.diagnosis.figures import misprinted_digits
from assay.scores.diagnosis.misprints import scattered
from assay.scores.experiment import Experiment

if TYPE_CHECKING:
    from assay.scores.check import Result


@dataclass(frozen=True, slots=True)
class ScorePower:
    """Of the misprints tried in one score, how many were noticed and how many stayed undecided."""

    name: str
    tried: int
    noticed: int
    undecided: int = 0


@dataclass(frozen=True, slots=True)
class Power:
    """How many one-digit misprints would have been noticed; `possible` counts also those not tried."""

    possible: int
    per_score: tuple[ScorePower, ...]

    @property
    def tried(self) -> int:
        """Misprints that were checked."""
        return sum(score.tried for score in self.per_score)

    @property
    def noticed(self) -> int:
        """Those of them that make the scores inconsistent."""
        return sum(score.noticed for score in self.per_score)

    @property
    def undecided(self) -> int:
        """Those of them whose check did not come to an end."""
        return sum(score.undecided for score in self.per_score)

    @property
    def sentence(self) -> str:
        """The result in words."""
        if not self.tried:
            return "These scores have no digits in which a misprint could be tried."
        drawn = f", {self.tried:,} of which were tried" if self.tried < self.possible else ""
        open_ends = f"; {self.undecided:,} could not be decided" if self.undecided else ""
        share = f"{self.noticed:,} ({100 * self.noticed // self.tried} %)"
        return (
            f"Of {self.possible:,} possible one-digit misprints in these scores{drawn}, "
            f"{share} would have been noticed{open_ends}."
        )


def power(experiment: Experiment, check: Callable[[Experiment], Result], *, limit: int = 500) -> Power:
    """How many one-digit misprints of the reported figures the check would notice.

    Misprints that leave the range of a score are seen by anyone and not counted. When there are more than
    `limit`, an even choice of them is tried, the same each time.
    """
    misprints = list(misprinted_digits(experiment))
    chosen = sorted(sorted(range(len(misprints)), key=scattered)[:limit])
    tried: Counter[tuple[str, Verdict]] = Counter()
    for index in chosen:
        (name,) = misprints[index].touched or ("",)
        tried[name, check(misprints[index].experiment).verdict] += 1
    return Power(
        len(misprints),
        tuple(
            ScorePower(
                reported.name,
                sum(tried[reported.name, verdict] for verdict in Verdict),
                tried[reported.name, Verdict.INCONSISTENT],
                tried[reported.name, Verdict.UNDECIDED],
            )
            for reported in experiment.reported
        ),
    )
