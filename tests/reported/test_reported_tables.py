"""Tables as LaTeX, HTML and pasted text hold them, cell by cell."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.reported import html, latex, read_grid, read_name, read_text
from assay.reported.model import Averaging, Cell, Figure, Grid, Reading, Role, RowKind, SizeKind
from assay.reported.numbers import unpadded


def table(*rows: str, caption: str = "") -> Grid:
    return Grid(tuple(tuple(Cell(cell.strip()) for cell in row.split("|")) for row in rows), caption)


def placed(reading: Reading) -> dict[str, dict[str, str]]:
    return {row.name: {figure.score: str(figure.number) for figure in row.figures} for row in reading.rows}


def test_scores_as_rows_are_read_like_scores_as_columns() -> None:
    upright = table("Model|Acc|F1", "A|0.9|0.8", "B|0.7|0.6")
    turned = table("Metric|A|B", "Acc|0.9|0.7", "F1|0.8|0.6")
    assert placed(read_grid(upright)) == placed(read_grid(turned))


def test_a_table_of_one_score_takes_its_name_from_the_caption() -> None:
    grid = table("Model|CWRU|PB", "SVM|95.1|93.8", caption="Macro F1 scores [%] per data set")
    reading = read_grid(grid)
    assert placed(reading) == {"SVM · CWRU": {"f1": "95.1%"}, "SVM · PB": {"f1": "93.8%"}}
    assert reading.rows[0].figures[0].name.averaging is Averaging.MACRO


def test_other_columns_are_no_scores_although_the_caption_names_one() -> None:
    grid = table("Features|Dimensions|Test Accuracy", "LBP|10|10.2%", "HOG|8,100|33.5%", caption="Accuracy of features")
    assert placed(read_grid(grid)) == {"LBP": {"acc": "10.2%"}, "HOG": {"acc": "33.5%"}}


def test_the_same_score_twice_is_two_rows_with_their_qualifiers() -> None:
    found = placed(read_grid(table("Task|Frozen Acc.|Full Acc.|Δ Acc.", "QA|0.21|0.65|+0.44")))
    assert found == {"Frozen · QA": {"acc": "0.21"}, "Full · QA": {"acc": "0.65"}}


def test_a_score_of_one_class_stands_apart_from_those_of_all_classes() -> None:
    found = placed(read_grid(table("Model|Accuracy|Macro F1|Hazardous Recall", "KNN|74.00%|0.619|33.53%")))
    assert found == {"KNN": {"acc": "74.00%", "f1": "0.619"}, "KNN · Hazardous": {"sens": "33.53%"}}


def test_scores_of_the_same_class_stay_together() -> None:
    found = placed(read_grid(table("Model|Fraud Precision|Fraud Recall", "KNN|0.80|0.70")))
    assert found == {"KNN": {"ppv": "0.80", "sens": "0.70"}}


def test_the_weights_of_scores_are_no_scores() -> None:
    reading = read_grid(table("Metric|Weight|Notes", "F1|30%|mean", "Recall|20%|rare", "Precision|15%|all"))
    assert not reading.rows
    assert len(reading.unread) == 3


def test_a_ratio_of_scores_is_none_and_a_corrected_p_value_is_no_rate() -> None:
    found = placed(read_grid(table("Model | Precision | Ratio of F1", "A | 0.19 | 0.88", "B | 0.21 | 0.99")))
    assert found == {"A": {"ppv": "0.19"}, "B": {"ppv": "0.21"}}
    corrected = table("Marker | Effect | BH-FDR q", "M1 | ρ=0.48 | 0.0070", "M4 | AUROC=0.63 | 0.0035")
    assert read_grid(corrected).rows == ()


def test_other_quantities_beside_a_single_value_name_nobody() -> None:
    [row] = read_grid(
        table("Metric | Value", "Recall | 88.7%", "Precision | 90.2%", "Time | 2.2s (GPU), 5s (CPU)")
    ).rows
    assert row.name == ""


def test_means_and_differences_are_marked() -> None:
    reading = read_grid(table("Model|Acc|F1", "A|0.9|0.8", "Mean ± SD|0.9 ± 0.1|0.8 ± 0.1", "Improvement|+0.1|+0.2"))
    assert [row.kind for row in reading.rows] == [RowKind.RESULT, RowKind.SUMMARY]
    assert len(reading.asides) == 2


def test_a_row_that_lost_its_first_cell_is_moved_back() -> None:
    grid = table("Model|Cohort|AUC|Acc", "Rad|Train|0.8|0.7", "Test|0.9|0.6|")
    assert placed(read_grid(grid))["Rad · Test"] == {"auc": "0.9", "acc": "0.6"}


def test_headings_that_lost_their_first_cell_are_moved_back() -> None:
    grid = table("Model|Train|Test|||", "Sens|Spec|Sens|Spec|", "A|0.1|0.2|0.3|0.4")
    assert placed(read_grid(grid)) == {
        "A · Train": {"sens": "0.1", "spec": "0.2"},
        "A · Test": {"sens": "0.3", "spec": "0.4"},
    }


def test_support_and_averages_belong_to_classes() -> None:
    reading = read_grid(
        table("Class|Precision|Recall|Support", "cat|0.5|0.6|10", "dog|0.7|0.8|20", "macro avg|0.6|0.7|30")
    )
    cat = reading.rows[0]
    assert (cat.figures[0].name.averaging, cat.figures[0].name.label) == (Averaging.CLASS, "cat")
    assert [(size.kind, size.count) for size in cat.sizes] == [(SizeKind.CLASS, 10)]
    assert reading.rows[-1].figures[0].name.averaging is Averaging.MACRO


def test_a_size_in_a_heading_is_the_size_of_its_rows() -> None:
    grid = table("Model|Test set (n = 48)|Test set (n = 48)", "|Sens|Spec", "A|0.1|0.2")
    assert [(size.count, size.role) for size in read_grid(grid).rows[0].sizes] == [(48, Role.TEST)]


def test_numbers_under_unknown_headings_are_listed() -> None:
    reading = read_grid(table("Model|Acc|Zeal|Dim", "A|0.9|0.7|512"))
    assert [one.text for one in reading.unread] == ["0.7"]
    assert [one.text for one in reading.asides] == ["512"]


def test_a_table_of_which_nothing_is_read_lists_its_numbers() -> None:
    assert len(read_grid(table("Who|Zeal|Glow", "A|0.9|0.7", caption="Zeal")).unread) == 2


def figure(cell: str, heading: str = "Accuracy") -> Figure:
    [row] = read_grid(table(f"Model|{heading}|F1", f"A|{cell}|0.5")).rows
    return row.figures[0]


@pytest.mark.parametrize(
    ("cell", "digits", "percent", "spread"),
    [
        ("94.5", "94.5", True, ""),
        ("0.940", "0.940", False, ""),
        ("94,5 %", "94.5", True, ""),
        (".94", "0.94", False, ""),
        ("94.5 ± 1.2", "94.5", True, "1.2"),
        ("0.94 (0.02)", "0.94", False, "0.02"),
        ("**0.94**", "0.94", False, ""),
        ("0.94*", "0.94", False, ""),
        ("0.94†", "0.94", False, ""),
    ],
)
def test_cells(cell: str, digits: str, percent: bool, spread: str) -> None:
    found = figure(cell)
    assert found.number is not None
    assert (found.number.digits, found.number.percent) == (digits, percent)
    assert (found.spread.number.digits if found.spread else "") == spread


@pytest.mark.parametrize("cell", ["-", "—", "n/a", "", "NR"])
def test_cells_that_report_nothing(cell: str) -> None:
    [row] = read_grid(table("Model|Accuracy|F1", f"A|{cell}|0.5")).rows
    assert [f.score for f in row.figures] == ["f1"]


@pytest.mark.parametrize(
    ("heading", "score", "averaging"),
    [
        ("Macro-F1", "f1", Averaging.MACRO),
        ("Test AUROC", "auc", Averaging.UNSTATED),
        ("Frozen Acc.", "acc", Averaging.UNSTATED),
        ("mF1", "f1", Averaging.MACRO),
        ("F1@0.5", "f1", Averaging.UNSTATED),
        ("acc (%)", "acc", Averaging.UNSTATED),
        ("Weighted average precision", "ppv", Averaging.WEIGHTED),
        ("average precision", "auprc", Averaging.UNSTATED),
        ("PPV/precision", "ppv", Averaging.UNSTATED),
        ("AUC (95% CI)", "auc", Averaging.UNSTATED),
        ("F1-score ↑", "f1", Averaging.UNSTATED),
    ],
)
def test_headings(heading: str, score: str, averaging: Averaging) -> None:
    name = read_name(heading)
    assert name is not None
    assert (name.score, name.averaging) == (score, averaging)


@pytest.mark.parametrize(
    "heading", ["Epoch", "Model", "Accommodation", "Precision and recall", "language-specific", ""]
)
def test_headings_that_name_no_score(heading: str) -> None:
    assert read_name(heading) is None


def test_latex_is_read_with_spans_macros_and_signs() -> None:
    source = r"""\newcommand{\ours}{Ours}
