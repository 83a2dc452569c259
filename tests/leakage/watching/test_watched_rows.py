"""A row has one key, whatever holds it; rows that differ have different keys."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from assay.leakage.watching.overlap import overlap
from assay.leakage.watching.rows import Rows, rows_of

TABLES = arrays(
    np.float64,
    st.tuples(st.integers(1, 12), st.integers(1, 6)),
    elements=st.floats(-1e6, 1e6, allow_nan=False) | st.sampled_from([0.0, -0.0, 1.0, 2.0, np.nan]),
)


def keys(table: object) -> list[int]:
    found = rows_of(table)
    assert found is not None
    return list(found.keys.tolist())


@given(TABLES)
def test_a_row_has_one_key_in_every_container(table: np.ndarray) -> None:
    expected = keys(table)
    assert keys(np.asfortranarray(table)) == expected
    assert keys(pl.DataFrame(table, schema=[f"c{n}" for n in range(table.shape[1])])) == expected
    assert keys(scipy.sparse.csr_matrix(table)) == expected
    assert keys(scipy.sparse.csc_matrix(table)) == expected
    assert keys(table.astype(object)) == expected
    assert keys(table.tolist()) == expected
    assert keys(pd.DataFrame(table)) == expected


@given(TABLES)
def test_keys_are_equal_exactly_when_rows_are(table: np.ndarray) -> None:
    with np.errstate(over="ignore"):
        single = table.astype(np.float32)  # rows are the same when a cast to 32 bits leaves them so
    rows = [tuple("nan" if np.isnan(x) else x + 0.0 for x in row) for row in single.tolist()]
    found = keys(table)
    for a in range(len(rows)):
        for b in range(len(rows)):
            assert (found[a] == found[b]) == (rows[a] == rows[b])


def test_a_key_does_not_depend_on_the_rows_around_it() -> None:
    table = np.random.default_rng(0).normal(size=(5_000, 7))
    assert keys(table[1234:1235]) == [keys(table)[1234]]


def test_small_whole_numbers_do_not_collide() -> None:
    grid = np.stack(np.meshgrid(*[np.arange(16)] * 4), axis=-1).reshape(-1, 4)
    assert len(set(keys(grid))) == 16**4


def test_words_and_numbers_mix() -> None:
    frame = pl.DataFrame({"age": [1, 2, 1], "town": ["A", None, "A"]})
    first, second, third = keys(frame)
    assert first == third != second
    assert keys(np.array(frame.rows(), dtype=object)) == [first, second, third]


def test_texts_are_rows() -> None:
    assert keys(["a b", "c", "a b"])[0] == keys(["a b"])[0]


def test_pictures_are_rows() -> None:
    pictures = np.random.default_rng(0).normal(size=(4, 3, 3, 2))
    assert keys(pictures) == keys(pictures.reshape(4, -1))


@pytest.mark.parametrize("thing", [None, 3, "text", {"a": 1}, iter([1]), np.float64(3)])
def test_what_has_no_rows_has_no_keys(thing: object) -> None:
    assert rows_of(thing) is None


@pytest.mark.parametrize("thing", [[], np.empty((0, 3)), [[]], [{"a": [1]}, {"b": {}}], [object()]])
def test_odd_inputs_are_taken(thing: list[object]) -> None:
    assert len(keys(thing)) == len(thing)


def test_labels_tell_the_same_row_from_a_copy() -> None:
    values = np.array([[1.0], [2.0], [3.0]])
    fitted = rows_of(pd.DataFrame(values, ["a", "b", "c"]))
    again = rows_of(pd.DataFrame(values[:2], ["a", "b"]))
    copies = rows_of(pd.DataFrame(values[:2], ["x", "y"]))
    assert isinstance(fitted, Rows)
    assert isinstance(again, Rows)
    assert isinstance(copies, Rows)
    assert overlap(again, fitted).same == 2
    assert overlap(copies, fitted).same == 0
    assert overlap(copies, fitted).other_labels
