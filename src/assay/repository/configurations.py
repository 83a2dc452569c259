"""Configuration files that code opens by a fixed name, and that are nowhere in the repository."""

from __future__ import annotations

import ast
import posixpath
import re
from collections.abc import Iterator
from enum import Enum

from assay.code import Code, Source
from assay.code.names import last_name
from assay.findings import Location
from assay.patterns import regex
from assay.records import dataclass
from assay.repository.commands.hydra import absent_defaults, hydra_main
from assay.repository.commands.shell import is_placeholder
from assay.tree import Tree

_CONFIGURATION = regex(r"(?:\./)?[\w./-]{1,150}\.(?:ya?ml|toml|gin)")
_WRITING = regex(r"(?:sav|writ|dump|export|log|to_|creat|mak)\w*", re.IGNORECASE)
_READING = regex(
    r"open|load\w*|safe_load|full_load|read\w*|fromfile|from_yaml\w*|from_file|from_json|parse_config\w*|copy|copy2|copyfile|"
    r"\w*config\w*|\w*cfg\w*|\w*yaml\w*",
    re.IGNORECASE,
)
"""Names of calls that read the file that they are given first."""
_SETTINGS = regex(r"config|cfg|yaml|hparams|settings", re.IGNORECASE)
"""Names of options and parameters that take a configuration."""
_MADE_BY_TOOLS = frozenset(
    {"pyproject.toml", "environment.yml", "environment.yaml", "docker-compose.yml", "dvc.yaml", "dvc.lock", "meta.yaml"}
)
_MAKING = regex(r"\b(?:creat\w*|writ\w*|cp|copy|download\w*|generat\w*|your own|rename|mv|wget|curl)\b", re.IGNORECASE)
_MOST, _MOST_PAGES = 50, 100


@dataclass(frozen=True, slots=True)
class MissingConfiguration:
    """A configuration that code reads under a fixed name."""

    path: str
    location: Location
    default: bool = False
    """It is only the default of an option or a parameter, which a caller may replace."""
    certain: bool = False
    """The program cannot start without it: hydra looks for it before anything else."""


def read_missing_configurations(tree: Tree, code: Code) -> tuple[MissingConfiguration, ...]:
    """The first place of each configuration that is read and not there, and that nothing seems to write."""
    found: dict[str, MissingConfiguration] = {}
    written = _Written(tree, code)
    sources = (source for source in code.python if source.tree is not None and not _is_test(source.path))
    for one in (one for source in sources for one in (*_of_hydra(source, tree), *_fixed_names(source))):
        known = found.get(one.path)
        surer = known is None or (known.default and not one.default)
        if surer and (one.certain or written.lacks(one.path)):
            found[one.path] = one
    return tuple(found.values())[:_MOST]


def _is_test(path: str) -> bool:
    return posixpath.basename(path).startswith(("test_", "conftest")) or "/tests/" in f"/{path}"


@dataclass(frozen=True, slots=True)
class _Written:
    """What the repository has, and what its code may write."""

    tree: Tree
    code: Code

    def lacks(self, path: str) -> bool:
        """Whether no file has that name, no code writes one, and no page says how to make one."""
        name = posixpath.basename(path)
        if name in _MADE_BY_TOOLS or self.tree.by_name(name) or self.tree.by_name(f"{name}.example"):
            return False
        return not self.tree.hides(path) and not self._is_made(name)

    def _is_made(self, name: str) -> bool:
        pages = (f for f in self.tree.by_suffix(".sh", ".md", ".rst")[:_MOST_PAGES] if not f.vendored)
        lines = (line for page in pages for line in page.text()[:200_000].split("\n") if name in line)
        if any(_MAKING.search(line) for line in lines):
            return True
        return any(_writes(source, name) for source in self.code.python if name in source.text)


def _writes(source: Source, name: str) -> bool:
    """Whether a file hands this name to something that writes."""
    for text in source.strings:
        if posixpath.basename(str(text.value)) != name:
            continue
        around = source.parent(text)
        while around is not None and not isinstance(around, ast.stmt):
            if isinstance(around, ast.Call) and (_WRITING.match(last_name(around.func)) or _opens_to_write(around)):
                return True
            around = source.parent(around)
    return False


def _opens_to_write(call: ast.Call) -> bool:
    modes = [a.value for a in (*call.args[1:2], *(k.value for k in call.keywords)) if isinstance(a, ast.Constant)]
    return last_name(call.func) == "open" and any(isinstance(m, str) and m[:1] in {"w", "a", "x"} for m in modes)


def _of_hydra(source: Source, tree: Tree) -> Iterator[MissingConfiguration]:
    """The primary configuration of a program that hydra starts, and the files that it is put together from."""
    main = hydra_main(source) if source.mentions("hydra") else None
    if main is None or main.folder is None or main.name is None or source.mentions("ConfigStore"):
        return
    folder = posixpath.normpath(posixpath.join(posixpath.dirname(source.path), main.folder))
    if folder.startswith("..") or main.folder.startswith("/"):
        return
    wanted = posixpath.join(folder, main.name.removesuffix(".yaml"))
    primary = tree.get(f"{wanted}.yaml") or tree.get(f"{wanted}.yml")
    if primary is None:
        yield MissingConfiguration(f"{wanted}.yaml", main.location, certain=True)
        return
    for absent, line in absent_defaults(primary, folder, tree):
        yield MissingConfiguration(absent, Location(primary.path, line), certain=True)


def _fixed_names(source: Source) -> Iterator[MissingConfiguration]:
    """Fixed names that are handed to something that reads, or are the default of an option or a parameter."""
    for text in source.strings:
        path = str(text.value)
        if not _CONFIGURATION.fullmatch(path) or path.startswith("/") or ".." in path or is_placeholder(path):
            continue
        use = _use(source, text)
        if use is not None:
            yield MissingConfiguration(path.removeprefix("./"), source.location(text), default=use is _Use.DEFAULT)


class _Use(Enum):
    """What a name is used for."""

    READ = 1
    DEFAULT = 2


def _use(source: Source, text: ast.expr) -> _Use | None:
    """Whether the code reads the file of this name; None where that is not clear."""
    around = source.parent(text)
    match around:
        case ast.arguments():
            return _Use.DEFAULT if _SETTINGS.search(_parameter_of(around, text)) else None
        case ast.keyword(arg="default") if isinstance(call := source.parent(around), ast.Call):
            return _Use.DEFAULT if _SETTINGS.search(_flags(call)) else None
        case ast.keyword(arg=name):
            return _Use.READ if _SETTINGS.search(name or "") else None
        case ast.Call(args=[first, *_]) if first is text:
            return _Use.READ if _reads(around) else None
    return None


def _flags(call: ast.Call) -> str:
    return " ".join(str(a.value) for a in call.args if isinstance(a, ast.Constant))


def _reads(call: ast.Call) -> bool:
    return _READING.fullmatch(last_name(call.func)) is not None and not _opens_to_write(call)


def _parameter_of(arguments: ast.arguments, default: ast.expr) -> str:
    """The parameter that has this default."""
    ordinary = [*arguments.posonlyargs, *arguments.args]
    pairs = [*zip(reversed(ordinary), reversed(arguments.defaults), strict=False)]
    pairs += [(p, d) for p, d in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if d is not None]
    return next((parameter.arg for parameter, given in pairs if given is default), "")
