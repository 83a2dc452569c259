"""Build the static site: the page, Pyodide, Assay, and the pure-Python packages of the core.

Pyodide and the compiled packages, built for browsers, come from folders that `make site` fills from pinned and hashed
downloads. Everything else is packed from the running environment.
"""

from __future__ import annotations

import hashlib
import io
import json
import shutil
import zipfile
from collections.abc import Iterator
from importlib import metadata, resources
from pathlib import Path

from assay import __version__
from assay.errors import InputError

RUNTIME = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
"""The files of Pyodide that a browser loads."""
PURE = (
    "annotated-doc",
    "annotated-types",
    "jinja2",
    "markdown-it-py",
    "markupsafe",
    "mdurl",
    "packaging",
    "pydantic",
    "pyyaml",
    "typing-extensions",
    "typing-inspection",
)
"""Packages that run without their compiled parts."""
COMPILED = {
    "packages": "pydantic_core-*-pyemscripten_*_wasm32.whl",
    "pdf": "pypdfium2-*-pyemscripten_*_wasm32.whl",  # large, so it is loaded when a PDF is dropped
}
"""Packages compiled for browsers, by the folder that supplies them."""
_LEFT_OUT = frozenset({"web", "slides", "corpus", "ablation", "database", "__pycache__"})
"""Parts of Assay that cannot run in a browser."""
_KEPT = frozenset({".py", ".json", ".toml", ".txt", ".jinja", ".css", ".js", ".tsv", ".csv", ".yaml", ".gz", ".bloom"})
_TIME = (2000, 1, 1, 0, 0, 0)
"""The fixed time stamp of archived files, for reproducible archives."""


def build_site(out: Path, pyodide: Path, wheels: Path) -> int:
    """Write the site into `out`; returns its size in bytes."""
    missing = [name for name in RUNTIME if not (pyodide / name).is_file()]
    if missing:
        raise InputError(f"has no {missing[0]}", where=str(pyodide), fix="Run `make site`, or name Pyodide's folder.")
    wanted = {folder: _compiled(wheels, pattern) for folder, pattern in COMPILED.items()}
    for name in ("pyodide", *wanted):
        (out / name).mkdir(parents=True, exist_ok=True)
    for name in RUNTIME:
        shutil.copyfile(pyodide / name, out / "pyodide" / name)
    for folder, wheel in wanted.items():
        shutil.copyfile(wheel, out / folder / wheel.name)
    (out / "packages" / "assay.zip").write_bytes(_archive(_own_files()))
    (out / "packages" / "libraries.zip").write_bytes(_archive(_library_files()))
    (out / "checklists.json").write_text(json.dumps(_checklists()), encoding="utf-8")
    for file in resources.files("assay.site").joinpath("static").iterdir():
        (out / file.name).write_bytes(file.read_bytes())
    return _list_files(out)


def _compiled(wheels: Path, pattern: str) -> Path:
    found = sorted(wheels.glob(pattern))
    if not found:
        fix = "Run `make site`, or name the folder with --wheels."
        raise InputError(f"has no {pattern}", where=str(wheels), fix=fix)
    return found[-1]


def _checklists() -> list[dict[str, str | int]]:
    """The checklists of Assay with empty forms, which need no Python."""
    from assay.checklists.files import load, shipped
    from assay.checklists.template import yaml_form

    listed = {name: load(name) for name in shipped()}
    return [{"name": n, "title": one.title, "items": len(one), "form": yaml_form(one)} for n, one in listed.items()]


def _list_files(out: Path) -> int:
    """Write the list of files for the service worker's cache, named by a hash of the content."""
    files = sorted(file for file in out.rglob("*") if file.is_file() and file.name != "files.json")
    sums = {file.relative_to(out).as_posix(): hashlib.sha256(file.read_bytes()).hexdigest() for file in files}
    version = hashlib.sha256(json.dumps(sums).encode()).hexdigest()[:16]
    packages = {folder: [name for name in sums if name.startswith(f"{folder}/")] for folder in COMPILED}
    listed = {"assay": __version__, "version": version, **packages, "files": sums}
    (out / "files.json").write_text(json.dumps(listed, indent=1) + "\n", encoding="utf-8")
    return sum(file.stat().st_size for file in files)


def _archive(files: Iterator[tuple[str, bytes]]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in sorted(files):
            archive.writestr(zipfile.ZipInfo(name, _TIME), content, zipfile.ZIP_DEFLATED)
    return stream.getvalue()


def _own_files() -> Iterator[tuple[str, bytes]]:
    package = Path(str(resources.files("assay")))
    for file in package.rglob("*"):
        inside = file.relative_to(package)
        if file.is_file() and file.suffix in _KEPT and not _LEFT_OUT & set(inside.parts):
            yield f"assay/{inside.as_posix()}", file.read_bytes()
    yield from _metadata("assay-ml")


def _library_files() -> Iterator[tuple[str, bytes]]:
    for name in PURE:
        for file in metadata.distribution(name).files or ():
            if file.suffix == ".py" and ".." not in file.parts:
                yield file.as_posix(), Path(str(file.locate())).read_bytes()
        yield from _metadata(name)


def _metadata(name: str) -> Iterator[tuple[str, bytes]]:
    """The metadata of a package: its version and entry points."""
    for file in metadata.distribution(name).files or ():
        if file.name in {"METADATA", "entry_points.txt"} and file.parts[0].endswith(".dist-info"):
            yield file.as_posix(), Path(str(file.locate())).read_bytes()
