"""What SARIF says of a rule (`reportingDescriptor`, 3.49), so that a service can explain an alert."""

from __future__ import annotations

import re
from typing import Any

from assay.findings import Confidence, Finding, Severity
from assay.report import markdown
from assay.report.wording import visible
from assay.rules import Rule

Json = dict[str, Any]

PRECISION = {
    Confidence.PROVEN: "very-high",
    Confidence.HIGH: "high",
    Confidence.MEDIUM: "medium",
    Confidence.LOW: "low",
}
PROBLEM = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "recommendation"}
LONGEST_DESCRIPTION = 1_000
"""GitHub takes 1,024 characters."""
LONGEST_NAME = 255


def descriptor(finding: Finding, rule: Rule[Any] | None) -> Json:
    """The rule of a finding; a rule that is not registered here is described by what the finding says."""
    if rule is None:
        return _described(finding.code, finding.title, finding.severity, finding.confidence)
    return _described(rule.code, rule.title, rule.severity, rule.confidence, rule.instrument.name) | {
        "fullDescription": {"text": rule.why[:LONGEST_DESCRIPTION]},
        "help": {"text": _help_text(rule), "markdown": _help_markdown(rule)},
    }


def _described(code: str, title: str, severity: Severity, confidence: Confidence, *tags: str) -> Json:
    said = visible(title)[:LONGEST_DESCRIPTION] or code
    name = "".join(word[:1].upper() + word[1:] for word in re.findall(r"\w+", said))[:LONGEST_NAME]
    return {
        "id": code,
        **({"name": name} if name != code else {}),
        "shortDescription": {"text": said},
        "fullDescription": {"text": said},
        "help": {"text": said},
        "defaultConfiguration": {"level": severity.value},
        "properties": {
            "tags": ["reproducibility", *tags],
            "precision": PRECISION[confidence],
            "problem.severity": PROBLEM[severity],
        },
    }


def _help_text(rule: Rule[Any]) -> str:
    parts = [rule.why, f"Fails:\n{rule.failing}", f"Passes:\n{rule.passing}", rule.advice, f"Source: {rule.source}"]
    return "\n\n".join(part for part in parts if part)


def _help_markdown(rule: Rule[Any]) -> str:
    language = rule.instrument.example_language
    parts = [
        markdown.escaped(rule.why),
        "**Fails**",
        markdown.fence(rule.failing, language),
        "**Passes**",
        markdown.fence(rule.passing, language),
        f"**Advice:** {markdown.escaped(rule.advice)}" if rule.advice else "",
        f"**Source:** {markdown.escaped(str(rule.source))}",
    ]
    return "\n\n".join(part for part in parts if part)
