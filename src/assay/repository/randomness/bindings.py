"""What names are bound to inside one file, and under which conditions: by lines, from the parsed file."""

from __future__ import annotations

import ast
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import field

from assay.code import Source
from assay.code.index import Calls
from assay.code.names import last_name
from assay.records import dataclass
from assay.repository.randomness.units import Function, Kind, Outline, Unit, is_main_block


@dataclass(frozen=True, slots=True)
class Condition:
    """A test that must come out as `wanted` for a line to be reached."""

    test: ast.expr
    wanted: bool


@dataclass(frozen=True, slots=True)
class Binding:
    """A value that a name gets; `index` picks one of several that are assigned together."""

    line: int
    value: ast.expr
    index: int | None = None


@dataclass(slots=True, eq=False)
class Bindings:
    """Assignments, calls, returns and conditions of one file. It is indexed by last names; the rest on demand.

    It keeps what it needs of the syntax tree: the file may be asked for its tree only at a price.
    """

    outline: Outline
    _calls: Calls
    functions: dict[Unit, Function] = field(default_factory=dict)
    _tests: dict[Unit, list[ast.If]] = field(default_factory=lambda: defaultdict(list))
    _assigned: dict[str, list[tuple[ast.expr, Binding]]] = field(default_factory=lambda: defaultdict(list))
    _choices: list[ast.IfExp] = field(default_factory=list)
    _alternatives: list[ast.BoolOp] = field(default_factory=list)
    _returns: list[ast.Return] = field(default_factory=list)
    _starts: list[int] = field(default_factory=list)
    _asked: dict[tuple[Unit, str], list[Binding]] = field(default_factory=dict)
    _met: dict[ast.AST, tuple[Condition, ...]] = field(default_factory=dict)

    def unit(self, line: int) -> Unit:
        """The innermost unit around a line."""
        unit = self.outline.units[max(0, bisect_right(self._starts, line) - 1)]
        while unit.last < line and unit.around is not None:
            unit = unit.around
        return unit

    def assigned(self, unit: Unit, name: str) -> list[Binding]:
        """What a name (dotted, as `path_of` gives it) gets in a unit, in the order of the text."""
        scope = scope_of(unit)
        if (scope, name) not in self._asked:
            found = [
                binding
                for target, binding in self._assigned.get(name.rpartition(".")[2], ())
                if path_of(target) == name and scope_of(self.unit(binding.line)) is scope
            ]
            self._asked[scope, name] = sorted(found, key=lambda b: b.line)
        return self._asked[scope, name]

    def calls(self, name: str) -> Iterator[tuple[Unit, ast.Call]]:
        """Calls of something whose last name is this, with the units they stand in."""
        return ((self.unit(call.lineno), call) for call in self._calls.of((name,)))

    def returns(self, unit: Unit) -> list[ast.expr]:
        """What a function gives back."""
        inside = (r for r in self._returns if unit.first <= r.lineno <= unit.last)
        return [r.value for r in inside if r.value is not None and self.unit(r.lineno) is unit]

    def conditions(self, node: ast.AST) -> tuple[Condition, ...]:
        """What must hold for a node to be reached inside its unit, outermost first."""
        if node not in self._met:
            self._met[node] = tuple(self._conditions(node))
        return self._met[node]

    def _conditions(self, node: ast.AST) -> Iterator[Condition]:
        spot = _start(node)
        unit = self.unit(spot[0])
        for test in self._tests.get(unit, ()):
            if _covers(test.body, spot):
                yield Condition(test.test, True)
            elif _covers(test.orelse, spot) or (_leaves(test) and _end(test) < spot and self._straight(test, unit)):
                yield Condition(test.test, False)
        for choice in self._choices:
            yield from (
                Condition(choice.test, b is choice.body) for b in (choice.body, choice.orelse) if _is_in(node, b)
            )
        for several in self._alternatives:
            later = next((i for i, part in enumerate(several.values) if i and _is_in(node, part)), 0)
            yield from (Condition(_is_given(p), isinstance(several.op, ast.And)) for p in several.values[:later])

    def _straight(self, test: ast.If, unit: Unit) -> bool:
        """Whether an `if` stands in the function's own body, not in a branch of it."""
        function = self.functions.get(unit)
        return function is not None and any(s is test for s in function.body)


