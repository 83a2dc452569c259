"""What a statement does to the state."""

from __future__ import annotations

import ast
from collections.abc import Callable, Hashable, Sequence

from assay.leakage.code.dividing import sorted_lists, undersampling, versions
from assay.leakage.code.frames import table_columns
from assay.leakage.code.language import binding, comprehensions, conditions, expressions, streams
from assay.leakage.code.learnt import items, picked_columns
from assay.leakage.code.models import labelling
from assay.leakage.code.scored import preferring, scoring
from assay.leakage.code.state.machine import Machine, united
from assay.leakage.code.state.provenance import drawn_at_random
from assay.leakage.code.state.rows import Cut
from assay.leakage.code.state.scopes import Scope
from assay.leakage.code.state.texts import text_of
from assay.leakage.code.state.values import (
    UNKNOWN,
    Class,
    Const,
    Data,
    Function,
    Kind,
    Library,
    Mapping,
    Module,
    Ref,
    Seq,
    Shape,
    Value,
)
from assay.records import replace

GOES_ON, STOPS = True, False


def execute(m: Machine, body: Sequence[ast.stmt]) -> bool:
    """Go through statements; False when the way ends before the last (return, raise, break)."""
    for statement in body:
        m.count_statement()
        rule = _RULES.get(type(statement))
        if rule is not None and rule(m, statement) is STOPS:
            return STOPS
    return GOES_ON


def _expression(m: Machine, node: ast.Expr) -> None:
    expressions.evaluate(m, node.value)


def _assign(m: Machine, node: ast.Assign) -> None:
    value = expressions.evaluate(m, node.value)
    if isinstance(node.value, ast.Attribute) and node.value.attr == "values":
        value = m.plain(value)  # of a table with columns of several sorts that is a copy
    for target in node.targets:
        binding.bind(m, target, value)


def _annotated(m: Machine, node: ast.AnnAssign) -> None:
    if node.value is not None:
        binding.bind(m, node.target, expressions.evaluate(m, node.value))


def _augmented(m: Machine, node: ast.AugAssign) -> None:
    left, right = expressions.evaluate(m, node.target), expressions.evaluate(m, node.value)
    match m.plain(left), m.plain(right):
        case Seq() as one, Seq() as other:
            binding.bind(m, node.target, Seq((*one.items, *other.items)[:400], one.open or other.open))
        case Const() | Data() as one, Const():
            binding.bind(m, node.target, united([one if isinstance(one, Data) else UNKNOWN, m.counted]))
        case one, other:
            whole = _changed(m, node, one, other)
            if _in_place(node.target, left, one, whole):
                m.store(left, whole)
            else:
                binding.bind(m, node.target, whole.summary if _counts_up(m, one, other) else whole)


def _changed(m: Machine, node: ast.AugAssign, one: Value, other: Value) -> Data:
    """What becomes of rows; two lists may have been put one after the other."""
    whole = expressions.combined(m, [one, other])
    if not isinstance(node.op, ast.Add):
        return whole
    whole = versions.below(m, node, (node.target, node.value), (one, other)) or whole
    if isinstance(one, Data) and isinstance(other, Data):
        return whole.marked(*undersampling.evened_out(m, node, (one, other), whole.rows))
    return whole


def _in_place(target: ast.expr, ref: Value, before: Value, after: Data) -> bool:
    """`rows /= rows.max(axis=0)`: an array or a table, which changes under all its names.

    So do weights that begin as random numbers: the code that made them also sees them trained.
    """
    if not isinstance(target, ast.Name) or not isinstance(ref, Ref) or not isinstance(before, Data):
        return False
    if before.shape is Shape.SUMMARY or not before.rows:
        return False
    return before.rows == after.rows or drawn_at_random(before.rows)


