"""hydra: settings as `key=value`, checked against the configuration files that the program names."""

from __future__ import annotations

import ast
import posixpath
import re
from collections.abc import Iterator

from assay.code import Source
from assay.findings import Location
from assay.patterns import regex
from assay.records import dataclass
from assay.repository.commands.facts import Fault, Problem
from assay.repository.commands.shell import is_placeholder
from assay.tree import File, Tree

_OVERRIDE = regex(r"(\+{0,2}|~)([A-Za-z_][\w./@-]{0,120})=(.*)", re.DOTALL)
_KEY = regex(r"^[ \t]*(?:-[ \t]+)?[\"']?([A-Za-z_][\w-]{0,80})[\"']?[ \t]*:", re.MULTILINE)
_MOST_FILES = 500
_NAMES = frozenset({"--config-name", "-cn"})


@dataclass(frozen=True, slots=True)
class HydraMain:
    """The decorator of a main function: where its configuration is, relative to the script."""

    folder: str | None
    name: str | None
    location: Location


def hydra_main(source: Source) -> HydraMain | None:
    """The first function of the file that hydra configures."""
    for function in source.nodes(ast.FunctionDef):
        for decorator in function.decorator_list:
            if isinstance(decorator, ast.Call) and source.resolve(decorator.func) in {
                "hydra.main",
                "hydra.experimental.main",
            }:
                given = {k.arg: k.value for k in decorator.keywords}
                values = [
                    v.value if isinstance(v, ast.Constant) else None
                    for v in (given.get("config_path"), given.get("config_name"))
                ]
                folder, name = (v if isinstance(v, str) else None for v in values)
                return HydraMain(folder, name, source.location(decorator))
    return None


def hydra_problems(main: HydraMain, script: str, words: tuple[str, ...], tree: Tree) -> Iterator[Problem]:
    """Configuration files that are not there, choices of a group without a file, and keys that no file has."""
    if main.folder is None or any(w.startswith(("--config-dir", "--config-path", "-cd", "-cp")) for w in words):
        return
    home = posixpath.normpath(posixpath.join(posixpath.dirname(script), main.folder))
    files = [f for f in tree.under(home) if f.suffix in {".yaml", ".yml"}][:_MOST_FILES] if home != "." else []
    if not files:
        return
    for name in _named_configs(words):
        if not is_placeholder(name) and not _exists(tree, home, name):
            missing = f"{home}/{name.removesuffix('.yaml')}.yaml"
            yield Problem(Fault.FILE, missing, _nearest(tree, home), main.location)
    known: set[str] | None = None
    for word in words:
        match = _OVERRIDE.fullmatch(word)
        if match is None or match[1] == "~" or match[2].startswith("hydra"):
            continue
        key, value = match[2].partition("@")[0], match[3]
        group = posixpath.join(home, key)
        if group in tree.folders and "." not in key:
            for choice in value.strip("[]").split(","):
                if (
                    choice
                    and re.fullmatch(r"[\w./-]+", choice)
                    and choice != "null"
                    and not is_placeholder(choice)
                    and not _exists(tree, group, choice)
                ):
                    yield Problem(Fault.CHOICE, f"{key}={choice}", _nearest(tree, group), Location(f"{group}/"))
        elif not match[1]:
            known = _keys(files) if known is None else known
            first = key.replace("/", ".").split(".")[0]
            if first not in known:
                yield Problem(Fault.OPTION, key, "", main.location)


def _named_configs(words: tuple[str, ...]) -> Iterator[str]:
    for at, word in enumerate(words):
        name, equals, value = word.partition("=")
        if name in _NAMES:
            yield from [value] if equals else words[at + 1 : at + 2]


def _exists(tree: Tree, folder: str, name: str) -> bool:
    bare = posixpath.join(folder, name)
    return any(tree.get(bare + ending) for ending in ("", ".yaml", ".yml")) or bare in tree.folders


def _nearest(tree: Tree, folder: str) -> str:
    names = sorted(f.name.rpartition(".")[0] for f in tree.directly_in(folder) if f.suffix in {".yaml", ".yml"})
    return ", ".join(names[:6])


def _keys(files: list[File]) -> set[str]:
    return {key for file in files for key in _KEY.findall(file.text()[:200_000])}
