"""The tables and pictures of a report, for the shipped study and for any other."""

import csv
import io
import json
import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest
import yaml

from assay.cli import main
from assay.errors import InputError
from assay.findings import Report
from assay.report import Format, render
from assay.report.charts import Span, boxes, grouped_bars, heat_map, spans, stacked_bars
from assay.report.svg import harmless
from assay.reproduction.attempted import tried
from assay.reproduction.correlations import correlations
from assay.reproduction.folder import example_study, study_from_toml
from assay.reproduction.rescience import ASK, metadata
from assay.reproduction.study import Study
from assay.reproduction.summary import summarised
from assay.reproduction.summary_page import rendered
from assay.reproduction.tables import MOST_COLUMNS, report_study
from assay.statistics import benjamini_hochberg, holm

STUDY = example_study()
TITLES = [
    *("Table 4.1", "Table 4.2", "Table 4.3", "Table 4.4", "Table 4.5", "Table 4.6", "Table 5.1", "Table 5.2"),
    *("Table A.1", "Table A.2", "Table A.3", "Table B.1", "Table B.2", "Table B.3"),
]
FIGURES = [f"Figure {number}" for number in ("4.1", "4.2", "4.3", "4.4", "4.5", "4.6", "4.7", "5.1")]
SMALL = """
papers = [{ id = "a", title = "A paper", level = "R1" }, { id = "b" }]
attempts = [{ paper = "a", attempt = "1", people = "Ada; Eve", hours = 3 }, { paper = "a", attempt = "2" }]
experiments = [{ paper = "a", attempt = "1", experiment = "e" }]
results = [{ paper = "a", attempt = "1", experiment = "e", metric = "f1", original = "0.9", reproduced = "0.9" }]
"""


@pytest.fixture(scope="module")
def report() -> Report:
    return report_study(STUDY, figures=True)


def table(report: Report, number: str) -> list[tuple]:
    [found] = [t for t in report.tables if f"(as {number})" in t.title]
    return list(found.rows)


# --- tables ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", TITLES)
def test_every_table_of_the_thesis_is_there(report: Report, number: str):
    assert table(report, number)


def test_table_5_1_is_that_of_the_rule(report: Report):
    assert table(report, "Table 5.1") == [
        ("Success", 1, 4.55, 14.29, 0.0),
        ("Partial Success", 10, 45.45, 71.43, 33.33),
        ("Failure", 6, 27.27, 14.29, 33.33),
        ("No Result", 5, 22.73, 0.0, 33.33),
    ]


def test_table_4_6_comes_with_its_number_interval_and_p_value(report: Report):
    assert table(report, "Table 4.6")[:3] == [
        ("problems and assumptions", 17, "Spearman", 0.366, -0.156, 0.728, 0.1484),
        ("problems and errors", 17, "Spearman", 0.737, 0.338, 0.911, 0.0007),
        ("assumptions and errors", 17, "Spearman", 0.473, -0.039, 0.788, 0.0552),
    ]


def test_where_one_side_is_yes_or_no_the_coefficient_is_point_biserial():
    """6 of 7 with code and 5 of 15 without were reproduced; the coefficient of two such columns is phi."""
    [found] = [c for c in correlations(tried(STUDY)) if c.one == "code shared"]
    phi = (6 * 10 - 1 * 5) / (7 * 15 * 11 * 11) ** 0.5
    assert (found.n, found.method) == (22, "point-biserial")
    assert found.value == pytest.approx(phi)


def test_a_category_is_counted_by_level(report: Report):
    assert ("P10", "implementation of the method missing or unclear", 12, 0, 12, 12) in table(report, "Table 4.3")


def test_shares_come_with_wilsons_interval(report: Report):
    [found] = [t for t in report.tables if "Wilson" in t.title]
    assert ("attempts", "all", "at least in part", 11, 22, 50.0, 30.7, 69.3) in found.rows
    assert ("attempts", "R1", "at least in part", 6, 7, 85.71, 48.7, 97.4) in found.rows


def test_the_matrices_hold_what_was_printed(report: Report):
    rows = {row[0]: row[1:] for row in table(report, "Table B.1")}
    assert [paper for paper, met in enumerate(rows["P1"], 1) if met] == [1, 4, 10, 12, 17]
    assert sum(map(sum, rows.values())) == 69


def test_what_does_not_apply_is_told_from_zero(report: Report):
    row = next(row for row in table(report, "Table A.3") if row[0] == "21")
    assert row[8] == "n/a"
    assert row[3] == "0.00"


def test_work_is_shared_out_by_person(report: Report):
    [found] = [t for t in report.tables if t.title == "Work by person"]
    assert found.rows == (("OC", 8, 17, 267.0), ("MM", 7, 59, 273.0), ("NN", 7, 43, 168.0))


def test_the_tables_of_a_study_without_attempts_are_those_that_have_rows():
    empty = report_study(study_from_toml('papers = [{ id = "1" }]'), figures=True)
    assert [t.title for t in empty.tables] == ["Papers (as Table 4.1)"]
    assert not empty.figures


