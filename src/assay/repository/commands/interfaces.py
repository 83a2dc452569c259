"""The command line of a script: read off its own text, and off the files it imports that have a part in it."""

from __future__ import annotations

import ast
from collections import deque
from dataclasses import dataclass, field

from assay.code import Code, Source
from assay.code.names import last_name
from assay.repository.commands.decorated import read_click, read_docopt, read_fire, read_flags
from assay.repository.commands.hydra import HydraMain, hydra_main
from assay.repository.commands.interface import Interface
from assay.repository.commands.parsers import Declared, read_parser
from assay.repository.commands.reach import with_reach

_MOST_FILES = 300
_MARKS = (
    "add_argument", "add_option", "parse_args", "parse_known_args", "LightningCLI", "HfArgumentParser", "getopt",
    "from_cli", "ArgumentParser", "add_argparse_args",
)  # fmt: skip
_UNKNOWN = (
    "sys.argv",
    "OmegaConf",
    "sacred",
    "gin.",
    "pyrallis",
    "draccus",
    "chz",
    "jsonargparse",
    "default_argument_parser",
)


@dataclass(slots=True)
class Interfaces:
    """Command lines by script; each is worked out once."""

    code: Code
    _known: dict[str, Interface | None] = field(default_factory=dict)
    _near: dict[str, tuple[str, ...]] = field(default_factory=dict)
    _unfollowed: set[str] = field(default_factory=set)
    """Files with imports that seem to lead into the repository, and nowhere in it."""
    _declared: dict[tuple[str, bool], Declared] = field(default_factory=dict)

    def of(self, path: str) -> Interface | None:
        """What the script at this path accepts; None when it shows no sign of a command line."""
        if path not in self._known:
            source = self.code.source(path)
            self._known[path] = self._read(source) if source is not None else Interface(open="it is no Python")
        return self._known[path]

    def hydra(self, path: str) -> HydraMain | None:
        """How hydra configures the script, if it does."""
        source = self.code.source(path)
        return hydra_main(source) if source is not None and source.mentions("hydra") else None

    def _read(self, source: Source) -> Interface | None:
        if source.tree is None:
            return Interface(open="it does not parse")
        bases = (last_name(base) for node in source.nodes(ast.ClassDef) for base in node.bases)
        if "LightningCLI" in bases:
            return Interface(open="LightningCLI makes the options at run time")
        for read in (read_click, read_fire, read_docopt):
            found = read(source)
            if found is not None:
                return found
        own = self._declared_in(source, imported=False)
        if own.open:
            return Interface(open=own.open)
        if own.parses and own.parsers and not own.elsewhere:
            return _interface([own])
        return self._with_imports(source, own)

    def _with_imports(self, source: Source, own: Declared) -> Interface | None:
        """Gather over all files that the script reaches; a part that comes from outside leaves the answer open."""
        reached = self._reached(source)
        flags = read_flags(reached)
        parts = [s for s in reached[1:] if _is_marked(s)]
        declared = [own, *with_reach(source, parts, [self._declared_in(s, imported=True) for s in parts])]
        if any(part.errors for part in parts):
            return Interface(open="a file that it imports does not parse")
        for one in declared:
            if one.open:
                return Interface(open=one.open)
            for name in one.elsewhere:
                if name.partition(".")[0] not in self.code.local_modules:
                    return Interface(open=f"{name} has a part in it")
        whole = sum(d.parsers for d in declared) == 1 and not any(d.elsewhere for d in declared)
        if not whole and any(s.path in self._unfollowed for s in reached):
            return Interface(open="not all of its imports could be followed")
        argparse = _interface(declared) if any(d.options or d.positional for d in declared) else None
        if flags is not None and (argparse is None or source.mentions("DEFINE_")):
            outside = [
                s
                for s in reached
                if any(
                    "flags" in i.module and i.top not in _FLAG_MODULES | set(self.code.local_modules) for i in s.imports
                )
            ]
            return Interface(open="another package defines flags") if outside else flags
        if argparse is not None and (any(d.parses for d in declared) or own.options):
            return argparse
        if any(s.mentions(word) for s in reached for word in _UNKNOWN) or len(reached) >= _MOST_FILES:
            return Interface(open="how it reads its arguments is unknown")
        return None

    def _declared_in(self, source: Source, *, imported: bool) -> Declared:
        key = (source.path, imported)
        if key not in self._declared:
            self._declared[key] = read_parser(source, imported=imported) if _is_marked(source) else Declared()
        return self._declared[key]

    def _reached(self, start: Source) -> list[Source]:
        """The script and all files of the repository that it imports, nearest first."""
        found = {start.path: start}
        waiting = deque([start])
        while waiting and len(found) < _MOST_FILES:
            for path in self._imports_of(waiting.popleft()):
                source = self.code.source(path)
                if path not in found and source is not None:
                    found[path] = source
                    waiting.append(source)
        return list(found.values())

    def _imports_of(self, source: Source) -> tuple[str, ...]:
        if source.path not in self._near:
            paths: set[str] = set()
            for imported in source.imports:
                found = (
                    self.code.find(imported, source)
                    if imported.level or imported.top in self.code.local_modules
                    else None
                )
                if found is None and imported.top in self.code.local_modules and not imported.guarded:
                    self._unfollowed.add(source.path)
                if found is not None:
                    paths.add(found)
                    folder = found.rpartition("/")[0]  # `from package import a, b` is led to the first of them only
                    inside = (f"{folder}/{name}.py".lstrip("/") for name in imported.names[1:])
                    paths.update(path for path in inside if self.code.source(path) is not None)
            self._near[source.path] = tuple(sorted(paths))
        return self._near[source.path]


_FLAG_MODULES = frozenset({"absl", "tensorflow", "ml_collections", "tf", "gflags"})


def _is_marked(source: Source) -> bool:
    return any(source.mentions(word) for word in _MARKS)


def _interface(declared: list[Declared]) -> Interface:
    """All options together. What is required is known only if there is one parser without parts of its own."""
    single = sum(d.parsers for d in declared) == 1 and not any(d.subcommands for d in declared)
    return Interface(
        options=tuple(o for d in declared for o in d.options),
        positional=tuple(o for d in declared for o in d.positional),
        exact=single and not any(d.elsewhere for d in declared),
        closed=single and not any(d.elsewhere or d.loose for d in declared),
    )
