"""How much of the code is explained, file by file and in all."""

from __future__ import annotations

import ast

from assay.code import Code, Source
from assay.records import dataclass
from assay.repository.documentation.habits import Habit, HabitKind, find_habits
from assay.repository.documentation.lines import LineCount, count_lines
from assay.tree import Tree

_STATEMENTS = tuple(ast.stmt.__subclasses__())
_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@dataclass(frozen=True, slots=True)
class SourceDocumentation:
    """One Python file or notebook. Definitions are functions, methods and classes that do not begin with `_`."""

    path: str
    lines: LineCount
    statements: int
    definitions: int
    documented: int
    """Definitions with a docstring."""
    module_docstring: bool
    prose_words: int
    """Words in the text cells of a notebook."""
    habits: tuple[Habit, ...]


@dataclass(frozen=True, slots=True)
class DocumentationFacts:
    """All own Python files that parse, and sums over them; shares are None when there is nothing to share."""

    sources: tuple[SourceDocumentation, ...]

    @property
    def code_lines(self) -> int:
        """Lines of code in all."""
        return sum(s.lines.code for s in self.sources)

    @property
    def comment_lines(self) -> int:
        """Lines with a comment in all; docstrings are counted apart."""
        return sum(s.lines.comments for s in self.sources)

    @property
    def comment_share(self) -> float | None:
        """Comments and docstrings among all lines that are not blank."""
        said = self.comment_lines + sum(s.lines.docstrings for s in self.sources)
        return _share(said, said + self.code_lines)

    @property
    def docstring_share(self) -> float | None:
        """Definitions with a docstring among all."""
        return _share(sum(s.documented for s in self.sources), sum(s.definitions for s in self.sources))

    @property
    def rating(self) -> float | None:
        """From 10 (no bad habit) down to 0: ten less the weight of the habits in a hundred statements."""
        statements = sum(s.statements for s in self.sources)
        if not statements:
            return None
        weight = sum(habit.kind.weight for s in self.sources for habit in s.habits)
        return max(0.0, 10.0 - 100.0 * weight / statements)

    def habits(self, kind: HabitKind) -> tuple[Habit, ...]:
        """Every occurrence of one habit."""
        return tuple(h for s in self.sources for h in s.habits if h.kind is kind)


def read_documentation(tree: Tree, code: Code) -> DocumentationFacts:
    """Count in every own Python source that could be parsed."""
    del tree  # everything is in the code already
    return DocumentationFacts(tuple(_read(s, s.tree) for s in code.python if s.tree is not None))


def _read(source: Source, tree: ast.Module) -> SourceDocumentation:
    definitions = _definitions(source)
    docstrings = [d for d in (_docstring(node) for node in (tree, *definitions)) if d is not None]
    lines = source.lines
    public = [d for d in definitions if not d.name.startswith("_")]
    return SourceDocumentation(
        path=source.path,
        lines=count_lines(source, lines, docstrings),
        statements=sum(len(source.nodes(kind)) for kind in _STATEMENTS),
        definitions=len(public),
        documented=sum(_docstring(d) is not None for d in public),
        module_docstring=_docstring(tree) is not None,
        prose_words=_prose_words(source),
        habits=tuple(find_habits(source, lines)),
    )


def _definitions(source: Source) -> list[_Definition]:
    return [*source.nodes(ast.FunctionDef), *source.nodes(ast.AsyncFunctionDef), *source.nodes(ast.ClassDef)]


def _docstring(node: ast.Module | _Definition) -> ast.Constant | None:
    first = node.body[0] if node.body else None
    value = first.value if isinstance(first, ast.Expr) else None
    return value if isinstance(value, ast.Constant) and isinstance(value.value, str) else None


def _prose_words(source: Source) -> int:
    cells = source.notebook.cells if source.notebook else ()
    return sum(len(c.text.split()) for c in cells if c.kind == "markdown")


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
