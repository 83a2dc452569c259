"""The whole command: what people type, what comes out, and hostile tables."""

import csv
import json

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_splits import cut, honest

from assay.cli import main
from assay.errors import InputError
from assay.leakage.data.checking import check_split
from assay.leakage.data.split import Roles, split_by_column, splits_by_fold, unsplit
from assay.tables import plain_table


def assay_leakage(*arguments: str) -> int:
    return main(["leakage", *arguments])


@pytest.fixture
def parts(tmp_path):
    """An honest split with ten copied rows, as two CSV files."""
    train, test = cut(honest() | {"row_id": np.arange(400)})
    for name in train:
        if name != "row_id":
            test[name][:10] = train[name][:10]
    paths = tmp_path / "train.csv", tmp_path / "test.csv"
    for path, part in zip(paths, (train, test), strict=True):
        pl.DataFrame(part).write_csv(path)
    return [str(p) for p in paths]


def report_in(path) -> dict:
    return json.loads(path.read_text())


def test_two_parts_give_findings_and_exit_code_1(parts, tmp_path, capsys):
    rows, report = tmp_path / "rows.csv", tmp_path / "report.json"
    code = assay_leakage(
        "data", "--train", parts[0], "--test", parts[1], "--target", "y", "--rows", str(rows), "-o", str(report)
    )
    assert code == 1, capsys.readouterr().err
    found = {f["code"] for f in report_in(report)["findings"]}
    assert {"L1.4", "LX6"} <= found
    with rows.open() as stream:
        written = [r for r in csv.DictReader(stream) if r["code"] == "L1.4"]
    assert [r["row"] for r in written] == [str(i) for i in range(1, 11)]
    assert [r["partner_row"] for r in written] == [str(i) for i in range(1, 11)]


def test_a_clean_split_gives_exit_code_0(tmp_path, capsys):
    for name, part in zip(("a.parquet", "b.parquet"), cut(honest(2400)), strict=True):
        pl.DataFrame(part).write_parquet(tmp_path / name)
    code = assay_leakage(
        "data", "--train", str(tmp_path / "a.parquet"), "--test", str(tmp_path / "b.parquet"), "--target", "y"
    )
    assert code == 0, capsys.readouterr().out
    assert "What was looked for" in capsys.readouterr().out


def test_a_split_column_and_a_fold_column_do_the_same_job(tmp_path):
    whole = honest()
    for name in whole:
        whole[name][300:310] = whole[name][:10]
    whole["part"] = np.where(np.arange(400) < 300, "train", "test")
    whole["fold"] = np.arange(400) // 100
    pl.DataFrame(whole).write_csv(tmp_path / "t.csv")
    for option, column in (("--split", "part"), ("--fold", "fold")):
        report = tmp_path / f"{column}.json"
        other = "fold" if column == "part" else "part"
        command = ["data", str(tmp_path / "t.csv"), "--target", "y", option, column, "--id", other, "-o", str(report)]
        assert assay_leakage(*command) == 1
        assert "L1.4" in {f["code"] for f in report_in(report)["findings"]}


