"""The files around the code keep their promises: versions agree, pins are complete, nothing private slips in."""

import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import assay
from public_schemas import assert_follows

ROOT = Path(__file__).parents[1]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


# --- versions and schemas --------------------------------------------------------------------------


def test_citation_names_the_version_of_the_package() -> None:
    assert yaml.safe_load(read("CITATION.cff"))["version"] == assay.__version__


def test_changelog_begins_with_the_version_of_the_package() -> None:
    newest = re.search(r"^## \[(.+?)\]", read("CHANGELOG.md"), re.MULTILINE)
    assert newest
    assert newest[1] == assay.__version__


@pytest.mark.parametrize(
    ("schema", "file"),
    [
        ("citation-file-format", "CITATION.cff"),
        ("github-workflows", ".github/workflows/ci.yml"),
        ("github-actions", "action.yml"),
    ],
)
def test_file_follows_its_public_schema(schema: str, file: str) -> None:
    assert_follows(schema, [ROOT / file])


def test_every_action_is_pinned_to_a_commit() -> None:
    used = re.findall(r"uses: (\S+)", read(".github/workflows/ci.yml") + read("action.yml"))
    assert used
    assert [u for u in used if u != "./" and not re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}", u)] == []


# --- pinned requirements ---------------------------------------------------------------------------


def pins(name: str) -> dict[str, set[str]]:
    """Versions of each package in a requirements file (several where they differ by Python version)."""
    found: dict[str, set[str]] = {}
    for line in entries(name):
        requirement = Requirement(line.partition("--hash")[0])
        [specifier] = requirement.specifier
        assert specifier.operator == "=="
        found.setdefault(canonicalize_name(requirement.name), set()).add(specifier.version)
    return found


def entries(name: str) -> list[str]:
    """The entries of a requirements file, each on one line, without comments."""
    joined = re.sub(r"(?m)^\s*#.*\n", "", read(f"requirements/{name}.txt")).replace("\\\n", " ")
    return [line for line in joined.splitlines() if line.strip()]


def declared(*groups: str) -> list[Requirement]:
    """What pyproject.toml asks for, in the project itself and in the groups."""
    listed = [entry for group in groups for entry in PYPROJECT["dependency-groups"][group]]
    return [Requirement(entry) for entry in [*PYPROJECT["project"]["dependencies"], *listed] if isinstance(entry, str)]


@pytest.mark.parametrize("name", ["core", "run", "dev"])
def test_requirements_name_no_index_and_hash_every_line(name: str) -> None:
    assert "://" not in read(f"requirements/{name}.txt")
    assert [line for line in entries(name) if line.startswith("-") or "--hash=sha256:" not in line] == []


@pytest.mark.parametrize(("name", "groups"), [("core", ["build"]), ("run", ["build"]), ("dev", ["build", "dev"])])
def test_requirements_satisfy_what_is_declared(name: str, groups: list[str]) -> None:
    pinned = pins(name)
    unmet = [
        str(wanted)
        for wanted in declared(*groups)
        if not any(wanted.specifier.contains(version) for version in pinned.get(canonicalize_name(wanted.name), ()))
    ]
    assert unmet == [], "run `make lock`"


def test_demo_and_tests_run_the_same_versions() -> None:
    dev = pins("dev")
    assert {name: versions for name, versions in pins("run").items() if versions != dev.get(name)} == {}


# --- make ------------------------------------------------------------------------------------------


def test_help_lists_every_public_target() -> None:
    phony = re.search(r"^\.PHONY: (.+)$", read("Makefile"), re.MULTILINE)
    assert phony
    shown = subprocess.run(["make", "-C", ROOT, "help"], capture_output=True, text=True, check=True).stdout
    assert set(phony[1].split()) == set(re.findall(r"make ([a-z-]+)  ", shown))


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("import sys; sys.version_info = (3, 9)", "needs Python 3.11 or newer"),
        ("import sys; sys.modules['ensurepip'] = None", "apt-get install python3-venv"),
    ],
)
def test_unfit_python_is_refused_with_a_remedy(tmp_path: Path, fault: str, said: str) -> None:
    unfit = tmp_path / "python"
    unfit.write_text(f'#!/bin/sh\nexec "{sys.executable}" -c "{fault}\n$2"\n')
    unfit.chmod(0o755)
    ended = make_venv(tmp_path, str(unfit))
    assert ended.returncode != 0
    assert said in ended.stderr
    assert not (tmp_path / "venv").exists()


def test_missing_python_is_named(tmp_path: Path) -> None:
    ended = make_venv(tmp_path, "python-that-is-not-there")
    assert "There is no python-that-is-not-there here" in ended.stderr


def make_venv(folder: Path, python: str) -> subprocess.CompletedProcess[str]:
    target = f"{folder}/venv/bin/python"
    command = ["make", "-C", str(ROOT), f"VENV={folder}/venv", f"PYTHON={python}", target]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_ci_script_can_be_executed() -> None:
    assert os.access(ROOT / ".ci" / "run", os.X_OK)


# --- the action and the hook -----------------------------------------------------------------------

SOUND = "p=10 n=10 acc=0.90"
IMPOSSIBLE = "p=10 n=10 acc=0.99"


