"""Generated country-years with the structure of the case study on civil war: nothing in them is real.

Kapoor & Narayanan re-analysed studies that predict civil war. What mattered there is rebuilt here: onsets are
rare; a few classic variables are known nearly everywhere; many others are known in the years used for training
and almost entirely missing (95 %) in the years used for testing; risk belongs to the country; a war, once begun,
goes on; and some columns are recorded as part of a war, so that they stand for it.
"""

from __future__ import annotations

from dataclasses import replace
from enum import Enum

import numpy as np

from assay.leakage.data.measures import Floats, Ints
from assay.leakage.impact.leaks import Fold
from assay.leakage.impact.material import Material

COUNTRIES, YEARS, FIRST_YEAR, CUT, LATE_CUT = 120, 40, 1960, 1988, 1993
CLASSIC = ("income", "population", "mountains", "anocracy", "new_state")
OTHERS = tuple(f"indicator_{i + 1}" for i in range(40))
PROXIES = ("battle_deaths", "ceasefire")
LAST_YEAR = "war_last_year"
MISSING_BEFORE, MISSING_AFTER, MISSING_CLASSIC = 0.12, 0.95, 0.02
_ONSETS = 0.03
_GOES_ON = 0.85
"""Chance that a war of one year is there in the next."""
_EFFECTS = np.array([-0.8, 0.5, 0.35, 0.5, 0.25])


class Outcome(Enum):
    """What the panel records of each country-year."""

    ONSET = "a war begins"
    INCIDENCE = "there is a war"


def panel(seed: int = 0, outcome: Outcome = Outcome.ONSET) -> Material:
    """One generated panel; its rows go country by country, year by year."""
    draw = np.random.default_rng(seed)
    country = np.repeat(np.arange(COUNTRIES), YEARS)
    year = np.tile(np.arange(FIRST_YEAR, FIRST_YEAR + YEARS), COUNTRIES)
    lasting = draw.normal(size=(COUNTRIES, len(CLASSIC)))[country]
    classic = 0.9 * lasting + 0.45 * draw.normal(size=lasting.shape)
    risk = classic @ _EFFECTS + 0.3 * draw.normal(size=COUNTRIES)[country]
    onset = _rare(risk, draw)
    others = _indicators(classic, country, draw)
    war, last_year = _lasting_wars(onset.reshape(COUNTRIES, YEARS), draw)
    y = onset if outcome is Outcome.ONSET else war
    proxies = np.column_stack([y * draw.gamma(2.0, 1.0, len(y)), y * (draw.random(len(y)) < 0.8)])
    proxies += 0.15 * np.abs(draw.normal(size=proxies.shape))
    x = np.column_stack([_with_gaps(classic, MISSING_CLASSIC, draw), others])
    indicators = slice(len(CLASSIC), len(CLASSIC) + len(OTHERS))
    for rows, share in ((year < CUT, MISSING_BEFORE), (year >= CUT, MISSING_AFTER)):
        x[rows, indicators] = _with_gaps(x[rows, indicators], share, draw)
    made = Material(x, (*CLASSIC, *OTHERS), y, classes=True, groups=country, times=year.astype(float))
    if outcome is Outcome.ONSET:
        return made
    return replace(made, x=np.column_stack([x, proxies, last_year]), names=(*made.names, *PROXIES, LAST_YEAR))


def forward(material: Material, cut: int = CUT) -> Fold:
    """Train on the years before the cut, test on those after it."""
    if material.times is None:
        raise ValueError("the panel has years")
    return np.flatnonzero(material.times < cut), np.flatnonzero(material.times >= cut)


def _rare(risk: Floats, draw: np.random.Generator) -> Floats:
    """Onsets as rare as wanted, likelier where the risk is high."""
    low, high = -15.0, 5.0
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if (1 / (1 + np.exp(-(risk + middle)))).mean() < _ONSETS else (low, middle)
    return (draw.random(len(risk)) < 1 / (1 + np.exp(-(risk + low)))).astype(float)


def _lasting_wars(onset: Floats, draw: np.random.Generator) -> tuple[Floats, Floats]:
    """Whether there is a war, and whether there was one the year before; both by country-year."""
    war = np.zeros_like(onset)
    before = np.zeros_like(onset)
    for year in range(onset.shape[1]):
        if year:
            before[:, year] = war[:, year - 1]
        goes_on = before[:, year] * (draw.random(len(onset)) < _GOES_ON)
        war[:, year] = np.maximum(onset[:, year], goes_on)
    return war.ravel(), before.ravel()


def _indicators(classic: Floats, country: Ints, draw: np.random.Generator) -> Floats:
    """Many further columns: mostly marks of the country, a little of the classic variables, nothing of their own."""
    mixing = draw.normal(size=(classic.shape[1], len(OTHERS))) * (draw.random((classic.shape[1], len(OTHERS))) < 0.2)
    marks = draw.normal(size=(COUNTRIES, len(OTHERS)))[country]
    return 0.3 * classic @ mixing + 0.7 * marks + 0.7 * draw.normal(size=marks.shape)


def _with_gaps(x: Floats, share: float, draw: np.random.Generator) -> Floats:
    return np.where(draw.random(x.shape) < share, np.nan, x)
