"""The reported errors of a regression: their names, and the ranges that are theirs by definition."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field
from fractions import Fraction

from assay.errors import InputError, suggestion
from assay.records import dataclass
from assay.scores.exact import Interval

NAMES: dict[str, tuple[str, ...]] = {
    "mae": ("mean_absolute_error",),
    "mse": ("mean_squared_error",),
    "rmse": ("root_mean_squared_error", "root_mean_square_error", "rmsd", "rms"),
    "r2": ("r_squared", "rsquared", "r2_score", "coefficient_of_determination"),
    "max_error": ("maximum_error", "max_absolute_error", "largest_error"),
    "medae": ("median_absolute_error", "mdae"),
    "ev": ("explained_variance", "explained_variance_score"),
    "me": ("mean_error", "bias", "mbe", "mean_bias_error"),
}
"""Short name → synonyms."""

_RANGES = {
    **dict.fromkeys(("mae", "mse", "rmse", "max_error", "medae"), (Interval(Fraction(0), None), "is never negative")),
    **dict.fromkeys(("r2", "ev"), (Interval(None, Fraction(1)), "is never above 1")),
}


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a quantity: the interval it lies in, from which reported figures, in words."""

    interval: Interval
    names: tuple[str, ...] = ()
    words: str = ""

    def met(self, other: Known) -> Known:
        """Both together."""
        names = tuple(dict.fromkeys((*self.names, *other.names)))
        words = " and ".join(w for w in (self.words, other.words) if w)
        return Known(self.interval.intersect(other.interval), names, words)


ANYTHING = Known(Interval(None, None))


@dataclass(frozen=True, slots=True)
class Figures:
    """The reported figures by short name, and the name each one was given."""

    known: Mapping[str, Known] = field(default_factory=dict)

    def __contains__(self, short: str) -> bool:
        return short in self.known

    def __getitem__(self, short: str) -> Known:
        return self.known.get(short, ANYTHING)


def read_figures(reported: Mapping[str, Interval]) -> Figures:
    """The reported figures; a name given in two spellings is met with both."""
    spelled = {plain_key(s): short for short, synonyms in NAMES.items() for s in (short, *synonyms)}
    known: dict[str, Known] = {}
    for name, interval in reported.items():
        short = spelled.get(plain_key(name))
        if short is None:
            raise InputError(
                f'"{name}" is not a regression score this test knows',
                fix=suggestion(name, [s for k, v in NAMES.items() for s in (k, *v)])
                or f"Known are {', '.join(NAMES)}.",
            )
        if interval.infinite:
            raise InputError("this score is never infinite", where=name, fix="Give a number.")
        said = Known(interval, (name,), f"{name} in {interval}")
        known[short] = known[short].met(said) if short in known else said
    return Figures(known)


def out_of_range(figures: Figures) -> tuple[str, tuple[str, ...]] | None:
    """A figure that contradicts its own definition, as a sentence and its names."""
    for short, said in figures.known.items():
        allowed, rule = _RANGES.get(short, (Interval(None, None), ""))
        if said.interval.empty:
            return f"{said.words} exclude each other.", said.names
        if said.interval.intersect(allowed).empty:
            return f"{said.words}, but it {rule}.", said.names
    return None


def within_range(figures: Figures) -> Figures:
    """The figures without the part of their intervals that their definitions exclude."""
    return Figures(
        {
            short: Known(said.interval.intersect(_RANGES[short][0]), said.names, said.words)
            if short in _RANGES
            else said
            for short, said in figures.known.items()
        }
    )


def plain_key(name: str) -> str:
    """A name without its signs and capitals."""
    return re.sub(r"[^a-z0-9]", "", name.lower().replace("²", "2"))
