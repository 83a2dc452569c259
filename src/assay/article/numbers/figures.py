"""Printed figures as exact ranges: what the true value may have been before it was rounded."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from assay.article.tables.cells import Cell, Kind
from assay.records import dataclass


@dataclass(frozen=True, slots=True)
class Printed:
    """A number as printed: its value and one unit of its last digit."""

    value: Fraction
    unit: Fraction

    @property
    def low(self) -> Fraction:
        """The least that may have been printed so, however it was rounded."""
        return self.value - self.unit

    @property
    def high(self) -> Fraction:
        """The most."""
        return self.value + self.unit


def printed(text: str) -> Printed:
    """A number from its digits; thousands separators and a percent sign are dropped."""
    digits = text.replace(",", "").rstrip("% ")
    return Printed(Fraction(digits), Fraction(1, 10 ** len(digits.partition(".")[2])))


def printed_cell(cell: Cell) -> Printed | None:
    """The number of a cell; None where it holds none, or a mean with a spread."""
    if cell.kind is not Kind.NUMBER or cell.spread or "±" in cell.text or "(" in cell.text:
        return None
    return printed(cell.value)


def mean(values: Iterable[Printed]) -> Printed:
    """The mean of rounded numbers, with half a unit as its own uncertainty."""
    some = list(values)
    return Printed(sum((v.value for v in some), Fraction(0)) / len(some), max(v.unit for v in some) / 2)


def total(values: Iterable[Printed]) -> Printed:
    """The sum; whole numbers are exact."""
    some = list(values)
    exact = all(v.unit == 1 for v in some)
    return Printed(
        sum((v.value for v in some), Fraction(0)),
        Fraction(0) if exact else sum((v.unit / 2 for v in some), Fraction(0)),
    )


def agree(one: Printed, other: Printed) -> bool:
    """Whether two printed figures agree to the coarser digits of the two, as per cent or as shares of one."""
    scales = (Fraction(1), Fraction(100), Fraction(1, 100))
    return any(
        abs(one.value - other.value * scale) <= Fraction(3, 2) * max(one.unit, other.unit * scale) for scale in scales
    )


def agrees(shown: Printed, follows: Printed) -> bool:
    """Whether the printed number can be what follows."""
    slack = Fraction(0) if shown.unit == 1 and not follows.unit else shown.unit
    return abs(shown.value - follows.value) <= slack + follows.unit
