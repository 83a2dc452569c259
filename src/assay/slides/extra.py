"""What comes with the extra ``assay[slides]``, and what to say when it is not installed."""

from __future__ import annotations

import importlib
from typing import Any

from assay.errors import InputError


def needed(module: str) -> Any:
    """The module, imported now; or an `InputError` that names the extra which brings it."""
    try:
        return importlib.import_module(module)
    except ImportError:
        name = module.partition(".")[0]
        raise InputError(f'"{name}" is not installed', fix="Run: pip install 'assay[slides]'") from None
