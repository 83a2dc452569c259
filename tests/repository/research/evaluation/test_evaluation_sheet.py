"""Files of results: what is understood, and how bad cells are told."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import InputError
from assay.repository.research.evaluation.columns import measured_in
from assay.repository.research.evaluation.sheet import Sheet, plain_words, read_sheet
from assay.repository.research.loos2022 import Indicators


def sheet(folder: Path, text: str) -> Sheet:
    path = folder / "results.csv"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return read_sheet(path)


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_usual_separators_are_understood(tmp_path: Path, separator: str) -> None:
    found = sheet(tmp_path, f"a{separator}b\n1{separator}x\n\n2.5{separator}\n")
    assert (found.columns, found.numbers("a"), found.text("b")) == (("a", "b"), (1.0, 2.5), ("x", ""))


def test_a_cell_may_hold_lines(tmp_path: Path) -> None:
    assert sheet(tmp_path, 'a,b\r\n"x\ny",2\r\n').numbers("b") == (2.0,)


def test_missing_values_and_words_become_none_and_numbers(tmp_path: Path) -> None:
    found = sheet(tmp_path, "a\nYes\nno\nNA\nNot tested\n12.5%\n")
    assert found.numbers("a") == (1.0, 0.0, None, None, 12.5)


@pytest.mark.parametrize("cell", ["seven", "inf", "1,2x", "--"])
def test_what_is_no_number_is_named_by_its_place(tmp_path: Path, cell: str) -> None:
    found = sheet(tmp_path, f'a,b\n1,2\n"{cell}",3\n')
    with pytest.raises(InputError, match=r"results\.csv:3: \"a\" is"):
        found.numbers("a")
    assert not found.is_numeric("a")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "has no rows"),
        ("a,b\n", "has no rows"),
        ("a,a\n1,2\n", 'the column "a" twice'),
        ("a\n1,2\n", "2 cells for 1 columns"),
        ("a\n\0\n", "is not a text file"),
        ('a\n"1\n', "is not a CSV file"),
        ("a\n" + "x" * 30_000 + "\n", "longer than"),
        (",".join(f"c{i}" for i in range(600)) + "\n1\n", "500 columns"),
        ("a\n" + "1\n" * 100_001, "100,000 rows"),
    ],
)
def test_unfit_files_are_refused_with_a_reason(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(InputError, match=told):
        sheet(tmp_path, text)


def test_an_unknown_column_names_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(InputError, match='Did you mean "group"'):
        sheet(tmp_path, "group\nx\n").text("grup")


@given(st.binary(max_size=300))
def test_any_bytes_give_a_sheet_or_an_input_error(data: bytes) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.csv"
        path.write_bytes(data)
        try:
            found = read_sheet(path)
        except InputError:
            return
        assert all(len(row) == len(found.columns) for row in found.rows)


def test_headings_are_the_same_whatever_their_signs() -> None:
    assert plain_words("% acc. Links") == plain_words("pct_acc_links") == "pct acc links"
    assert plain_words("# readmes") == plain_words("Readmes")


THESIS = (
    "id,# readmes,mean readme lines,# readme links,% acc. links,found dataset,# licences,# os licenses,mean CCR,"
    "mean pylint score,# rs decl lines,% fixed rs lines,MS found,HPL found,% pub. avail. Libs,% strict decl. In conf,"
    "% decl. In conf to used in sc,# config files\n"
)


def test_the_headings_of_the_thesis_are_known(tmp_path: Path) -> None:
    found = measured_in(sheet(tmp_path, THESIS + "7,2,136.5,9,50,1,1,1,5.9,-0.01,4,75,Yes,3,80,100,60,1\n"))
    assert found.missing == ()
    assert found.indicators == (
        Indicators(
            readmes=2,
            readme_lines=136.5,
            links=9,
            reachable_links=50.0,
            licences=1,
            open_licences=1,
            comment_ratio=5.9,
            pylint=-0.01,
            config_files=1,
            declared=60.0,
            strict=100.0,
            public=80.0,
            dataset=True,
            seed_lines=4,
            fixed_seeds=75.0,
            models=True,
            logging=3,
        ),
    )


def test_links_that_do_not_work_are_counted_backwards(tmp_path: Path) -> None:
    [found] = measured_in(sheet(tmp_path, "% not acc. links,avg readme length\n25,10\n")).indicators
    assert (found.reachable_links, found.readmes) == (75.0, 1)


def test_our_own_names_are_known(tmp_path: Path) -> None:
    from dataclasses import asdict, fields

    given_ = Indicators(
        readmes=1, readme_lines=3, imports=2, config_files=1, built=True, pylint=1.5, reachable_links=5.0
    )
    names = [f.name for f in fields(Indicators)]
    cells = ["" if asdict(given_)[name] is None else str(asdict(given_)[name]) for name in names]
    assert measured_in(sheet(tmp_path, ",".join(names) + "\n" + ",".join(cells) + "\n")).indicators == (given_,)
