"""Score tables of papers in the score tests: what is proven, what is conditional, and what is never blamed."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.article.reading import read_paper
from assay.article.reading.markup import read_markdown, read_markup
from assay.article.sets.bindings import Unbound, bind
from assay.article.tables import ScoreRow
from assay.audit.paper_scores import check_scores
from assay.findings import Confidence, Location, Report, Severity, Verdict

HEAD = r"Set & Accuracy & Recall & Specificity & Precision \\ "


def report(tmp_path: Path, caption: str, row: str, text: str = "") -> Report:
    table = rf"\begin{{table}}\caption{{{caption}}}\begin{{tabular}}{{lrrrr}}{HEAD}{row}\end{{tabular}}\end{{table}}"
    body = rf"\section{{Data}} {text} \section{{Results}} {table}"
    (tmp_path / "p.tex").write_text(rf"\documentclass{{x}}\begin{{document}}{body}\end{{document}}")
    return check_scores(read_paper(tmp_path / "p.tex"))


def verdicts(found: Report) -> list[tuple[str, str]]:
    [rows] = [table.rows for table in found.tables if table.title == "Rows of scores"]
    return [(str(row[0]), str(row[2])) for row in rows]


WSI = r"Test & 0.455 & 0.45 & 0.457 & 0.321 \\"


def test_a_published_row_cannot_come_from_the_test_set_in_its_caption(tmp_path: Path):
    found = report(tmp_path, "49 tumour and 80 normal slides", WSI)
    [finding] = found.findings
    assert (finding.code, finding.severity, finding.confidence) == ("S101", Severity.ERROR, Confidence.MEDIUM)
    assert any("49 tumour and 80 normal" in e.text for e in finding.evidence)
    assert [j.verdict for j in found.judgements] == [Verdict.INCONSISTENT]


def test_sizes_in_the_text_make_it_conditional_and_every_reading_is_listed(tmp_path: Path):
    text = "The test set has 129 slides, 49 with tumour and 80 without."
    [finding] = report(tmp_path, "Results", WSI, text).findings
    assert (finding.code, finding.severity) == ("S120", Severity.WARNING)
    told = " ".join(e.text for e in finding.evidence)
    for reading in ("49 positives", "80 negatives", "macro means", "weighted means", "means over folds"):
        assert reading in told


def test_the_number_of_items_alone_blames_no_row(tmp_path: Path):
    found = report(tmp_path, "results on 129 slides", WSI)
    assert found.clean
    assert verdicts(found) == [("Test", "not checked")]


def test_a_paper_that_speaks_of_folds_is_never_accused_of_an_error(tmp_path: Path):
    text = "We use five-fold cross-validation."
    [finding] = report(tmp_path, "49 tumour and 80 normal slides", WSI, text).findings
    assert finding.severity is Severity.WARNING
    assert report(tmp_path, "Results", WSI, f"{text} The test set has 49 tumour and 80 normal slides.").clean


@pytest.mark.parametrize("caption", ["20 positive and 35 negative slides", "55 slides", "results"])
def test_rows_that_can_be_true_are_not_blamed(tmp_path: Path, caption: str):
    assert report(tmp_path, caption, WSI).clean


def test_what_can_be_true_is_reported_with_a_matrix(tmp_path: Path):
    [judgement] = report(tmp_path, "20 positive and 35 negative slides", WSI).judgements
    assert judgement.verdict is Verdict.CONSISTENT
    assert dict(judgement.evidence[0].values) == {"tp": 9, "fn": 11, "fp": 19, "tn": 16}


def test_means_over_runs_are_not_checked(tmp_path: Path):
    found = report(tmp_path, "49 tumour and 80 normal slides", r"Test & 0.455 $\pm$ 0.1 & 0.45 & 0.457 & 0.321 \\")
    assert found.clean
    assert verdicts(found) == [("Test", "not checked")]


def test_a_table_without_scores_is_accounted_for(tmp_path: Path):
    (tmp_path / "p.tex").write_text(
        r"\documentclass{x}\begin{document}\begin{table}\caption{Symbols}\begin{tabular}{ll}a & b \\ c & d \\"
        r"\end{tabular}\end{table}\end{document}"
    )
    [table] = check_scores(read_paper(tmp_path / "p.tex")).tables
    assert table.rows[0][0] == "Symbols"
    assert table.rows[0][2] == 0


# Fell et al. 2022, Table 2: four rows of the reimplementation in the layout of the paper.
FLAGSHIP = r"""\documentclass{article}\begin{document}
\section{Data}
The Camelyon16 training set has 270 slides (111 with tumour and 159 without).
The Camelyon16 test set has 129 slides (49 with tumour and 80 without).
\section{Results}
\begin{table}\caption{Comparison of original and reimplementation results of Wang paper.}
\begin{tabular}{lllcccccccc}
Task & Data & Set & Accuracy & Recall & Specificity & Precision & PR-AUC & AUC & Kappa Score & FROC \\
Patch & Cam16 & Valid & 0.805 & 0.715 & 0.81 & 0.174 & 0.43 & NA & NA & NA \\
Classification & & Test & 0.859 & 0.731 & 0.867 & 0.254 & 0.579 & NA & NA & NA \\
Slide & Cam16 & Valid & 0.727 & 0.782 & 0.688 & 0.643 & NA & 0.891 & NA & NA \\
Classification & & Test & 0.455 & 0.45 & 0.457 & 0.321 & NA & 0.493 & NA & NA \\
\end{tabular}\end{table}\end{document}"""


def test_only_the_slide_level_test_row_is_reported(tmp_path: Path):
    (tmp_path / "p.tex").write_text(FLAGSHIP)
    found = check_scores(read_paper(tmp_path / "p.tex"))
    [finding] = found.findings
    assert finding.code == "S120"
    assert dict(finding.evidence[4].values)["acc"] == "0.455"
    assert [status for _, status in verdicts(found)] == ["not checked"] * 3 + ["impossible as stated"]


def test_where_none_of_several_rows_fits_nothing_is_proven(tmp_path: Path):
    rows = r"A & 0.455 & 0.45 & 0.457 & 0.321 \\ B & 0.805 & 0.715 & 0.81 & 0.174 \\"
    [finding] = report(tmp_path, "49 tumour and 80 normal slides", rows).findings
    assert (finding.code, finding.subject) == ("S120", "A, B")
    fits = r"C & 0.853 & 0.816 & 0.875 & 0.800 \\"
    [finding] = report(tmp_path, "49 tumour and 80 normal slides", WSI + fits).findings
    assert finding.code == "S101"


# --- honest tables -----------------------------------------------------------------------------------

CAPTIONS = (
    "Results on the {n:,} test images",
    "Results on {n} images",
    "Results (n = {n})",
    "Mean results of n = 3 runs",
    "Few-shot results with 10 examples per class",
    "Results for {few} patients",
    "Results on test set A ({n} images) and test set B ({few} images)",
    "Results when trained with only {few} samples",
    "Results on the test set of {p} positives and {q} negatives",
    "Results on {n} test samples ({p} positive, {q} negative)",
    "Results on {few} cases and {few} controls, ten recordings each",
    "Detection results on {few} images",
    "Results with {few} instances per batch",
)


def scores_of(tp: int, fn: int, fp: int, tn: int) -> tuple[float, ...]:
    total = tp + fn + fp + tn
    precision = tp / (tp + fp) if tp + fp else 0.0
    return (tp + tn) / total, precision, tp / (tp + fn), 2 * tp / (2 * tp + fp + fn)


def macro(tp: int, fn: int, fp: int, tn: int) -> tuple[float, ...]:
    one, other = scores_of(tp, fn, fp, tn), scores_of(tn, fp, fn, tp)
    return one[0], *((a + b) / 2 for a, b in zip(one[1:], other[1:], strict=True))


@settings(max_examples=200, deadline=None)
@given(st.tuples(st.integers(2, 4000), st.integers(2, 1000)), st.sampled_from(CAPTIONS), st.integers(2, 4), st.data())
def test_no_true_row_is_ever_blamed(sizes: tuple[int, int], caption: str, digits: int, data: st.DataObject):
    """Scores of random predictions, for one class or as macro means, under captions that say true things."""
    p, q = sizes
    averaged = data.draw(st.booleans())
    rows = []
    for name in "ABCD":
        tp, tn = data.draw(st.integers(0, p)), data.draw(st.integers(0, q))
        values = (macro if averaged else scores_of)(tp, p - tp, q - tn, tn)
        rows.append(" & ".join([name, *(f"{value:.{digits}f}" for value in values)]) + r" \\")
    said = caption.format(n=p + q, p=p, q=q, few=max(5, p // 10))
    found = check_scores(read_markup(html(said, rows), "p.html"))
    assert len(verdicts(found)) == 4
    assert found.clean


def html(caption: str, rows: list[str]) -> str:
    cells = "".join(
        "<tr>" + "".join(f"<td>{cell.strip()}</td>" for cell in row.removesuffix(r"\\").split("&")) + "</tr>"
        for row in rows
    )
    head = "".join(f"<th>{name}</th>" for name in ("Method", "Accuracy", "Precision", "Recall", "F1"))
    return f"<h2>Results</h2><p>As below.</p><table><caption>{caption}</caption><tr>{head}</tr>{cells}</table>"


def rows_of(*rows: str) -> Report:
    cells = [f"{row} \\\\" for row in rows]
    return check_scores(read_markup(html("Results", cells), "p.html"))


def test_what_no_size_and_no_averaging_allows_is_an_error():
    good = ["A & 0.9 & 0.91 & 0.89 & 0.90", "B & 0.9 & 0.81 & 0.89 & 0.85", "C & 0.9 & 0.91 & 0.79 & 0.84"]
    [finding] = rows_of(*good, "D & 0.9 & 0.91 & 0.89 & 0.95").findings
    assert (finding.code, finding.severity, finding.subject) == ("S107", Severity.ERROR, "D")
    assert rows_of(*good).clean


def test_where_most_rows_break_the_laws_the_headings_are_doubted():
    [finding] = rows_of("A & 0.9 & 0.91 & 0.89 & 0.95", "B & 0.9 & 0.81 & 0.79 & 0.99").findings
    assert (finding.code, finding.severity, finding.subject) == ("S120", Severity.WARNING, "A, B")


def test_a_row_is_called_by_its_label_and_blamed_once():
    page = (
        "<html><body><table><tr><th>Method</th><th>Precision</th><th>Recall</th><th>F1</th><th>Support</th></tr>"
        "<tr><td>A</td><td>0.573</td><td>0.672</td><td>0.618</td><td>305</td></tr>"
        "<tr><td>B</td><td>0.724</td><td>0.833</td><td>0.774</td><td>305</td></tr>"
        "<tr><td>C</td><td>0.657</td><td>0.790</td><td>0.717</td><td>305</td></tr>"
        "<tr><td>Ours</td><td>0.695</td><td>0.813</td><td>0.843</td><td>305</td></tr></table></body></html>"
    )
    [finding] = check_scores(read_markup(page, "p.html")).findings
    assert (finding.code, finding.subject) == ("S107", "Ours")


MATRIX = """# Results

