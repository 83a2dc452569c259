"""Tables of scores: which measure stands in which column, so that an order by one of them is no order by another.

Beside the score of the test part a table often holds that of a cross-validation, and it is by the latter that the best
model is chosen.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from assay.leakage.code.frames import table_columns
from assay.leakage.code.language.call import Call
from assay.leakage.code.state.machine import Machine, united
from assay.leakage.code.state.rows import NO_ROWS
from assay.leakage.code.state.values import UNKNOWN, WITHOUT_ROWS, Columns, Data, Mapping, Prediction, Seq, Shape, Value
from assay.libraries.catalogue import names_of
from assay.libraries.row import Group
from assay.records import replace

_DEEPEST = 3


def of_records(m: Machine, records: Value | None) -> Data | None:
    """`pd.DataFrame([{"model": name, "f1": f1}, …])`, or a dict of such dicts by the names of the models.

    Of a dict of dicts either names the columns, for such tables are often turned (`.T`). None where the records hold
    rows, and not each of them is a line of a table of scores.
    """
    whole = m.data(records)
    entries = _records(m, records)
    if not entries or not whole.predictions:
        return None
    if whole.rows and not _of_one_table(m, [record for _, record in entries]):
        return None
    cells = [
        (name, m.plain(value))
        for outer, record in entries
        for key, value in record.items
        for name in (outer, key)
        if isinstance(name, str)
    ]
    told = replace(whole, rows=NO_ROWS, shape=Shape.TABLE, columns=Columns(frozenset(name for name, _ in cells)))
    return replace(told, noted=frozenset((name, p) for name, value in cells for p in _scores_in(m, value)))


def _scores_in(m: Machine, value: Value) -> frozenset[Prediction]:
    """The predictions that a cell is a score of."""
    data = UNKNOWN if isinstance(value, WITHOUT_ROWS) else m.data(value)
    return UNKNOWN.predictions if data.rows else data.predictions


def _of_one_table(m: Machine, records: list[Mapping]) -> bool:
    """Whether each record holds a score, or says of a mere guess what others say of a model: lines of one table."""
    names = [frozenset(key for key, _ in record.items) for record in records]
    scored = [any(_is_score(m, v) for _, v in record.items) for record in records]
    judged = {keys for keys, is_scored in zip(names, scored, strict=True) if is_scored}
    return bool(judged) and all(is_scored or keys in judged for keys, is_scored in zip(names, scored, strict=True))


def _is_score(m: Machine, value: Value) -> bool:
    return not isinstance(m.plain(value), WITHOUT_ROWS) and m.data(value).is_score


def _records(m: Machine, value: Value | None) -> list[tuple[object, Mapping]]:
    """The dicts of a list or of a dict, each with its name, if it has one; none where there is anything else."""
    match None if value is None else m.plain(value):
        case Mapping(items=named):
            inner: list[tuple[object, Value]] = [(key, m.plain(entry)) for key, entry in named]
        case Seq(items=listed):
            inner = [(None, m.plain(entry)) for entry in listed]
        case _:
            inner = []
    dicts = [(key, entry) for key, entry in inner if isinstance(entry, Mapping)]
    return dicts if len(dicts) == len(inner) else []


def judged_by(c: Call) -> Data | None:
    """The scores that the best is asked for by, where one of several measures is named; None where none is."""
    key = next((k.value.body for k in c.node.keywords if k.arg == "key" and isinstance(k.value, ast.Lambda)), None)
    measure = None if key is None else _measure(key)
    if key is None or measure is None:
        return _by_column(c, c.m.plain(c.receiver))
    found = [c.m.data(entry) for value in _looked_into(c, key) for entry in _under(c.m, value, measure)]
    return united(found) if found else None


def _looked_into(c: Call, key: ast.expr) -> Iterator[Value]:
    """What the best is asked for among, and what the key names."""
    named = (c.m.scope.find(n.id) for n in ast.walk(key) if isinstance(n, ast.Name))
    return (value for value in (c.receiver, *c.args, *named) if value is not None)


def _by_column(c: Call, table: Value) -> Data | None:
    """The scores in the column that a table of scores is put in order by."""
    if not isinstance(table, Data) or table.rows or not table.noted:
        return None
    last = c.name.rpartition(".")[2]
    names = c.m.names(c.value(1, "columns") if last in names_of(Group.COUNT_FIRST) else c.value(0, "by"))
    return table_columns.with_columns(table, names) if names else None


def _measure(body: ast.expr) -> str | None:
    """`-entry["f1"]`, `entry[1].get("f1")`: the name by which a key asks for its number."""
    match body:
        case ast.UnaryOp(operand=inner):
            return _measure(inner)
        case ast.Subscript(slice=ast.Constant(value=str(name))):
            return name
        case ast.Call(func=ast.Attribute(attr="get"), args=[ast.Constant(value=str(name)), *_]):
            return name
    return None


def _under(m: Machine, value: Value, name: str, depth: int = 0) -> Iterator[Value]:
    """What the dicts in a list or a dict hold under one name."""
    plain = m.plain(value)
    if depth > _DEEPEST or not isinstance(plain, Mapping | Seq):
        return
    found = plain.get(name) if isinstance(plain, Mapping) else None
    if found is not None:
        yield found
        return
    for inner in plain.items if isinstance(plain, Seq) else (entry for _, entry in plain.items):
        yield from _under(m, inner, name, depth + 1)
