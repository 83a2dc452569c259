"""Every table is read, or refused with a sentence that helps."""

import contextlib
import os
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.exceptions import PanicException

from assay import tables
from assay.errors import InputError
from assay.tables import plain_table, read_csv_text, read_table, sniff_delimiter
from made_workbook import workbook

PLAIN = {pl.Int64, pl.Float64, pl.String, pl.Boolean, pl.Datetime("us")}


def saved(folder: Path, content: str | bytes, name: str = "table.csv") -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_found(tmp_path, delimiter):
    text = "a,b,c\n1,2,x y\n3,4,z\n".replace(",", delimiter)
    assert read_table(saved(tmp_path, text)).frame.shape == (2, 3)


def test_all_formats_give_the_same_table(tmp_path):
    frame = pl.DataFrame({"a": [1, 2, 3], "b": [0.5, 1.5, 2.5], "c": ["x", "y", "z"]})
    frame.write_csv(tmp_path / "t.csv")
    frame.write_parquet(tmp_path / "t.parquet")
    frame.write_ipc(tmp_path / "t.feather")
    for name in ("t.csv", "t.parquet", "t.feather"):
        assert read_table(tmp_path / name).frame.equals(frame), name


def test_a_page_that_announces_more_values_than_there_is_memory_is_refused(tmp_path: Path) -> None:
    """Polars ends the process that decodes it."""
    path = tmp_path / "t.parquet"
    pl.DataFrame({"a": [1, 2, 3], "b": ["x", None, "z"]}).write_parquet(path)
    content = bytearray(path.read_bytes())
    content[content.index(b",\x15\x06") + 2] = 0x53  # the number of values in the head of the first page
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"t\.parquet: is damaged: its reader ran out of memory"):
        read_table(path)


def test_excel_is_read_and_the_other_sheets_are_named(tmp_path):
    book = workbook(tmp_path / "t.xlsx", [["a", "b"], [1, 2], [3, 4]], sheets=2)
    read = read_table(book)
    assert read.frame.get_column("b").to_list() == [2, 4]
    assert "S2" in read.left_out[0]
    assert read_table(book, sheet="S2").left_out == ()
    with pytest.raises(InputError, match='no sheet "S9"'):
        read_table(book, sheet="S9")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "is empty"),
        ("a,b\n", "has no rows"),
        ("a\n1\n2\n", "fewer than two columns"),
        ("a,b\n1,2\n3,4,5\n", r":3: 3 cells for 2 columns"),
        (b"PK\x00\x01\x02", "is not text"),
        ('a,b\n"x,1\n2,3\n', "cannot be read as CSV|fewer|no rows"),
    ],
)
def test_broken_csv_is_refused_with_a_reason(tmp_path, content, said):
    with pytest.raises(InputError, match=said):
        read_table(saved(tmp_path, content))


@pytest.mark.parametrize("name", ["t.parquet", "t.feather", "t.xlsx", "t.xls"])
def test_what_is_not_the_format_it_pretends_to_be_is_refused(tmp_path, name):
    with pytest.raises(InputError, match="cannot be read as"):
        read_table(saved(tmp_path, b"no such thing" * 20, name))


def test_paths_that_are_no_tables_are_refused(tmp_path):
    with pytest.raises(InputError, match="is not a table"):
        read_table(saved(tmp_path, "%PDF", "t.pdf"))
    with pytest.raises(InputError, match="cannot be read"):
        read_table(tmp_path / "absent.csv")
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(InputError, match="is a folder"):
        read_table(tmp_path / "folder.csv")


def test_a_table_with_more_cells_than_memory_is_refused_before_it_is_read(tmp_path, monkeypatch):
    pl.DataFrame({"a": [1, 2, 3], "b": [1, 2, 3]}).write_parquet(tmp_path / "t.parquet")
    monkeypatch.setattr(tables, "MAX_CELLS", 5)
    with pytest.raises(InputError, match="more than 5 cells"):
        read_table(tmp_path / "t.parquet")


def test_letters_of_another_encoding_are_read_and_said(tmp_path):
    read = read_table(saved(tmp_path, "a,b\ncafé,1\nthé,2\n".encode("latin-1")))
    assert read.frame.get_column("a").to_list() == ["café", "thé"]
    assert "not UTF-8" in read.left_out[0]
    assert read_table(saved(tmp_path, "a,b\ncafé,1\n".encode("utf-16"))).frame[0, "a"] == "café"


