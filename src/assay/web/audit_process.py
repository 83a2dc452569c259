"""The process that reads uploads: it audits them, or finds proposals in a paper, and tells how far it is.

It knows nothing of the database, has bounded memory, and is ended from outside when its time is up.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.errors import InputError
from assay.web.processes import confine, short_of_memory, tell
from assay.web.proposing import proposals_in
from assay.web.stored import ending_of

if TYPE_CHECKING:
    from assay.report.page_one import Point

Tell = Callable[[Mapping[str, Any]], None]


def main() -> None:
    """Do the job of a folder: ``audit_process MEMORY KIND FOLDER TARGET``."""
    memory, kind, folder, target = sys.argv[1:]
    out = confine(int(memory))
    try:
        WORK[kind](Path(folder), target, lambda message: tell(out, message))
    except InputError as error:
        tell(out, {"error": str(error)})
    except Exception as error:  # noqa: BLE001 - whatever it is, it is told as this job's end
        failed = f"It failed inside Assay ({type(error).__name__}: {error}). Please report it."
        short = "It needs more memory than the server gives an audit."
        tell(out, {"error": short if short_of_memory(error) else failed})


def audit(folder: Path, target: str, said: Tell) -> None:
    """Audit what lies in the folder's uploads, and write the report in every format beside them."""
    from assay.audit.recognising import recognise
    from assay.audit.reporting import report_of
    from assay.audit.running import run_audit
    from assay.report import Format, encoded
    from assay.report.chapters import verdict_of
    from assay.report.page_one import headline_of, points_of
    from assay.report.questions import questions_of

    os.chdir(folder / "upload")  # reports name files as they were named by those who uploaded them
    submission = recognise(sorted(Path().iterdir()), target=target or None)
    report = report_of(run_audit(submission, told=lambda step: said({"step": asdict(step)}), figures=True))
    for format_ in Format:
        (folder / f"report.{ending_of(format_)}").write_bytes(encoded(report, format_))
    told = {
        "report": report.to_dict(),
        "verdict": [asdict(line) for line in verdict_of(report)] if report.sections else [],
        "questions": [str(question) for question in questions_of(report)],
        "headline": headline_of(report) if report.sections else "",
        "points": [_point(point) for point in points_of(report)],
    }
    said({"done": told})


def _point(point: Point) -> dict[str, str]:
    finding = point.findings[0]
    return {
        "severity": point.severity.value,
        "statement": point.statement,
        "evidence": point.evidence,
        "code": finding.code,
    }


def propose(folder: Path, target: str, said: Tell) -> None:
    """Look in the uploaded paper for answers to a checklist."""
    paper = next((folder / "upload").iterdir())
    said({"done": proposals_in(paper, target)})


WORK: dict[str, Callable[[Path, str, Tell], None]] = {"audit": audit, "proposals": propose}

if __name__ == "__main__":
    main()
