"""A sheet of terminal text: blocks of words, wrapped and indented, with or without colour.

Rich measures, wraps and colours; its layout engine is used for tables alone, because it takes a
millisecond for every paragraph and a report may have a hundred thousand.
"""

from __future__ import annotations

import io
import re
from collections.abc import Sequence

from rich import box
from rich.cells import cell_len
from rich.color import ColorSystem
from rich.console import Console
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

_MARGIN, _GAP = 2, 3
"""Columns of the screen before a table, and between two of its columns."""
_LONGEST_WORD = 24
"""What is longer is a path, an address or a hash, which may be folded; few English words have more than 20 letters."""


class Sheet:
    """Lines of at most `width` columns, written from top to bottom."""

    def __init__(self, width: int, *, color: bool) -> None:
        self.width = width
        self._color = color
        self._written: list[str] = []
        self._screen = Console(
            file=io.StringIO(),
            width=width,
            color_system="standard" if color else None,
            force_terminal=color,
            highlight=False,
            markup=False,
            emoji=False,
            legacy_windows=False,
        )

    def blank(self) -> None:
        """An empty line; several in a row make one."""
        self._written.append("")

    def block(self, *words: str | tuple[str, str], first: str = "", rest: str | None = None) -> None:
        """Words, each plain or with a style, behind a margin that may differ on the first line."""
        rest = first if rest is None else rest
        margin = first
        room = max(self.width - max(cell_len(first), cell_len(rest)), 10)
        for line in Text.assemble(*words).split("\n", allow_blank=True):
            fits = cell_len(line.plain) <= room
            for part in [line] if fits else line.wrap(self._screen, room, overflow="fold"):
                part.rstrip()
                self._written.append(f"{margin}{self._painted(part)}".rstrip())
                margin = rest

    def entry(self, label: tuple[str, str], text: str, indent: int) -> None:
        """A label in the margin and text beside it; one that is too long for the margin stands above."""
        if cell_len(label[0]) >= indent:
            self.block(label)
            self.block(text, first=" " * indent)
            return
        at = len(self._written)
        self.block(text, first=" " * indent)
        gap = " " * (indent - cell_len(label[0]))
        self._written[at] = f"{self._painted(Text.assemble(label))}{gap}{self._written[at][indent:]}".rstrip()

    def grid(self, columns: Sequence[str], rows: Sequence[Sequence[str]], flush_right: Sequence[bool]) -> None:
        """A table with a head, its cells folded between words when it is too wide."""
        grid = Grid(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
        widths = self._column_widths(columns, rows)
        for name, right, width in zip(columns, flush_right, widths, strict=True):
            grid.add_column(Text(name), justify="right" if right else "left", overflow="fold", width=width)
        for row in rows:
            grid.add_row(*(Text(cell) for cell in row))
        with self._screen.capture() as captured:
            self._screen.print(Padding(grid, (0, 0, 0, 2)))
        self._written.extend(line.rstrip() for line in captured.get().rstrip("\n").split("\n"))

    def has_room(self, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
        """Whether a table of these cells fits without breaking a word."""
        return sum(_longest_words(columns, rows)) <= self._room(len(columns))

    def _room(self, columns: int) -> int:
        return self.width - _MARGIN - _GAP * (columns - 1)

    def _column_widths(self, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> list[int | None]:
        """Widths that break no word; None for each column where Rich's own choice breaks none."""
        lines = list(zip(columns, *rows, strict=True))
        natural = [max(cell_len(line) for cell in column for line in cell.split("\n")) for column in lines]
        words, room = _longest_words(columns, rows), self._room(len(columns))
        safe = _narrowed(natural, words, room)
        return [None] * len(columns) if safe == _narrowed(natural, [1] * len(columns), room) else list(safe)

    def text(self) -> str:
        """All that was written."""
        return re.sub(r"\n{3,}", "\n\n", "\n".join(self._written).strip("\n")) + "\n"

    def _painted(self, line: Text) -> str:
        if not self._color:
            return line.plain
        return "".join(
            part.style.render(part.text, color_system=ColorSystem.STANDARD) if part.style else part.text
            for part in line.render(self._screen)
        )


def _longest_words(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> list[int]:
    """The length of the longest word in each column, as far as it counts as one."""
    return [
        min(_LONGEST_WORD, max((cell_len(word) for cell in column for word in cell.split()), default=1))
        for column in zip(columns, *rows, strict=True)
    ]


def _narrowed(natural: Sequence[int], least: Sequence[int], room: int) -> list[int]:
    """The natural widths; where they have no room, the widest column gives way first, none below its least."""
    widths = list(natural)
    while sum(widths) > room:
        loose = [at for at, width in enumerate(widths) if width > least[at]]
        if not loose:
            break
        widths[max(loose, key=lambda at: widths[at])] -= 1
    return widths
