"""The process that makes the report of a study, with its figures: drawing is not for a server's threads."""

from __future__ import annotations

import json
import sys
from dataclasses import replace

from assay.errors import InputError
from assay.reproduction.folder import study_from_files
from assay.reproduction.study_check import check_study
from assay.reproduction.tables import report_study
from assay.web.processes import confine, tell


def main() -> None:
    """Read the files of a study from a line, and tell its report."""
    out = confine(int(sys.argv[1]))
    try:
        study = study_from_files(json.loads(sys.stdin.readline()))
        checked, made = check_study(study), report_study(study, figures=True)
    except InputError as error:
        tell(out, {"error": str(error)})
        return
    report = replace(
        made,
        judgements=checked.judgements,
        findings=checked.findings,
        tables=(*checked.tables, *made.tables),
        left_out=tuple(dict.fromkeys((*checked.left_out, *made.left_out))),
    )
    tell(out, {"report": report.to_dict()})


if __name__ == "__main__":
    main()
