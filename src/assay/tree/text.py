"""Bytes of unknown origin as text: every input decodes, and the same input always decodes alike."""

from __future__ import annotations

import codecs
import os

from assay.patterns import regex

SNIFFED = 8192
"""How many bytes tell text from binary."""

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_UNPRINTABLE = regex(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


def looks_binary(head: bytes) -> bool:
    """Whether a file that begins like this is not text: it has a null byte and no Unicode mark."""
    return b"\0" in head[:SNIFFED] and not any(head.startswith(mark) for mark, _ in _MARKS)


def decode(data: bytes) -> str:
    """UTF-8, or UTF-16/32 with its mark, or else Latin-1; lines end with a line feed alone.

    The data may be cut off in the middle of a character.
    """
    encoding, start = next(((e, len(mark)) for mark, e in _MARKS if data.startswith(mark)), ("utf-8", 0))
    try:
        text = codecs.getincrementaldecoder(encoding)().decode(data[start:])
    except UnicodeDecodeError:
        text = data.decode("latin-1") if encoding == "utf-8" else data[start:].decode(encoding, "replace")
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def uncased(text: str) -> str:
    """In lower case with every letter in its place, as patterns see it that look for a-z in either case."""
    if text.isascii():
        return text.lower()
    return text.replace("\u0130", "i").lower().replace("\u0131", "i").replace("\u017f", "s")


def readable(name: str) -> str:
    """A file name from disk, with what no report could print (control characters, broken UTF-8) escaped."""
    if name.isascii() and name.isprintable():
        return name
    text = os.fsencode(name).decode("utf-8", "backslashreplace")
    return _UNPRINTABLE.sub(lambda m: m[0].encode("unicode_escape").decode("ascii"), text)
