"""Where in the user's own code a watched call stands."""

from __future__ import annotations

import linecache
import sys
from functools import cache
from pathlib import Path
from types import FrameType

from assay.findings import Location
from assay.records import dataclass

_SCIKIT_LEARN = ("assay", "sklearn", "imblearn", "joblib", "threading", "concurrent", "contextlib", "functools")
_TRAINERS = ("xgboost", "lightgbm", "torch", "transformers", "datasets")
_LIBRARIES = frozenset({*_SCIKIT_LEARN, *_TRAINERS})
_LONGEST = 200


@dataclass(frozen=True, slots=True)
class Place:
    """A line of code, as it stands."""

    location: Location
    code: str
    file: str = ""
    """As Python knows it, to look for comments that suppress findings."""


def caller() -> Place:
    """The innermost line that belongs to no library between the user and the call."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and str(frame.f_globals.get("__name__", "")).partition(".")[0] in _LIBRARIES:
        frame = frame.f_back
    if frame is None:
        return Place(Location("unknown"), "")
    return place_at(frame.f_code.co_filename, frame.f_lineno)


@cache
def place_at(file: str, line: int) -> Place:
    """A line of a file. Remembered for one watch: a notebook may run other code under the same name later."""
    return Place(_location(file, line), linecache.getline(file, line).strip()[:_LONGEST], file)


def _location(file: str, line: int) -> Location:
    cell = _notebook_cell(file)
    if cell is not None:
        return Location("notebook", line, cell=cell)
    path = Path(file)
    here = Path.cwd()
    return Location(path.relative_to(here).as_posix() if path.is_relative_to(here) else path.name, line)


def _notebook_cell(file: str) -> int | None:
    """The number of the cell, where IPython runs the code."""
    shell = sys.modules.get("IPython")
    running = shell.get_ipython() if shell else None
    known = getattr(getattr(running, "compile", None), "_filename_map", {})
    return known.get(file)
