"""Where one score is kept because it beats another: `if score > best:`, in whatever way it is written."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from assay.leakage.code.effects import Role
from assay.leakage.code.scored import choices, scoring
from assay.leakage.code.scored.search_loops import inside
from assay.leakage.code.state.events import OWN_MEASURE, Choice
from assay.leakage.code.state.machine import Machine, united
from assay.leakage.code.state.texts import text_of
from assay.leakage.code.state.values import UNKNOWN, Data, Kind, Library, Mark, Prediction, Value
from assay.libraries.catalogue import names_of
from assay.libraries.row import Group


def preferred(m: Machine, node: ast.If | ast.IfExp, asked: dict[ast.expr, Value]) -> None:
    """`if score > best:` and something is kept. A score beside a written number is only a remark on it.

    The outcome may have a name, or be what a call says that was `asked`: `if is_better(score):`.
    """
    if isinstance(node, ast.IfExp) and choices.drawn(m.source.tree, node):
        return
    for test, sides in _comparisons(node):
        if not any(isinstance(side, ast.Constant | ast.UnaryOp) for side in sides) and not _of_itself(*sides):
            _beside(m, node, test, sides)
    for part in _conditions(node.test) if isinstance(node, ast.If) and _keeps(node) else ():
        named = isinstance(part, ast.Name | ast.Attribute)
        _told_better(m, part, _data(m, part) if named else m.data(asked.get(part)))


def _told_better(m: Machine, part: ast.expr, outcome: Data) -> None:
    """A condition that says which of two scores is better."""
    if any(k.kind is Kind.BETTER for k in outcome.marks):
        scores = [outcome] if outcome.is_score else _judging(m, part, [outcome])
        if scores:
            _compared(m, part, scores)


def _beside(m: Machine, node: ast.If | ast.IfExp, test: ast.Compare, sides: list[ast.expr]) -> None:
    """Two sides of a comparison, of which one is a score, or both are."""
    found = [_data(m, side) for side in sides]
    scores = [data for data in found if data.is_score] or _best_so_far(m, node, sides, found)
    if scores and (len(scores) == 2 or _keeps(node)) and not _row_by_row(m, node, scores):
        _compared(m, test, scores)


def _best_so_far(m: Machine, node: ast.If | ast.IfExp, sides: list[ast.expr], found: list[Data]) -> list[Data]:
    """What rounds of training are judged by, where an own measure says how good the network is after each of them.

    A condition asks for one number, so whatever predictions went into it were summed up on the way.
    """
    return _judging(m, node.test, found) if _renewed(node).intersection(map(text_of, sides)) else []


def _judging(m: Machine, test: ast.expr, found: list[Data]) -> list[Data]:
    judging = [data.summary for data in found if any(_trained_meanwhile(m, p) for p in data.predictions)]
    for data in judging:
        scoring.evaluate_predictions(m, test, data, OWN_MEASURE)
    return judging


def _trained_meanwhile(m: Machine, said: Prediction) -> bool:
    """Whether a loop around goes on training the network that said this."""
    around = set(m.loops)
    network = said.model.effect.role is Role.NETWORK
    return network and any(not around.isdisjoint(fit.loops) for fit in said.model.fits)


def _compared(m: Machine, test: ast.expr, scores: list[Data]) -> None:
    which = bool(m.loops or m.rounds)
    m.trace.add(Choice(m.site(test), united(scores).predictions, "comparison", which=which, loops=m.loops))


def better(m: Machine, node: ast.AST, outcome: Data, sides: list[ast.expr]) -> Data:
    """What tells which of two scores is better, `score > best`, says so. A written bound is only a remark."""
    written = any(isinstance(side, ast.Constant | ast.UnaryOp) for side in sides)
    judged = bool(outcome.predictions) and not written
    return outcome.marked(Mark(Kind.BETTER, "better", m.site(node))) if judged else outcome


def _row_by_row(m: Machine, node: ast.If | ast.IfExp, scores: list[Data]) -> bool:
    """Whether the loop goes through the rows that one model was asked about: the row that it met best is no choice.

    The state that a network had at its best batch is one, for at the next it may have learnt more.
    """
    loop = m.loops[-1] if m.loops else None
    if not isinstance(loop, ast.For) or any(
        isinstance(n, ast.Attribute) and n.attr == "columns" for n in ast.walk(loop.iter)
    ):
        return False
    judged = united(scores).predictions
    if _keeps_a_state(node) or any(inside(fit.site.node, loop) for p in judged for fit in p.model.fits):
        return False
    gone_through = [m.scope.find(n.id) for n in ast.walk(loop.iter) if isinstance(n, ast.Name)]
    held = [value for v in gone_through if v is not None and isinstance(value := m.plain(v), Data)]
    return any((d.predictions or any(d.rows and d.rows == p.rows for p in judged)) for d in held)


def _of_itself(one: ast.expr, other: ast.expr) -> bool:
    """`matrix[i, j] > matrix.max() / 2`: a cell beside the whole that it is of, to colour it."""
    for part, bound in ((one, other), (other, one)):
        whole = {n.id for n in ast.walk(bound) if isinstance(n, ast.Name)}
        if isinstance(part, ast.Subscript) and isinstance(part.value, ast.Name) and part.value.id in whole:
            return any(isinstance(n, ast.BinOp) for n in ast.walk(bound))
    return False


def _data(m: Machine, node: ast.expr) -> Data:
    value = m.evaluate(node)
    return UNKNOWN if isinstance(m.plain(value), Library) else m.data(value)


def _conditions(test: ast.expr) -> list[ast.expr]:
    return test.values if isinstance(test, ast.BoolOp) else [test]


def _comparisons(node: ast.If | ast.IfExp) -> Iterator[tuple[ast.Compare, list[ast.expr]]]:
    """What a condition holds against what; `best - loss > 0.001`, where `best` is then renewed, as `best > loss`."""
    for part in _conditions(node.test):
        match part:
            case ast.Compare(left=ast.BinOp(left=one, op=ast.Sub(), right=other), comparators=[ast.Constant()]) if (
                isinstance(part.ops[0], choices.ORDERED) and {text_of(one), text_of(other)} & _renewed(node)
            ):
                yield part, [one, other]
            case ast.Compare() if isinstance(part.ops[0], choices.ORDERED):
                yield part, [part.left, part.comparators[0]]


def _renewed(node: ast.If | ast.IfExp) -> set[str]:
    """What either branch gives another value."""
    branches = [*node.body, *node.orelse] if isinstance(node, ast.If) else []
    assigned = (n for statement in branches for n in ast.walk(statement) if isinstance(n, ast.Assign))
    return {text_of(target) for assignment in assigned for target in assignment.targets}


def _keeps(node: ast.If | ast.IfExp) -> bool:
    """Whether the better one is remembered, stored or shown."""
    if isinstance(node, ast.IfExp):
        return True
    inside_it = (inner for statement in node.body for inner in ast.walk(statement))
    return any(
        isinstance(n, ast.Assign) or (isinstance(n, ast.Call) and _called(n).startswith(tuple(names_of(Group.KEPT))))
        for n in inside_it
    )


def _keeps_a_state(node: ast.If | ast.IfExp) -> bool:
    """`if loss < best: torch.save(network.state_dict(), path)`: whether the network is kept as it is then."""
    body = node.body if isinstance(node, ast.If) else []
    calls = (n for statement in body for n in ast.walk(statement) if isinstance(n, ast.Call))
    return any(_called(call) in names_of(Group.STATES) for call in calls)


def _called(call: ast.Call) -> str:
    """`save` of `torch.save(…)`, `save_checkpoint` of `save_checkpoint(…)`."""
    return text_of(call.func).rpartition(".")[2]
