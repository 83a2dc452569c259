"""Titles, captions, bibliographies and line numbers as papers under review and converters write them."""

from pathlib import Path

import pytest

from assay.article.reading import read_paper
from assay.article.reading.markup import read_markdown, read_markup
from assay.article.reading.pdf import without_line_numbers


@pytest.mark.parametrize("command", ["title", "icmltitle", "Title", "papertitle", "title[short]"])
def test_the_title_of_a_class_of_its_own_is_found(tmp_path: Path, command: str):
    (tmp_path / "p.tex").write_text(
        rf"\documentclass{{x}}\begin{{document}}\{command}{{A study}} Text.\end{{document}}"
    )
    assert read_paper(tmp_path / "p.tex").title == "A study"


def test_front_matter_gives_the_title_and_is_no_text():
    paper = read_markdown("---\ntitle: 'A tool'\ntags:\n  - Python\n---\n\n# Summary\n\nIt works.\n", "paper.md")
    assert paper.title == "A tool"
    assert [(s.text, s.location.line) for s in paper.sentences] == [("It works.", 9)]


@pytest.mark.parametrize("caption", ["Table: Results on the test set", ": Results on the test set", "Table 2. Results"])
@pytest.mark.parametrize("before", [True, False])
def test_a_caption_beside_a_markdown_table_belongs_to_it(caption: str, before: bool):
    table = "| a | b |\n|---|---|\n| 1 | 2 |\n"
    text = f"# R\n\n{caption}\n\n{table}" if before else f"# R\n\nText.\n\n{table}\n{caption}\n"
    [found] = read_markdown(text, "p.md").tables
    assert found.caption == caption


def test_a_jats_label_is_no_caption():
    text = (
        "<article><front/><body><sec><title>R</title><table-wrap><label>Table 1</label><caption><p>On 129 slides</p>"
        "</caption><table><tr><td>1</td></tr></table></table-wrap></sec></body></article>"
    )
    [table] = read_markup(text, "p.xml").tables
    assert table.caption == "On 129 slides"


def test_a_table_in_a_figure_is_a_table():
    inner = "<table><tr><td>1</td></tr></table><figcaption>Table 1: All</figcaption>"
    text = f"<html><body><figure>{inner}</figure></body></html>"
    [table] = read_markup(text, "p.html").tables
    assert table.caption == "Table 1: All"


def test_csl_entries_are_bibliography(tmp_path: Path):
    body = (
        r"Text. \begin{CSLReferences}{1}{0} \leavevmode Smith. A paper. \leavevmode Jones. Another. \end{CSLReferences}"
    )
    (tmp_path / "p.tex").write_text(rf"\documentclass{{x}}\begin{{document}}{body}\end{{document}}")
    assert len(read_paper(tmp_path / "p.tex").bibliography) == 2
    text = '<html><body><p>Text.</p><div class="references csl-bib-body"><div>Smith.</div></div></body></html>'
    assert read_markup(text, "p.html").bibliography == ("Smith.",)


def test_line_numbers_in_the_margin_are_dropped_and_numbers_of_a_table_are_not():
    def word(text: str, left: float, line: int) -> list[object]:
        return [text, left, 700.0 - 12 * line, left + 20, 710.0 - 12 * line, 10.0]

    text = [word("experimented", at, i) for i in range(30) for at in (100, 400)]
    text += [word(str(i), 300, i) for i in range(30)]
    margin = [word(str(70 + i), 40, i) for i in range(30)]
    kept = without_line_numbers([*text, *margin])
    assert kept == text
    assert without_line_numbers(text) == text


@pytest.mark.parametrize(
    ("line", "is_caption"),
    [
        ("Results on 175 positive and 281 negative images.", True),
        ("Performance of the final model on the test set:", True),
        ("Results on the test set. The second is better.", False),
        ("We now turn to the results on the test set.", False),
    ],
)
def test_a_line_that_says_what_the_table_below_shows_is_its_caption(line: str, is_caption: bool):
    paper = read_markdown(f"# Results\n\n{line}\n\n| Model | Accuracy |\n|---|---|\n| A | 0.9 |\n", "p.md")
    [table] = paper.tables
    assert table.caption == (line if is_caption else "")
