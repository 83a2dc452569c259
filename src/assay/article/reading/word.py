"""What stands in a Word file: its paragraphs and tables in their order, read from the XML inside the archive.

Only two parts are read, the text and the names of styles. Nothing is executed, nothing outside of the file is looked
up, and a part that declares a document type (where entities could grow) is refused: Word writes none.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from pathlib import Path
from xml.etree.ElementTree import Element, ParseError, fromstring

from assay.records import dataclass

LARGEST = 200 * 1024 * 1024
"""Of the unpacked parts: a document that grows beyond this is not a paper."""
_WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_STRICT = b"http://purl.oclc.org/ooxml/wordprocessingml/main"
"""What Word calls the same elements in its "Strict Open XML" format."""
_RELATIONS = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"
_SIGNS = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
_RUNS = frozenset({"r", "hyperlink", "ins", "moveTo", "smartTag", "fldSimple", "sdt", "sdtContent"})
"""What text stands in. Deleted text and text moved away are left out, inserted text is read: as if accepted."""
_WIDEST = 1_000
"""Columns that a cell may claim to span."""


class UnreadableError(ValueError):
    """The file is no Word file, or a broken one."""


class TooLargeError(ValueError):
    """The file grows beyond `LARGEST`."""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph: its text and the name of its style."""

    text: str
    style: str


@dataclass(frozen=True, slots=True)
class Table:
    """The texts of the cells, by rows; a cell that spans several places stands in each of them."""

    rows: tuple[tuple[str, ...], ...]


Block = Paragraph | Table


def read_blocks(path: Path) -> Iterator[Block]:
    """Paragraphs and tables of the document's body."""
    body, styles = _parts(path)
    for element in body:
        if element.tag == f"{_WORD}p":
            yield Paragraph(_text(element), styles.get(_value(element, "pPr", "pStyle"), ""))
        elif element.tag == f"{_WORD}tbl":
            yield Table(tuple(_rows(element)))


def _parts(path: Path) -> tuple[Element, dict[str, str]]:
    """The body, and the names of styles by their identifiers."""
    try:
        with zipfile.ZipFile(path) as archive:
            if sum(part.file_size for part in archive.infolist()) > LARGEST:
                raise TooLargeError
            main = _main_part(archive)
            body = _parsed(archive, main).find(f"{_WORD}body")
            styles = main.rpartition("/")[0] + "/styles.xml"
            names = _style_names(_parsed(archive, styles)) if styles in archive.namelist() else {}
    except (OSError, KeyError, RuntimeError, NotImplementedError, zipfile.BadZipFile, ParseError):
        raise UnreadableError from None
    if body is None:
        raise UnreadableError
    return body, names


def _main_part(archive: zipfile.ZipFile) -> str:
    """The name of the part with the text, which the file itself says."""
    for relation in _parsed(archive, "_rels/.rels").iter(_RELATIONS):
        if relation.get("Type", "").endswith("/officeDocument"):
            return relation.get("Target", "").lstrip("/")
    raise UnreadableError


def _parsed(archive: zipfile.ZipFile, name: str) -> Element:
    source = archive.read(name)
    if b"<!DOCTYPE" in source or b"\x00" in source[:200]:
        raise UnreadableError
    return fromstring(source.replace(_STRICT, _WORD[1:-1].encode()))  # noqa: S314 - no document type, so no entities


def _style_names(styles: Element) -> dict[str, str]:
    found = {style.get(f"{_WORD}styleId", ""): _value(style, "name") for style in styles.iter(f"{_WORD}style")}
    return {key: name[:1].upper() + name[1:] for key, name in found.items()}  # "heading 1" is shown as "Heading 1"


def _value(element: Element, *path: str) -> str:
    """The value of a property at a path below an element; "" where there is none."""
    found = element.find("/".join(_WORD + name for name in path))
    return "" if found is None else found.get(f"{_WORD}val", "")


def _text(element: Element) -> str:
    """The text of the runs in a paragraph, in the order that a reader sees."""
    pieces: list[str] = []
    waiting = list(reversed(element))
    while waiting:
        child = waiting.pop()
        name = child.tag.removeprefix(_WORD)
        if name in _RUNS:
            waiting.extend(reversed(child))
        else:
            pieces.append(child.text or "" if name == "t" else _SIGNS.get(name, ""))
    return "".join(pieces)


def _rows(table: Element) -> Iterator[tuple[str, ...]]:
    above: tuple[str, ...] = ()
    for row in table.iterfind(f"{_WORD}tr"):
        cells: list[str] = []
        for cell in row.iterfind(f"{_WORD}tc"):
            cells.extend([_cell_text(cell, above, len(cells))] * _span(cell))
        above = tuple(cells)
        yield above


def _cell_text(cell: Element, above: tuple[str, ...], column: int) -> str:
    merged = cell.find(f"{_WORD}tcPr/{_WORD}vMerge")
    continued = merged is not None and merged.get(f"{_WORD}val", "continue") == "continue"
    if continued and column < len(above):
        return above[column]
    return "\n".join(_text(paragraph) for paragraph in cell.iterfind(f"{_WORD}p"))


def _span(cell: Element) -> int:
    value = _value(cell, "tcPr", "gridSpan")
    return min(int(value), _WIDEST) if value.isascii() and value.isdigit() and int(value) else 1
