"""How much work a search may do, counted in work and not in time, so that answers can be reproduced."""

from __future__ import annotations

CLOSER_LOOK = 200
"""The worth of checking one matrix exactly, in pairs looked at."""
_STEP = 300
"""The worth of starting to look at a batch of pairs."""


class BudgetSpentError(Exception):
    """The work allowed is done."""


class Purse:
    """Work that may still be done, in pairs of class counts looked at."""

    def __init__(self, left: int, owner: Purse | None = None) -> None:
        self.left, self.spent, self.owner = left, 0, owner

    @property
    def seed(self) -> int:
        """A number that differs from attempt to attempt, and is the same whenever the question is."""
        return self.owner.seed if self.owner else self.spent

    def pay(self, pairs: int) -> None:
        """Spend on a batch of pairs, or stop."""
        self.spent += pairs + _STEP
        self.left -= pairs + _STEP
        if self.owner:
            self.owner.pay(pairs)
        if self.left < 0:
            raise BudgetSpentError

    def part(self, share: int) -> Purse:
        """One `share`-th of what is left, to be spent on one attempt."""
        return Purse(self.left // share, self)
