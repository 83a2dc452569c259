"""The report as LaTeX: nothing in it acts, and its tables read back as they were."""

import csv
import io
import re

import pytest
from example import EXAMPLE
from hypothesis import given
from hypothesis import strategies as st
from random_reports import HOSTILE, filled_with

from assay.article.reading import read_paper
from assay.article.tables import grids_of
from assay.findings import Report, Table
from assay.report import Format, render
from assay.report.csv import table as csv_of
from assay.report.latex import PREAMBLE, escaped, table

KNOWN = {
    *(
        "begin",
        "end",
        "section",
        "subsection",
        "emph",
        "item",
        "textbf",
        "texttt",
        "small",
        "footnotesize",
        "scriptsize",
    ),
    *("setlength", "tabcolsep", "linewidth", "caption"),
    *("hline", "endhead", "textbackslash", "textasciitilde", "textasciicircum", "textless", "textgreater", "ldots"),
    *("pm", "geq", "leq", "times", "neq", "rightarrow", "mu", "neg", "textbar", "textquotedbl"),
}


def commands(text: str) -> set[str]:
    return set(re.findall(r"\\([A-Za-z]+)", text))


@pytest.mark.parametrize("name", HOSTILE)
def test_audited_text_never_becomes_a_command(name: str) -> None:
    text = render(filled_with(HOSTILE[name]), Format.TEX)
    assert text.startswith(PREAMBLE)
    assert commands(text.removeprefix(PREAMBLE)) <= KNOWN
    assert text.count(r"\begin{") == text.count(r"\end{")


@given(st.text(st.characters(categories=["L", "N", "P", "S"]), max_size=40))
def test_braces_balance_and_signs_that_act_are_spelled_out(text: str) -> None:
    safe = escaped(text)
    bare = re.sub(r"\\[\\{}$&#%_]|\\[a-z]+\{\}|\$\\?[a-z-]+\$|\{\}", "", safe)
    assert not set(bare) & set("\\{}$&#%_~^")


@pytest.mark.parametrize("text", ["[Re] a paper", "*"])
def test_a_cell_is_not_taken_for_an_option_of_the_line_above(text: str) -> None:
    assert escaped(text) == "{}" + text


def test_a_command_line_keeps_its_two_hyphens() -> None:
    assert escaped("--force ''") == "-{}-force '{}'"


def test_a_table_reads_back_as_it_was(tmp_path) -> None:
    rows = (("Wang & co", 0.984, None), ("100 % of_it", 1, "n/a"))
    made = render(Report("t", tables=(Table("Scores (as Table 2)", ("method", "AUC", "note"), rows),)), Format.TEX)
    (tmp_path / "report.tex").write_text(made, encoding="utf-8")
    [grid] = grids_of(read_paper(tmp_path / "report.tex"))
    assert [[cell.text for cell in row] for row in grid.rows][-3:] == [
        ["method", "AUC", "note"],
        ["Wang & co", "0.984", "—"],
        ["100 % of_it", "1", "n/a"],
    ]


def test_every_row_has_a_cell_for_each_column_and_fits_the_page() -> None:
    wide = Table("w", tuple(f"column {i}" for i in range(23)), (tuple(range(23)), ("a long text " * 9, *range(22))))
    lines = table(wide).splitlines()
    assert {line.count("&") for line in lines if line.endswith(r"\\") and "caption" not in line} == {22}
    assert r"\scriptsize" in lines[0]
    widths = [float(width) for width in re.findall(r"p\{([\d.]+)", table(wide))]
    assert 0 < sum(widths) <= 1


def test_the_example_has_all_its_parts() -> None:
    text = render(EXAMPLE, Format.TEX)
    for part in ("Judgements", "Findings", "Tables", "Not examined", "% --- from here", "% --- to here"):
        assert part in text


def test_a_single_table_as_csv_has_its_own_columns() -> None:
    made = csv_of(Table("t", ("a", "b"), (("=1+1", None), ("x", 2.5))))
    assert list(csv.reader(io.StringIO(made))) == [["a", "b"], ["'=1+1", ""], ["x", "2.5"]]
