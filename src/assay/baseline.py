"""What changed since an earlier run: its JSON report is the baseline.

A finding is known when the baseline has one with the same fingerprint, which survives lines added
elsewhere; of findings that are alike, as many are known as the baseline had. Known findings are left
out, so that the exit code is about new findings only. Findings that have gone are listed as fixed.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Container
from dataclasses import replace
from pathlib import Path
from typing import Any

from assay.errors import InputError
from assay.files import read_text
from assay.findings import Finding, Report, Table
from assay.records import dataclass

_FIX = "Give a report that an earlier run wrote as JSON (-o before.json)."


@dataclass(frozen=True, slots=True)
class Known:
    """A finding of the earlier run: the fields that identify and name it."""

    fingerprint: str
    code: str
    place: str
    message: str


@dataclass(frozen=True, slots=True)
class Baseline:
    """The earlier run: its findings, and its verdicts by subject."""

    findings: tuple[Known, ...]
    verdicts: tuple[tuple[str, str], ...] = ()

    def only(self, codes: Container[str]) -> Baseline:
        """The baseline reduced to findings of the given rules."""
        return replace(self, findings=tuple(k for k in self.findings if k.code in codes))


def read_baseline(path: Path) -> Baseline:
    """The baseline in a JSON report."""
    try:
        data = json.loads(read_text(path))
        findings = tuple(_known(f) for f in data["findings"])
        verdicts = tuple((str(j["subject"]), str(j["verdict"])) for j in data["judgements"])
    except (ValueError, RecursionError):
        raise InputError("not JSON", where=str(path), fix=_FIX) from None
    except (KeyError, TypeError, AttributeError):
        raise InputError("not a report", where=str(path), fix=_FIX) from None
    return Baseline(findings, verdicts)


def _known(finding: dict[str, Any]) -> Known:
    place = finding["location"] or {}
    within = [f"{part} {place[part]}" for part in ("page", "cell") if place.get(part)]
    parts = [place.get("path"), *within, place.get("line")]
    told = ":".join(str(part) for part in parts if part)
    return Known(str(finding["fingerprint"]), str(finding["code"]), told, str(finding["message"]))


def since(report: Report, baseline: Baseline) -> Report:
    """The report reduced to new findings, with a table of what changed."""
    unmatched = Counter(k.fingerprint for k in baseline.findings)
    new: list[Finding] = []
    for finding in report.findings:
        if unmatched[finding.fingerprint]:
            unmatched[finding.fingerprint] -= 1
        else:
            new.append(finding)
    gone = []
    for known in reversed(baseline.findings):
        if unmatched[known.fingerprint]:
            unmatched[known.fingerprint] -= 1
            gone.append(known)
    before = dict(baseline.verdicts)
    rows = [
        *(("new", f.code, str(f.location or f.subject), f.message) for f in new),
        *(("gone", k.code, k.place, k.message) for k in reversed(gone)),
        *(
            ("changed", "", j.subject, f"{before[j.subject]}, now {j.verdict.value}")
            for j in report.judgements
            if before.get(j.subject, j.verdict.value) != j.verdict.value
        ),
    ]
    kept = len(report.findings) - len(new)
    title = f"Since the baseline: {len(new)} new, {len(gone)} gone, {kept} as before"
    table = Table(title, ("change", "rule", "where", "what"), tuple(rows))
    return replace(report, findings=tuple(new), tables=(table, *report.tables), since=title)
