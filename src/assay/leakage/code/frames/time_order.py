"""Time: lags, windows, indices, order."""

from __future__ import annotations

import ast
import re

from assay.leakage.code.frames import table_columns
from assay.leakage.code.language.call import Call, in_place, kept, replace_call
from assay.leakage.code.scored.search_loops import inside
from assay.leakage.code.state.machine import united
from assay.leakage.code.state.texts import text_of
from assay.leakage.code.state.values import Const, Data, Function, Kind, Mark, Shape, Value
from assay.libraries.catalogue import names_of
from assay.libraries.row import Group
from assay.patterns import regex
from assay.records import replace

_CALENDAR = regex(
    r"(?:is_?)?(?:week_?day|day_?(?:type|name|of_?(?:week|month|year))|dow|month|year|week|hour|season|week_?end"
    r"|(?:public_?|school_?)?holidays?|(?:work(?:ing)?|school)_?day)(?:_(?:name|type|flag|number|of_year))?$",
    re.IGNORECASE,
)
_TIME_NAME = regex(r"(?:^|_)(date|datetime|time|timestamp|day|month|year|ds)(?:$|_)|Date|Time", re.IGNORECASE)


def shift(c: Call) -> Value:
    """Values of earlier rows (a lag), or of later ones (looking ahead)."""
    amount = c.constant(0, "periods", "n", default=1)
    ahead = isinstance(amount, int | float) and amount < 0 and not _in_a_calendar(c.base)
    kind = Kind.LOOK_AHEAD if ahead else Kind.LAG
    mark = Mark(kind, f"{c.name}({amount})", c.site, columns=c.base.columns.only or frozenset())
    shape = Shape.COLUMN if c.base.shape is Shape.GROUPED else c.base.shape
    if not c.base.rows:
        return c.base
    lags = [Mark(Kind.WINDOW, "lags, one after the other", c.site, c.base.rows)] if not ahead and _varied(c) else []
    return replace(c.base, shape=shape).marked(mark, *lags)


def _varied(c: Call) -> bool:
    """`for i in range(1, 8): table[f"before {i}"] = column.shift(i)`: each row holds a window of the series."""
    given = [*c.node.args[:1], *(k.value for k in c.node.keywords if k.arg == "periods")]
    loop = c.m.loops[-1] if c.m.loops else None
    moved = {n.id for amount in given for n in ast.walk(amount) if isinstance(n, ast.Name)} & c.m.varied
    return bool(moved) and isinstance(loop, ast.For) and _goes_on(c, loop.iter)


def _goes_on(c: Call, over: ast.expr) -> bool:
    """Whether a loop over numbers goes round often enough for a window, as far as is known."""
    if isinstance(over, ast.Call) and text_of(over.func) == "range":
        bounds = [c.m.constant(c.m.evaluate(bound)) for bound in over.args[:2]]
        first, last = (0, *bounds)[-2:]
        return not (isinstance(first, int) and isinstance(last, int)) or abs(last - first) >= _WINDOW
    listed = c.m.constant(c.m.evaluate(over)) if isinstance(over, ast.List | ast.Tuple | ast.Name) else None
    return isinstance(listed, list | tuple) and len(listed) >= _WINDOW


_WINDOW = 3
"""So many lags of a series are a window of it."""


def _in_a_calendar(column: Data) -> bool:
    """Whether what a column says of tomorrow is known today, as its name tells: a weekday, a holiday, the month."""
    names = column.columns.only
    return bool(names) and all(_CALENDAR.match(name) for name in names or ())


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


_DATE_NAME = regex(
    r"(?i:(?:^|_)(?:date|datetime|timestamp|dteday|day|week|month|quarter|season|year|ds)(?:$|_))|(?:^|[a-z])Date"
)


def is_end_of_time(c: Call, column: Data) -> bool:
    """Whether this is the first or the last of the dates: a place to count from, that tells nothing of the rows."""
    if c.name.rpartition(".")[2] not in names_of(Group.ENDS) or column.shape is Shape.GROUPED:
        return False
    names = column.columns.only or frozenset()
    return len(names) == 1 and all(map(_DATE_NAME.search, names))


def index_by(c: Call) -> Value:
    """A column becomes the index: perhaps that of a time series."""
    names = c.m.names(c.value(0, "keys")) or frozenset()
    times = {n for k in c.base.marks if k.kind is Kind.TIME for n in k.into or ()}
    result = table_columns.without_columns(c.base, names) if names and c.constant(-1, "drop", default=True) else c.base
    given = united(c.all_data())
    if names & times or any(k.kind is Kind.TIME for k in given.marks) or any(_TIME_NAME.search(n) for n in names):
        result = result.marked(Mark(Kind.TIME, "a time index", c.site))
    return in_place(c, result)


def sort(c: Call) -> Value:
    """Rows in order; that they were sorted by time is written down."""
    names = c.m.names(c.value(0, "by")) or frozenset()
    if not c.base.rows:  # a table of scores: what stands in its order knows what it was put in order by
        names = names | (c.m.names(c.value(1, "columns")) or frozenset())
        ranked = [replace(k, into=None) for k in c.base.marks if k.into and k.into & names]
        return in_place(c, c.base.marked(*ranked))
    if names & {n for k in c.base.marks if k.kind is Kind.TIME for n in k.into or ()}:
        for part in c.base.rows:
            c.m.trace.sorted_by_time.setdefault(part.origin, c.site)
    return in_place(c, c.base)


def summed_up(c: Call, data: Data) -> Data:
    """Each window or period as one value, a feature of it; what a function knows from elsewhere goes with that."""
    several = data.columns.only is None or len(data.columns.only) > 1
    values = replace(data, shape=Shape.TABLE if several else Shape.COLUMN)
    given = c.m.plain(c.value(0, "func") or Const(None))
    if not isinstance(given, Function):
        return values
    found = c.m.data(replace_call(c, [replace(data, shape=Shape.COLUMN)]).follow(given))
    return values.marked(*(k for k in found.marks - data.marks if k.rows and not inside(k.site.node, given.node)))
