"""Findings that a repository suppresses as a whole: ``[tool.assay.suppress]`` in its pyproject.toml.

A comment can silence a finding on its line; what is about no line (no data, no results: a library has none) is
silenced here, by rule and perhaps by path, and always with the reason, which the report repeats::

    [tool.assay.suppress]
    R206 = "a tool: it reports no results of its own"
    "R302 bench/*" = "runs in an environment of its own"
    "L examples/*" = "leaks on purpose"

As with --select, the beginning of a code stands for all rules that begin with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fnmatch import fnmatch

from assay.findings import Finding, Report, Suppressed
from assay.tree import Tree
from assay.tree.toml import section, tables_of


def silenced(report: Report, tree: Tree) -> Report:
    """The report with the findings that the tree's pyproject.toml suppresses moved to the suppressed list."""
    reasons = _reasons(tree)
    if not reasons:
        return report
    kept: list[Finding] = []
    moved: list[Suppressed] = []
    for finding in report.findings:
        reason = next((why for what, why in reasons.items() if _covers(what, finding)), None)
        if reason is None:
            kept.append(finding)
        else:
            moved.append(Suppressed(finding, reason))
    return replace(report, findings=tuple(kept), suppressed=(*report.suppressed, *moved))


def _covers(what: str, finding: Finding) -> bool:
    code, _, pattern = what.strip().partition(" ")
    if not code or not finding.code.startswith(code):
        return False
    return not pattern or (finding.location is not None and fnmatch(finding.location.path, pattern.strip()))


def _reasons(tree: Tree) -> Mapping[str, str]:
    """The suppressed rules with their reasons; an entry without a reason has no effect."""
    table = section(tables_of(tree.get("pyproject.toml")), "tool", "assay", "suppress")
    return {what: why for what, why in table.items() if isinstance(why, str) and why.strip()}
