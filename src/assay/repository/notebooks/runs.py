"""What the cells of each notebook tell about how it was run."""

from __future__ import annotations

from assay.code import Cell, Code, Notebook, Source
from assay.findings import Location
from assay.records import dataclass
from assay.repository.notebooks.state import Dependence, hidden_state
from assay.tree import Tree

_IMPORTING = ("import ", "from ", "%", "#", "!")


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
    hidden_state: tuple[Dependence, ...]
    importing: frozenset[int] = frozenset()
    """Numbers of the runs of cells that only import: to repeat these changes nothing."""

    @property
    def out_of_order(self) -> tuple[Location, ...]:
        """Cells that ran earlier than one above them, or have its number."""
        found = []
        highest = 0
        for place, count in self.executed:
            if count in self.importing:
                continue
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
        hidden_state=hidden_state(source, code),
        importing=frozenset(c.execution_count for c in cells if c.execution_count and _only_imports(c)),
    )


def _only_imports(cell: Cell) -> bool:
    return all(line.lstrip().startswith(_IMPORTING) for line in cell.text.split("\n") if line.strip())


def _place(source: Source, cell: Cell) -> Location:
    return Location(source.path, cell=cell.number)
