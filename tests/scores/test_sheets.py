"""A spreadsheet of papers: columns by their headings, one row out for each row in, and nothing stops at a bad cell."""

import csv
import io
import json
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.cli import main
from assay.errors import InputError
from assay.scores import check_scores, check_table
from assay.scores.sheets.files import read_sheet, read_sheet_text
from assay.scores.sheets.headings import columns_of
from assay.scores.sheets.results import check_sheet, rendered_rows
from assay.scores.sheets.workbook import workbook as written_workbook
from made_workbook import workbook

PAPERS = """Paper,DOI,Positives,Negatives,Accuracy (%),Sensitivity (%),Specificity (%),F1,Notes
Smith,10.1/x,100,200,80.0,80.0,80.0,,fine
Jones,10.1/y,100,200,90.0,80.0,80.0,,bad
Kim,10.1/z,n/a,-,90.0,80.0,80.0,,no sizes
Lee,,"1,000","2,000",101.2%,80.0,80.0,,misprint
Ray,,50,50,see text,80.0,80.0,0.80,text
Doe,,50,50,80.0 ± 2.0,80.0 ± 3.1,80.0,0.8,mean
Poe,,,,,,,,nothing
Roe,,50,50,0.9,80.0,80.0,,a share among percentages
"""


@pytest.fixture
def run(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("papers.csv").write_text(PAPERS, encoding="utf-8")

    def go(*arguments):
        code = main([str(a) for a in arguments])
        out, err = capsys.readouterr()
        return code, out, err

    return go


def verdicts(text, **settings):
    sheet = read_sheet_text(text, "t.csv")
    return [one.values() for one in check_sheet(sheet, settings or None)]


def test_a_sheet_as_people_keep_it_is_checked_in_one_run(run):
    code, out, err = run("scores", "check", "papers.csv", "--rows", "out.csv", "--diagnose", "-f", "json")
    assert code == 1
    assert "rows written to out.csv" in err
    rows = list(csv.DictReader(io.StringIO(Path("out.csv").read_text(encoding="utf-8"))))
    assert [row["Paper"] for row in rows] == ["Smith", "Jones", "Kim", "Lee", "Ray", "Doe", "Poe", "Roe"]
    assert [row["assay_verdict"] for row in rows] == [
        *("consistent", "inconsistent", "undecided", "inconsistent", "consistent", "consistent", "not checked"),
        "consistent",
    ]
    by_name = {row["Paper"]: row for row in rows}
    assert by_name["Smith"]["assay_witness"] == "tp=80 fn=20 fp=40 tn=160"
    assert by_name["Jones"]["assay_conflict"] == "acc spec"
    assert "Consistent if acc were 80.0%" in by_name["Jones"]["assay_diagnosis"]
    assert "lies between them" in by_name["Kim"]["assay_certificate"]
    assert "between 0 and 1" in by_name["Lee"]["assay_certificate"]
    assert '"see text"' in by_name["Ray"]["assay_message"]
    assert "without the sizes" in by_name["Doe"]["assay_message"]
    assert "may be a share" in by_name["Roe"]["assay_message"]
    assert by_name["Smith"]["Notes"] == "fine"
    report = json.loads(out)
    assert {finding["location"]["line"] for finding in report["findings"]} == {3, 5}
    assert any("papers.csv:6" in left for left in report["left_out"])


@pytest.mark.parametrize("ending", [".csv", ".xlsx", ".parquet", ".html"])
def test_rows_are_written_in_any_of_four_formats(run, ending):
    assert run("scores", "check", "papers.csv", "--rows", f"out{ending}", "-f", "json")[0] == 1
    if ending == ".html":
        assert "<td>inconsistent</td>" in Path("out.html").read_text(encoding="utf-8")
        return
    rows = read_sheet(Path(f"out{ending}"))
    assert len(rows.rows) == 8
    assert rows.headings[-7] == "assay_verdict"
    assert rows.rows[1].cells[-7] == "inconsistent"


def test_an_unknown_ending_and_a_second_table_are_refused(run):
    Path("more.csv").write_text(PAPERS, encoding="utf-8")
    assert run("scores", "check", "papers.csv", "--rows", "out.doc")[0] == 2
    assert run("scores", "check", "papers.csv", "more.csv", "--rows", "out.csv")[0] == 2


def test_standard_input_tabs_semicolons_and_excel_are_read(run, monkeypatch, tmp_path):
    monkeypatch.setattr("sys.stdin", io.StringIO("p\tn\tacc\n10\t20\t0.95\n"))
    code, out, _ = run("scores", "check", "-", "-f", "json")
    assert (code, json.loads(out)["judgements"][0]["verdict"]) == (1, "inconsistent")
    Path("t.tsv").write_text("p\tn\tacc\n10\t20\t0.90\n", encoding="utf-8")
    Path("s.csv").write_text("p;n;acc\n10;20;0,90\n", encoding="utf-8")
    workbook(tmp_path / "b.xlsx", [["Positives", "Negatives", "Accuracy"], [10, 20, "0.90"], [10, 20, "0.95"]])
    assert run("scores", "check", "t.tsv")[0] == 0
    assert run("scores", "check", "s.csv")[0] == 0
    assert run("scores", "check", "b.xlsx")[0] == 1


@pytest.mark.parametrize(
    ("headings", "words"),
    [
        ("name p n acc", ["name", "p", "n", "acc"]),
        ("Paper|P|R|F1", ["name", "ppv", "sens", "f1"]),
        ("Model|n|Accuracy|AUC", ["name", "total", "accuracy", "auc"]),
        ("Model|Train accuracy|Test accuracy", ["name", "", "acc"]),
        ("Model|Accuracy|Accuracy", ["name", "", ""]),
        ("Study|acuracy|Comment|Sens.", ["name", "", "", "sens"]),
        ("acc|acc_sd|folds|Year", ["acc", "acc_sd", "folds", ""]),
        ("Macro F1|Macro precision|Macro recall", ["f1", "ppv", "sens"]),
    ],
)
def test_columns_are_found_by_their_headings(headings, words):
    found = columns_of(headings.split("|") if "|" in headings else headings.split())
    assert [column.word for column in found] == words


def test_a_column_that_is_almost_a_score_is_mentioned(run):
    Path("t.csv").write_text("p,n,acc,sensitivty\n10,20,0.90,0.90\n", encoding="utf-8")
    _, out, _ = run("scores", "check", "t.csv")
    assert 'Did you mean "sensitivity"?' in " ".join(out.split())


def test_macro_averages_are_means_over_classes():
    found = verdicts("Macro precision,Macro recall,Macro F1,Accuracy\n0.91,0.89,0.95,0.9\n0.91,0.89,0.85,0.9\n")
    assert [row["verdict"] for row in found] == ["inconsistent", "undecided"]
    assert "checked alone" in found[0]["message"]


@pytest.mark.parametrize("library", [pd, pl])
def test_a_data_frame_comes_back_with_its_results(library, capfd):
    frame = library.DataFrame(
        {
            "Model": ["a", "b", "c"],
            "positives": [100, 100, None],
            "negatives": [200, 200, 200],
            "accuracy": [np.float64(0.80), 0.951, None],
            "sensitivity": [0.80, 0.80, 0.8],
            "specificity": [0.80, 0.80, float("nan")],
            "seed": [1, 2, 3],
        }
    )
    found = check_table(frame)
    assert isinstance(found, library.DataFrame)
    assert list(found["assay_verdict"]) == ["consistent", "inconsistent", "consistent"]
    assert list(found["seed"]) == [1, 2, 3]
    assert capfd.readouterr().out == ""


def test_what_is_no_table_is_refused():
    with pytest.raises(InputError, match="pandas or polars"):
        check_table([1, 2])
    with pytest.raises(InputError, match="no column holds a score"):
        verdicts("a,b\n1,2\n")


def test_numbers_of_numpy_are_read_and_the_noise_of_floats_is_not():
    assert check_scores(p=30, n=270, acc=np.float64(0.9433333333333334)).verdict.value == "consistent"
    assert check_scores(p=10, n=20, acc=np.float32(0.9)).verdict.value == "consistent"
    assert check_scores(p=5, n=5, acc=0.1 + 0.2).verdict.value == "consistent"
    assert check_scores(p=np.int64(10), n=np.int64(20), acc=0.95).verdict.value == "inconsistent"


def test_a_figure_that_no_score_has_is_a_finding(run):
    for word in ("acc=101.2%", "sens=1.2", "acc=-0.3", "mcc=-1.4"):
        code, out, _ = run("scores", "check", "p=10", "n=20", word)
        assert (code, "S101" in out) == (1, True)
    assert run("scores", "check", "acc=101.2%")[0] == 1
    assert run("scores", "check", "p=10", "n=20", "acc=95.3")[0] == 2


@given(st.text(max_size=200))
def test_any_text_is_checked_or_refused(text):
    try:
        sheet = read_sheet_text(f"p,n,acc,f1\n{text}", "t.csv")
        checked = check_sheet(sheet)
    except InputError:
        return
    assert len(checked) == len(sheet.rows)
    for ending in (".csv", ".html", ".xlsx", ".parquet"):
        assert rendered_rows(sheet, checked, Path(f"x{ending}"))


def test_a_written_workbook_is_read_back(tmp_path):
    (tmp_path / "w.xlsx").write_bytes(written_workbook([["a", "b"], ["<&>", "0.90"], ["=1+1", "3"]]))
    assert [row.cells for row in read_sheet(tmp_path / "w.xlsx").rows] == [("<&>", "0.90"), ("=1+1", "3")]


def test_titles_and_merged_headings_above_a_table_are_understood() -> None:
    headings = "Paper,Test set,,Results (%),\n,positive,negative,Accuracy,Sensitivity\n"
    text = f"Table S3. Results,,,,\n,,,,\n{headings}A,100,200,95,80\n"
    sheet = read_sheet_text(text, "papers.csv")
    assert sheet.headings == ("Paper", "positive", "negative", "Accuracy (%)", "Sensitivity (%)")
    (row,) = check_sheet(sheet)
    assert row.read.row.line == 5
    assert row.values()["verdict"] == "inconsistent"


def test_groups_that_name_another_set_stay_with_their_headings() -> None:
    text = "Paper,Training,,Test,\n,Accuracy,F1,Accuracy,F1\nA,0.99,0.99,0.80,0.75\n"
    assert read_sheet_text(text, "papers.csv").headings == (
        "Paper",
        "Training Accuracy",
        "Training F1",
        "Accuracy",
        "F1",
    )


def test_the_first_sheet_with_scores_is_read(tmp_path: Path) -> None:
    path = workbook(tmp_path / "papers.xlsx", [["Paper", "p", "n", "acc"], ["A", 100, 200, "0.90"]], sheets=2)
    sheet = read_sheet(path)
    assert sheet.headings == ("Paper", "p", "n", "acc")
    assert "was read, not" in sheet.note
    assert [row.values()["verdict"] for row in check_sheet(sheet)] == ["consistent"]


# no share of 301 items, but the mean of 50 of 61 and 235 of 4 · 60
HONEST_MEAN = "A,39,262,0.9473"


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        (f"Paper,Positives,Negatives,Accuracy\n{HONEST_MEAN}\n", "inconsistent"),
        (f"Paper,Positives,Negatives,Accuracy,Validation\n{HONEST_MEAN},5-fold CV\n", "consistent"),
        (f"Paper,Positives,Negatives,Accuracy,Notes\n{HONEST_MEAN},leave-one-out\n", "consistent"),
        (f"Results of 5-fold cross-validation,,,\nPaper,Positives,Negatives,Accuracy\n{HONEST_MEAN}\n", "consistent"),
        (f"Results (five folds),,,\nPaper,Positives,Negatives,Accuracy\n{HONEST_MEAN}\n", "consistent"),
    ],
)
def test_folds_are_read_where_a_sheet_states_them(text: str, verdict: str) -> None:
    (row,) = check_sheet(read_sheet_text(text, "papers.csv"))
    assert row.values()["verdict"] == verdict


