"""Confidence by what was measured: how many findings of a rule and a sort of evidence were right when people checked.

The table is `confidence.toml`. "High" needs at least 95 of 100, "medium" 75; a sort that nobody has checked is medium.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources

from assay.findings import Confidence
from assay.leakage.code.policies.judgement import Verdict
from assay.records import dataclass

_HIGH, _MEDIUM = 0.95, 0.75
_ENOUGH = 8
"""So few checked findings say nothing about a rate of 95 in 100."""


@dataclass(frozen=True, slots=True)
class Rate:
    """How many findings of a sort were checked, and how many of these were right."""

    right: int = 0
    judged: int = 0

    @property
    def confidence(self) -> Confidence:
        """The confidence that the rate justifies."""
        if self.judged < _ENOUGH:
            return Confidence.MEDIUM
        share = self.right / self.judged
        return Confidence.HIGH if share >= _HIGH else Confidence.MEDIUM if share >= _MEDIUM else Confidence.LOW


def confidence_of(verdict: Verdict) -> Rate:
    """The measured rate for the rule of a verdict and its sort of evidence."""
    return _rates().get((verdict.rule.code, shape_of(verdict)), Rate())


def shape_of(verdict: Verdict) -> str:
    """The sort of evidence: the kind of step, the kind of choice, or the relation of the rows."""
    pair = verdict.row.pair
    if verdict.learnt is not None:
        return verdict.learnt.kind
    if verdict.rule.code == "LX1":
        return str(pair.choice)
    return "redivided" if pair.because else str(pair.relation)


@cache
def _rates() -> dict[tuple[str, str], Rate]:
    text = resources.files(__package__).joinpath("confidence.toml").read_text(encoding="utf-8")
    return {(row["rule"], row["shape"]): Rate(row["right"], row["judged"]) for row in tomllib.loads(text)["rate"]}
