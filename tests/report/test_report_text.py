"""What a terminal shows."""

from dataclasses import replace

import pytest
from example import EXAMPLE
from rich.cells import cell_len

from assay.findings import Report, Table
from assay.report import Format, render


@pytest.mark.parametrize("width", [40, 80, 120])
def test_no_line_is_wider_than_asked(width: int) -> None:
    text = render(EXAMPLE, Format.TEXT, width=width)
    assert max(map(cell_len, text.split("\n"))) <= width


def test_there_is_no_colour_unless_asked_even_if_the_environment_insists(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ["FORCE_COLOR", "CLICOLOR_FORCE", "TTY_COMPATIBLE"]:
        monkeypatch.setenv(name, "1")
    assert "\x1b" not in render(EXAMPLE, Format.TEXT)


def test_severity_and_verdict_are_coloured_words_when_asked() -> None:
    text = render(EXAMPLE, Format.TEXT, color=True)
    assert "\x1b[1;31mINCONSISTENT\x1b[0m" in text
    assert "\x1b[1;33mwarning L1.4\x1b[0m" in text


def test_no_line_ends_in_blanks_and_no_two_lines_are_empty() -> None:
    text = render(EXAMPLE, Format.TEXT)
    assert all(line == line.rstrip() for line in text.split("\n"))
    assert "\n\n\n" not in text


def test_a_table_too_wide_for_the_screen_becomes_a_list() -> None:
    names = tuple(f"column{n}" for n in range(20))
    text = render(Report("t", tables=(Table("wide", names, (tuple(range(20)),)),)), Format.TEXT)
    assert "    column7   7\n" in text


def test_a_table_keeps_its_columns_when_they_fit() -> None:
    table = Table("narrow", ("name", "share"), (("a", 0.5), ("b", None), ("c", 1 / 3)))
    text = render(replace(EXAMPLE, tables=(table,)), Format.TEXT)
    assert "  a               0.5\n  b                 —\n  c      0.3333333333\n" in text


def test_no_table_breaks_a_word_at_80_columns() -> None:
    columns = ("paper", "experiment", "original", "reproduced", "verdict")
    row = ("lecun98", "convolutional network", "0.9923", "0.9711", "not distinguishable at these spreads")
    for rows, width in (((row,), 80), ((row,), 60), ((row,), 40)):
        report = Report(title="t", question="q", tables=(Table("Results", columns, rows),))
        shown = render(report, Format.TEXT, width=width).split()
        assert {word for cell in (*columns, *row) for word in cell.split()} <= set(shown)
