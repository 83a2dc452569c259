"""What becomes of a seed in a run: along every way to it, its value and the conditions on it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from assay.records import dataclass
from assay.repository.randomness.bindings import Condition
from assay.repository.randomness.conditions import asks_to_train, is_transparent, on_hardware
from assay.repository.randomness.facts import Framework, State
from assay.repository.randomness.frames import Frame
from assay.repository.randomness.resolver import Resolver
from assay.repository.randomness.roles import Argument, Row
from assay.repository.randomness.table import HELPER
from assay.repository.randomness.units import Hit, Kind, Unit
from assay.repository.randomness.values import Value, written

_MAX_DEPTH = 6
MAX_WAYS = 12


@dataclass(frozen=True, slots=True)
class Outcome:
    """The best that a seed comes to, with the condition that keeps it from being set if there is one."""

    value: Value
    guard: str = ""

    @property
    def state(self) -> State:
        """How fixed the seed is."""
        return State.GUARDED if self.guard else self.value.state


def outcome(hit: Hit, resolver: Resolver, alone: bool = False) -> Outcome | None:
    """The best over all ways that lead to a seed (`alone`: without callers); None when the call does not seed."""
    best: Outcome | None = None
    for frame in [Frame(hit.unit)] if alone else ways(hit.unit, resolver):
        value = seed_value(hit, frame, resolver)
        if value.state is State.MISSING:
            return None
        known = value.state is not State.UNKNOWN
        found = Outcome(value, guard_of(hit.node, frame, resolver) if known else "")
        if best is None or found.state.rank < best.state.rank:
            best = found
        if best.state is State.FIXED:
            break
    return best


def ways(unit: Unit, resolver: Resolver) -> list[Frame]:
    """The frames in which a unit runs: one for each chain of calls that leads to it, up to a limit."""
    if unit not in resolver.ways:
        resolver.ways[unit] = list(islice(_frames(unit, resolver, ()), MAX_WAYS))
    return resolver.ways[unit]


def _frames(unit: Unit, resolver: Resolver, path: tuple[Unit, ...]) -> Iterator[Frame]:
    if unit.kind is not Kind.FUNCTION or unit in path or len(path) == _MAX_DEPTH:
        yield Frame(unit)
        return
    made_with = unit.around if unit.is_method and unit.name.startswith("__") else None
    called = False
    for at, call in resolver.sites(made_with or unit):
        for caller in _frames(at, resolver, (*path, unit)):
            called = True
            yield Frame(unit, call, caller)
    if called:
        return
    if unit.around is not None and unit.around.kind is Kind.FUNCTION:
        yield from (Frame(unit, None, around) for around in _frames(unit.around, resolver, (*path, unit)))
    else:
        yield Frame(unit)


def argument(node: ast.Call, wanted: Argument) -> ast.expr | None:
    """What a call gives for an argument; `Ellipsis` stands for what a `*` or `**` may hold."""
    for given in node.keywords:
        if given.arg == wanted.keyword:
            return given.value
    if wanted.position is not None:
        before = node.args[: wanted.position + 1]
        if any(isinstance(a, ast.Starred) for a in before):
            return ast.Constant(...)
        if len(before) > wanted.position:
            return before[wanted.position]
    return ast.Constant(...) if any(k.arg is None for k in node.keywords) else None


def seed_value(hit: Hit, frame: Frame, resolver: Resolver) -> Value:
    """The value that a call is given as its seed, or what leaving it out means."""
    row = hit.row
    given = argument(hit.node, row.seed) if row.seed is not None else None
    if given is None and row is HELPER:
        given = next((k.value for k in hit.node.keywords if "seed" in (k.arg or "")), None)
    if given is None:
        return _left_out(row)
    if isinstance(given, ast.Constant) and given.value is ...:
        return _spread_value(hit, frame, resolver)
    value = resolver.value(given, frame)
    if value.state is State.NONE and row.absent not in {State.NONE, State.MISSING}:
        return _left_out(row)
    return value


def _spread_value(hit: Hit, frame: Frame, resolver: Resolver) -> Value:
    """The seed among the settings that `**` hands over."""
    wanted = ast.Constant(hit.row.seed.keyword if hit.row.seed is not None else "")
    for given in (k.value for k in hit.node.keywords if k.arg is None):
        entry = ast.copy_location(ast.Subscript(given, wanted, ast.Load()), given)
        value = resolver.value(entry, frame)
        if value.state is not State.UNKNOWN:
            return value
    return Value(State.MISSING if hit.row.absent is State.MISSING else State.UNKNOWN, "…")


def _left_out(row: Row) -> Value:
    if row is HELPER:
        return Value(State.DEFAULT)
    return Value(row.absent, row.absent_value or "nothing")


def guard_of(node: ast.AST, frame: Frame, resolver: Resolver) -> str:
    """The first condition on the way that does not hold, or that is about seeds and of unknown value."""
    for condition, here in conditions_on_the_way(node, frame, resolver):
        holds = resolver.holds(condition, here)
        unclear = holds is None and not is_transparent(condition.test)
        if holds is False and condition.wanted and asks_to_train(condition.test):
            continue
        if (holds is False and not on_hardware(condition.test)) or unclear:
            text = written(condition.test, 120)
            return text if condition.wanted else f"not ({text})"
    return ""


def is_unconditional(node: ast.AST, frame: Frame, resolver: Resolver) -> bool:
    """Whether all conditions on the way hold for certain."""
    return all(resolver.holds(condition, here) for condition, here in conditions_on_the_way(node, frame, resolver))


def conditions_on_the_way(node: ast.AST, frame: Frame, resolver: Resolver) -> Iterator[tuple[Condition, Frame]]:
    """Every condition on the way to a node, with the frame to judge it in; the nearest first."""
    here: Frame | None = frame
    spot = node
    while here is not None:
        yield from ((condition, here) for condition in resolver.bindings(here.unit.path).conditions(spot))
        if here.call is None:
            break
        spot, here = here.call, here.caller


def settled(found: Outcome, controlled: frozenset[Framework]) -> Outcome:
    """A seed drawn from another stream is as good as that stream's own seed."""
    if found.value.drawn in controlled and found.value.state is State.VARYING:
        return replace(found, value=replace(found.value, state=State.DEFAULT))
    return found
