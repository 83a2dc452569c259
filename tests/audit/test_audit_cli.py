"""``assay audit`` from the command line: formats, baseline, exit codes."""

import json
from pathlib import Path

import pytest

from assay.cli import main

GOOD = "[[experiment]]\nname = 'a row'\np = 10\nn = 10\nscores = { acc = '0.95' }\n"
BAD = GOOD.replace("0.95", "0.99")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "good.toml").write_text(GOOD)
    (tmp_path / "bad.toml").write_text(BAD)
    return tmp_path


def test_exit_codes_tell_clean_findings_and_bad_input(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", "good.toml"]) == 0
    assert main(["audit", "bad.toml"]) == 1
    assert main(["audit", "nowhere"]) == 2
    assert main(["audit"]) == 2
    assert "nothing to audit" in capsys.readouterr().err


def test_when_nothing_can_be_examined_the_input_is_at_fault(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "broken.toml").write_text("[[experiment]]\nscores = 3\n")
    assert main(["audit", "broken.toml"]) == 2
    assert capsys.readouterr().err.startswith("assay: broken.toml")


def test_a_repository_without_files_is_not_called_fine(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "empty").mkdir()
    assert main(["audit", "--repo", "empty"]) == 2
    assert capsys.readouterr().err == "assay: empty: contains no files. Name the folder that holds the code.\n"
    assert main(["audit", "--repo", "empty", "--scores", "good.toml"]) == 0
    assert "repository empty could not be judged" in " ".join(capsys.readouterr().out.split())


def test_rules_can_be_left_out(here: Path) -> None:
    assert main(["audit", "bad.toml", "--select", "X2"]) == 0


def test_a_baseline_shows_what_changed(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", "bad.toml", "-o", "before.json"]) == 1
    (here / "worse.toml").write_text(BAD.replace("a row", "another"))
    assert main(["audit", "bad.toml", "worse.toml", "--baseline", "before.json"]) == 1
    assert "1 new, 0 gone, 1 as before" in capsys.readouterr().out
    assert main(["audit", "good.toml", "--baseline", "before.json"]) == 0
    assert "0 new, 1 gone, 0 as before" in capsys.readouterr().out


def test_the_report_names_the_command_that_made_it(here: Path) -> None:
    assert main(["audit", "--scores", "bad.toml", "-o", "out.json"]) == 1
    assert json.loads((here / "out.json").read_text())["command"] == "assay audit --scores bad.toml"


def test_a_repository_may_silence_what_is_about_no_line_and_must_say_why(here: Path) -> None:
    repository = here / "repo"
    repository.mkdir()
    (repository / "a.py").write_text("print(1)\n")
    suppress = '[tool.assay.suppress]\nR101 = "internal"\n"R201 docs/*" = "elsewhere"\nR804 = ""\n'
    (repository / "pyproject.toml").write_text(f'[project]\nname = "x"\nversion = "1"\n{suppress}')
    main(["audit", "repo", "-o", "out.json"])
    told = json.loads((here / "out.json").read_text())
    assert {one["finding"]["code"]: one["reason"] for one in told["suppressed"]} == {"R101": "internal"}
    assert {"R201", "R804"} <= {finding["code"] for finding in told["findings"]}
