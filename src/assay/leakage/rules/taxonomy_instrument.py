"""The instrument that the rules hang on, and how a leak that the analysis of code saw becomes a finding.

The rules are about leaks of any provenance: the checks of tables make their findings with the same rules.
Nothing heavy is imported here, for every `assay rules` loads this.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from assay.findings import Finding
from assay.rules import Instrument, Rule, get_rule

if TYPE_CHECKING:
    from assay.leakage.code.analysis import Analysis

PAPER = (
    "Kapoor & Narayanan, Leakage and the reproducibility crisis in machine-learning-based science, "
    "Patterns 4 (2023) 100804"
)
TAXONOMY = "Toward a solution: A taxonomy of data leakage"


def _example(text: str) -> Analysis:
    from assay.leakage.code.analysis import analyse_text

    return analyse_text(text)


leakage = Instrument("leakage", "Did the test set leak into training?", _example, "python")


def seen_in_code(code: str, facts: Analysis) -> Iterator[Finding]:
    """The findings of one rule among the leaks that the analysis of code saw."""
    rule: Rule[Analysis] = get_rule(code, "leakage")
    for leak in facts.leaks:
        if leak.code == code:
            yield rule.finding(
                leak.message,
                subject=leak.subject,
                location=leak.location,
                evidence=leak.evidence,
                advice=leak.advice,
                severity=leak.severity,
                confidence=leak.confidence,
                fix=leak.fix,
            )
