"""Rows known by their content: one 64-bit key for each row of whatever scikit-learn takes.

A row has the same key in a NumPy array, a data frame of pandas or polars and a sparse matrix, as long as its
numbers are the same to single precision, in the same columns. The key is a sum of multiplied bits (multilinear
hashing), so it costs a few passes over the memory, and zeros add nothing, which is why sparse and dense rows agree.
The weights are odd and fixed; the bits are folded first, for the doubles of small whole numbers differ in their highest
bits alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.leakage.watching.sketches import Sketch, sketch_of

Keys = NDArray[np.uint64]

_AT_ONCE = 1 << 15
"""Cells hashed in one go, so that what lies between stays in the cache of the processor."""
_SMALL = 1 << 14
"""Cells of a table that is copied first and hashed later: hashing it would cost as much as a small fit."""
_SPARSE_COLUMNS, _MOST_CELLS = 16, 20_000_000
_NUMERIC = frozenset("fiub")
_MIX = np.uint64(0x9E3779B97F4A7C15)


class Rows:
    """The keys of rows by content and, where the table has an index (pandas), by label.

    Keys of a small table cost more than many a fit, so such a table is copied, and its keys are worked out when they
    are asked for.
    """

    __slots__ = ("_copy", "_count", "_index", "_keys", "_labels", "_sketch")

    def __init__(self, keys: Keys, labels: Keys | None = None) -> None:
        self._keys: Keys | None = keys
        self._copy: Any = None
        self._sketch: Sketch | None = None
        self._count, self._index, self._labels = len(keys), None, labels

    @classmethod
    def of_copy(cls, numbers: NDArray[Any], index: Any = None) -> Rows:
        """The rows of a small matrix of numbers, which is copied; an index of pandas never changes."""
        rows = cls.__new__(cls)
        rows._count, rows._copy, rows._index = len(numbers), numbers.copy(), index
        rows._keys = rows._labels = rows._sketch = None
        return rows

    @property
    def keys(self) -> Keys:
        """One key for each row, by its content."""
        if self._keys is None:
            self._keys = keys_of_numbers(self._copy)
        return self._keys

    @property
    def labels(self) -> Keys | None:
        """One key for each row, by its label."""
        if self._labels is None and self._index is not None:
            self._labels = _labels(self._index)
        return self._labels

    @property
    def sketch(self) -> Sketch | None:
        """Of its columns, to recognise them where the rows have changed."""
        if self._sketch is None and self._copy is not None:
            self._sketch = sketch_of(list(self._copy.T), self._count)
        return self._sketch

    def remember(self, columns: Sequence[NDArray[Any]]) -> Rows:
        """Keep a sketch of these columns, which are those of the rows."""
        self._sketch = sketch_of(columns, self._count)
        return self

    @property
    def copied(self) -> int:
        """The bytes that were copied."""
        return 0 if self._copy is None else self._copy.nbytes

    def settle(self) -> None:
        """Work out what is kept, and give up the copy."""
        if self._copy is not None:
            self._keys, self._labels, self._sketch = self.keys, self.labels, self.sketch
            self._copy = self._index = None

    def __len__(self) -> int:
        return self._count

    def only(self, chosen: NDArray[np.bool_]) -> Rows:
        """Some of them."""
        return Rows(self.keys[chosen], None if self.labels is None else self.labels[chosen])


def rows_of(table: Any, *, columns: bool = True) -> Rows | None:
    """The rows of a table, array, matrix or list, with a sketch of their columns; None when it is none of these."""
    if type(table) is np.ndarray:
        return _of_array(table, columns)
    if hasattr(table, "iloc"):  # pandas, which is slow to say what it lacks
        return _of_labelled(table, columns)
    if hasattr(table, "tocsr"):
        rows = Rows(_of_sparse(table.tocsr()))
        return rows.remember(_fullest_columns(table)) if columns else rows
    if hasattr(table, "get_columns"):  # polars
        return _of_named([_values(column) for column in table.get_columns()], len(table), columns)
    if hasattr(table, "column_names") and hasattr(table, "to_pandas"):  # Hugging Face datasets, Arrow tables
        return _of_labelled(table.to_pandas(), columns, labels=False)  # its row numbers are no labels
    return _of_array(_as_array(table), columns) if _is_listed(table) else None


def _is_listed(table: Any) -> bool:
    return not isinstance(table, (str, bytes, dict)) and (hasattr(table, "__len__") or hasattr(table, "__array__"))


def _as_array(table: Any) -> NDArray[Any]:
    if hasattr(table, "__array__"):
        return np.asarray(table)
    listed = list(table)
    if listed and isinstance(listed[0], (str, bytes, dict)):
        held = np.empty(len(listed), dtype=object)
        held[:] = listed
        return held
    return np.asarray(listed)


def _of_array(values: NDArray[Any], columns: bool) -> Rows | None:
    if values.ndim == 0:
        return None
    flat = values.reshape(len(values), -1) if values.size else np.empty((len(values), 0))
    if flat.dtype.kind not in _NUMERIC:
        return Rows(_of_columns([flat[:, number] for number in range(flat.shape[1])], len(flat)))
    return _of_matrix(flat, columns)


def _of_matrix(numbers: NDArray[Any], columns: bool, index: Any = None) -> Rows:
    if numbers.size <= _SMALL:
        return Rows.of_copy(numbers, index)
    rows = Rows(keys_of_numbers(numbers), _labels(index))
    return rows.remember(list(numbers.T)) if columns else rows


def _of_named(values: list[NDArray[Any]], count: int, columns: bool, index: Any = None) -> Rows:
    rows = Rows(_of_columns(values, count), _labels(index))
    return rows.remember(values) if columns else rows


def _labels(index: Any) -> Keys | None:
    return None if index is None else _of_columns([np.asarray(index)], len(index))


def _of_labelled(table: Any, columns: bool, *, labels: bool = True) -> Rows:
    index, numbers = table.index if labels else None, _numbers(table)
    if numbers is not None:
        return _of_matrix(numbers, columns, index)
    values = [table] if table.ndim == 1 else [table.iloc[:, number] for number in range(table.shape[1])]
    return _of_named([column.to_numpy() for column in values], len(table), columns, index)


def _numbers(table: Any) -> NDArray[Any] | None:
    """A frame as one matrix; None where not all of its columns are numbers, or it is a single column."""
    if table.ndim == 1:
        return None
    kinds = {getattr(dtype, "kind", "O") for dtype in set(table.dtypes)}
    if not kinds <= _NUMERIC:
        return None
    mixed = "b" in kinds and len(kinds) > 1  # pandas makes objects of yes, no and numbers together
    return np.asarray(table.to_numpy(dtype=np.float64) if mixed else table.to_numpy())


def _fullest_columns(matrix: Any) -> list[NDArray[Any]]:
    """Some columns of a sparse matrix, dense for as long as it takes."""
    if matrix.shape[0] * _SPARSE_COLUMNS > _MOST_CELLS:
        return []
    by_column = matrix.tocsc()
    fullest = np.argsort(-np.diff(by_column.indptr), kind="stable")[:_SPARSE_COLUMNS]
    return [by_column[:, [number]].toarray()[:, 0] for number in fullest]


def _values(column: Any) -> NDArray[Any]:
    """A column of polars as an array."""
    if column.dtype.is_numeric() or column.dtype.is_temporal():
        return np.asarray(column.to_numpy())
    return _as_array(column.to_list())


def keys_of_numbers(values: NDArray[Any]) -> Keys:
    """The keys of the rows of a matrix of numbers."""
    rows, columns = values.shape
    weights, keys = _weights(columns), np.empty(rows, dtype=np.uint64)
    step = max(1, min(rows, _AT_ONCE // max(columns, 1)))
    numbers, shifted = np.empty((step, columns)), np.empty((step, columns), dtype=np.uint64)
    for start in range(0, rows, step):
        part = values[start : start + step]
        held, moved = numbers[: len(part)], shifted[: len(part)]
        if part.dtype == np.float64:
            np.add(part.astype(np.float32), 0.0, out=held)  # as a cast to 32 bits leaves it; the two zeros are one
        else:
            np.add(part, 0.0, out=held)
        bits = held.view(np.uint64)
        np.right_shift(bits, np.uint64(32), out=moved)
        np.bitwise_xor(bits, moved, out=bits)
        np.einsum("ij,j->i", bits, weights, out=keys[start : start + step])
    return _mixed(keys)


def _of_sparse(matrix: Any) -> Keys:
    bits = (_rounded(np.asarray(matrix.data)) + 0.0).view(np.uint64)
    bits ^= bits >> np.uint64(32)
    summed = np.zeros(len(bits) + 1, dtype=np.uint64)
    np.cumsum(bits * _weights(matrix.shape[1])[matrix.indices], out=summed[1:])
    return _mixed(summed[matrix.indptr[1:]] - summed[matrix.indptr[:-1]])


def _of_columns(columns: Iterable[NDArray[Any]], rows: int) -> Keys:
    """The same sum, column by column, where they are not all numbers."""
    held = list(columns)
    keys = np.zeros(rows, dtype=np.uint64)
    for values, weight in zip(held, _weights(len(held)), strict=True):
        keys += _bits(values) * weight
    return _mixed(keys)


def _bits(values: NDArray[Any]) -> Keys:
    if values.dtype.kind in "mM":
        values = values.astype(np.int64)
    if values.dtype.kind == "O":
        values = _numbers_if_possible(values)
    if values.dtype.kind in _NUMERIC:
        bits = (_rounded(values) + 0.0).view(np.uint64)
        return np.asarray(bits ^ (bits >> np.uint64(32)))
    return np.fromiter((_hash(value) for value in values.tolist()), dtype=np.int64, count=len(values)).view(np.uint64)


def _rounded(values: NDArray[Any]) -> NDArray[np.float64]:
    """Doubles as a cast to 32 bits leaves them, so that a row is the same row after it; whole numbers stay exact."""
    if values.dtype.kind == "f":
        with np.errstate(over="ignore"):
            values = values.astype(np.float32)
    return values.astype(np.float64)


def _numbers_if_possible(values: NDArray[Any]) -> NDArray[Any]:
    if len(values) and isinstance(values[0], (str, bytes)):
        return values
    try:
        return values.astype(np.float64)
    except (TypeError, ValueError):
        return values


def _hash(value: object) -> int:
    """Python's own hash, which strings remember; missing values are all alike."""
    try:
        return hash(value) if value == value else 0  # noqa: PLR0124 - that is how a NaN shows
    except (TypeError, ValueError):
        return hash(repr(value))


def _mixed(keys: Keys) -> Keys:
    keys ^= keys >> np.uint64(29)
    keys *= _MIX
    keys ^= keys >> np.uint64(32)
    return keys


@lru_cache(maxsize=64)
def _weights(columns: int) -> Keys:
    """Odd multipliers; those of a narrow table are the first of a wide one's."""
    # A fixed seed: a row must have the same key in every table.
    return np.random.default_rng(20_230_804).integers(0, 1 << 64, columns, dtype=np.uint64) | np.uint64(1)
