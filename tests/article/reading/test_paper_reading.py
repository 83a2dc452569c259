"""Papers in every form they come in."""

import io
import tarfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reportlab.lib.pagesizes import A4
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfgen.canvas import Canvas

from assay.article.reading import Paper, Role, read_paper
from assay.article.reading.markup import read_markup
from assay.article.reading.paper import Section
from assay.article.reading.sentences import CITATION, sentences_of
from assay.article.reading.tex import read_tex
from assay.article.reading.tex_plain import plain
from assay.errors import InputError
from assay.findings import Location
from assay.tree import tree_of

TEX = r"""\documentclass{article}
\newcommand{\ours}{DeepThing}
\title{On \ours{} and caf\'e}
\begin{document}
\begin{abstract}
We show that \ours works. % not really
\end{abstract}
\section{Introduction}
Earlier work \cite{a,b} did this. See Fig. 3 for
more, e.g. the curve.  % comment
\section{Methods}
\input{method}
\begin{table}
\caption{Scores of \textbf{all} models}
\begin{tabular}{lr} A & 0.93 \\ B & 0.91 \end{tabular}
\end{table}
We set $\alpha = 0.05$ and $5\%$ dropout.
\begin{equation} x = y \end{equation}
\subsection{Training}
Code is at \url{https://example.org/code\_here}.
\begin{algorithm} do it \end{algorithm}
\appendix
\section{More data}
Details here.
\begin{thebibliography}{9}
\bibitem{a} A. Author. A paper. We used this data.
\end{thebibliography}
\end{document}
"""
METHOD = "The method\nis simple.\n\n\\input{../secret}\n\\input{main}\nIt has two parts.\n"


def said(paper: Paper) -> list[str]:
    return [sentence.text for sentence in paper.sentences]


@pytest.fixture
def tex() -> Paper:
    return read_tex(tree_of({"main.tex": TEX, "method.tex": METHOD}), "main.tex")


def test_latex_gives_title_sections_and_roles(tex: Paper):
    assert tex.title == "On DeepThing and café"
    assert [(s.heading, s.role) for s in tex.sections] == [
        ("", Role.FRONT),
        ("Abstract", Role.ABSTRACT),
        ("Introduction", Role.INTRODUCTION),
        ("Methods", Role.METHOD),
        ("Training", Role.EXPERIMENT),
        ("More data", Role.APPENDIX),
    ]


def test_latex_sentences_are_plain_words_without_comments_tables_and_bibliography(tex: Paper):
    assert said(tex) == [
        "We show that DeepThing works.",
        "Earlier work [cite] did this.",
        "See Fig. 3 for more, e.g. the curve.",
        "The method is simple.",
        "It has two parts.",
        "We set α = 0.05 and 5% dropout.",
        "[formula]",
        "Code is at https://example.org/code_here.",
        "Details here.",
    ]
    assert tex.bibliography == ("A. Author. A paper. We used this data.",)


def test_latex_sentences_keep_their_file_and_line(tex: Paper):
    places = {s.text: str(s.location) for s in tex.sentences}
    assert places["We show that DeepThing works."] == "main.tex:6"
    assert places["The method is simple."] == "method.tex:1"
    assert places["It has two parts."] == "method.tex:6"
    assert places["We set α = 0.05 and 5% dropout."] == "main.tex:17"


def test_latex_knows_who_is_spoken_of(tex: Paper):
    assert [s.text for s in tex.sentences if s.cites] == ["Earlier work [cite] did this."]


def test_latex_tables_listings_and_links_are_kept_apart(tex: Paper):
    [table] = tex.tables
    assert (table.caption, str(table.location)) == ("Scores of all models", "main.tex:13")
    assert r"A & 0.93 \\" in table.text
    assert [listing.kind for listing in tex.listings] == ["algorithm"]
    assert [(link, str(place)) for link, place in tex.links] == [("https://example.org/code_here", "main.tex:20")]


def test_inputs_outside_the_folder_and_in_circles_are_not_followed(tex: Paper):
    assert len(tex.left_out) == 2
    assert all("was not followed" in note for note in tex.left_out)


def test_an_archive_of_latex_is_a_paper(tmp_path: Path):
    with tarfile.open(tmp_path / "paper.tar.gz", "w:gz") as archive:
        for name, text in (("src/main.tex", TEX), ("src/method.tex", METHOD)):
            info = tarfile.TarInfo(name)
            info.size = len(text.encode())
            archive.addfile(info, io.BytesIO(text.encode()))
    assert read_paper(tmp_path / "paper.tar.gz").title == "On DeepThing and café"


