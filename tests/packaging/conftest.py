"""What the tests of the package share: a copy of the sources, and an environment that reaches for nothing."""

import os
import shutil
import sys
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NEEDED = [
    "pyproject.toml",
    "README.md",
    "LICENSE",
    "CHANGELOG.md",
    "CITATION.cff",
    "action.yml",
    ".pre-commit-hooks.yaml",
]


@pytest.fixture(scope="session")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what a package is built from, so that building leaves nothing in the project."""
    folder = tmp_path_factory.mktemp("sources") / "assay"
    folder.mkdir()
    for name in NEEDED:
        shutil.copy2(ROOT / name, folder / name)
    shutil.copytree(ROOT / "src", folder / "src", ignore=shutil.ignore_patterns("__pycache__", "*.pyc"))
    return folder


@pytest.fixture(scope="session")
def offline(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Variables with which pip installs without an index, and finds all that we depend on but not Assay itself."""
    others = tmp_path_factory.mktemp("others")
    for entry in Path(sysconfig.get_paths()["purelib"]).iterdir():
        if not entry.name.startswith(("assay", "_assay", "__pycache__")):
            (others / entry.name).symlink_to(entry)
    kept = {name: os.environ[name] for name in ("HOME", "LANG") if name in os.environ}
    return kept | {
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),  # whose Python these are for
        "PYTHONPATH": str(others),
        "PIP_NO_INDEX": "1",
        "PIP_NO_DEPS": "1",
        "PIP_NO_COMPILE": "1",
        "PIP_NO_BUILD_ISOLATION": "0",  # pip reads this one the wrong way round: 0 turns isolation off
        "PIP_IGNORE_INSTALLED": "1",
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    }
