"""The features of one slide: a matrix with a row for each patch, from the files that CLAM and TIAToolbox write.

Parse only: no file is unpickled, no compression plug-in is loaded, no link out of a file is followed, and what is
larger than the bound is refused before it is read.
"""

from __future__ import annotations

import json
import math
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.errors import InputError
from assay.extras import optional
from assay.files import is_there, read_bytes, read_text
from assay.records import dataclass
from assay.slides.reading.tensors import load_tensors

Features = NDArray[np.float32]
Places = NDArray[np.float64]

MAX_NUMBERS = 500_000_000
"""Of one slide: 250,000 patches with 2,000 features."""
_NAMES = ("features", "feats", "embeddings")
"""What the matrix is called: CLAM and TIAToolbox say features, others the rest."""
_PLACES = ("coords", "coordinates", "positions")
_FIX = "It should hold one matrix, a row for each patch, called features."
_HDF5_FILTERS = (None, "gzip", "lzf")
"""Compressions that HDF5 brings along; any other would load a plug-in."""
_ZARR_CODECS = {"blosc": "blosc_decode", "zlib": "zlib_decode", "gzip": "gzip_decode", "zstd": "zstd_decode"}
_MAX_CHUNKS = 100_000
_Member = Callable[[str], "NDArray[Any] | None"]
"""An array of a file by its name; None when there is none."""


@dataclass(frozen=True, slots=True)
class BagFile:
    """What a file says of one slide."""

    features: Features
    places: Places | None
    """Upper left corners of the patches, in pixels; None where the file does not say."""


def read_features(path: Path) -> BagFile:
    """The features in a file, and the places of the patches if they are there."""
    reader = READERS.get(path.suffix.lower())
    if reader is None:
        raise InputError(f'"{path.suffix}" is no format of features', where=str(path), fix=f"Known: {known_endings()}.")
    if not is_there(path):
        raise InputError("is not there", where=str(path), fix="Check the table of bags.")
    features, places = reader(path)
    if features.ndim == 3 and features.shape[0] == 1:  # one bag in a batch
        features = features[0]
    if features.ndim != 2 or features.dtype.kind not in "fiu":
        raise InputError("holds no matrix of numbers", where=str(path), fix=_FIX)
    _bounded(features.shape, path)
    found = features.astype(np.float32)
    if not np.isfinite(found).all():
        raise InputError("has a feature that is no number", where=str(path), fix="Extract the features again.")
    return BagFile(found, _checked_places(places, len(found), path))


def known_endings() -> str:
    """The formats in words."""
    return ", ".join(READERS)


Pair = tuple[NDArray[Any], NDArray[Any] | None]


def _tensor(path: Path) -> Pair:
    found = load_tensors(path, _FIX)
    return (found, None) if isinstance(found, np.ndarray) else _by_names(found.get, path)


def _numpy(path: Path) -> Pair:
    try:
        if path.suffix.lower() == ".npz":
            return _archived(path)
        found = np.load(path, allow_pickle=False, mmap_mode="r")
        _bounded(found.shape, path)
        return np.array(found), _beside(path)
    except (OSError, ValueError, EOFError, MemoryError, AttributeError, zipfile.BadZipFile) as error:
        if isinstance(error, InputError):
            raise
        raise InputError("is no file of numbers", where=str(path), fix=_FIX) from None


def _archived(path: Path) -> Pair:
    with zipfile.ZipFile(path) as archive:
        if sum(entry.file_size for entry in archive.infolist()) > 8 * MAX_NUMBERS:
            raise InputError("holds too many numbers", where=str(path), fix=_FIX)
    with np.load(path, allow_pickle=False) as found:
        return _by_names(lambda name: found[name] if name in found.files else None, path)


def _beside(path: Path) -> NDArray[Any] | None:
    """TIAToolbox 1 writes the places as ``NAME.position.npy`` beside ``NAME.features.0.npy``."""
    stem = path.name.partition(".features")[0]
    other = path.with_name(f"{stem}.position.npy")
    return np.load(other, allow_pickle=False) if other != path and is_there(other) else None


