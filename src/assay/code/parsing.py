"""Parse any text: current Python, older Python after small repairs, or a reason for failure."""

from __future__ import annotations

import ast
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from assay.code.newer_python import backdated
from assay.code.older_python import modernised
from assay.code.repair import fixed
from assay.garbage import undisturbed
from assay.patterns import regex
from assay.records import dataclass

MAX_BYTES = 2 * 1024 * 1024
"""Longer Python files are generated or data; a syntax tree takes about thirty times as much memory."""

_VERSION = "Python {}.{}".format(*sys.version_info)
_IMPORT = regex(r"(?:import|from)[ \t]+[\w.]")


@dataclass(frozen=True, slots=True)
class Problem:
    """Why and where Python 3 rejects a text."""

    message: str
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Parsed:
    """A syntax tree, or the problem; both when it could be read only after repairs."""

    tree: ast.Module | None
    problem: Problem | None = None


def parse(text: str) -> Parsed:
    """Parse a text. Newer Python is valid; older Python is a problem that is repaired if it is simple."""
    try:
        return Parsed(_tree(text))
    except _Refused as error:
        problem = error.problem
    if problem.line is None:
        return Parsed(None, problem)
    with suppress(_Refused):
        return Parsed(_tree(backdated(text)))
    with suppress(_Refused):
        return Parsed(_tree(modernised(text)), problem)
    return Parsed(None, problem)


def parse_mended(text: str) -> Parsed:
    """Parse a rejected text after leaving out its errors; the first problem is kept."""
    first = parse(text)
    if first.tree is None and first.problem is not None and first.problem.line is not None:
        readable = fixed(modernised(text), _refusal)
        return Parsed(None if readable is None else parse(readable).tree, first.problem)
    return first


def without_broken_cells(text: str, starts: list[int]) -> tuple[str, tuple[Problem, ...]]:
    """The text with broken cells repaired or reduced to their imports, and the problem of each."""
    lines = text.split("\n")
    problems = []
    for start, end in zip(starts, [*starts[1:], len(lines) + 1], strict=True):
        cell = lines[start - 1 : end - 1]
        problem = parse("\n".join(cell)).problem
        if problem is None:
            continue
        problems.append(Problem(problem.message, start - 1 + min(problem.line or 1, end - start)))
        readable = fixed(modernised("\n".join(cell)), _refusal)
        imports = (line if _IMPORT.match(line) and parse(line).tree else "" for line in cell)
        lines[start - 1 : end - 1] = list(imports) if readable is None else readable.split("\n")
    return "\n".join(lines), tuple(problems)


def _refusal(text: str) -> tuple[str, int] | None:
    try:
        _tree(text)
    except _Refused as error:
        return error.problem.message, error.problem.line or 1
    return None


class _Refused(Exception):  # noqa: N818 - not an error of ours, only a way out
    def __init__(self, message: str, line: int | None = None) -> None:
        self.problem = Problem(message, line)
        super().__init__(message)


def _tree(text: str) -> ast.Module:
    flags = ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    try:
        with _quiet():
            tree = compile(text, "<audited>", "exec", flags, dont_inherit=True)
    except SyntaxError as error:
        raise _Refused(f"does not parse as {_VERSION}: {error.msg}", error.lineno or 1) from None
    except (RecursionError, MemoryError):
        raise _Refused("is nested too deeply to parse") from None
    except (ValueError, OverflowError) as error:  # null bytes, integers beyond all bounds
        raise _Refused(f"does not parse: {error}") from None
    if not isinstance(tree, ast.Module):
        raise _Refused("does not parse")
    return tree


@contextmanager
def _quiet() -> Iterator[None]:
    """Parse without warnings about audited code and without garbage collection, which would double the time."""
    with undisturbed(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
