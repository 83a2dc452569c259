"""What `base.name` stands for: a column, a member, something learnt, a name in a library."""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

from assay.leakage.code.effects import Role
from assay.leakage.code.frames import table_columns
from assay.leakage.code.language.call import Call
from assay.leakage.code.learnt import tallies
from assay.leakage.code.lookup import attribute_row
from assay.leakage.code.models import layers
from assay.leakage.code.state.events import Evaluation, Purpose
from assay.leakage.code.state.machine import Machine
from assay.leakage.code.state.parts import is_part, part_of
from assay.leakage.code.state.rows import joined, one_for_each_group
from assay.leakage.code.state.texts import text_of
from assay.leakage.code.state.values import (
    ALL_COLUMNS,
    SOME_COLUMNS,
    UNKNOWN,
    Class,
    Data,
    Estimator,
    Function,
    Instance,
    Kind,
    Library,
    Mapping,
    Mark,
    Module,
    Prediction,
    Seq,
    Shape,
    Value,
)
from assay.libraries.catalogue import catalogue
from assay.libraries.row import Row
from assay.records import replace

_MEASURED = ("val_loss", "val_accuracy", "val_acc", "val_mae", "val_mse", "val_auc", "val_f1", "val_recall",
             "val_precision", "val_categorical_accuracy", "val_binary_accuracy")  # fmt: skip
"""What training measures on the rows that it watches, by the names that keras gives it."""
_PREDICT = frozenset({Role.MODEL, Role.PIPELINE, Role.SEARCH})


def attribute(m: Machine, base: Value, node: ast.Attribute) -> Value:
    """`base.name`."""
    weights = layers.weights_in(m, node)
    if weights is not None:
        return weights
    owner = m.plain(base)
    handler = _OWNERS.get(type(owner))
    return UNKNOWN if handler is None else handler(m, _Asked(base, node.attr, node), owner)


class _Asked(NamedTuple):
    """An attribute that is asked for, and the value as it stands, perhaps a reference, that it is asked of."""

    base: Value
    name: str
    node: ast.Attribute


def _of_instance(m: Machine, asked: _Asked, owner: Instance) -> Value:
    found = _member(owner, asked.name, asked.base)
    if isinstance(found, Function):
        return _computed(m, found, asked.node)
    return layers.within(m, owner, found, asked.node)


def _of_estimator(m: Machine, asked: _Asked, owner: Estimator) -> Value:
    inside = owner.effect.role is Role.NETWORK and asked.name in layers.INSIDE
    return asked.base if inside else _learnt_attribute(m, owner, asked.name, asked.node)


def _of_class(_m: Machine, asked: _Asked, owner: Class) -> Value:
    member = inherited(owner, asked.name)
    if isinstance(member, Function) and "classmethod" in _decorated(member):
        return replace(member, bound=asked.base)
    return member or UNKNOWN


def _of_mapping(m: Machine, asked: _Asked, owner: Mapping) -> Value:
    found = owner.get(asked.name)
    if found is not None:
        return found
    everything = m.data(owner)
    return Data(shape=Shape.SUMMARY) if owner.items and everything is UNKNOWN else everything


def _of_data(m: Machine, asked: _Asked, owner: Data) -> Value:
    """What a table, a column or an array shows of itself; else one of its columns."""
    name = asked.name
    special = _SHOWN.get(name)
    shown = None if special is None else special(m, asked, owner)
    if shown is not None:
        return shown
    row = catalogue().attribute("table", name)
    if row is not None and row.role is Role.SAME:
        return asked.base
    if row is not None and row.role is Role.LENGTH:
        return _description(name, owner)
    return part_of(owner, name) if is_part(owner, name) else table_columns.column(m, owner, name, asked.node)