Table: Confusion matrix of the final model

|  | Predicted benign | Predicted malignant |
|---|---|---|
| Actual benign | 412 | 31 |
| Actual malignant | 27 | 203 |

Table: Results

| Model | Accuracy | Precision | Recall | F1 |
|---|---|---|---|---|
| Final | {accuracy} | 0.868 | 0.883 | 0.875 |
| Other | 0.871 | 0.790 | 0.812 | 0.801 |
"""


def test_scores_that_follow_from_a_confusion_matrix_are_confirmed():
    found = check_scores(read_markdown(MATRIX.format(accuracy="0.914"), "p.md"))
    assert found.findings == ()
    [said] = [one.statement for one in found.judgements if "confusion matrix" in one.statement]
    assert "acc 0.914, ppv 0.868, sens 0.883, f1 0.875 follow" in said


def test_a_score_that_a_confusion_matrix_contradicts_is_reported():
    [finding] = check_scores(read_markdown(MATRIX.format(accuracy="0.934"), "p.md")).findings
    assert finding.code == "S124"
    assert "0.9138" in finding.message


def test_where_the_text_mentions_folds_a_matrix_contradicts_nothing():
    text = MATRIX.format(accuracy="0.934") + "\n# Methods\n\nWe report means over five folds.\n"
    assert check_scores(read_markdown(text, "p.md")).findings == ()


def test_counts_that_do_not_add_up_to_the_items_of_their_row_bind_nothing() -> None:
    row = ScoreRow("A", (("sens", "2%"),), Location("p.md", 1), counts=(("n", 2), ("p", 1), ("total", 30)))
    assert isinstance(bind(row, ()), Unbound)


def table_of(heading: str, *rows: str) -> Report:
    """The findings on a Markdown table."""
    count = heading.count("|") + 1
    lines = [heading, "|".join(["---"] * count), *rows]
    table = "\n".join(f"| {line} |" for line in lines)
    return check_scores(read_markdown(f"# Results\n\nTable: Results\n\n{table}\n", "p.md"))


@pytest.mark.parametrize(
    "heading",
    [
        "Model | Accuracy | Macro F1 | Recall of the rare class",
        "Model | Accuracy | Macro F1 | Hazardous Recall",
        "Model | Attack F1 | Macro F1 | Sensitivity",
    ],
)
def test_scores_of_different_classes_are_not_tested_together(heading: str):
    assert table_of(heading, "A | 0.900 | 0.855 | 0.203", "B | 0.910 | 0.861 | 0.117").findings == ()


def test_scores_of_one_averaging_are_tested_together():
    good = ["A | 0.91 | 0.89 | 0.90", "B | 0.81 | 0.89 | 0.85", "C | 0.91 | 0.79 | 0.84"]
    found = table_of("Model | Macro precision | Macro recall | Macro F1", *good, "D | 0.91 | 0.89 | 0.98")
    assert [(finding.code, finding.subject) for finding in found.findings] == [("S107", "D")]


def test_the_weights_of_a_sum_of_scores_are_no_scores():
    rows = ["F1 | 30% | balance", "Recall | 20% | minority classes", "Precision | 15% | false positives"]
    assert table_of("Metric | Weight | Notes", *rows).findings == ()
    assert [f.code for f in table_of("Metric | Ours | Notes", *rows).findings] == ["S120"]


@pytest.mark.parametrize(("overlaps", "codes"), [(("0.78", "0.77"), []), (("0.46", "0.77"), ["S123"])])
def test_an_overlap_of_matched_objects_is_not_that_of_the_counts(overlaps: tuple[str, str], codes: list[str]):
    one, other = overlaps
    rows = [f"A | 0.528 | 0.780 | {one} | 1027 | 918 | 289", f"B | 0.498 | 0.779 | {other} | 1025 | 1035 | 291"]
    assert [f.code for f in table_of("Setting | Precision | Recall | IoU | TP | FP | FN", *rows).findings] == codes
    assert table_of("Setting | Precision | Recall | mIoU | TP | FP | FN", *rows).findings == ()


REPORT = [
    "normal | 0.91 | 0.94 | 0.92 | 50",
    "benign | 0.80 | 0.72 | 0.76 | 40",
    "malignant | 0.71 | 0.80 | 0.75 | 30",
]
AVERAGES = ["macro avg | 0.81 | 0.82 | 0.81 | {items}", "weighted avg | 0.82 | 0.83 | 0.82 | {items}"]


def report_of(accuracy: str, items: int = 120, averages: list[str] = AVERAGES) -> Report:
    rows = [*REPORT, f"accuracy | | | {accuracy} | {items}", *(row.format(items=items) for row in averages)]
    return table_of("Class | Precision | Recall | F1-score | Support", *rows)


def test_the_accuracy_of_a_report_is_the_recall_of_its_items():
    [finding] = report_of("0.91").findings
    assert (finding.code, finding.severity) == ("S123", Severity.ERROR)
    assert "printed acc is 0.91" in finding.message
    assert "0.8317" in finding.message
    true = report_of("0.83")
    assert true.clean
    assert any("7 figures" in one.statement for one in true.judgements)


def test_a_report_that_leaves_out_classes_blames_nothing():
    assert report_of("0.91", items=150).findings == ()


def test_a_report_of_several_labels_for_each_item_blames_no_accuracy():
    assert report_of("0.31", averages=["micro avg | 0.83 | 0.83 | 0.83 | {items}", *AVERAGES]).findings == ()


def test_classes_that_are_predicted_more_often_than_there_are_items_say_nothing_of_the_accuracy():
    classes = ["rain | 0.60 | 0.94 | 0.73 | 50", "wind | 0.55 | 0.90 | 0.68 | 40", "fog | 0.51 | 0.80 | 0.62 | 30"]
    rows = [*classes, "accuracy | | | 0.31 | 120", "macro avg | 0.55 | 0.88 | 0.68 | 120"]
    assert table_of("Label | Precision | Recall | F1-score | Support", *rows).findings == ()


def test_where_recall_is_the_accuracy_a_row_that_differs_stands_out():
    good = ["A | 0.842 | 0.851 | 0.842", "B | 0.861 | 0.862 | 0.861", "C | 0.883 | 0.881 | 0.883"]
    heading = "Model | Accuracy | Weighted Precision | Weighted Recall"
    [finding] = table_of(heading, *good, "D | 0.915 | 0.914 | 0.951").findings
    assert finding.subject == "D"
    assert table_of(heading, *good).findings == ()
    apart = ["A | 0.842 | 0.851 | 0.812", "B | 0.861 | 0.862 | 0.861", "C | 0.883 | 0.881 | 0.870"]
    assert table_of(heading, *apart, "D | 0.915 | 0.914 | 0.951").findings == ()


def test_letters_of_a_statistical_test_are_no_scores():
    rows = ("Year | 5.811 | 1 | 0.017", "Pages | 5.299 | 1 | 0.022", "Equations | 0.691 | 1 | 0.406")
    assert table_of("Feature | F | df | p", *rows).findings == ()
    assert table_of("Feature | F | p", *(row.replace(" 1 |", "") for row in rows)).findings == ()
    assert table_of("Model | P | R | F", "A | 0.80 | 0.70 | 0.95").findings != ()


PRINTED = """
              precision    recall  f1-score   support

         cat       0.88      0.87      {f1}       861
         dog       0.88      0.88      0.88       890

    accuracy                           0.88      1751
   macro avg       0.88      0.88      0.88      1751
