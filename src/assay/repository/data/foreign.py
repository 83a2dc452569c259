"""Paths that exist on one machine only: absolute ones, drive letters, cloud notebooks' folders."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from assay.code import Language, Source
from assay.findings import Location
from assay.repository.data.collection import is_test_file
from assay.repository.data.facts import ForeignPath
from assay.repository.vocabulary import vocabulary
from assay.tree import File, Tree

_WORDS = vocabulary("assay.repository.data", "files.toml")
_ABSOLUTE = _WORDS.pattern("machine_paths")
_PATTERN = _WORDS.pattern("patterns")
_ANYWHERE = _WORDS.pattern("machine_paths_anywhere")
_PLACEHOLDER = _WORDS.pattern("placeholders")
_CONFIGURATIONS = _WORDS.listed("configurations")
_ROUTES = _WORDS.words("routes")
_MOUNTED = ("/content/", "/gdrive/", "/kaggle/", "/dbfs/")
_SLASHES = frozenset("/\\")
_MOST_FILES = 300
_LONGEST = 260
"""Characters of a path, as Windows once had it."""
_MAX_BYTES = 128 * 1024


def foreign_in(source: Source) -> Iterator[ForeignPath]:
    """In one file of code."""
    if not is_test_file(source):
        yield from _in_python(source) if source.language is Language.PYTHON else _in_text(source)


def foreign_in_files(tree: Tree) -> Iterator[ForeignPath]:
    """In configuration files and shell scripts; those of containers are at home there."""
    files = [f for f in tree.by_suffix(*_CONFIGURATIONS) if not f.vendored and f.size <= _MAX_BYTES]
    files = [f for f in files if not f.path.startswith(".") and "docker" not in f.path.lower()]
    for file in sorted(files, key=lambda f: (f.path.count("/"), f.path))[:_MOST_FILES]:
        yield from _in_file(file)


def _in_file(file: File) -> Iterator[ForeignPath]:
    text = file.text()
    for match in _ANYWHERE.finditer(text):
        if not _PLACEHOLDER.search(match[0]) and not _commented(text, match.start()):
            yield ForeignPath(match[0], Location(file.path, text.count("\n", 0, match.start()) + 1), default=True)


def _in_python(source: Source) -> Iterator[ForeignPath]:
    for node in source.strings:
        value = str(node.value)
        if (value[:1] in _SLASHES or value[1:2] == ":") and _is_path(node, value, source):
            around = source.parent(node)
            replaceable = _is_default(around, source) or _is_mounted(value, source)
            yield ForeignPath(value, source.location(node), default=replaceable)
    for magic in source.magics:
        for match in _ANYWHERE.finditer(f"{magic.text}\n{magic.body}"[:10_000]):
            yield ForeignPath(match[0], magic.location, default=match[0].startswith(_MOUNTED))


def _is_default(around: ast.AST | None, source: Source) -> bool:
    """Whether a path is what an option, a parameter or a variable has if nobody gives it another value."""
    while isinstance(around, ast.expr):
        around = source.parent(around)
    if isinstance(around, ast.keyword):
        return around.arg == "default"
    if not isinstance(around, ast.Assign):
        return isinstance(around, ast.arguments)
    above = source.parent(around)
    asked = ast.unparse(above.test) if isinstance(above, ast.If) else ""
    return any(ast.unparse(target) in asked for target in around.targets)


def _is_path(node: ast.Constant, value: str, source: Source) -> bool:
    """Whether a text is a path of one machine, and no placeholder, address of a server or regular expression."""
    if len(value) > _LONGEST or not _ABSOLUTE.match(value) or _PLACEHOLDER.search(value):
        return False
    around = source.parent(node)
    return not (_is_added(node, source) or _is_route(around) or _is_pattern(value, around, source))


def _is_mounted(path: str, source: Source) -> bool:
    """Whether a notebook names a folder that the service which runs it provides: Colab, Kaggle, Databricks."""
    return source.notebook is not None and path.startswith(_MOUNTED)


def _is_added(node: ast.Constant, source: Source) -> bool:
    """Whether it only ends a path that begins elsewhere: `folder + "/data/images"`."""
    around = source.parent(node)
    if isinstance(around, ast.JoinedStr):
        return around.values[0] is not node
    return isinstance(around, ast.BinOp) and isinstance(around.op, ast.Add) and around.right is node


def _is_route(around: ast.AST | None) -> bool:
    return isinstance(around, ast.Call) and isinstance(around.func, ast.Attribute) and around.func.attr in _ROUTES


def _is_pattern(value: str, around: ast.AST | None, source: Source) -> bool:
    """Whether it is a regular expression, such as one for LaTeX, that only begins like a path."""
    called = source.resolve(around.func).partition(".")[0] if isinstance(around, ast.Call) else ""
    return called in {"re", "regex"} or _PATTERN.search(value, 2) is not None


def _in_text(source: Source) -> Iterator[ForeignPath]:
    for number, line in enumerate(source.lines, 1):
        if ("/" in line or "\\" in line) and not line.lstrip().startswith("#"):
            for match in _ANYWHERE.finditer(line[:2000]):
                if not _PLACEHOLDER.search(match[0]):
                    yield ForeignPath(match[0], source.location(number))


def _commented(text: str, spot: int) -> bool:
    return text[text.rfind("\n", 0, spot) + 1 : spot].lstrip().startswith("#")
