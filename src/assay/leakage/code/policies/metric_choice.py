"""LX2: accuracy where a class is rare."""

from __future__ import annotations

from collections.abc import Iterator

from assay.findings import Confidence, Severity
from assay.leakage.code.facts.observations import Observations
from assay.leakage.code.facts.relation import is_unseen
from assay.leakage.code.leak import Leak
from assay.leakage.code.policies.path import leak_at, step
from assay.leakage.code.state.events import Imbalance, Purpose


def accuracy_alone(facts: Observations) -> Iterator[Leak]:
    """Accuracy as the only measure, though the code treats the classes as imbalanced."""
    signs = [e for e in facts.trace.events if isinstance(e, Imbalance)]
    scored = [e for e in facts.evaluations if e.purpose in {Purpose.SCORE, Purpose.CROSS_VALIDATION}]
    if not signs or not scored or not all(e.accuracy for e in scored):
        return
    first = next((e for e in scored if is_unseen(facts, e)), scored[0])
    yield leak_at(
        "LX2",
        "measure",
        "accuracy is the only measure, though the code treats the classes as imbalanced",
        first.site,
        [step(f"a sign of imbalance: {signs[0].told}", signs[0].site), step("accuracy is computed here", first.site)],
        severity=Severity.NOTE,
        confidence=Confidence.MEDIUM,
        advice="Report measures that reflect the rare class:\nprint(classification_report(y_test, y_pred))",
    )
