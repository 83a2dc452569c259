"""Which functions of a helper module a program calls: options that another function declares are not its own."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from assay.code import Source
from assay.repository.commands.interface import Option
from assay.repository.commands.parsers import Declared

Function = ast.FunctionDef | ast.AsyncFunctionDef


def with_reach(start: Source, parts: Sequence[Source], declared: Sequence[Declared]) -> Iterator[Declared]:
    """What the modules declare, with a mark at the options of functions that the program does not seem to call."""
    several = any(len(_declaring(source, found)) > 1 for source, found in zip(parts, declared, strict=True))
    named = _named(start, parts) if several else frozenset()
    for source, found in zip(parts, declared, strict=True):
        functions = _declaring(source, found) if several else {}
        dead = {name for name in functions if name not in named} if len(functions) > 1 else set()
        yield found if not dead or dead == set(functions) else _marked(found, source, dead)


def _marked(found: Declared, source: Source, dead: set[str]) -> Declared:
    def mark(option: Option) -> Option:
        name = _function_at(source, option.location.line or 0)
        return replace(option, unreached=name) if name in dead else option

    live = [o for o in found.positional if _function_at(source, o.location.line or 0) not in dead]
    return replace(found, options=[mark(o) for o in found.options], positional=live)


def _declaring(source: Source, found: Declared) -> dict[str, None]:
    """Names of the module's functions that declare options."""
    options = (*found.options, *found.positional)
    return {name: None for o in options if (name := _function_at(source, o.location.line or 0))}


def _function_at(source: Source, line: int) -> str:
    """The top-level function around a line."""
    return next((f.name for f in _functions(source) if f.lineno <= line <= (f.end_lineno or f.lineno)), "")


def _functions(source: Source) -> list[Function]:
    body = source.tree.body if source.tree is not None else []
    return [node for node in body if isinstance(node, Function)]


def _named(start: Source, parts: Iterable[Source]) -> frozenset[str]:
    """Every name that the program uses, and that the functions it names use in turn."""
    functions = [f for source in parts for f in _functions(source)]
    found = set(_names(start.tree.body)) if start.tree is not None else set()
    for source in parts:
        body = source.tree.body if source.tree is not None else []
        found |= set(_names([node for node in body if not isinstance(node, Function)]))
    waiting = [f for f in functions if f.name in found]
    entered: set[int] = set()
    while waiting:
        function = waiting.pop()
        if id(function) not in entered:
            entered.add(id(function))
            found |= set(_names(function.body))
            waiting += [f for f in functions if f.name in found and id(f) not in entered]
    return frozenset(found)


def _names(nodes: Iterable[ast.stmt]) -> Iterator[str]:
    for statement in nodes:
        for node in ast.walk(statement):
            if isinstance(node, ast.Name):
                yield node.id
            elif isinstance(node, ast.Attribute):
                yield node.attr
            elif isinstance(node, ast.alias):
                yield node.name
