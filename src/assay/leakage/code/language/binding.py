"""Giving values to names, attributes, items and patterns; and going through the items of a value."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from typing import NamedTuple

from assay.leakage.code.dividing import sides, sorted_lists, splits, windows
from assay.leakage.code.effects import Role
from assay.leakage.code.frames import masks, open_files, stacked_tables, subscripts, table_columns
from assay.leakage.code.learnt import picked_columns, vocabularies
from assay.leakage.code.learnt.kinds import COSTS, as_bound
from assay.leakage.code.models import labelling
from assay.leakage.code.state.machine import Machine
from assay.leakage.code.state.parts import holds_several, index_named, part_named
from assay.leakage.code.state.provenance import drawn_at_random
from assay.leakage.code.state.rows import NO_ROWS, Cut, OneOf, Rows, meet, whichever_way
from assay.leakage.code.state.texts import name_pattern
from assay.leakage.code.state.values import (
    ITEMS,
    NOTHING,
    UNKNOWN,
    Class,
    Const,
    Data,
    Estimator,
    Instance,
    Kind,
    Library,
    Mapping,
    Module,
    Ref,
    Seq,
    Shape,
    Value,
)
from assay.libraries.catalogue import names_of
from assay.libraries.row import Group
from assay.patterns import regex
from assay.records import replace

_LENGTH = regex(r"max\w*len|len\w*max|seq\w*len", re.IGNORECASE)


def as_length(name: str, value: Value) -> Value:
    """What is learnt of rows, but for a number under a name such as `MAX_LEN`."""
    if not isinstance(value, Data) or value.shape is not Shape.SUMMARY or value.rows or not value.marks:
        return value
    plain = all(mark.kind is Kind.STATISTIC for mark in value.marks if mark.kind in COSTS)
    return Data(shape=Shape.SUMMARY) if plain and _LENGTH.search(name) else value


_MASK = "named mask"


def bind(m: Machine, target: ast.expr, value: Value) -> None:
    """`target = value`."""
    match target:
        case ast.Name():
            m.scope.bind(target.id, m.boxed(m.on_this_way(called(m, target.id, value))))
        case ast.Tuple() | ast.List():
            _unpack(m, target, value)
        case ast.Starred():
            bind(m, target.value, value)
        case ast.Attribute():
            base = m.evaluate(target.value)
            set_attribute(m, base, target, m.boxed(m.on_this_way(called(m, target.attr, value))))
        case ast.Subscript():
            base = m.evaluate(target.value)
            _set_item(m, base, target, value)


def names_in(target: ast.expr) -> frozenset[str]:
    """The names that a target binds."""
    return frozenset(n.id for n in ast.walk(target) if isinstance(n, ast.Name))


def called(m: Machine, name: object, value: Value) -> Value:
    """A value that a variable or the key of a dict gives a name to: what the name says of its rows is written down."""
    if not isinstance(name, str):
        return value
    if part_named(name) == "test":
        m.trace.tests.update(_rows_meant(m, value))
    return told_by_name(m, name, as_length(name, _mask_named(m, name, value)))


def _mask_named(m: Machine, name: str, value: Value) -> Value:
    """`train_mask = day <= end`: a mask that bears the name of a part chooses rows that are in no other part.

    That is all: whether what it chooses is tested is another matter.
    """
    mask, meant = m.plain(value), index_named(name)
    if meant is None or not isinstance(mask, Data) or mask.shape is not Shape.MASK:
        return value
    named = any(cut.key == _MASK for cut in mask.cuts)
    return value if named else replace(mask, cuts=mask.cuts | {Cut(_MASK, OneOf(frozenset({meant})))})


def told_by_name(m: Machine, name: str, value: Value) -> Value:
    """Rows under a name such as `X_val` are meant for choosing; that is written down."""
    if part_named(name) == "val" and not _each_value(m, name):
        m.trace.validation.update(_rows_meant(m, value))
    return value


def _each_value(m: Machine, name: str) -> bool:
    """Whether `val` means a value: in `for bar, val in zip(bars, heights)`, but not in `for train, val in folds`."""
    return name == "val" and name in m.varied and all(part_named(other) != "train" for other in m.varied)


def _rows_meant(m: Machine, value: Value) -> Rows:
    """The rows under a name, if it is not what a model says about them: a table, a data set, columns by name."""
    plain = m.plain(value)
    if isinstance(plain, Mapping):
        whole = UNKNOWN if any(part_named(str(key)) for key, _ in plain.items) else m.data(plain)
    elif isinstance(plain, Instance):
        whole = m.data(plain) if ITEMS in dict(plain.attributes) else UNKNOWN
    else:
        whole = plain if isinstance(plain, Data) else UNKNOWN
    return NO_ROWS if whole.predictions else whichever_way(whole.rows)


def _unpack(m: Machine, target: ast.Tuple | ast.List, value: Value) -> None:
    whole, names = m.plain(value), target.elts
    items = _one_for_each(m, whole, names)
    for one, item in zip(names, items, strict=False):
        bind(m, one, item)
    if items:
        return
    if isinstance(whole, Seq):
        whole = m.plain(whole.items[0] if len(whole.items) == 1 else m.data(whole))
    for place, one in enumerate(names):
        bind(m, one, _piece(m, whole, one, place))


def _one_for_each(m: Machine, whole: Value, names: list[ast.expr]) -> Sequence[Value]:
    """What each of several names is given, where it is known one by one; else nothing."""
    if not isinstance(whole, Seq) or any(isinstance(name, ast.Starred) for name in names):
        return ()
    if not whole.open:
        return whole.items if len(whole.items) == len(names) else ()
    groups = _apart(m, whole)
    if len(groups) == len(names) > 1:
        return groups
    return whole.items if len(whole.items) >= len(names) > 1 else ()


def _apart(m: Machine, whole: Seq) -> list[Value]:
    """The first of each lot of items that share no rows with the others: a call out of sight was given parts."""
    lots: list[Data] = []
    for item in whole.items:
        data = m.plain(item)
        if not isinstance(data, Data) or not data.via:
            return []
        if not any(meet(data.rows, lot.rows) for lot in lots):
            lots.append(data)
    return list(lots)


def _piece(m: Machine, whole: Value, target: ast.expr, place: int) -> Value:
    """One of several results of a call that is not understood: parts that are named as such are apart."""
    if not isinstance(whole, Data):
        return whole if not isinstance(whole, Const) else UNKNOWN
    name = target.id if isinstance(target, ast.Name) else target.attr if isinstance(target, ast.Attribute) else ""
    part = part_named(name)
    if part is not None and whole.shape is Shape.UNKNOWN:
        return whole.cut(Cut(("unpacked", m.number_of(whole.rows)), part))
    whole = subscripts.entry(whole, place) if holds_several(whole) else whole
    if name in {"y", "Y", "target", "labels", "label"} and whole.columns.only is None:
        return table_columns.with_columns(whole, frozenset({"target"}))
    return whole


def set_attribute(m: Machine, base: Value, target: ast.Attribute, value: Value) -> None:
    """`base.name = value`."""
    owner = m.plain(base)
    if isinstance(owner, Instance):
        attributes = dict(owner.attributes) | {target.attr: value}
        m.store(base, Instance(owner.cls, tuple(attributes.items()), owner.network))
    elif isinstance(owner, Class):
        owner.members[target.attr] = value
    elif isinstance(owner, Mapping):
        m.store(base, owner.put(target.attr, value))
    elif isinstance(owner, Module):
        owner.scope.names[target.attr] = value
    elif isinstance(owner, Data) and target.attr not in {"columns", "index", "name", "shape"}:
        if table_columns.may_have(m, owner, target.attr):
            m.store(base, table_columns.assigned(m, owner, frozenset({target.attr}), value, target))
    elif isinstance(owner, Data) and target.attr == "columns":
        names = m.names(value)
        columns = replace(owner.columns, only=names, sure=names is not None)
        m.store(base, replace(owner, columns=columns, noted=owner.noted if owner.rows else frozenset()))


def _set_item(m: Machine, base: Value, target: ast.Subscript, value: Value) -> None:
    """`base[…] = value`."""
    owner = m.plain(base)
    match owner:
        case Mapping():
            _set_entry(m, base, owner, target, value)
        case Seq():
            m.store(base, Seq((*owner.items, m.boxed(value)), open=True))
        case Module():  # `globals()["train"] = table`
            key = m.constant(m.evaluate(target.slice))
            owner.scope.bind(str(key), m.boxed(called(m, key, value)))
        case Data() if owner.blank and isinstance(m.constant(value), bool):
            m.store(base, _mask(m, target, m.constant(value)))
        case Data():
            _set_in_data(m, base, owner, target, value)


def _set_entry(m: Machine, base: Value, owner: Mapping, target: ast.Subscript, value: Value) -> None:
    """`entries[key] = value`."""
    asked = m.evaluate(target.slice)
    key = m.constant(asked)
    if key is None:
        value = sorted_lists.sorted_in(m, target.slice, vocabularies.entry(m, asked, value, target.slice))
    named = key if isinstance(key, str | int | float) else target
    entered = owner.put(named, m.boxed(called(m, key, value)))
    m.store(base, replace(entered, open=entered.open or (named is target and bool(m.loops))))


class _Chooser(NamedTuple):
    """What chooses the columns, or else the rows, that are given a value: `table[chooser] = value`."""

    node: ast.expr
    names: frozenset[str] | None = None
    data: Value = NOTHING


def _chooser(m: Machine, index: ast.expr) -> _Chooser:
    """The last place of an index; a slice chooses no columns."""
    last = index.elts[-1] if isinstance(index, ast.Tuple) and len(index.elts) > 1 else index
    if isinstance(last, ast.Slice):
        return _Chooser(last)
    chosen = m.evaluate(last)
    return _Chooser(last, m.names(chosen), m.plain(chosen))


def _set_in_data(m: Machine, base: Value, owner: Data, target: ast.Subscript, value: Value) -> None:
    """`table[…] = value`."""
    index = target.slice
    chooser = _chooser(m, index)
    if chooser.data is not NOTHING:
        owner = _chosen_by(m, owner, chooser, value)
        value = value if owner.rows else vocabularies.counted_in(m, index, m.plain(value))
    names, pattern = chooser.names, name_pattern(chooser.node)
    filled = m.plain(value)
    if m.loops and isinstance(filled, Data) and names is None and not owner.rows:
        value = windows.gathered(m, target, filled, m.loops)
    several = index.elts if isinstance(index, ast.Tuple) else []
    some_rows = bool(several) and not isinstance(several[0], ast.Slice)
    changed = table_columns.assigned(m, owner, names, value, target, pattern=pattern, partly=some_rows)
    if len(several) > 1:
        changed = _where(m, changed, several[0], names, pattern)
    if names is not None and len(names) == 1 and not some_rows:
        stacked_tables.flagged(m, changed, min(names), m.constant(value))
    m.store(base, changed)
    if not isinstance(base, Ref):
        _write_back(m, target.value, changed, gathers=not owner.rows, named=names is not None)


def _chosen_by(m: Machine, owner: Data, chooser: _Chooser, value: Value) -> Data:
    """A table some of whose rows are given a value, with what the choice of these knows."""
    owner = labelling.chosen(m, owner, chooser.data, value)
    if not isinstance(chooser.data, Data) or chooser.names is not None:
        return owner
    marks = chooser.data.marks
    return owner.marked(*(k for k in marks - picked_columns.of_gaps(marks) if k.rows))


def _write_back(m: Machine, part: ast.expr, changed: Data, *, gathers: bool, named: bool) -> None:
    """What was changed is a part of something that has a name: `bags[i][word] += 1`, `table["age"].loc[…] = 0`."""
    if isinstance(part, ast.Subscript) and gathers and changed.rows:
        bind(m, part, changed)
    column = None if named else _column_in(m, part)
    if column is not None:
        bind(m, column, changed)


def _where(m: Machine, table: Data, rows: ast.expr, names: frozenset[str] | None, pattern: str | None) -> Data:
    """`table.loc[rows, name] = 1`: what the choice of rows was learnt from is in the column as well."""
    chooser = UNKNOWN if isinstance(rows, ast.Slice) else m.plain(m.evaluate(rows))
    into = frozenset({pattern}) if names is None and pattern is not None else names
    learnt = masks.limits_in(chooser) if isinstance(chooser, Data) and into is not None else []
    return table.marked(*(replace(as_bound(k), into=into) for k in learnt))


def _column_in(m: Machine, node: ast.expr) -> ast.Attribute | ast.Subscript | None:
    """The column that `table["age"].loc[…] = value` changes, and with it the table; `table[some rows]` is a copy."""
    while isinstance(node, ast.Attribute) and node.attr in names_of(Group.VIEWS):
        node = node.value
    if isinstance(node, ast.Subscript) and isinstance(m.constant(m.evaluate(node.slice)), str):
        return node
    of_table = isinstance(node, ast.Attribute) and isinstance(m.plain(m.evaluate(node.value)), Data)
    return node if isinstance(node, ast.Attribute) and of_table else None


def _mask(m: Machine, target: ast.Subscript, chosen: bool) -> Data:
    """`mask = np.zeros(n, bool)`, then `mask[positions] = True`: one side of a division, or all but it."""
    at = UNKNOWN if isinstance(target.slice, ast.Slice | ast.Tuple) else m.data(m.evaluate(target.slice))
    if drawn_at_random(at.rows):
        cuts = frozenset({sides.drawn(at)})
    else:
        cuts = at.cuts or frozenset({Cut(("mask", target, m.stack, m.rounds), "chosen")})
    return Data(shape=Shape.MASK, cuts=cuts if chosen else sides.negated(cuts))


def items_of(m: Machine, value: Value, node: ast.AST, most: int) -> Seq:
    """What a loop over the value meets, one by one if they are few and known; else one that stands for all."""
    whole = m.plain(value)
    match whole:
        case Library():
            one: Value = m.free(whole.name)
        case Seq():
            return _of_list(m, whole, most)
        case Mapping():
            keys = tuple(vocabularies.key_of(m, k, v) for k, v in whole.items)
            return _of_list(m, Seq(keys, whole.open), most)
        case Estimator() if whole.effect.role is Role.SPLITTER:  # scikit-learn before 0.18
            return splits.pairs_of(("folds", whole.serial, m.stack))
        case Const():
            one = open_files.lines_of(m, node, whole) or UNKNOWN
        case _:
            one = m.data(whole)
    return Seq((one,), open=True)


def _of_list(m: Machine, whole: Seq, most: int) -> Seq:
    """The items of a list; of more than are followed one by one, the first."""
    if not whole.open and len(whole.items) <= most:
        return whole
    if len(whole.items) < 2:
        return replace(whole, open=True, forgets=False)
    if len(whole.items) > most and all(isinstance(m.plain(i), Const) for i in whole.items):
        return Seq((Data(shape=Shape.SUMMARY),), open=True)
    return Seq(whole.items[:most], open=True)
