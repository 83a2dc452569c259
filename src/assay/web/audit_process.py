"""The process that reads uploads: it audits them, or finds proposals in a paper, and tells how far it is.

It knows nothing of the database, has bounded memory, and is ended from outside when its time is up.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from assay.errors import InputError
from assay.records import dataclass
from assay.web.processes import confine, short_of_memory, tell
from assay.web.proposals import proposals_in
from assay.web.stored import ending_of

Tell = Callable[[Mapping[str, Any]], None]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a job is about: its folder, a column or a checklist, and an address to download from."""

    folder: Path
    target: str = ""
    address: str = ""


def main() -> None:
    """Do the job of a folder: ``audit_process MEMORY KIND FOLDER TARGET ADDRESS``."""
    memory, kind, folder, target, address = sys.argv[1:]
    out = confine(int(memory))
    try:
        WORK[kind](Wanted(Path(folder), target, address), lambda message: tell(out, message))
    except InputError as error:
        tell(out, {"error": str(error)})
    except Exception as error:  # noqa: BLE001 - every failure ends the job with its message
        failed = f"It failed inside Assay ({type(error).__name__}: {error}). Please report it."
        short = "It needs more memory than the server gives an audit."
        tell(out, {"error": short if short_of_memory(error) else failed})


def audit(wanted: Wanted, said: Tell) -> None:
    """Audit what lies in the folder's uploads, and write the report in every format beside them."""
    from assay.audit.audit_report import report_of
    from assay.audit.execution import run_audit
    from assay.audit.recognition import recognise
    from assay.report import Format, encoded

    (wanted.folder / "upload").mkdir(parents=True, exist_ok=True)
    os.chdir(wanted.folder / "upload")  # reports name files as they were named by those who uploaded them
    names = _downloaded(wanted.address, said) if wanted.address else {}
    submission = recognise(sorted(Path().iterdir()), target=wanted.target or None, names=names, strict=False)
    report = report_of(run_audit(submission, told=lambda step: said({"step": asdict(step)}), figures=True))
    for format_ in Format:
        (wanted.folder / f"report.{ending_of(format_)}").write_bytes(encoded(report, format_))
    said({"done": {"report": report.to_dict()}})


def _downloaded(address: str, said: Tell) -> dict[Path, str]:
    """The file behind an address, among the uploads, with the address as its name in the report."""
    from assay.audit.downloads import downloaded
    from assay.audit.execution import State, Step

    step = Step("download", address, State.RUNNING)
    said({"step": asdict(step)})
    found = downloaded([address], Path(), online=True)
    said({"step": asdict(replace(step, state=State.DONE))})
    return found


def propose(wanted: Wanted, said: Tell) -> None:
    """Look in the uploaded paper for answers to a checklist."""
    paper = next((wanted.folder / "upload").iterdir())
    said({"done": proposals_in(paper, wanted.target)})


WORK: dict[str, Callable[[Wanted, Tell], None]] = {"audit": audit, "proposals": propose}

if __name__ == "__main__":
    main()
