"""A memory limit for commands, so that a hostile file ends in a message and not in a frozen machine."""

from __future__ import annotations

import contextlib
import os

from assay.errors import InputError

VARIABLE = "ASSAY_MEMORY"
"""Megabytes that a command may use; 0 removes the limit."""

_LEAST = 8 * 1024**3
"""Lowest limit. Libraries reserve far more address space than they use, so it may exceed a small machine's memory."""


def limit_memory() -> None:
    """Limit the address space of this process and its children, if the system supports it."""
    bound = _given() if VARIABLE in os.environ else max(_LEAST, _physical())
    if not bound:
        return
    with contextlib.suppress(ImportError, ValueError, OSError):  # Windows; macOS; a hard limit below ours
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_AS)
        if soft == resource.RLIM_INFINITY or soft > bound:
            resource.setrlimit(resource.RLIMIT_AS, (bound, hard))


def _given() -> int:
    text = os.environ[VARIABLE].strip()
    if not text.isdecimal():
        raise InputError(f"{VARIABLE} is {text!r}", fix="Set it to a number of megabytes, or to 0 for no bound.")
    return int(text) * 1024**2


def _physical() -> int:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return 0
