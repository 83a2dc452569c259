"""With what an attempt was run: the commit of its code, the machine, the installed packages, the container.

Everything is read from files. Neither git nor the environment's own Python is executed.
"""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Iterator
from importlib.metadata import distributions
from pathlib import Path

from assay.errors import InputError
from assay.patterns import regex

_COMMIT = regex(r"[0-9a-f]{40}|[0-9a-f]{64}")
_PACKAGE = regex(r"[\w.-]+(\[[\w., -]*\])?\s*([=<>!~]=?=?\s*[\w.*+!-]+|@|,|$)|[a-z+]+://|\.{0,2}/")
"""The beginning of a line of `pip freeze`: a name with its version or origin, an address, a path."""
_LONGEST = 1 << 20
"""Bytes that are read of a file of the system or of git."""


def commit_of(folder: Path) -> str:
    """The commit that a work tree of git has checked out; an `InputError` if there is none."""
    for place in (folder.resolve(), *folder.resolve().parents):
        if (place / ".git").exists():
            break
    else:
        raise InputError("is no work tree of git", where=str(folder), fix="Name it with --code, or set --commit.")
    head = _text(_git_folder(place) / "HEAD").strip()
    name = head.removeprefix("ref: ")
    found = name if name == head else _reference(_git_folder(place), name)
    if not _COMMIT.fullmatch(found):
        raise InputError("has no commit yet", where=str(folder), fix="Commit the code that you run.")
    return found


def _git_folder(place: Path) -> Path:
    """The folder of git's own files; in a linked work tree a small file names it."""
    git = place / ".git"
    return git if git.is_dir() else place / _text(git).removeprefix("gitdir:").strip()


def _reference(git: Path, name: str) -> str:
    shared = git / _text(git / "commondir").strip()
    for folder in (git, shared):
        if found := _text(folder / name).strip():
            return found
    packed = (line.partition(" ") for line in _text(shared / "packed-refs").splitlines())
    return next((commit for commit, _, ref in packed if ref == name), "")


def packages_in(environment: Path | None) -> tuple[str, ...]:
    """Installed packages with their versions, as `pip freeze` prints them.

    `environment` is the folder of a virtual environment; without one, the active environment or that of Assay.
    """
    active = os.environ.get("VIRTUAL_ENV", "")
    folder = environment or Path(active or sys.prefix)
    ours = environment is None and folder.resolve() == Path(sys.prefix).resolve()
    installed = distributions() if ours else distributions(path=_site_packages(folder))
    found = {one.name.lower(): f"{one.name}=={one.version}" for one in installed if one.name}
    if not found:
        fix = "Name the folder of a virtual environment with --environment."
        raise InputError("holds no installed packages", where=str(folder), fix=fix)
    return tuple(found[name] for name in sorted(found))


def _site_packages(folder: Path) -> list[str]:
    patterns = ("lib/python*/site-packages", "Lib/site-packages")
    return [str(place) for pattern in patterns for place in sorted(folder.glob(pattern))]


def packages_listed(text: str, where: str) -> tuple[str, ...]:
    """The lines of `pip freeze` or of a requirements file, without comments and options; `-e` installs a package."""
    lines = (line.partition(" #")[0].strip().removeprefix("-e ") for line in text.splitlines())
    listed = [line.replace(";", ",") for line in lines if line and not line.startswith(("#", "-"))]
    if wrong := next((line for line in listed if not _PACKAGE.match(line)), None if listed else "nothing"):
        raise InputError(
            f"lists {wrong[:40]!r}, which is no package", where=where, fix="Give what `pip freeze` printed."
        )
    return tuple(listed)


def hardware() -> str:
    """Processor, cores, memory, graphics cards and system of this machine, in one line."""
    return ", ".join(filter(None, _parts()))


def _parts() -> Iterator[str]:
    cpu = _field(Path("/proc/cpuinfo"), "model name") or platform.processor() or platform.machine()
    yield f"{' '.join(cpu.split())}, {os.cpu_count()} cores"
    memory = _field(Path("/proc/meminfo"), "MemTotal").partition(" ")[0]
    yield f"{int(memory) / 2**20:.0f} GB memory" if memory.isdecimal() else ""
    for card in sorted(Path("/proc/driver/nvidia/gpus").glob("*/information")):
        yield _field(card, "Model")
    yield f"{platform.system()} {platform.release()}"


def container() -> str:
    """What kind of container this is, if it is one."""
    marks = {"/.dockerenv": "Docker", "/run/.containerenv": "Podman", "/.singularity.d": "Apptainer"}
    return next((kind for mark, kind in marks.items() if Path(mark).exists()), "")


def _field(path: Path, name: str) -> str:
    lines = (line.partition(":") for line in _text(path).splitlines())
    return next((value.strip() for key, _, value in lines if key.strip() == name), "")


def _text(path: Path) -> str:
    try:
        with path.open(encoding="utf-8", errors="replace") as stream:
            return stream.read(_LONGEST)
    except OSError:
        return ""
