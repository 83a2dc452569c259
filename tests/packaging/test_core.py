"""The core: the wheel and what it requires run the everyday commands; the other commands name their extra."""

import subprocess
import sys
import tomllib
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from assay.extras import COMMANDS, DISTRIBUTION, PACKAGES

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
LARGEST = 60_000_000
"""Bytes of the core and of all that it requires, compiled files included."""


def core_packages() -> set[str]:
    """The packages that the core requires, directly or not."""
    found: set[str] = set()
    waiting = [Requirement(line) for line in PROJECT["dependencies"]]
    while waiting:
        wanted = waiting.pop()
        name = canonicalize_name(wanted.name)
        if name in found or not (wanted.marker is None or wanted.marker.evaluate({"extra": ""})):
            continue
        found.add(name)
        waiting += [Requirement(line) for line in distribution(name).requires or ()]
    return found


@pytest.fixture(scope="module")
def core(sources: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Python that finds Assay and the packages of the core, and no other."""
    folder = tmp_path_factory.mktemp("core")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder / "environment")], check=True)
    [site] = (folder / "environment" / "lib").glob("python*/site-packages")
    for name in core_packages():
        package = distribution(name)
        for file in package.files or ():
            if ".." not in file.parts and file.suffix != ".pyc":
                place = site / file
                place.parent.mkdir(parents=True, exist_ok=True)
                place.symlink_to(Path(str(package.locate_file(file))))
    code = "import sys; from hatchling.build import build_wheel; print(build_wheel(sys.argv[1]))"
    built = subprocess.run(
        [sys.executable, "-c", code, str(folder)], cwd=sources, capture_output=True, text=True, check=True
    )
    wheel = folder / built.stdout.split()[-1]
    subprocess.run([sys.executable, "-m", "zipfile", "-e", str(wheel), str(site)], check=True)
    return folder / "environment" / "bin" / "python"


def run(core: Path, where: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [str(core), "-P", "-m", "assay", *words]
    environment = {"PATH": "", "HOME": str(where), "COLUMNS": "200"}
    return subprocess.run(command, cwd=where, env=environment, capture_output=True, text=True, check=False)


EVERYDAY = {
    "a score check": ("scores check p=100 n=200 acc=0.90 sens=0.80 spec=0.80", 1),
    "scores without sizes": ("scores check ppv=0.91 sens=0.89 f1=0.95", 1),
    "a score file": ("scores check row.toml", 1),
    "a score table": ("scores check rows.csv", 1),
    "a pasted text": ("scores read scores.md", 1),
    "leakage in a script": ("leakage code train.py", 1),
    "a repository": ("repo .", 1),
    "a LaTeX paper": ("paper paper.tex", 0),
    "a Markdown paper": ("paper paper.md", 0),
    "an HTML paper": ("paper paper.html", 0),
    "a list of checklists": ("checklist list", 0),
    "a rule": ("explain L1.2", 0),
    "all rules": ("rules", 0),
    "an HTML report": ("leakage code train.py -o report.html", 1),
    "a SARIF report": ("leakage code train.py -o report.sarif", 1),
    "an audit": ("audit .", 1),
}
LEAKY = """import pandas as pd
from sklearn.feature_selection import SelectKBest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
table = pd.read_csv("data.csv")
X = SelectKBest(k=10).fit_transform(table.drop(columns="y"), table["y"])
a, b, c, d = train_test_split(X, table["y"], random_state=0)
print(LogisticRegression().fit(a, c).score(b, d))
"""
FILES = {
    "row.toml": '[[experiment]]\np = 100\nn = 200\nscores = { acc = "0.90", sens = "0.80", spec = "0.80" }\n',
    "rows.csv": "paper,p,n,acc,sens,spec\nA,100,200,0.90,0.80,0.80\n",
    "train.py": LEAKY,
    "scores.md": "Accuracy 0.90, sensitivity 0.80 and specificity 0.80 (100 positives, 200 negatives).\n",
    "paper.tex": "\\documentclass{article}\\title{A}\\begin{document}We train a model on 100 images.\\end{document}\n",
    "paper.md": "# A\n\nWe train a model on 100 images.\n",
    "paper.html": "<!doctype html><title>A</title><h1>A</h1><p>We train a model on 100 images.</p>\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(("command", "code"), EVERYDAY.values(), ids=EVERYDAY)
def test_the_core_alone_runs(core: Path, folder: Path, command: str, code: int) -> None:
    ended = run(core, folder, *command.split())
    assert "needs" not in ended.stderr
    assert ended.returncode == code, ended.stderr
    assert ended.stdout or "-o" in command


def test_an_audit_names_the_extra_that_each_chapter_needs(core: Path, folder: Path) -> None:
    for table in ("train.csv", "test.csv"):
        (folder / table).write_text("a,y\n1,0\n2,1\n", encoding="utf-8")
    said = " ".join(run(core, folder, "audit", ".", "-f", "md").stdout.replace("\\", "").split())
    assert (
        f'leakage in tables could not be judged: this function needs polars: pip install "{DISTRIBUTION}[data]"' in said
    )


HEAVY = {
    "leakage data --train a.csv --test b.csv": "data",
    "compare a.csv": "data",
    "study list": "studies",
    "serve": "serve",
    "paper paper.pdf": "papers",
    "leakage code train.py -o report.pdf": "papers",
    "scores check folds.toml": "scores",
    "corpus run rows.csv --instrument scores --group paper --out out": "corpus",
}


@pytest.mark.parametrize(("command", "extra"), HEAVY.items(), ids=HEAVY)
def test_a_command_whose_extra_is_missing_names_it(core: Path, folder: Path, command: str, extra: str) -> None:
    (folder / "a.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    (folder / "b.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    (folder / "paper.pdf").write_bytes(b"%PDF-1.4\n")
    (folder / "folds.toml").write_text(
        '[[experiment]]\nfolds = 5\np = 100\nn = 200\naggregation = "mean"\n'
        'scores = { acc = "0.9012", sens = "0.8034", f1 = "0.8511" }\n',
        encoding="utf-8",
    )
    ended = run(core, folder, *command.split())
    assert ended.returncode == 2, ended.stderr
    assert f'pip install "{DISTRIBUTION}[{extra}]"' in ended.stderr
    assert len(ended.stderr.splitlines()) == 1


def test_a_missing_package_leaves_the_other_experiments_of_a_file_judged(core: Path, folder: Path) -> None:
    folds = 'folds = 5\np = 100\nn = 200\naggregation = "mean"\nscores = { acc = "0.9012", f1 = "0.8511" }\n'
    (folder / "both.toml").write_text(f"{FILES['row.toml']}\n[[experiment]]\n{folds}", encoding="utf-8")
    ended = run(core, folder, "scores", "check", "both.toml")
    assert ended.returncode == 1, ended.stderr
    assert "Verdicts: 1 inconsistent, 1 undecided." in ended.stdout
    assert f'scores check needs numpy: pip install "{DISTRIBUTION}[scores]".' in " ".join(ended.stdout.split())


def test_the_core_is_small(core: Path, folder: Path) -> None:
    run(core, folder, "--version")
    site = next((core.parents[1] / "lib").glob("python*/site-packages"))
    subprocess.run([str(core), "-m", "compileall", "-q", str(site / "assay")], check=True)
    own = sum(file.stat().st_size for file in site.rglob("*") if file.is_file() and "__pycache__" not in file.parts)
    compiled = sum(
        file.stat().st_size
        for name in core_packages()
        for file in map(distribution(name).locate_file, distribution(name).files or ())
        if str(file).endswith(".pyc") and Path(str(file)).exists()
    ) + sum(file.stat().st_size for file in (site / "assay").rglob("*.pyc"))
    assert own + compiled < LARGEST


def test_every_optional_package_is_named_with_an_extra_that_brings_it() -> None:
    extras = PROJECT["optional-dependencies"]
    for package in PACKAGES.values():
        brought = {canonicalize_name(Requirement(line).name) for line in extras[package.extra]}
        assert canonicalize_name(package.name) in brought, package
    assert set(COMMANDS.values()) <= set(extras)