def read_bindings(source: Source, outline: Outline) -> Bindings:
    """Index a parsed file."""
    found = Bindings(
        outline,
        source.calls,
        _starts=[u.first for u in outline.units],
        _choices=source.nodes(ast.IfExp),
        _alternatives=[b for b in source.nodes(ast.BoolOp) if isinstance(b.values[-1], ast.Call)],
        _returns=source.nodes(ast.Return),
    )
    functions: list[Function] = [*source.nodes(ast.FunctionDef), *source.nodes(ast.AsyncFunctionDef)]
    for function in functions:
        found.functions[found.unit(function.lineno)] = function
    for test in source.nodes(ast.If):
        if not is_main_block(test):
            found._tests[found.unit(test.lineno)].append(test)
    for line, target, value in _assignments(source):
        for i, part in enumerate(target.elts) if isinstance(target, ast.Tuple | ast.List) else ((None, target),):
            found._assigned[last_name(part)].append((part, Binding(line, value, i)))
    return found


def scope_of(unit: Unit) -> Unit:
    """The unit whose names a unit sees as its own: a main block shares those of its module."""
    return unit.around if unit.kind is Kind.MAIN and unit.around is not None else unit


def path_of(node: ast.expr) -> str:
    """`a.b["c"].d` as "a.b.c.d"; empty for anything else."""
    parts: list[str] = []
    while not isinstance(node, ast.Name):
        if isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
            parts.append(str(node.slice.value))
            node = node.value
        else:
            return ""
    return ".".join([node.id, *reversed(parts)])


def _assignments(source: Source) -> Iterator[tuple[int, ast.expr, ast.expr]]:
    for node in source.nodes(ast.Assign):
        yield from ((node.lineno, target, node.value) for target in node.targets)
    for annotated in source.nodes(ast.AnnAssign):
        if annotated.value is not None:
            yield annotated.lineno, annotated.target, annotated.value
    for loop in source.nodes(ast.For):
        yield from _counted(loop)
    for part in source.nodes(ast.comprehension):
        yield part.target.lineno, part.target, part.iter
    for walrus in source.nodes(ast.NamedExpr):
        yield walrus.lineno, walrus.target, walrus.value


def _counted(loop: ast.For) -> Iterator[tuple[int, ast.expr, ast.expr]]:
    """What a loop binds; the number that `enumerate` gives is as fixed as a constant, whatever it counts."""
    match loop.target, loop.iter:
        case ast.Tuple(elts=[number, item]), ast.Call(func=ast.Name(id="enumerate"), args=[counted, *_]):
            yield loop.lineno, number, ast.Constant(0)
            yield loop.lineno, item, counted
        case _:
            yield loop.lineno, loop.target, loop.iter


def _start(node: ast.AST) -> tuple[int, int]:
    return getattr(node, "lineno", 0), getattr(node, "col_offset", 0)


def _end(node: ast.AST) -> tuple[int, int]:
    return getattr(node, "end_lineno", 0), getattr(node, "end_col_offset", 0)


def _is_given(part: ast.expr) -> ast.Compare:
    """The test for what comes after `part or`: generators and models are true, and stand for None where they lack."""
    return ast.Compare(part, [ast.IsNot()], [ast.Constant(None)])


def _is_in(node: ast.AST, whole: ast.AST) -> bool:
    return _start(whole) <= _start(node) and _end(node) <= _end(whole)


def _covers(block: list[ast.stmt], spot: tuple[int, int]) -> bool:
    return bool(block) and _start(block[0]) <= spot <= _end(block[-1])


def _leaves(test: ast.If) -> bool:
    return isinstance(test.body[-1], ast.Return) and not test.orelse