@settings(max_examples=60)
@given(st.text(alphabet="\\{}$%&[]()ab \n~^_'\"-.", max_size=300))
def test_no_latex_breaks_the_reader_or_loses_lines(text: str):
    assert plain(text).count("\n") == text.count("\n")
    read_tex(tree_of({"main.tex": "\\documentclass{x}\\begin{document}\n" + text}), "main.tex")


def test_a_command_that_opens_an_environment_is_not_expanded():
    text = r"\newcommand{\And}{\end{tabular}\begin{tabular}}\begin{document}Alpha \And Beta. We say more.\end{document}"
    assert said(read_tex(tree_of({"m.tex": text}), "m.tex"))[-1] == "We say more."


def test_an_environment_without_an_end_stops_at_an_empty_line():
    text = "\\begin{document}\n\\begin{table}\n0.9\n\nWe say more.\n\\end{document}"
    assert said(read_tex(tree_of({"m.tex": text}), "m.tex")) == ["We say more."]


def test_forgotten_ends_do_not_swallow_the_paper():
    paper = read_tex(tree_of({"m.tex": "\\section{Methods\n\nText one.\n\\begin{table}\nno end"}), "m.tex")
    assert "Text one." in said(paper)


JATS = """<?xml version="1.0"?><!DOCTYPE article [<!ENTITY x SYSTEM "file:///etc/hostname">]>
<article><front><article-meta><title-group><article-title>On JATS</article-title></title-group>
<abstract><p>We show it.</p></abstract></article-meta></front>
<body><sec><title>Methods</title><p>We did as others <xref ref-type="bibr" rid="r1">1</xref> do. &x;</p>
<sec><title>Sampling</title><p>We drew 100 rows.</p></sec></sec>
<sec><title>Results</title><table-wrap><label>Table 1</label><caption><p>Scores</p></caption>
<table><tr><td>A</td><td>0.93</td></tr></table></table-wrap></sec></body>
<back><ref-list><ref id="r1"><mixed-citation>A. Author, A paper.</mixed-citation></ref></ref-list></back></article>
"""


def test_jats_is_read_with_its_citations_and_without_its_entities(tmp_path: Path):
    (tmp_path / "p.xml").write_text(JATS)
    paper = read_paper(tmp_path / "p.xml")
    assert paper.title == "On JATS"
    assert said(paper) == ["We show it.", "We did as others [cite] do.", "We drew 100 rows."]
    assert [s.role for s in paper.sections if s.heading] == [Role.ABSTRACT, Role.METHOD, Role.METHOD, Role.RESULTS]
    assert [s.cites for s in paper.sentences] == [False, True, False]
    assert paper.bibliography == ("A. Author, A paper.",)
    assert "0.93" in paper.tables[0].text


def test_html_is_read_without_its_scripts_and_menus():
    page = (
        "<html><head><title>t</title><script>We lie.</script></head><body><nav><p>Menu here.</p></nav><h1>A paper</h1>"
        "<h2>1 Introduction</h2><p>We show (Smith et al., 2020) that. It is <b>good</b>.</p>"
        "<h2>References</h2><p>Old work.</p></body></html>"
    )
    paper = read_markup(page, "p.html")
    assert said(paper) == ["We show (Smith et al., 2020) that.", "It is good."]
    assert [s.cites for s in paper.sentences] == [True, False]
    assert paper.bibliography == ("Old work.",)


def test_markdown_keeps_its_lines(tmp_path: Path):
    (tmp_path / "p.md").write_text("# A paper\n\n## Data\n\nWe used it.\nTwice.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n")
    paper = read_paper(tmp_path / "p.md")
    assert [(s.text, s.location.line) for s in paper.sentences] == [("We used it.", 5), ("Twice.", 5)]
    assert paper.tables[0].location.line == 8


def make_pdf(path: Path, pages: list[list[tuple[int, str]]], **options: object) -> Path:
    canvas = Canvas(str(path), pagesize=A4, **options)  # type: ignore[arg-type]
    for number, lines in enumerate(pages, 1):
        canvas.setFont("Helvetica", 8)
        canvas.drawString(72, 810, "Journal of Things, vol. 3")
        canvas.drawString(290, 30, str(number))
        height = 780
        for size, line in lines:
            canvas.setFont("Helvetica", size)
            canvas.drawString(72, height, line)
            height -= 2 * size if size > 10 else 14
        canvas.showPage()
    canvas.save()
    return path


