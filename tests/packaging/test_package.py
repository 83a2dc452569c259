"""The package as others get it: built twice alike, complete, and at work in an empty environment."""

import hashlib
import json
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

import assay
from assay.rules import all_rules

ROOT = Path(__file__).parents[2]


def build(sources: Path, target: Path) -> dict[str, str]:
    """Build wheel and sdist with the environment at hand; name and checksum of each."""
    code = (
        "import sys; from hatchling.build import build_sdist, build_wheel;"
        "build_wheel(sys.argv[1]); build_sdist(sys.argv[1])"
    )
    subprocess.run([sys.executable, "-c", code, str(target)], cwd=sources, capture_output=True, check=True)
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in target.iterdir()}


@pytest.fixture(scope="module")
def built(sources: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    folder = tmp_path_factory.mktemp("dist")
    return folder, build(sources, folder)


def test_wheel_and_sdist_are_the_same_every_time(
    sources: Path, built: tuple[Path, dict[str, str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    moved = tmp_path / "elsewhere"
    moved.symlink_to(sources)  # neither the place nor the time of the build may show
    for file in sources.rglob("*.py"):
        file.touch()
    (tmp_path / "dist").mkdir()
    monkeypatch.setenv("TZ", "Asia/Kathmandu")
    assert build(moved, tmp_path / "dist") == built[1]
    assert sorted(name.rpartition(".")[2] for name in built[1]) == ["gz", "whl"]


def test_package_data_are_inside(sources: Path, built: tuple[Path, dict[str, str]]) -> None:
    wanted = {file.relative_to(sources / "src").as_posix() for file in (sources / "src").rglob("*") if file.is_file()}
    [wheel], [sdist] = built[0].glob("*.whl"), built[0].glob("*.tar.gz")
    with zipfile.ZipFile(wheel) as archive:
        assert wanted - set(archive.namelist()) == set()
    with tarfile.open(sdist) as archive:
        held = {name.partition("/src/")[2] for name in archive.getnames()}
        assert wanted - held == set()
    assert any(name.endswith(".toml") for name in wanted)
    assert any(name.endswith(".jinja") for name in wanted)
    assert "assay/py.typed" in wanted


@pytest.fixture(scope="module")
def installed(
    built: tuple[Path, dict[str, str]], offline: dict[str, str], tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """The programs of an environment that holds nothing but the wheel; its dependencies lie beside."""
    folder = tmp_path_factory.mktemp("empty") / "environment"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    [wheel] = built[0].glob("*.whl")
    command = [sys.executable, "-m", "pip", "--python", str(folder / "bin" / "python"), "install", str(wheel)]
    subprocess.run(command, env=offline, capture_output=True, check=True)
    return folder / "bin"


def run(installed: Path, offline: dict[str, str], where: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [str(installed / "assay"), *words]
    return subprocess.run(command, cwd=where, env=offline, capture_output=True, text=True, check=False)


def test_the_installed_wheel_works(installed: Path, offline: dict[str, str], tmp_path: Path) -> None:
    assert run(installed, offline, tmp_path, "--version").stdout == f"assay {assay.__version__}\n"
    rules = run(installed, offline, tmp_path, "rules").stdout
    assert all(rule.code in rules for rule in all_rules())
    impossible = ("p=100", "n=200", "acc=0.90", "sens=0.80", "spec=0.80")
    told = run(installed, offline, tmp_path, "scores", "check", *impossible, "--format", "json")
    assert told.returncode == 1, told.stderr
    assert json.loads(told.stdout)["judgements"][0]["verdict"] == "inconsistent"
    (tmp_path / "train.py").write_text("import numpy\nprint(numpy.random.rand())\n", encoding="utf-8")
    page = run(installed, offline, tmp_path, "repo", ".", "-o", "report.html")
    assert page.returncode == 1, page.stderr
    assert "<!doctype html>" in (tmp_path / "report.html").read_text(encoding="utf-8").lower()
    sheet = run(installed, offline, tmp_path, "checklist", "new", "model-info-sheet")
    assert "Model info sheet" in sheet.stdout


def test_the_installed_package_is_not_this_folder(installed: Path, offline: dict[str, str], tmp_path: Path) -> None:
    code = "import assay, pathlib; print(pathlib.Path(assay.__file__).parts[-2], 'environment' in assay.__file__)"
    command = [str(installed / "python"), "-c", code]
    ended = subprocess.run(command, cwd=tmp_path, env=offline, capture_output=True, text=True, check=True)
    assert ended.stdout == "assay True\n"


def test_bill_of_materials_names_every_pin(tmp_path: Path) -> None:
    target = tmp_path / "sbom.json"
    subprocess.run(["make", "sbom", f"SBOM={target}"], cwd=ROOT, capture_output=True, check=True)
    bill = json.loads(target.read_text(encoding="utf-8"))
    named = {f"{part['name']}=={part['version']}".lower() for part in bill["components"]}
    requirements = (ROOT / "requirements" / "run.txt").read_text(encoding="utf-8")
    pinned = re.findall(r"(?m)^([\w.-]+)(?:\[[\w,-]+\])?==([\w.+!-]+)", requirements)
    assert {f"{name}=={version}".lower() for name, version in pinned} == named
    assert bill["metadata"]["component"]["version"] == assay.__version__
    assert str(ROOT) not in target.read_text(encoding="utf-8")
