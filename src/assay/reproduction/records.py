"""A study's attempts as what is said of them can choose: by level, year, outcome, person, discrepancy, hours.

Outcomes are taken on one of two bases: by the rule, or as the study states them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

from assay.reproduction.outcomes import AttemptOutcome
from assay.reproduction.study import Attempt, Paper, Study, level_name

KINDS = {"problems": "P", "assumptions": "A", "errors": "E"}
Selectors = Mapping[str, str]
Pair = tuple[Paper, Attempt]


@dataclass(frozen=True)
class Records:
    """A study's attempts, with outcomes by the rule or as stated."""

    study: Study
    as_stated: bool = False

    def outcome(self, attempt: Attempt) -> AttemptOutcome:
        """The outcome on this basis."""
        return self._outcomes[id(attempt)]

    @cached_property
    def _outcomes(self) -> dict[int, AttemptOutcome]:
        """Judged once: it takes a statistical test for each result. The study keeps the attempts alive."""
        return {
            id(a): a.stated_outcome if self.as_stated and a.stated_outcome else a.outcome
            for _, a in self.study.attempts()
        }

    def chosen(self, of: Selectors, *, without: str = "") -> list[Pair]:
        """The attempts that all selectors choose, leaving one selector out if wanted."""
        tests = [(SELECTORS[key], value) for key, value in of.items() if key in SELECTORS and key != without]
        return [pair for pair in self.study.attempts() if all(test(self, pair, value) for test, value in tests)]


def count_of(attempt: Attempt, kind: str) -> int:
    """How many categories of a kind (P, A or E) an attempt met, each counted once as in the thesis."""
    return sum(code.startswith(kind) for code in attempt.categories)


def _is_level(records: Records, pair: Pair, value: str) -> bool:
    level = pair[0].level
    return level is not None and level_name(level, records.study.naming) in listed(value)


def _has_outcome(records: Records, pair: Pair, value: str) -> bool:
    return records.outcome(pair[1]).value in listed(value)


def _used_all_hours(_: Records, pair: Pair, value: str) -> bool:
    hours = pair[1].hours
    return hours is not None and (hours >= pair[1].budget) == (value == "all")


SELECTORS: dict[str, Callable[[Records, Pair, str], bool]] = {
    "paper": lambda _, pair, value: pair[0].id == value,
    "level": _is_level,
    "year": lambda _, pair, value: str(pair[0].year) == value,
    "outcome": _has_outcome,
    "has": lambda _, pair, value: value in pair[1].categories,
    "lacks": lambda _, pair, value: value not in pair[1].categories,
    "hours": _used_all_hours,
    "person": lambda _, pair, value: value in pair[1].people,
    "without": lambda _, pair, value: count_of(pair[1], KINDS.get(value, value)) == 0,
}


def listed(value: str) -> list[str]:
    """The words between commas."""
    return [word.strip() for word in value.split(",")]