def test_several_attempts_at_a_paper_are_told_apart():
    small = report_study(study_from_toml(SMALL))
    assert [row[0] for row in table(small, "Table A.2")] == ["a/1", "a/2"]
    assert table(small, "Table 4.2")[0][-1] == "Success"
    assert table(small, "Table A.1") == [("a", "A paper", "Ada, Eve")]


def test_what_is_known_of_single_discrepancies_is_told(report: Report):
    [found] = [t for t in report.tables if t.title == "Discrepancies in detail"]
    assert [row[:2] for row in found.rows] == [("4", "P2"), ("4", "P12")]
    assert {row[6] for row in found.rows} == {"weights out of reach"}


def test_results_come_with_p_values_corrected_for_their_number():
    about = (
        'paper = "a", attempt = "1", experiment = "e", original = "0.9", original_items = 500, reproduced_items = 500'
    )
    rows = ", ".join(f'{{ {about}, metric = "m{i}", reproduced = "0.8{i}" }}' for i in range(4))
    small = report_study(study_from_toml(f"{SMALL.partition('results')[0]}results = [{rows}]"))
    [found] = [t for t in small.tables if t.title == "Results"]
    p = [row[5] for row in found.rows]
    assert found.rows[0][:5] == ("a/1", "e", "m0", "0.9", "0.80")
    assert [row[6] for row in found.rows] == pytest.approx(holm(p), rel=0.01)
    assert [row[7] for row in found.rows] == pytest.approx(benjamini_hochberg(p), rel=0.01)


def many(papers: int) -> Study:
    one = STUDY.papers[0]
    return replace(STUDY, papers=tuple(replace(one, id=str(i)) for i in range(papers)), claims=())


def test_with_many_attempts_the_matrix_turns_round_and_says_what_is_not_drawn():
    wide = report_study(many(MOST_COLUMNS + 1))
    [matrix] = [t for t in wide.tables if "B.1" in t.title]
    assert matrix.columns[:3] == ("paper", "P1", "P2")
    assert len(matrix.rows) == MOST_COLUMNS + 1
    assert len(matrix.rows[0]) == 21


def test_what_is_not_drawn_is_said(monkeypatch: pytest.MonkeyPatch):
    asked = []
    monkeypatch.setattr("assay.reproduction.figures.boxes", lambda title, *_: asked.append(title))
    monkeypatch.setattr("assay.reproduction.figures.stacked_bars", lambda title, *_: asked.append(title))
    monkeypatch.setattr("assay.reproduction.tables.MOST_COLUMNS", 1)
    small = report_study(study_from_toml(SMALL), figures=True)
    assert len(asked) == 5
    assert not [title for title in asked if "4.4" in title or "4.5" in title]
    assert "do not fit" in small.left_out[0]


# --- pictures --------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", FIGURES)
def test_every_figure_of_the_thesis_is_there_and_says_its_numbers(report: Report, number: str):
    [figure] = [f for f in report.figures if f"(as {number})" in f.title]
    assert ElementTree.fromstring(figure.svg).tag.endswith("svg")
    assert harmless(figure.svg) is not None
    assert re.search(r"\d", figure.alt)


def test_the_heat_map_does_not_call_unknown_errors_none(report: Report):
    [figure] = [f for f in report.figures if "4.4" in f.title]
    assert "7: problems 3, assumptions 2, all 5;" in figure.alt


def test_a_component_that_does_not_apply_has_no_bar(report: Report):
    [figure] = [f for f in report.figures if "5.1" in f.title]
    assert "partitioned-data: Partial Success" in figure.alt
    assert "pseudocode: Success 0," in figure.alt


def test_the_same_numbers_give_the_same_picture():
    first, second = (stacked_bars("t", ["a", "b"], [("x", [1.0, 2.0])], "w") for _ in range(2))
    assert first == second


def test_hostile_labels_do_not_break_a_picture():
    name = "<script>&$x^2$\n" + "long " * 50
    made = [
        stacked_bars("t", [name], [(name, [1.0])], name),
        grouped_bars("t", [name], [(name, [None])], "w"),
        heat_map("t", [name], [name], [[None]]),
        boxes("t", [(name, [(name, [1.0]), ("empty", [])])], "w"),
        spans("t", [Span(name, 0.1, (0.0, 0.2)), Span(name, 0.1, None)], "w"),
    ]
    for figure in made:
        assert "<script" not in figure.svg
        assert harmless(figure.svg) is not None


# --- the page ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", [Format.TEXT, Format.MD, Format.HTML, Format.TEX])
def test_the_summary_fits_on_a_page_and_tells_the_result(how: Format):
    page = rendered(summarised(STUDY), how)
    assert "11 of 22" in page
    assert "119 of 345" in page
    assert len(rendered(summarised(STUDY), Format.TEXT).splitlines()) <= 60


@pytest.mark.parametrize("how", [Format.JSON, Format.CSV, Format.SARIF])
def test_a_summary_has_no_form_for_programs(how: Format):
    with pytest.raises(InputError, match="has no"):
        rendered(summarised(STUDY), how)


def test_a_summary_of_an_empty_study_says_only_what_it_holds():
    page = summarised(study_from_toml(""))
    assert [part.heading for part in page.parts] == ["What was tried"]
    assert page.parts[0].sentences == ("0 papers, 0 attempts.",)