def _counts_up(m: Machine, sofar: Value, more: Value) -> bool:
    """`total += 1 / (rank + 1)` in a loop: a number that began as one stays one, and tells how good the model is."""
    number = isinstance(sofar, Const) and isinstance(sofar.value, int | float)
    began = number or (isinstance(sofar, Data) and sofar.is_score)
    told = isinstance(more, Data) and bool(more.predictions) and any(k.kind is Kind.SCORE for k in more.marks)
    return bool(m.loops) and began and told


def _if(m: Machine, node: ast.If) -> bool:
    if is_main(node):
        return execute(m, node.body)
    known = conditions.decided(m, node.test)
    if known is not None:
        return execute(m, node.body if known else node.orelse)
    if (making := conditions.computed(node)) is not None:
        return execute(m, making)
    return _either_way(m, node)


def _either_way(m: Machine, node: ast.If) -> bool:
    """A condition of which nobody knows whether it holds: both branches, and then what holds after either."""
    asked = conditions.ask(m, node.test)
    outer = m.counted, m.asked, m.picked
    m.counted, m.asked = scoring.counted(m, node) or m.counted, scoring.asked(m, node.test)
    m.picked = m.picked | picked_columns.hung_on(m, node)
    preferring.preferred(m, node, asked)
    divides = sorted_lists.sorts(m, node)
    before = m.snapshot()
    first = _branch(m, node, "then", divides=divides)
    after = m.snapshot()
    m.restore(before)
    second = _branch(m, node, "else", divides=divides)
    m.counted, m.asked, m.picked = outer
    if first and second:
        for name in conditions.set_on_each_way(m, node):
            m.scope.names[name] = after[0].get(name, m.scope.names[name])
        m.join(after)
        labelling.decided(m, node)
    elif first:
        m.restore(after)
    elif second and m.loops and isinstance(node.body[-1], ast.Continue):
        m.conditions = (*m.conditions, (node.test, "else"))  # for the rest of the round
    return first or second


def _branch(m: Machine, node: ast.If, side: str, *, divides: bool) -> bool:
    """One side of a condition: what is kept there belongs to it."""
    sides, ways, asked = m.sides, m.ways, m.conditions
    m.conditions = (*asked, (node.test, side)) if m.loops else asked
    m.sides = (*sides, Cut(("sorted", node, m.stack), side)) if divides else sides
    m.ways = ways if len(ways) >= _MOST_WAYS or divides else ways | {Cut(_way(m, node), side)}
    here, other = (node.body, node.orelse) if side == "then" else (node.orelse, node.body)
    try:
        goes_on = execute(m, here)
        for name in _set_in(other) - _set_in(here) if goes_on and m.ways != ways else ():
            if (value := m.scope.names.get(name)) is not None:  # what it was before, it is on this way alone
                m.scope.names[name] = m.boxed(m.on_this_way(value))
        return goes_on
    finally:
        m.sides, m.ways, m.conditions = sides, ways, asked


def _set_in(body: list[ast.stmt]) -> set[str]:
    """The names that a branch surely gives another value."""
    inner = (n for s in body if isinstance(s, ast.Assign) for target in s.targets for n in ast.walk(target))
    return {n.id for n in inner if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}


def _way(m: Machine, node: ast.If) -> Hashable:
    """What a branch hangs on: a setting such as `args.train` decides the same everywhere."""
    if isinstance(node.test, ast.Attribute) and not m.loops:
        return "setting", text_of(node.test)
    return node, m.stack, m.rounds


_MOST_WAYS = 6


def is_main(node: ast.stmt) -> bool:
    """`if __name__ == "__main__":`, which holds for the file that is run, and for no other."""
    test = node.test if isinstance(node, ast.If) else None
    return isinstance(test, ast.Compare) and isinstance(test.left, ast.Name) and test.left.id == "__name__"


