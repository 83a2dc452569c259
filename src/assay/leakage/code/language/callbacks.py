"""Functions of the audited code that are handed to somebody else to call: a process, a pool, an optimiser."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from assay.leakage.code.language.call import Call
from assay.leakage.code.scored import choices
from assay.leakage.code.state.machine import Machine
from assay.leakage.code.state.values import Function, Instance, Mapping, Seq, Value
from assay.libraries.catalogue import names_of
from assay.libraries.row import Group
from assay.records import replace

_OBJECTIVES = frozenset({"obj_func", "objective", "objective_function", "fitness", "fitness_function", "_evaluate"})


def hand_over(c: Call) -> None:
    """Follow every function among the arguments, with the arguments it will be given as far as the call tells them.

    An optimiser asks for what the function gives again and again, and keeps the best.
    """
    target = c.m.plain(c.keywords["target"]) if "target" in c.keywords else None
    if isinstance(target, Function):
        _follow(c, target, _items_of(c.m, c.keywords.get("args")), _entries_of(c.m, c.keywords.get("kwargs")))
    for position, value in enumerate(c.args):
        function = c.m.plain(value)
        if isinstance(function, Function) and function.node not in c.m.called:
            keywords = c.keywords if c.name == "submit" else {}
            once = position == 0 and c.name.rpartition(".")[2] in names_of(Group.RUNS_THE_FIRST)
            _follow(c, function, _given_on(c, position), keywords, once=once)
    for function in (*_by_name(c), *_objectives(c)):
        _follow(c, function, [], {})


def _given_on(c: Call, position: int) -> list[Value]:
    """What a call gives on to the function at this place among its arguments."""
    rest = c.args[position + 1 :] if c.name in names_of(Group.PASSES_THE_REST) else []
    return _items_of(c.m, rest[0]) if c.name == "apply_async" and rest else rest


def decorates(c: Call) -> bool:
    """`tracked(every=5)(objective)`: what a call gave makes another of a function, that does the same and more."""
    alone = len(c.args) == 1 and not c.keywords and isinstance(c.node.func, ast.Call)
    return alone and isinstance(c.m.plain(c.args[0]), Function)


def stages_before(c: Call) -> None:
    """Follow the other functions of `{"prepare": prepare, "train": train}[sys.argv[1]]()`, in their order.

    The last is the one that is then called: a program in stages is run for each of them, one after the other.
    """
    func = c.node.func
    if not isinstance(func, ast.Subscript) or c.args or c.keywords:
        return
    table = c.m.plain(c.m.evaluate(func.value))
    if not isinstance(table, Mapping) or c.m.constant(c.m.evaluate(func.slice)) is not None:
        return
    for stage in (c.m.plain(value) for _, value in table.items[:-1]):
        if isinstance(stage, Function) and stage.node not in c.m.called:
            c.follow(stage)


def _by_name(c: Call) -> Iterator[Function]:
    """Functions given under a name, be it in a description of the problem: `{"fit_func": fitness, "lb": 0}`."""
    given = [value for name, value in c.keywords.items() if name != "target"]
    described = [m for m in map(c.m.plain, (*c.args, *given)) if isinstance(m, Mapping)]
    for value in (*given, *(value for mapping in described for _, value in mapping.items)):
        function = c.m.plain(value)
        if isinstance(function, Function):
            yield function


def _objectives(c: Call) -> Iterator[Function]:
    """The function that a described problem is scored by: `optimiser.solve(problem)`."""
    for value in c.args:
        problem = c.m.plain(value)
        members = problem.cls.members if isinstance(problem, Instance) else {}
        for name in _OBJECTIVES & members.keys():
            function = members[name]
            if isinstance(function, Function) and function.node not in c.m.called:
                yield replace(function, bound=value)


def _follow(c: Call, function: Function, args: list[Value], keywords: dict[str, Value], *, once: bool = False) -> None:
    result = Call(c.m, c.node, c.name, args, keywords).follow(function)
    if not once and c.name.rpartition(".")[2] not in names_of(Group.RUNNERS):
        choices.optimised(c, c.m.data(result))


def _items_of(m: Machine, value: Value | None) -> list[Value]:
    plain = None if value is None else m.plain(value)
    return list(plain.items) if isinstance(plain, Seq) else []


def _entries_of(m: Machine, value: Value | None) -> dict[str, Value]:
    plain = None if value is None else m.plain(value)
    return {k: v for k, v in plain.items if isinstance(k, str)} if isinstance(plain, Mapping) else {}
