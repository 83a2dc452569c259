"""`assay repo fix` proposes changes as a diff, writes them when asked, and the rules pass then."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from assay.cli import main
from assay.repository.check import assess
from assay.repository.facts import read_repository
from assay.tree import open_tree

FILES = {
    "README.md": "# A study\nCode of our paper.\n",
    "train.py": '"""Trains."""\n\nimport torch\n\nmodel = torch.nn.Linear(3, 1)\n'
    "optimiser = torch.optim.SGD(model.parameters(), lr=0.1)\n"
    "model(torch.randn(8, 3)).sum().backward()\noptimiser.step()\n",
    "poetry.lock": '[[package]]\nname = "torch"\nversion = "2.2.0"\n',
}
FIXED = ("R105", "R202", "R204", "R301", "R401")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def failed(folder: Path) -> set[str]:
    return {finding.code for finding in assess(read_repository(open_tree(str(folder)))).findings}


def test_what_is_proposed_makes_the_rules_pass(folder: Path) -> None:
    before = failed(folder)
    assert main(["repo", "fix", str(folder), "--write"]) == 0
    after = failed(folder)
    assert before & set(FIXED) == {"R105", "R202", "R204", "R401"}
    assert not after & set(FIXED)
    assert "torch.manual_seed(0)" in (folder / "train.py").read_text()
    assert "python train.py" in (folder / "README.md").read_text()


def test_nothing_is_written_unasked_and_the_diff_applies(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["repo", "fix", str(folder)]) == 0
    shown = capsys.readouterr()
    assert {path.name: path.read_text() for path in folder.iterdir()} == FILES
    assert "proposed: train.py (R401). Is 0 the seed that gave the result?" in shown.err
    patch = folder.parent / "changes.diff"
    patch.write_text(shown.out)
    subprocess.run(["git", "apply", str(patch)], cwd=folder, check=True)
    assert not failed(folder) & set(FIXED)


def test_imports_become_a_requirements_file_with_what_is_locked(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text("import numpy\nimport frobnicate_nowhere_known\nprint(numpy.pi)\n")
    assert main(["repo", "fix", str(tmp_path), "--write"]) == 0
    [line] = (tmp_path / "requirements.txt").read_text().splitlines()
    assert line.startswith("numpy==")
    assert "R301" not in failed(tmp_path)


def test_a_repository_without_gaps_gets_no_proposal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "notes.txt").write_text("nothing\n")
    assert main(["repo", "fix", str(tmp_path)]) == 0
    assert "nothing to propose" in capsys.readouterr().err


def test_what_is_no_folder_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["repo", "fix", str(tmp_path / "gone")]) == 2
    assert "is no folder" in capsys.readouterr().err


def test_a_link_out_of_the_repository_is_not_written_through(tmp_path: Path) -> None:
    outside = tmp_path / "outside.md"
    outside.write_text("# Mine\n")
    folder = tmp_path / "study"
    folder.mkdir()
    (folder / "README.md").symlink_to(outside)
    (folder / "train.py").write_text(FILES["train.py"])
    main(["repo", "fix", str(folder), "--write"])
    assert outside.read_text() == "# Mine\n"