def _for(m: Machine, node: ast.For | ast.AsyncFor) -> None:
    listed = streams.gone_through(m, expressions.evaluate(m, node.iter), node)
    met = binding.items_of(m, listed, node.iter, m.limits.rounds)
    before = m.varied
    m.varied = before | binding.names_in(node.target)
    m.gone_over |= dict.fromkeys(binding.names_in(node.target), node.iter)
    if met.open or not met.items:
        element = _element(m, met)
        _unknown_rounds(m, node, node.target, element)
    else:
        outer = m.rounds
        for number, item in enumerate(met.items):
            m.rounds = (*outer, number)
            binding.bind(m, node.target, item)
            _round(m, node.body)
        m.rounds = outer
    m.varied = before
    execute(m, node.orelse)


def _element(m: Machine, met: Seq) -> Value:
    if not met.items:
        return UNKNOWN
    element = met.items[0]
    for other in met.items[1:]:
        element = m.either(element, other)
    return element


def _while(m: Machine, node: ast.While) -> None:
    expressions.evaluate(m, node.test)
    _unknown_rounds(m, node, None, UNKNOWN)


def _unknown_rounds(m: Machine, node: ast.For | ast.AsyncFor | ast.While, target: ast.expr | None, item: Value) -> None:
    """Any number of rounds: once, and once more if the first changed what the second would see."""
    outer = m.loops
    m.loops = (*outer, node)
    before = ended = m.snapshot()
    over_folds = comprehensions.holds_folds(m, item)
    if over_folds:
        m.trace.fold_loops.add(node)
    elif isinstance(node, ast.For | ast.AsyncFor):
        item = items.in_round(m, item, node, node.iter)
    for _ in range(2 if len(m.loops) <= 2 else 1):
        if target is not None:
            binding.bind(m, target, item)
        _round(m, node.body)
        ended = m.snapshot()
        if not m.join(before):
            break
        before = m.snapshot()
    if over_folds or _holds_rows(m, item):
        m.restore(ended)  # there is at least one fold, or one batch: what was before the loop is gone
    m.loops = outer


def _round(m: Machine, body: Sequence[ast.stmt]) -> None:
    """One round of a loop: what holds after it may be what held where a branch left it early."""
    outer, m.left = m.left, []
    asked, m.conditions = m.conditions, ()
    execute(m, body)
    left, m.left, m.conditions = m.left, outer, asked
    for state in left:
        m.join(state)


def _leave(m: Machine, _node: ast.Break | ast.Continue) -> bool:
    """`break`, `continue`: the round ends here, and what it found is not forgotten."""
    if len(m.left) < _MOST_LEFT:
        m.left.append(m.snapshot())
    return STOPS


_MOST_LEFT = 4


def _holds_rows(m: Machine, item: Value) -> bool:
    """Whether a loop goes over rows or batches of them."""
    plain = m.plain(item)
    if isinstance(plain, Seq):
        return any(_holds_rows(m, inner) for inner in plain.items[:4])
    return isinstance(plain, Data) and bool(plain.rows)


def _try(m: Machine, node: ast.Try) -> bool:
    before = m.snapshot()
    goes_on = execute(m, node.body) and execute(m, node.orelse)
    after = m.snapshot()
    for handler in node.handlers:
        m.restore(after)
        m.join(before)
        if execute(m, handler.body):
            ended = m.snapshot()
            m.restore(after)
            if goes_on:
                m.join(ended)
            else:
                m.restore(ended)
                goes_on = True
            after = m.snapshot()
    m.restore(after)
    return execute(m, node.finalbody) and goes_on


def _with(m: Machine, node: ast.With | ast.AsyncWith) -> bool:
    for item in node.items:
        value = expressions.evaluate(m, item.context_expr)
        if item.optional_vars is not None:
            binding.bind(m, item.optional_vars, value)
    return execute(m, node.body)


def _return(m: Machine, node: ast.Return) -> bool:
    value = expressions.evaluate(m, node.value) if node.value is not None else Const(None)
    if m.returned is not None:
        m.returned.append(m.on_this_way(value))
        if len(m.ended) < _MOST_LEFT:
            m.ended.append(m.snapshot())
    return STOPS


