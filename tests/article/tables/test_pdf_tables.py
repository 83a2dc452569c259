"""Score tables on pages of PDF files, in the styles that papers use."""

from pathlib import Path
from random import Random

import pytest
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.platypus import BaseDocTemplate, Frame, PageTemplate, Paragraph, Spacer, Table, TableStyle

from assay.article.reading import read_paper
from assay.article.tables import score_rows_of

METHODS = ("Ours", "ResNet-50", "Logistic regression", "Random forest")
SCORES = {"acc": "Accuracy", "sens": "Recall", "spec": "Specificity", "f1": "F1"}
TEXT = "We describe here what was done and why, in some words that fill the page as papers do. " * 12
BOOKTABS = [("LINEABOVE", (0, 0), (-1, 0), 1, colors.black), ("LINEBELOW", (0, 0), (-1, 0), 0.5, colors.black),
            ("LINEBELOW", (0, -1), (-1, -1), 1, colors.black)]  # fmt: skip
GRID = [("GRID", (0, 0), (-1, -1), 0.5, colors.black)]


def figures(seed: int, spread: bool = False) -> dict[str, dict[str, str]]:
    random = Random(seed)
    return {
        method: {
            s: f"{random.uniform(0.5, 1):.3f}" + (f" ± {random.uniform(0, 0.1):.3f}" if spread else "") for s in SCORES
        }
        for method in METHODS
    }


def paper(path: Path, table: list[list[object]], style: list[tuple[object, ...]], columns: int = 1) -> Path:
    normal = getSampleStyleSheet()["Normal"]
    width = (A4[0] - 100) / columns - 10
    frames = [Frame(50 + i * (width + 20), 50, width, A4[1] - 100, id=str(i)) for i in range(columns)]
    document = BaseDocTemplate(str(path), pagesize=A4, pageTemplates=[PageTemplate(frames=frames)])
    size = 10 if columns == 1 else 7
    made = Table(table, style=TableStyle([("FONTSIZE", (0, 0), (-1, -1), size), *style]))
    story = [Paragraph(TEXT, normal), Spacer(1, 12), Paragraph("Table 1: Results on the test set.", normal), made]
    document.build([*story, Spacer(1, 12), *[Paragraph(TEXT, normal) for _ in range(4 * columns)]])
    return path


def found(path: Path) -> dict[str, dict[str, str]]:
    return {row.name: dict(row.scores) for row in score_rows_of(read_paper(path))}


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("style", [BOOKTABS, GRID], ids=["booktabs", "grid"])
@pytest.mark.parametrize("columns", [1, 2])
def test_every_score_is_found_in_its_row_and_column(
    tmp_path: Path, seed: int, style: list[tuple[object, ...]], columns: int
):
    told = figures(seed)
    rows = [["Method", *SCORES.values()], *([m, *told[m].values()] for m in METHODS)]
    path = paper(tmp_path / "p.pdf", rows, style, columns)
    assert found(path) == told
    assert all(row.caption.startswith("Table 1") for row in score_rows_of(read_paper(path)))


def test_bold_figures_are_figures(tmp_path: Path):
    told = figures(3)
    rows = [["Method", *SCORES.values()], *([m, *told[m].values()] for m in METHODS)]
    bold = ("FONTNAME", (1, 1), (-1, 1), "Helvetica-Bold")
    assert found(paper(tmp_path / "p.pdf", rows, [*BOOKTABS, bold])) == told


def test_means_keep_their_spreads(tmp_path: Path):
    told = figures(4, spread=True)
    rows = [["Method", *SCORES.values()], *([m, *told[m].values()] for m in METHODS)]
    assert found(paper(tmp_path / "p.pdf", rows, BOOKTABS)) == told


def test_two_level_heads_tell_the_sets_apart(tmp_path: Path):
    told = {part: figures(seed) for seed, part in enumerate(("Validation", "Test"))}
    head = [["", "Validation", "", "Test", ""], ["Method", "Recall", "Specificity", "Recall", "Specificity"]]
    body = [[m, *(told[part][m][s] for part in told for s in ("sens", "spec"))] for m in METHODS]
    spans = [("SPAN", (1, 0), (2, 0)), ("SPAN", (3, 0), (4, 0)), ("ALIGN", (1, 0), (-1, -1), "CENTER")]
    expected = {f"{m} · {part}": {s: told[part][m][s] for s in ("sens", "spec")} for part in told for m in METHODS}
    assert found(paper(tmp_path / "p.pdf", [*head, *body], [*BOOKTABS, *spans])) == expected


def test_dashes_and_empty_cells_shift_nothing(tmp_path: Path):
    rows = [["Method", *SCORES.values()], ["Ours", "0.91", "-", "0.90", "0.85"], ["Base", "", "0.80", "NA", "0.70"]]
    assert found(paper(tmp_path / "p.pdf", rows, GRID)) == {
        "Ours": {"acc": "0.91", "spec": "0.90", "f1": "0.85"},
        "Base": {"sens": "0.80", "f1": "0.70"},
    }


def test_running_text_is_no_table(tmp_path: Path):
    words = "We report accuracy and recall. The recall was 0.9 and the accuracy was 0.8 on the test set."
    rows: list[list[object]] = [["Layer", "Size"], ["conv", "3"]]
    normal = getSampleStyleSheet()["Normal"]
    path = paper(tmp_path / "p.pdf", rows, GRID)
    document = BaseDocTemplate(str(path), pageTemplates=[PageTemplate(frames=[Frame(50, 50, 500, 700)])])
    document.build([Paragraph(words * 20, normal)])
    assert found(path) == {}


def test_labels_in_the_middle_of_their_rows_are_given_to_each_of_them(tmp_path: Path):
    rows = [["Config", "Rule", "AUROC", "F1"]]
    rows += [[name if rule == "A" else "", rule, f"0.9{at}1", f"0.4{at}2"] for at, (name, rule) in enumerate(PAIRS)]
    spans = [("SPAN", (0, at), (0, at + 1)) for at in (1, 3)]
    style = [*BOOKTABS, *spans, ("VALIGN", (0, 0), (-1, -1), "MIDDLE")]
    read = score_rows_of(read_paper(paper(tmp_path / "p.pdf", rows, style)))
    assert [row.name for row in read] == ["First A", "First B", "Second A", "Second B"]


PAIRS = [("First", "A"), ("First", "B"), ("Second", "A"), ("Second", "B")]


def test_headings_with_numbers_are_headings(tmp_path: Path):
    rows = [["Model", "AUROC", "Sens. @ 97% Spec.", "Sens. @ 99% Spec."], ["Ours", "0.965", "0.842", "0.684"]]
    [first, *_] = score_rows_of(
        read_paper(paper(tmp_path / "p.pdf", [*rows, ["Base", "0.951", "0.805", "0.629"]], GRID))
    )
    assert dict(first.scores)["auc"] == "0.965"


def test_a_sentence_that_names_a_table_is_no_caption(tmp_path: Path):
    from assay.article.tables.pdf_regions import CAPTION

    assert [
        CAPTION.match(text) is not None for text in ("Table 5: Results", "Table 5 Results", "TABLE IV", "Table A1.")
    ]
    assert not any(CAPTION.match(text) for text in ("Table 5 reports the results", "Table 5, row 2", "Tables 1 and 2"))
