"""How often Python looks for cycles of garbage: for our work, rarely.

A syntax tree is a million objects and not one cycle. With the usual thresholds a sixth to a third of the time goes into
looking through them again and again.
"""

from __future__ import annotations

import gc
import sys

_COUNTS_ITS_OBJECTS = "duckdb"
"""It complains at the end, on standard error, of every object that was not collected."""


def look_rarely() -> None:
    """For processes of our own: the command line and the workers it starts."""
    gc.set_threshold(200_000, 20, 100)


def look_no_more() -> None:
    """At the end of a process of our own: what is left goes with it, and need not be looked through before."""
    if _COUNTS_ITS_OBJECTS not in sys.modules:
        gc.freeze()
