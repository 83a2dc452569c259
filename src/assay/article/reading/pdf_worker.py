"""Reads a PDF's words, boxes and ruled lines and prints them as JSON: run as a process of its own, with limits.

PDF libraries are written in C and meet hostile files here; whatever happens stays in this process.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import sys
from collections.abc import Iterator
from typing import Any

import pypdfium2
from pypdfium2 import raw

MOST_PAGES = 300
_MOST_CHARACTERS = 30_000
"""Of one page."""
_MEMORY = 2 * 1024**3
_SECONDS = 120


def main(path: str) -> int:
    """Print what the file holds, under limits."""
    _limit()
    print(json.dumps(pages_of(path)))  # noqa: T201 - its answer
    return 0


def pages_of(path: str) -> dict[str, Any]:
    """The pages of the file, or an `error`: "encrypted" or "broken" (see `pdf`)."""
    try:
        document = pypdfium2.PdfDocument(path)
    except pypdfium2.PdfiumError as error:
        return {"error": "encrypted" if "assword" in str(error) else "broken"}
    pages = [_page(document[i], i + 1) for i in range(min(len(document), MOST_PAGES))]
    title = document.get_metadata_dict().get("Title", "")
    return {"title": title, "count": len(document), "pages": pages}


def _limit() -> None:
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (_SECONDS, _SECONDS))


def _page(page: Any, number: int) -> dict[str, Any]:
    text = page.get_textpage()
    return {
        "number": number,
        "width": page.get_width(),
        "height": page.get_height(),
        "words": list(_words(text)),
        "rules": list(_rules(page)),
    }


def _words(text: Any) -> Iterator[list[Any]]:
    """Words with their boxes and the size of their letters, in the order of the file."""
    letters: list[str] = []
    box = [0.0, 0.0, 0.0, 0.0]
    size = 0.0
    for i in range(min(text.count_chars(), _MOST_CHARACTERS)):
        sign = chr(raw.FPDFText_GetUnicode(text, i))
        generated = raw.FPDFText_IsGenerated(text, i) == 1
        if sign.isspace() or generated:
            if letters:
                yield ["".join(letters), *box, size]
            letters = []
            continue
        left, right, bottom, top = (ctypes.c_double() for _ in range(4))
        raw.FPDFText_GetCharBox(text, i, left, right, bottom, top)
        here = [left.value, bottom.value, right.value, top.value]
        if letters and (abs(here[1] - box[1]) > max(4.0, size) and here[0] < box[0]):
            yield ["".join(letters), *box, size]  # a new line without a space before it
            letters = []
        if not letters:
            box, size = here, raw.FPDFText_GetFontSize(text, i)
        else:
            box = [min(box[0], here[0]), min(box[1], here[1]), max(box[2], here[2]), max(box[3], here[3])]
        letters.append(sign)
    if letters:
        yield ["".join(letters), *box, size]


def _rules(page: Any) -> Iterator[list[float]]:
    """Thin lines and boxes: what tables are ruled with."""
    for thing in page.get_objects(filter=[raw.FPDF_PAGEOBJ_PATH], max_depth=3):
        left, bottom, right, top = thing.get_bounds()
        if min(right - left, top - bottom) <= 3 and max(right - left, top - bottom) >= 8:
            yield [left, bottom, right, top]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
