"""Values declared under one name and looked up elsewhere: options, fields, configuration files."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from enum import IntEnum
from functools import lru_cache

from assay.code import Source
from assay.code.names import last_name
from assay.findings import Location
from assay.patterns import regex
from assay.program.configuration import SUFFIXES, entries
from assay.program.options import declares, options
from assay.records import dataclass
from assay.tree import File, Tree

_MAX_FILES = 500
_MOST_ALIKE = 4
_MAX_BYTES = 256 * 1024
_KEY = regex(r"seed|random_?state|determinis|reproduc|benchmark", re.IGNORECASE)
_KEY_WORDS = ("seed", "random_state", "randomstate", "determinis", "reproduc", "benchmark")
"""Fields and configuration keys worth indexing; options are all indexed."""
_DOCOPT = regex(r"--([\w-]*seed[\w-]*)[^\n\[]{0,200}\[default:[ ]*([^\]\n]{1,60})\]", re.IGNORECASE)
_LAST_OF_A_PATH = regex(r"""["'/]([\w.-]{1,80})["']""")
_EMPTY = frozenset({"", "null", "none", "~", "nil"})


class Rank(IntEnum):
    """Precedence of the ways to declare a name."""

    OPTION = 0
    FIELD = 1
    FILE = 2


@dataclass(frozen=True, slots=True)
class Setting:
    """A declared value; a required option has none."""

    path: str
    """Its full name, dotted: the last part is the key."""
    rank: Rank
    value: ast.expr
    location: Location
    required: bool = False

    @property
    def replaceable(self) -> bool:
        """True if the user of the program can supply another value."""
        return self.rank is not Rank.FIELD

    @property
    def key(self) -> str:
        """The key of the look-up."""
        return self.path.rpartition(".")[2]


@dataclass(frozen=True)
class Settings:
    """All settings of a repository by their key."""

    by_key: Mapping[str, list[Setting]]
    _found: dict[tuple[str, str, frozenset[str] | None], Setting | None] = field(default_factory=dict)

    def find(self, wanted: str, near: str, files: frozenset[str] | None, text: str = "") -> Setting | None:
        """The setting that `config.train.seed` (dotted) in the file `near` most probably gets.

        `files` are those of the run, `text` is that of the file that asks: a configuration file that it names
        comes first, then those near the root.
        """
        question = (wanted, near, files)
        if question not in self._found:
            self._found[question] = self._find(wanted, near, files, text)
        return self._found[question]

    def bound(self, function: str, parameter: str) -> Setting | None:
        """The value that a gin file binds to a function's parameter."""
        found = (s for s in self.by_key.get(normal(parameter), ()) if s.location.path.endswith(".gin"))
        owners = ((s, s.path.replace("/", ".").split(".")[-2:]) for s in found)
        return next((s for s, path in owners if path == [function, parameter]), None)

    def of(self, key: str) -> list[Setting]:
        """The first few settings with this key."""
        return self.by_key.get(normal(key), [])[:_MOST_ALIKE]

    def _find(self, wanted: str, near: str, files: frozenset[str] | None, text: str) -> Setting | None:
        candidates = [
            s
            for s in self.by_key.get(normal(wanted.rpartition(".")[2]), ())
            if s.rank is Rank.FILE or files is None or s.location.path in files
        ]

        def order(setting: Setting) -> tuple[object, ...]:
            path = setting.location.path
            return (
                path != near,
                not (setting.rank is Rank.FILE and _names(text, path)),
                setting.rank,
                -_agreement(setting.path, wanted),
                path.count("/"),
                path,
                setting.location.line or 0,
            )

        return min(candidates, key=order) if len(candidates) > 1 else next(iter(candidates), None)


def gathered(settings: Iterable[Setting]) -> Settings:
    """Settings by their keys."""
    found: dict[str, list[Setting]] = defaultdict(list)
    for setting in settings:
        found[normal(setting.key)].append(setting)
    return Settings(dict(found))


def in_files(tree: Tree) -> Iterator[Setting]:
    """Settings in the authors' configuration files that may concern seeds; files near the root first."""
    files = [f for f in tree.by_suffix(*SUFFIXES) if not f.vendored and f.size <= _MAX_BYTES]
    for file in sorted(files, key=lambda f: (f.path.count("/"), f.path))[:_MAX_FILES]:
        yield from _in_file(file)


def in_source(source: Source) -> tuple[Setting, ...]:
    """Options that a file declares, and fields and keys that may concern seeds."""
    return source.once(_in_source)


def _in_source(source: Source) -> tuple[Setting, ...]:
    return tuple(_declared(source))


def _declared(source: Source) -> Iterator[Setting]:
    for call in source.calls.of([name for name in source.calls.lasts if declares(name)]):
        for option in options(call, last_name(call.func)):
            yield Setting(option.name, Rank.OPTION, option.default, source.location(call), option.required)
    if source.hints_at(_KEY_WORDS):
        yield from _fields(source)
        for name, default in _DOCOPT.findall(source.text):
            yield Setting(name.strip("-"), Rank.OPTION, _literal(default), Location(source.path))


def _names(text: str, path: str) -> bool:
    """True if a text contains a file's name in quotes, with or without its ending."""
    file = path.rpartition("/")[2]
    return not _quoted(text).isdisjoint((file, file.rpartition(".")[0]))


@lru_cache(maxsize=64)
def _quoted(text: str) -> frozenset[str]:
    return frozenset(_LAST_OF_A_PATH.findall(text))


def normal(key: str) -> str:
    """A normalised key: `random-seed` becomes `random_seed`."""
    return key.replace("-", "_").lower()


def _agreement(path: str, wanted: str) -> int:
    """The number of equal parts of two dotted names, from the end."""
    pairs = zip(reversed(path.split(".")), reversed(wanted.split(".")), strict=False)
    count = 0
    for a, b in pairs:
        if normal(a) != normal(b):
            break
        count += 1
    return count


def _fields(source: Source) -> Iterator[Setting]:
    """Class fields, dictionary keys, and constants assigned to attributes or items, if named like a seed."""
    for cls in source.nodes(ast.ClassDef):
        yield from (s for statement in cls.body for s in _class_field(statement, source))
    rank = Rank.FILE if _is_configuration(source) else Rank.FIELD
    for name, value, place in (*_dictionary_items(source), *_assigned_items(source)):
        if _KEY.search(name) and (default := _literal_in(value)) is not None:
            yield Setting(name, rank, default, source.location(place))


def _dictionary_items(source: Source) -> Iterator[tuple[str, ast.expr, ast.AST]]:
    """Keys and values of `{"seed": 1}` and `dict(seed=1)`, with their places."""
    for table in source.nodes(ast.Dict):
        pairs = zip(table.keys, table.values, strict=True)
        yield from ((str(k.value), v, k) for k, v in pairs if isinstance(k, ast.Constant))
    for call in source.calls.of(("dict",)):
        if isinstance(call.func, ast.Name):
            yield from ((k.arg, k.value, call) for k in call.keywords if k.arg)


def _assigned_items(source: Source) -> Iterator[tuple[str, ast.expr, ast.AST]]:
    """Names and values of `config.seed = 1` and `config["seed"] = 1`, with their places."""
    for assignment in source.nodes(ast.Assign):
        if isinstance(assignment.targets[0], ast.Attribute | ast.Subscript):
            yield last_name(assignment.targets[0]), assignment.value, assignment


def _is_configuration(source: Source) -> bool:
    """True if a Python file is a configuration that ml_collections loads by path."""
    return source.mentions("ml_collections") and any(f.name == "get_config" for f in source.nodes(ast.FunctionDef))


def _class_field(statement: ast.stmt, source: Source) -> Iterator[Setting]:
    value: ast.expr | None
    if isinstance(statement, ast.AnnAssign):
        name, value = last_name(statement.target), statement.value
    elif isinstance(statement, ast.Assign):
        name, value = last_name(statement.targets[0]), statement.value
    else:
        return
    if _KEY.search(name):
        default = ast.Constant(None) if value is None else _field_default(value)
        yield Setting(name, Rank.FIELD, default, source.location(statement), required=value is None)


def _field_default(value: ast.expr) -> ast.expr:
    """The default in `field(default=1)` and similar calls."""
    if isinstance(value, ast.Call):
        given = next((k.value for k in value.keywords if k.arg == "default"), None)
        return given or (value.args[0] if value.args else value)
    return value


def _literal_in(value: ast.expr) -> ast.expr | None:
    """The constant that a value is, or its first element if a text explains it: `(1234, "seed for training")`."""
    if isinstance(value, ast.Tuple) and len(value.elts) == 2:
        first, help_text = value.elts
        explained = isinstance(help_text, ast.Constant) and isinstance(help_text.value, str)
        return _literal_in(first) if explained and not isinstance(first, ast.Tuple) else None
    return value if isinstance(value.operand if isinstance(value, ast.UnaryOp) else value, ast.Constant) else None


def _in_file(file: File) -> Iterator[Setting]:
    text = file.text()
    lowered = text.lower()
    if not any(word in lowered for word in _KEY_WORDS):
        return
    for entry in entries(text, file.suffix):
        if _KEY.search(entry.path.rpartition(".")[2]) or file.suffix == ".gin":
            yield Setting(entry.path, Rank.FILE, _literal(entry.value), Location(file.path, entry.line))


def _literal(text: str) -> ast.expr:
    """A value from a file as Python would read it; a reference to another key becomes a name."""
    bare = text.strip().strip("\"'").strip()
    if bare.lower() in _EMPTY:
        return ast.Constant(None)
    if bare.lower() in {"true", "false"}:
        return ast.Constant(bare.lower() == "true")
    if bare.startswith(("${", "%")):  # one value that stands for another: OmegaConf, gin
        return ast.Name(bare.lstrip("$%{").rstrip("}").rpartition(".")[2].rpartition(":")[2])
    try:
        return ast.Constant(int(bare))
    except ValueError:
        return ast.Constant(bare)
