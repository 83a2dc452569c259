"""Methods of lists and dicts."""

from __future__ import annotations

from assay.leakage.code.dividing import sorted_lists, versions, windows
from assay.leakage.code.language.call import Call
from assay.leakage.code.learnt import picked_columns, vocabularies
from assay.leakage.code.state.values import UNKNOWN, Const, Data, Kind, Mapping, Mark, Seq, Shape, Value
from assay.records import replace

_LONGEST = 60
_CHANNELS = 12
"""Slices side by side, as of the axes of a sensor, that a loop gathers as one."""


def method(c: Call, owner: Seq | Mapping) -> Value | None:
    """The result of a method of a list or dict; None when it is none of theirs."""
    if isinstance(owner, Mapping):
        return _of_dict(c, owner)
    return Const(None) if picked_columns.changed(c, owner) else _of_list(c, owner)


def _of_list(c: Call, owner: Seq) -> Value | None:
    m = c.m
    match c.name:
        case "append" | "add" if c.args:
            return _appended(c, owner)
        case "extend" if c.args:
            m.store(c.receiver, _extended(c, owner))
        case "insert" if len(c.args) > 1:
            m.store(c.receiver, Seq((*owner.items, m.boxed(c.args[1]))[:_LONGEST], owner.open))
        case "pop" if owner.items:
            return owner.items[-1]
        case "remove" if c.args:
            gone = m.constant(c.args[0])
            kept = tuple(i for i in owner.items if m.constant(i, default=UNKNOWN) != gone)
            m.store(c.receiver, Seq(kept, owner.open or len(kept) == len(owner.items)))
        case "sort" | "reverse" | "clear" | "index" | "count":
            return Data(shape=Shape.SUMMARY, marks=frozenset(picked_columns.telling(m.data(owner).marks)))
        case "copy":
            return owner
        case _:
            return None
    return Const(None)


def _appended(c: Call, owner: Seq) -> Value:
    m = c.m
    value = versions.within_one(m, _windowed(c, m.boxed(c.args[0])))
    value = sorted_lists.sorted_in(m, c.node.args[0], m.boxed(value)) if c.node.args else m.boxed(value)
    value = sorted_lists.kept_by_part(m, sorted_lists.kept_as_told(m, value)) if m.conditions else value
    if m.loops and value in owner.items:
        return UNKNOWN
    value = versions.added(m, c.node, owner, value)
    value = _queued(c, value) if owner.forgets and m.loops else value
    items = (*owner.items, value)
    is_open = owner.open or bool(m.loops) or len(items) > _LONGEST
    m.store(c.receiver, replace(owner, items=items[:_LONGEST], open=is_open))
    return Const(None)


def _extended(c: Call, owner: Seq) -> Seq:
    more = c.m.plain(c.args[0])
    if isinstance(more, Seq):
        return Seq(versions.put_together(c.m, c.node, owner, more)[:_LONGEST], owner.open or more.open)
    return Seq((*owner.items, c.args[0])[:_LONGEST], open=True)


def _windowed(c: Call, value: Value) -> Value:
    """Slices of one table that are gathered in a loop may overlap: `X.append(series[i:i + 20])`."""
    data = c.m.plain(value)
    if isinstance(data, Seq) and c.m.loops and len(data.items) <= _CHANNELS:
        return c.m.boxed(replace(data, items=tuple(_windowed(c, item) for item in data.items)))
    if isinstance(data, Mapping) and c.m.loops and len(data.items) <= _CHANNELS:
        return c.m.boxed(replace(data, items=tuple((key, _windowed(c, item)) for key, item in data.items)))
    if not (c.m.loops and isinstance(data, Data) and data.rows):
        return value
    gathered = windows.gathered(c.m, c.node, data, c.m.loops)
    return value if gathered is data else c.m.boxed(gathered)


def _queued(c: Call, value: Value) -> Value:
    """A row that a queue takes for its oldest: what it holds in each round is a window, and the next overlaps."""
    data = c.m.plain(value)
    if isinstance(data, Seq):
        return c.m.boxed(replace(data, items=tuple(_queued(c, item) for item in data.items)))
    if not isinstance(data, Data) or not data.rows:
        return value
    return c.m.boxed(data.marked(Mark(Kind.WINDOW, "sliding windows", c.site, data.rows)))


def _of_dict(c: Call, owner: Mapping) -> Value | None:
    m = c.m
    match c.name:
        case "items":
            return Seq(tuple(Seq((vocabularies.key_of(m, k, v), v)) for k, v in owner.items), owner.open)
        case "values":
            return Seq(tuple(v for _, v in owner.items), owner.open)
        case "keys":
            return Seq(tuple(vocabularies.key_of(m, k, v) for k, v in owner.items), owner.open)
        case "get" | "pop" | "setdefault" if c.args:
            return _entry(c, owner)
        case "update":
            more = m.plain(c.args[0]) if c.args else Mapping()
            merged = vocabularies.updated(c, owner)
            for key, value in (*(more.items if isinstance(more, Mapping) else ()), *c.keywords.items()):
                merged = merged.put(key, value)
            m.store(c.receiver, merged)
            return Const(None)
        case "copy":
            return owner
        case _:
            return None


def _entry(c: Call, owner: Mapping) -> Value:
    key = c.m.constant(c.args[0])
    word = vocabularies.looked_up(c.m, owner, c.args[0]) if key is None else None
    return word or owner.get(key) or (c.args[1] if len(c.args) > 1 else UNKNOWN)