def _index(_m: Machine, _asked: _Asked, owner: Data) -> Data:
    """`table.index`: where its rows stand; of what sums up rows, its labels."""
    if owner.shape is Shape.SUMMARY and not one_for_each_group(owner.rows):
        return tallies.labels_counted(owner)
    known = frozenset(k for k in owner.marks if k.kind is Kind.OUTLIER)
    return replace(owner, shape=Shape.POSITIONS, marks=known, columns=SOME_COLUMNS)


def _indices(_m: Machine, _asked: _Asked, owner: Data) -> Data | None:
    """`part.indices`: the places of a part, which a random split knows."""
    known = owner.rows and owner.cuts
    return replace(owner, shape=Shape.POSITIONS, marks=frozenset()) if known else None


def _time_since(m: Machine, _asked: _Asked, owner: Data) -> Value | None:
    """`(day - first).dt`: an interval that is counted from the first or last day; another day would do as well."""
    ends = frozenset(filter(_is_end, owner.marks))
    return m.boxed(replace(owner, marks=owner.marks - ends)) if ends else None


def _shape(m: Machine, asked: _Asked, owner: Data) -> Data | None:
    return tallies.number_of(m, asked.node, owner) if owner.rows else None


def _outcome(_m: Machine, asked: _Asked, owner: Data) -> Data | None:
    """`data.target`: the outcome of a data set; of a table it is a column like others."""
    if owner.shape is Shape.TABLE or is_part(owner, asked.name):
        return None
    return replace(owner, columns=replace(SOME_COLUMNS, only=frozenset({"target"})), shape=Shape.COLUMN)


def _description(name: str, owner: Data) -> Data:
    """What says nothing of the content of the rows: the names of columns, their number, their types."""
    known = owner.marks if owner.shape is Shape.SUMMARY else ()
    learnt = frozenset(k for k in known if not _is_description(k))
    return Data(shape=Shape.SUMMARY, marks=learnt, columns=owner.columns if name == "columns" else SOME_COLUMNS)


def _whole_frame(m: Machine, asked: _Asked, owner: Data) -> Value | None:
    """All columns of one of scikit-learn's data sets, the outcome among them."""
    if owner.shape is Shape.TABLE:
        return None
    for part in owner.rows:
        m.trace.mentioned.setdefault((part.origin, "target"), m.site(asked.node))
    return m.boxed(replace(owner, columns=ALL_COLUMNS, shape=Shape.TABLE))


_SHOWN: dict[str, Callable[[Machine, _Asked, Data], Value | None]] = {
    "index": _index,
    "indices": _indices,
    "dt": _time_since,
    "shape": _shape,
    "frame": _whole_frame,
    **dict.fromkeys(("target", "targets", "labels", "label"), _outcome),
}
"""Attributes of tables that depend on what the table is; None goes on with the rows of the libraries."""
_OWNERS: dict[type[Any], Callable[[Machine, _Asked, Any], Value]] = {
    Library: lambda _, asked, owner: Library(f"{owner.name}.{asked.name}"),
    Data: _of_data,
    Module: lambda _, asked, owner: owner.scope.names.get(asked.name) or UNKNOWN,
    Instance: _of_instance,
    Class: _of_class,
    Estimator: _of_estimator,
    Mapping: _of_mapping,
    Seq: lambda m, _, owner: m.data(owner),
}
"""Which function knows the attributes of which sort of value."""


def _is_description(mark: Mark) -> bool:
    """A table of statistics with all columns of numbers: which those are, their values do not tell."""
    return mark.kind is Kind.STATISTIC and mark.name.rpartition(".")[2] == "describe"


def _is_end(mark: Mark) -> bool:
    """The first or last day of the rows, from which `(last - day).dt.days` counts: another day would do as well."""
    return mark.kind is Kind.STATISTIC and mark.name.rpartition(".")[2] in {"max", "min"}