def test_types_that_change_late_do_not_stop_the_reading(tmp_path):
    text = "a,b\n" + "1,2\n" * 12_000 + "x,3\n"
    assert read_table(saved(tmp_path, text)).frame.get_column("a").dtype == pl.String


def test_names_that_occur_twice_or_are_blank_are_told_apart(tmp_path):
    read = read_table(saved(tmp_path, "a,a,\n1,2,3\n"))
    assert len(set(read.frame.columns)) == 3
    assert all(name.strip() for name in read.frame.columns)
    assert "occur twice" in read.left_out[0]


def test_missing_values_are_gaps_and_infinite_ones_are_said():
    read = read_csv_text("a,b,c\n1.5,NA,inf\n,?,2.0\nNaN,3,1.0\n")
    assert read.frame.get_column("a").to_list() == [1.5, None, None]
    assert read.frame.get_column("b").null_count() == 2
    assert read.frame.get_column("c").to_list() == [None, 2.0, 1.0]
    assert "infinite" in read.left_out[0]


def test_columns_become_plain_and_nested_ones_are_left_out():
    frame = pl.DataFrame(
        {"a": [1, 2], "d": [date(2020, 1, 1), None], "n": [[1], [2]], "c": pl.Series(["x", "y"], dtype=pl.Categorical)}
    )
    read = plain_table(frame, "t")
    assert set(read.frame.dtypes) <= PLAIN
    assert read.frame.columns == ["a", "d", "c"]
    assert "nested" in read.left_out[0]


def test_ten_thousand_columns_are_read(tmp_path):
    names = [f"c{i}" for i in range(10_000)]
    rows = [",".join(str(i % 7) for i in range(10_000))] * 3
    assert read_table(saved(tmp_path, "\n".join([",".join(names), *rows]))).frame.width == 10_000


@settings(max_examples=40)
@given(
    st.sampled_from(["parquet", "feather"]), st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 255)), max_size=6)
)
def test_a_file_with_flipped_bytes_is_read_or_refused(tmp_path_factory, ending, flips):
    path = tmp_path_factory.getbasetemp() / f"flipped.{ending}"
    frame = pl.DataFrame({"a": range(50), "b": [i / 7 for i in range(50)], "c": ["x", "yy"] * 25})
    frame.write_parquet(path) if ending == "parquet" else frame.write_ipc(path)
    content = bytearray(path.read_bytes())
    for place, value in flips:
        content[place % len(content)] = value
    path.write_bytes(bytes(content))
    with contextlib.suppress(InputError):
        assert read_table(path).frame.width >= 2


@settings(max_examples=40)
@given(st.binary(max_size=300))
def test_no_bytes_make_the_reader_fail_otherwise(tmp_path_factory, content):
    path = saved(tmp_path_factory.getbasetemp(), content, "any.csv")
    try:
        read = read_table(path)
    except InputError:
        return
    assert set(read.frame.dtypes) <= PLAIN
    assert read.frame.height > 0


@given(st.text(max_size=200))
def test_a_delimiter_is_always_named(text):
    assert sniff_delimiter(text) in ",;\t|"


def says_and_fails(path, wanted):
    os.write(2, b"thread 'polars-0' panicked at row_group_decode.rs:418:9")
    raise PanicException("assertion failed")


def says_and_reads(path, wanted):
    os.write(2, b"a warning")
    return pl.DataFrame({"a": [1], "b": [2]}), ()


def test_what_rust_says_about_a_broken_file_is_told_once_and_in_our_words(tmp_path, monkeypatch, capfd):
    path = saved(tmp_path, b"PAR1", "t.parquet")
    monkeypatch.setitem(tables._FRAME_OF, "Parquet", says_and_fails)
    with pytest.raises(InputError, match="cannot be read as Parquet"):
        read_table(path)
    assert capfd.readouterr().err == ""
    monkeypatch.setitem(tables._FRAME_OF, "Parquet", says_and_reads)
    assert read_table(path).frame.shape == (1, 2)
    assert capfd.readouterr().err == "a warning"


def test_tables_read_in_several_threads_leave_standard_error_where_it_was(tmp_path):
    path = saved(tmp_path, "a,b\n1,2\n")
    before = os.fstat(2)
    with ThreadPoolExecutor(8) as threads:
        read = list(threads.map(read_table, [path] * 200))
    assert [table.frame.shape for table in read] == [(1, 2)] * 200
    assert os.path.samestat(before, os.fstat(2))
