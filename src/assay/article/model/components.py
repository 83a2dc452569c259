"""The Article Model as a table: components, sub-components, and the values each may take."""

from __future__ import annotations

import tomllib
from fractions import Fraction
from functools import cache
from importlib import resources
from itertools import product

from assay.records import dataclass

_SCHEMES = ("checklist", "reforms", "problems", "assumptions", "errors")
MOST_DATA_SETS = 12
"""Up to so many data sets are considered when it is asked which shares of them are possible."""


@dataclass(frozen=True, slots=True)
class Part:
    """A sub-component: a question, its possible values with what they mean, and its kin in other schemes."""

    id: str
    component: str
    asks: str
    grades: tuple[tuple[Fraction, str], ...]
    """From best to worst; empty when the value is a share of data sets."""
    group: str = ""
    """Parts of one group are averaged before they enter the component."""
    variable: str = ""
    """The variable of Gundersen & Kjensmo (2018) that it answers, if its value is at least `variable_from`."""
    variable_from: Fraction = Fraction(1)
    checklist: tuple[str, ...] = ()
    reforms: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    assumptions: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()

    @property
    def counted(self) -> bool:
        """Whether the value is the share of data sets that are available."""
        return not self.grades

    @property
    def values(self) -> frozenset[Fraction]:
        """All values that it may take."""
        if not self.counted:
            return frozenset(value for value, _ in self.grades)
        return frozenset(Fraction(k, 2 * total) for total in range(1, MOST_DATA_SETS + 1) for k in range(2 * total + 1))


@dataclass(frozen=True, slots=True)
class Component:
    """An aspect of a study; its metric is the mean of its parts that apply."""

    id: str
    title: str
    parts: tuple[Part, ...]


@cache
def article_model() -> tuple[Component, ...]:
    """The eleven components."""
    text = (resources.files("assay.article.model") / "article_model.toml").read_text(encoding="utf-8")
    made = []
    for component in tomllib.loads(text)["component"]:
        parts = tuple(
            Part(
                id=part["id"],
                component=component["id"],
                asks=part["asks"],
                grades=tuple((Fraction(value), meaning) for value, meaning in part.get("grades", {}).items()),
                group=part.get("with", ""),
                variable=part.get("variable", ""),
                variable_from=Fraction(str(part.get("variable_from", 1))),
                **{
                    key: tuple(part.get(key, ()))
                    for key in ("checklist", "reforms", "problems", "assumptions", "errors")
                },
            )
            for part in component["part"]
        )
        made.append(Component(component["id"], component["title"], parts))
    return tuple(made)


@cache
def all_parts() -> dict[str, Part]:
    """Every sub-component by its id."""
    return {part.id: part for component in article_model() for part in component.parts}


def mean_of(parts: dict[Part, Fraction]) -> Fraction | None:
    """A component's metric from the values of its parts that apply; None when none does."""
    groups: dict[str, list[Fraction]] = {}
    for part, value in parts.items():
        groups.setdefault(part.group or part.id, []).append(value)
    means = [sum(values, Fraction(0)) / len(values) for values in groups.values()]
    return sum(means, Fraction(0)) / len(means) if means else None


@cache
def attainable(component: Component) -> frozenset[Fraction]:
    """Every value that a component can have, whichever of its parts apply.

    Parts with the same values are alike to a mean, so it is built up from the sums over groups.
    """
    groups: dict[str, list[Part]] = {}
    for part in component.parts:
        groups.setdefault(part.group or part.id, []).append(part)
    sums: set[tuple[int, Fraction]] = {(0, Fraction(0))}
    for parts in groups.values():
        options = _means([part.values for part in parts])
        sums |= {(count + 1, total + value) for count, total in sums for value in options}
    return frozenset(total / count for count, total in sums if count)


def _means(values: list[frozenset[Fraction]]) -> set[Fraction]:
    """The means of one value from each of some of the sets."""
    absent: list[list[Fraction | None]] = [[None, *sorted(v)] for v in values]
    picked = ([v for v in choice if v is not None] for choice in product(*absent))
    return {sum(choice, Fraction(0)) / len(choice) for choice in picked if choice}
