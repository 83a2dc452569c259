"""The system record: on what a run ran. It names no person, host or path."""

from __future__ import annotations

import os
import platform
from importlib import metadata
from typing import Any

from assay import __version__
from assay.extras import optional

_PACKAGES = (
    *("numpy", "scipy", "scikit-learn", "scikit-image", "pillow", "polars"),
    *("openslide-python", "openslide-bin", "tifffile", "imagecodecs", "torch"),
    *("xgboost", "xgboost-cpu"),
)


def environment(architecture: str, workers: int) -> dict[str, Any]:
    """Versions and machine, as plain data."""
    return {
        "assay": __version__,
        "python": platform.python_version(),
        "system": platform.system(),
        "release": platform.release(),
        "machine": platform.machine(),
        "cores": os.cpu_count(),
        "workers": workers,
        "device": _device(architecture),
        "packages": {name: version for name in _PACKAGES if (version := _version(name))},
    }


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""


def _device(architecture: str) -> str:
    if architecture == "light":
        return "cpu"
    torch = optional("torch")
    return str(torch.cuda.get_device_name(0)) if torch.cuda.is_available() else "cpu"
