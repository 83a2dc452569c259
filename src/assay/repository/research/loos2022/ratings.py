"""Pylint's rating of the audited code, as the thesis measures it: file by file, weighted by their lines.

Pylint parses; it does not run what it reads. It is started in an empty folder on copies of the files, with no
configuration but ours, no plug-in and no C extension to load, so that nothing of the audited tree can steer it.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from assay.code import Code
from assay.patterns import regex
from assay.records import dataclass

_SETTINGS = (
    "--rcfile=empty.ini",  # an empty file: pylint then looks for no other
    "--load-plugins=",
    "--extension-pkg-allow-list=",
    "--unsafe-load-any-extension=n",
    "--init-hook=",
    "--persistent=n",
    "--score=y",
    "--reports=n",
    "--jobs=1",
    "--disable=E0401",  # the thesis: what a file imports need not be installed
    "--output-format=text",
)
_RATED = regex(r"rated at (-?\d+(?:\.\d+)?)/10")
_MOST_FILES = 200
_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Rating:
    """The mean rating (10 is best, there is no worst), or None with the reason why there is none."""

    value: float | None
    files: int = 0
    left_out: tuple[str, ...] = ()


def find_pylint() -> tuple[str, ...] | None:
    """How to start pylint in the user's environment; None when there is none."""
    beside = Path(sys.executable).with_name("pylint")
    found = str(beside) if beside.is_file() else shutil.which("pylint")
    return (found,) if found else None


def pylint_rating(code: Code, *, command: Sequence[str] | None = None, seconds: float = _SECONDS) -> Rating:
    """Rate the authors' own Python files and notebooks; `seconds` bound each file."""
    started = tuple(command) if command is not None else find_pylint()
    if not started:
        return Rating(None, left_out=("pylint is not installed, so its rating was not measured",))
    sources = [s for s in code.python if s.lines]
    rated = [(source, _rate(started, source.text, seconds)) for source in sources[:_MOST_FILES]]
    ratings = [(rating, sum(map(bool, map(str.strip, s.lines)))) for s, rating in rated if rating is not None]
    left_out = [f"pylint: only the first {_MOST_FILES} of {len(sources)} files"] if len(sources) > _MOST_FILES else []
    left_out += [f"{source.path}: pylint gave no rating" for source, rating in rated if rating is None]
    return Rating(_mean(ratings), len(ratings), tuple(left_out))


def _rate(command: Sequence[str], text: str, seconds: float) -> float | None:
    with tempfile.TemporaryDirectory(prefix="assay-pylint-") as folder:
        here = Path(folder)
        (here / "empty.ini").touch()
        (here / "audited.py").write_text(text, encoding="utf-8", errors="replace")
        try:
            ended = subprocess.run(  # noqa: S603 - pylint itself, with our own arguments, on a copy
                [*command, *_SETTINGS, "audited.py"],
                cwd=here,
                env=_environment(here),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=seconds,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired):
            return None
        rated = _RATED.search(ended.stdout)
        return float(rated[1]) if rated else None


def _environment(folder: Path) -> dict[str, str]:
    """Nothing of the user's settings reaches pylint, nor does a home where it might look for more."""
    return {"HOME": str(folder), "PYLINTHOME": str(folder), "PATH": "/usr/bin:/bin", "PYTHONSAFEPATH": "1"}


def _mean(ratings: Iterable[tuple[float, int]]) -> float | None:
    """Weighted by lines."""
    pairs = list(ratings)
    lines = sum(weight for _, weight in pairs)
    return round(sum(rating * weight for rating, weight in pairs) / lines, 2) if lines else None
