"""`assay repo calibrate`, `study` and `build` at the command line."""

import json
from pathlib import Path

import pytest

from assay.cli import main

LABELLED = "readme_lines,licences,comment_ratio,declared,strict,public,seed_lines,fixed_seeds,reproducible\n" + "".join(
    f"{90 + i},1,5,100,100,100,1,100,1\n{10 + i},1,15,0,0,100,1,0,0\n" for i in range(5)
)


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "labelled.csv").write_text(LABELLED, encoding="utf-8")
    scores = "x_score,y_score,group\n" + "".join(f"0.{9 - i},0.{i},a\n0.{i},0.{9 - i},b\n" for i in range(3))
    (tmp_path / "results.csv").write_text(scores, encoding="utf-8")
    return tmp_path


def test_calibrate_prints_thresholds(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["repo", "calibrate", "labelled.csv", "--draws", "50"]) == 0
    assert "Thresholds" in capsys.readouterr().out


def test_calibrate_names_the_label_that_is_missing(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["repo", "calibrate", "labelled.csv", "--label", "reproduced"]) == 2
    assert 'there is no column "reproduced". Did you mean "reproducible"?' in capsys.readouterr().err


def test_study_draws_figures_for_the_browser_alone(here: Path) -> None:
    assert main(["repo", "study", "results.csv", "-o", "study.html", "-o", "study.json"]) == 0
    assert "<svg" in (here / "study.html").read_text(encoding="utf-8")
    assert json.loads((here / "study.json").read_text(encoding="utf-8"))["figures"] == []


def test_study_takes_other_columns(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["repo", "study", "labelled.csv", "--group", "reproducible", "--factor", "declared"]) == 0
    assert "declared" in capsys.readouterr().out


def test_build_tells_offline_what_it_can(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "project").mkdir()
    (here / "project" / "requirements.txt").write_text("six\n", encoding="utf-8")
    assert main(["repo", "build", "project"]) == 0
    out = capsys.readouterr().out
    assert "requirements.txt" in out
    assert "needs the network" in out


def test_build_fails_on_a_binder_link_that_cannot_work(here: Path) -> None:
    (here / "project").mkdir()
    (here / "project" / "README.md").write_text("https://mybinder.org/v2/gh/o/n", encoding="utf-8")
    assert main(["repo", "build", "project"]) == 1


def test_a_hub_without_leave_is_refused(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["repo", "build", str(here), "--hub", "http://127.0.0.1:9"]) == 2
    assert "Add --online" in capsys.readouterr().err
