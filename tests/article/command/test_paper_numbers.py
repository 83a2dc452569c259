"""``assay paper``: numbers and score tables."""

from pathlib import Path

import pytest

from assay.cli import main

PAPER = """# A study

## Results

We could reproduce 17 of 30 papers (55 %).

Table: 49 tumour and 80 normal slides.

| Set | Accuracy | Recall | Specificity | Precision |
|---|---|---|---|---|
| Test | 0.455 | 0.45 | 0.457 | 0.321 |
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("p.md").write_text(PAPER)


def test_numbers_in_the_text_are_held_against_each_other(capsys: pytest.CaptureFixture[str]):
    assert main(["paper", "p.md", "--select", "A201"]) == 1
    assert "56.67 %" in capsys.readouterr().out


def test_scores_are_tested_only_when_asked(capsys: pytest.CaptureFixture[str]):
    assert main(["paper", "p.md", "--select", "S"]) == 0
    assert "Rows of scores" not in capsys.readouterr().out
    assert main(["paper", "p.md", "--select", "S", "--check-scores"]) == 1
    assert "Rows of scores" in capsys.readouterr().out
