"""Conditions over the columns of the pair table, as they stand in a policy file.

`relation = ["same", "overlapping"]` holds if the column has one of the values, `models = ">=2"` compares a number,
`number = true` asks for yes, `assumptions = []` for an empty set, `assumptions = "any"` for one that is not.
An unknown column or a value that a column cannot have is an error when the policy is loaded.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from enum import StrEnum

from assay.errors import InputError
from assay.leakage.code.facts.pair import (
    Answer,
    AssumptionKind,
    Beside,
    ChoiceKind,
    Learnt,
    LearntFrom,
    Pair,
    Relation,
    Role,
)
from assay.leakage.code.learnt.kinds import COSTS
from assay.patterns import regex
from assay.records import dataclass

Value = str | int | bool
_ANY = "any"
_NUMBER = regex(r"(>=|<=|==|>|<)\s*(\d+)")
_OPERATORS: dict[str, Callable[[int, int], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    "==": operator.eq,
    ">": operator.gt,
    "<": operator.lt,
}


@dataclass(frozen=True, slots=True)
class Column:
    """A column: what it reads, and which values it can have (None for numbers and yes/no)."""

    read: Callable[[Pair, Learnt], Value | frozenset[str]]
    values: frozenset[str] | None
    of_step: bool = False


def _values(enum: type[StrEnum]) -> frozenset[str]:
    return frozenset(str(member) for member in enum)


COLUMNS: dict[str, Column] = {
    "relation": Column(lambda p, _: p.relation, _values(Relation)),
    "redivided": Column(lambda p, _: bool(p.because), None),
    "role": Column(lambda p, _: p.role, _values(Role)),
    "number": Column(lambda p, _: p.number, None),
    "reported": Column(lambda p, _: p.reported, None),
    "folds": Column(lambda p, _: p.folds, None),
    "beside": Column(lambda p, _: p.beside, _values(Beside)),
    "tested": Column(lambda p, _: p.tested, None),
    "watched": Column(lambda p, _: p.watched, None),
    "uses": Column(lambda p, _: p.uses, None),
    "models": Column(lambda p, _: p.models, None),
    "untouched": Column(lambda p, _: p.untouched, _values(Answer)),
    "elsewhere": Column(lambda p, _: p.elsewhere, None),
    "choice": Column(lambda p, _: p.choice, _values(ChoiceKind)),
    "made_up": Column(lambda p, _: p.made_up, None),
    "baseline": Column(lambda p, _: p.baseline, None),
    "without_outcome": Column(lambda p, _: p.without_outcome, None),
    "describes": Column(lambda p, _: p.describes, None),
    "assumptions": Column(lambda p, _: frozenset(str(a.kind) for a in p.assumptions), _values(AssumptionKind)),
    "step.kind": Column(lambda _, s: s.kind, frozenset(str(kind) for kind in COSTS), of_step=True),
    "step.source": Column(lambda _, s: s.source, _values(LearntFrom), of_step=True),
    "step.outcome": Column(lambda _, s: s.outcome, None, of_step=True),
    "step.by_group": Column(lambda _, s: s.by_group, None, of_step=True),
    "step.in_training": Column(lambda _, s: s.in_training, None, of_step=True),
}


@dataclass(frozen=True, slots=True)
class Condition:
    """All parts must hold."""

    parts: tuple[tuple[str, Value | tuple[str, ...]], ...]

    @property
    def asks_for_steps(self) -> bool:
        """Whether it is about a step that learnt something."""
        return any(COLUMNS[name].of_step for name, _ in self.parts)

    def holds(self, pair: Pair, step: Learnt | None) -> bool:
        """Whether a pair, or a pair and one of its steps, fulfils it."""
        return all(_holds(COLUMNS[name], wanted, pair, step) for name, wanted in self.parts)

    def first_failure(self, pair: Pair, step: Learnt | None) -> str:
        """The first column that does not fit, in words; nothing where all do."""
        for name, wanted in self.parts:
            if not _holds(COLUMNS[name], wanted, pair, step):
                return f"{name} is {_shown(COLUMNS[name], pair, step)}"
        return ""


def _holds(column: Column, wanted: Value | tuple[str, ...], pair: Pair, step: Learnt | None) -> bool:
    if column.of_step and step is None:
        return False
    value = column.read(pair, step)  # type: ignore[arg-type]  # asked above
    if isinstance(value, frozenset):
        return bool(value) if wanted == _ANY else not value if wanted == () else not value.isdisjoint(_listed(wanted))
    if isinstance(value, bool):
        return value is wanted
    if isinstance(value, int):
        return _compares(value, wanted)
    return value in _listed(wanted)


def _listed(wanted: Value | tuple[str, ...]) -> tuple[str, ...]:
    return wanted if isinstance(wanted, tuple) else (str(wanted),)


def _compares(value: int, wanted: Value | tuple[str, ...]) -> bool:
    found = _NUMBER.fullmatch(str(wanted))
    return _OPERATORS[found[1]](value, int(found[2])) if found is not None else value == wanted


def _shown(column: Column, pair: Pair, step: Learnt | None) -> str:
    if column.of_step and step is None:
        return "missing: nothing was learnt before"
    value = column.read(pair, step)  # type: ignore[arg-type]  # asked above
    if isinstance(value, frozenset):
        return ", ".join(sorted(value)) or "empty"
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def read_condition(written: Mapping[str, object], where: str) -> Condition:
    """A condition from a policy file."""
    return Condition(tuple((name, _checked(name, wanted, where)) for name, wanted in written.items()))


def _checked(name: str, wanted: object, where: str) -> Value | tuple[str, ...]:
    column = COLUMNS.get(name)
    if column is None:
        raise InputError(f'{where}: there is no column "{name}"', fix=f"Columns are {', '.join(COLUMNS)}.")
    listed = tuple(map(str, wanted)) if isinstance(wanted, list) else wanted
    if column.values is not None:
        for value in _listed(listed):  # type: ignore[arg-type]  # a list or one value
            if value not in column.values and value != _ANY:
                fix = f"It can be {', '.join(sorted(column.values))}."
                raise InputError(f'{where}: the column "{name}" is never "{value}"', fix=fix)
        return listed  # type: ignore[return-value]  # checked above
    if isinstance(listed, bool | int) or (isinstance(listed, str) and _NUMBER.fullmatch(listed)):
        return listed
    raise InputError(f'{where}: "{wanted}" cannot be compared with the column "{name}"', fix='Write true or ">=2".')
