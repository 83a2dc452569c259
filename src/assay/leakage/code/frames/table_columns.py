"""The columns of a table: one or some of them, the others, and those that are given a value."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from assay.leakage.code.learnt.kinds import as_bound
from assay.leakage.code.state.machine import Machine, united
from assay.leakage.code.state.provenance import is_table
from assay.leakage.code.state.texts import fits_pattern, text_of
from assay.leakage.code.state.values import (
    SOME_COLUMNS,
    UNKNOWN,
    Columns,
    Const,
    Data,
    Kind,
    Library,
    Mark,
    Marks,
    Prediction,
    Shape,
    Value,
)
from assay.records import replace

_CHOSEN = frozenset({Kind.SELECT, Kind.VARIANCE})


def column(m: Machine, value: Data, name: str, node: ast.AST) -> Data:
    """One column of a table."""
    if value.shape is Shape.SUMMARY:
        return value
    if value.shape is Shape.COLUMN and value.columns.only is not None:
        return value
    said = any(name == known for known, _ in value.noted)
    for part in () if said else value.rows:  # what a model says is no column that the table has
        m.trace.mentioned.setdefault((part.origin, name), m.site(node))
    chosen = with_columns(value, frozenset({name}))
    return chosen if value.shape is Shape.GROUPED else replace(chosen, shape=Shape.COLUMN)


def may_have(m: Machine, table: Data, name: str) -> bool:
    """Whether `table.name = x` changes a column: pandas makes no new one by an attribute."""
    if table.shape is not Shape.TABLE:
        return True
    listed = name in table.columns.only if table.columns.only is not None else False
    return listed or any((part.origin, name) in m.trace.mentioned for part in table.rows)


def with_columns(value: Data, names: frozenset[str]) -> Data:
    """Some columns, with what was learnt for these, and what models said that stands in these."""
    marks = frozenset(k for k in value.marks if k.into is None or k.into & names or fits_pattern(k.into, names))
    said = frozenset(p for name, p in value.noted if names == {name} or (name in names and not value.rows))
    others = frozenset() if _beside_predictions(value, names) or _measures(value, names) else value.predictions
    return replace(value, columns=Columns(names), marks=marks, predictions=others | said)


def got(m: Machine, table: Data, asked: Value) -> Data | None:
    """`table.get(names)`, as `table[names]`: these columns, or some that nobody knows; None where no table is asked."""
    if table.shape is not Shape.TABLE or not table.rows or isinstance(m.plain(asked), Const):
        return None
    names = m.names(asked)
    return replace(table, columns=SOME_COLUMNS) if names is None else with_columns(table, names)


def _beside_predictions(value: Data, names: frozenset[str]) -> bool:
    """Whether these columns of a table stand beside others, and those are known to hold all that models said."""
    noted = {name for name, _ in value.noted}
    return value.shape is Shape.TABLE and not names & noted and value.predictions <= {p for _, p in value.noted}


def _measures(value: Data, names: frozenset[str]) -> bool:
    """Whether these are columns of a table of scores of which it is known whose scores stand in which."""
    noted = {name for name, _ in value.noted}
    return not value.rows and bool(names & noted) and value.predictions <= {p for _, p in value.noted}


def without_columns(value: Data, names: frozenset[str] | None) -> Data:
    """A table without some columns; None when it is not known which."""
    if names is None:
        return replace(value, columns=replace(value.columns, sure=False, only=None))
    marks = frozenset(k for k in value.marks if k.into is None or any(_stays(name, names) for name in k.into))
    columns = value.columns
    only = None if columns.only is None else columns.only - names
    return replace(value, marks=marks, columns=replace(columns, only=only, without=columns.without | names))


def _stays(name: str, dropped: frozenset[str]) -> bool:
    """Whether a column, or what a pattern such as `points*` stands for, is not among those that go."""
    return name not in dropped and name.removesuffix("*") not in dropped


def assigned(
    m: Machine,
    base: Data,
    names: frozenset[str] | None,
    value: Value,
    node: ast.AST,
    *,
    pattern: str | None = None,
    partly: bool = False,
) -> Data:
    """The table after `base[names] = value`; of names that are not known a pattern may be.

    Where only some rows are given the value (`partly`), the others keep what they know.
    """
    given = m.data(value) if not isinstance(m.plain(value), Const | Library) else UNKNOWN
    into = frozenset({pattern}) if names is None and pattern is not None else names
    after = replace(
        base if base.rows else united([base, given]),
        marks=base.marks if partly or names is None else _not_overwritten(base, given, names),
        predictions=base.predictions | (frozenset() if base.shape is Shape.TABLE else given.predictions),
        via=base.via | given.via,
        noted=_noted(base, given, names or frozenset()),
        columns=base.columns if names is None else _with_names(base.columns, names),
    )
    after = after.marked(*_traces_of(base, given, into, named=names is not None))
    return after if names is None else after.marked(*_origins_of(m, base, given, names, node))


def _traces_of(base: Data, given: Data, into: frozenset[str] | None, *, named: bool) -> Marks:
    """What the values that columns are given know, as a trace in these columns."""
    known = frozenset(map(as_bound, given.marks)) if given.shape is Shape.MASK else given.marks
    if not named and base.rows:  # columns that were chosen to be changed: the others stay beside them
        known = frozenset(k for k in known if k.kind not in _CHOSEN)
    return known if into is None else frozenset(replace(k, into=into) for k in known)


def _not_overwritten(base: Data, given: Data, names: frozenset[str]) -> Marks:
    """What a table knows but for columns that are given other values."""
    if given.marks & base.marks:
        return base.marks
    return frozenset(k for k in base.marks if k.into is None or not k.into <= names)


def _noted(base: Data, given: Data, names: frozenset[str]) -> frozenset[tuple[str, Prediction]]:
    """Which columns hold what models said."""
    kept = frozenset((name, p) for name, p in base.noted if name not in names)
    told = given.predictions if base.shape is Shape.TABLE else frozenset()
    return kept | {(name, p) for name in names for p in told}


def _with_names(columns: Columns, names: frozenset[str]) -> Columns:
    only = None if columns.only is None else columns.only | names
    return replace(columns, only=only, without=columns.without - names)


def _origins_of(m: Machine, base: Data, given: Data, names: frozenset[str], node: ast.AST) -> Iterator[Mark]:
    """What columns were made of; what a model says is no column that the table has, so it is not written down."""
    for part in () if given.predictions else base.rows:
        for name in sorted(names):
            m.trace.mentioned.setdefault((part.origin, name), m.site(node))
    sources = (given.columns.only or frozenset()) - names
    if sources:
        yield Mark(Kind.DERIVED, text_of(node), m.site(node), columns=sources, into=names)
    if _is_of_another_file(base, given):
        yield Mark(Kind.FILLED, text_of(node), m.site(node), given.rows, into=names)


def _is_of_another_file(base: Data, given: Data) -> bool:
    """Whether the values of a column were read from another file than the table."""
    origins = {part.origin for part in base.rows}
    read = bool(given.rows) and all(map(is_table, given.rows))
    return read and bool(origins) and origins.isdisjoint(part.origin for part in given.rows)
