"""Decode bytes of unknown origin: every input decodes, always with the same result."""

from __future__ import annotations

import codecs
import os

from assay.patterns import regex

SNIFFED = 8192
"""Bytes that decide whether a file is text or binary."""

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_UNPRINTABLE = regex(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


def looks_binary(head: bytes) -> bool:
    """True if a file with this beginning is binary: it has a null byte and no byte-order mark."""
    return b"\0" in head[:SNIFFED] and not any(head.startswith(mark) for mark, _ in _MARKS)


def decode(data: bytes) -> str:
    """UTF-8, UTF-16/32 with a byte-order mark, or else Latin-1; line ends become line feeds.

    The data may be cut off in the middle of a character.
    """
    encoding, start = next(((e, len(mark)) for mark, e in _MARKS if data.startswith(mark)), ("utf-8", 0))
    try:
        text = codecs.getincrementaldecoder(encoding)().decode(data[start:])
    except UnicodeDecodeError:
        text = data.decode("latin-1") if encoding == "utf-8" else data[start:].decode(encoding, "replace")
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def uncased(text: str) -> str:
    """Lower case with every letter in its place, for case-insensitive patterns."""
    if text.isascii():
        return text.lower()
    return text.replace("\u0130", "i").lower().replace("\u0131", "i").replace("\u017f", "s")


def readable(name: str) -> str:
    """A file name with control characters and invalid UTF-8 escaped for reports."""
    if name.isascii() and name.isprintable():
        return name
    text = os.fsencode(name).decode("utf-8", "backslashreplace")
    return _UNPRINTABLE.sub(lambda m: m[0].encode("unicode_escape").decode("ascii"), text)