def _hdf5(path: Path) -> Pair:
    h5py = optional("h5py")
    try:
        with h5py.File(path, "r", locking=False) as file:
            return _by_names(lambda name: _dataset(h5py, file, name, path), path)
    except (OSError, RuntimeError, ValueError, TypeError, KeyError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError("is not HDF5", where=str(path), fix=_FIX) from None


def _dataset(h5py: Any, file: Any, name: str, path: Path) -> NDArray[Any] | None:
    if not isinstance(file.get(name, getlink=True), h5py.HardLink):
        return None
    found = file[name]
    plain = isinstance(found, h5py.Dataset) and not found.is_virtual and not found.external
    if not plain or found.dtype.kind not in "fiu" or found.compression not in _HDF5_FILTERS:
        raise InputError(f'"{name}" is stored in a way that is not read', where=str(path), fix=_FIX)
    _bounded(found.shape, path)
    return np.asarray(found[()])


def _zarr(path: Path) -> Pair:
    return _by_names(lambda name: zarr_array(path / name), path)


def zarr_array(folder: Path) -> NDArray[Any] | None:
    """An array of Zarr, version 2: a JSON file beside one file for each chunk of rows."""
    if not is_there(folder / ".zarray"):
        return None
    try:
        head = json.loads(read_text(folder / ".zarray", 64 * 1024))
        shape, chunks = tuple(map(int, head["shape"])), tuple(map(int, head["chunks"]))
        _bounded(shape, folder)
        _bounded(chunks, folder)
        return _assembled(folder, shape, chunks, *_coded(head))
    except (ValueError, KeyError, TypeError, RuntimeError, RecursionError) as error:
        if isinstance(error, InputError):
            raise
        fix = "Save it as Zarr of version 2 with Blosc, zlib, gzip or Zstandard."
        raise InputError("is stored in a way that is not read", where=str(folder), fix=fix) from None


def _coded(head: dict[str, Any]) -> tuple[np.dtype[Any], str]:
    """The kind of number and the compression; anything unusual is a `ValueError`."""
    kind, how = np.dtype(head["dtype"]), head["compressor"]
    plain = head["zarr_format"] == 2 and head["order"] == "C" and not head.get("filters")
    if not plain or kind.kind not in "fiu":
        raise ValueError
    return kind, str(how["id"]) if how else ""


def _assembled(
    folder: Path, shape: tuple[int, ...], chunks: tuple[int, ...], kind: np.dtype[Any], codec: str
) -> NDArray[Any]:
    decode = getattr(optional("imagecodecs"), _ZARR_CODECS[codec]) if codec else bytes
    if math.prod(math.ceil(n / step) for n, step in zip(shape, chunks, strict=True)) > _MAX_CHUNKS:
        raise ValueError
    out = np.zeros(shape, kind)
    wanted = math.prod(chunks) * kind.itemsize
    for place in np.ndindex(*(math.ceil(n / step) for n, step in zip(shape, chunks, strict=True))):
        path = folder / ".".join(map(str, place))
        if not is_there(path):
            continue  # a chunk of zeros
        raw = decode(read_bytes(path, 2 * wanted + 1024**2), **({"out": wanted} if codec else {}))
        window = tuple(slice(i * step, (i + 1) * step) for i, step in zip(place, chunks, strict=True))
        here = out[window]
        here[...] = np.frombuffer(raw, kind).reshape(chunks)[tuple(slice(n) for n in here.shape)]
    return out


READERS: dict[str, Callable[[Path], Pair]] = {
    ".h5": _hdf5,
    ".hdf5": _hdf5,
    ".pt": _tensor,
    ".pth": _tensor,
    ".npy": _numpy,
    ".npz": _numpy,
    ".zarr": _zarr,
}
"""By ending."""


def _by_names(member: _Member, path: Path) -> Pair:
    features = next((found for name in _NAMES if (found := member(name)) is not None), None)
    if features is None:
        raise InputError("holds nothing called features", where=str(path), fix=_FIX)
    return features, next((found for name in _PLACES if (found := member(name)) is not None), None)


def _bounded(shape: tuple[int, ...], path: Path) -> None:
    if min(shape, default=1) < 1 or math.prod(shape) > MAX_NUMBERS:
        raise InputError(f"has the shape {' × '.join(map(str, shape))}", where=str(path), fix=_FIX)


def _checked_places(places: NDArray[Any] | None, count: int, path: Path) -> Places | None:
    if places is None:
        return None
    if places.ndim == 3 and places.shape[0] == 1:
        places = places[0]
    if places.ndim != 2 or len(places) != count or places.shape[1] < 2 or places.dtype.kind not in "fiu":
        raise InputError("has other places than patches", where=str(path), fix="Extract the features again.")
    return places[:, :2].astype(np.float64)