def _member(value: Instance, name: str, base: Value) -> Value:
    found = dict(value.attributes).get(name)
    if found is not None:
        return found
    member = inherited(value.cls, name)
    if isinstance(member, Function) and "staticmethod" not in _decorated(member):
        return replace(member, bound=value.cls if "classmethod" in _decorated(member) else base)
    return member or UNKNOWN


def _decorated(member: Function) -> set[str]:
    """The last words of what a function is decorated with."""
    return {text_of(d).rpartition(".")[2] for d in getattr(member.node, "decorator_list", ())}


def _computed(m: Machine, member: Function, node: ast.Attribute) -> Value:
    """What a property gives; other methods are not called yet."""
    if _decorated(member).isdisjoint({"property", "cached_property"}):
        return member
    return Call(m, _asking(node), node.attr, [], {}).follow(member)


@lru_cache(maxsize=1024)
def _asking(node: ast.Attribute | ast.Subscript) -> ast.Call:
    """The call that asking for a property or an item amounts to; one place in the code is one call."""
    return ast.copy_location(ast.Call(func=node, args=[], keywords=[]), node)


def item(m: Machine, base: Value, node: ast.Subscript) -> Value:
    """`dataset[i]`: what `__getitem__` of an object of the audited code gives."""
    owner = m.plain(base)
    member = inherited(owner.cls, "__getitem__") if isinstance(owner, Instance) else None
    if not isinstance(member, Function):
        return UNKNOWN
    at = UNKNOWN if isinstance(node.slice, ast.Slice) else m.evaluate(node.slice)
    return Call(m, _asking(node), "__getitem__", [at], {}).follow(replace(member, bound=base))


def inherited(cls: Class, name: str, depth: int = 0) -> Value | None:
    """A member of a class or of the classes it derives from."""
    if name in cls.members:
        return cls.members[name]
    if depth < _HIGHEST:
        for base in cls.bases:
            if isinstance(base, Class):
                found = inherited(base, name, depth + 1)
                if found is not None:
                    return found
    return None


def above(m: Machine, func: ast.expr) -> Function | None:
    """`super().prepare`: the method of a class above that the one at hand goes on from; None where it is out of sight.

    The search begins above the class that defines the method at hand, for the object may be of a class below.
    """
    match func:
        case ast.Attribute(value=ast.Call(func=ast.Name("super")), attr=name) if m.stack:
            method = m.stack[-1]
        case _:
            return None
    given = method.args.args[:1] if isinstance(method, ast.FunctionDef) else []
    bound = m.scope.find(given[0].arg) if given else None
    owner = m.plain(bound) if bound is not None else None
    cls = owner.cls if isinstance(owner, Instance) else owner
    here = _defining(cls, method) if isinstance(cls, Class) else None
    inside = (inherited(base, name) for base in (here.bases if here is not None else ()) if isinstance(base, Class))
    member = next((found for found in inside if isinstance(found, Function)), None)
    return replace(member, bound=bound) if member is not None else None


def _defining(cls: Class, method: ast.AST, depth: int = 0) -> Class | None:
    """The class, of this one and those above it, in which a method is written."""
    if any(isinstance(member, Function) and member.node is method for member in cls.members.values()):
        return cls
    bases = [base for base in cls.bases if isinstance(base, Class)] if depth < _HIGHEST else []
    return next((found for base in bases if (found := _defining(base, method, depth + 1)) is not None), None)


_HIGHEST = 6


def _learnt_attribute(m: Machine, value: Estimator, name: str, node: ast.AST) -> Value:
    """What a fitted object shows: the best of a search, importances, statistics."""
    rows = frozenset(part for fit in value.fits for part in fit.rows)
    _asked_how_good(m, value, name)
    row = attribute_row(value.effect, name)
    known = None if row is None else _described_attribute(m, value, row, node)
    if known is not None:
        return known
    if value.effect.kind is not None and rows and name.endswith("_"):
        mark = Mark(value.effect.kind, value.name, m.site(node), rows)
        return Data(marks=frozenset({mark}), shape=Shape.SUMMARY)
    return Data(shape=Shape.SUMMARY)


