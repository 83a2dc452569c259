"""The same work on each of many things: in this process, or in several. The order and the results are the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from typing import TypeVar

from assay.errors import InputError
from assay.workers import pool

T = TypeVar("T")
R = TypeVar("R")


def each(work: Callable[[T], R], things: Sequence[T], workers: int) -> Iterator[R]:
    """What `work` gives for each thing, in order. Whatever is random must be seeded by the thing, not by the worker."""
    if workers <= 1 or len(things) < 2:
        yield from map(work, things)
        return
    chunk = max(1, min(4, len(things) // (4 * workers)))
    try:
        with pool(min(workers, len(things))) as processes:
            yield from processes.map(work, things, chunksize=chunk)
    except BrokenProcessPool:
        fix = "Run the same command with fewer --workers: finished steps are kept."
        raise InputError("a process was stopped from outside, perhaps for want of memory", fix=fix) from None