weighted avg       0.88      0.88      0.88      1751
"""
HTML_ROW = "<tr><td>{}</td><td>0.80</td><td>0.70</td><td>{}</td></tr>"
HTML_HEAD = "<table><tr><th></th><th>Precision</th><th>Recall</th><th>F1</th></tr>"
HTML_WRONG, HTML_RIGHT = (
    f"{HTML_HEAD}{HTML_ROW.format('cat', f1)}\n{HTML_ROW.format('dog', '0.75')}</table>" for f1 in ("0.95", "0.74")
)


@pytest.mark.parametrize(
    ("wrong", "right", "line"),
    [
        (f"```text{PRINTED.format(f1='0.97')}```", f"```text{PRINTED.format(f1='0.87')}```", 3),
        (HTML_WRONG, HTML_RIGHT, 3),
        (f"<div>\n{HTML_WRONG}\n</div>", f"<div>\n{HTML_RIGHT}\n</div>", 4),
    ],
)
def test_tables_in_markdown_may_be_html_or_printed_by_a_program(wrong: str, right: str, line: int):
    report = check_scores(read_markdown(f"# Results\n\n{wrong}\n", "p.md"))
    assert "cat" in {finding.subject for finding in report.findings}
    assert {finding.location.line for finding in report.findings if finding.location} == {line}
    assert check_scores(read_markdown(f"# Results\n\n{right}\n", "p.md")).findings == ()


def test_sets_of_one_size_with_other_classes_are_two_sets(tmp_path: Path):
    text = "We test on 49 positive and 80 negative slides. A second test set has 60 positive and 69 negative slides."
    row = r"Ours, test & 0.853 & 0.850 & 0.855 & 0.836 \\"
    found = report(tmp_path, "Results", row, text)
    assert verdicts(found) == [("Ours, test", "not checked")]
    assert found.clean


def test_a_row_about_the_external_set_is_tested_on_that_set(tmp_path: Path):
    text = (
        "The internal test set has 100 positives and 200 negatives. "
        "The external test set has 49 positives and 80 negatives."
    )
    [finding] = report(tmp_path, "Results on the external test set", WSI.replace("Test", "Ours"), text).findings
    assert finding.code == "S120"


def test_where_many_rows_fail_only_the_one_that_is_shown_is_argued():
    rows = "".join(f"| M{i} | 0.90 | 0.80 | 0.9{i} |\n" for i in range(1, 8))
    found = check_scores(
        read_markdown(f"# Results\n\n| Model | Precision | Recall | F1 |\n|---|---|---|---|\n{rows}", "p.md")
    )
    [finding] = found.findings
    assert "6 more rows" in finding.message
    assert sum(e.text.startswith("Read as") for e in finding.evidence) == 2
