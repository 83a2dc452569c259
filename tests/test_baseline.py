"""Comparing a run with an earlier one."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.baseline import Baseline, read_baseline, since
from assay.cli import main
from assay.errors import InputError
from assay.findings import Confidence, Finding, Judgement, Location, Report, Severity, Verdict, quote

STUDY = """
[[experiment]]
name = "first"
p = 100
n = 200
[experiment.scores]
acc = "{}"
sens = "0.80"
spec = "0.80"
"""


def finding(message: str, line: int = 1, said: str = "") -> Finding:
    place = Location("train.py", line)
    evidence = (quote(said, place),) if said else ()
    return Finding("R101", "title", Severity.ERROR, Confidence.HIGH, message, location=place, evidence=evidence)


def baseline_of(report: Report, folder: Path) -> Baseline:
    path = folder / "before.json"
    path.write_text(json.dumps(report.to_dict()))
    return read_baseline(path)


def changes(report: Report) -> list[tuple[object, object]]:
    return [(row[0], row[3]) for row in report.tables[0].rows]


def test_known_findings_are_left_out_and_mended_ones_are_listed(tmp_path: Path):
    before = baseline_of(Report("t", findings=(finding("old"), finding("fixed"))), tmp_path)
    now = since(Report("t", findings=(finding("old"), finding("fresh"))), before)
    assert [f.message for f in now.findings] == ["fresh"]
    assert changes(now) == [("new", "fresh"), ("gone", "fixed")]
    assert now.tables[0].title == "Since the baseline: 1 new, 1 gone, 1 as before"


def test_a_finding_that_moved_is_still_known(tmp_path: Path):
    before = baseline_of(Report("t", findings=(finding("at 3", 3, "x = 1"),)), tmp_path)
    assert since(Report("t", findings=(finding("at 9", 9, "x  =  1"),)), before).clean


def test_a_second_fault_of_the_same_text_is_new(tmp_path: Path):
    before = baseline_of(Report("t", findings=(finding("same", 3, "x = 1"),)), tmp_path)
    now = since(Report("t", findings=(finding("same", 3, "x = 1"), finding("same", 8, "x = 1"))), before)
    assert [f.location.line for f in now.findings if f.location] == [8]


def test_a_verdict_that_changed_is_told(tmp_path: Path):
    before = baseline_of(Report("t", judgements=(Judgement("a", Verdict.UNDECIDED, ""),)), tmp_path)
    now = since(Report("t", judgements=(Judgement("a", Verdict.CONSISTENT, ""),)), before)
    assert changes(now) == [("changed", "undecided, now consistent")]


@given(st.lists(st.sampled_from("abc")), st.lists(st.sampled_from("abc")))
def test_new_gone_and_known_add_up(tmp_path_factory: pytest.TempPathFactory, old: list[str], new: list[str]):
    before = baseline_of(Report("t", findings=tuple(map(finding, old))), tmp_path_factory.mktemp("b"))
    now = since(Report("t", findings=tuple(map(finding, new))), before)
    told = [change for change, _ in changes(now)]
    assert told.count("new") - told.count("gone") == len(new) - len(old)
    assert not {m for c, m in changes(now) if c == "new"} & {m for c, m in changes(now) if c == "gone"}


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", "7", '{"findings": 3, "judgements": []}', '{"findings": [1]}', "[" * 9000]
)
def test_what_is_no_report_is_refused_in_words(text: str, tmp_path: Path):
    path = tmp_path / "before.json"
    path.write_text(text)
    with pytest.raises(InputError, match="not"):
        read_baseline(path)


def test_the_exit_code_tells_of_new_findings_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.chdir(tmp_path)
    Path("study.toml").write_text(STUDY.format("0.90"))
    assert main(["scores", "check", "study.toml", "-o", "before.json"]) == 1
    assert main(["scores", "check", "study.toml", "--baseline", "before.json"]) == 0
    Path("study.toml").write_text(STUDY.format("0.80"))
    assert main(["scores", "check", "study.toml", "--baseline", "before.json"]) == 0
    shown = capsys.readouterr().out
    assert "0 new, 0 gone, 1 as before" in shown
    assert "0 new, 1 gone, 0 as before" in shown
    assert "inconsistent, now consistent" in shown


def test_rules_that_were_not_selected_are_not_called_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.chdir(tmp_path)
    Path("study.toml").write_text(STUDY.format("0.90"))
    main(["scores", "check", "study.toml", "-o", "before.json"])
    assert main(["scores", "check", "study.toml", "--baseline", "before.json", "--select", "S102"]) == 0
    assert "0 new, 0 gone, 0 as before" in capsys.readouterr().out
