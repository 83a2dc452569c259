"""Formulas of a workbook whose values were never stored: a program wrote them, and no spreadsheet has computed them.

Readers give such cells as empty. A score that is missing for this reason has to be named.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterator, Mapping, Sequence
from html import unescape
from pathlib import Path
from posixpath import join, normpath

from assay.patterns import regex

_LARGEST_PART = 128 * 1024**2
_SHOWN = 5
_SHEET = regex(r"<(?:\w+:)?sheet\b[^>]*>")
_RELATION = regex(r"<(?:\w+:)?Relationship\b[^>]*>")
_ATTRIBUTE = regex(r"([\w:]+)\s*=\s*\"([^\"]*)\"")
_CELL = regex(r"<(?:\w+:)?c\b([^>]*)(?<!/)>(.*?)</(?:\w+:)?c>")
_FORMULA = regex(r"<(?:\w+:)?f\b")
_VALUE = regex(r"<(?:\w+:)?v>[^<]|<(?:\w+:)?t\b[^>]*>[^<]")


def formulas_without_values(path: Path, grids: Mapping[str, Sequence[Sequence[object]]]) -> dict[str, str]:
    """For each sheet that has such formulas, where they are."""
    if not zipfile.is_zipfile(path):
        return _of_the_old_format(grids)
    with zipfile.ZipFile(path) as book:
        found = {title: list(_cells(_part(book, part))) for title, part in _sheets(book)}
    return {title: _enumerated(cells) for title, cells in found.items() if cells}


def _of_the_old_format(grids: Mapping[str, Sequence[Sequence[object]]]) -> dict[str, str]:
    """It has empty text in place of such values; a cell that was never filled in is missing."""
    blank = {title: sum(row.count("") for row in grid) for title, grid in grids.items()}
    return {title: f"{count} cells of formulas or of empty text" for title, count in blank.items() if count}


def _sheets(book: zipfile.ZipFile) -> Iterator[tuple[str, str]]:
    """The titles of the sheets and their parts of the file."""
    relations = (_attributes(tag) for tag in _RELATION.findall(_part(book, "xl/_rels/workbook.xml.rels")))
    targets = {found.get("Id", ""): found.get("Target", "") for found in relations}
    for tag in _SHEET.findall(_part(book, "xl/workbook.xml")):
        found = _attributes(tag)
        identifier = next((value for name, value in found.items() if name.endswith(":id")), "")
        yield unescape(found.get("name", "")), normpath(join("/xl", targets.get(identifier, ""))).lstrip("/")


def _attributes(tag: str) -> dict[str, str]:
    return dict(_ATTRIBUTE.findall(tag))


def _part(book: zipfile.ZipFile, name: str) -> str:
    """The text of a part; empty where it is missing, broken or vast."""
    try:
        vast = book.getinfo(name).file_size > _LARGEST_PART
        return "" if vast else book.read(name).decode("utf-8", errors="replace")
    except (KeyError, OSError, RuntimeError, NotImplementedError, zipfile.BadZipFile, ValueError):
        return ""


def _cells(text: str) -> Iterator[str]:
    """The names of the cells with a formula and no value."""
    for attributes, body in _CELL.findall(text):
        if _FORMULA.search(body) and not _VALUE.search(body):
            yield _attributes(attributes).get("r", "a cell")


def _enumerated(cells: Sequence[str]) -> str:
    more = f" and {len(cells) - _SHOWN} others" if len(cells) > _SHOWN else ""
    return ", ".join(cells[:_SHOWN]) + more
