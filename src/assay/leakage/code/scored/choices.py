"""Where scores are compared: the best is picked, or one is kept because it beats another."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache

from assay.leakage.code.language import binding
from assay.leakage.code.language.call import Call, replace_call
from assay.leakage.code.scored import score_tables
from assay.leakage.code.state.events import Choice
from assay.leakage.code.state.machine import united
from assay.leakage.code.state.rows import NO_ROWS
from assay.leakage.code.state.values import UNKNOWN, WITHOUT_ROWS, Const, Data, Function, Library
from assay.leakage.code.syntax import ancestors
from assay.libraries.catalogue import names_of
from assay.libraries.row import Group
from assay.records import replace

_COLOURS = frozenset({"color", "c", "colors", "fontweight"})
_WIDEST_MARGIN = 2
ORDERED = (ast.Gt, ast.GtE, ast.Lt, ast.LtE)


def ranked(c: Call, name: str) -> None:
    """`max(scores)`, `np.argmax(scores)`, `table.sort_values("score")`: the call ranks scores."""
    last = name.rpartition(".")[2]
    if name in names_of(Group.REPORTS):
        optimised(c, united(c.all_data()))
    asks = last in names_of(Group.WHICH) or _place_of_best(c, last)
    if not asks and (last not in names_of(Group.BEST) or _is_bound(c.node, name) or _is_by_name(c, last)):
        return
    tree, by_key = c.site.source.tree, "key" in c.keywords
    taken = c.node in _taken(tree)
    is_order = last in names_of(Group.ORDERS) and not taken
    which = asks or taken or (by_key and not is_order)
    if which or by_key or not (drawn(tree, c.node) or _computed_with(tree, c.node)):
        _written_down(c, last, which=which, is_order=is_order)


def _written_down(c: Call, last: str, *, which: bool, is_order: bool) -> None:
    """Write down that scores are ranked, if the call is about scores."""
    by_key = "key" in c.keywords
    receiver = c.m.data(c.receiver) if not isinstance(c.m.plain(c.receiver), Library | Const) else UNKNOWN
    data = score_tables.judged_by(c) or united([receiver, *c.all_data(), *_looked_up(c), *_asked_of_each(c)])
    if data.is_score or (by_key and replace(data, rows=NO_ROWS).is_score):
        c.m.trace.add(Choice(c.site, data.predictions, last, which=which, loops=c.m.loops, is_order=is_order))


def _is_bound(node: ast.Call, name: str) -> bool:
    """`max(count, 1)`: a number that is kept above a bound."""
    return name in names_of(Group.EXTREMES) and any(isinstance(given, ast.Constant) for given in node.args[1:])


def _is_by_name(c: Call, last: str) -> bool:
    """Whether a table is put in order of its groups, or a dict in order of its keys."""
    if last == "sorted" and "key" not in c.keywords and _entries(c.node):
        return True
    return last in names_of(Group.SORTS) and _in_order_of_groups(c.node)


def _in_order_of_groups(node: ast.Call) -> bool:
    """`results.group_by("model").agg(…).sort("model")`: in order of what it was grouped by, not of scores."""
    calls = _chain(node.func)[0]
    grouped = [call for call in calls if getattr(call.func, "attr", None) in names_of(Group.GROUPS)]
    asked = _names_given(node)
    return bool(asked) and asked <= frozenset().union(*map(_names_given, grouped))


def _entries(node: ast.Call) -> bool:
    """`sorted(scores.items())`: in order of the keys, of which no two are alike, so that no score is ever looked at."""
    match node.args:
        case [ast.Call(func=ast.Attribute(attr="items"), args=[])]:
            return True
    return False


def _names_given(call: ast.Call) -> frozenset[str]:
    """The texts that a call is given to go by."""
    given = [*call.args, *(k.value for k in call.keywords if k.arg == "by")]
    return frozenset(
        n.value for each in given for n in ast.walk(each) if isinstance(n, ast.Constant) and isinstance(n.value, str)
    )


def drawn(tree: ast.Module | None, node: ast.AST) -> bool:
    """Whether nothing but a picture comes of a value: `ylim(0, max(scores))`, `color="white" if share > half else …`.

    `table.sort_values("f1").plot` only puts its bars in order.
    """
    return any(map(_draws, ancestors(tree, node)[1:])) if tree is not None else False


def _draws(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(attr=name)):
            return name in names_of(Group.FRAMES)
        case ast.keyword(arg=name):
            return name in _COLOURS
    return isinstance(node, ast.Attribute) and node.attr == "plot"


def _computed_with(tree: ast.Module | None, node: ast.AST) -> bool:
    """Whether the best only enters a sum or is compared with a number: `max(scores) - min(scores)`, `max(rates) < 1`.

    `1.1 * max(scores)` is room above bars; a hundred instead would make a percentage of the best.
    """
    match ancestors(tree, node)[1:2] if tree is not None else []:
        case [ast.BinOp(left=left, op=op, right=right)]:
            other = right if left is node else left
            of_numbers = isinstance(other, ast.Constant) or _is_extreme(other)
            return of_numbers and (not isinstance(op, ast.Mult) or _is_margin(other))
        case [ast.Compare(left=left, ops=[op, *_], comparators=others)]:
            return isinstance(op, ORDERED) and any(isinstance(side, ast.Constant) for side in (left, *others))
    return False


def _is_margin(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, float) and node.value < _WIDEST_MARGIN


def _is_extreme(node: ast.expr) -> bool:
    """Whether the largest or the smallest is asked for: `max(scores)`, `scores.min()`."""
    func = node.func if isinstance(node, ast.Call) else None
    name = func.id if isinstance(func, ast.Name) else func.attr if isinstance(func, ast.Attribute) else ""
    return name in names_of(Group.EXTREMES)


@lru_cache(maxsize=4)
def _taken(tree: ast.Module | None) -> frozenset[ast.AST]:
    """Calls of whose result the first, the last or some are taken: `table.sort_values("f1").iloc[0]`.

    Also through a variable, and from a list that was sorted in place.
    """
    nodes = list(ast.walk(tree or ast.Module([], [])))
    chains = [_chain(n.value) for n in nodes if isinstance(n, ast.Subscript) and _is_end(n.slice)]
    found = {call for calls, _ in chains for call in calls}
    names = {name for _, name in chains if name}
    named = (n.value for n in nodes if isinstance(n, ast.Assign | ast.Expr) and _concerns(n, names))
    return frozenset(found.union(*(_chain(value)[0] for value in named)))


def _concerns(statement: ast.Assign | ast.Expr, names: set[str]) -> bool:
    """Whether it gives one of the names a value, or changes what one of them has."""
    if isinstance(statement, ast.Expr):
        return _chain(statement.value)[1] in names
    return any(isinstance(target, ast.Name) and target.id in names for target in statement.targets)


def _is_end(index: ast.expr) -> bool:
    """`[0]`, `[-1]`, `[:3]`."""
    return isinstance(index, ast.Slice) or ast.unparse(index) in {"0", "-1"}


def _chain(node: ast.expr) -> tuple[list[ast.Call], str]:
    """The calls that `a.b().c["d"].e()` is made of, and the name that it starts with."""
    calls = []
    while isinstance(node, ast.Call | ast.Attribute | ast.Subscript):
        if isinstance(node, ast.Call):
            calls.append(node)
            node = node.func
        else:
            node = node.value
    return calls, node.id if isinstance(node, ast.Name) else ""


def _place_of_best(c: Call, name: str) -> bool:
    """`errors.index(min(errors))` asks which one is best, too; so does `errors.index(least)`."""
    sought = c.node.args[0] if name == "index" and c.node.args else None
    if isinstance(sought, ast.Name) and c.args and c.m.data(c.args[0]).is_score:
        return True
    return sought is not None and _is_extreme(sought)


def optimised(c: Call, result: Data) -> None:
    """A score that an optimiser asks a function for."""
    if result.is_score:
        c.m.trace.add(Choice(c.site, result.predictions, c.name.rpartition(".")[2], which=True))


def _asked_of_each(c: Call) -> Iterator[Data]:
    """What a key computes for each item: `max(models, key=lambda name: models[name].score(X_test, y_test))`."""
    key = c.m.plain(c.keywords.get("key", UNKNOWN))
    if not isinstance(key, Function) or not _calls(key.node) or not c.args:
        return
    items = binding.items_of(c.m, c.args[0], c.node.args[0], c.m.limits.rounds)
    for item in items.items:
        yield c.m.data(replace_call(c, [item]).follow(key))


@lru_cache(maxsize=64)
def _calls(key: ast.AST) -> bool:
    return any(isinstance(n, ast.Call) for n in ast.walk(key))


def _looked_up(c: Call) -> Iterator[Data]:
    """What a key looks into: `max(names, key=lambda n: scores[n])`."""
    keys = (k.value.body for k in c.node.keywords if k.arg == "key" and isinstance(k.value, ast.Lambda))
    found = (c.m.scope.find(n.id) for body in keys for n in ast.walk(body) if isinstance(n, ast.Name))
    yield from (c.m.data(v) for v in found if v is not None and not isinstance(c.m.plain(v), WITHOUT_ROWS))