@pytest.mark.parametrize(
    ("paths", "fail_on_findings", "code", "findings"),
    [
        (SOUND, "true", 0, "false"),
        (IMPOSSIBLE, "true", 1, "true"),
        (IMPOSSIBLE, "false", 0, "true"),
        ("not-there.toml", "false", 2, None),
    ],
)
def test_action_ends_as_its_inputs_ask(
    tmp_path: Path, paths: str, fail_on_findings: str, code: int, findings: str | None
) -> None:
    steps = yaml.safe_load(read("action.yml"))["runs"]["steps"]
    script = next(step["run"] for step in steps if step.get("id") == "assay")
    outputs = tmp_path / "outputs"
    environment = {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "COMMAND": "scores check",
        "PATHS": paths,
        "FORMAT": "sarif",
        "OUTPUT": "assay.sarif",
        "FAIL_ON_FINDINGS": fail_on_findings,
        "GITHUB_OUTPUT": str(outputs),
    }
    ended = subprocess.run(
        ["bash", "-e", "-c", script], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert ended.returncode == code, ended.stderr
    told = dict(line.split("=") for line in outputs.read_text().splitlines()) if outputs.exists() else {}
    assert told == ({} if findings is None else {"report": "assay.sarif", "findings": findings})
    assert (tmp_path / "assay.sarif").exists() == (findings is not None)


@pytest.mark.parametrize(
    ("path", "wanted"),
    [
        ("assay.toml", True),
        ("papers/2021/assay-table3.yaml", True),
        ("assay_scores.yml", True),
        ("src/assay/rules.py", False),
        ("assay/pyproject.toml", False),
        ("essay.toml", False),
    ],
)
def test_hook_takes_files_named_for_assay(path: str, wanted: bool) -> None:
    hook = next(h for h in yaml.safe_load(read(".pre-commit-hooks.yaml")) if h["id"] == "assay-scores")
    assert bool(re.search(hook["files"], path)) == wanted


@pytest.mark.parametrize("hook", yaml.safe_load(read(".pre-commit-hooks.yaml")), ids=lambda hook: hook["id"])
def test_hook_runs_a_command_that_exists(hook: dict[str, str]) -> None:
    program, *words = hook["entry"].split()
    command = [Path(sys.executable).parent / program, *words, "--help"]
    assert subprocess.run(command, capture_output=True, check=False).returncode == 0


# --- nothing of anybody's machine ------------------------------------------------------------------

MADE_UP_PEOPLE = {"alice", "bob", "jane", "me", "someone", "user", "username", "you"}
"""Whose home folders may appear in examples."""
HOME = re.compile(r"(?:/home/|/Users/|[A-Za-z]:\\{1,2}Users\\{1,2})(?P<name>\w+)|/(?P<root>root)/")
REGISTRY = re.compile(
    r"pythonhosted\.org|pypi\.org/simple|registry\.npmjs\.org|conda\.anaconda\.org"
    r"|https?://[^\s/]+/(?:[\w-]+/)*(?:simple|artifactory)\b"
)


def private_traces(text: str) -> list[str]:
    """Home folders of real people, this very folder, and hosts of package registries."""
    homes = [m[0] for m in HOME.finditer(text) if m["root"] or m["name"] not in MADE_UP_PEOPLE]
    here = [str(ROOT)] if len(ROOT.parts) > 2 and f"{ROOT}/" in text else []
    return homes + here + REGISTRY.findall(text)


def project_files() -> Iterator[Path]:
    """Every file that .gitignore does not leave out; found without git, which a fresh machine may lack."""
    lines = read(".gitignore").splitlines()
    ignored = [".git", *(line.rstrip("/") for line in lines if line and not line.startswith("#"))]
    for folder, folders, files in os.walk(ROOT):
        folders[:] = [name for name in folders if not any(fnmatch(name, pattern) for pattern in ignored)]
        yield from (Path(folder, name) for name in files if not any(fnmatch(name, pattern) for pattern in ignored))


def test_no_file_carries_traces_of_a_machine() -> None:
    traces = {}
    for file in project_files():
        text = file.read_bytes().decode("utf-8", errors="ignore")
        if found := private_traces(text):
            traces[str(file.relative_to(ROOT))] = found
    assert traces == {}


@pytest.mark.parametrize(
    "text",
    [
        "/{}/mallory/data.csv".format("home"),
        "/{}/mallory/data.csv".format("Users"),
        "C:\\{}\\mallory".format("Users"),
        "/{}/.cache".format("root"),
        f"{ROOT}/src",
        "https://pypi.org/{}".format("simple"),
        "https://mirror.example/{}/numpy".format("simple"),
    ],
)
def test_traces_are_noticed(text: str) -> None:
    assert private_traces(f"see {text} there")


@pytest.mark.parametrize("text", ["/home/alice/data.csv", "src/assay/rules.py", "https://doi.org/10.1000/182"])
def test_examples_and_links_are_no_traces(text: str) -> None:
    assert private_traces(text) == []


def test_the_static_site_has_the_same_pydantic_as_the_core() -> None:
    text = read("requirements/site/wheels.txt")
    [pinned] = re.findall(r"(?m)^pydantic-core==(\S+) --hash=sha256:[0-9a-f]{64}$", text)
    assert pins("core")["pydantic-core"] == {pinned}


def test_the_static_site_has_the_same_pdf_reader_as_the_server() -> None:
    [pinned] = re.findall(r"(?m)^pypdfium2==(\S+) --hash=sha256:[0-9a-f]{64}$", read("requirements/site/wheels.txt"))
    assert pins("run")["pypdfium2"] == {pinned}


def test_pyodide_is_pinned_by_its_hash() -> None:
    lock = json.loads(read("requirements/site/package-lock.json"))
    assert lock["packages"]["node_modules/pyodide"]["integrity"].startswith("sha512-")
    assert all("integrity" in part for name, part in lock["packages"].items() if name)
    assert "://" not in read("requirements/site/package-lock.json")
