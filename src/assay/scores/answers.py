"""What every engine answers: a verdict, and what makes it checkable."""

from __future__ import annotations

from collections.abc import Mapping

from assay.findings import Value, Verdict
from assay.records import dataclass
from assay.scores.definitions import Matrix


@dataclass(frozen=True, slots=True)
class Answer:
    """A verdict with its proof.

    CONSISTENT carries a `witness`: one matrix for each test set or fold, re-verified against every
    constraint; `count` is the number of witnesses where that can be counted. INCONSISTENT carries a
    `reason` that a reader can re-check by hand, its `figures`, and the names of a smallest set of
    scores that already conflict. UNDECIDED says in `reason` what was spent.
    """

    verdict: Verdict
    witness: tuple[Matrix, ...] = ()
    count: int | None = None
    reason: str = ""
    figures: tuple[tuple[str, Value], ...] = ()
    conflict: tuple[str, ...] = ()
    by_search: bool = False
    """Whether the reason is an account of a search, which nobody re-checks by hand."""
    passed: int = 0
    """Beside a witness on unknown folds: so many configurations before it are ruled out, 0/0 counted in any way."""


def consistent(*witness: Matrix, count: int | None = None, reason: str = "") -> Answer:
    """Possible, and here is how."""
    return Answer(Verdict.CONSISTENT, witness, count, reason)


def inconsistent(
    reason: str,
    figures: Mapping[str, Value] | None = None,
    conflict: tuple[str, ...] = (),
    *,
    by_search: bool = False,
) -> Answer:
    """Impossible, and here is why."""
    return Answer(Verdict.INCONSISTENT, (), 0, reason, tuple((figures or {}).items()), conflict, by_search)


def undecided(reason: str) -> Answer:
    """Not settled within the budget."""
    return Answer(Verdict.UNDECIDED, reason=reason)
