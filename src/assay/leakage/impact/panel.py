"""Generated country-years with the structure of the case study on civil war: nothing in them is real.

Kapoor & Narayanan re-analysed studies that predict the onset of civil war. What mattered there is rebuilt
here: onsets are rare; a few classic variables are known nearly everywhere; many others are known in the years
used for training and almost entirely missing (95 %) in the years used for testing, and were filled in by an
imputer that saw the outcome; risk persists within a country; and some columns are recorded as part of a war, so
that they stand for it.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from assay.leakage.data.measures import Floats, Ints
from assay.leakage.impact.experiment import Impact, Track, impact_of, score_fold
from assay.leakage.impact.leaks import Fold, find_leak
from assay.leakage.impact.material import Material
from assay.leakage.impact.models import Model

COUNTRIES, YEARS, FIRST_YEAR, CUT = 120, 40, 1960, 1988
CLASSIC = ("income", "population", "mountains", "anocracy", "new_state")
OTHERS = tuple(f"indicator_{i + 1}" for i in range(40))
PROXIES = ("battle_deaths", "ceasefire")
MISSING_BEFORE, MISSING_AFTER, MISSING_CLASSIC = 0.12, 0.95, 0.02
_ONSETS = 0.03
_MODELS = (Model("logistic on classic variables", "logistic", CLASSIC), Model("forest on all variables", "forest"))


def panel(seed: int = 0) -> Material:
    """One generated panel; its rows go country by country, year by year."""
    draw = np.random.default_rng(seed)
    country = np.repeat(np.arange(COUNTRIES), YEARS)
    year = np.tile(np.arange(FIRST_YEAR, FIRST_YEAR + YEARS), COUNTRIES)
    lasting = draw.normal(size=(COUNTRIES, len(CLASSIC)))[country]
    classic = 0.9 * lasting + 0.45 * draw.normal(size=lasting.shape)
    risk = classic @ np.array([-0.8, 0.5, 0.35, 0.5, 0.25]) + 0.3 * draw.normal(size=COUNTRIES)[country]
    onset = _rare(risk, draw)
    others = _indicators(classic, country, draw)
    proxies = np.column_stack([onset * draw.gamma(2.0, 1.0, len(onset)), onset * (draw.random(len(onset)) < 0.8)])
    proxies += 0.15 * np.abs(draw.normal(size=proxies.shape))
    x = np.column_stack([_gapped(classic, MISSING_CLASSIC, draw), others, proxies])
    late = year >= CUT
    indicators = slice(len(CLASSIC), len(CLASSIC) + len(OTHERS))
    for rows, share in ((~late, MISSING_BEFORE), (late, MISSING_AFTER)):
        x[rows, indicators] = _gapped(x[rows, indicators], share, draw)
    return Material(x, (*CLASSIC, *OTHERS, *PROXIES), onset, classes=True, groups=country, times=year.astype(float))


def _rare(risk: Floats, draw: np.random.Generator) -> Floats:
    """Onsets as rare as wanted, likelier where the risk is high."""
    low, high = -15.0, 5.0
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if (1 / (1 + np.exp(-(risk + middle)))).mean() < _ONSETS else (low, middle)
    return (draw.random(len(risk)) < 1 / (1 + np.exp(-(risk + low)))).astype(float)


def _indicators(classic: Floats, country: Ints, draw: np.random.Generator) -> Floats:
    """Many further columns: mostly marks of the country, a little of the classic variables, nothing of their own."""
    mixing = draw.normal(size=(classic.shape[1], len(OTHERS))) * (draw.random((classic.shape[1], len(OTHERS))) < 0.2)
    marks = draw.normal(size=(COUNTRIES, len(OTHERS)))[country]
    return 0.3 * classic @ mixing + 0.7 * marks + 0.7 * draw.normal(size=marks.shape)


def _gapped(x: Floats, share: float, draw: np.random.Generator) -> Floats:
    return np.where(draw.random(x.shape) < share, np.nan, x)


def forward(material: Material) -> Fold:
    """Train on the years before the cut, test on those after it."""
    if material.times is None:
        raise ValueError("the panel has years")
    return np.flatnonzero(material.times < CUT), np.flatnonzero(material.times >= CUT)


def case_study(leak: str = "imputation-outcome", *, repeats: int = 5, seed: int = 0, track: Track = iter) -> Impact:
    """The leak on fresh panels, one for each repeat: independent worlds, so no correction of the interval is due."""
    staged = find_leak(leak)
    scores: dict[str, list[tuple[float, float]]] = {m.name: [] for m in _MODELS}
    for world, fold in track([(seed + r, forward(panel(seed + r))) for r in range(repeats)]):
        whole = panel(world)
        material = replace(whole, proxies=PROXIES) if staged.name == "proxy" else whole.without(PROXIES)
        for name, pair in score_fold(material, _MODELS, staged, fold, (world, 0)).items():
            scores[name].append(pair)
    return impact_of(staged, panel(seed), scores, 0.0)
