"""Confidence by what was measured: how many findings of a rule and a sort of evidence were right.

The table is `confidence.toml`: labels by people, and runs of generated programs. "High" needs at least 95 of 100 in
both, "medium" 75. What nobody has labelled is medium at best, for generated programs are simple.
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
    """How many findings of a sort were checked, by people and by runs, and how many of these were right."""

    right: int = 0
    judged: int = 0
    runs_right: int = 0
    runs: int = 0

    @property
    def confidence(self) -> Confidence:
        """The confidence that the rates justify: the lower of the two."""
        counts = ((self.right, self.judged), (self.runs_right, self.runs))
        shares = [right / of for right, of in counts if of >= _ENOUGH]
        if min(shares, default=_MEDIUM) < _MEDIUM:
            return Confidence.LOW
        labelled = self.judged >= _ENOUGH
        return Confidence.HIGH if labelled and min(shares) >= _HIGH else Confidence.MEDIUM

    @property
    def sentence(self) -> str:
        """What was measured, for the report; empty where nothing was."""
        counts = ((self.right, self.judged, "in labelled code"), (self.runs_right, self.runs, "in generated programs"))
        checked = " and ".join(f"{right} of {of} {how}" for right, of, how in counts if of)
        return f"Findings like this one that were right: {checked}." if checked else ""


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
    rows = tomllib.loads(text)["rate"]
    return {(r["rule"], r["shape"]): Rate(**{k: v for k, v in r.items() if isinstance(v, int)}) for r in rows}
