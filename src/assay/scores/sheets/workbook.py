"""An Excel workbook of one sheet of text, in the few parts that the format asks for (ECMA-376, part 1)."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from xml.sax.saxutils import escape

from assay.patterns import regex

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_KIND = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_LONGEST_CELL = 32_000
_NOT_IN_XML = regex(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_NUMBER = regex(r"-?(?:0|[1-9]\d{0,14})(?:\.\d{1,14})?")

_PARTS = {
    "[Content_Types].xml": (
        f'<Types xmlns="{_PACKAGE}/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{_KIND}.sheet.main+xml"/>'
        f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{_KIND}.worksheet+xml"/></Types>'
    ),
    "_rels/.rels": (
        f'<Relationships xmlns="{_PACKAGE}/relationships">'
        f'<Relationship Id="r1" Type="{_RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>'
    ),
    "xl/workbook.xml": (
        f'<workbook xmlns="{_MAIN}" xmlns:r="{_RELATIONS}"><sheets>'
        '<sheet name="Scores" sheetId="1" r:id="r1"/></sheets></workbook>'
    ),
    "xl/_rels/workbook.xml.rels": (
        f'<Relationships xmlns="{_PACKAGE}/relationships">'
        f'<Relationship Id="r1" Type="{_RELATIONS}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>'
    ),
}


def workbook(rows: Sequence[Sequence[str]]) -> bytes:
    """The rows as an .xlsx file; plain numbers without trailing zeros are numbers, all else is text."""
    body = "".join(f"<row>{''.join(map(_cell, row))}</row>" for row in rows)
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as book:
        for name, content in _PARTS.items():
            book.writestr(name, content)
        book.writestr(
            "xl/worksheets/sheet1.xml", f'<worksheet xmlns="{_MAIN}"><sheetData>{body}</sheetData></worksheet>'
        )
    return stream.getvalue()


def _cell(text: str) -> str:
    if _NUMBER.fullmatch(text) and not ("." in text and text.endswith("0")):
        return f"<c><v>{text}</v></c>"
    shown = escape(_NOT_IN_XML.sub("\ufffd", text[:_LONGEST_CELL]))
    return f'<c t="inlineStr"><is><t xml:space="preserve">{shown}</t></is></c>' if text else "<c/>"
