"""Ways of a round for each kind of task: `if task == "binary": … elif task == "regression": …`, and no other kind."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from assay.leakage.code.scored.search_loops import names_set_in
from assay.leakage.code.state.texts import text_of

if TYPE_CHECKING:
    from assay.leakage.code.state.machine import Machine

_LOOPS = (ast.For, ast.AsyncFor, ast.While)


def set_on_each_way(m: Machine, node: ast.If) -> list[str]:
    """Names that have no value of an earlier round after this condition, the last of several that ask for a kind.

    Each kind gives them a new value, nothing else in the round does, and a kind that none of them names does not occur.
    """
    return [name for name in _dispatched(m.source.tree).get(node, ()) if name in m.scope.names] if m.loops else []


@lru_cache(maxsize=4)
def _dispatched(tree: ast.Module | None) -> dict[ast.If, frozenset[str]]:
    """The last condition of each chain in a loop, and the names that all of its ways set."""
    loops = (node for node in ast.walk(tree or ast.Module([], [])) if isinstance(node, _LOOPS))
    found = (pair for loop in loops for place in range(len(loop.body)) for pair in _set_by_chain(loop.body, place))
    return dict(found)


def _set_by_chain(body: list[ast.stmt], place: int) -> Iterator[tuple[ast.If, frozenset[str]]]:
    chain = _chain(body[place])
    if chain:
        names = frozenset.intersection(*(_set_anew(way.body) for way in chain))
        others = frozenset().union(*map(names_set_in, (*body[:place], *body[place + 1 :])))
        if names - others:
            yield chain[-1], names - others


def _chain(statement: ast.stmt) -> list[ast.If]:
    """Conditions one after the other that hold the same thing against a text or number, without an `else`."""
    ways: list[ast.If] = []
    rest: Sequence[ast.stmt] = [statement]
    while len(rest) == 1 and isinstance(way := rest[0], ast.If):
        ways.append(way)
        rest = way.orelse
    subjects = {_asked(way.test) for way in ways}
    return ways if not rest and len(ways) > 1 and len(subjects) == 1 and None not in subjects else []


def _asked(test: ast.expr) -> str | None:
    """What `task == "binary"` asks about."""
    literal = isinstance(test, ast.Compare) and isinstance(test.comparators[0], ast.Constant)
    return text_of(test.left) if isinstance(test, ast.Compare) and literal and isinstance(test.ops[0], ast.Eq) else None


def _set_anew(body: Sequence[ast.stmt]) -> frozenset[str]:
    """Names that statements give a value that does not hang on the one they had."""
    return frozenset(name for statement in body for name in _assigned(statement))


def _assigned(statement: ast.stmt) -> Iterator[str]:
    if isinstance(statement, ast.Assign):
        used = {n.id for n in ast.walk(statement.value) if isinstance(n, ast.Name)}
        yield from (t.id for t in statement.targets if isinstance(t, ast.Name) and t.id not in used)
