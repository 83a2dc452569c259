"""The difference between two versions of a text, as edits of whole lines."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher

from assay.findings import Edit, Location


def line_edits(path: str, before: str, after: str, cell: int | None = None) -> Iterator[Edit]:
    """Line edits that turn one version of a file, or of a notebook cell, into the other."""
    old, new = before.split("\n"), after.split("\n")
    for tag, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        text = "".join(f"{line}\n" for line in new[c:d])
        if b < len(old):
            yield Edit(Location(path, a + 1, 1, b + 1, 1, cell), text)
        elif a < len(old):  # the last line, which no line break ends
            yield Edit(Location(path, a + 1, 1, b, len(old[-1]) + 1, cell), text.removesuffix("\n"))
        else:
            end = len(old[-1]) + 1
            yield Edit(Location(path, len(old), end, len(old), end, cell), "\n" + text.removesuffix("\n"))
