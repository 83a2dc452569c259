"""Builds and checks what a release needs, into one folder. Publishes nothing.

`make release` runs it after it has built the static site, the VS Code extension and the bill of materials.
"""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from packaging.metadata import Metadata

import assay

ROOT = Path(__file__).parents[1]
BUILD = "import sys; from hatchling import build; build.build_wheel(sys.argv[1]); build.build_sdist(sys.argv[1])"
_TIME = (2000, 1, 1, 0, 0, 0)


def release(out: Path, site: Path) -> list[str]:
    """Complete the folder of a release; gives what is wrong with it."""
    section = changelog_section((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), assay.__version__)
    (out / "changelog.md").write_text(section, encoding="utf-8")
    _packages(out)
    _zipped(site, out / f"assay-site-{assay.__version__}.zip")
    faults = [*_versions(out), *_changelog(section), *_differences(out), *_metadata(out), *_missing(out)]
    sums = {file.name: _checksum(file) for file in sorted(out.iterdir()) if file.name != "SHA256SUMS"}
    (out / "SHA256SUMS").write_text("".join(f"{sum_}  {name}\n" for name, sum_ in sums.items()), encoding="utf-8")
    return faults


def changelog_section(text: str, version: str) -> str:
    """The section of one version, with its heading; empty if there is none."""
    found = re.search(rf"(?ms)^## \[{re.escape(version)}\].*?(?=^## \[|\Z)", text)
    return found[0].rstrip() + "\n" if found else ""


def _packages(out: Path) -> None:
    subprocess.run([sys.executable, "-c", BUILD, str(out)], cwd=ROOT, check=True, capture_output=True)  # noqa: S603


def _zipped(folder: Path, target: Path) -> None:
    with zipfile.ZipFile(target, "w") as archive:
        for file in sorted(path for path in folder.rglob("*") if path.is_file()):
            name = zipfile.ZipInfo(file.relative_to(folder).as_posix(), _TIME)
            archive.writestr(name, file.read_bytes(), zipfile.ZIP_DEFLATED)


def _checksum(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def _versions(out: Path) -> Iterator[str]:
    """Every place that names the version names the same."""
    cited = re.search(r"(?m)^version: (\S+)", (ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    described = json.loads((ROOT / "editors" / "vscode" / "package.json").read_text(encoding="utf-8"))
    bill = json.loads((out / "sbom.json").read_text(encoding="utf-8"))
    named = {
        "CITATION.cff": cited[1] if cited else "",
        "editors/vscode/package.json": described["version"],
        "sbom.json": bill["metadata"]["component"]["version"],
    }
    yield from (
        f"{where} names version {v}, not {assay.__version__}" for where, v in named.items() if v != assay.__version__
    )


def _changelog(section: str) -> Iterator[str]:
    if not section:
        yield f"CHANGELOG.md has no section for {assay.__version__}"


def _differences(out: Path) -> Iterator[str]:
    """A second build gives the same bytes."""
    with TemporaryDirectory() as folder:
        _packages(Path(folder))
        for file in Path(folder).iterdir():
            if _checksum(file) != _checksum(out / file.name):
                yield f"{file.name} differs when it is built again"


def _metadata(out: Path) -> Iterator[str]:
    """The metadata are valid, and wheel and sdist bear the same."""
    [wheel], [sdist] = out.glob("*.whl"), out.glob("*.tar.gz")
    with zipfile.ZipFile(wheel) as archive:
        [name] = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        first = Metadata.from_email(archive.read(name), validate=True)
    with tarfile.open(sdist) as packed:
        held = packed.extractfile(f"{sdist.name.removesuffix('.tar.gz')}/PKG-INFO")
        second = Metadata.from_email(held.read() if held else b"", validate=True)
    if (first.name, first.version, first.requires_dist) != (second.name, second.version, second.requires_dist):
        yield "wheel and sdist do not describe the same package"


def _missing(out: Path) -> Iterator[str]:
    for ending in (".whl", ".tar.gz", ".vsix", ".zip", "sbom.json", "changelog.md"):
        if not any(file.name.endswith(ending) for file in out.iterdir()):
            yield f"there is no file that ends in {ending}"


if __name__ == "__main__":
    out, site = map(Path, sys.argv[1:])
    faults = release(out, site)
    for file in sorted(out.iterdir()):
        sys.stdout.write(f"{file.stat().st_size:>12,}  {file}\n")
    if "Unreleased" in (out / "changelog.md").read_text(encoding="utf-8").splitlines()[0]:
        sys.stdout.write(f"Before publishing: give {assay.__version__} its date in CHANGELOG.md.\n")
    sys.exit("".join(f"Not ready: {fault}.\n" for fault in faults).rstrip() or None)