\begin{table}\caption{Results (\%) on 40 positives}
\begin{tabular}{l S[table-format=1.3] cc}
\toprule & \multicolumn{2}{c}{\textbf{ISIC}} \\ \cmidrule(lr){2-3}
Method & Acc.\,$\uparrow$ & $F_1$ \\ \midrule
\ours~\cite{x} & \textbf{94{,}5} & $\mathbf{91.0}_{\pm 1.2}$ \\[2pt]
\bottomrule\end{tabular}\end{table}"""
    [(_, _, grid)] = latex.find_tables(source)
    assert grid.caption == "Results (%) on 40 positives"
    [row] = read_grid(grid).rows
    assert (row.model, row.dataset) == ("Ours", "ISIC")
    assert [(f.score, str(f.number), str(f.spread.number) if f.spread else "", f.bold) for f in row.figures] == [
        ("acc", "94.5%", "", True),
        ("f1", "91.0%", "1.2%", True),
    ]


def test_html_tables_in_figures_keep_their_captions_and_spans() -> None:
    source = """<figure><table><tr><th rowspan=2>M</th><th colspan=2>Test</th></tr><tr><th>Acc</th><th>F1</th></tr>
<tr><td>A</td><td><b>0.9</b></td><td>0.8</td></tr></table>
<figcaption>Table 1: Results on 50 images</figcaption></figure>"""
    [(_, _, grid)] = html.find_tables(source)
    assert grid.caption == "Table 1: Results on 50 images"
    assert placed(read_grid(grid)) == {"A · Test": {"acc": "0.9", "f1": "0.8"}}


def test_the_label_of_a_jats_table_is_not_its_caption() -> None:
    source = """<table-wrap><label>Table 2</label><caption><p>Scores on 30 patients</p></caption><table><tr><td>M</td>
