"""Where a value comes from: constants, assignments, parameters by their call sites, options, configuration files."""

from __future__ import annotations

import ast
import operator
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import islice

from assay.code import Code
from assay.program.callables import default_of
from assay.program.settings import Settings
from assay.repository.randomness.bindings import Binding, Bindings, Condition, path_of, read_bindings
from assay.repository.randomness.callees import value_of_call
from assay.repository.randomness.conditions import holds
from assay.repository.randomness.frames import Frame
from assay.repository.randomness.graph import Graph
from assay.repository.randomness.members import declared_value, setting_value, value_of_member
from assay.repository.randomness.runs import Run
from assay.repository.randomness.units import Hit, Kind, Name, Unit
from assay.repository.randomness.values import NOTHING, UNKNOWN, Value, combined, constant, weighed, written

END = 1 << 30
"""A line after every other."""
_MAX_DEPTH = 16
_MAX_STEPS = 80
"""How many expressions are looked at for one question."""
_MAX_ASSIGNMENTS = 8
_MAX_CALLERS = 12
_MAX_ELEMENTS = 64
_KEPT_FILES = 64
_ARITHMETIC: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Mod: operator.mod,
    ast.FloorDiv: operator.floordiv,
}


@dataclass(slots=True)
class Resolver:
    """Answers what an expression is in a frame. `run` limits it to what an entry point reaches."""

    code: Code
    graph: Graph
    settings: Settings
    run: Run | None = None
    ways: dict[Unit, list[Frame]] = field(default_factory=dict)
    """The frames in which units run; as found so far in this run."""
    asked_caller: bool = False
    """Whether a parameter was met since this was last put to False."""
    _sites: dict[Unit, list[tuple[Unit, ast.Call]]] = field(default_factory=dict)
    _known: dict[Hit, Value] = field(default_factory=dict)
    _files: OrderedDict[str, Bindings] = field(default_factory=OrderedDict)
    _depth: int = 0
    _steps: int = 0

    def turn_to(self, run: Run | None) -> None:
        """Answer for another run."""
        self.run = run
        self.ways.clear()
        self._sites.clear()

    def value(self, node: ast.expr, frame: Frame) -> Value:
        """How fixed an expression is. Whatever is too deep or unheard of is UNKNOWN."""
        if isinstance(node, ast.Constant):
            return constant(node.value)
        self._steps = self._steps + 1 if self._depth else 0
        if self.exhausted:
            return NOTHING
        self._depth += 1
        try:
            found = self._value(node, frame)
        finally:
            self._depth -= 1
        return found if found.text or self._depth else replace(found, text=written(node))

    def holds(self, condition: Condition, frame: Frame) -> bool | None:
        """Whether a condition comes out as wanted, in this frame."""
        if self.exhausted:
            return None
        found = holds(condition.test, lambda node: self.value(node, frame))
        return None if found is None else found is condition.wanted

    @property
    def exhausted(self) -> bool:
        """Whether the question is too deep or too long to go on."""
        return self._depth >= _MAX_DEPTH or self._steps > _MAX_STEPS

    def remembered(self, key: Hit, find: Callable[[], Value]) -> Value:
        """A value that is the same in every run, once it has turned out that no caller has a say in it."""
        if key not in self._known:
            self.asked_caller = False
            value = find()
            if self.asked_caller:
                return value
            self._known[key] = value
        return self._known[key]

    def bindings(self, path: str) -> Bindings:
        """The assignments of a file of the graph; those of some files are kept."""
        if path not in self._files:
            source = self.code.source(path)
            if source is None:
                raise KeyError(path)
            self._files[path] = read_bindings(source, self.graph.outlines[path])
            if len(self._files) > _KEPT_FILES:
                self._files.popitem(last=False)
        self._files.move_to_end(path)
        return self._files[path]

    def module(self, path: str) -> Frame | None:
        """The top level of a file, if it is one of the graph."""
        outline = self.graph.outlines.get(path)
        return None if outline is None else Frame(outline.units[0])

    def called(self, call: ast.Call, unit: Unit) -> list[Unit]:
        """The functions and classes of the repository that a call may lead to."""
        func = call.func
        if isinstance(func, ast.Name):
            return self.graph.targets(Name(func.id), unit)
        if isinstance(func, ast.Attribute):
            root = path_of(func).partition(".")[0]
            base = root if root in self.graph.outlines[unit.path].modules else "."
            found = self.graph.targets(Name(func.attr, base), unit)
            return [u for u in found if self.run is None or u in self.run.units]
        return []

    def sites(self, unit: Unit) -> list[tuple[Unit, ast.Call]]:
        """The reached calls of a function or class, with the units they stand in; the first few callers will do."""
        if unit not in self._sites:
            reached = (c for c in self.graph.callers(unit) if self.run is None or c in self.run.units)
            self._sites[unit] = [
                (at, call)
                for caller in islice(reached, _MAX_CALLERS)
                for at, call in self.bindings(caller.path).calls(unit.name)
                if at is caller and unit in self.called(call, at)
            ]
        return self._sites[unit]

    def assigned(self, name: str, line: int, frame: Frame) -> Value | None:
        """The latest assignment before a line whose conditions hold; all that may hold are weighed."""
        bindings = self.bindings(frame.unit.path)
        found = bindings.assigned(frame.unit, name)
        before = [b for b in found if b.line < line] or ([] if frame.unit.kind is Kind.FUNCTION else found)
        possible: list[Value] = []
        for binding in reversed(before[-_MAX_ASSIGNMENTS:]):
            if self.exhausted:
                break
            certain = [self.holds(c, frame) for c in bindings.conditions(binding.value)]
            if False in certain:
                continue
            possible.append(self._bound(binding, frame))
            if None not in certain:
                return weighed(possible)
        if possible and name in frame.unit.parameters:
            possible.append(self._parameter(name, frame))
        return weighed(possible) if possible else None

    def imported(self, path: str, name: str, hops: int = 4) -> Value | None:
        """A constant that a file takes from another module of the repository."""
        outline = self.graph.outlines.get(path)
        if outline is None or not hops:
            return None
        origins = [outline.names[name]] if name in outline.names else [(star, name) for star in outline.stars]
        for origin, called in origins:
            frame = self.module(origin)
            if frame is not None and origin != path:
                found = self.assigned(called, END, frame) or self.imported(origin, called, hops - 1)
                if found is not None:
                    return found
        return None

    def _value(self, node: ast.expr, frame: Frame) -> Value:
        if isinstance(node, ast.Name):
            return self._name(node, frame)
        if isinstance(node, ast.Attribute | ast.Subscript):
            return value_of_member(node, frame, self)
        if isinstance(node, ast.Call):
            return value_of_call(node, frame, self)
        if isinstance(node, ast.BinOp):
            return self._arithmetic(node, frame)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            inner = self.value(node.operand, frame)
            return replace(constant(-inner.constant), state=inner.state) if isinstance(inner.constant, int) else inner
        if isinstance(node, ast.IfExp):
            return self._chosen(node, frame)
        if isinstance(node, ast.BoolOp):
            return self._first_true(node, frame)
        if isinstance(node, ast.List | ast.Tuple | ast.Set):
            return combined([self.value(e, frame) for e in node.elts[:_MAX_ELEMENTS]]).made_into_something
        return NOTHING

    def _name(self, node: ast.Name, frame: Frame) -> Value:
        scope: Frame | None = frame
        while scope is not None:
            line = getattr(node, "lineno", END) if scope is frame else END
            found = self.assigned(node.id, line, scope)
            if found is None and node.id in scope.unit.parameters:
                found = self._parameter(node.id, scope)
            if found is not None:
                return found
            scope = scope.around
        return self.imported(frame.unit.path, node.id) or NOTHING

    def _bound(self, binding: Binding, frame: Frame) -> Value:
        value = binding.value
        if binding.index is not None and isinstance(value, ast.Tuple | ast.List) and binding.index < len(value.elts):
            value = value.elts[binding.index]
        return self.value(value, frame)

    def _parameter(self, name: str, frame: Frame) -> Value:
        """A parameter: what the call gives, or its default, or the option of that name."""
        self.asked_caller = True
        given = frame.argument(name)
        if given is not None and frame.caller is not None:
            return self.value(given, frame.caller)
        bound = self.settings.bound(frame.unit.name, name)
        if bound is not None:
            return declared_value(bound, self)
        function = self.bindings(frame.unit.path).functions.get(frame.unit)
        default = default_of(function, name) if function is not None else None
        module = self.module(frame.unit.path)
        if default is None or module is None or path_of(default) == "gin.REQUIRED":
            return setting_value(name, frame, self) or NOTHING
        found = self.value(default, module)
        return found if frame.is_certain else found.as_default

    def _arithmetic(self, node: ast.BinOp, frame: Frame) -> Value:
        left, right = self.value(node.left, frame), self.value(node.right, frame)
        both = replace(combined([left, right]), text=written(node))
        operation = _ARITHMETIC.get(type(node.op))
        if operation is not None and isinstance(left.constant, int) and isinstance(right.constant, int):
            small = max(abs(left.constant), abs(right.constant)) < 1 << 64
            if small and (right.constant or operation is operator.add):
                result = operation(left.constant, right.constant)
                return replace(both, constant=result, text=str(result))
        return both

    def _chosen(self, node: ast.IfExp, frame: Frame) -> Value:
        true = holds(node.test, lambda n: self.value(n, frame))
        if true is None:
            return weighed([self.value(node.body, frame), self.value(node.orelse, frame)])
        return self.value(node.body if true else node.orelse, frame)

    def _first_true(self, node: ast.BoolOp, frame: Frame) -> Value:
        """`a or b`, `a and b`: the first that decides, as far as they are known."""
        values: list[Value] = []
        for part in node.values:
            values.append(self.value(part, frame))
            decided = values[-1].constant
            if decided is not UNKNOWN and bool(decided) is isinstance(node.op, ast.Or):
                break
        if values[-1].constant is not UNKNOWN:
            return values[-1]
        return weighed([v for v in values if v.constant is UNKNOWN])
