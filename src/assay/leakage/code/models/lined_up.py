"""Models that a loop or a comprehension makes, each with another setting, and that are scored one after the other.

`trees = [tree_of(alpha) for alpha in alphas]`, then `[tree.score(X_test, y_test) for tree in trees]`: what a loop that
makes, fits and scores a model does in one go is done here in two, or inside a comprehension.
"""

from __future__ import annotations

import ast
from collections.abc import Hashable
from typing import TYPE_CHECKING

from assay.leakage.code.scored.search_loops import class_varied, names_set_in, settings
from assay.leakage.code.state.values import Estimator, Seq, Value

if TYPE_CHECKING:
    from assay.leakage.code.language.call import Call
    from assay.leakage.code.state.machine import Machine

_DEEPEST = 2


def made(c: Call, serial: Hashable) -> None:
    """Write down which loops vary a setting of a model, in the call that makes it or in one that leads there."""
    m = c.m
    around = (*m.loops, *m.gone_through)
    given = settings(c.node) if around else set()
    if not given or class_varied(c.node, around):
        return
    varied = m.varied.union(*map(names_set_in, m.loops))
    if given & varied or any(_names_given(call) & m.varied for call in m.stack[::2]):
        m.settings_tried[serial] = around


def _names_given(call: ast.AST) -> set[str]:
    """The names among the arguments of a call."""
    given = (*call.args, *(k.value for k in call.keywords)) if isinstance(call, ast.Call) else ()
    return {n.id for value in given for n in ast.walk(value) if isinstance(n, ast.Name)}


def in_line(m: Machine, item: Value, depth: int = 0) -> frozenset[Hashable]:
    """The models in what a loop meets, each of which stands for all that the list holds: `for alpha, tree in …`."""
    if not m.settings_tried:
        return frozenset()
    plain = m.plain(item)
    if isinstance(plain, Seq) and depth < _DEEPEST:
        return frozenset[Hashable]().union(*(in_line(m, inner, depth + 1) for inner in plain.items[:4]))
    return frozenset({plain.serial}) if isinstance(plain, Estimator) else frozenset()


def scored(m: Machine, node: ast.AST, shown: ast.AST, model: Estimator) -> None:
    """Write down that a model is scored whose setting a loop varied, as one of the line that it stands in."""
    around = m.settings_tried.get(model.serial) if m.settings_tried else None
    if around is None:
        return
    here = not set(m.gone_through).isdisjoint(around)
    if here or model.serial in m.line or _by_number(m, shown):
        m.trace.lined_up[m.site(node), model.serial] = around


def _by_number(m: Machine, shown: ast.AST) -> bool:
    """`trees[i].predict(X_test)`, where a loop gives the number."""
    match shown:
        case ast.Call(func=ast.Attribute(value=ast.Subscript(slice=ast.Name(id=place)))):
            return place in m.varied
    return False
