"""Assay tells whether a machine-learning result can be true, was fairly measured, and could be obtained again.

>>> import assay
>>> assay.check_scores(p=100, n=200, acc="0.90", sens="0.80", spec="0.80").verdict
<Verdict.INCONSISTENT: 'inconsistent'>

Each question has a function here and a room of its own (``assay.scores``, …). ``import assay`` costs next to nothing:
a function is loaded when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from assay.interface import (
        Answer,
        LostDigitsWarning,
        audit,
        check_scores,
        check_table,
        compare,
        inspect_repository,
        read_paper,
        scan_code,
        scan_data,
    )

__version__ = "0.2.0"
__all__ = [
    "Answer",
    "LostDigitsWarning",
    "audit",
    "check_scores",
    "check_table",
    "compare",
    "inspect_repository",
    "read_paper",
    "scan_code",
    "scan_data",
]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'assay' has no attribute {name!r}")
    from assay import interface

    return getattr(interface, name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])


def load_ipython_extension(shell: object) -> None:
    """What ``%load_ext assay`` calls; it gives ``%assay``."""
    from assay import notebook

    notebook.load(shell)


def unload_ipython_extension(shell: object) -> None:
    """What ``%unload_ext assay`` calls."""
    from assay import notebook

    notebook.unload(shell)
