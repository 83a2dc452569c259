"""Paths that exist on one machine only: absolute ones, drive letters, cloud notebooks' folders."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from assay.code import Language, Source
from assay.code.names import last_name
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
_SHELLS = frozenset({"system", "popen", "run", "call", "check_call", "check_output", "Popen", "getoutput"})
"""Functions of `os` and `subprocess` that hand a text to a shell."""
_ASKING = frozenset({"exists", "isdir", "isfile", "is_dir", "is_file", "print"})
"""Functions that read and write nothing at a path."""
_SLASHES = frozenset("/\\")
_MOST_FILES = 300
_LONGEST = 260
"""Characters of a path, as Windows once had it."""
_COMMENT = 3
"""So many lines above a constant may be about it."""
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
        yield from _in_string(node, source)
    for magic in source.magics:
        for match in _ANYWHERE.finditer(f"{magic.text}\n{magic.body}"[:10_000]):
            yield ForeignPath(match[0], magic.location, default=match[0].startswith(_MOUNTED))


def _in_string(node: ast.Constant, source: Source) -> Iterator[ForeignPath]:
    """A text that is a path, or a command that names some."""
    value = str(node.value)
    if (value[:1] in _SLASHES or value[1:2] == ":") and _is_path(node, value, source):
        replaceable = _is_replaceable(node, source) or _is_mounted(value, source)
        yield ForeignPath(value, source.location(node), default=replaceable)
    elif " " in value and _is_command(node, source):
        yield from (ForeignPath(match[0], source.location(node)) for match in _ANYWHERE.finditer(value[:10_000]))


def _is_command(node: ast.Constant, source: Source) -> bool:
    """Whether the text is handed to a shell."""
    around = source.parent(node)
    return isinstance(around, ast.Call) and last_name(around.func) in _SHELLS


def _is_replaceable(node: ast.Constant, source: Source) -> bool:
    """Whether the program goes on without the path, or the reader is asked for another one.

    So it is with the default of an option or a parameter, a path that is only looked for, compared or printed, and a
    constant that a comment above it names.
    """
    around = source.parent(node)
    while isinstance(around, ast.expr):
        if isinstance(around, ast.Compare) or (isinstance(around, ast.Call) and last_name(around.func) in _ASKING):
            return True
        around = source.parent(around)
    match around:
        case ast.keyword(arg=name):
            return name == "default"
        case ast.Assign():
            return _is_announced(around, source) or _are_tried(around, source)
    return isinstance(around, ast.arguments | ast.Expr)


def _are_tried(assignment: ast.Assign, source: Source) -> bool:
    """Whether it is a list of places, and a loop asks which of them exists."""
    targets = set(map(last_name, assignment.targets)) if isinstance(assignment.value, ast.List | ast.Tuple) else set()
    tried = {last_name(loop.target) for loop in source.nodes(ast.For) if last_name(loop.iter) in targets}
    return any(last_name(arg) in tried for call in source.calls.of(_ASKING) for arg in call.args)


def _is_announced(assignment: ast.Assign, source: Source) -> bool:
    """Whether the condition around an assignment, or a comment above it, names what is assigned."""
    above = source.parent(assignment)
    comments = source.lines[max(0, assignment.lineno - 1 - _COMMENT) : assignment.lineno - 1]
    said = [line for line in comments if line.lstrip().startswith("#")]
    said += [ast.unparse(above.test)] if isinstance(above, ast.If) else []
    return any(ast.unparse(target) in text for target in assignment.targets for text in said)


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
