"""The bundled submission: every planted fault is found, and no error is claimed that was not planted."""

import re
from pathlib import Path

from assay.audit.execution import Audit
from assay.audit.recognition import recognise
from assay.audit.submission import Kind
from assay.findings import Confidence, Report, Severity

EXAMPLE = Path(__file__).parents[2] / "examples" / "submission"
PLANTED = set(
    re.findall(r"^\| ([A-Z]+[\d.]+) \| (\S+) \|", (EXAMPLE / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
)


def places(report: Report, *severities: Severity) -> set[tuple[str, str]]:
    return {(f.code, f.location.path if f.location else "") for f in report.findings if f.severity in severities}


def test_every_planted_fault_is_found(report: Report) -> None:
    assert len(PLANTED) > 35
    assert PLANTED - places(report, *Severity) == set()


def test_nothing_else_is_called_an_error_or_a_warning(report: Report) -> None:
    assert places(report, Severity.ERROR, Severity.WARNING) - PLANTED == set()


def test_only_arithmetic_is_called_proven(report: Report) -> None:
    proven = [f for f in report.findings if f.confidence is Confidence.PROVEN and f.severity is Severity.ERROR]
    assert {f.code for f in proven} == {"S101"}
    assert len(proven) == 2


def test_a_row_of_the_paper_that_the_scores_file_repeats_is_told_once(report: Report) -> None:
    assert {f.location.path for f in report.findings if f.code == "S101" and f.location} == {"scores.toml"}


def test_every_instrument_had_something_to_look_at(audited: Audit) -> None:
    assert {piece.kind for piece in audited.submission.pieces} == set(Kind) - {Kind.CODE}
    assert audited.failed == ()


def test_the_example_stays_small() -> None:
    assert sum(file.stat().st_size for file in EXAMPLE.rglob("*") if file.is_file()) < 300_000


def test_its_readme_is_not_taken_for_a_paper() -> None:
    assert [piece.name for piece in recognise([EXAMPLE]).pieces_of(Kind.PAPER)] == ["paper.tex"]
