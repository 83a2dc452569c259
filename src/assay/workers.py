"""Processes that do the same work on many things, and end with the one who started them."""

from __future__ import annotations

import multiprocessing
import os
import threading
from concurrent.futures import ProcessPoolExecutor


def pool(workers: int) -> ProcessPoolExecutor:
    """Fresh processes: a forked copy of a process with threads in it may hang."""
    return ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), initializer=_watch_parent)


def _watch_parent() -> None:
    """A worker waits for work; that there is nobody left to give any, it would never notice."""
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
