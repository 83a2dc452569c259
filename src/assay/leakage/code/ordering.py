"""Time: lags, windows, indices, order."""

from __future__ import annotations

import re
from dataclasses import replace

from assay.leakage.code import selecting
from assay.leakage.code.call import Call, in_place, kept
from assay.leakage.code.machine import united
from assay.leakage.code.values import (
    Kind,
    Mark,
    Shape,
    Value,
)
from assay.patterns import regex

_TIME_NAME = regex(r"(?:^|_)(date|datetime|time|timestamp|day|month|year|ds)(?:$|_)|Date|Time", re.IGNORECASE)


def shift(c: Call) -> Value:
    """Values of earlier rows (a lag), or of later ones (looking ahead)."""
    amount = c.constant(0, "periods", "n", default=1)
    ahead = isinstance(amount, int | float) and amount < 0
    kind = Kind.LOOK_AHEAD if ahead else Kind.LAG
    mark = Mark(kind, f"{c.name}({amount})", c.site, columns=c.base.columns.only or frozenset())
    shape = Shape.COLUMN if c.base.shape is Shape.GROUPED else c.base.shape
    return replace(c.base, shape=shape).marked(mark) if c.base.rows else c.base


def rolling(c: Call) -> Value:
    """A window of the past, or a centred one that looks ahead."""
    centred = c.constant(-1, "center") is True
    mark = Mark(Kind.LOOK_AHEAD if centred else Kind.LAG, c.name, c.site, columns=c.base.columns.only or frozenset())
    return replace(c.base, shape=Shape.ROLLING).marked(mark) if c.base.rows else c.base


def to_time(c: Call) -> Value:
    """Values become points in time, or rows periods."""
    m = c.m
    if not c.base.rows:
        return kept(c)
    if c.name in {"resample", "asfreq"}:
        return replace(c.base, shape=Shape.ROLLING).marked(Mark(Kind.TIME, f"`{c.name}` over time", c.site))
    return c.base.marked(Mark(Kind.TIME, c.name, m.site(c.node), columns=c.base.columns.only or frozenset()))


def index_by(c: Call) -> Value:
    """A column becomes the index: perhaps that of a time series."""
    names = c.m.names(c.value(0, "keys")) or frozenset()
    times = {n for k in c.base.marks if k.kind is Kind.TIME for n in k.into or ()}
    result = selecting.without_columns(c.base, names) if names and c.constant(-1, "drop", default=True) else c.base
    given = united(c.all_data())
    if names & times or any(k.kind is Kind.TIME for k in given.marks) or any(_TIME_NAME.search(n) for n in names):
        result = result.marked(Mark(Kind.TIME, "a time index", c.site))
    return in_place(c, result)


def sort(c: Call) -> Value:
    """Rows in order; that they were sorted by time is written down."""
    names = c.m.names(c.value(0, "by")) or frozenset()
    times = {n for k in c.base.marks if k.kind is Kind.TIME for n in k.into or ()}
    if names & times:
        for part in c.base.rows:
            c.m.trace.sorted_by_time.setdefault(part.origin, c.site)
    if not c.base.rows:  # a table of scores: what stands in its order knows what it was put in order by
        names = names | (c.m.names(c.value(1, "columns")) or frozenset())
        ranked = [replace(k, into=None) for k in c.base.marks if k.into and k.into & names]
        return in_place(c, c.base.marked(*ranked))
    return in_place(c, c.base)
