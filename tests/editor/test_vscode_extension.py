"""The VS Code extension: a valid package whose client starts `assay lsp` and shows what it finds."""

import json
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from assay import __version__

ROOT = Path(__file__).parents[2]
PARTS = ROOT / "build" / "vscode-parts"
HOST = Path(__file__).with_name("vscode_host.js")
SCHEMA = "{http://schemas.microsoft.com/developer/vsx-schema/2011}"
ASSAY = str(Path(sys.executable).with_name("assay"))
IMPOSSIBLE = 'p = 100\nn = 200\n[scores]\nacc = "0.90"\nsens = "0.80"\nspec = "0.80"\n'


def built(out: Path) -> Path:
    if not PARTS.is_dir():
        pytest.fail("the extension needs its language client: run `make vscode-parts`", pytrace=False)
    command = [sys.executable, str(ROOT / "tools" / "build_vsix.py"), str(out), str(PARTS)]
    subprocess.run(command, check=True, capture_output=True)
    return out / f"assay-{__version__}.vsix"


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(tmp_path_factory.mktemp("vsix"))


@pytest.fixture(scope="module")
def extension(package: Path) -> Path:
    zipfile.ZipFile(package).extractall(package.parent)
    return package.parent / "extension"


def test_the_package_has_a_manifest_and_all_that_it_names(package: Path) -> None:
    archive = zipfile.ZipFile(package)
    assert archive.testzip() is None
    names = set(archive.namelist())
    manifest = ElementTree.fromstring(archive.read("extension.vsixmanifest"))
    assert {asset.attrib["Path"] for asset in manifest.iter(f"{SCHEMA}Asset")} <= names
    [identity] = manifest.iter(f"{SCHEMA}Identity")
    described: dict[str, Any] = json.loads(archive.read("extension/package.json"))
    expected = (described["name"], described["publisher"], __version__)
    assert (identity.attrib["Id"], identity.attrib["Publisher"], identity.attrib["Version"]) == expected
    assert described["version"] == __version__
    assert f"extension/{described['main'].removeprefix('./')}" in names
    assert all(f"extension/node_modules/{name}/package.json" in names for name in described["dependencies"])


def test_the_same_sources_give_the_same_bytes(package: Path, tmp_path: Path) -> None:
    assert built(tmp_path).read_bytes() == package.read_bytes()


def test_a_project_cannot_choose_the_program_that_is_started(extension: Path) -> None:
    described = json.loads((extension / "package.json").read_text(encoding="utf-8"))
    assert described["contributes"]["configuration"]["properties"]["assay.command"]["scope"] == "machine"


def hosted(extension: Path, command: list[str], name: str, language: str, text: str) -> list[dict[str, Any]]:
    """What the extension did with one open document."""
    words = ["node", str(HOST), str(extension), json.dumps({"command": command}), f"file:///p/{name}", language, text]
    ended = subprocess.run(words, capture_output=True, text=True, timeout=240, check=True)
    return [json.loads(line) for line in ended.stdout.splitlines()]


def test_the_extension_starts_the_server_outside_the_project_and_shows_its_findings(extension: Path) -> None:
    started, shown = hosted(extension, [ASSAY, "lsp"], "assay.toml", "toml", IMPOSSIBLE)
    assert started == {"started": [ASSAY, "lsp"], "where": str(extension)}
    assert shown == {"diagnostics": ["S101"]}


def test_where_assay_is_not_installed_the_extension_says_how_to_install_it(extension: Path) -> None:
    *_, said = hosted(extension, ["no-such-program"], "assay.toml", "toml", IMPOSSIBLE)
    assert 'pip install "assay-ml[editor]"' in said["message"]
