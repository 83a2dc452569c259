"""Iterators that are used up: what one place takes from a stream, no other place will meet again.

`first = next(stream)`, `islice(stream, 100)`, a loop that breaks off: each goes on where the last one stopped.
"""

from __future__ import annotations

import ast
from functools import lru_cache

from assay.leakage.code.state.machine import Machine
from assay.leakage.code.state.rows import Cut, Taken
from assay.leakage.code.state.values import Data, Ref, Seq, Value
from assay.records import replace


def made(m: Machine, node: ast.AST, value: Value) -> Value:
    """A stream of what a value holds: with an identity of its own, for it remembers how far it was read."""
    plain = m.plain(value)
    if not isinstance(plain, Data | Seq) or not m.data(plain).rows:
        return value
    stream = m.boxed(plain)
    if isinstance(stream, Ref):
        m.streams[stream.id] = ("taken", node, m.stack), set()
    return stream


@lru_cache(maxsize=1024)
def yields(function: ast.AST) -> bool:
    """Whether calling a function gives a stream."""
    return any(isinstance(n, ast.Yield | ast.YieldFrom) for n in ast.walk(function))


def is_one(m: Machine, value: Value) -> bool:
    """Whether a value is a stream."""
    return isinstance(value, Ref) and value.id in m.streams


def next_of(m: Machine, value: Value, node: ast.AST) -> Value:
    """`next(stream)`: whatever is asked for that is a stream."""
    if isinstance(value, Ref) and value.id not in m.streams and isinstance(m.plain(value), Data | Seq):
        m.streams[value.id] = ("taken", value.id), set()
    return taken(m, value, node)


def taken(m: Machine, value: Value, node: ast.AST, *, whole: bool = False) -> Value:
    """What a place takes from a stream; all of it, where it is read to its end and nobody took from it before."""
    known = m.streams.get(value.id) if isinstance(value, Ref) else None
    if known is None or isinstance(node, ast.Call):  # nobody else reads from what is made on the spot
        return value
    stream, places = known
    place = Taken(node, m.stack, m.rounds)
    others = places - {place}
    places.add(place)
    return value if whole and not others else _cut(m, value, Cut(stream, place))


def gone_through(m: Machine, value: Value, loop: ast.For | ast.AsyncFor) -> Value:
    """What a loop takes from a stream."""
    return taken(m, value, loop.iter, whole=not _breaks_off(loop)) if isinstance(value, Ref) else value


@lru_cache(maxsize=256)
def _breaks_off(loop: ast.AST) -> bool:
    return any(isinstance(n, ast.Break) for n in ast.walk(loop))


def _cut(m: Machine, value: Value, cut: Cut) -> Value:
    plain = m.plain(value)
    if isinstance(plain, Seq):
        return replace(plain, items=tuple(m.boxed(_cut(m, item, cut)) for item in plain.items))
    return plain.cut(cut) if isinstance(plain, Data) and plain.rows else value
