"""From printed digits to what they leave open.

A score comes as text, because the text carries the precision: ``0.940`` says more than ``0.94``,
``94.0%`` says the same as ``0.940``. `read_figure` turns one printed figure into exact intervals.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Protocol

from assay.errors import InputError
from assay.patterns import regex
from assay.records import dataclass
from assay.scores.conventions import Rounding
from assay.scores.exact import Interval


@dataclass(frozen=True, slots=True)
class Figure:
    """A number as printed: its value, and the worth of one unit in its last digit."""

    text: str
    value: Fraction
    unit: Fraction

    def interval(self, rounding: Rounding, eps: Fraction | None = None) -> Interval:
        """The true values that would be printed like this."""
        if self.unit == 0:  # a count is itself, however other figures were rounded
            return Interval(self.value, self.value)
        if eps is not None:
            return Interval(self.value - eps, self.value + eps)
        if rounding is Rounding.NEAREST:
            return Interval(self.value - self.unit / 2, self.value + self.unit / 2)
        below = Interval(self.value - self.unit, self.value, lo_open=True)
        above = Interval(self.value, self.value + self.unit, hi_open=True)
        if rounding is Rounding.UNKNOWN or self.value <= 0:
            # Below zero, cutting off goes up or down depending on the tool; zero hides the sign.
            return Interval(below.lo, above.hi, lo_open=True, hi_open=True)
        return above if rounding is Rounding.DOWN else below


_NUMBER = r"[+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:[eE][+-]?\d+)?"
_FIGURE = regex(rf"(?P<number>{_NUMBER})\s*(?P<percent>%?)")
_SPREAD = regex(
    rf"(?P<mean>{_NUMBER}\s*%?)\s*(?:±|\+/-|\+-|\\pm)\s*(?P<sd>{_NUMBER})\s*(?P<percent>%?)",
)
_RANGE = regex(rf"\[\s*(?P<lo>{_NUMBER}\s*%?)\s*[,;]\s*(?P<hi>{_NUMBER}\s*%?)\s*\]")
_INFINITE = {"inf", "+inf", "infinity", "∞"}
_MAX_LENGTH = 60


class Ranged(Protocol):
    """What is known of a figure before it is read: the values it can have, and whether it is a count."""

    @property
    def label(self) -> str:
        """What to call it."""

    @property
    def low(self) -> Fraction | None:
        """The least value it can have."""

    @property
    def high(self) -> Fraction | None:
        """The greatest value it can have."""

    @property
    def whole(self) -> bool:
        """Whether it is a count."""


@dataclass(frozen=True, slots=True)
class Range:
    """A `Ranged` for figures that are not scores of a binary confusion matrix."""

    label: str
    low: Fraction | None = None
    high: Fraction | None = None
    whole: bool = False


@dataclass(frozen=True, slots=True)
class Printed:
    """All that one reported figure says: a mean (or the value itself), and perhaps its spread over parts."""

    text: str
    interval: Interval
    sd: Interval | None = None


def read_figure(
    text: str,
    score: Ranged,
    *,
    name: str,
    rounding: Rounding = Rounding.NEAREST,
    eps: Fraction | None = None,
    percent: bool = False,
    complement: bool = False,
    bounded: bool = True,
) -> Printed:
    """What a printed figure of this score leaves open; `percent` reads bare numbers as percentages.

    Accepts ``0.940``, ``94.0%``, ``0.94 ± 0.02``, ``[0.93, 0.95]`` and ``inf``. Unless `bounded`, a figure that the
    score can never have, such as 101.2%, is read as well, for a test to refuse.
    """
    said = text.strip().replace("\N{MINUS SIGN}", "-")
    _refuse_long(said, name)
    if said.lower() in _INFINITE:
        return _infinite(said, score, name)
    bounds = _RANGE.fullmatch(said)
    if bounds:
        lo, hi = (_figure(bounds[g], score, name, percent, complement, bounded=bounded) for g in ("lo", "hi"))
        if lo.value > hi.value:
            raise InputError(f"the interval {said} is empty", where=name, fix="Write the smaller end first.")
        return Printed(said, Interval(lo.value, hi.value))
    spread = _SPREAD.fullmatch(said)
    if spread:
        both = "%" in said or percent
        mean = _figure(spread["mean"], score, name, both, complement, bounded=bounded)
        sd = _parse(spread["sd"] + ("%" if both and not score.whole else ""), name)
        if sd.value < 0:
            raise InputError(f"the spread in {said} is negative", where=name, fix="Give a standard deviation.")
        return Printed(said, mean.interval(rounding, eps), _not_negative(sd.interval(rounding, eps)))
    return Printed(said, _figure(said, score, name, percent, complement, bounded=bounded).interval(rounding, eps))


def read_spread(text: str, *, name: str, rounding: Rounding, eps: Fraction | None, percent: bool) -> Interval:
    """A standard deviation that is given apart from its mean."""
    sd = _parse(text.strip() + ("%" if percent and "%" not in text else ""), name)
    if sd.value < 0:
        raise InputError(f"the standard deviation {text} is negative", where=name, fix="Drop the sign.")
    return _not_negative(sd.interval(rounding, eps))


def _not_negative(interval: Interval) -> Interval:
    return interval.intersect(Interval(Fraction(0), None))


def _infinite(said: str, score: Ranged, name: str) -> Printed:
    if score.high is not None:
        raise InputError(f"{score.label} is never infinite", where=name, fix="Give a number.")
    return Printed(said, Interval(None, None, infinite=True))


def _figure(text: str, score: Ranged, name: str, percent: bool, complement: bool, *, bounded: bool) -> Figure:
    """One number, within the score's range."""
    share = not score.whole and score.high is not None
    figure = _parse(text + ("%" if percent and share and "%" not in text else ""), name)
    if score.whole:
        if figure.value.denominator != 1 or "%" in text:
            raise InputError(f"{text.strip()} is not a count", where=name, fix="Counts are whole numbers.")
        figure = Figure(figure.text, figure.value, Fraction(0))
    possible = Interval(score.low, score.high)
    possible = possible.one_minus() if complement else possible
    if figure.value not in possible:
        _refuse_out_of_range(text, figure.value, possible, name, always=bounded or score.whole)
    return figure


