"""What was read as a document for other programs; what is excluded, suppressed, or grave enough to fail."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from jsonschema import validate

from assay.cli import main
from assay.repository.facts import read_repository
from assay.repository.facts_document import FactsDocument, facts_document
from assay.tree import tree_of

FILES = {
    "README.md": "# Study\n## Training\n```bash\npython train.py\npython gone.py\n```\n",
    "requirements.txt": "numpy==1.26.4\n",
    "train.py": "import numpy, scipy, torch, pandas, cv2, sklearn, yaml, requests, PIL, tqdm\nnumpy.random.seed(1)\n",
    "old/fit.py": "import keras\nx = open('/home/me/data.csv')\n",
    "LICENSE": "MIT License\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


Run = Callable[..., tuple[int, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def go(*arguments: str) -> tuple[int, str]:
        code = main(["repo", *arguments])
        return code, capsys.readouterr().out

    return go


def codes(output: str) -> set[str]:
    return {finding["code"] for finding in json.loads(output)["findings"]}


def test_facts_follow_their_schema_and_leave_nothing_out(run: Run, folder: Path) -> None:
    code, output = run("--facts", str(folder))
    document = json.loads(output)
    validate(document, FactsDocument.model_json_schema())
    assert code == 0
    assert document["schema_version"] == 1
    undeclared = {"PIL", "cv2", "keras", "pandas", "requests", "scipy", "sklearn", "torch", "tqdm", "yaml"}
    assert set(document["undeclared"]) == undeclared
    assert [(c["text"], c["outcome"]) for c in document["commands"]][-1] == ("python gone.py", "broken")
    assert {section["kind"] for section in document["sections"]} >= {"train"}


def test_facts_are_the_same_in_python() -> None:
    document = facts_document(read_repository(tree_of(FILES)))
    assert document.manifests == {"requirements.txt": "requirements"}
    assert [(package.name, package.versions) for package in document.declared] == [("numpy", "==1.26.4")]


def test_excluded_files_are_not_judged_and_that_is_said(run: Run, folder: Path) -> None:
    _, everything = run(str(folder), "--format", "json")
    _, without = run(str(folder), "--exclude", "old/**", "--format", "json")
    assert "R502" in codes(everything)
    assert "R502" not in codes(without)
    assert any("excluded: old/**" in thing for thing in json.loads(without)["left_out"])


def test_what_the_repository_suppresses_is_left_out_with_the_reason(run: Run, folder: Path) -> None:
    (folder / "pyproject.toml").write_text('[tool.assay.suppress]\n"R502 old/*" = "kept as it was"\n')
    _, output = run(str(folder), "--format", "json")
    assert "R502" not in codes(output)
    assert [s["reason"] for s in json.loads(output)["suppressed"]] == ["kept as it was"]


@pytest.mark.parametrize(("level", "expected"), [("error", 1), ("warning", 1), ("note", 1)])
def test_grave_findings_fail_at_every_level(run: Run, folder: Path, level: str, expected: int) -> None:
    assert run(str(folder), "--fail-on", level)[0] == expected


def test_notes_alone_do_not_fail_unless_asked(run: Run, folder: Path) -> None:
    noted = ("--select", "R308")
    assert run(str(folder), *noted)[0] == 0
    assert run(str(folder), *noted, "--fail-on", "note")[0] == 1


def test_the_summary_says_how_many_commands_were_followed_and_what_stops_first(run: Run, folder: Path) -> None:
    _, output = run(str(folder))
    assert "Commands of the documentation: 2 commands followed, 1 broken." in output
    first = output.partition("First\n")[2].splitlines()[0]
    assert first.startswith("  1. Command with a missing file.")
    assert "Usual gaps: " in output
