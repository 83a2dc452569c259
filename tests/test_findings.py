"""The vocabulary: order, identity and plain form of what instruments say."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.findings import (
    Confidence,
    Finding,
    Location,
    Report,
    Severity,
    Table,
    certificate,
    note,
    numbers,
    quote,
    witness,
)


def finding(code="S101", severity=Severity.ERROR, confidence=Confidence.HIGH, line=1, text="x = 1", **more):
    place = Location("train.py", line, 5)
    return Finding(code, "a title", severity, confidence, "a message", "subject", place, (quote(text, place),), **more)


def test_findings_are_ordered_gravest_and_surest_first_then_by_place():
    note_, weak, late, first = (
        finding(severity=Severity.NOTE),
        finding(confidence=Confidence.LOW),
        finding(line=9),
        finding(line=2),
    )
    assert Report("t", findings=(note_, weak, late, first)).findings == (first, late, weak, note_)


def test_a_report_says_the_same_whatever_the_order_of_its_findings():
    a, b = finding(line=1), finding(line=2)
    assert Report("t", findings=(a, b)) == Report("t", findings=(b, a))


def test_a_fingerprint_survives_moved_lines_and_changes_with_the_quoted_text():
    assert finding(line=1).fingerprint == finding(line=80, text="x  =  1").fingerprint
    assert finding(text="x = 2").fingerprint != finding().fingerprint
    assert finding(code="S102").fingerprint != finding().fingerprint


def test_only_keeps_the_chosen_rules():
    report = Report("t", findings=(finding("S101"), finding("L1.1")))
    assert [f.code for f in report.only({"L1.1"}).findings] == ["L1.1"]
    assert not report.clean
    assert report.only(set()).clean


def test_a_ragged_table_is_refused():
    with pytest.raises(ValueError, match="2 cells for 1 columns"):
        Table("t", ("a",), ((1, 2),))


@pytest.mark.parametrize(
    ("location", "text"),
    [
        (Location("a.py"), "a.py"),
        (Location("a.py", 3), "a.py:3"),
        (Location("a.py", 3, 7), "a.py:3:7"),
        (Location("a.ipynb", 3, cell=2), "a.ipynb:cell 2:3"),
    ],
)
def test_a_location_reads_like_a_compilers(location, text):
    assert str(location) == text


def test_plain_form_has_a_version_and_every_part():
    evidence = (numbers({"a": 1}), witness({"tp": 3}), certificate("because"), note("n"))
    report = Report("t", findings=(finding(advice="do"),), tables=(Table("t", ("a",), ((1.5,),)),))
    plain = report.to_dict()
    assert plain["schema"] == "1.1"
    assert plain["findings"][0]["location"]["line"] == 1
    assert plain["findings"][0]["severity"] == "error"
    assert plain["findings"][0]["fingerprint"] == finding().fingerprint
    assert plain["tables"][0]["rows"] == [[1.5]]
    assert [e.kind.value for e in evidence] == ["numbers", "witness", "certificate", "note"]


@given(st.lists(st.sampled_from(list(Severity)), min_size=2, max_size=5))
def test_severity_ranks_agree_with_the_declared_order(severities):
    assert sorted(severities, key=lambda s: s.rank) == sorted(severities, key=list(Severity).index)
