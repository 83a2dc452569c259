"""The default profile as a table: which evidence feeds which factor (factors.toml)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from assay.records import dataclass
from assay.repository.factors import Thresholds
from assay.repository.facts import Repository
from assay.repository.profiles.default import code, material, practice
from assay.repository.profiles.default.measured import Measured
from assay.repository.tables import load_table

THRESHOLDS = Thresholds(top=0.8, average=0.5, lower=0.2)
"""One scale for all factors: good from 0.8, fair above 0.5, weak above 0.2, poor up to there."""


@dataclass(frozen=True, slots=True)
class Part:
    """One measurement, what it weighs in its factor and why, what to do when it is low, which rules say where."""

    name: str
    weight: float
    measure: Callable[[Repository], Measured]
    why: str
    advice: str
    rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Factor:
    """A factor of the thesis with its parts."""

    key: str
    name: str
    section: str
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """A factor that no program can judge (section 5.2), as a question for a person."""

    factor: str
    section: str
    question: str


_MODULES = {"code": code, "material": material, "practice": practice}
_TABLE = load_table("assay.repository.profiles.default", "factors.toml")


def _part(row: Mapping[str, Any]) -> Part:
    module, _, function = row["measure"].partition(".")
    measure = getattr(_MODULES[module], function)
    return Part(row["name"], row["weight"], measure, row["why"], row["advice"], tuple(row["rules"]))


FACTORS = tuple(Factor(r["key"], r["name"], r["section"], tuple(map(_part, r["part"]))) for r in _TABLE["factor"])
QUESTIONS = tuple(Question(**row) for row in _TABLE["question"])
"""The three factors that are left to people."""
