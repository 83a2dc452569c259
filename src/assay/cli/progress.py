"""Progress bars: on stderr, only on a terminal, only when the wait is noticeable."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")
_PATIENCE = 1.0
"""Seconds before a bar appears; quick work needs none."""


def tracked(items: Iterable[T], total: int, label: str) -> Iterator[T]:
    """The same items, with a bar on the terminal once they take a while."""
    if not sys.stderr.isatty():
        yield from items
        return
    started = time.monotonic()
    bar = None
    try:
        for done, item in enumerate(items, 1):
            yield item
            if bar is None and done < total and time.monotonic() - started > _PATIENCE:
                bar = _Bar(label, total)
            if bar is not None:
                bar.at(done)
    finally:
        if bar is not None:
            bar.close()


class _Bar:
    """A rich progress bar, imported and started only when it is needed."""

    def __init__(self, label: str, total: int) -> None:
        from rich.console import Console
        from rich.progress import Progress

        self._progress = Progress(console=Console(stderr=True), transient=True)
        self._progress.start()
        self._task = self._progress.add_task(label, total=total)

    def at(self, done: int) -> None:
        self._progress.update(self._task, completed=done)

    def close(self) -> None:
        self._progress.stop()
