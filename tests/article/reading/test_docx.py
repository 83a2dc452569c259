"""Papers in Word files, which is how medical journals get them."""

import zipfile
from pathlib import Path

import docx
import pytest
from docx.oxml import OxmlElement

from assay.article.reading import Role, read_paper
from assay.article.reading.word import Paragraph, Table, read_blocks
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


def test_merged_cells_stand_in_every_place_and_tracked_changes_are_accepted(tmp_path: Path):
    made = docx.Document()
    table = made.add_table(rows=2, cols=3)
    table.cell(0, 0).merge(table.cell(0, 1)).text = "wide"
    table.cell(0, 2).merge(table.cell(1, 2)).text = "high"
    paragraph = made.add_paragraph("Kept. ")
    for tag in ("ins", "del"):
        run = paragraph.add_run(f"{tag}. ")
        change = OxmlElement(f"w:{tag}")
        run._r.addprevious(change)
        change.append(run._r)
    made.save(str(tmp_path / "p.docx"))
    table_read, paragraph_read = list(read_blocks(tmp_path / "p.docx"))
    assert table_read == Table((("wide", "wide", "high"), ("", "", "high")))
    assert isinstance(paragraph_read, Paragraph)
    assert paragraph_read.text.split() == ["Kept.", "ins."]


@pytest.mark.parametrize("part", ["_rels/.rels", "word/document.xml", "word/styles.xml"])
@pytest.mark.parametrize("content", [b"", b"<a", b'<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', b"<a/>"])
def test_a_broken_or_hostile_part_is_refused_or_read_without_it(tmp_path: Path, part: str, content: bytes):
    good = manuscript(tmp_path / "good.docx")
    with zipfile.ZipFile(good) as source, zipfile.ZipFile(tmp_path / "p.docx", "w") as out:
        for name in source.namelist():
            out.writestr(name, content if name == part else source.read(name))
    if (part, content) == ("word/styles.xml", b"<a/>"):
        assert read_paper(tmp_path / "p.docx").tables
        return
    with pytest.raises(InputError, match="is not a Word file that can be read"):
        read_paper(tmp_path / "p.docx")


def test_a_file_that_is_no_word_file_is_refused(tmp_path: Path):
    (tmp_path / "p.docx").write_text("not a Word file")
    with pytest.raises(InputError, match="is not a Word file that can be read"):
        read_paper(tmp_path / "p.docx")
