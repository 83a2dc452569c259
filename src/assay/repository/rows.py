"""One row for each repository: scores, counts and the result of every rule, for those who study many."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import asdict

from assay.findings import Severity, Value
from assay.report.csv import cell
from assay.repository.check import Assessment, Result
from assay.repository.factors import rounded


def rows(assessments: Sequence[Assessment]) -> str:
    """Comma-separated values with a header; factors that were not judged are empty."""
    table = [row_of(assessment) for assessment in assessments]
    stream = io.StringIO()
    writer = csv.DictWriter(stream, list(table[0]) if table else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: cell(value) for name, value in row.items()} for row in table)
    return stream.getvalue()


def row_of(assessment: Assessment) -> dict[str, Value]:
    """Name, commit, sizes, counts by severity and result, factor scores, how every rule ended.

    With the profile loos2022 also its indicators, under the names that `assay repo calibrate` reads.
    """
    facts = assessment.facts
    commit = facts.tree.commit
    found = assessment.findings
    return {
        "repository": facts.name,
        "commit": commit.id if commit else None,
        "date": commit.date if commit else None,
        "files": len(facts.tree.files),
        "python_files": len(facts.code.python),
        "profile": assessment.profile.value,
        **{f"{level.value}s": sum(f.severity is level for f in found) for level in Severity},
        **{f"rules_{result.name.lower()}": len(assessment.ended(result)) for result in Result},
        **{factor.key: rounded(factor.score) for factor in assessment.factors},
        **(asdict(assessment.indicators) if assessment.indicators else {}),
        **{outcome.code: outcome.result.value for outcome in assessment.outcomes},
    }