def test_pictures_alone_are_enough(tmp_path, capsys):
    for part in ("train", "test"):
        (tmp_path / part).mkdir()
    assert assay_leakage("data", "--images", str(tmp_path)) == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["data"], "no table is given"),
        (["data", "--train", "a.csv"], "go together"),
        (["data", "t.csv", "--train", "a.csv", "--test", "b.csv"], "given together"),
        (["data", "--train", "a.csv", "--test", "b.csv", "--fold", "f"], "about one TABLE"),
        (["data", "t.csv", "--split", "s", "--fold", "f"], "given together"),
        (["data", "absent.csv"], "cannot be read"),
        (["impact"], "no table is given"),
        (["impact", "t.csv", "--example", "civil-war"], "given together"),
        (["impact", "t.csv", "--leak", "duplicate"], 'Did you mean "duplicates"'),
        (["impact", "t.csv", "--model", "forrest"], 'Did you mean "forest"'),
    ],
)
def test_wrong_use_is_explained_in_a_line(arguments, said, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert assay_leakage(*arguments) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1


def test_a_column_that_is_not_there_is_named_with_the_nearest(parts, capsys):
    assert assay_leakage("data", "--train", parts[0], "--test", parts[1], "--target", "row_ids") == 2
    assert "Did you mean" in capsys.readouterr().err


@pytest.mark.parametrize(
    "columns",
    [
        {"a": [1], "b": [2]},
        {"a": [None, None], "b": [None, None]},
        {"a": [1, 1, 1], "b": ["x", "x", "x"]},
        {"a": [1e308, -1e308, 1e-308, 0.0], "b": [1, 2, 3, 4]},
        {"a": [float("nan"), float("inf"), 1.0], "b": [1, None, 2]},
        {"^a.*$": [1, 2, 3, 4], "*": ["p", "q", "r", "s"]},
        {"a": ["x" * 1_000_000, "y"], "b": [0, 1]},
        {"a": [True, False, None], "b": ["", " ", "\x00"]},
    ],
)
@pytest.mark.parametrize("target", [None, "second"])
def test_strange_tables_are_examined_without_a_fault(columns, target):
    table = plain_table(pl.DataFrame(columns), "t")
    report, _ = check_split(unsplit(table, Roles(target=table.frame.columns[1] if target else None)))
    assert report.tables


def test_thousands_of_columns_are_examined():
    draw = np.random.default_rng(0)
    columns = {f"c{i}": draw.integers(0, 5, 30) for i in range(3_000)} | {"y": draw.integers(0, 2, 30)}
    report, _ = check_split(unsplit(plain_table(pl.DataFrame(columns), "t"), Roles("y")))
    assert len(report.tables[1].rows) == 100


CELLS = st.one_of(st.none(), st.integers(-3, 3), st.floats(allow_nan=True, allow_infinity=True), st.text(max_size=3))


@settings(max_examples=25)
@given(st.lists(st.lists(CELLS, min_size=12, max_size=12), min_size=2, max_size=5), st.booleans())
def test_any_columns_whatever_can_be_checked(columns, with_target):
    table = {
        f"c{i}": pl.Series([str(c) for c in cells]) if i % 2 else pl.Series(cells, strict=False)
        for i, cells in enumerate(columns)
    }
    table["part"] = pl.Series(["train", "test"] * 6)
    split = split_by_column(plain_table(pl.DataFrame(table), "t"), "part", Roles("c0" if with_target else None))
    assert check_split(split)[0].tables


def test_a_split_column_that_tells_nothing_is_refused():
    table = plain_table(pl.DataFrame({"s": ["a", "b"], "x": [1, 2]}), "t")
    with pytest.raises(InputError, match="does not tell training from test"):
        split_by_column(table, "s", Roles())
    with pytest.raises(InputError, match="one fold only"):
        splits_by_fold(plain_table(pl.DataFrame({"s": ["a", "a"], "x": [1, 2]}), "t"), "s", Roles())


def test_rows_of_other_parts_are_said_to_be_left_out():
    table = plain_table(pl.DataFrame({"s": ["train", "test", "val"], "x": [1, 2, 3], "z": [1, 2, 3]}), "t")
    assert any('"val"' in text for text in split_by_column(table, "s", Roles()).left_out)


def test_values_whose_squares_overflow_are_compared_like_others():
    rows = {"a": [1e200, 2e200, 3e200, 1e200, 5e200, 6e200], "b": [1.0, 2.0, 3.0, 1.0, 5.0, 6.0]}
    table = plain_table(pl.DataFrame(rows | {"part": ["train"] * 3 + ["test"] * 3}), "t")
    report, _ = check_split(split_by_column(table, "part", Roles()))
    assert "L1.4" in {finding.code for finding in report.findings}


@pytest.mark.parametrize("target", ["count", "len", "value"])
def test_a_column_may_be_called_as_what_is_counted(target, tmp_path):
    train, test = cut(honest())
    for part, name in ((train, "train.csv"), (test, "test.csv")):
        columns = {"count": part["x0"], "len": part["colour"], "value": part["y"]}
        pl.DataFrame(part | columns).drop("y").write_csv(tmp_path / name)
    parts = ["--train", str(tmp_path / "train.csv"), "--test", str(tmp_path / "test.csv"), "--target", target]
    assert assay_leakage("data", *parts) in {0, 1}
    assert assay_leakage("sheet", str(tmp_path / "sheet.yaml"), *parts) == 0
