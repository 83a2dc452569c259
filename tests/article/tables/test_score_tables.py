"""Tables of scores, from LaTeX, HTML and Markdown."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.article.reading import read_paper
from assay.article.reading.paper import RawTable, Source
from assay.article.tables import Kind, cell_of, grids_of, score_rows_of
from assay.article.tables.scores import score_rows
from assay.article.tables.source import grids
from assay.findings import Location

PLACE = Location("p.tex", 1)


def rows(text: str, source: Source = Source.LATEX) -> list[tuple[str, dict[str, str]]]:
    raw = RawTable(source, text, "", PLACE)
    made = list(grids(raw))
    return [(row.name, dict(row.scores)) for g in made for row in score_rows(g)]


def tabular(body: str, columns: str = "lrrr") -> str:
    return f"\\begin{{tabular}}{{{columns}}}\n{body}\n\\end{{tabular}}"


@pytest.mark.parametrize(
    ("text", "kind", "printed"),
    [
        ("0.940", Kind.NUMBER, "0.940"),
        (".94", Kind.NUMBER, ".94"),
        ("94.0 %", Kind.NUMBER, "94.0%"),
        ("0.91 ± 0.02", Kind.NUMBER, "0.91 ± 0.02"),
        ("91.2±0.4%", Kind.NUMBER, "91.2% ± 0.4"),
        ("0.91*", Kind.NUMBER, "0.91"),
        ("0.912 (0.81)", Kind.NUMBER, "0.912"),
        ("1,234", Kind.NUMBER, "1234"),
        ("−0.1", Kind.NUMBER, "-0.1"),
        ("-", Kind.MISSING, ""),
        ("–", Kind.MISSING, ""),
        ("", Kind.MISSING, ""),
        ("N/A", Kind.NOT_APPLICABLE, ""),
        ("NA", Kind.NOT_APPLICABLE, ""),
        ("ResNet-50", Kind.TEXT, ""),
        ("0.9–0.95", Kind.TEXT, ""),
    ],
)
def test_a_cell_keeps_its_digits_and_a_dash_is_no_zero(text: str, kind: Kind, printed: str):
    cell = cell_of(text)
    assert (cell.kind, cell.printed) == (kind, printed)


@given(st.text(max_size=40))
def test_every_text_is_some_cell(text: str):
    assert cell_of(text).kind in Kind


def test_booktabs_with_bold_maths_and_notes():
    body = r"""\toprule
Method & Acc. (\%) & Recall & Precision \\ \midrule
Ours\textsuperscript{a} & \textbf{94.5} & $0.913$ & 0.90$^{*}$ \\[2pt]
Base \& co & 90.0 & --- & 0.85 \\ \bottomrule"""
    assert rows(tabular(body)) == [
        ("Ours", {"acc": "94.5%", "sens": "0.913", "ppv": "0.90"}),
        ("Base & co", {"acc": "90.0%", "ppv": "0.85"}),
    ]


def test_two_level_heads_and_spans():
    body = r"""\hline & \multicolumn{2}{c}{Validation} & \multicolumn{2}{c}{Test} \\ \cmidrule(lr){2-3}
Set & Sens & Spec & Sens & Spec \\ \hline
\multirow{2}{*}{A} & .9 & .8 & .7 & .6 \\
 & .91 & .81 & .71 & .61 \\"""
    assert rows(tabular(body, "l|cc|cc")) == [
        ("Validation · A", {"sens": "0.9", "spec": "0.8"}),
        ("Test · A", {"sens": "0.7", "spec": "0.6"}),
        ("Validation · A", {"sens": "0.91", "spec": "0.81"}),
        ("Test · A", {"sens": "0.71", "spec": "0.61"}),
    ]


def test_means_with_spreads_keep_both():
    assert rows(tabular(r"M & Accuracy & F1 \\ A & $0.91 \pm 0.02$ & 0.88 $\pm$ 0.1 \\")) == [
        ("A", {"acc": "0.91 ± 0.02", "f1": "0.88 ± 0.1"})
    ]


def test_a_column_above_one_holds_percentages_even_where_it_does_not_say_so():
    assert rows(tabular(r"M & Acc & F1 \\ A & 83.8 & 0.78 \\ B & 1.0 & 0.79 \\")) == [
        ("A", {"acc": "83.8%", "f1": "0.78"}),
        ("B", {"acc": "1.0%", "f1": "0.79"}),
    ]


def test_a_second_head_begins_a_second_block():
    body = r"M & Sens & Spec \\ A & .9 & .8 \\ M & Acc & F1 \\ B & .7 & .6 \\"
    assert rows(tabular(body)) == [("A", {"sens": "0.9", "spec": "0.8"}), ("B", {"acc": "0.7", "f1": "0.6"})]


def test_tables_of_other_things_are_left_alone():
    assert rows(tabular(r"Layer & Size & Stride \\ conv & 3 & 1 \\")) == []
    assert rows(tabular(r"M & Time \\ A & 0.9 \\")) == []


def test_scores_that_cannot_be_told_apart_are_left_alone():
    assert rows(tabular(r"M & Acc & F1 & Acc & F1 \\ A & .9 & .8 & .7 & .6 \\")) == []


HTML = """<table><thead><tr><th rowspan="2">Method</th><th colspan="2">Test</th></tr>
<tr><th>Recall</th><th>Specificity</th></tr></thead>
<tr><td>Ours</td><td><b>0.45</b></td><td>0.457</td></tr></table>"""


def test_html_with_spans():
    assert rows(HTML, Source.HTML) == [("Ours · Test", {"sens": "0.45", "spec": "0.457"})]
    [made] = grids(RawTable(Source.HTML, HTML, "", PLACE))
    assert made.rows[2][1].bold
    assert made.rows[1][0].text == "Method"


# Fell et al. 2022, Table 2: the reimplementation's slide-level rows, in the layout of the paper.
WSI = r"""\documentclass{article}\begin{document}
\section{Results}
\begin{table}\caption{Camelyon16 test set: 49 tumour and 80 normal slides}
\begin{tabular}{llcccccccc}
Task & Set & Accuracy & Recall & Specificity & Precision & PR-AUC & AUC & Kappa Score & FROC \\
Slide & Test & 0.455 & 0.45 & 0.457 & 0.321 & NA & 0.493 & NA & NA \\
Lesion & Test & NA & NA & NA & NA & NA & NA & NA & 0.371 \\
\end{tabular}\end{table}\end{document}"""


def test_a_published_table_is_read_whole(tmp_path: Path):
    (tmp_path / "p.tex").write_text(WSI)
    paper = read_paper(tmp_path / "p.tex")
    [row] = score_rows_of(paper)
    assert row.name == "Slide Test"
    assert dict(row.scores) == {"acc": "0.455", "sens": "0.45", "spec": "0.457", "ppv": "0.321", "auc": "0.493"}
    [made] = grids_of(paper)
    assert [cell.kind for cell in made.rows[2][2:5]] == [Kind.NOT_APPLICABLE] * 3


@given(st.text(alphabet="\\&{}abmulticolumnrow0123456789.[]* \n$", max_size=200))
def test_no_table_breaks_the_reader(text: str):
    made = list(grids(RawTable(Source.LATEX, tabular(text), "", PLACE)))
    assert all(len(row) == g.width for g in made for row in g.rows)
    list(score_rows(made[0])) if made else None
