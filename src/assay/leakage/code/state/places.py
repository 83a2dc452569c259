"""Where slices begin and end, as texts that mean the same wherever they stand.

Inside a function or an object a name says little: `table[start:end]` is another slice in each call that gives another
`start`. So a parameter is called what the caller calls it, and what an object knows is its own.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Hashable, Iterator
from functools import lru_cache

from assay.leakage.code.state.machine import Machine
from assay.leakage.code.state.rows import whichever_way
from assay.leakage.code.state.texts import text_of
from assay.leakage.code.state.values import UNKNOWN, Data, Instance, Ref, Value
from assay.leakage.code.syntax import names_in

_Function = ast.FunctionDef | ast.AsyncFunctionDef


def place_text(m: Machine, node: ast.expr) -> str:
    """The text of a bound, in the caller's words where the function around was given it."""
    around = m.stack[-1] if m.stack else None
    if not isinstance(around, _Function):
        return text_of(node)
    return text_of(_InCallersWords(m, around).visit(copy.deepcopy(_written_out(around, node))))


def chosen_by(m: Machine, node: ast.expr, held: Data = UNKNOWN) -> str:
    """What chooses rows in a way that is not followed is called: its text, and what it was computed from.

    One text may stand for several values: a function that computes it is given others at each call, and a name may
    stand for another list of labels by now. So what the function was given and which rows the list holds is added.
    """
    written = list_text(m, node)
    if _computed_here(m, node):
        written = f"{written} of {[_known(m, value) for value in _arguments(m)]}"
    if not held.rows:
        return written
    return f"{written} of table {m.number_of(whichever_way(held.rows))} {sorted(held.columns.only or ())}"


def _computed_here(m: Machine, node: ast.expr) -> bool:
    """Whether an expression has names that the function around gives a value, or such that its text does not show."""
    around = m.stack[-1] if m.stack else None
    if not isinstance(around, _Function):
        return False
    hidden = any(isinstance(n, ast.Lambda | ast.comprehension) for n in ast.walk(node))
    own = given_once(around).keys() | ({a.arg for a in _parameters(around)} if hidden else set())
    return not own.isdisjoint(names_in(node))


def _parameters(function: _Function) -> list[ast.arg]:
    return [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]


def _arguments(m: Machine) -> list[Value]:
    """What the function around was given."""
    around = m.stack[-1]
    return [m.scope.find(one.arg) or UNKNOWN for one in _parameters(around)] if isinstance(around, _Function) else []


def gives_items(m: Machine) -> bool:
    """Whether the method is being followed by which an object of the code's own gives one item."""
    return any(getattr(node, "name", "") == "__getitem__" for node in m.stack)


def _known(m: Machine, value: Value) -> Hashable:
    """What tells an argument from another: what is written, the rows that it holds, or what an object knows of these.

    Whether something is shuffled or repeated makes no other rows.
    """
    written = m.constant(value)
    if written is not None:
        return None if isinstance(written, bool) else str(written)
    held = m.plain(value)
    if isinstance(held, Instance):
        known = ((name, _known(m, one)) for name, one in held.attributes if not isinstance(m.plain(one), Instance))
        return tuple((name, one) for name, one in known if one is not None)
    rows = whichever_way(m.data(held).rows)
    return m.number_of(rows) if rows else None


def list_text(m: Machine, node: ast.expr) -> str:
    """The text of a list of labels, in the caller's words: also where rows were read to have the list."""
    around = m.stack[-1] if m.stack else None
    if not isinstance(around, _Function):
        return text_of(node)
    written = _written_out(around, node)
    if isinstance(written, ast.Name) and written.id not in given_once(around):
        return text_of(_given(m.stack, written))
    return place_text(m, node)


def _written_out(function: _Function, node: ast.expr) -> ast.expr:
    """`end` as `start + size`, and `ids` as `parts[self.part]`, where the function gives the name no other value."""
    known = given_once(function).get(node.id) if isinstance(node, ast.Name) else None
    return known if isinstance(known, ast.BinOp | ast.Subscript) else node


class _InCallersWords(ast.NodeTransformer):
    """Replaces parameters by what the call gives, and objects by which of them they are."""

    def __init__(self, m: Machine, function: _Function) -> None:
        self.m = m
        self.function = function

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """A parameter that holds no rows: tables keep their name, for what is computed from their length is alike."""
        value = self.m.scope.names.get(node.id)
        if value is None or node.id in given_once(self.function) or self.m.data(value).rows:
            return node
        return _given(self.m.stack, node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        """`self.start` of this object; of another it may be elsewhere."""
        base = self.m.scope.find(node.value.id) if isinstance(node.value, ast.Name) else None
        if not isinstance(base, Ref) or not isinstance(self.m.plain(base), Instance):
            return node
        return ast.Attribute(ast.Name(f"#{base.id}"), node.attr)


def _given(stack: tuple[ast.AST, ...], node: ast.Name) -> ast.expr:
    """What a call gives for a parameter; and if that is one itself, what the call around gives for it."""
    found: ast.expr = node
    for call, function in zip(stack[-2::-2], stack[::-2], strict=True):
        given = _argument(call, function, found.id) if isinstance(found, ast.Name) else None
        if given is None:
            break
        found = given
    return found


def _argument(call: ast.AST, function: ast.AST, name: str) -> ast.expr | None:
    """The argument for a parameter, where the call names it plainly."""
    if not isinstance(call, ast.Call) or not isinstance(function, _Function):
        return None
    named = next((k.value for k in call.keywords if k.arg == name), None)
    names = [a.arg for a in (*function.args.posonlyargs, *function.args.args)]
    place = names.index(name) - (names[0] in {"self", "cls"}) if name in names else -1
    if named is not None or not 0 <= place < len(call.args):
        return named
    return None if any(isinstance(a, ast.Starred) for a in call.args) else call.args[place]


@lru_cache(maxsize=1024)
def given_once(function: ast.AST) -> dict[str, ast.expr | None]:
    """The names that a function gives a value; what that is, where it does so once."""
    found: dict[str, ast.expr | None] = {}
    single = (n for n in ast.walk(function) if isinstance(n, ast.Assign) and len(n.targets) == 1)
    once = {id(target): value for n in single for target, value in _one_by_one(n.targets[0], n.value)}
    for n in ast.walk(function):
        if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store):
            found[n.id] = None if n.id in found else once.get(id(n))
    return found


def _one_by_one(target: ast.expr, value: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    """What is given to what; of `start, end = bounds[part]` each name has an entry: `bounds[part][0]`."""
    match target, value:
        case ast.Tuple(elts=names), ast.Tuple(elts=values):
            yield from zip(names, values, strict=False)
        case ast.Tuple(elts=names), ast.Subscript():
            yield from ((name, ast.Subscript(value, ast.Constant(at))) for at, name in enumerate(names))
        case _:
            yield target, value
