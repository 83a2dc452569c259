"""What to ask the authors about a finding: ready to paste into a review, polite, and without accusing anybody."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import Any

from assay.findings import Finding, Severity


def with_questions(findings: Sequence[Finding]) -> list[Finding]:
    """The findings, each with the question it raises; of findings about the same thing only the weightiest asks."""
    codes = {finding.code for finding in findings}
    answered = {code for asked, others in _table()["instead"].items() if asked in codes for code in others}
    return [f if f.code in answered else replace(f, question=question_for(f)) for f in findings]


def question_for(finding: Finding) -> str:
    """The question that a finding raises; empty for what a reviewer would not ask."""
    text, message = _table().get(finding.code, ""), finding.message.rstrip(".")
    if not text and finding.severity is Severity.ERROR:
        return f"{finding.title}: {message}. Could the authors explain or correct this?"
    return str(text).replace("{subject}", finding.subject or "the result").replace("{message}", message)


@cache
def _table() -> dict[str, Any]:
    return tomllib.loads(files("assay.audit").joinpath("questions.toml").read_text(encoding="utf-8"))
