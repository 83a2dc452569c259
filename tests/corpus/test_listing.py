"""Lists of subjects in every format say the same, and what is wrong with one is said before the run."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.corpus.subject import Subject
from assay.corpus.subject_list import read_listing
from assay.errors import InputError

ROWS = [{"path": "a", "field": "physics", "year": "2020"}, {"path": "b/c", "field": "", "year": "2021"}]


def subjects(path: Path, **options: object) -> list[Subject]:
    return list(read_listing(path, **options).subjects())  # type: ignore[arg-type]


def written(folder: Path, ending: str) -> Path:
    path = folder / f"list.{ending}"
    if ending == "parquet":
        pl.DataFrame(ROWS).write_parquet(path)
    elif ending == "jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    else:
        separator = "\t" if ending == "tsv" else ","
        path.write_text("\n".join(separator.join(row) for row in [list(ROWS[0]), *(list(r.values()) for r in ROWS)]))
    return path


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl", "parquet"])
def test_every_format_gives_the_same_subjects(tmp_path: Path, ending: str) -> None:
    found = subjects(written(tmp_path, ending))
    assert [(s.row, s.name, s.groups) for s in found] == [(0, "a", ("physics", "2020")), (1, "b/c", ("", "2021"))]
    assert [s.source for s in found] == [str(tmp_path / "a"), str(tmp_path / "b/c")]


def test_addresses_and_absolute_paths_stay_as_they_are(tmp_path: Path) -> None:
    (tmp_path / "l.csv").write_text("repo\nhttps://example.org/a/b\n/abs\n")
    assert [s.source for s in subjects(tmp_path / "l.csv")] == ["https://example.org/a/b", "/abs"]


def test_figures_in_json_keep_their_digits(tmp_path: Path) -> None:
    (tmp_path / "l.jsonl").write_text('{"p": 10, "n": 20, "acc": 0.940}\n')
    assert subjects(tmp_path / "l.jsonl", itself=True)[0].cells == (("p", "10"), ("n", "20"), ("acc", "0.940"))


def test_a_row_of_scores_leaves_its_groups_and_empty_cells_out(tmp_path: Path) -> None:
    (tmp_path / "l.csv").write_text("name,field,p,n,acc,sens\nx,art,1,2,0.5,\n,art,3,4,,0.5\n")
    first, second = subjects(tmp_path / "l.csv", itself=True, groups=["field"])
    assert (first.name, first.groups) == ("x", ("art",))
    assert first.cells == (("name", "x"), ("p", "1"), ("n", "2"), ("acc", "0.5"))
    assert (second.name, second.cells) == ("row 2", (("p", "3"), ("n", "4"), ("sens", "0.5")))


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("l.csv", b"", "no header"),
        ("l.csv", b"path\n", "no rows"),
        ("l.csv", b"path,path\na,b\n", "twice"),
        ("l.csv", b"path,\na,b\n", "without a name"),
        ("l.csv", b"path,g\na\n", "1 cells for 2 columns"),
        ("l.csv", b'path\n"a\n', "is not a CSV file"),
        ("l.csv", b"path\n\xff\xfe\x00\n", "not UTF-8"),
        ("l.csv", b"path,g\n,x\n", '"path" is empty'),
        ("l.csv", b"path\n" + b"a" * 30_000 + b"\n", "longer than"),
        ("l.csv", b"x,y\n1,2\n", "no column is known to name"),
        ("l.jsonl", b"[1]\n", "not an object"),
        ("l.jsonl", b"{\n", "not a line of JSON"),
        ("l.jsonl", b"[" * 100_000, "not a line of JSON"),
        ("l.jsonl", b'{"path": "a"}\n{"path": "b", "odd": 1}\n', '"odd"'),
        ("l.parquet", b"PAR1 nonsense", "cannot be read"),
        ("l.xlsx", b"", "cannot tell the format"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(tmp_path: Path, name: str, content: bytes, said: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=said):
        read_listing(tmp_path / name)


def test_an_unknown_column_is_told_with_the_nearest(tmp_path: Path) -> None:
    (tmp_path / "l.csv").write_text("path,field\na,b\n")
    with pytest.raises(InputError, match='Did you mean "field"'):
        read_listing(tmp_path / "l.csv", groups=["feild"])


@given(st.binary(max_size=300), st.sampled_from(["l.csv", "l.tsv", "l.jsonl", "l.parquet"]))
def test_no_content_is_worse_than_an_input_error(
    tmp_path_factory: pytest.TempPathFactory, junk: bytes, name: str
) -> None:
    path = tmp_path_factory.mktemp("junk") / name
    path.write_bytes(junk)
    try:
        listing = read_listing(path)
    except InputError:
        return
    assert len(list(listing.subjects())) == listing.rows


def test_a_parquet_list_with_a_flipped_byte_is_read_or_refused(tmp_path: Path) -> None:
    sound = written(tmp_path, "parquet").read_bytes()
    for position in range(4, len(sound), 11):
        (tmp_path / "l.parquet").write_bytes(sound[:position] + bytes([sound[position] ^ 0xFF]) + sound[position + 1 :])
        with contextlib.suppress(InputError):
            subjects(tmp_path / "l.parquet")