def test_a_hostile_title_is_only_text():
    page = summarised(replace(STUDY, title="<b>\\input{x}*"))
    assert "<b>" not in rendered(page, Format.HTML).split("</style>")[1]
    assert r"\input" not in rendered(page, Format.TEX)
    assert r"\<b\>" in rendered(page, Format.MD)


# --- ReScience --------------------------------------------------------------------------------------


def test_metadata_read_back_as_the_template_of_the_journal_has_them():
    made = yaml.safe_load(metadata(STUDY, "17"))
    assert made["title"] == "[Re] Deep learning-based classification of hyperspectral data"
    assert made["authors"] == [{"name": "NN", "orcid": None, "email": None, "affiliations": "1,*"}]
    assert made["type"] == "Replication"
    assert "3 gave identical results, 3 consistent ones" in made["abstract"]
    template = {
        *("title", "authors", "affiliations", "keywords", "code", "data", "replication", "abstract", "bibliography"),
        *("type", "domain", "language", "review", "contributors", "dates", "article", "journal"),
    }
    assert set(made) == template
    assert [next(iter(entry)) for entry in made["replication"]] == ["cite", "bib", "url", "doi"]


def test_a_paper_that_was_not_reproduced_says_so_in_the_title():
    assert yaml.safe_load(metadata(STUDY, "22"))["title"].startswith("[¬Re] ")


def test_a_hostile_title_stays_one_string():
    hostile = '"\n- x: !!python/object\u2028 # \x07'
    study = replace(STUDY, papers=(replace(STUDY.papers[0], title=hostile),))
    title = yaml.safe_load(metadata(study, "1"))["title"]
    assert title.startswith('[Re] " - x: !!python/object')


@pytest.mark.parametrize(
    ("paper", "attempt", "told"),
    [("99", "", "there is no paper"), ("23", "", "nobody tried"), ("1", "7", "no attempt")],
)
def test_an_article_needs_a_paper_that_somebody_tried(paper: str, attempt: str, told: str):
    with pytest.raises(InputError, match=told):
        metadata(STUDY, paper, attempt)


# --- at the command line ----------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path):
    assert main(["study", "example", str(tmp_path / "thesis")]) == 0
    return tmp_path / "thesis"


def test_tables_and_pictures_are_written_as_files(folder, tmp_path, capsys, monkeypatch, report: Report):
    monkeypatch.setattr("assay.reproduction.tables.report_study", lambda _, figures: report)  # drawn already
    where = [str(tmp_path / name) for name in ("figures", "tables", "report.html", "report.tex")]
    given = ["--figures", where[0], "--tables", where[1], "-o", where[2], "-o", where[3]]
    assert main(["study", "report", str(folder), *given]) == 0
    assert len(list((tmp_path / "figures").glob("*.svg"))) == len(FIGURES)
    rows = list(csv.reader(io.StringIO((tmp_path / "tables" / "outcomes-as-table-5.1.csv").read_text())))
    assert rows[1] == ["Success", "1", "4.55", "14.29", "0.0"]
    assert (tmp_path / "report.html").read_text().count("<figure") == len(FIGURES)
    assert r"\begin{longtable}" in (tmp_path / "report.tex").read_text()
    assert main(["study", "report", str(folder), "--tables", where[1]]) == 2
    assert "exists already" in capsys.readouterr().err


def test_what_is_too_wide_for_the_screen_is_named(folder, capsys):
    assert main(["study", "report", str(folder)]) == 0
    out = capsys.readouterr().out
    assert max(map(len, out.splitlines())) <= 80
    assert "too wide for a terminal" in out


def test_the_summary_goes_where_it_is_wanted(folder, tmp_path, capsys):
    assert main(["study", "summary", str(folder), "-o", str(tmp_path / "page.tex")]) == 0
    assert r"\section*" in (tmp_path / "page.tex").read_text()
    assert main(["study", "summary", str(folder), "--format", "md"]) == 0
    assert capsys.readouterr().out.startswith("# Reproductions of 30")
    assert main(["study", "summary", str(folder), "--format", "pdf"]) == 2


def test_metadata_say_how_much_is_left_to_the_author(folder, tmp_path, capsys):
    assert main(["study", "rescience", str(folder), "17", "-o", str(tmp_path / "metadata.yaml")]) == 0
    left = (tmp_path / "metadata.yaml").read_text().count(ASK)
    assert f'{left} lines say "for the author"' in capsys.readouterr().err


def test_every_format_of_a_report_says_the_same(report: Report):
    for how in (one for one in Format if not one.is_binary):
        assert "Partial Success" in render(report, how) or how is Format.SARIF


def test_the_password_of_a_store_stands_in_no_report(tmp_path, monkeypatch, capsys):
    study = example_study()
    monkeypatch.setattr("assay.cli.study_reports.study_at", lambda _: study)
    main(["study", "report", "postgresql://anna:secret@server/studies", "-f", "json"])
    command = json.loads(capsys.readouterr().out)["command"]
    assert command == "assay study report postgresql://anna:***@server/studies"
