"""Texts that are declared under a name and looked up elsewhere: defaults of options, fields, configuration files."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field

from assay.code import Code, Source
from assay.findings import Location
from assay.patterns import regex
from assay.records import dataclass
from assay.repository.randomness.settings import Rank, in_source
from assay.tree import Tree

_SUFFIXES = (".yaml", ".yml", ".json", ".toml", ".cfg", ".ini", ".gin", ".conf")
_MAX_FILES = 300
_MAX_BYTES = 64 * 1024
_MOST_ALIKE = 4
_LINE = regex(
    r"""^[ \t]*(?:-[ \t]+)?["']?(?P<key>[A-Za-z_][\w.-]{0,60})["']?[ \t]*[:=][ \t]*["']?(?P<value>[^\s"'#,]{2,300})""",
    re.MULTILINE,
)
"""`key: some/path` or `key = "file.csv"`."""
_LOOKS_LIKE_A_PATH = regex(r"[/\\]|\.\w{1,8}$")
_FOR_SETTINGS = regex(r"[Cc]onfig|CONFIG|Cfg|CFG|Arg|Param|Setting|Option")
_NUMBER = regex(r"[-+]?[\d.]+(?:e[-+]?\d+)?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Declared:
    """A default: an expression in a file of code, or a text from a configuration file."""

    value: ast.expr
    location: Location
    option: bool
    """Somebody who runs it can give another value."""


@dataclass(frozen=True)
class Settings:
    """All defaults of a repository by their key."""

    by_key: Mapping[str, list[Declared]] = field(default_factory=dict)

    def of(self, key: str) -> list[Declared]:
        """The first few defaults under this name."""
        return self.by_key.get(key.replace("-", "_").lower(), [])[:_MOST_ALIKE]


def own_settings(tree: Tree, code: Code) -> Settings:
    """Those of the authors' own files."""
    return code.once(tree, _own)


def _own(tree: Tree, code: Code) -> Settings:
    return read_settings(tree, [source for source in code.python if not source.unread])


def read_settings(tree: Tree, sources: Iterable[Source]) -> Settings:
    """Options first, then fields, then what configuration files say."""
    found: dict[str, list[Declared]] = defaultdict(list)
    fields: dict[str, list[Declared]] = defaultdict(list)
    for source in sources:
        for setting in in_source(source):
            if setting.rank is Rank.OPTION:
                found[_normal(setting.key)].append(Declared(setting.value, setting.location, option=True))
        for key, value in _fields(source):
            fields[_normal(key)].append(Declared(value, source.location(value), option=False))
    for declared in (fields, _in_files(tree)):
        for key, several in declared.items():
            found[key] += several
    return Settings(dict(found))


def _normal(key: str) -> str:
    return key.replace("-", "_").lower()


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


def _in_files(tree: Tree) -> dict[str, list[Declared]]:
    found: dict[str, list[Declared]] = defaultdict(list)
    files = [f for f in tree.by_suffix(*_SUFFIXES) if not f.vendored and f.size <= _MAX_BYTES]
    for file in sorted(files, key=lambda f: (f.path.count("/"), f.path))[:_MAX_FILES]:
        text = file.text()
        for match in _LINE.finditer(text):
            value, key = match["value"], _normal(match["key"]).rpartition(".")[2]
            if _LOOKS_LIKE_A_PATH.search(value) and not _NUMBER.fullmatch(value) and len(found[key]) < _MOST_ALIKE:
                place = Location(file.path, text.count("\n", 0, match.start("key")) + 1)
                found[key].append(Declared(ast.Constant(value), place, option=True))
    return found