def _refuse_out_of_range(text: str, value: Fraction, possible: Interval, name: str, *, always: bool) -> None:
    """Refuse a figure whose percent sign was forgotten, and any other one where that is asked for."""
    low, high = possible.lo, possible.hi
    forgotten = "%" not in text and high == 1 and 2 < value <= 100
    if always or forgotten:
        allowed = f"from {low} to {high}" if high is not None else f"{low} or more"
        fix = f"Did you mean {text.strip()}%?" if forgotten else "Check the figure."
        raise InputError(f"{name} = {text.strip()} is out of range: it goes {allowed}", fix=fix)


def _refuse_long(text: str, name: str) -> None:
    if len(text) > _MAX_LENGTH:
        raise InputError(f"{len(text)} characters are no score", where=name, fix="Give one number.")


def _parse(text: str, name: str) -> Figure:
    _refuse_long(text, name)
    match = _FIGURE.fullmatch(text.strip())
    if match is None:
        shown = text.strip()
        fix = "Write it like 0.940, 94.0%, 0.94±0.02, [0.93, 0.95]."
        raise InputError(f'"{shown}" is not a number' if shown else "no value is given", where=name, fix=fix)
    mantissa, _, exponent = match["number"].replace(",", ".").lower().partition("e")
    if len(exponent.lstrip("+-")) > 3:
        raise InputError(f"{text.strip()} is no score", where=name, fix="Give a number between 0 and 1.")
    decimals = len(mantissa.partition(".")[2]) - int(exponent or 0)
    if match["percent"]:
        decimals += 2
    unit = Fraction(10) ** -decimals
    value = Fraction(mantissa) * Fraction(10) ** int(exponent or 0) / (100 if match["percent"] else 1)
    return Figure(text.strip(), value, unit)


def read_eps(text: str, *, name: str = "eps") -> Fraction:
    """An uncertainty given by hand: positive, and small enough to mean something."""
    eps = _parse(text, name).value
    if not 0 < eps < 1:
        raise InputError(f"{name} = {text} must lie between 0 and 1", fix="For figures with 4 decimals it is 0.00005.")
    return eps
