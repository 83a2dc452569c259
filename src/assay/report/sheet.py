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
        """A table with a head, its cells folded when it is too wide."""
        grid = Grid(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
        for name, right in zip(columns, flush_right, strict=True):
            grid.add_column(Text(name), justify="right" if right else "left", overflow="fold")
        for row in rows:
            grid.add_row(*(Text(cell) for cell in row))
        with self._screen.capture() as captured:
            self._screen.print(Padding(grid, (0, 0, 0, 2)))
        self._written.extend(line.rstrip() for line in captured.get().rstrip("\n").split("\n"))

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
