"""Findings with the same cause are one: the place that fails first, with the other places as evidence."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable
from dataclasses import replace

from assay.findings import Finding

_OF_A_FILE = ("R211", "R303", "R216", "R214", "R215", "R602", "R503")
"""Rules on something that is not there, whose subject is its path, from the plainest statement to the vaguest."""
_MOST_EVIDENCE = 6


def folded(findings: Iterable[Finding]) -> list[Finding]:
    """The findings of all rules, each missing file once: as the gravest of the findings about it."""
    kept: list[Finding] = []
    alike: dict[str, list[Finding]] = {}
    for finding in findings:
        if finding.code in _OF_A_FILE and finding.subject:
            alike.setdefault(posixpath.basename(finding.subject), []).append(finding)
        else:
            kept.append(finding)
    return [*kept, *map(_joined, alike.values())]


def _joined(several: list[Finding]) -> Finding:
    first = min(several, key=lambda f: (f.severity.rank, _OF_A_FILE.index(f.code)))
    others = (shown for finding in several if finding is not first for shown in finding.evidence)
    return replace(first, evidence=tuple(dict.fromkeys((*first.evidence, *others)))[:_MOST_EVIDENCE])