def _function(m: Machine, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
    defaults = tuple(m.boxed(expressions.evaluate(m, d)) for d in node.args.defaults)
    named = tuple(
        (k.arg, m.boxed(expressions.evaluate(m, d)))
        for k, d in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
        if d is not None
    )
    m.scope.bind(node.name, Function(node, m.scope, None, defaults, named))


def _class(m: Machine, node: ast.ClassDef) -> None:
    bases = tuple(m.plain(expressions.evaluate(m, b)) for b in node.bases)
    outer = m.scope
    m.scope = Scope(m.source, parent=outer)
    try:
        execute(m, node.body)
        members = {name: _outside(value, m.scope, outer) for name, value in m.scope.names.items()}
    finally:
        m.scope = outer
    m.scope.bind(node.name, Class(node, outer, members, bases))


def _outside(value: Value, inner: Scope, outer: Scope) -> Value:
    """A method sees the names around its class, not those of the class: it may be called like a function it calls."""
    return replace(value, scope=outer) if isinstance(value, Function) and value.scope is inner else value


def _import(m: Machine, node: ast.Import) -> None:
    for alias in node.names:
        scope = m.find_module(m, node, alias.name)
        root = alias.name.partition(".")[0]
        value: Value = Module(scope) if scope is not None else Library(alias.name if alias.asname else root)
        m.scope.bind(alias.asname or root, value)


def _import_from(m: Machine, node: ast.ImportFrom) -> None:
    scope = m.find_module(m, node, "")
    for alias in node.names:
        if alias.name != "*":
            m.scope.bind(alias.asname or alias.name, _imported(m, node, scope, alias.name))
        elif scope is None:
            m.scope.top.starred.append(node.module or "")
        else:
            for name, value in scope.names.items():
                m.scope.bind(name, value)
            m.scope.top.starred += scope.starred


def _imported(m: Machine, node: ast.ImportFrom, scope: Scope | None, name: str) -> Value:
    if scope is not None and name in scope.names:
        return scope.names[name]
    inner = m.find_module(m, node, name)
    return Library(f"{node.module or ''}.{name}".lstrip(".")) if inner is None else Module(inner)


def _delete(m: Machine, node: ast.Delete) -> None:
    for target in node.targets:
        if isinstance(target, ast.Subscript):
            base = expressions.evaluate(m, target.value)
            table = m.plain(base)
            if isinstance(table, Data):
                m.store(base, table_columns.without_columns(table, m.names(expressions.evaluate(m, target.slice))))
            elif isinstance(table, Mapping):
                gone = m.constant(expressions.evaluate(m, target.slice))
                m.store(base, Mapping(tuple((k, v) for k, v in table.items if k != gone), table.open))


def _shared(m: Machine, node: ast.Global | ast.Nonlocal) -> None:
    m.scope.shared.update(node.names)


def _match(m: Machine, node: ast.Match) -> None:
    expressions.evaluate(m, node.subject)
    before = m.snapshot()
    for case in node.cases:
        after = m.snapshot()
        m.restore(before)
        execute(m, case.body)
        m.join(after)


def _assert(m: Machine, node: ast.Assert) -> None:
    expressions.evaluate(m, node.test)


_RULES: dict[type[ast.stmt], Callable[..., bool | None]] = {
    ast.Expr: _expression,
    ast.Assign: _assign,
    ast.AnnAssign: _annotated,
    ast.AugAssign: _augmented,
    ast.If: _if,
    ast.For: _for,
    ast.AsyncFor: _for,
    ast.While: _while,
    ast.Try: _try,
    ast.TryStar: _try,
    ast.With: _with,
    ast.AsyncWith: _with,
    ast.Return: _return,
    ast.Raise: lambda *_: STOPS,
    ast.Break: _leave,
    ast.Continue: _leave,
    ast.FunctionDef: _function,
    ast.AsyncFunctionDef: _function,
    ast.ClassDef: _class,
    ast.Import: _import,
    ast.ImportFrom: _import_from,
    ast.Delete: _delete,
    ast.Global: _shared,
    ast.Nonlocal: _shared,
    ast.Match: _match,
    ast.Assert: _assert,
}