<td>Acc</td></tr><tr><td>A</td><td>0.9</td></tr></table></table-wrap>"""
    [(_, _, grid)] = html.find_tables(source)
    assert grid.caption == "Scores on 30 patients"


MARKS = [
    "\t",
    "\n",
    "|",
    "&",
    "\\\\",
    ",",
    ";",
    "(",
    ")",
    "[",
    "]",
    "%",
    "±",
    "/",
    "<td>",
    "<table>",
    "\\begin{tabular}{l}",
]
PIECES = [
    *MARKS,
    "acc",
    "F1 ",
    "0.9",
    "12",
    " ",
    "and ",
    "respectively",
    "95% CI ",
    "n = ",
    ".",
    "-",
    "precision recall",
]


@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
def test_any_text_is_read_and_every_place_is_inside_it(text: str) -> None:
    reading = read_text(text)
    for row in reading.rows:
        assert row.figures
        assert all(-1 <= f.span.start <= f.span.end <= len(text) for f in row.figures)


def test_no_decimal_number_of_a_prose_text_is_lost() -> None:
    text = "Our model had 0.91 and 0.92 in two runs, 0.93 for zeal, an accuracy of 0.94, and 0.95/0.96 besides."
    reading = read_text(text)
    spans = [f.span for row in reading.rows for f in row.figures] + [u.span for u in reading.unread]
    covered = " ".join(text[span.start : span.end] for span in spans)
    assert all(number in covered for number in ("0.91", "0.92", "0.93", "0.94", "0.95", "0.96"))


def test_a_share_with_a_plus_sign_is_a_gain_and_no_score() -> None:
    reading = read_grid(table("Method|mF1|Gain in it|AUC", "base|0.704|-|0.91", "+ depth|0.736|+0.032|+0.02"))
    assert placed(reading)["+ depth"] == {"f1": "0.736"}


def test_a_row_of_dashes_is_no_heading_although_a_label_names_a_score() -> None:
    rows = ("Model|Loss|P|R|mAP", "A|CIoU|0.967|0.869|0.960", "B|IoU|–|–|–", "C|CIoU|0.985|0.925|0.970")
    assert [row.model for row in read_grid(table(*rows)).rows] == ["A", "C"]


def test_a_star_between_value_and_spread_is_a_mark() -> None:
    assert placed(read_grid(table("Model|P|F1", "A|76.93|78.44* ±0.006")))["A"]["f1"] == "78.44%"


@pytest.mark.parametrize(
    ("heading", "score", "qualifier"),
    [
        ("AUC-PRC", "auprc", ""),
        ("Sens. @ 97% Spec.", "sens", "@ 97% Spec."),
        ("Recall at 0.95 precision", "sens", "at 0.95 precision"),
    ],
)
def test_headings_of_points_on_a_curve_name_one_score(heading: str, score: str, qualifier: str) -> None:
    name = read_name(heading)
    assert name is not None
    assert (name.score, name.qualifier) == (score, qualifier)


@pytest.mark.parametrize(
    ("figures", "kept"),
    [
        (("69.00%", "47.00%", "56.00%"), ("69%", "47%", "56%")),
        (("0.90", "0.80"), ("0.9", "0.8")),
        (("0.90", "0.85"), ("0.90", "0.85")),
        (("0.90",), ("0.90",)),
        (("90", "80"), ("90", "80")),
    ],
)
def test_zeros_that_end_all_figures_are_no_precision(figures: tuple[str, ...], kept: tuple[str, ...]) -> None:
    assert unpadded(figures) == kept


def test_a_heading_broken_into_lines_by_an_inner_tabular_is_one_cell() -> None:
    text = (
        "\\begin{table}\\begin{tabular}{lll}\n"
        "Model & AUC & \\begin{tabular}[c]{@{}l@{}}Sensitivity \\\\ (Recall)\\end{tabular} \\\\\n"
        "A & 0.60 & 0.20 \\\\\n\\end{tabular}\\end{table}"
    )
    assert placed(read_text(text)) == {"A": {"auc": "0.60", "sens": "0.20"}}


def test_a_part_of_a_table_has_its_own_caption_and_that_of_the_whole() -> None:
    cells = "\\begin{{tabular}}{{lc}} Model & Stems \\\\ NN & {} \\\\ \\end{{tabular}}"
    part = f"\\begin{{{{subtable}}}}{{{{1cm}}}}{cells}\\caption{{{{{{}}}}}}"
    parts = [part.format(value, own) + "\\end{subtable}" for value, own in (("0.27", "Lemmas"), ("0.29", "Words"))]
    text = f"\\begin{{table}}{parts[0]}{parts[1]}\\caption{{Results as f1\\_score}}\\end{{table}}"
    grids = [grid for _, _, grid in latex.find_tables(text)]
    assert [grid.caption for grid in grids] == ["Lemmas. Results as f1_score", "Words. Results as f1_score"]
    assert [placed(read_grid(grid)) for grid in grids] == [
        {"NN · Stems": {"f1": "0.27"}},
        {"NN · Stems": {"f1": "0.29"}},
    ]


@pytest.mark.parametrize(
    "rows",
    [
        ("p|n_neighbors|weights|score", "1|4|uniform|0.35", "2|5|distance|0.41"),
        ("max_features|criterion|score", "auto|gini|0.17", "log2|entropy|0.09", "sqrt|gini|0.18"),
        ("Approach|Simple|SPE|SMOTE", "Forest|0.06|0.31|0.19", "XGBoost|0.15|0.30|0.23"),
    ],
)
def test_short_words_with_other_meanings_are_no_scores_on_their_own(rows: tuple[str, ...]) -> None:
    assert not read_grid(table(*rows)).rows


def test_short_headings_support_each_other() -> None:
    assert placed(read_grid(table("Model|Se|Sp", "A|0.9|0.8"))) == {"A": {"sens": "0.9", "spec": "0.8"}}


def test_a_title_stands_over_the_empty_cells_to_its_right() -> None:
    found = read_grid(table("Kernel|Performance|||", "|Acc (%)|FPR (%)|FNR (%)|F1 (%)", "RBF|97.1|2.4|2.5|97.0"))
    assert [len(row.figures) for row in found.rows] == [4]


def test_tables_side_by_side_are_read_apart() -> None:
    found = read_grid(table("Method|Acc|F1|Method|Acc|F1", "A|0.9|0.8|C|0.5|0.4", "B|0.7|0.6|D|0.3|0.2"))
    assert placed(found) == {
        "A": {"acc": "0.9", "f1": "0.8"},
        "B": {"acc": "0.7", "f1": "0.6"},
        "C": {"acc": "0.5", "f1": "0.4"},
        "D": {"acc": "0.3", "f1": "0.2"},
    }
    assert {figure.span.column for row in found.rows[2:] for figure in row.figures} == {4, 5}


def test_a_rate_above_one_shows_that_its_column_is_in_percent() -> None:
    assert placed(read_grid(table("Model|FDR|Acc", "A|1.52|92.5", "B|0.0|95.1")))["A"] == {
        "fdr": "1.52%",
        "acc": "92.5%",
    }


def test_letters_as_classes_are_no_scores() -> None:
    letters = "ABDFNPRS"
    rows = [f"{letter}|" + "|".join("9" if other == letter else "1" for other in letters) + "|16" for letter in letters]
    assert not read_grid(table("Sign|" + "|".join(letters) + "|Total", *rows)).rows
