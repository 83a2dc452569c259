"""Assay audits itself, and comes out clean."""

from pathlib import Path

import pytest

from assay.audit.audit_report import report_of
from assay.audit.execution import run_audit
from assay.audit.recognition import recognise

ROOT = Path(__file__).parents[1]


@pytest.mark.no_cover
def test_this_repository_passes_its_own_audit() -> None:
    audit = run_audit(recognise([ROOT]))
    report = report_of(audit)
    assert audit.failed == ()
    assert [f"{f.code} {f.location}: {f.message}" for f in report.findings] == []
    assert all(one.reason for one in report.suppressed)
