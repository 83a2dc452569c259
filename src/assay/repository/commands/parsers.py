"""argparse and optparse: the options that one file declares, and whether all of the parser is in that file."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from assay.code import Call, Source, calls
from assay.code.names import dotted
from assay.repository.commands.interface import MANY, REST, Option

_PARSERS = ("ArgumentParser", "OptionParser")
_LIBRARIES = frozenset(
    {"argparse", "optparse", "configargparse", "jsonargparse", "simple_parsing", "argparse_dataclass"}
)
_OPENING = {
    "parse_known_args": "it passes over options that it does not know",
    "parse_known_intermixed_args": "it passes over options that it does not know",
    "LightningCLI": "LightningCLI makes the options at run time",
    "HfArgumentParser": "HfArgumentParser takes the options from classes of other packages",
    "add_argparse_args": "another package adds options",
    "add_arguments_to_parser": "another package adds options",
    "add_class_arguments": "options are made from classes",
    "getopt": "it reads its arguments by hand",
    "from_cli": "it takes any setting",
    "TrainingArguments": "another package adds options",
}
_GROUPS = frozenset(
    {"add_argument_group", "add_mutually_exclusive_group", "add_parser", "add_subparsers", "add_option_group"}
)
_ADDING = frozenset({"add_argument", "add_option"})
_PLAIN_TYPES = frozenset({"str", "int", "float"})
"""Types that leave a word as it is; a function of one's own may turn it into a choice."""
_BUILTINS = frozenset(dir(builtins))


@dataclass(slots=True)
class Declared:
    """What one file says about its command line."""

    options: list[Option] = field(default_factory=list)
    positional: list[Option] = field(default_factory=list)
    open: str = ""
    parsers: int = 0
    subcommands: bool = False
    elsewhere: list[str] = field(default_factory=list)
    """Full names of imported functions that make the parser or are given it."""
    parses: bool = False
    loose: bool = False
    """Words that belong to no option are taken as they come (optparse)."""


def main_lines(source: Source) -> range:
    """The lines under `if __name__ == "__main__"`, which do not run when the file is imported."""
    for node in source.tree.body if source.tree else ():
        if isinstance(node, ast.If) and "__name__" in ast.dump(node.test):
            return range(node.lineno, (node.end_lineno or node.lineno) + 1)
    return range(0)


def read_parser(source: Source, *, imported: bool) -> Declared:
    """The options of a file; of one that is only imported, without those of its own main block."""
    return _Reader(source, main_lines(source) if imported else range(0)).read()


