"""Papers in Word files, which is how medical journals get them."""

from pathlib import Path

import docx
import pytest

from assay.article.reading import Role, read_paper
from assay.article.tables import score_rows_of
from assay.errors import InputError


def manuscript(path: Path) -> Path:
    made = docx.Document()
    made.add_heading("Finding things in pictures", 0)
    made.add_heading("Results", 1)
    made.add_paragraph("We tested on 129 slides. The code is available.")
    made.add_paragraph("Table 1. Results on the test set", style="Caption")
    table = made.add_table(rows=2, cols=3)
    for row, words in zip(table.rows, (("Method", "Accuracy", "Recall"), ("Ours", "0.91", "0.88")), strict=True):
        for cell, word in zip(row.cells, words, strict=True):
            cell.text = word
    made.save(str(path))
    return path


def test_title_sections_sentences_and_tables_are_read(tmp_path: Path):
    paper = read_paper(manuscript(tmp_path / "p.docx"))
    assert paper.title == "Finding things in pictures"
    assert Role.RESULTS in {section.role for section in paper.sections}
    assert "We tested on 129 slides." in {sentence.text for sentence in paper.sentences}
    [row] = score_rows_of(paper)
    assert (row.name, dict(row.scores), row.caption) == (
        "Ours",
        {"acc": "0.91", "sens": "0.88"},
        "Table 1. Results on the test set",
    )


def test_a_file_that_is_no_word_file_is_refused(tmp_path: Path):
    (tmp_path / "p.docx").write_text("not a Word file")
    with pytest.raises(InputError, match="is not a Word file that can be read"):
        read_paper(tmp_path / "p.docx")
