"""PDF and Word: every report becomes a file that opens, says what the report says, and is the same every time."""

import io

import docx
import pypdfium2
import pytest
from example import EXAMPLE
from hypothesis import given, settings
from random_reports import HOSTILE, filled_with, reports

from assay.cli import main
from assay.findings import Location, Report, Section, Table
from assay.records import replace
from assay.report import Format, encoded

BINARY = [how for how in Format if how.is_binary]


def words(data: bytes, how: Format) -> str:
    if how is Format.PDF:
        with pypdfium2.PdfDocument(data) as pages:
            text = "\n".join(page.get_textpage().get_text_range() for page in pages)
    else:
        document = docx.Document(io.BytesIO(data))
        cells = [cell.text for table in document.tables for row in table.rows for cell in row.cells]
        text = "\n".join([*(paragraph.text for paragraph in document.paragraphs), *cells])
    return " ".join(text.split())


@pytest.mark.parametrize("how", BINARY)
def test_the_file_says_what_the_report_says(how: Format) -> None:
    text = words(encoded(EXAMPLE, how), how)
    for finding in EXAMPLE.findings:
        assert finding.code in text
    for table in EXAMPLE.tables:
        assert table.title.split()[0] in text


@pytest.mark.parametrize("how", BINARY)
def test_page_one_leads(how: Format) -> None:
    text = words(encoded(Report("A result", findings=EXAMPLE.findings, sections=(Section("x", "Chapter"),)), how), how)
    assert text.index("Nothing serious is certain") < text.index("Questions for the authors") < text.index("Verdict")


@pytest.mark.parametrize("how", BINARY)
def test_a_report_in_chapters_takes_few_pages_and_names_every_rule(how: Format) -> None:
    many = tuple(
        replace(finding, code=f"R{code}", location=Location(f"src/module_{place}.py", line=place))
        for finding in EXAMPLE.findings
        for code in range(100, 115)
        for place in range(10)
    )
    data = encoded(Report("A result", findings=many, sections=(Section("x", "Chapter"),)), how)
    text = words(data, how)
    assert all(f"R{code}" in text for code in range(100, 115))
    assert "and 7 more" in text
    if how is Format.PDF:
        with pypdfium2.PdfDocument(data) as pages:
            assert len(pages) <= 4


@pytest.mark.parametrize("how", BINARY)
@pytest.mark.parametrize("report", [*map(filled_with, HOSTILE.values())])
def test_hostile_text_does_no_harm(report: Report, how: Format) -> None:
    words(encoded(report, how), how)


@pytest.mark.parametrize("how", BINARY)
@given(report=reports)
@settings(max_examples=15)
def test_any_report_can_be_a_file_and_is_the_same_every_time(report: Report, how: Format) -> None:
    first = encoded(report, how)
    if how is Format.PDF:
        assert first == encoded(report, how)
    assert words(first, how)


@pytest.mark.parametrize("how", BINARY)
def test_a_table_that_is_too_wide_is_named(how: Format) -> None:
    wide = Table("Wide", tuple(f"c{i}" for i in range(40)), (tuple(range(40)),))
    assert "A table of 40 columns" in words(encoded(Report("R", tables=(wide,)), how), how)


def test_the_ending_decides_and_an_unknown_one_is_refused(tmp_path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["scores", "check", "p=100", "n=200", "acc=0.9000", "sens=0.8000", "spec=0.8000"]
    files = [tmp_path / f"report.{ending}" for ending in ("pdf", "docx", "html", "txt")]
    assert main([*command, *(word for file in files for word in ("-o", str(file)))]) == 1
    assert [file.read_bytes()[:4] for file in files[:3]] == [b"%PDF", b"PK\x03\x04", b"<!DO"]
    assert main([*command, "-o", str(tmp_path / "report.xyz")]) == 2
    assert 'no format is known for the ending ".xyz"' in capsys.readouterr().err
    assert main([*command, "-f", "text", "-o", str(tmp_path / "a.html"), "-o", str(tmp_path / "b.json")]) == 1
    assert (tmp_path / "b.json").read_text().startswith("{")
