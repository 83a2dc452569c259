"""The same row put into a list several times: by a loop around it, by several lines of one round, by `rows * 3`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from assay.leakage.code.scored.search_loops import inside, names_set_in
from assay.leakage.code.state.provenance import is_table
from assay.leakage.code.state.texts import text_of
from assay.leakage.code.state.values import Const, Data, Kind, Mark, Seq, Shape, Value
from assay.records import replace

if TYPE_CHECKING:
    from assay.leakage.code.language.call import Call
    from assay.leakage.code.state.machine import Machine

_LISTS = frozenset({"tolist", "to_list"})


def again(c: Call, value: Value) -> Value:
    """`pieces.append(rare)` in a loop that does not change it: the same rows, as often as the loop goes round.

    So is a row that one round of a loop over rows puts there several times. Labels repeat without that.
    """
    given, data = c.node.args[0], c.m.plain(value)
    if not isinstance(given, ast.Name) or not isinstance(data, Data) or not any(map(is_table, data.rows)):
        return value
    loop = c.m.loops[-1] if c.m.loops and not c.m.sides else None
    if loop is None or not inside(c.node, loop) or data.shape not in {Shape.TABLE, Shape.UNKNOWN}:
        return value
    if given.id in names_set_in(loop) and not (isinstance(loop, ast.For) and c.node in _several_a_round(loop)):
        return value
    return c.m.boxed(data.marked(Mark(Kind.COPY, "append", c.site, data.rows)))


@lru_cache(maxsize=64)
def _several_a_round(loop: ast.For) -> frozenset[ast.AST]:
    """Calls that put what a loop goes over into a list, as it is, more than once in some round.

    They stand inside a loop over numbers, or there are several of them of which none excludes another.
    """
    if any(isinstance(n, ast.Continue | ast.Break) for n in ast.walk(loop)):
        return frozenset()
    kept = {n.id for n in ast.walk(loop.target) if isinstance(n, ast.Name)}
    kept -= frozenset().union(*map(names_set_in, (*loop.body, *loop.orelse)))
    found: dict[tuple[str, str], list[ast.AST]] = {}
    often: set[ast.AST] = set()
    for call, name, counted in _appends(loop.body, counted=False):
        if name in kept:
            found.setdefault((text_of(call.func), name), []).append(call)
            often.update([call] if counted else [])
    exclusive = [n for n in ast.walk(loop) if isinstance(n, ast.If) and n.orelse]
    several = (calls for calls in found.values() if len(calls) > 1)
    return frozenset(often.union(*(calls for calls in several if not _apart(calls, exclusive))))


def _appends(body: list[ast.stmt], *, counted: bool) -> Iterator[tuple[ast.Call, str, bool]]:
    """Each `list.append(name)`, with whether a loop over numbers stands around it."""
    for statement in body:
        match statement:
            case ast.Expr(value=ast.Call(func=ast.Attribute(attr="append"), args=[ast.Name(id=name)]) as call):
                yield call, name, counted
            case ast.For(iter=ast.Call(func=ast.Name(id="range")), body=inner):
                yield from _appends(inner, counted=True)
            case ast.If(body=inner, orelse=others):
                yield from _appends([*inner, *others], counted=counted)


def _apart(calls: list[ast.AST], exclusive: list[ast.If]) -> bool:
    """Whether some of these calls stand in one branch of a condition and some in the other."""

    def stands_in(branch: list[ast.stmt]) -> bool:
        return any(inside(call, statement) for statement in branch for call in calls)

    return any(stands_in(n.body) and stands_in(n.orelse) for n in exclusive)


def comprehended(m: Machine, node: ast.ListComp | ast.SetComp | ast.GeneratorExp, value: Value) -> Value:
    """`[row for row in rows for _ in range(3)]`: each row as it is, once for each number."""
    match node:
        case ast.ListComp(
            elt=ast.Name(id=row),
            generators=[
                ast.comprehension(target=over),
                ast.comprehension(target=ast.Name(id=number), iter=ast.Call(func=ast.Name(id="range")), ifs=[]),
            ],
        ) if row != number and row in {n.id for n in ast.walk(over) if isinstance(n, ast.Name)}:
            return _copied(m, node, m.data(value)) or value
    return value


def multiplied(m: Machine, node: ast.BinOp, left: Value, right: Value) -> Value | None:
    """`rows * 3`: the same items again. Rows that the code gathered, or a column made a list, are then copies."""
    several = isinstance(right, Const) and right.value not in (0, 1)
    if isinstance(left, Seq):
        copies = ((item, _copied(m, node, m.data(item)) if several and left.open else None) for item in left.items)
        return replace(left, items=tuple(item if copy is None else m.boxed(copy) for item, copy in copies), open=True)
    return _copied(m, node, left) if several and isinstance(left, Data) and _makes_list(node.left) else None


def _copied(m: Machine, node: ast.AST, data: Data) -> Data | None:
    known = any(map(is_table, data.rows)) and data.shape is not Shape.SUMMARY
    return data.marked(Mark(Kind.COPY, "list", m.site(node), data.rows)) if known else None


def _makes_list(node: ast.expr) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(attr=name)):
            return name in _LISTS
        case ast.Call(func=ast.Name(id=name)):
            return name == "list"
    return False
