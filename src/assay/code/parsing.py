"""Text to syntax tree, whatever the text: today's Python, older after small repairs, or a reason why not."""

from __future__ import annotations

import ast
import gc
import re
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

MAX_BYTES = 2 * 1024 * 1024
"""Longer Python files are generated or data; a syntax tree takes about thirty times as much memory."""

_VERSION = "Python {}.{}".format(*sys.version_info)
_IMPORT = re.compile(r"(?:import|from)[ \t]+[\w.]")
_BEFORE = r"^([ \t]*(?:[^\s#'\"][^\n#'\"]{0,200}:[ \t]{0,20})?)"
_OUTDATED: tuple[tuple[str, str | Callable[[re.Match[str]], str]], ...] = (
    (_BEFORE + r"print[ \t]*>>[ \t]*([\w.]+)[ \t]*,?(.*)$", r"\1print(\3)"),
    (_BEFORE + r"print[ \t]+(?![=(.\[])([^\s#].*)$", lambda m: f"{m[1]}print({_without_comment(m[2])})"),
    (_BEFORE + r"print[ \t]*$", r"\1print()"),
    (
        r"^([ \t]*except[ \t]+[^\n:,()]{1,200}|[ \t]*except[ \t]*\([^\n:()]{1,200}\)),[ \t]*(\w+)[ \t]*:",
        r"\1 as \2:",
    ),
    (r"^([ \t]*raise[ \t]+[\w.]+)[ \t]*,[ \t]*(.+)$", r"\1(\2)"),
    (r"^([ \t]*)exec[ \t]+(?![=(])(\S.*)$", r"\1exec(\2)"),
    (r"\b0([0-7]{1,20})\b(?![.\w])", r"0o\1"),
    (r"\b(0[xX][0-9a-fA-F]{1,40}|[0-9]{1,40})[lL]\b", r"\1"),
    (r"<>", "!="),
    (r"\b[uU][rR](?=['\"])", "r"),
    (r"\basync\b(?=[ \t]*[=,):])", "async_"),  # a name until Python 3.6, as in `cuda(async=True)`
)
"""Compiled when first needed, by `re` itself, which keeps them."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Why and where Python 3 refuses a text."""

    message: str
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Parsed:
    """A syntax tree, or the problem; both when it could be read only after repairs."""

    tree: ast.Module | None
    problem: Problem | None = None


def parse(text: str) -> Parsed:
    """The tree of a text; older Python is repaired where that is simple, and the problem is kept."""
    try:
        return Parsed(_tree(text))
    except _Refused as error:
        problem = error.problem
    if problem.line is None:
        return Parsed(None, problem)
    try:
        return Parsed(_tree(_modernised(text)), problem)
    except _Refused:
        return Parsed(None, problem)


def without_broken_cells(text: str, starts: list[int]) -> tuple[str, tuple[Problem, ...]]:
    """The text with the cells that do not parse emptied, but for their imports; and what is wrong with each."""
    lines = text.split("\n")
    problems = []
    for start, end in zip(starts, [*starts[1:], len(lines) + 1], strict=True):
        problem = parse("\n".join(lines[start - 1 : end - 1])).problem
        if problem is None:
            continue
        problems.append(Problem(problem.message, start - 1 + min(problem.line or 1, end - start)))
        kept = (line if _IMPORT.match(line) and parse(line).tree else "" for line in lines[start - 1 : end - 1])
        lines[start - 1 : end - 1] = list(kept)
    return "\n".join(lines), tuple(problems)


class _Refused(Exception):  # noqa: N818 - not an error of ours, only a way out
    def __init__(self, message: str, line: int | None = None) -> None:
        self.problem = Problem(message, line)
        super().__init__(message)


def _tree(text: str) -> ast.Module:
    flags = ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    try:
        with _undisturbed():
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
def _undisturbed() -> Iterator[None]:
    """Without warnings about the audited code, and without the collector, which doubles the time for nothing."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        if collecting:
            gc.enable()


def _without_comment(text: str) -> str:
    """The text before a sign of a comment that cannot be inside a string."""
    before, _, after = text.rpartition("#")
    return text if not before or "'" in after or '"' in after else before


def _modernised(text: str) -> str:
    """The commonest words of older Python in today's, line by line, with mixed tabs set right."""
    for pattern, instead in _OUTDATED:
        text = re.sub(pattern, instead, text, flags=re.MULTILINE)
    return re.sub(r"^[ \t]+", lambda m: m[0].expandtabs(8), text, flags=re.MULTILINE)
