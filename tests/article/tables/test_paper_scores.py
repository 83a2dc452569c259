"""Score tables of papers in the score tests."""

from pathlib import Path

import pytest

from assay.article.reading import read_paper
from assay.audit.paper_scores import check_scores
from assay.findings import Confidence, Report, Verdict

HEAD = r"Set & Accuracy & Recall & Specificity & Precision \\ "


def report(tmp_path: Path, caption: str, row: str) -> Report:
    table = rf"\begin{{table}}\caption{{{caption}}}\begin{{tabular}}{{lrrrr}}{HEAD}{row}\end{{tabular}}\end{{table}}"
    (tmp_path / "p.tex").write_text(rf"\documentclass{{x}}\begin{{document}}{table}\end{{document}}")
    return check_scores(read_paper(tmp_path / "p.tex"))


WSI = r"Test & 0.455 & 0.45 & 0.457 & 0.321 \\"


def test_a_published_row_cannot_come_from_the_published_test_set(tmp_path: Path):
    found = report(tmp_path, "49 tumour and 80 normal slides", WSI)
    [finding] = found.findings
    assert finding.code == "S101"
    assert finding.confidence is Confidence.MEDIUM
    assert any("49 tumour and 80 normal" in e.text for e in finding.evidence)
    assert [j.verdict for j in found.judgements] == [Verdict.INCONSISTENT]


def test_nor_from_any_division_of_as_many_slides(tmp_path: Path):
    [finding] = report(tmp_path, "results on 129 slides", WSI).findings
    assert "129 items" in finding.message


def test_without_sizes_the_smallest_that_fit_are_listed_and_nothing_is_blamed(tmp_path: Path):
    found = report(tmp_path, "results", WSI)
    assert found.clean
    assert found.tables[0].rows[0][2] == "20 + 35, 40 + 70, 60 + 105, 80 + 140, 93 + 164, 100 + 175"


@pytest.mark.parametrize("caption", ["20 positive and 35 negative slides", "55 slides"])
def test_rows_that_can_be_true_are_not_blamed(tmp_path: Path, caption: str):
    assert report(tmp_path, caption, WSI).clean


def test_means_over_runs_are_left_to_a_test_that_knows_the_folds(tmp_path: Path):
    found = report(tmp_path, "129 slides", r"Test & 0.455 $\pm$ 0.1 & 0.45 & 0.457 & 0.321 \\")
    assert found.clean
    assert "means over runs" in found.left_out[0]


def test_figures_that_are_no_scores_are_left_out_with_a_word(tmp_path: Path):
    found = report(tmp_path, "129 slides", r"Test & 455 & 0.45 & 0.457 & 0.321 \\")
    assert found.clean
    assert len(found.left_out) == 1