BODY = [
    (10, "We trained the network on a large com-"),
    (10, "puter. It took a day, as others found [3]."),
    (10, "We used two seeds."),
]


def test_pdf_text_is_put_together_again_with_pages(tmp_path: Path):
    first = [(18, "A Study of Things"), (12, "1 Introduction"), *BODY * 3, (12, "2 Experiments")]
    path = make_pdf(tmp_path / "p.pdf", [first, [*BODY, (12, "References"), (10, "[1] A. Author. Old work.")]])
    paper = read_paper(path)
    assert paper.title == "A Study of Things"
    assert [s.heading for s in paper.sections] == ["", "Introduction", "Experiments", "References"]
    texts = said(paper)
    assert texts.count("We trained the network on a large computer.") == 4
    assert not any("Journal" in text for text in texts)
    last = paper.sentences[-1]
    assert (last.text, last.location.page, last.section.heading) == ("We used two seeds.", 2, "Experiments")
    assert [s.cites for s in paper.sentences[-3:]] == [False, True, False]
    assert "Old work" in paper.bibliography[0]


def test_an_encrypted_pdf_is_refused(tmp_path: Path):
    path = make_pdf(tmp_path / "p.pdf", [BODY * 10], encrypt=StandardEncryption("secret", canPrint=0))
    with pytest.raises(InputError, match="is encrypted"):
        read_paper(path)


def test_a_scanned_pdf_is_refused(tmp_path: Path):
    canvas = Canvas(str(tmp_path / "p.pdf"))
    canvas.rect(10, 10, 500, 500, fill=1)
    canvas.save()
    with pytest.raises(InputError, match="has no text"):
        read_paper(tmp_path / "p.pdf")


def test_a_long_pdf_is_read_in_part_and_says_so(tmp_path: Path):
    path = make_pdf(tmp_path / "p.pdf", [BODY] * 320)
    assert read_paper(path).left_out == ("only the first 300 of 320 pages were read",)


@pytest.mark.parametrize("data", [b"", b"%PDF-1.7", b"%PDF-1.4\n" + b"\0" * 5000, b"junk" * 100])
def test_a_broken_pdf_is_refused(tmp_path: Path, data: bytes):
    (tmp_path / "p.pdf").write_bytes(data)
    with pytest.raises(InputError, match="is broken, or no PDF"):
        read_paper(tmp_path / "p.pdf")


@pytest.mark.parametrize("name", ["paper.docx", "nothing.tex", "empty"])
def test_what_is_no_paper_is_refused(tmp_path: Path, name: str):
    if name == "paper.docx":
        (tmp_path / name).write_bytes(b"PK")
    elif name == "empty":
        (tmp_path / name).mkdir()
    with pytest.raises(InputError):
        read_paper(tmp_path / name)


FRONT = Section("", Role.OTHER, 1, Location("p"))


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("One. Two.", ["One.", "Two."]),
        ("We follow Smith et al. in this.", ["We follow Smith et al. in this."]),
        ("See Fig. 3. Then stop.", ["See Fig. 3.", "Then stop."]),
        ("It was 0.5. 3 runs were made.", ["It was 0.5.", "3 runs were made."]),
        ("A heading\n\nText follows", ["A heading", "Text follows"]),
        (f"As in {CITATION}. We do.", ["As in [cite].", "We do."]),
        ("J. Smith did it.", ["J. Smith did it."]),
        ("...", []),
    ],
)
def test_sentences_end_where_people_end_them(text: str, sentences: list[str]):
    assert [s.text for s in sentences_of(text, FRONT, "p", 1)] == sentences


@given(st.text(max_size=400))
def test_sentences_lose_no_word(text: str):
    found = " ".join(s.text for s in sentences_of(text, FRONT, "p", 1))
    words = [w for w in text.split() if any(sign.isalnum() for sign in w)]
    assert all(word in found for word in words)


@pytest.mark.parametrize("content", [b"", b"\x00\xff{{{", b"1 2 3 + - .\n", bytes(range(256)) * 40])
def test_what_holds_no_sentence_is_no_paper(tmp_path: Path, content: bytes):
    (tmp_path / "p.tex").write_bytes(content)
    with pytest.raises(InputError, match="holds no sentence and no table"):
        read_paper(tmp_path / "p.tex")


def test_a_paragraph_without_end_is_cut_as_quickly_as_any():
    found = list(sentences_of("We do it.\n" * 50_000, FRONT, "p", 1))
    assert len(found) == 50_000
    assert found[-1].location.line == 50_000
