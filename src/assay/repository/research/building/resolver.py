"""Asking uv whether requirements can be met, without building or running anything.

Only wheels count: a source distribution tells its needs only when its build is run, which is never done here. Where
one is needed, the answer is undecided.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from datetime import date
from enum import StrEnum
from pathlib import Path

from assay.errors import InputError
from assay.patterns import regex
from assay.records import dataclass

_UNREACHABLE = regex(r"request failed|failed to fetch|dns error|error sending request|connection refused|timed out")
_NO_DATES = regex(r"missing an upload date|upload[- ]time", re.IGNORECASE)
_NEEDS_BUILD = "building from source is disabled"
_LONGEST = 600


class Outcome(StrEnum):
    """What uv found out."""

    SOLVABLE = "solvable"
    UNSOLVABLE = "not solvable"
    NEEDS_BUILD = "undecided: needs a build"
    """Some package has no wheel."""
    UNREACHABLE = "undecided: index not reached"
    NO_DATES = "undecided: index has no dates"
    TIMED_OUT = "undecided: no answer in time"
    FAILED = "undecided: uv failed"
    EMPTY = "nothing to solve"


@dataclass(frozen=True, slots=True)
class Solution:
    """An outcome, how many packages it takes, and uv's own words if there is no solution."""

    outcome: Outcome
    packages: int = 0
    said: str = ""


def find_uv() -> str:
    """Where uv is; without it one message says what to do."""
    beside = Path(sys.executable).with_name("uv")
    found = str(beside) if beside.is_file() else shutil.which("uv")
    if found is None:
        raise InputError("uv is needed to solve environments and was not found", fix="Install it: `pip install uv`.")
    return found


def solve(
    requirements: Sequence[str], *, uv: str, python: str, before: date | None = None, seconds: float = 300.0
) -> Solution:
    """Whether these can be met by wheels for Linux and that Python, as the index is now or was on that day."""
    if not requirements:
        return Solution(Outcome.EMPTY)
    with tempfile.TemporaryDirectory(prefix="assay-build-") as folder:
        here = Path(folder)
        (here / "wanted.in").write_text("\n".join(requirements) + "\n", encoding="utf-8")
        try:
            ended = subprocess.run(  # noqa: S603 - uv itself, with our own arguments, in a folder of our own
                [uv, *_arguments(python, before)],
                cwd=here,
                env={**os.environ, "UV_PYTHON_DOWNLOADS": "never", "NO_COLOR": "1"},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                encoding="utf-8",
                errors="replace",
                timeout=seconds,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return Solution(Outcome.TIMED_OUT, said=f"no answer within {seconds:g} s")
        except OSError as error:
            return Solution(Outcome.FAILED, said=f"uv cannot be started ({error.strerror})")
    return _judged(ended.returncode, ended.stdout, ended.stderr)


def _arguments(python: str, before: date | None) -> list[str]:
    dated = ["--exclude-newer", f"{before.isoformat()}T23:59:59Z"] if before else []
    plain = ["--no-header", "--no-annotate", "--no-progress", "--color", "never"]
    safe = ["--no-build", "--no-sources", "--no-python-downloads", "--python", sys.executable]
    where = ["--python-version", python, "--python-platform", "linux"]
    return ["pip", "compile", "wanted.in", *safe, *where, *plain, *dated]


def _judged(code: int, printed: str, complained: str) -> Solution:
    if code == 0:
        return Solution(Outcome.SOLVABLE, sum(bool(re.match(r"[\w.-]+==", line)) for line in printed.splitlines()))
    said = _reason(complained)
    lowered = complained.lower()
    if "no solution found" in lowered:
        if _NEEDS_BUILD in lowered:
            return Solution(Outcome.NEEDS_BUILD, said=said)
        return Solution(Outcome.NO_DATES if _NO_DATES.search(complained) else Outcome.UNSOLVABLE, said=said)
    return Solution(Outcome.UNREACHABLE if _UNREACHABLE.search(lowered) else Outcome.FAILED, said=said)


def _reason(complained: str) -> str:
    """The reason, on one line, without warnings and hints."""
    lines = [line.strip() for line in complained.splitlines() if line.strip()]
    kept = [line for line in lines if not line.startswith(("warning:", "hint:"))]
    text = " ".join(line.removeprefix("error:").removeprefix("cause:").strip() for line in kept)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."
