"""Experiment trackers and configuration systems: the modules that are imported, and the calls that are use."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from assay.code import Code, Source
from assay.code.names import last_name
from assay.findings import Location
from assay.libraries.catalogue import catalogue
from assay.libraries.row import How, Role
from assay.patterns import regex
from assay.repository.data.collection import is_test_file
from assay.repository.models.facts import System, Tool
from assay.tree import Tree

_REPORTING = frozenset({"report_to", "log_with"})
_WRITTEN_TO = {"tensorboard_log": "tensorboard", "tensorboard_log_dir": "tensorboard", "tensorboard_dir": "tensorboard"}
"""Options of libraries that train (stable-baselines and others): where they write for a tracker."""
_ASKED = frozenset({*_REPORTING, *_WRITTEN_TO})
_REPORTS = regex(r"wandb|mlflow|tensorboard|comet|neptune|clearml|aim|dvclive|swanlab", re.IGNORECASE)
_TARGET = regex(r"^[ \t-]*_target_:[ \t]*[\"']?[\w.]{1,200}\.(\w{1,60})", re.MULTILINE)
_REPORT_LINE = regex(
    r"(?:report_to|log_with)[\"']?[ \t:=]+\[?[\"']?(wandb|mlflow|tensorboard|comet_ml|neptune|clearml)"
)
_FILES = {"guild": "guild.yml"}
_MOST_FILES = 300
_MAX_BYTES = 64 * 1024

_SYSTEMS = {Role.TRACK: System.TRACKER, Role.SETTINGS: System.CONFIGURATION}
_ROWS = tuple(catalogue().rows(_SYSTEMS))
_MODULES: dict[str, tuple[str, System]] = {
    name: (row.tool, _SYSTEMS[row.role]) for names, row in _ROWS if row.how is not How.BY_NAME for name in names
}
_BY_CLASS = {name: row.tool for names, row in _ROWS if row.how is How.BY_NAME for name in names}
TOPS = frozenset(m.partition(".")[0] for m in _MODULES)


@dataclass(slots=True)
class Toolbox:
    """Imports and calls of each tool, gathered file after file."""

    imports: dict[tuple[str, System], list[Location]] = field(default_factory=dict)
    calls: dict[tuple[str, System], list[Location]] = field(default_factory=dict)

    def look(self, source: Source, code: Code) -> None:
        """Go through one file."""
        if is_test_file(source):
            return
        local = {
            i.top for i in source.imports if i.top in TOPS and i.top in code.local_modules and code.find(i, source)
        }
        modules = TOPS - local
        for imported in source.imports:
            if imported.level or imported.top not in modules:
                continue
            for module in _whole_names(imported.module, imported.names):
                tool = _tool_of(module)
                if tool is not None:
                    self.imports.setdefault(tool, []).append(imported.location)
        known = {n: t for n, t in source.aliases.items() if t.partition(".")[0] in modules}
        for call in source.calls.of(_BY_CLASS, known, _ASKED):
            self._call(call, known, source)
        definitions: list[ast.FunctionDef | ast.ClassDef] = [
            *source.nodes(ast.FunctionDef),
            *source.nodes(ast.ClassDef),
        ]
        bases = [base for cls in source.nodes(ast.ClassDef) for base in cls.bases]
        for node in [*(d for definition in definitions for d in definition.decorator_list), *bases]:
            if not isinstance(node, ast.Call):
                self._name(node, known, source)

    def look_at_files(self, tree: Tree) -> None:
        """Configuration files that choose a tracker by its name."""
        files = [f for f in tree.by_suffix(".yaml", ".yml", ".json") if not f.vendored and f.size <= _MAX_BYTES]
        for file in files[:_MOST_FILES]:
            text = file.text()
            for match in _TARGET.finditer(text):
                if match[1] in _BY_CLASS:
                    self._add(_BY_CLASS[match[1]], Location(file.path, text.count("\n", 0, match.start()) + 1))
            for match in _REPORT_LINE.finditer(text):
                self._add(match[1].removesuffix("_ml"), Location(file.path, text.count("\n", 0, match.start()) + 1))
        for tool, name in _FILES.items():
            for file in tree.by_name(name):
                self._add(tool, Location(file.path))

    def tools(self) -> tuple[Tool, ...]:
        """What was found, trackers first."""
        keys = sorted({*self.imports, *self.calls}, key=lambda k: (k[1] is System.CONFIGURATION, k[0]))
        return tuple(
            Tool(name, system, tuple(self.imports.get((name, system), ())), tuple(self.calls.get((name, system), ())))
            for name, system in keys
        )

    def _call(self, call: ast.Call, known: dict[str, str], source: Source) -> None:
        last = last_name(call.func)
        if last in _BY_CLASS and last != "FileWriter":
            self._add(_BY_CLASS[last], source.location(call))
        else:
            self._name(call.func, known, source, call)
        for keyword in call.keywords:
            if keyword.arg in _REPORTING:
                self._reported(keyword.value, source)
            elif keyword.arg in _WRITTEN_TO and not (
                isinstance(keyword.value, ast.Constant) and keyword.value.value is None
            ):
                self._add(_WRITTEN_TO[keyword.arg], source.location(keyword.value))

    def _name(self, node: ast.expr, known: dict[str, str], source: Source, call: ast.Call | None = None) -> None:
        root: ast.expr = node
        while isinstance(root, ast.Attribute):
            root = root.value
        if not isinstance(root, ast.Name) or root.id not in known:
            return
        tool = _tool_of(source.resolve(node))
        if tool is not None:
            self.calls.setdefault(tool, []).append(source.location(call or node))

    def _reported(self, value: ast.expr, source: Source) -> None:
        items = value.elts if isinstance(value, ast.List | ast.Tuple) else [value]
        for item in items:
            match = (
                _REPORTS.match(item.value) if isinstance(item, ast.Constant) and isinstance(item.value, str) else None
            )
            if match is not None:
                self._add(match[0].lower(), source.location(value))

    def _add(self, tracker: str, place: Location) -> None:
        self.calls.setdefault((tracker, System.TRACKER), []).append(place)


def _whole_names(module: str, names: Iterable[str]) -> list[str]:
    return [f"{module}.{name}" for name in names] or [module]


def _tool_of(name: str) -> tuple[str, System] | None:
    """The tool that a dotted name belongs to."""
    parts = name.split(".")
    for count in range(min(len(parts), 4), 0, -1):
        found = _MODULES.get(".".join(parts[:count]))
        if found is not None:
            return found
    return None
