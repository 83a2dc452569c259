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
_DECORATORS = frozenset({"hydra.main", "hydra.experimental.main"})
_CHOICE = regex(r"[\w./-]+")
_DEFAULTS = regex(r"^defaults:[ \t]*\n((?:[ \t]*(?:-[^\n]{0,200}|#[^\n]{0,200})?\n){1,60})", re.MULTILINE)
_DEFAULT = regex(
    r"^[ \t]*-[ \t]+(?:(?P<group>(?!hydra\b|override\b|optional\b)[\w/-]{1,80}):[ \t]+)?"
    r"(?P<choice>[\"']?[\w./-]{1,80}[\"']?)[ \t]*(?:#[^\n]{0,200})?$",
    re.MULTILINE,
)
"""One entry of a list of defaults: `- model: gcn`, `- base`."""
_NO_FILES = frozenset({"null", "_self_", "None"})
_NAMES = frozenset({"--config-name", "-cn"})
_FOLDERS = frozenset({"--config-path", "-cp"})
_SEARCHED = ("--config-dir", "-cd")
"""Options that add a folder which hydra searches as well."""


@dataclass(frozen=True, slots=True)
class HydraMain:
    """The decorator of a main function: where its configuration is, relative to the script."""

    folder: str | None
    name: str | None
    location: Location


def hydra_main(source: Source) -> HydraMain | None:
    """The first function of the file that hydra configures."""
    decorators = (d for function in source.nodes(ast.FunctionDef) for d in function.decorator_list)
    calls = (d for d in decorators if isinstance(d, ast.Call) and source.resolve(d.func) in _DECORATORS)
    call = next(calls, None)
    if call is None:
        return None
    given = {k.arg: k.value.value for k in call.keywords if isinstance(k.value, ast.Constant)}
    folder, name = (str(v) if isinstance(v := given.get(key), str) else None for key in ("config_path", "config_name"))
    return HydraMain(folder, name, source.location(call))


def absent_defaults(primary: File, folder: str, tree: Tree) -> Iterator[tuple[str, int]]:
    """Files of the list `defaults` that no folder has, each with the line that names it.

    Settings of hydra itself, optional ones, and those that are filled in later may come from elsewhere.
    """
    text = primary.text()
    if "searchpath" in text:
        return
    for entry in _DEFAULT.finditer(_entries_of_defaults(text)):
        group, choice = entry["group"] or "", entry["choice"].strip("\"'")
        wanted = posixpath.join(folder, group.removeprefix("/"), choice)
        if _CHOICE.fullmatch(choice) and choice not in _NO_FILES and not _exists(tree, "", wanted):
            yield f"{wanted.removesuffix('.yaml')}.yaml", 1 + text.count("\n", 0, text.find(entry[0]))


def _entries_of_defaults(text: str) -> str:
    """The entries of `defaults:` as they are written."""
    below = _DEFAULTS.search(text)
    return below[1] if below else ""


def hydra_problems(main: HydraMain, script: str, words: tuple[str, ...], tree: Tree) -> Iterator[Problem]:
    """Configuration files that are not there, choices of a group without a file, and keys that no file has."""
    folder = next(_values(words, _FOLDERS), main.folder)
    searched_elsewhere = any(word.startswith(_SEARCHED) for word in words)
    if folder is None or searched_elsewhere or is_placeholder(folder):
        return
    home = posixpath.normpath(posixpath.join(posixpath.dirname(script), folder))
    files = [f for f in tree.under(home) if f.suffix in {".yaml", ".yml"}][:_MOST_FILES] if home != "." else []
    if not files:
        return
    for name in _values(words, _NAMES):
        yield from _absent_config(name, home, tree, main.location)
    for added, key, value in _overrides(words):
        group = posixpath.join(home, key)
        if group in tree.folders and "." not in key:
            yield from _absent_choices(key, value, group, tree)
        elif not added and key.replace("/", ".").partition(".")[0] not in _keys(files):
            yield Problem(Fault.OPTION, key, "", main.location)


def _absent_config(name: str, home: str, tree: Tree, declared: Location) -> Iterator[Problem]:
    if not is_placeholder(name) and not _exists(tree, home, name):
        yield Problem(Fault.FILE, f"{home}/{name.removesuffix('.yaml')}.yaml", _nearest(tree, home), declared)


def _overrides(words: tuple[str, ...]) -> Iterator[tuple[bool, str, str]]:
    """Settings on the command line: whether each is a new one (`+key=value`), its key and its value."""
    for match in filter(None, map(_OVERRIDE.fullmatch, words)):
        if match[1] != "~" and not match[2].startswith("hydra"):
            yield bool(match[1]), match[2].partition("@")[0], match[3]


def _absent_choices(key: str, value: str, group: str, tree: Tree) -> Iterator[Problem]:
    for choice in filter(_CHOICE.fullmatch, value.strip("[]").split(",")):
        if not (choice == "null" or is_placeholder(choice) or _exists(tree, group, choice)):
            yield Problem(Fault.CHOICE, f"{key}={choice}", _nearest(tree, group), Location(f"{group}/"))


def _values(words: tuple[str, ...], options: frozenset[str]) -> Iterator[str]:
    """What these options are given, as `--option value` or `--option=value`."""
    for at, word in enumerate(words):
        name, equals, value = word.partition("=")
        if name in options:
            yield from [value] if equals else words[at + 1 : at + 2]


def _exists(tree: Tree, folder: str, name: str) -> bool:
    bare = posixpath.join(folder, name)
    return any(tree.get(bare + ending) for ending in ("", ".yaml", ".yml")) or bare in tree.folders


def _nearest(tree: Tree, folder: str) -> str:
    names = sorted(f.name.rpartition(".")[0] for f in tree.directly_in(folder) if f.suffix in {".yaml", ".yml"})
    return ", ".join(names[:6])


def _keys(files: list[File]) -> set[str]:
    return {key for file in files for key in _KEY.findall(file.text()[:200_000])}
