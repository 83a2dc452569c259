"""``assay paper``."""

import json
from pathlib import Path

import pytest

from assay.cli import main

PAPER = """# Hearing frogs

## Introduction

Counting frogs is a difficult problem. Our aim is to count them by ear.

## Experiments

We trained on an NVIDIA V100. Our code is available at https://github.com/pond/frognet.

## Results

We reached an accuracy of 93 %.
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("paper.md").write_text(PAPER)


def test_a_paper_gets_proposals_and_says_that_they_are_such(capsys: pytest.CaptureFixture[str]):
    assert main(["paper", "paper.md", "--format", "md"]) == 0
    out = capsys.readouterr().out
    assert "Article Model: Hearing frogs" in out
    assert "NVIDIA V100" in out
    assert "only proposed" in out
    assert "A107" not in out, "nothing to confirm where there is no file"


@pytest.mark.parametrize("form", ["text", "md", "html", "json", "csv", "sarif"])
def test_every_format_tells_the_gaps(form: str, capsys: pytest.CaptureFixture[str]):
    assert main(["paper", "paper.md", "--format", form]) == 0
    assert "Under which operating system" in " ".join(capsys.readouterr().out.split())


def test_from_proposals_to_a_confirmed_assessment(capsys: pytest.CaptureFixture[str]):
    assert main(["paper", "paper.md", "--assessment", "a.yaml"]) == 0
    assert "to be confirmed in a.yaml" in capsys.readouterr().err
    assert main(["paper", "paper.md", "--check", "a.yaml", "--select", "A107", "--fail-on", "note"]) == 1
    text = Path("a.yaml").read_text()
    confirmed = "\n".join(line for line in text.splitlines() if not line.startswith("    proposed:"))
    Path("a.yaml").write_text(confirmed)
    assert main(["paper", "paper.md", "--check", "a.yaml", "--ignore", "A109"]) == 0
    Path("a.yaml").write_text(confirmed.replace("NVIDIA V100", "NVIDIA H100"))
    capsys.readouterr()
    assert main(["paper", "paper.md", "--check", "a.yaml", "--select", "A106"]) == 1
    assert "hardware is credited for a quote that is not in the paper" in " ".join(capsys.readouterr().out.split())


def test_a_file_that_somebody_edits_is_never_overwritten(capsys: pytest.CaptureFixture[str]):
    Path("a.yaml").write_text("mine")
    assert main(["paper", "paper.md", "--assessment", "a.yaml"]) == 2
    assert Path("a.yaml").read_text() == "mine"
    assert "exists already" in capsys.readouterr().err


def test_an_assessment_is_judged_without_the_paper(capsys: pytest.CaptureFixture[str]):
    Path("a.yaml").write_text("paper: No. 29\ncomponents:\n  implementation: 1.17\n")
    assert main(["paper", "--check", "a.yaml", "--format", "json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert report["findings"][0]["code"] == "A101"
    assert report["findings"][0]["location"]["line"] == 3


def test_the_crosswalk_is_a_table_of_the_other_scheme(capsys: pytest.CaptureFixture[str]):
    assert main(["paper", "paper.md", "--crosswalk", "gundersen-kjensmo", "--format", "json"]) == 0
    (table,) = json.loads(capsys.readouterr().out)["tables"]
    answers = {row[0]: row[1] for row in table["rows"]}
    assert answers["experiment: hardware"] == "yes"
    assert answers["experiment: method code"] == "yes"
    assert answers["method: pseudocode"] == "no"


def test_several_papers_make_one_report(capsys: pytest.CaptureFixture[str]):
    Path("other.md").write_text("# Toads\n\nToads are wet.\n")
    assert main(["paper", "paper.md", "other.md", "--format", "json"]) == 0
    tables = json.loads(capsys.readouterr().out)["tables"]
    assert [row[0] for row in tables[0]["rows"]] == ["Hearing frogs", "Toads"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "no paper is named"),
        (["missing.tex"], "does not exist"),
        (["paper.md", "--crosswalk", "reform"], 'Did you mean "reforms"?'),
        (["paper.md", "paper.md", "--check", "a.yaml"], "2 papers for 1 assessments"),
        (["paper.md", "paper.md", "--assessment", "new.yaml"], "2 papers for one assessment"),
        (["--assessment", "new.yaml"], "0 papers for one assessment"),
        (["--check", "a.yaml"], "a.yaml:2:"),
    ],
)
def test_bad_input_gets_one_clear_message(arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]):
    Path("a.yaml").write_text("parts:\n  gaol: 1\n")
    assert main(["paper", *arguments]) == 2
    err = capsys.readouterr().err
    assert says in err
    assert "Traceback" not in err


def test_a_comment_in_the_file_silences_a_finding(capsys: pytest.CaptureFixture[str]):
    Path("a.yaml").write_text("parts:\n  goal: 0  # assay: ignore[A109] asked, and answered by mail\n")
    assert main(["paper", "--check", "a.yaml", "--select", "A109"]) == 0
    assert "answered by mail" in capsys.readouterr().out


def test_the_screen_has_one_list_of_questions_and_the_other_formats_a_finding_each(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("paper.md").write_text("# A study\n\nWe use a random forest. Accuracy was 0.94.\n")
    assert main(["paper", "paper.md", "-o", "-", "-o", "paper.json"]) == 0
    out = capsys.readouterr().out
    missing = [f for f in json.loads(Path("paper.json").read_text())["findings"] if f["code"] == "A109"]
    assert len(missing) > 20
    assert out.count("note A109") == 1
    assert f"{len(missing)} sub-components" in out
    assert all(f["message"].partition(":")[0] in out for f in missing)
    assert "What a reproducer will meet" not in out.partition("Not examined\n")[0]
    assert len(out.splitlines()) < 130
