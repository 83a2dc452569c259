"""Several assessments side by side, and how far two people agree."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable, Sequence

from assay.checklists.definition import Checklist
from assay.checklists.filled import Answer, Filled
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
    by_item = zip(*(f.answers for f in assessments), strict=True)
    rows: list[tuple[Value, ...]] = [
        (item.id, item.title, *(_cell(a.text) for a in answers), _mean(_worths(first, answers)))
        for item, answers in zip(first, by_item, strict=True)
    ]
    means = [_mean(_worths(first, f.answers)) for f in assessments]
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
    weights = _weights(len(categories), by_distance=bool(order))
    shares = [[pairs.count((a, b)) / n for b in categories] for a in categories]
    found = _kappa(shares, weights)
    if found is None:
        return Agreement(n, agreed, None)
    kappa, deviation = found
    error = 1.959964 * deviation / math.sqrt(n)
    return Agreement(n, agreed, kappa, max(-1.0, kappa - error), min(1.0, kappa + error))


Square = list[list[float]]


def _weights(size: int, *, by_distance: bool) -> Square:
    """How much agreement a pair of categories is: 1 on the diagonal."""
    step = 1 / (size - 1)
    places = range(size)
    return [[1 - abs(i - j) * step if by_distance else float(i == j) for j in places] for i in places]


def _kappa(shares: Square, weights: Square) -> tuple[float, float] | None:
    """Kappa and the standard deviation of one pair; None where all agreement is by chance."""
    places = range(len(shares))
    cells = [(i, j) for i in places for j in places]
    row, column = [sum(line) for line in shares], [sum(line) for line in zip(*shares, strict=True)]
    observed = sum(weights[i][j] * shares[i][j] for i, j in cells)
    expected = sum(weights[i][j] * row[i] * column[j] for i, j in cells)
    if math.isclose(expected, 1):
        return None
    kappa = (observed - expected) / (1 - expected)
    by_row = [sum(map(operator.mul, column, weights[i])) for i in places]
    by_column = [sum(map(operator.mul, row, weights[j])) for j in places]
    spread = sum(shares[i][j] * (weights[i][j] - (by_row[i] + by_column[j]) * (1 - kappa)) ** 2 for i, j in cells)
    variance = max(0.0, spread - (kappa - expected * (1 - kappa)) ** 2)
    return kappa, math.sqrt(variance) / (1 - expected)


def _agreement_table(one: Filled, other: Filled) -> Table:
    """Agreement over the items that are answered from a list of words by both."""
    checklist = one.checklist
    both = [
        (a.text, b.text)
        for a, b in zip(one.answers, other.answers, strict=True)
        if checklist.accepted(a.item) and a.given and b.given
    ]
    plain = agreement([a for a, _ in both], [b for _, b in both])
    rows = [("every category", *_cells(plain))]
    if checklist.scale:
        order = [grade.name for grade in sorted(checklist.scale, key=lambda g: g.value)]
        weighted = agreement([a for a, _ in both], [b for _, b in both], order)
        rows.append(("on the scale, weighted by distance", *_cells(weighted)))
    title = f"Agreement of {' and '.join(_names([one, other]))}"
    return Table(title, ("how", "items", "agreed", "kappa", "95 % from", "to"), tuple(rows))


def _cells(found: Agreement) -> tuple[Value, ...]:
    figures = (found.kappa, found.low, found.high)
    return (found.items, found.agreed, *(None if f is None else round(f, 3) for f in figures))


def _names(assessments: Sequence[Filled]) -> list[str]:
    """What tells the assessments apart: the subject, else who filled it in, else the file."""
    for names in ([f.subject for f in assessments], [f.by for f in assessments], [f.path for f in assessments]):
        if all(names) and len(set(names)) == len(names):
            return names
    return [f"{f.path or 'assessment'} ({i})" for i, f in enumerate(assessments, 1)]


def _worths(checklist: Checklist, answers: Iterable[Answer]) -> list[float]:
    """What the answers are worth, of those that have a worth."""
    return [worth for answer in answers if (worth := checklist.worth(answer.text)) is not None]


def _cell(text: str, longest: int = 60) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= longest else flat[: longest - 3] + "..."


def _mean(values: Sequence[float]) -> float | None:
    return round(sum(values) / len(values), 3) if values else None
