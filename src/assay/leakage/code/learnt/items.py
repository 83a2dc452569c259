"""What belongs to one item: a loop goes from item to item, and what sums up the one at hand is a feature of it.

So it is in a function that the loop calls, and where a data set is asked for one item. A column of a table is no item,
for what sums that up was learnt from all rows.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from assay.leakage.code.scored.search_loops import carried_on, inside, names_set_in
from assay.leakage.code.state.provenance import drawn_at_random
from assay.leakage.code.state.values import (
    Const,
    Data,
    Estimator,
    Function,
    Instance,
    Library,
    Mapping,
    Seq,
    Shape,
    Value,
)

if TYPE_CHECKING:
    from assay.leakage.code.language.call import Call
    from assay.leakage.code.state.scopes import Scope

Comprehension = ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)


def of_one(c: Call, data: Data) -> bool:
    """Whether a loop goes from item to item of the rows, and all that is summed up here was made of the one at hand.

    In a function that the loop calls, that is made of what the function was given. A fold is no item: what sums up a
    part of it was learnt from all rows of that part.
    """
    if data.shape is Shape.GROUPED:
        return False
    inner = next((at for at, loop in enumerate(reversed(c.m.loops)) if not _through_columns(c, loop)), 0)
    loops = c.m.loops[: len(c.m.loops) - inner]
    around = [loop for loop in (*loops[-1:], *c.m.gone_through[-1:]) if loop not in c.m.trace.fold_loops]
    rounds = (loop for loop in around if isinstance(loop, (ast.For, *_COMPREHENSIONS)))
    return any(_of_one_round(c, data, loop) for loop in rounds) or _asked_for(c)


def _of_one_round(c: Call, data: Data, loop: ast.For | Comprehension) -> bool:
    """Whether all that is summed up was made of what this round of a loop is at."""
    used = {name for name in _tables_named(c, _summed(c)) if c.m.scope.find(name) is not None}
    if used & _columns_in(c, loop) or _reads(data, loop):
        return False
    given = _given_in(loop)
    for called, function, scope in zip(c.m.stack[-2::-2], c.m.stack[::-2], c.m.callers[::-1], strict=True):
        own = names_set_in(function) | _parameters(function)
        if not used or inside(loop, function) or used - own:
            break
        if not isinstance(called, ast.Call):
            return False
        used = _tables_named(c, _given_for(called, function, frozenset(used)), scope)
        given = _given_before(called, loop)
    return bool(used) and used <= given


def _reads(data: Data, loop: ast.For | Comprehension) -> bool:
    """Whether rows are read within a loop."""
    read = [part.origin.site.node for part in data.rows if not drawn_at_random(frozenset({part}))]
    body = loop.body if isinstance(loop, ast.For) else [loop]
    return any(inside(node, statement) for node in read for statement in body)


def _summed(c: Call) -> list[ast.expr]:
    """What a call sums up, as it is written: its first argument, and what it is a method of."""
    step = isinstance(c.m.plain(c.receiver), Estimator)
    owner = [c.node.func.value] if isinstance(c.node.func, ast.Attribute) and not step else []
    return [*c.node.args[:1], *owner]


def _through_columns(c: Call, loop: ast.AST) -> bool:
    """Whether a loop goes from column to column of a table; what is summed up there may yet belong to one recording."""
    return bool(_columns_in(c, loop))


def _columns_in(c: Call, loop: ast.AST) -> frozenset[str]:
    """The names that stand for one column after the other of a table from before the loop."""
    own = names_set_in(loop)
    return frozenset(
        name
        for name, table, by in _taken_out(loop)
        if table not in own and (by is None or _names_a_column(c, by)) and _is_table(c, table)
    )


def _is_table(c: Call, name: str) -> bool:
    """Whether a name, or an attribute of what has a name (`self.table`), stands for rows."""
    owner, _, attribute = name.partition(".")
    value = c.m.scope.find(owner)
    table = None if value is None else c.m.plain(value)
    if attribute:
        known = dict(table.attributes).get(attribute) if isinstance(table, Instance) else None
        table = None if known is None else c.m.plain(known)
    return isinstance(table, Data) and bool(table.rows)


def _names_a_column(c: Call, name: str) -> bool:
    """Whether a name goes from name to name of columns, though it may not be known of which: those of some type."""
    value = c.m.scope.find(name)
    plain = None if value is None else c.m.plain(value)
    return isinstance(plain, Data) and plain.shape is Shape.SUMMARY


@lru_cache(maxsize=256)
def _taken_out(loop: ast.AST) -> tuple[tuple[str, str, str | None], ...]:
    """What a loop takes out of tables column by column: the name for it, the table, and the name it goes by, if any.

    `column = rows[:, j]`, `column = table[name]`, `column = table.loc[:, name].dropna()`.
    """
    found: list[tuple[str, str, str | None]] = []
    for n in ast.walk(loop):
        match n:
            case ast.For(
                target=ast.Tuple(elts=[_, ast.Name(id=name)]),
                iter=ast.Call(func=ast.Attribute(value=ast.Name(id=table), attr="items" | "iteritems")),
            ):
                found.append((name, table, None))
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                found += [(name, table, by) for table, by in _column_taken(value)]
    return tuple(found)


def _column_taken(value: ast.expr) -> Iterator[tuple[str, str | None]]:
    """The table that an expression takes a column out of, and the name it goes by, if any."""
    match value:
        case ast.Call(func=ast.Attribute(value=ast.Name(), attr="array" | "asarray"), args=[inner, *_]):
            yield from _column_taken(inner)
        case ast.Attribute(value=inner) | ast.Call(func=ast.Attribute(value=inner)):
            yield from _column_taken(inner)
        case ast.Subscript(
            value=ast.Attribute(value=table, attr="loc" | "iloc") | table,
            slice=ast.Tuple(elts=[ast.Slice(lower=None, upper=None, step=None), ast.Name()]),
        ):
            yield from ((name, None) for name in _table_named(table))
        case ast.Subscript(value=table, slice=ast.Name(id=by) | ast.List(elts=[ast.Name(id=by)])):
            yield from ((name, by) for name in _table_named(table))


def _table_named(node: ast.expr) -> Iterator[str]:
    """`table`, `self.table`."""
    match node:
        case ast.Name(id=name):
            yield name
        case ast.Attribute(value=ast.Name(id=owner), attr=name):
            yield f"{owner}.{name}"


def _asked_for(c: Call) -> bool:
    """Whether a data set is asked for one item, and all that is summed up here was made of that."""
    frames = list(zip(c.m.stack[::2], c.m.stack[1::2], strict=True))
    first = next((at for at in reversed(range(len(frames))) if _gives_items(frames[at][1])), None)
    if first is None:
        return False
    summed = [value for value in _summed(c) if _tables_named(c, [value])]
    own = _made_inside(frames[first][1], _number_asked_for(frames[first][1]))
    for called, function in frames[first + 1 :]:
        asked = frozenset(name for name, value in _given_to(called, function) if _made_of(value, own))
        own = _made_inside(function, asked)
    return bool(summed) and all(_made_of(value, own) for value in summed)


def _given_for(called: ast.Call, function: ast.AST, used: frozenset[str]) -> list[ast.expr]:
    """What a call gives of which a function makes the names in question; all that it gives, where that is not known."""
    needed = _parameters(function) & _made_from(function, used)
    spread = any(isinstance(n, ast.Starred) for n in called.args) or any(k.arg is None for k in called.keywords)
    if spread or needed & {"self", "cls"}:
        return [*called.args, *(keyword.value for keyword in called.keywords)]
    return [value for name, value in _given_to(called, function) if name in needed]


@lru_cache(maxsize=512)
def _made_from(function: ast.AST, names: frozenset[str]) -> frozenset[str]:
    """The names that a function makes these of, and those that it makes them of, as far back as it goes."""
    made = list(_made_in(function))
    found: set[str] = set()
    asked = set(names)
    while asked - found:
        found |= asked
        asked = {name for target, value in made if target & found for name in value}
    return frozenset(found)


def _made_in(function: ast.AST) -> Iterator[tuple[set[str], set[str]]]:
    """The names that each statement of a function sets, and those that it sets them by."""
    for target, value in _set_in(function):
        yield _names(target), _names(value)
    for n in ast.walk(function):
        if isinstance(n, ast.AugAssign):
            yield _names(n.target), _names(n.value)


def _names(node: ast.AST) -> set[str]:
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}


def _gives_items(function: ast.AST) -> bool:
    return isinstance(function, ast.FunctionDef) and function.name == "__getitem__"


def _number_asked_for(function: ast.AST) -> frozenset[str]:
    parameters = function.args.args[1:2] if isinstance(function, ast.FunctionDef) else []
    return frozenset(parameter.arg for parameter in parameters)


def _given_to(called: ast.AST, function: ast.AST) -> list[tuple[str, ast.expr]]:
    """The parameters of a function and what a call gives for them, as it is written."""
    if not isinstance(called, ast.Call) or not isinstance(function, ast.FunctionDef | ast.Lambda):
        return []
    names = [parameter.arg for parameter in function.args.args]
    names = names[1:] if names[:1] in (["self"], ["cls"]) else names
    return [*zip(names, called.args, strict=False), *((k.arg, k.value) for k in called.keywords if k.arg)]


@lru_cache(maxsize=512)
def _made_inside(function: ast.AST, asked: frozenset[str]) -> frozenset[str]:
    """The names that a function gives to what it makes of some of its parameters, and those parameters."""
    own = set(asked)
    for target, value in sorted(_set_in(function), key=lambda pair: (pair[1].lineno, pair[1].col_offset)):
        names = {n.id for n in ast.walk(target) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        own = own | names if _made_of(value, frozenset(own)) else own - names
    return frozenset(own)


def _set_in(function: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """What a function gives a value to, and that value, as they are written."""
    for n in ast.walk(function):
        match n:
            case ast.Assign(targets=[target], value=value):
                yield target, value
            case ast.For(target=target, iter=value) | ast.comprehension(target=target, iter=value):
                yield target, value
            case ast.withitem(context_expr=value, optional_vars=target) if target is not None:
                yield target, value


def _made_of(value: ast.AST, own: frozenset[str]) -> bool:
    """Whether an expression is made of an item: `self.waves[at]`, `load(path)`, `wave - wave.mean()`."""
    match value:
        case ast.Name(id=name):
            return name in own
        case ast.Subscript(value=table, slice=index):
            return any(isinstance(n, ast.Name) and n.id in own for n in ast.walk(index)) or _made_of(table, own)
        case ast.Call(func=func, args=args, keywords=keywords):
            given = [*args, *(keyword.value for keyword in keywords)]
            owner = isinstance(func, ast.Attribute) and _made_of(func.value, own)
            return owner or any(_made_of(one, own) for one in given)
        case ast.Attribute(value=owner):
            return _made_of(owner, own)
    return any(_made_of(inner, own) for inner in ast.iter_child_nodes(value))


def _given_in(loop: ast.For | Comprehension) -> frozenset[str]:
    """The names that each round gives another value."""
    if isinstance(loop, ast.For):
        return names_set_in(loop) - carried_on(loop)
    return frozenset(n.id for g in loop.generators for n in ast.walk(g.target) if isinstance(n, ast.Name))


def _given_before(call: ast.Call, loop: ast.For | Comprehension) -> frozenset[str]:
    """The names that each round has given another value before it makes a call."""
    if not isinstance(loop, ast.For):
        return _given_in(loop)
    before = (n.id for n in _stored(loop) if (n.lineno, n.col_offset) < (call.lineno, 0) or n.lineno == loop.lineno)
    return frozenset(before) - carried_on(loop)


@lru_cache(maxsize=256)
def _stored(loop: ast.For) -> tuple[ast.Name, ...]:
    return tuple(n for n in ast.walk(loop) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))


def _tables_named(c: Call, values: list[ast.expr], scope: Scope | None = None) -> set[str]:
    """The names in expressions, but for those of modules, functions and settings."""
    used = {n.id for value in values for n in ast.walk(value) if isinstance(n, ast.Name)}
    known = {name: (scope or c.m.scope).find(name) for name in used if not hasattr(builtins, name)}
    return {name for name, value in known.items() if value is None or not _is_setting(c, value)}


def _is_setting(c: Call, value: Value) -> bool:
    """Whether something holds no rows: a literal, a pair of bounds, a function, a mean that is known before."""
    plain = c.m.plain(value)
    if isinstance(plain, Data):
        return plain.shape is Shape.SUMMARY
    return isinstance(plain, Library | Function | Const) or (isinstance(plain, Seq) and not c.m.data(value).rows)


@lru_cache(maxsize=256)
def _parameters(function: ast.AST) -> frozenset[str]:
    return frozenset(n.arg for n in ast.walk(function) if isinstance(n, ast.arg))


def fitted_on_one(c: Call, data: Data) -> bool:
    """Whether a loop goes from item to item, and this learns from the one at hand alone."""
    if not (c.m.loops or c.m.gone_through) or not data.rows:
        return False
    around = (*c.m.loops[-1:], *c.m.gone_through[-1:])
    return not any(_takes_rows(c, loop) for loop in around) and of_one(c, data)


def _takes_rows(c: Call, loop: ast.AST) -> bool:
    """Whether a round of the loop takes rows out of a table from before it: those of a group, or a column."""
    own = names_set_in(loop)
    return any(name not in own and _has_rows(c, name) for name in _read_in(loop))


def _has_rows(c: Call, name: str) -> bool:
    value = c.m.scope.find(name)
    return value is not None and isinstance(c.m.plain(value), Data | Seq | Mapping) and bool(c.m.data(value).rows)


@lru_cache(maxsize=256)
def _read_in(loop: ast.AST) -> frozenset[str]:
    """The names that a loop reads as it gives others a value."""
    given = (n.value for n in ast.walk(loop) if isinstance(n, ast.Assign | ast.AnnAssign) and n.value is not None)
    return frozenset(n.id for value in given for n in ast.walk(value) if isinstance(n, ast.Name))
