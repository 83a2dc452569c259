"""Features of one slide, as CLAM and TIAToolbox write them: read as data, bounded, and never executed."""

from __future__ import annotations

import json
import os
import pickle
import zipfile
from collections import OrderedDict
from pathlib import Path
from typing import Any

import h5py
import imagecodecs
import numpy as np
import pytest
import torch

from assay.errors import InputError
from assay.slides.reading.feature_files import read_features
from assay.slides.reading.tensors import load_tensors

MATRIX = np.arange(12, dtype=np.float32).reshape(4, 3)
PLACES = np.array([[0, 0], [256, 0], [0, 256], [256, 256]])


def zarr_folder(folder: Path, name: str, array: np.ndarray[Any, Any], rows: int) -> None:
    """An array as zarr 2 writes it: chunks of rows, compressed by Blosc; the last chunk is filled up."""
    place = folder / name
    place.mkdir(parents=True)
    chunks = [rows, *array.shape[1:]]
    head = {
        "zarr_format": 2,
        "shape": list(array.shape),
        "chunks": chunks,
        "dtype": array.dtype.str,
        "compressor": {"id": "blosc", "cname": "lz4", "clevel": 5, "shuffle": 1, "blocksize": 0},
        "fill_value": 0,
        "order": "C",
        "filters": None,
    }
    (place / ".zarray").write_text(json.dumps(head))
    for number, start in enumerate(range(0, len(array), rows)):
        full = np.zeros(chunks, array.dtype)
        part = array[start : start + rows]
        full[: len(part)] = part
        (place / f"{number}.0").write_bytes(imagecodecs.blosc_encode(full.tobytes()))


def test_hdf5_as_clam_writes_it(tmp_path: Path) -> None:
    with h5py.File(tmp_path / "s.h5", "w") as file:
        file.create_dataset("features", data=MATRIX, maxshape=(None, 3), chunks=(2, 3), compression="gzip")
        file.create_dataset("coords", data=PLACES.astype(np.int32))
    found = read_features(tmp_path / "s.h5")
    assert np.array_equal(found.features, MATRIX)
    assert found.places is not None
    assert np.array_equal(found.places, PLACES)


@pytest.mark.parametrize("new", [True, False])
def test_tensors_of_both_formats_of_torch(tmp_path: Path, new: bool) -> None:
    torch.save(torch.from_numpy(MATRIX), tmp_path / "s.pt", _use_new_zipfile_serialization=new)
    assert np.array_equal(read_features(tmp_path / "s.pt").features, MATRIX)


@pytest.mark.parametrize("kind", [torch.float64, torch.float16, torch.bfloat16, torch.int64, torch.uint8])
def test_tensors_of_every_kind_equal_those_of_torch(tmp_path: Path, kind: torch.dtype) -> None:
    given = torch.arange(24).reshape(4, 6).to(kind)
    views = {"whole": given, "part": given[1:3, ::2], "turned": given.T, "number": given[0, 0]}
    torch.save(OrderedDict(views), tmp_path / "s.pt")
    found = load_tensors(tmp_path / "s.pt", "")
    assert isinstance(found, dict)
    for name, wanted in views.items():
        assert np.array_equal(found[name], wanted.float().numpy() if kind == torch.bfloat16 else wanted.numpy())


def test_numpy_files_of_both_versions_of_tiatoolbox(tmp_path: Path) -> None:
    np.save(tmp_path / "0.features.0.npy", MATRIX)
    np.save(tmp_path / "0.position.npy", np.column_stack([PLACES, PLACES + 256]))
    old = read_features(tmp_path / "0.features.0.npy")
    zarr_folder(tmp_path / "s.zarr", "features", MATRIX, rows=3)
    zarr_folder(tmp_path / "s.zarr", "coordinates", np.column_stack([PLACES, PLACES + 256]), rows=4)
    new = read_features(tmp_path / "s.zarr")
    for found in (old, new):
        assert np.array_equal(found.features, MATRIX)
        assert found.places is not None
        assert np.array_equal(found.places, PLACES)


class _Dangerous:
    """Creates a file when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return os.mkdir, (str(self.path),)


def test_a_tensor_file_that_would_run_something_is_refused(tmp_path: Path) -> None:
    trap = tmp_path / "trap"
    torch.save({"features": torch.zeros(2, 2), "more": _Dangerous(trap)}, tmp_path / "zip.pt")
    (tmp_path / "bare.pt").write_bytes(pickle.dumps(_Dangerous(trap)))
    for name in ("zip.pt", "bare.pt"):
        with pytest.raises(InputError, match="no plain tensors"):
            read_features(tmp_path / name)
    assert not trap.exists()


def test_a_tensor_that_reaches_beyond_its_storage_is_refused(tmp_path: Path) -> None:
    torch.save(torch.zeros(4, 3), tmp_path / "whole.pt")
    with zipfile.ZipFile(tmp_path / "whole.pt") as good, zipfile.ZipFile(tmp_path / "bad.pt", "w") as bad:
        for name in good.namelist():
            raw = good.read(name)
            bad.writestr(name, raw[: len(raw) // 2] if name.endswith("data/0") else raw)
    with pytest.raises(InputError, match="no plain tensors"):
        read_features(tmp_path / "bad.pt")


def test_hdf5_links_out_of_the_file_are_not_followed(tmp_path: Path) -> None:
    with h5py.File(tmp_path / "other.h5", "w") as file:
        file["features"] = MATRIX
    with h5py.File(tmp_path / "s.h5", "w") as file:
        file["features"] = h5py.ExternalLink(str(tmp_path / "other.h5"), "features")
    with pytest.raises(InputError, match="nothing called features"):
        read_features(tmp_path / "s.h5")


def test_hdf5_that_claims_to_be_huge_is_refused_before_it_is_read(tmp_path: Path) -> None:
    with h5py.File(tmp_path / "s.h5", "w") as file:
        file.create_dataset("features", shape=(10**9, 1000), dtype="f4", chunks=(1, 1000))
    with pytest.raises(InputError, match="1000000000 × 1000"):
        read_features(tmp_path / "s.h5")


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("s.h5", b"no", "is not HDF5"),
        ("s.pt", b"no", "no plain tensors"),
        ("s.npy", b"no", "no file of numbers"),
        ("s.npz", b"no", "no file of numbers"),
        ("s.csv", b"no", "no format of features"),
    ],
)
def test_what_holds_no_features_is_refused(tmp_path: Path, name: str, content: bytes, said: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=said):
        read_features(tmp_path / name)


def test_features_that_are_no_numbers_are_refused(tmp_path: Path) -> None:
    np.save(tmp_path / "s.npy", np.array([[1.0, np.nan]]))
    with pytest.raises(InputError, match="no number"):
        read_features(tmp_path / "s.npy")
    np.save(tmp_path / "o.npy", np.array([[1.0, None]]), allow_pickle=True)
    with pytest.raises(InputError, match="no file of numbers"):
        read_features(tmp_path / "o.npy")
