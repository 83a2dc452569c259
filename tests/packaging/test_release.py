"""`make release` gathers and checks what a release needs; here with a small site."""

import hashlib
import json
import subprocess
import sys
from pathlib import Path

import assay

ROOT = Path(__file__).parents[2]


def released(folder: Path, version: str) -> subprocess.CompletedProcess[str]:
    out, site = folder / "release", folder / "site"
    for made in (out, site):
        made.mkdir(parents=True)
    (site / "index.html").write_text("<!doctype html>", encoding="utf-8")
    (out / f"assay-{version}.vsix").touch()
    bill = {"metadata": {"component": {"version": version}}}
    (out / "sbom.json").write_text(json.dumps(bill), encoding="utf-8")
    command = [sys.executable, str(ROOT / "tools" / "release.py"), str(out), str(site)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_a_release_is_complete_and_has_checksums(tmp_path: Path) -> None:
    ended = released(tmp_path, assay.__version__)
    assert ended.returncode == 0, ended.stderr
    out = tmp_path / "release"
    lines = (out / "SHA256SUMS").read_text(encoding="utf-8").splitlines()
    assert len(lines) == len(list(out.iterdir())) - 1 == 6
    for line in lines:
        checksum, name = line.split()
        assert hashlib.sha256((out / name).read_bytes()).hexdigest() == checksum
    assert (out / "changelog.md").read_text(encoding="utf-8").startswith(f"## [{assay.__version__}]")


def test_a_part_of_another_version_is_named(tmp_path: Path) -> None:
    ended = released(tmp_path, "0.0.1")
    assert ended.returncode == 1
    assert f"Not ready: sbom.json names version 0.0.1, not {assay.__version__}." in ended.stderr
