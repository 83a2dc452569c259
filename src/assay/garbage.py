"""How often Python looks for cycles of garbage: for our work, rarely.

A syntax tree is a million objects and not one cycle. With the usual thresholds a sixth to a third of the time goes into
looking through them again and again.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager

_COUNTS_ITS_OBJECTS = "duckdb"
"""It complains at the end, on standard error, of every object that was not collected."""


def look_rarely() -> None:
    """For processes of our own: the command line and the workers it starts."""
    gc.set_threshold(200_000, 20, 100)


@contextmanager
def undisturbed() -> Iterator[None]:
    """For work that makes many objects and no cycles: no looking until it is done, and most of them are gone again."""
    looking = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if looking:
            gc.enable()


def look_no_more() -> None:
    """At the end of a process of our own: what is left goes with it, and need not be looked through before."""
    if _COUNTS_ITS_OBJECTS not in sys.modules:
        gc.freeze()
