"""Audited material may contain anything; no format lets it act, hide or break the report."""

import csv
import io
import json
import re
import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from page_reader import read
from random_reports import HOSTILE, filled_with, reports
from rich.cells import cell_len

from assay.findings import Report, Verdict
from assay.report import Format, render
from assay.report.csv import COLUMNS, cell
from assay.report.markdown import code, escaped, fence
from assay.report.wording import visible
from examples_tried import a_third_of

COLOUR = re.compile(r"\x1b\[[0-9;]*m")
hostile = pytest.mark.parametrize("name", HOSTILE)


def steering_characters(text: str) -> set[str]:
    """What could move the cursor or turn the reading direction, line breaks and joiners apart."""
    return {c for c in text if visible(c) != c}


@hostile
def test_terminal_text_has_no_control_characters_and_keeps_to_its_width(name: str) -> None:
    text = render(filled_with(HOSTILE[name]), Format.TEXT, width=80)
    assert not steering_characters(text)
    assert max(cell_len(line) for line in text.split("\n")) <= 80


@hostile
def test_colour_is_the_only_control_in_coloured_text(name: str) -> None:
    report = filled_with(HOSTILE[name])
    coloured = render(report, Format.TEXT, color=True)
    assert COLOUR.search(coloured)
    lines = COLOUR.sub("", coloured).split("\n")
    assert [line.rstrip() for line in lines] == render(report, Format.TEXT).split("\n")


def test_rich_markup_in_audited_text_is_shown_and_not_obeyed() -> None:
    text = render(Report("[red]x[/red] :boom:"), Format.TEXT, color=True)
    assert "[red]x[/red] :boom:" in text


@hostile
def test_markdown_has_no_markup_from_audited_text(name: str) -> None:
    text = render(filled_with(HOSTILE[name]), Format.MD)
    assert not steering_characters(text)
    reader = MarkdownIt("commonmark").enable("table")
    blocks = reader.parse(text)
    assert [block.type for block in blocks] == [b.type for b in reader.parse(render(filled_with("words"), Format.MD))]
    inline = [child for block in blocks for child in block.children or []]
    assert {child.type for child in inline}.isdisjoint({"html_inline", "link_open", "image"})


@given(st.text(string.printable + "é\u202e\x1b", max_size=60))
@settings(max_examples=a_third_of(300))
def test_escaped_markdown_reads_as_the_text_itself(text: str) -> None:
    [*tokens] = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(f"x {escaped(text)}")
    inline = [child for t in tokens for child in t.children or []]
    assert {child.type for child in inline} <= {"text", "hardbreak", "softbreak", "text_special"}
    said = "".join("\n" if child.type.endswith("break") else child.content for child in inline)
    assert said.split() == ["x", *visible(text).split()]


@given(st.text("`| ab", min_size=1, max_size=20).filter(str.strip), st.text("`~\n ab", max_size=30))
def test_code_in_markdown_survives_any_backticks(span: str, block: str) -> None:
    [_, paragraph, _] = MarkdownIt("commonmark").parse(f"x {code(span)}")
    assert paragraph.children is not None
    assert paragraph.children[-1].type == "code_inline"
    assert paragraph.children[-1].content.split() == span.split()
    [token] = MarkdownIt("commonmark").parse(fence(block))
    assert (token.type, token.content) == ("fence", block + "\n")


@pytest.mark.parametrize(
    "address", ["http://evil.example", "HTTPS://evil.example", "www.evil.example", "a@evil.example"]
)
def test_bare_addresses_do_not_become_links(address: str) -> None:
    assert address not in escaped(f"see {address} now")


@hostile
def test_html_shows_audited_text_and_never_obeys_it(name: str) -> None:
    page = read(render(filled_with(HOSTILE[name]), Format.HTML))
    assert not steering_characters("".join(page.text))
    assert page.tags.isdisjoint({"script", "img", "iframe", "object", "embed", "form", "input", "base", "link"})
    assert not [a for a, _ in page.attributes if a.startswith("on") or a in {"src", "srcdoc", "action", "formaction"}]
    assert all(value.startswith("#") for key, value in page.attributes if key.endswith("href"))


def test_templates_in_audited_text_are_not_evaluated() -> None:
    assert "{{ 7 * 7 }}" in render(Report("{{ 7 * 7 }}"), Format.HTML)


@hostile
def test_csv_keeps_its_shape_and_starts_no_formula(name: str) -> None:
    rows = list(csv.reader(io.StringIO(render(filled_with(HOSTILE[name]), Format.CSV))))
    assert {len(row) for row in rows} == {len(COLUMNS)}
    assert len(rows) == 1 + len(Verdict) + 2 + 1 + 3 + 1
    for text in (text for row in rows for text in row):
        assert not steering_characters(text)
        assert text.lstrip()[:1] not in set("=+-@\uff1d")


@pytest.mark.parametrize("formula", ["=1+1", "+1+1", "-1+1", "@SUM(A1)", " =1", "-", "- item", "=", "\uff1d1", "-1,5"])
def test_what_a_spreadsheet_could_run_is_quoted(formula: str) -> None:
    assert cell(formula) == f"'{formula}"


@pytest.mark.parametrize("number", ["-1", "+0.5", "-1e-9", "-.5", "12.", "0.95", -3, 2.5, None, True])
def test_numbers_stay_numbers(number: str | float | None) -> None:
    assert cell(number) == number


@hostile
def test_json_gives_back_exactly_what_the_report_says(name: str) -> None:
    report = filled_with(HOSTILE[name])
    text = render(report, Format.JSON)
    assert text.encode("utf-8")
    assert json.loads(text) == report.to_dict()


@given(reports)
@settings(max_examples=a_third_of(40), deadline=None)
def test_no_report_at_all_breaks_a_format(report: Report) -> None:
    for kind in (one for one in Format if not one.is_binary):
        assert render(report, kind).encode("utf-8").endswith(b"\n")


def test_not_a_number_is_a_string_in_json_because_json_has_no_word_for_it() -> None:
    from assay.report.json import dumped

    assert json.loads(dumped([float("nan"), float("inf"), -float("inf"), 1.5])) == ["NaN", "Infinity", "-Infinity", 1.5]
