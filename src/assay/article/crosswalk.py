"""One assessment seen through other schemes: their items, and what the Article Model's grades say about each."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from enum import StrEnum
from fractions import Fraction
from functools import cache
from importlib import resources

from assay.article.model import Part, Record, all_parts, variables
from assay.findings import Table, Value


class Scheme(StrEnum):
    """The schemes that an assessment can be exported to."""

    GUNDERSEN_KJENSMO = "gundersen-kjensmo"
    ML_CHECKLIST = "ml-checklist"
    REFORMS = "reforms"
    DISCREPANCIES = "discrepancies"


TITLES = {
    Scheme.GUNDERSEN_KJENSMO: "Gundersen & Kjensmo's variables",
    Scheme.ML_CHECKLIST: "Machine learning reproducibility checklist v2.0",
    Scheme.REFORMS: "REFORMS",
    Scheme.DISCREPANCIES: "Discrepancies that a reproducer will meet",
}
_VARIABLES = {
    "method": ("problem", "objective", "research method", "research question", "pseudocode"),
    "data": ("training data", "validation data", "test data", "results"),
    "experiment": (
        "hypothesis", "prediction", "method code", "experiment code", "hardware", "software", "setup",
    ),
}  # fmt: skip
COLUMNS = ("item", "answer", "from", "quote", "where")


def seen_through(scheme: Scheme, record: Record) -> Table:
    """The items of a scheme that the Article Model answers, with the answer and where it comes from."""
    if scheme is Scheme.GUNDERSEN_KJENSMO:
        rows = _variable_rows(record)
    elif scheme is Scheme.DISCREPANCIES:
        return Table(TITLES[scheme], ("category", "what it is", "because of"), discrepancy_rows(record))
    else:
        rows = _item_rows("checklist" if scheme is Scheme.ML_CHECKLIST else "reforms", record)
    return Table(TITLES[scheme], COLUMNS, tuple(rows))


def discrepancy_rows(record: Record) -> tuple[tuple[Value, ...], ...]:
    """The discrepancy categories that go with what is not fully documented, each with the sub-components at fault."""
    because: dict[str, list[str]] = {}
    for part in all_parts().values():
        grade = record.grades.get(part.id)
        if grade is not None and grade.value is not None and grade.value < 1:
            for code in (*part.problems, *part.assumptions, *part.errors):
                because.setdefault(code, []).append(part.id)
    order = {code: at for at, code in enumerate(discrepancy_names())}
    return tuple(
        (code, discrepancy_names()[code], ", ".join(because[code])) for code in sorted(because, key=lambda c: order[c])
    )


@cache
def discrepancy_names() -> dict[str, str]:
    """What each discrepancy category is, in the thesis's order."""
    text = (resources.files("assay.article") / "discrepancies.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def _variable_rows(record: Record) -> list[tuple[Value, ...]]:
    words = {True: "yes", False: "no", None: "not assessed"}
    names = {f"{factor}-{at}": name for factor, all_ in _VARIABLES.items() for at, name in enumerate(all_, 1)}
    rows: list[tuple[Value, ...]] = []
    for key, present in variables(record).items():
        parts = [part for part in all_parts().values() if part.variable == key]
        rows.append((f"{key.partition('-')[0]}: {names[key]}", words[present], *_origin(parts, record)))
    return rows


def _item_rows(scheme: str, record: Record) -> list[tuple[Value, ...]]:
    items: dict[str, list[Part]] = {}
    for part in all_parts().values():
        for item in part.checklist if scheme == "checklist" else part.reforms:
            items.setdefault(item, []).append(part)
    return [(item, _answer(parts, record), *_origin(parts, record)) for item, parts in sorted(items.items())]


def _answer(parts: Sequence[Part], record: Record) -> str:
    grades = [record.grades[part.id] for part in parts if part.id in record.grades]
    values = [grade.value for grade in grades if grade.value is not None]
    if not values:
        return "not applicable" if grades else "not assessed"
    if min(values) == 1 and len(grades) == len(parts):
        return "yes"
    return "partly" if max(values) > Fraction(0) else "no"


def _origin(parts: Sequence[Part], record: Record) -> tuple[str, str, str]:
    """The sub-components that answer an item, and the first quote among them."""
    quoted = [g for part in parts if (g := record.grades.get(part.id)) and g.quote and g.value]
    first = quoted[0] if quoted else None
    return ", ".join(part.id for part in parts), first.quote if first else "", first.where if first else ""
