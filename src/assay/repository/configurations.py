"""Configuration files that code opens by a fixed name, and that are nowhere in the repository."""

from __future__ import annotations

import ast
import posixpath
import re
from collections.abc import Iterator

from assay.code import Code, Source
from assay.code.names import last_name
from assay.findings import Location
from assay.patterns import regex
from assay.records import dataclass
from assay.repository.commands.hydra import hydra_main
from assay.tree import Tree

_CONFIGURATION = regex(r"(?:\./)?[\w./-]{1,150}\.(?:ya?ml|toml|gin)")
_WRITING = regex(r"(?:sav|writ|dump|export|log|to_|creat|mak)\w*", re.IGNORECASE)
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
    for source in code.python:
        if source.tree is None or _is_test(source.path):
            continue
        for one in (*_of_hydra(source, tree), *_named(source)):
            known = found.get(one.path)
            if (known is None or (known.default and not one.default)) and (one.certain or written.lacks(one.path)):
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
        """Whether no file of that name is there, and no code or page tells of making one."""
        name = posixpath.basename(path)
        if name in _MADE_BY_TOOLS or self.tree.by_name(name) or self.tree.by_name(f"{name}.example"):
            return False
        hidden = (*self.tree.submodules, *self.tree.ignored)
        return not any(f"{path}/".startswith(f"{h}/") for h in hidden) and not self._is_made(name)

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
    """The primary configuration of a program that hydra starts."""
    main = hydra_main(source) if source.mentions("hydra") else None
    if main is None or main.folder is None or main.name is None or source.mentions("ConfigStore"):
        return
    folder = posixpath.normpath(posixpath.join(posixpath.dirname(source.path), main.folder))
    name = main.name.removesuffix(".yaml")
    there = any(tree.get(posixpath.join(folder, name + ending)) for ending in (".yaml", ".yml"))
    if not there and not folder.startswith("..") and not main.folder.startswith("/"):
        yield MissingConfiguration(posixpath.join(folder, f"{name}.yaml"), main.location, certain=True)


def _named(source: Source) -> Iterator[MissingConfiguration]:
    """Fixed names that are handed to a call as they stand, or are the default of an option or a parameter."""
    for text in source.strings:
        path = str(text.value)
        if not _CONFIGURATION.fullmatch(path) or path.startswith("/") or ".." in path:
            continue
        around = source.parent(text)
        keyword = around.arg if isinstance(around, ast.keyword) else ""
        call = source.parent(around) if isinstance(around, ast.keyword) else around
        if isinstance(around, ast.arguments):
            yield MissingConfiguration(path.removeprefix("./"), source.location(text), default=True)
        elif isinstance(call, ast.Call) and _reads(call, text, keyword or ""):
            default = keyword == "default"
            yield MissingConfiguration(path.removeprefix("./"), source.location(text), default=default)


_NOT_READING = frozenset(
    {"join", "Path", "print", "endswith", "replace", "format", "info", "debug", "warning", "exists", "isfile", "append",
     "get", "add", "glob", "rglob", "hf_hub_download", "cached_file", "with_name", "joinpath", "startswith", "split"}
)  # fmt: skip


def _reads(call: ast.Call, text: ast.expr, keyword: str) -> bool:
    """Whether a call may open the file that it is given."""
    name = last_name(call.func)
    if name in _NOT_READING or _WRITING.match(name) or _opens_to_write(call):
        return False
    if name in {"copy", "copy2", "copyfile"}:
        return bool(call.args) and call.args[0] is text
    return keyword != "help"
