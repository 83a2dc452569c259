"""Waiting for other processes: long enough for a busy machine, and no longer than it takes."""

from __future__ import annotations

import time
from collections.abc import Callable

PATIENCE = 300.0
"""Seconds after which something has gone wrong, however slow the machine."""


def until(happened: Callable[[], object]) -> None:
    """Wait for something that another process does."""
    end = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.02)
