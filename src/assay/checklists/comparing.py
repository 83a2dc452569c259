"""Several assessments side by side, and how far two people agree."""

from __future__ import annotations

import math
from collections.abc import Sequence

from assay.checklists.filled import Filled
from assay.errors import InputError
from assay.findings import Table, Value
from assay.records import dataclass


@dataclass(frozen=True, slots=True)
class Agreement:
    """Cohen's kappa between two raters, with its 95 % interval (large-sample; wide for few items)."""

    items: int
    agreed: int
    kappa: float | None
    low: float | None = None
    high: float | None = None


def compare(assessments: Sequence[Filled]) -> list[Table]:
    """One table of all answers, item by item, with means where answers have a worth; and one of agreement."""
    first = assessments[0].checklist
    for other in assessments[1:]:
        if other.checklist != first:
            what = f"{other.path} fills {other.checklist.title}, {assessments[0].path} fills {first.title}"
            raise InputError(what, fix="Compare assessments of one checklist.")
    names = _names(assessments)
    rows: list[tuple[Value, ...]] = []
    for item in first:
        answers = [a for f in assessments for a in f.answers if a.item.id == item.id]
        worth = [w for a in answers if (w := first.worth(a.text)) is not None]
        rows.append((item.id, item.title, *(_cell(a.text) for a in answers), _mean(worth)))
    means = [_mean([w for a in f.answers if (w := first.worth(a.text)) is not None]) for f in assessments]
    rows.append(("", "mean", *means, _mean([m for m in means if m is not None])))
    tables = [Table(f"{first.title}, side by side", ("item", "about", *names, "mean"), tuple(rows))]
    if len(assessments) == 2:
        tables.append(_agreement_table(assessments[0], assessments[1]))
    return tables


def agreement(one: Sequence[str], other: Sequence[str], order: Sequence[str] = ()) -> Agreement:
    """Cohen's kappa of two lists of categories; with an `order`, disagreements weigh by their distance in it.

    The interval uses the large-sample variance of Fleiss, Cohen and Everitt (1969).
    """
    pairs = [(a, b) for a, b in zip(one, other, strict=True) if not order or (a in order and b in order)]
    n = len(pairs)
    categories = list(order) or sorted({c for pair in pairs for c in pair})
    agreed = sum(a == b for a, b in pairs)
    if n == 0 or len(categories) < 2:
        return Agreement(n, agreed, None)
    step = 1 / (len(categories) - 1)

    def weight(i: int, j: int) -> float:
        return 1 - abs(i - j) * step if order else float(i == j)

    k = range(len(categories))
    share = [[sum(p == (categories[i], categories[j]) for p in pairs) / n for j in k] for i in k]
    row = [sum(share[i]) for i in k]
    column = [sum(share[i][j] for i in k) for j in k]
    observed = sum(weight(i, j) * share[i][j] for i in k for j in k)
    expected = sum(weight(i, j) * row[i] * column[j] for i in k for j in k)
    if math.isclose(expected, 1):
        return Agreement(n, agreed, None)
    kappa = (observed - expected) / (1 - expected)
    by_row = [sum(column[j] * weight(i, j) for j in k) for i in k]
    by_column = [sum(row[i] * weight(i, j) for i in k) for j in k]
    variance = (
        sum(share[i][j] * (weight(i, j) - (by_row[i] + by_column[j]) * (1 - kappa)) ** 2 for i in k for j in k)
        - (kappa - expected * (1 - kappa)) ** 2
    )
    error = 1.959964 * math.sqrt(max(0.0, variance) / n) / (1 - expected)
    return Agreement(n, agreed, kappa, max(-1.0, kappa - error), min(1.0, kappa + error))


def _agreement_table(one: Filled, other: Filled) -> Table:
    """Agreement over the items that are answered from a list of words by both."""
    checklist = one.checklist
    both = [
        (a.text, b.text)
        for a, b in zip(one.answers, other.answers, strict=True)
        if checklist.accepted(a.item) and a.given and b.given
    ]
    plain = agreement([a for a, _ in both], [b for _, b in both])
    rows = [("every category", *_shown(plain))]
    if checklist.scale:
        order = [grade.name for grade in sorted(checklist.scale, key=lambda g: g.value)]
        weighted = agreement([a for a, _ in both], [b for _, b in both], order)
        rows.append(("on the scale, weighted by distance", *_shown(weighted)))
    title = f"Agreement of {' and '.join(_names([one, other]))}"
    return Table(title, ("how", "items", "agreed", "kappa", "95 % from", "to"), tuple(rows))


def _shown(found: Agreement) -> tuple[Value, ...]:
    figures = (found.kappa, found.low, found.high)
    return (found.items, found.agreed, *(None if f is None else round(f, 3) for f in figures))


def _names(assessments: Sequence[Filled]) -> list[str]:
    """What tells the assessments apart: the subject, else who filled it in, else the file."""
    for names in ([f.subject for f in assessments], [f.by for f in assessments], [f.path for f in assessments]):
        if all(names) and len(set(names)) == len(names):
            return names
    return [f"{f.path or 'assessment'} ({i})" for i, f in enumerate(assessments, 1)]


def _cell(text: str, longest: int = 60) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= longest else flat[: longest - 3] + "..."


def _mean(values: Sequence[float]) -> float | None:
    return round(sum(values) / len(values), 3) if values else None
