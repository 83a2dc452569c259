"""Rows that a condition written as text asks for: `table.query("age > 40")`."""

from __future__ import annotations

from assay.leakage.code.rows import Cut, Except, Interval
from assay.leakage.code.values import Data
from assay.patterns import regex

_CONDITION = regex(
    r"\s*`?(?P<column>[^\W\d]\w*)`?"
    r"\s*(?P<sign>==|!=|[<>]=?)"
    r"""\s*(?P<bound>-?[0-9]{1,15}(?:\.[0-9]{1,15})?|'[^']*'|"[^"]*")\s*"""
)


def queried(table: Data, condition: str) -> Data:
    """The rows where a column is held against a value that is written out; of other conditions nothing is known."""
    found = _CONDITION.fullmatch(condition)
    return table if found is None else table.cut(Cut(("column", found["column"]), _side(found["sign"], found["bound"])))


def _side(sign: str, written: str) -> str | Except | Interval:
    """The side of the division, as `table[table.age > 40]` has it."""
    bound = f"@{written[1:-1]}" if written[0] in "'\"" else float(written) if "." in written else int(written)
    if sign == "==":
        return str(bound)
    if sign == "!=":
        return Except(str(bound))
    return Interval(None, bound) if sign[0] == "<" else Interval(bound, None)
