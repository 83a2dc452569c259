"""Audited material is parsed and never obeyed; and every line of the threat model has a test that exists."""

import ast
import json
import pickle
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TRAP = "import pathlib; pathlib.Path('SPRUNG').touch(); raise SystemExit('the trap was sprung')\n"


class Trap:
    def __reduce__(self) -> tuple[object, ...]:
        return print, ("the trap was sprung",)


@pytest.fixture
def trapped(tmp_path: Path) -> Path:
    """A project in which everything that can be run does harm."""
    project = tmp_path / "project"
    (project / "trapped_package").mkdir(parents=True)
    for name in ("setup.py", "conftest.py", "sitecustomize.py", "train.py", "hubconf.py", "numpy.py"):
        (project / name).write_text(TRAP)
    (project / "trapped_package" / "__init__.py").write_text(TRAP)
    (project / "model.pkl").write_bytes(pickle.dumps(Trap()))
    (project / "weights.pt").write_bytes(pickle.dumps(Trap()))
    (project / "Makefile").write_text("all:\n\ttouch SPRUNG\nX := $(shell touch SPRUNG)\n")
    (project / "pyproject.toml").write_text('[build-system]\nrequires = []\nbuild-backend = "trapped_package"\n')
    cells = [{"cell_type": "code", "source": f"!touch SPRUNG\n{TRAP}", "metadata": {}, "outputs": []}]
    notebook = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    (project / "n.ipynb").write_text(json.dumps(notebook))
    (project / "README.md").write_text("# Trap\n\n![x](http://127.0.0.1:9/x.png) see http://127.0.0.1:9/data.zip\n")
    (project / "main.tex").write_text(
        r"\documentclass{article}\begin{document}\immediate\write18{touch SPRUNG}\input{|touch SPRUNG}"
        r"We split the data at random. \end{document}"
    )
    return project


def test_nothing_in_a_project_is_run_fetched_unpickled_or_written(trapped: Path) -> None:
    commands = [
        ["repo", ".", "-o", "out/repo.html"],
        ["leakage", "code", ".", "-o", "out/leakage.sarif"],
        ["paper", "main.tex", "-o", "out/paper.json"],
    ]
    (trapped / "out").mkdir()
    before = {file: file.read_bytes() for file in trapped.rglob("*") if file.is_file()}
    script = str(Path(__file__).parent / "contained.py")
    ended = subprocess.run(
        [sys.executable, script, json.dumps(commands)], cwd=trapped, capture_output=True, text=True, check=False
    )
    told = json.loads(ended.stdout.splitlines()[-1])
    assert set(told["codes"]) <= {0, 1}, ended.stderr
    elsewhere = [deed for deed in told["done"] if not _harmless(*deed)]
    assert elsewhere == []
    assert not {"trapped_package", "conftest", "hubconf", "train"} & set(told["modules"])
    assert not (trapped / "SPRUNG").exists()
    after = {file: file.read_bytes() for file in trapped.rglob("*") if file.is_file()}
    assert {file.name for file in after.keys() - before.keys()} == {"repo.html", "leakage.sarif", "paper.json"}
    assert {file: after[file] for file in before} == before


@pytest.mark.parametrize(
    "arguments",
    [
        ["repo", "."],
        ["leakage", "code", "."],
        ["corpus", "run", "list.csv", "--instrument", "repo", "--out", "corpus", "--workers", "1"],
        ["audit", "."],
    ],
)
def test_modules_beside_the_user_are_not_taken_for_ours(tmp_path: Path, arguments: list[str]) -> None:
    """Python looks for modules in the working folder first, which may be the audited one; our commands do not."""
    for name in (
        "typer",
        "rich",
        "numpy",
        "polars",
        "pydantic",
        "packaging",
        "markdown_it",
        "json",
        "random",
        "csv",
        "importlib",
    ):
        (tmp_path / f"{name}.py").write_text(TRAP)
    (tmp_path / "assay").mkdir()
    (tmp_path / "assay" / "__init__.py").write_text(TRAP)
    (tmp_path / "list.csv").write_text("path\n.\n")
    command = [sys.executable, "-P", "-m", "assay", *arguments]
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ended.returncode in {0, 1}, ended.stderr
    assert not (tmp_path / "SPRUNG").exists()


def _harmless(what: str, which: str) -> bool:
    """The reports, what is written aside before a report replaces it, byte code, and git asked about a revision."""
    if what == "process":
        return Path(which).name == "git"
    if what == "pickle":
        return False
    return what in {"write", "removal"} and bool(re.search(r"(^|/)out/|__pycache__|^/dev/null$|^\d+$", which))


THREATS = re.findall(r"`(tests/[\w/.]+\.py)::(\w+)`", (ROOT / "docs" / "security.md").read_text(encoding="utf-8"))


def test_each_line_of_the_threat_model_names_a_test() -> None:
    lines = (ROOT / "docs" / "security.md").read_text(encoding="utf-8").splitlines()
    threats = [line for line in lines if line.startswith("| ") and not line.startswith("| Threat ")]
    assert len(threats) > 40
    assert [line for line in threats if not re.search(r"`tests/[\w/.]+\.py::\w+`", line.split(" | ")[-1])] == []


@pytest.mark.parametrize(("file", "name"), THREATS, ids=[name for _, name in THREATS])
def test_each_test_in_the_threat_model_exists(file: str, name: str) -> None:
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    assert name in {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
