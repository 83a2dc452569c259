"""``assay checklist``."""

import json
from pathlib import Path

import pytest

from assay.cli import main


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_new_file_is_never_written_over_another(capsys: pytest.CaptureFixture[str]):
    assert main(["checklist", "new", "reforms", "r.yaml"]) == 0
    Path("r.yaml").write_text("mine")
    assert main(["checklist", "new", "reforms", "r.yaml"]) == 2
    assert Path("r.yaml").read_text() == "mine"
    assert "checklist update" in capsys.readouterr().err


def test_from_new_to_document(capsys: pytest.CaptureFixture[str]):
    assert main(["checklist", "new", "code-completeness", "c.yaml"]) == 0
    assert main(["checklist", "check", "c.yaml"]) == 1
    assert "5 warnings" in capsys.readouterr().out
    text = Path("c.yaml").read_text().replace("answer:", "answer: yes").replace("evidence:", "evidence: README.md")
    Path("c.yaml").write_text(text)
    assert main(["checklist", "check", "c.yaml"]) == 0
    for ending in ("md", "html", "tex", "docx", "pdf"):
        assert main(["checklist", "render", "c.yaml", f"c.{ending}"]) == 0
        assert Path(f"c.{ending}").stat().st_size > 500
    assert main(["checklist", "render", "c.yaml", "c.odt"]) == 2
    assert "End it in .md" in capsys.readouterr().err


def test_a_report_of_another_instrument_proposes_and_contradicts(capsys: pytest.CaptureFixture[str]):
    finding = {"code": "R301", "message": "nothing names the dependencies", "location": {"path": "setup.py", "line": 3}}
    Path("repo.json").write_text(json.dumps({"findings": [finding]}))
    assert main(["checklist", "new", "code-completeness", "c.yaml", "--from", "repo.json"]) == 0
    text = Path("c.yaml").read_text()
    assert 'evidence: "R301 at setup.py:3"' in text
    Path("c.yaml").write_text(text.replace('answer: "no"', "answer: yes"))
    check = ["checklist", "check", "c.yaml", "--against", "repo.json", "--select"]
    assert main([*check, "K105,K106"]) == 1
    assert "R301 was found" in capsys.readouterr().out  # the evidence is the proposal's own, not a person's objection
    by_hand = text.replace('answer: "no"', "answer: yes").replace(
        "R301 at setup.py:3", "setup.py names them: R301 is wrong"
    )
    Path("c.yaml").write_text(by_hand)
    assert main([*check, "K105"]) == 0


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"findings": [{}]}'])
def test_what_is_no_report_is_refused(text: str, capsys: pytest.CaptureFixture[str]):
    Path("r.json").write_text(text)
    assert main(["checklist", "new", "reforms", "--from", "r.json"]) == 2
    assert "Give a report" in capsys.readouterr().err


def test_two_assessments_are_compared(capsys: pytest.CaptureFixture[str]):
    for name, answer in (("a", "yes"), ("b", "no")):
        Path(f"{name}.yaml").write_text(
            f"checklist: code-completeness\nby: {name}\nanswers:\n  1: {answer}\n  2: yes\n"
        )
    assert main(["checklist", "compare", "a.yaml", "b.yaml"]) == 0
    assert "kappa" in capsys.readouterr().out
    assert main(["checklist", "compare", "a.yaml"]) == 2


def test_an_update_says_what_it_added(capsys: pytest.CaptureFixture[str]):
    Path("c.yaml").write_text("checklist: code-completeness\nversion: 0\nanswers:\n  1: yes\n")
    assert main(["checklist", "check", "c.yaml"]) == 1
    assert "checklist update" in capsys.readouterr().out
    assert main(["checklist", "update", "c.yaml"]) == 0
    assert "4 items added" in capsys.readouterr().err
    assert Path("c.yaml").read_text().startswith("checklist: code-completeness\nversion: 0\nanswers:\n  1: yes\n")
