"""Optional packages: the extra that installs each, and the message if one is missing."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from itertools import takewhile
from typing import Any, NamedTuple

from assay.errors import InputError

DISTRIBUTION = "assay-ml"
"""What pip installs; the import name and the command are `assay`."""


class Package(NamedTuple):
    """An optional package."""

    name: str
    """Its name for pip."""
    extra: str


PACKAGES: dict[str, Package] = {
    "numpy": Package("numpy", "scores"),
    "scipy": Package("scipy", "scores"),
    "fastexcel": Package("fastexcel", "data"),
    "matplotlib": Package("matplotlib", "data"),
    "polars": Package("polars", "data"),
    "sklearn": Package("scikit-learn", "data"),
    "threadpoolctl": Package("scikit-learn", "data"),
    "PIL": Package("pillow", "papers"),
    "docx": Package("python-docx", "papers"),
    "pypdfium2": Package("pypdfium2", "papers"),
    "reportlab": Package("reportlab", "papers"),
    "alembic": Package("alembic", "studies"),
    "sqlalchemy": Package("sqlalchemy", "studies"),
    "psycopg": Package("psycopg", "postgres"),
    "fastapi": Package("fastapi", "serve"),
    "multipart": Package("python-multipart", "serve"),
    "python_multipart": Package("python-multipart", "serve"),
    "starlette": Package("fastapi", "serve"),
    "uvicorn": Package("uvicorn", "serve"),
    "duckdb": Package("duckdb", "corpus"),
    "dask": Package("distributed", "cluster"),
    "dask_jobqueue": Package("dask-jobqueue", "cluster"),
    "distributed": Package("distributed", "cluster"),
    "imagecodecs": Package("imagecodecs", "slides"),
    "h5py": Package("h5py", "slides"),
    "lxml": Package("lxml", "slides"),
    "openslide": Package("openslide-python", "slides"),
    "skimage": Package("scikit-image", "slides"),
    "tifffile": Package("tifffile", "slides"),
    "torch": Package("torch", "slides-cnn"),
    "xgboost": Package("xgboost", "slides-xgboost"),
    "lsprotocol": Package("lsprotocol", "editor"),
    "pygls": Package("pygls", "editor"),
}
"""Optional packages by import name. If several extras install one, the smallest is listed."""


COMMANDS: dict[str, str] = {
    "ablate": "data",
    "compare": "data",
    "corpus": "corpus",
    "leakage data": "data",
    "leakage impact": "data",
    "leakage sheet": "data",
    "repo calibrate": "data",
    "repo evaluate": "data",
    "serve": "serve",
    "slides": "slides",
    "study": "studies",
}
"""Commands that need more than one package, with the extra that installs all of them."""


class MissingPackageError(InputError):
    """An optional package is needed and not installed."""


def missing_package(error: ImportError, arguments: Sequence[str] = ()) -> MissingPackageError | None:
    """What to install, if the import that failed was one of an optional package; None if it is a fault of our own.

    `arguments` is the command line, without the program's name, if there is one.
    """
    package = PACKAGES.get((error.name or "").partition(".")[0])
    if package is None:
        return None
    words = list(takewhile(_is_word, arguments[:2]))
    known = next((c for c in (" ".join(words), " ".join(words[:1])) if c in COMMANDS), "")
    extra = package.extra if package.extra.startswith("slides-") else COMMANDS.get(known, package.extra)
    wanted_by = known or " ".join(words) or "this function"
    return MissingPackageError(f'{wanted_by} needs {package.name}: pip install "{DISTRIBUTION}[{extra}]"')


def _is_word(argument: str) -> bool:
    return argument.isalpha()


def require(module: str) -> None:
    """Check that an optional module is installed without importing it: another process will."""
    if importlib.util.find_spec(module) is None:
        raise missing_package(ModuleNotFoundError(name=module)) or ModuleNotFoundError(name=module)


def optional(module: str) -> Any:
    """Import an optional module; a `MissingPackageError` names the extra to install."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        missing = missing_package(error)
        if missing is None:
            raise
        raise missing from None
