"""Smoothing of a series by weights that are given: each value is foretold by those before it, and nothing is learnt."""

from __future__ import annotations

from assay.leakage.code.language.call import Call
from assay.leakage.code.state.values import Const, Estimator

_LEVEL_AND = {"SimpleExpSmoothing": 0, "Holt": 1, "ExponentialSmoothing": 0}
"""How many weights each has beside that of the level, whatever it is made with."""
_FURTHER = ("trend", "seasonal")


def weights_given(c: Call, owner: Estimator) -> bool:
    """`SimpleExpSmoothing(series).fit(0.4)`, `….fit(optimized=False)`: nothing is left to find by the series."""
    further = _LEVEL_AND.get(owner.name)
    if further is None:
        return False
    if c.constant(-1, "optimized") is False:
        return True
    further += sum(owner.setting(name) is not None for name in _FURTHER)
    named = [value for name, value in c.keywords.items() if name.startswith("smoothing_")]
    known = [value for value in (*c.args, *named) if c.m.plain(value) != Const(None)]
    return len(known) > further
