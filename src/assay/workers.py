"""Worker processes that end with their parent, or at their limits."""

from __future__ import annotations

import multiprocessing
import os
import threading
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

_SLIVER = 256 * 1024
"""So near to its limit, a process cannot have another page of small objects: the C library asks for 132 KiB at once."""


def pool(workers: int) -> ProcessPoolExecutor:
    """A pool of fresh processes: a forked copy of a process with threads may hang."""
    return ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), initializer=_watch_parent)


def _watch_parent() -> None:
    """End this worker when its parent is gone: waiting for work, it would never notice."""
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def is_starved(process: int) -> bool:
    """True if a process has used all its address space; False if that cannot be determined.

    Python may not survive it: it loops for ever where it cannot have the 32 bytes that it needs to unwind its stack
    (CPython 3.11, `exception_unwind`), so the waiting process must look from outside.
    """
    try:
        import resource

        limit, _ = resource.prlimit(process, resource.RLIMIT_AS)
        taken = int(Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[0]) * resource.getpagesize()
    except (ImportError, AttributeError, OSError, ValueError, IndexError):  # not on Linux; it has ended
        return False
    return limit != resource.RLIM_INFINITY and taken > limit - _SLIVER