class _Reader:
    def __init__(self, source: Source, passed_over: range) -> None:
        self.source, self.passed_over = source, passed_over
        self.found = Declared()

    def read(self) -> Declared:
        for call in calls(self.source):
            if call.node.lineno in self.passed_over:
                continue
            last = call.name.rpartition(".")[2]
            if last in _ADDING or call.name in self.aliases:
                self._add(call)
            elif last in _OPENING:
                self.found.open = self.found.open or _OPENING[last]
            elif last in _PARSERS:
                self._parser(call)
            elif last in {"add_subparsers", "add_parser"}:
                self.found.subcommands = True
            elif last == "parse_args":
                self.found.parses = True
                self._trace(call.node.func)
            else:
                self._handed_over(call)
        return self.found

    @cached_property
    def aliases(self) -> frozenset[str]:
        """Names for a parser's own method, as in `arg = parser.add_argument`."""
        return frozenset(
            target.id
            for node in self.source.nodes(ast.Assign)
            if isinstance(node.value, ast.Attribute) and node.value.attr in _ADDING
            for target in node.targets
            if isinstance(target, ast.Name)
        )

    @cached_property
    def own(self) -> frozenset[str]:
        """Functions and classes of the file itself."""
        functions = [f.name for f in self.source.nodes(ast.FunctionDef)]
        return frozenset([*functions, *(c.name for c in self.source.nodes(ast.ClassDef))])

    @cached_property
    def origins(self) -> dict[str, list[ast.expr]]:
        """What is assigned to each name."""
        found: dict[str, list[ast.expr]] = {}
        for node in self.source.nodes(ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name | ast.Attribute):
                    found.setdefault(dotted(target), []).append(node.value)
        return found

    @cached_property
    def parser_names(self) -> frozenset[str]:
        """Names that stand for a parser or a group of one."""
        made = (*_PARSERS, *_GROUPS)
        return frozenset(
            name
            for name, values in self.origins.items()
            if any(isinstance(v, ast.Call) and dotted(v.func).rpartition(".")[2] in made for v in values)
        )

    def _parser(self, call: Call) -> None:
        self.found.parsers += 1
        self.found.loose |= call.name.endswith("OptionParser")
        library = call.name.partition(".")[0]
        if library not in _LIBRARIES and library not in self.own:
            self.found.elsewhere.append(call.name)  # a class of another file that is called like the usual one
        if library in {"jsonargparse", "simple_parsing"}:
            self.found.open = self.found.open or "options are made from classes"
        if any(k.arg == "parents" for k in call.node.keywords):
            self.found.subcommands = True  # whose options they are is not followed
            for keyword in call.node.keywords:
                if keyword.arg == "parents" and isinstance(keyword.value, ast.List):
                    for parent in keyword.value.elts:
                        self._trace_value(parent, 0)

    def _add(self, call: Call) -> None:
        receiver = call.node.func
        if isinstance(receiver, ast.Attribute):
            self._trace(receiver)
        names = [literal_text(a) for a in call.node.args if not isinstance(a, ast.Starred)]
        keywords = {k.arg: k.value for k in call.node.keywords}
        if not names or any(name is None for name in names):
            self.found.open = self.found.open or "options are made at run time"
            return
        option = _option([n for n in names if n], keywords, call)
        target = self.found.options if option.names[0].startswith("-") else self.found.positional
        target.append(option)
        if None in keywords:
            self.found.subcommands = True  # what `**` adds is not known

    def _trace(self, method: ast.expr) -> None:
        """Where the parser of `parser.add_argument` comes from."""
        if isinstance(method, ast.Attribute):
            self._trace_value(method.value, 0)

    def _trace_value(self, value: ast.expr, depth: int) -> None:
        if depth > 6:
            return
        if isinstance(value, ast.Call):
            self._made_by(value)
        elif isinstance(value, ast.Name | ast.Attribute):
            name = dotted(value)
            known = self.origins.get(name, [])
            for origin in known[:5]:
                if origin is not value and dotted(origin) != name:
                    self._trace_value(origin, depth + 1)
            root = name.partition(".")[0]
            if not known and root in self.source.aliases:
                self.found.elsewhere.append(self.source.resolve(value))

    def _made_by(self, call: ast.Call) -> None:
        name = self.source.resolve(call.func)
        last = name.rpartition(".")[2]
        if last in _PARSERS or last in _GROUPS or last in _ADDING:
            return
        root = dotted(call.func).partition(".")[0]
        if root.rstrip("()") in self.own or root in {"self", "cls", "super()"} or root in self.parser_names:
            return
        self.found.elsewhere.append(name)

    def _handed_over(self, call: Call) -> None:
        """A parser that is given to a function of another file may come back with more options."""
        arguments = [*call.node.args, *(k.value for k in call.node.keywords)] if self.parser_names else []
        if not any(isinstance(a, ast.Name | ast.Attribute) and dotted(a) in self.parser_names for a in arguments):
            return
        root = dotted(call.node.func).partition(".")[0]
        if root in self.own or root in _BUILTINS or root in {"self", "cls", "super()"}:
            return
        self.found.elsewhere.append(call.name)


def _option(names: list[str], keywords: dict[str | None, ast.expr], call: Call) -> Option:
    action = literal_text(keywords.get("action")) or ""
    unary = isinstance(keywords.get("action"), ast.Attribute)  # BooleanOptionalAction, or a class of one's own
    nargs = keywords.get("nargs")
    rest = nargs is not None and (literal_text(nargs) == "..." or dotted(nargs).endswith("REMAINDER"))
    counted = nargs.value if isinstance(nargs, ast.Constant) and isinstance(nargs.value, int | str) else None
    switch = action.startswith("store_") or action in {"count", "help", "version"}
    fixed = counted if isinstance(counted, int) else 1
    values = 0 if switch else MANY if nargs is not None and not isinstance(counted, int) else fixed
    values = REST if rest else values
    positional = not names[0].startswith("-")
    required = keywords.get("required")
    needed = isinstance(required, ast.Constant) and bool(required.value)
    if positional:
        needed = "default" not in keywords and (nargs is None or isinstance(counted, int) or counted == "+")
    if unary:
        names = [*names, *(f"--no-{n[2:]}" for n in names if n.startswith("--"))]
    converted = "type" in keywords and dotted(keywords["type"]) not in _PLAIN_TYPES
    choices = () if converted else literal_choices(keywords.get("choices"))
    return Option(tuple(names), call.location, needed and None not in keywords, choices, values)


def literal_choices(node: ast.expr | None) -> tuple[str, ...]:
    """Choices that are written out; () when they are not."""
    if isinstance(node, ast.List | ast.Tuple | ast.Set):
        return _constants(node.elts)
    if isinstance(node, ast.Call) and dotted(node.func) == "range" and len(node.args) == 1:
        top = node.args[0].value if isinstance(node.args[0], ast.Constant) else None
        return tuple(str(i) for i in range(top)) if isinstance(top, int) and top <= 100 else ()
    return ()


def _constants(nodes: Iterable[ast.expr]) -> tuple[str, ...]:
    values = [n.value if isinstance(n, ast.Constant) else None for n in nodes]
    return () if any(v is None for v in values) else tuple(str(v) for v in values)


def literal_text(node: ast.expr | None) -> str | None:
    """The string that a node is; None for anything else."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def constant_texts(nodes: Iterable[ast.expr]) -> Iterator[str]:
    """Strings among the nodes."""
    for node in nodes:
        text = literal_text(node)
        if text is not None:
            yield text
