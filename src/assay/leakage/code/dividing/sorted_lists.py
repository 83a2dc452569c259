"""Rounds of a loop that put what they meet into one of several lists or dicts: each thing is in one of them alone."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from functools import lru_cache

from assay.leakage.code.dividing.splits import SPLIT
from assay.leakage.code.state.machine import Machine
from assay.leakage.code.state.places import place_text
from assay.leakage.code.state.rows import Cut, OneOf
from assay.leakage.code.state.texts import text_of
from assay.leakage.code.state.values import Data, Seq, Value
from assay.leakage.code.syntax import names_in


def sorts(m: Machine, node: ast.If) -> bool:
    """Whether both ways of a condition in a loop fill lists or dicts, and different ones."""
    if not m.loops or not node.orelse:
        return False
    one, other = _filled(node.body), _filled(node.orelse)
    return bool(one and other) and not one & other


def _filled(body: Sequence[ast.stmt]) -> set[str]:
    """The lists that statements append to, and the dicts that they give entries."""
    return {text_of(place) for statement in body for n in ast.walk(statement) for place in _filled_by(n)}


def _filled_by(node: ast.AST) -> Iterator[ast.expr]:
    match node:
        case ast.Call(func=ast.Attribute(attr="append", value=place)) if not isinstance(place, ast.Call):
            yield place
        case ast.Assign(targets=[ast.Subscript(value=place, slice=ast.Name())]):
            yield place


def sorted_in(m: Machine, item: ast.expr, value: Value) -> Value:
    """What is kept, on its side of the conditions around, if the loop made the item, or its key, in this round."""
    if not m.sides:
        return value
    made = {n.id for n in ast.walk(m.loops[-1]) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return m.boxed(_cut(m, value, m.sides)) if made & names_in(item) else value


def kept_as_told(m: Machine, value: Value) -> Value:
    """What a loop keeps where a condition holds that the caller has a say in: `if row["site"] in sites:`.

    Another call, or another object, that says otherwise is taken to keep other rows.
    """
    told = [f"{side} {words}" for test, side in m.conditions if (words := _in_callers_words(m, test))]
    return m.boxed(_cut(m, value, (Cut("kept", OneOf(" ".join(told))),))) if told else value


def kept_by_part(m: Machine, value: Value) -> Value:
    """What a loop keeps where a label is one of a divided table's: `for p in train: … if names[i] == p:`.

    The rows are then divided as those labels are.
    """
    known = {cut.key for part in m.data(value).rows for cut in part.cuts}
    asked = (name for test, side in m.conditions if side == "then" for name in _held_against(test))
    labels = [m.data(found) for name in asked if (found := m.scope.find(name)) is not None]
    cuts = frozenset[Cut]().union(*(d.cuts.union(*(part.cuts for part in d.rows)) for d in labels))
    sides = tuple(c for c in cuts if isinstance(c.key, tuple) and c.key[0] == SPLIT and c.key not in known)
    return m.boxed(_cut(m, value, sides)) if len(sides) == 1 else value


def _held_against(test: ast.expr) -> frozenset[str]:
    """The names of which a condition says that they are equal to something."""
    match test:
        case ast.Compare(ops=[ast.Eq()]):
            return names_in(test)
    return frozenset()


def _in_callers_words(m: Machine, test: ast.expr) -> str:
    """A condition that hangs on a parameter which is no table, or on a setting of an object; else nothing.

    Where it hangs on that by way of a name of the function's own, the call tells one from another.
    """
    call, function = m.stack[-2:] if m.stack else (None, None)
    if not isinstance(function, ast.FunctionDef) or not isinstance(call, ast.Call):
        return ""
    arguments = {argument.arg for argument in (*function.args.args, *function.args.kwonlyargs)}
    given = {name for name in arguments if name == "self" or not m.data(m.scope.names.get(name)).rows}
    asked = names_in(test)
    if asked & given:
        return place_text(m, test)
    if any(asked & bound and used & given for bound, used in _assigned(function)):
        return f"{function.name} {text_of(test)} {text_of(call)} {[text_of(k.value) for k in call.keywords]}"
    return ""


@lru_cache(maxsize=256)
def _assigned(function: ast.FunctionDef) -> tuple[tuple[frozenset[str], frozenset[str]], ...]:
    """The names that each statement of a function sets, and those that it uses for it."""
    given = [n for n in ast.walk(function) if isinstance(n, ast.Assign)]
    return tuple((frozenset().union(*map(names_in, n.targets)), names_in(n.value)) for n in given)


def _cut(m: Machine, value: Value, sides: tuple[Cut, ...], depth: int = 0) -> Value:
    plain = m.plain(value)
    if isinstance(plain, Data) and plain.rows:
        return plain.cut(*sides)
    if isinstance(plain, Seq) and depth < 3:
        return Seq(tuple(_cut(m, item, sides, depth + 1) for item in plain.items), plain.open)
    return value