def _described_attribute(m: Machine, value: Estimator, row: Row, node: ast.AST) -> Value | None:
    """What an attribute gives that a row describes; None where the object has nothing of the sort."""
    rows = frozenset(part for fit in value.fits for part in fit.rows)
    tuned = Mark(Kind.TUNED, f"{value.name}.{row.path}", m.site(node), rows)
    match row.role:
        case Role.HISTORY:
            return _history(m, value, node)
        case Role.EMBEDDING:
            return value if value.effect.kind is Kind.VECTORISE else None
        case Role.PREDICT_IN_SAMPLE:
            return said_of_its_own_rows(m, value, node) if value.effect.role in _PREDICT and rows else None
        case Role.MEMBERS:
            members = _members(m, value)
            return Seq(members) if len(members) > 1 else value
        case Role.TUNED_MODEL:
            return replace(value, marks=value.marks | {tuned})
        case Role.SAME:
            return value
        case Role.TUNED:
            return Data(marks=frozenset({tuned}), shape=Shape.SUMMARY)
        case Role.WEIGH_COLUMNS:
            return importances(m, value, row.path, node)
        case Role.LABELS if value.effect.kind is not None:
            mark = Mark(value.effect.kind, value.name, m.site(node), rows)
            return Data(rows, frozenset({mark}), Shape.COLUMN)
    return None


def importances(m: Machine, value: Estimator, name: str, node: ast.AST) -> Data:
    """What a fitted object says of the columns: who chooses by it chooses by the rows of the fit."""
    rows = frozenset(part for fit in value.fits for part in fit.rows)
    mark = Mark(Kind.SELECT, f"{value.name}.{name}", m.site(node), rows, supervised=True)
    return Data(marks=frozenset({mark}), shape=Shape.SUMMARY)


def _asked_how_good(m: Machine, value: Estimator, name: str) -> None:
    """Write down that a fitted object is asked for the score that it has of itself."""
    if name in {"best_score_", "cv_results_"}:
        m.trace.told_searches.update(fit.site for fit in value.fits)
    if name.startswith("oob_"):
        m.trace.tested_otherwise.add(value.serial)


def said_of_its_own_rows(m: Machine, model: Estimator, node: ast.AST) -> Data:
    """`fitted.fittedvalues`: predictions for the rows of the fit; an error of them is one of rows that were seen."""
    rows = joined(fit.rows for fit in model.fits)
    marks = frozenset(mark for fit in model.fits for mark in fit.marks)
    said = frozenset({Prediction(model, rows, marks, m.site(node))})
    return Data(rows, marks, Shape.COLUMN, SOME_COLUMNS, said)


def _members(m: Machine, value: Estimator) -> tuple[Value, ...]:
    """`VotingClassifier(…).estimators_`: the models that it was given, each fitted on the rows of the whole."""
    given = [v for v in map(m.plain, value.parts) if isinstance(v, Estimator) and v.effect.role in _PREDICT]
    return tuple(m.boxed(replace(v, serial=(value.serial, v.serial), fits=value.fits)) for v in given)


def _history(m: Machine, model: Estimator, node: ast.AST) -> Value:
    """`fit(…).history`: what was measured after each round, also on the rows that training watched."""
    watched = [e for e in m.trace.events if isinstance(e, Evaluation) and e.purpose is Purpose.WATCHED]
    shown = [e for e in watched if e.model.serial == model.serial]
    if not shown:
        return Data(shape=Shape.SUMMARY)
    said = frozenset(Prediction(model, e.rows, e.marks, e.site) for e in shown)
    score = Data(marks=frozenset({Mark(Kind.SCORE, "score", m.site(node))}), shape=Shape.SUMMARY, predictions=said)
    return Mapping(tuple((name, score) for name in _MEASURED), open=True)
