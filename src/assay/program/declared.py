"""Texts that are declared under a name and looked up elsewhere: defaults of options, fields, configuration files."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from assay.code import Code, Source
from assay.findings import Location
from assay.patterns import regex
from assay.program.configuration import SUFFIXES, entries
from assay.program.settings import Rank, Setting, Settings, gathered, in_source
from assay.tree import Tree

_MAX_FILES = 300
_MAX_BYTES = 64 * 1024
_LOOKS_LIKE_A_PATH = regex(r"[/\\]|\.\w{1,8}$")
_FOR_SETTINGS = regex(r"[Cc]onfig|CONFIG|Cfg|CFG|Arg|Param|Setting|Option")
_NUMBER = regex(r"[-+]?[\d.]+(?:e[-+]?\d+)?", re.IGNORECASE)


def own_settings(tree: Tree, code: Code) -> Settings:
    """Those of the authors' own files."""
    return code.once(tree, _own)


def _own(tree: Tree, code: Code) -> Settings:
    return read_settings(tree, [source for source in code.python if not source.unread])


def read_settings(tree: Tree, sources: Iterable[Source]) -> Settings:
    """Options first, then fields, then what configuration files say."""
    options: list[Setting] = []
    fields: list[Setting] = []
    for source in sources:
        options += (setting for setting in in_source(source) if setting.rank is Rank.OPTION)
        fields += (Setting(key, Rank.FIELD, value, source.location(value)) for key, value in _fields(source))
    return gathered([*options, *fields, *_in_files(tree)])


def _fields(source: Source) -> Iterator[tuple[str, ast.expr]]:
    """Fields of the classes in a file that has one made for settings: how dataclasses declare options."""
    classes = source.nodes(ast.ClassDef)
    if not any(_is_for_settings(cls, source) for cls in classes):
        return
    for cls in classes:
        for statement in cls.body:
            if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name) and statement.value:
                yield statement.target.id, _default(statement.value)
            elif isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
                yield statement.targets[0].id, statement.value


def _is_for_settings(cls: ast.ClassDef, source: Source) -> bool:
    marks = (source.resolve(mark.func if isinstance(mark, ast.Call) else mark) for mark in cls.decorator_list)
    return bool(_FOR_SETTINGS.search(cls.name)) or any(mark.endswith("dataclass") for mark in marks)


def _default(value: ast.expr) -> ast.expr:
    """`field(default="x")` stands for its default."""
    if isinstance(value, ast.Call):
        return next((k.value for k in value.keywords if k.arg == "default"), value)
    return value


def _in_files(tree: Tree) -> Iterator[Setting]:
    """Keys of configuration files whose values look like paths."""
    files = [f for f in tree.by_suffix(*SUFFIXES) if not f.vendored and f.size <= _MAX_BYTES]
    for file in sorted(files, key=lambda f: (f.path.count("/"), f.path))[:_MAX_FILES]:
        for entry in entries(file.text(), file.suffix):
            value = next(iter(entry.value.strip("\"'").split()), "").strip("\"',")
            if _LOOKS_LIKE_A_PATH.search(value) and not _NUMBER.fullmatch(value):
                yield Setting(entry.path, Rank.FILE, ast.Constant(value), Location(file.path, entry.line))
