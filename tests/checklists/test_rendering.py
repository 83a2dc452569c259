"""Documents made from a filled checklist."""

import io
import zipfile

import docx
import pypdfium2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree, html

from assay.checklists.files import load
from assay.checklists.filled import Answer, Filled, filled_of
from assay.checklists.rendering import Document, render

SAID = "5 % of \\rows & <b>bold</b> | *stars* _under_ µm ± 2 → “done”"


@pytest.fixture(scope="module")
def filled() -> Filled:
    text = (
        "checklist: whole-slide\nsubject: Our paper\nby: Ada\nanswers:\n"
        f"  1: {{answer: complete, evidence: '{SAID}'}}\n  11: {{answer: n/a, reason: no patients}}\n"
        "  6a: {answer: partial, evidence: p. 4, proposed: assay}\n"
    )
    return filled_of(text, "f.yaml")


def test_html_is_self_contained_and_shows_what_was_said(filled: Filled):
    page = html.fromstring(render(filled, Document.HTML).decode())
    assert SAID in page.text_content()
    assert "no patients" in page.text_content()
    assert not page.xpath("//script|//link|//img|//b")
    assert page.xpath("//th[@scope='row']")
    assert page.get("lang") == "en"


def test_markdown_is_one_table_a_section_whatever_was_said(filled: Filled):
    lines = render(filled, Document.MD).decode().splitlines()
    rows = [line for line in lines if line.startswith("|")]
    assert all(line.replace("\\|", "").count("|") == 5 for line in rows)
    assert "not confirmed" in "".join(rows)


def test_docx_opens_and_holds_the_answers(filled: Filled):
    document = docx.Document(io.BytesIO(render(filled, Document.DOCX)))
    cells = [c.text for t in document.tables for row in t.rows for c in row.cells]
    assert SAID in cells
    assert "no answer" in cells


def test_pdf_opens_and_holds_the_answers(filled: Filled):
    pdf = pypdfium2.PdfDocument(render(filled, Document.PDF))
    text = " ".join(page.get_textpage().get_text_bounded() for page in pdf)
    assert "Our paper" in text
    assert "complete" in text
    assert "µm" in text


def test_latex_has_balanced_groups_and_no_bare_signs(filled: Filled):
    text = render(filled, Document.TEX).decode()
    body = text[text.index("% --- from here") :]
    assert r"5 \% of \textbackslash{}rows \& \textless{}b" in body
    plain = body.replace(r"\{", "").replace(r"\}", "")
    assert plain.count("{") == plain.count("}")


def test_the_same_answers_give_the_same_file(filled: Filled):
    for document in Document:
        assert content(render(filled, document)) == content(render(filled, document))


def content(data: bytes) -> object:
    """The parts of an archive, whose own dates are of no interest; other files as they are."""
    if not data.startswith(b"PK"):
        return data
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@settings(max_examples=15)
@given(st.text(max_size=200))
def test_no_text_breaks_a_document(said: str):
    checklist = load("code-completeness")
    answers = tuple(Answer(item, said, said, said) for item in checklist)
    filled = Filled(checklist, answers, subject=said, by=said)
    for document in (Document.HTML, Document.DOCX, Document.PDF, Document.TEX, Document.MD):
        made = render(filled, document)
        if document is Document.HTML:
            etree.HTML(made)
        elif document is Document.DOCX:
            docx.Document(io.BytesIO(made))
        elif document is Document.PDF:
            assert len(pypdfium2.PdfDocument(made)) >= 1


def test_an_endless_answer_still_fits_a_page():
    filled = filled_of(f"checklist: reforms\nanswers:\n  1a: {'word ' * 4000}\n", "f.yaml")
    assert len(pypdfium2.PdfDocument(render(filled, Document.PDF))) >= 2
