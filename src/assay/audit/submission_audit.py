"""The audit as one call: ``assay.audit("submission/")``."""

from __future__ import annotations

from collections.abc import Iterable

from assay.answers import Answer, AnyPath, each_existing
from assay.errors import InputError


def audit_submission(
    *paths: AnyPath | Iterable[AnyPath], target: str | None = None, workers: int | None = None, limit: float = 300
) -> Answer:
    """Judge whether a result can be true, was fairly measured, and could be obtained again.

    Give a folder or archive with everything, or the files of one submission: paper, code, tables, scores, checklist.
    `target` names the outcome in the tables; `limit` is the time for each instrument, in seconds.
    """
    from assay.audit.audit_report import report_of
    from assay.audit.execution import run_audit
    from assay.audit.recognition import recognise

    submission = recognise(each_existing(paths, "path"), target=target)
    done = run_audit(submission, workers=workers, limit=limit, figures=True)
    if not done.outcomes:
        raise InputError(done.failed[0].message)
    return Answer(report=report_of(done))
