"""A study's attempts as what is said of them can choose: by level, year, outcome, person, discrepancy, hours.

Outcomes are taken on one of two bases: by the rule, or as the study states them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cached_property

from assay.errors import InputError, suggestion
from assay.reproduction.categories import categories
from assay.reproduction.levels import Level, level_name
from assay.reproduction.outcomes import AttemptOutcome
from assay.reproduction.study import Attempt, Paper, Study

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
        tests = [(SELECTORS[key].test, value) for key, value in of.items() if key in SELECTORS and key != without]
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


@dataclass(frozen=True)
class Selector:
    """How attempts are chosen by a word, and which words there are."""

    meaning: str
    test: Callable[[Records, Pair, str], bool]
    values: Callable[[Study], Collection[str]] | None = None
    """The words that it takes; None if any may stand there."""
    several: bool = False
    """Whether several words may stand there, with commas between them."""


def _levels(study: Study) -> list[str]:
    return [level_name(level, study.naming) for level in Level]


SELECTORS: dict[str, Selector] = {
    "paper": Selector(
        "attempts at this paper",
        lambda _, pair, value: pair[0].id == value,
        lambda study: [paper.id for paper in study.papers],
    ),
    "level": Selector("papers at one of these levels, as R1 or R1,R2-D", _is_level, _levels, several=True),
    "year": Selector("papers of this year", lambda _, pair, value: str(pair[0].year) == value),
    "outcome": Selector(
        "attempts with one of these outcomes, as Success or Success,Partial Success",
        _has_outcome,
        lambda _: [outcome.value for outcome in AttemptOutcome],
        several=True,
    ),
    "has": Selector(
        "attempts that met this category, as P1",
        lambda _, pair, value: value in pair[1].categories,
        lambda _: categories(),
    ),
    "lacks": Selector(
        "attempts that did not meet this category",
        lambda _, pair, value: value not in pair[1].categories,
        lambda _: categories(),
    ),
    "hours": Selector("all: used up their budget; left: did not", _used_all_hours, lambda _: ("all", "left")),
    "person": Selector(
        "attempts of this person",
        lambda _, pair, value: value in pair[1].people,
        lambda study: [person for _, attempt in study.attempts() for person in attempt.people],
    ),
    "without": Selector(
        "attempts that met no category of this kind",
        lambda _, pair, value: count_of(pair[1], KINDS.get(value, value)) == 0,
        lambda _: KINDS,
    ),
}
"""The ways to choose attempts that a claim is about."""


def check_selectors(study: Study, of: Selectors) -> None:
    """An `InputError` for a word that a selector does not know."""
    for key, value in of.items():
        selector = SELECTORS.get(key)
        if selector is None or selector.values is None:
            continue
        known = list(dict.fromkeys(selector.values(study)))
        for word in listed(value) if selector.several else [value]:
            if word not in known:
                fix = suggestion(word, known) or f"Known: {', '.join(known[:20])}."
                raise InputError(f'"{key}={word[:40]}" is not known', fix=fix)


def listed(value: str) -> list[str]:
    """The words between commas."""
    return [word.strip() for word in value.split(",")]
