"""How one part of the interpreter asks the whole of it, without importing what lies above."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from assay.leakage.code.state.values import Data, Function, Value
from assay.records import dataclass

if TYPE_CHECKING:
    from assay.leakage.code.state.machine import Machine


@dataclass(frozen=True, slots=True)
class Interpreter:
    """The ways into the interpreter. `Any` stands for a call with its arguments, which is defined further up."""

    evaluate: Callable[[Machine, ast.expr], Value]
    """The value of an expression."""
    execute: Callable[[Machine, Sequence[ast.stmt]], bool]
    """Follow statements; whether the next one is reached."""
    bind: Callable[[Machine, ast.expr, Value], None]
    """Give a value to a name, an attribute, an entry, or several of them."""
    apply: Callable[[Any, Value], Value]
    """Call a value of any sort."""
    follow: Callable[[Any, Function], Value]
    """Call a function of the audited code."""
    pass_through: Callable[[Any, Data], Value]
    """A call of unknown effect."""
