"""The audit of the bundled example, done once for all tests that read it."""

from pathlib import Path

import pytest

from assay.audit.audit_report import report_of
from assay.audit.execution import Audit, run_audit
from assay.audit.recognition import recognise
from assay.findings import Report

EXAMPLE = Path(__file__).parents[2] / "examples" / "submission"


@pytest.fixture(scope="session")
def audited() -> Audit:
    return run_audit(recognise([EXAMPLE]), workers=0)


@pytest.fixture(scope="session")
def report(audited: Audit) -> Report:
    return report_of(audited, "assay audit examples/submission")
