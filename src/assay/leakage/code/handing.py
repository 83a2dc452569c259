"""Functions of the audited code that are handed to somebody else to call: a process, a pool, an optimiser."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.leakage.code import functions
from assay.leakage.code.call import Call
from assay.leakage.code.values import Function, Mapping, Seq, Value

if TYPE_CHECKING:
    from assay.leakage.code.machine import Machine

_WITH_THE_REST = frozenset({"submit", "run_in_executor", "apply_async"})
"""These call their function with the arguments that follow it."""


def hand_over(c: Call) -> None:
    """Follow every function among the arguments, with the arguments it will be given as far as the call tells them."""
    m = c.m
    target = m.plain(c.keywords["target"]) if "target" in c.keywords else None
    if isinstance(target, Function):
        _follow(c, target, _listed(m, c.keywords.get("args")), _named(m, c.keywords.get("kwargs")))
    for position, value in enumerate(c.args):
        function = m.plain(value)
        if isinstance(function, Function) and function.node not in m.called:
            rest = c.args[position + 1 :] if c.name in _WITH_THE_REST else []
            unpacked = _listed(m, rest[0]) if c.name == "apply_async" and rest else rest
            _follow(c, function, unpacked, c.keywords if c.name == "submit" else {})


def _follow(c: Call, function: Function, args: list[Value], keywords: dict[str, Value]) -> None:
    functions.call_function(Call(c.m, c.node, c.name, args, keywords), function)


def _listed(m: Machine, value: Value | None) -> list[Value]:
    plain = None if value is None else m.plain(value)
    return list(plain.items) if isinstance(plain, Seq) else []


def _named(m: Machine, value: Value | None) -> dict[str, Value]:
    plain = None if value is None else m.plain(value)
    return {k: v for k, v in plain.items if isinstance(k, str)} if isinstance(plain, Mapping) else {}