def test_a_heading_may_say_that_its_cells_hold_a_mean_and_its_spread() -> None:
    text = "Paper,Cases,Controls,CV,Accuracy (mean ± SD)\nA,50,50,10 x 10-fold,0.912 ± 0.05\n"
    (row,) = check_sheet(read_sheet_text(text, "papers.csv"))
    folding = row.read.experiment.datasets[0].folding
    assert (folding.k, folding.repeats) == (10, 10)
    assert row.read.experiment.reported[0].sd is not None


def test_a_table_in_the_characters_of_windows_is_read(tmp_path: Path) -> None:
    path = tmp_path / "papers.csv"
    path.write_bytes("Autor;p;n;Sensitivität;acc\nMüller;97;203;;0,900\n".encode("cp1252"))
    (row,) = check_sheet(read_sheet(path))
    assert row.values()["verdict"] == "consistent"
    assert "Müller" in row.read.row.cells


def test_a_sheet_of_thousands_of_columns_is_refused(tmp_path: Path) -> None:
    (tmp_path / "wide.csv").write_text(",".join(["p", "n", "En"] * 6_000) + "\n1,2,3\n")
    with pytest.raises(InputError, match="18,000 columns; at most 1,000"):
        read_sheet(tmp_path / "wide.csv")


def test_formulas_without_stored_values_are_named(tmp_path: Path) -> None:
    made = workbook(tmp_path / "made.xlsx", [["p", "n", "acc", "f1"], [100, 200, "0.80", "@"], [50, 50, "0.90", "#"]])
    with zipfile.ZipFile(made) as book, zipfile.ZipFile(tmp_path / "t.xlsx", "w") as out:
        for name in book.namelist():
            text = book.read(name).decode()
            text = text.replace('<c t="inlineStr"><is><t>@</t></is></c>', '<c r="D2"><f>2*C2</f></c>')
            text = text.replace('<c t="inlineStr"><is><t>#</t></is></c>', '<c r="D3"><f>2*C3</f><v>0.9</v></c>')
            out.writestr(name, text)
    sheet = read_sheet(tmp_path / "t.xlsx")
    assert "formulas without stored values are read as empty (D2);" in sheet.note
    assert sheet.rows[1].cells[3] == "0.9"
    assert not read_sheet(workbook(tmp_path / "u.xlsx", [["p", "n", "acc"], [100, 200, "0.80"]])).note
