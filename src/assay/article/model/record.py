"""An assessment of one paper by the Article Model, and the figures that follow from it: none is ever typed in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from fractions import Fraction

from assay.article.model.components import Component, Part, all_parts, article_model, mean_of
from assay.records import dataclass


@dataclass(frozen=True, slots=True)
class Grade:
    """What somebody found about one sub-component. A `value` of None means that it does not apply."""

    value: Fraction | None
    quote: str = ""
    where: str = ""
    proposed: str = ""
    line: int | None = None


@dataclass(frozen=True)
class Record:
    """The grades of one paper by sub-component; what is not in it has not been assessed."""

    grades: Mapping[str, Grade] = field(default_factory=dict)
    paper: str = ""
    by: str = ""
    path: str = ""

    @property
    def missing(self) -> tuple[Part, ...]:
        """The sub-components that nobody has assessed."""
        return tuple(part for part in all_parts().values() if part.id not in self.grades)

    def applicable(self, component: Component) -> dict[Part, Fraction]:
        """The values of a component's parts that were assessed and apply."""
        found = ((part, self.grades.get(part.id)) for part in component.parts)
        return {part: grade.value for part, grade in found if grade is not None and grade.value is not None}

    def component(self, component: Component) -> Fraction | None:
        """The component's metric."""
        return mean_of(self.applicable(component))

    @property
    def metric(self) -> Fraction | None:
        """The Article Model Metric: the mean of the components that apply."""
        values = [v for c in article_model() if (v := self.component(c)) is not None]
        return sum(values, Fraction(0)) / len(values) if values else None


FACTORS = {"Method": 5, "Data": 4, "Experiment": 7}
"""Gundersen & Kjensmo's factors, and how many variables each has."""
DEGREES = {"R3": ("Method",), "R2": ("Method", "Data"), "R1": ("Method", "Data", "Experiment")}


def variables(record: Record) -> dict[str, bool | None]:
    """Gundersen & Kjensmo's sixteen variables; None where nothing that answers them was assessed or applies."""
    names = [f"{factor.lower()}-{i}" for factor, count in FACTORS.items() for i in range(1, count + 1)]
    found: dict[str, bool | None] = dict.fromkeys(names)
    for part in all_parts().values():
        grade = record.grades.get(part.id)
        if part.variable and grade is not None and grade.value is not None:
            found[part.variable] = bool(found[part.variable]) or grade.value >= part.variable_from
    return found


def degrees(record: Record) -> dict[str, Fraction | None]:
    """The degrees R1, R2 and R3: the mean over factors of the share of variables that are present.

    R3 looks at the method, R2 at method and data, R1 at method, data and experiment; variables that do not apply
    are left out.
    """
    known = variables(record)
    shares = {factor: _share(known, factor) for factor in FACTORS}
    return {degree: _mean([shares[factor] for factor in factors]) for degree, factors in DEGREES.items()}


def _share(known: dict[str, bool | None], factor: str) -> Fraction | None:
    """The share of a factor's variables that are present; None where none of them applies."""
    stated = [present for name, present in known.items() if name.startswith(factor.lower()) and present is not None]
    return Fraction(sum(stated), len(stated)) if stated else None


def _mean(values: list[Fraction | None]) -> Fraction | None:
    present = [value for value in values if value is not None]
    return sum(present, Fraction(0)) / len(present) if len(present) == len(values) else None


def gaps(record: Record) -> dict[str, tuple[str, ...]]:
    """What a reproducer will meet: the discrepancy categories that go with sub-components below full marks."""
    low = [p for p in all_parts().values() if (g := record.grades.get(p.id)) and g.value is not None and g.value < 1]
    return {
        "problems": _union(part.problems for part in low),
        "assumptions": _union(part.assumptions for part in low),
        "errors": _union(part.errors for part in low),
    }


def _union(lists: Iterable[Iterable[str]]) -> tuple[str, ...]:
    every = {code for codes in lists for code in codes}
    return tuple(sorted(every, key=lambda code: (code[0], int(code[1:]))))
