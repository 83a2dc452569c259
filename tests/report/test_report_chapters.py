"""Reports in chapters: the verdict in five lines, the digest, the questions."""

from dataclasses import replace

import pytest
from example import EXAMPLE
from hypothesis import given, settings
from hypothesis import strategies as st
from page_reader import read
from random_reports import HOSTILE, filled_with, reports
from rich.cells import cell_len

from assay.findings import Confidence, Finding, Location, Report, Section, Severity
from assay.report import Format, render
from assay.report.chapters import by_rule, chapters_of, verdict_of
from assay.report.questions import questions_of

SECTIONS = (Section("wrong", "What is wrong", "Two files."), Section("absent", "What is absent", missing=True))


def finding(code: str, section: str, severity: Severity, confidence: Confidence, **more: object) -> Finding:
    return Finding(code, f"title {code}", severity, confidence, f"message {code}", section=section, **more)  # type: ignore[arg-type]


PROVEN = finding("S101", "wrong", Severity.ERROR, Confidence.PROVEN, location=Location("a", 1), question="Why?")
LIKELY = finding("L1.1", "wrong", Severity.WARNING, Confidence.HIGH, location=Location("a", 2), question="Why?")
MISSING = finding("R101", "absent", Severity.ERROR, Confidence.HIGH)
STRAY = finding("ZZ1", "elsewhere", Severity.NOTE, Confidence.LOW)
REPORT = Report(
    "A result", findings=(PROVEN, LIKELY, MISSING, STRAY), sections=SECTIONS, fine=("it runs",), left_out=("b.bin",)
)


def test_the_verdict_says_what_is_proven_likely_missing_fine_and_open() -> None:
    assert [(line.label, line.count, line.statement) for line in verdict_of(REPORT)] == [
        ("Proven wrong", 1, "message S101"),
        ("Likely wrong", 1, "title L1.1"),
        ("Missing", 1, "title R101"),
        ("Minor points", 1, "title ZZ1"),
        ("Fine", 1, "it runs"),
        ("Not checked", 1, "b.bin"),
    ]


def test_what_belongs_to_no_chapter_stands_in_the_last() -> None:
    assert [(section.key, [f.code for f in found]) for section, found in chapters_of(REPORT)] == [
        ("wrong", ["S101", "L1.1"]),
        ("absent", ["R101", "ZZ1"]),
    ]


def test_what_two_findings_ask_is_asked_once_with_both_places() -> None:
    assert [str(question) for question in questions_of(REPORT)] == ["Why? (a:1, a:2)"]


def test_a_rule_that_fired_often_takes_one_line() -> None:
    many = [replace(PROVEN, location=Location("a", line)) for line in range(5)]
    assert by_rule([*many, LIKELY]) == [(many[0], 5), (LIKELY, 1)]


@pytest.mark.parametrize("how", [how for how in Format if not how.is_binary])
@pytest.mark.parametrize("report", [EXAMPLE, *map(filled_with, HOSTILE.values())])
def test_any_report_can_be_set_in_chapters(report: Report, how: Format) -> None:
    page = render(replace(report, sections=SECTIONS, fine=(report.title,)), how)
    assert page
    if how is Format.HTML:
        read(page)


@given(reports, st.integers(min_value=40, max_value=120))
@settings(max_examples=40)
def test_the_digest_keeps_within_its_width(report: Report, width: int) -> None:
    page = render(replace(report, sections=SECTIONS), Format.TEXT, width=width)
    assert max(map(cell_len, page.splitlines())) <= width


def test_a_report_without_chapters_is_as_it_was() -> None:
    assert "sections" not in EXAMPLE.to_dict()
    assert "section" not in EXAMPLE.to_dict()["findings"][0]


def test_colour_is_only_laid_over_the_words() -> None:
    import re

    plain, painted = (render(REPORT, Format.TEXT, color=color) for color in (False, True))
    assert re.sub(r"\x1b\[[\d;]*m", "", painted) == plain
