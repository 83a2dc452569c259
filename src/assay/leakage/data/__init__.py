"""The checks of tables: what of a leak the data themselves show, without the code that cut them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from assay.leakage.data.checking import check_folds, check_split
    from assay.leakage.data.split import Roles, Split, split_by_column, split_of_tables, splits_by_fold, unsplit

__all__ = [
    "Roles",
    "Split",
    "check_folds",
    "check_split",
    "split_by_column",
    "split_of_tables",
    "splits_by_fold",
    "unsplit",
]
_HOME = {"check_folds": "checking", "check_split": "checking"}


def __getattr__(name: str) -> Any:
    """Import what is asked for when it is asked for: the commands load this package, and polars is heavy."""
    from importlib import import_module

    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME.get(name, 'split')}"), name)
