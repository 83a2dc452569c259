"""What the cells of each notebook tell about how it was run."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from assay.code import Cell, Code, Notebook, Source
from assay.findings import Location
from assay.patterns import regex
from assay.records import dataclass
from assay.repository.notebooks.state import Dependence, hidden_state
from assay.tree import Tree

_MACHINE_FOLDERS = (
    "home|Users|root|mnt|media|data|scratch|work|workspace|content|kaggle|gdrive|export|gpfs|lustre|srv|opt|tmp|dbfs"
    "|Volumes"
)
_REST = r"[^\s:*?\"'<>|]"
_ABSOLUTE = regex(
    rf"(?<![\w.:/\\~-])(?:/(?:{_MACHINE_FOLDERS})/{_REST}*|[A-Za-z]:[\\/](?!/){_REST}*"
    rf"|~/{_REST}+|\\\\[\w.$-]+\\{_REST}+)"
)
_LONGEST_PATH = 300


@dataclass(frozen=True, slots=True)
class AbsolutePath:
    """A path in the code that exists on one machine only."""

    path: str
    location: Location


@dataclass(frozen=True, slots=True)
class NotebookRun:
    """One notebook as its last run left it. Cells are named by their places; empty cells do not count."""

    path: str
    language: str
    language_version: str
    kernel: str
    code_cells: int
    executed: tuple[tuple[Location, int], ...]
    """Cells with a number above 0, in the order of the document."""
    never_run: tuple[Location, ...]
    """Cells without a number (none or 0)."""
    errors: tuple[tuple[Location, str], ...]
    """Cells whose output is an exception."""
    outputs: int
    """How many cells show an output."""
    absolute_paths: tuple[AbsolutePath, ...]
    hidden_state: tuple[Dependence, ...]

    @property
    def out_of_order(self) -> tuple[Location, ...]:
        """Cells that ran earlier than one above them, or have its number."""
        found = []
        highest = 0
        for place, count in self.executed:
            if count <= highest:
                found.append(place)
            highest = max(highest, count)
        return tuple(found)

    @property
    def gaps(self) -> tuple[int, ...]:
        """Numbers between 1 and the highest that no cell has: runs of cells that were repeated, changed or deleted."""
        counts = {count for _, count in self.executed}
        highest = min(max(counts, default=0), _MOST_GAPS + len(counts))
        return tuple(n for n in range(1, highest + 1) if n not in counts)

    @property
    def linear(self) -> bool:
        """Whether it was last run once from top to bottom: the numbers are 1, 2, 3 and so on, for every cell."""
        return bool(self.executed) and not (self.never_run or self.out_of_order or self.gaps)


_MOST_GAPS = 10_000


def read_notebooks(tree: Tree, code: Code) -> tuple[NotebookRun, ...]:
    """The authors' own notebooks that can be read, by path."""
    del tree  # everything is in the code already
    return tuple(_run(s, s.notebook, code) for s in code.own if s.notebook is not None)


def _run(source: Source, notebook: Notebook, code: Code) -> NotebookRun:
    cells = [c for c in notebook.code_cells if c.text.strip()]
    return NotebookRun(
        path=source.path,
        language=notebook.language,
        language_version=notebook.language_version,
        kernel=notebook.kernel,
        code_cells=len(cells),
        executed=tuple((_place(source, c), c.execution_count) for c in cells if c.execution_count),
        never_run=tuple(_place(source, c) for c in cells if not c.execution_count),
        errors=tuple((_place(source, c), c.error) for c in cells if c.error),
        outputs=sum(c.has_output for c in cells),
        absolute_paths=tuple(_absolute_paths(source)),
        hidden_state=hidden_state(source, code),
    )


def _place(source: Source, cell: Cell) -> Location:
    return Location(source.path, cell=cell.number)


def _absolute_paths(source: Source) -> Iterator[AbsolutePath]:
    for node in source.nodes(ast.Constant):
        if isinstance(node.value, str) and len(node.value) <= _LONGEST_PATH and _ABSOLUTE.fullmatch(node.value):
            yield AbsolutePath(node.value, source.location(node))
    for magic in source.magics:
        for match in _ABSOLUTE.finditer(f"{magic.text}\n{magic.body}"[:10_000]):
            yield AbsolutePath(match[0], magic.location)
