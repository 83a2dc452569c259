"""Whether a condition holds by default, as far as the values in it are known."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable

from assay.patterns import regex
from assay.repository.randomness.facts import State
from assay.repository.randomness.values import UNKNOWN, Value, written

_COMPARISONS: dict[type[ast.cmpop], Callable[[object, object], object]] = {
    ast.Is: operator.eq,
    ast.IsNot: operator.ne,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,  # type: ignore[dict-item]  # what cannot be compared raises, and is caught
    ast.LtE: operator.le,  # type: ignore[dict-item]
    ast.Gt: operator.gt,  # type: ignore[dict-item]
    ast.GtE: operator.ge,  # type: ignore[dict-item]
    ast.In: lambda a, b: a in b,  # type: ignore[operator]
    ast.NotIn: lambda a, b: a not in b,  # type: ignore[operator]
}
_HARDWARE = regex(
    r"cuda|gpu|device|distributed|rank|world_size|is_main|is_available|backends|mps|hasattr", re.IGNORECASE
)
_LONGEST = 1000
_TRAINING = regex(r"(?<![a-z])(?:do|is|run|if)?_?(?:pre|re)?train(?:ing)?(?![a-z])", re.IGNORECASE)
_ABOUT_SEEDS = regex(r"seed|determin|reprod|random|debug|fix", re.IGNORECASE)


def holds(test: ast.expr, value_of: Callable[[ast.expr], Value]) -> bool | None:
    """Whether a condition holds; None if that is unknown. Conditions on hardware are taken to hold."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        inner = None if on_hardware(test) else holds(test.operand, value_of)
        return None if inner is None else not inner
    if isinstance(test, ast.BoolOp):
        parts = [holds(v, value_of) for v in test.values]
        decisive = isinstance(test.op, ast.Or)
        if decisive in parts:
            return decisive
        return None if None in parts else not decisive
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        return _compared(test, value_of)
    if isinstance(test, ast.Call) and isinstance(test.func, ast.Name) and test.func.id == "isinstance" and test.args:
        found = value_of(test.args[0])
        return None if found.constant is UNKNOWN else found.constant is not None
    found = value_of(test)
    if found.constant is UNKNOWN:
        return True if found.state in {State.VARYING, State.GIVEN} else None
    return bool(found.constant)


def on_hardware(test: ast.expr) -> bool:
    """Whether a condition is about the machine: devices, processes, what is installed."""
    return _HARDWARE.search(written(test, _LONGEST)) is not None


def asks_to_train(test: ast.expr) -> bool:
    """Whether a condition is the wish to train, as `args.do_train` or `mode == "train"`: without it there is no run."""
    text = written(test, _LONGEST)
    return _TRAINING.search(text) is not None and _ABOUT_SEEDS.search(text) is None


def is_switch(test: ast.expr) -> bool:
    """Whether a condition is a bare option, as `args.debug`; a comparison chooses between kinds of runs."""
    return isinstance(test, ast.Attribute | ast.Name) and not asks_to_train(test) and not on_hardware(test)


def is_transparent(test: ast.expr) -> bool:
    """Whether a condition of unknown value has nothing to do with seeds."""
    return _ABOUT_SEEDS.search(written(test, _LONGEST)) is None or on_hardware(test)


def _compared(test: ast.Compare, value_of: Callable[[ast.expr], Value]) -> bool | None:
    left, right = value_of(test.left), value_of(test.comparators[0])
    kind = type(test.ops[0])
    if right.constant is None and left.constant is UNKNOWN:
        known = left.state in {State.VARYING, State.GIVEN, State.FIXED, State.DEFAULT}
        return None if not known else kind in {ast.IsNot, ast.NotEq}
    if UNKNOWN in (left.constant, right.constant):
        return None
    try:
        return bool(_COMPARISONS[kind](left.constant, right.constant))
    except TypeError:
        return None
