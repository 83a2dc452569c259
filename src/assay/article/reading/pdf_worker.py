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
    word: list[Any] = []
    for i in range(min(text.count_chars(), _MOST_CHARACTERS)):
        letter = _letter(text, i)
        if word and (not letter or _begins_line(letter, word)):
            yield word
            word = []
        word = _longer(word, letter) if word else letter
    if word:
        yield word


def _letter(text: Any, i: int) -> list[Any]:
    """A letter as a word of its own: the sign, left, bottom, right, top, and the size; nothing for a blank."""
    sign = chr(raw.FPDFText_GetUnicode(text, i))
    if sign.isspace() or raw.FPDFText_IsGenerated(text, i) == 1:
        return []
    left, right, bottom, top = (ctypes.c_double() for _ in range(4))
    raw.FPDFText_GetCharBox(text, i, left, right, bottom, top)
    return [sign, left.value, bottom.value, right.value, top.value, raw.FPDFText_GetFontSize(text, i)]


def _begins_line(letter: list[Any], word: list[Any]) -> bool:
    """Whether a letter stands on a new line without a space before it."""
    return bool(abs(letter[2] - word[2]) > max(4.0, word[5]) and letter[1] < word[1])


def _longer(word: list[Any], letter: list[Any]) -> list[Any]:
    letters, left, bottom, right, top, size = word
    ends = min(left, letter[1]), min(bottom, letter[2]), max(right, letter[3]), max(top, letter[4])
    return [letters + letter[0], *ends, size]


def _rules(page: Any) -> Iterator[list[float]]:
    """Thin lines and boxes: what tables are ruled with."""
    for thing in page.get_objects(filter=[raw.FPDF_PAGEOBJ_PATH], max_depth=3):
        left, bottom, right, top = thing.get_bounds()
        if min(right - left, top - bottom) <= 3 and max(right - left, top - bottom) >= 8:
            yield [left, bottom, right, top]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
