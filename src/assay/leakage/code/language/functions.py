"""The code's own functions and classes, followed with the arguments they are given."""

from __future__ import annotations

import ast

from assay.code import Source
from assay.leakage.code.frames.concatenation import unlabelled
from assay.leakage.code.language import attributes, binding, given_arguments, streams
from assay.leakage.code.language.call import Call, replace_call
from assay.leakage.code.models import making
from assay.leakage.code.state.machine import united
from assay.leakage.code.state.rows import Origin, OriginKind, Part
from assay.leakage.code.state.scopes import Scope
from assay.leakage.code.state.values import (
    ITEMS,
    UNKNOWN,
    Class,
    Const,
    Data,
    Function,
    Instance,
    Mapping,
    Seq,
    UnknownCall,
    Value,
)
from assay.records import replace


def call_function(c: Call, function: Function) -> Value:
    """Follow a function of the audited code with these arguments."""
    m = c.m
    m.called.add(function.node)
    too_deep = len(m.stack) >= 2 * m.limits.call_depth
    if too_deep:
        m.notes[f"calls more than {m.limits.call_depth} functions deep were not followed"] = None
    if too_deep or m.stack.count(function.node) >= 2:
        whole = united(c.all_data())
        unknown = UnknownCall(getattr(function.node, "name", "lambda"), (c.node, m.stack, m.rounds))
        return replace(whole, via=whole.via | {unknown}) if whole.rows else UNKNOWN
    scope = Scope(function.scope.source, parent=function.scope)
    _bind_parameters(c, function, scope)
    return _run(c, function, scope)


def _run(c: Call, function: Function, scope: Scope) -> Value:
    m = c.m
    outer = m.scope, m.source, m.stack, m.returned, m.ended, m.conditions, m.varied
    m.varied = m.varied | _places_asked_for(function.node)
    m.scope, m.source, m.returned, m.ended, m.conditions = scope, scope.source, [], [], ()
    m.stack = (*m.stack, c.node, function.node)
    try:
        if isinstance(function.node, ast.Lambda):
            return m.evaluate(function.node.body)
        m.execute(function.node.body)
        returned = m.returned or []
        for state in m.ended:  # what was changed on the way to an early return is not forgotten
            m.join(state)
    finally:
        m.scope, m.source, m.stack, m.returned, m.ended, m.conditions, m.varied = outer
    result: Value | None = None
    for value in returned:
        result = value if result is None else m.either(result, value)
    if result is not None and streams.yields(function.node):
        return streams.made(m, c.node, result)
    return Const(None) if result is None else result


def _places_asked_for(function: ast.AST) -> frozenset[str]:
    """`__getitem__(self, at)`: `at` is the place of one item, and of another at each call."""
    if not isinstance(function, ast.FunctionDef) or function.name != "__getitem__":
        return frozenset()
    return frozenset(parameter.arg for parameter in function.args.args[1:2])


def _bind_parameters(c: Call, function: Function, scope: Scope) -> None:
    """Give the parameters of a function what the call gives, or their defaults."""
    a = function.node.args
    by_place = [p.arg for p in (*a.posonlyargs, *a.args)]
    given = [function.bound, *c.args] if function.bound is not None else list(c.args)
    values = _defaults(function, by_place) | dict(zip(by_place, given, strict=False)) | c.keywords
    for name in (*by_place, *(k.arg for k in a.kwonlyargs)):
        scope.names[name] = _argument(c, name, values)
    if any(source.once(_mentions_none) for source in (function.scope.source, c.m.source)):
        scope.given = given_arguments.surely_given(c, by_place, given)
    if a.vararg:
        scope.names[a.vararg.arg] = c.m.boxed(_further(c, a.vararg.arg, given[len(by_place) :]))
    if a.kwarg:
        rest = {k: v for k, v in c.keywords.items() if k not in scope.names}
        scope.names[a.kwarg.arg] = c.m.boxed(Mapping(tuple(rest.items()), open=True))


def _argument(c: Call, name: str, values: dict[str, Value]) -> Value:
    argument = values[name] if name in values else parameter(c, name)
    return c.m.boxed(binding.told_by_name(c.m, name, argument) if "_" in name else argument)


def _defaults(function: Function, by_place: list[str]) -> dict[str, Value]:
    return dict(function.keyword_defaults) | dict(zip(reversed(by_place), reversed(function.defaults), strict=False))


def _mentions_none(source: Source) -> bool:
    """Whether a file has a word for what is not given."""
    return source.mentions("None")


def _further(c: Call, name: str, given: list[Value]) -> Value:
    """`*tables`: what is given beyond the parameters; of what somebody out of sight gives, nobody knows how much."""
    unseen = c.m.guessing and not c.m.stack
    return parameter(c, name) if unseen else Seq(tuple(given))


def parameter(c: Call, name: str) -> Value:
    """An argument that nobody gives: some table of its own, told apart by its name."""
    if name in {"self", "cls"}:
        return UNKNOWN
    origin = Origin(("parameter", name, c.node, c.m.stack), c.site, OriginKind.PARAMETER, name)
    return Data(frozenset({Part(origin, frozenset())}))


def instantiate(c: Call, cls: Class) -> Value:
    """An object of a class of the audited code, after its `__init__`."""
    m = c.m
    made = m.boxed(Instance(cls, (), making.network_of(c, cls)))
    start = attributes.inherited(cls, "__init__")
    if isinstance(start, Function):
        call_function(c, replace(start, bound=made))
    else:
        fields = [n.target.id for n in cls.node.body if isinstance(n, ast.AnnAssign) and isinstance(n.target, ast.Name)]
        given = dict(zip(fields, c.args, strict=False)) | c.keywords
        if given:
            m.store(made, Instance(cls, tuple(given.items()), making.network_of(c, cls)))
    _show_items(c, cls, made)
    return made


def _show_items(c: Call, cls: Class, made: Value) -> None:
    """What `__getitem__` gives is what others see of a data set; what else the object knows stays inside."""
    shown, owner = attributes.inherited(cls, "__getitem__"), c.m.plain(made)
    if not isinstance(shown, Function) or not isinstance(owner, Instance):
        return
    asked = call_function(replace_call(c, [UNKNOWN]), replace(shown, bound=made))
    item = unlabelled(c.m, asked, c.m.data(asked))
    if item.rows:
        known = dict(owner.attributes) | {ITEMS: c.m.boxed(item)}
        c.m.store(made, replace(owner, attributes=tuple(known.items())))
