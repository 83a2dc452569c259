"""Reduce Python's cyclic garbage collection, which costs our workload much and finds little.

A syntax tree is a million objects and not one cycle. With the usual thresholds a sixth to a third of the time goes into
looking through them again and again.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager

_COUNTS_ITS_OBJECTS = "duckdb"
"""It reports every object that was not collected, on standard error, when Python exits."""


def look_rarely() -> None:
    """Collect rarely: for our own processes (the command line and its workers)."""
    gc.set_threshold(200_000, 20, 100)


@contextmanager
def undisturbed() -> Iterator[None]:
    """Suspend collection for work that creates many objects and no cycles, most of them short-lived."""
    looking = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if looking:
            gc.enable()


def look_no_more() -> None:
    """Skip the final collection at exit of our own process: its memory is released anyway."""
    if _COUNTS_ITS_OBJECTS not in sys.modules:
        gc.freeze()
