"""Calls: of the audited code's own functions and classes, of what the table describes, of what nobody describes."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from assay.leakage.code.dividing import disorder, splits, versions
from assay.leakage.code.effects import Effect, How, Role
from assay.leakage.code.frames import (
    column_expressions,
    column_names,
    open_files,
    sources,
    table_columns,
    tables,
    time_order,
)
from assay.leakage.code.language import (
    attributes,
    binding,
    builtin,
    containers,
    functions,
    handing,
    naming,
    settings,
)
from assay.leakage.code.language.call import Call, fresh, kept, replace_call
from assay.leakage.code.learnt import picked_columns, vocabularies
from assay.leakage.code.lookup import (
    effect_of,
    guessed,
    known_package,
    method_effect,
    namesake,
    one_by_one,
    scores_by_name,
)
from assay.leakage.code.models import fitting, layers, making, own_models, transforming
from assay.leakage.code.scored import choices, gauges, scoring
from assay.leakage.code.state.events import Evaluation, Purpose
from assay.leakage.code.state.machine import united
from assay.leakage.code.state.parts import part_named
from assay.leakage.code.state.rows import OriginKind, meet
from assay.leakage.code.state.texts import text_of
from assay.leakage.code.state.values import (
    NAMESPACES,
    SOME_COLUMNS,
    UNKNOWN,
    Class,
    Const,
    Data,
    Estimator,
    Function,
    Instance,
    Library,
    Mapping,
    Module,
    Seq,
    Shape,
    UnknownCall,
    Value,
)
from assay.libraries.catalogue import catalogue
from assay.records import replace

if TYPE_CHECKING:
    from assay.leakage.code.state.machine import Machine

_ARRAYS = frozenset({"numpy.array", "numpy.asarray"})
_TOOLS = ("get", "create")
"""How the names begin of what such packages work with: `cv2.getRotationMatrix2D` makes a matrix, and reads nothing."""
_GATHER = frozenset({"append", "add"})
_APPLIED = frozenset({Role.TRANSFORMER, Role.STATELESS, Role.LAYER, Role.PIPELINE, Role.WRAPPER})


def call(m: Machine, node: ast.Call) -> Value:
    """The value of a call, after its effects."""
    func = node.func
    method = attributes.above(m, func)
    if method is not None:
        return functions.call_function(_arguments(m, node, "", UNKNOWN), method)
    if isinstance(func, ast.Attribute):
        receiver = m.evaluate(func.value)
        owner = m.plain(receiver)
        if isinstance(owner, NAMESPACES):
            target = attributes.attribute(m, receiver, func)
            if isinstance(owner, Instance) and target is UNKNOWN:
                if owner.network is not None:
                    return _method(_arguments(m, node, func.attr, receiver))
                if func.attr == "fit_transform":
                    return _fit_transform(_arguments(m, node, func.attr, receiver), owner)
        else:
            return versions.another(m, node, UNKNOWN, _method(_arguments(m, node, func.attr, receiver)))
    else:
        receiver, target = UNKNOWN, m.evaluate(func)
    given = _arguments(m, node, "", receiver)
    of_object = isinstance(func, ast.Attribute) and isinstance(m.plain(receiver), Instance)
    said = own_models.said(given, target) if of_object else None
    if said is not None:
        return said
    handing.stages_before(given)
    result = versions.another(m, node, target, apply(given, target))
    if isinstance(func, ast.Attribute) and isinstance(m.plain(receiver), Instance):
        given.name = func.attr
        return own_models.after_method(given, result)
    return result


def _fit_transform(c: Call, owner: Instance) -> Value:
    """What scikit-learn's TransformerMixin adds to a class of the audited code."""
    fit, transform = (attributes.inherited(owner.cls, name) for name in ("fit", "transform"))
    if not isinstance(fit, Function) or not isinstance(transform, Function):
        return unknown_call(c)
    functions.call_function(c, replace(fit, bound=c.receiver))
    return functions.call_function(replace_call(c, c.args[:1]), replace(transform, bound=c.receiver))


def apply(c: Call, target: Value) -> Value:
    """Call a value."""
    m, plain = c.m, c.m.plain(target)
    if isinstance(plain, Function):
        return functions.call_function(c, plain)
    if isinstance(plain, Class):
        return functions.instantiate(c, plain)
    if isinstance(plain, Library):
        return _library_call(c, plain.name)
    if isinstance(plain, Instance | Estimator):
        return _call_object(c, target, plain)
    if handing.decorates(c):
        return c.args[0]
    if isinstance(plain, Data) and plain.blank and gauges.judges(c):
        return gauges.asked(c, target)
    return unknown_call(c, united([m.data(target)]) if isinstance(plain, Data) else UNKNOWN)


def _arguments(m: Machine, node: ast.Call, name: str, receiver: Value) -> Call:
    args: list[Value] = []
    keywords: dict[str, Value] = {}
    spread: list[Value] = []
    for arg in node.args[:200]:
        value = m.evaluate(arg)
        if isinstance(arg, ast.Starred):
            inner = m.plain(value)
            args += inner.items if isinstance(inner, Seq) else [value]
        else:
            args.append(value)
    for keyword in node.keywords:
        value = m.evaluate(keyword.value)
        if keyword.arg is None:
            inner = m.plain(value)
            spread.append(value)
            if isinstance(inner, Mapping):
                keywords |= {k: v for k, v in inner.items if isinstance(k, str)}
        else:
            keywords[keyword.arg] = value
    return Call(m, node, name, args, keywords, receiver, spread)


def _library_call(c: Call, name: str) -> Value:
    choices.ranked(c, name)
    handing.put_in_order(c, name, next(iter(c.args), UNKNOWN))
    disorder.seeded(c, name)
    if name in disorder.GENERATORS:
        return Library(name.rpartition(".")[0])  # what its methods draw is drawn like that of the module
    described = effect_of(name)
    if name in builtin.THROUGH or (described is not None and described.role is Role.HAND_BACK):
        return builtin.through(c, name)
    own = builtin.builtin(c, name) if "." not in name or name in builtin.OF_MODULES else settings.read(c, name)
    if own is not None:
        return own
    c.name = name
    effect = scoring.tabulated(c) or described or namesake(name)
    if effect is not None:
        if effect.role in making.CONSTRUCTED:
            return making.construct(c, effect)
        return tables.perform(c, effect, function=True)
    root = name.partition(".")[0]
    column = column_expressions.made(c, name)
    if column is not None:
        return column
    otherwise = catalogue().otherwise(name)
    if otherwise == "texts" and (text := united(c.all_data())).rows:
        return replace(text, shape=Shape.UNKNOWN, columns=SOME_COLUMNS, cuts=frozenset())
    if otherwise in {"texts", "nothing"}:
        return Data(shape=Shape.SUMMARY)
    if otherwise == "keeps":
        whole = layers.sized(name, kept(c))
        first = c.m.plain(c.args[0]) if c.args and name in _ARRAYS else None
        nothing = replace(whole, cuts=frozenset()).blank and whole.shape not in {Shape.MASK, Shape.POSITIONS}
        gathered = isinstance(first, Seq) and first.open and nothing
        return fresh(c, OriginKind.CALL, name) if gathered else whole
    guess = guessed(name)
    if guess is not None and "target" not in c.keywords and not any(making.given_rows(d, root) for d in c.all_data()):
        m = c.m
        m.trace.unknown[name] = m.trace.unknown.get(name, 0) + 1
        handing.hand_over(c)
        making.handed_on(c)
        return making.construct(c, guess)
    return unknown_call(c)


def _method(c: Call) -> Value:
    """A method of a value that is not an object of the audited code."""
    owner = c.m.plain(c.receiver)
    network = own_models.network_by_use(c, owner)
    if network is not None:
        c.m.store(c.receiver, network)
        return fitting.method(c, network)
    asked = gauges.gathered(c, owner) or settings.options(c)
    if asked is not None:
        return asked
    if not isinstance(owner, Estimator):
        choices.ranked(c, c.name)
        handing.put_in_order(c, c.name, c.receiver)
    if isinstance(owner, Estimator):
        return fitting.method(c, owner)
    if isinstance(owner, Instance) and owner.network is not None:
        return fitting.method(c, owner.network)
    if isinstance(owner, Seq | Mapping):
        own = containers.method(c, owner)
        if own is not None:
            return own
        owner = c.m.data(owner)
    if isinstance(owner, Const):
        return _of_literal(c, owner)
    if isinstance(owner, Function | Class | Module | Library):
        return unknown_call(c)
    return _method_of_data(c, owner if isinstance(owner, Data) else UNKNOWN)


def _of_literal(c: Call, owner: Const) -> Value:
    """A method of a number or a text that is written in the code."""
    if c.name == "astype" and isinstance(owner.value, int | float):
        return owner
    text = naming.filled_in(c, owner.value) if c.name == "format" else None
    if text is not None:
        return text
    lines = open_files.read_by(c.m, c.node, owner, c.name)
    if lines is not None:
        return lines
    return Data(shape=Shape.SUMMARY) if not c.all_data() else united(c.all_data())


def _of_an_object(c: Call, data: Data) -> Value | None:
    """A method by which an object out of sight gives itself away: a splitter, a session that reads, a loss, a tape."""
    if c.name == "split" and splits.divides(c):
        return splits.folds(c, splits.unseen_splitter(c))
    if _read_by_session(c.name) and isinstance(c.node.func, ast.Attribute) and ".read" in text_of(c.node.func.value):
        c.name, c.effect = f"spark.read.{c.name}", Effect(Role.READ)
        return sources.read(c)
    if c.name == "backward":
        scoring.backward(c, data)
        return UNKNOWN
    if c.name == "gradient" and c.data(0, "target").predictions:
        scoring.backward(c, c.data(0, "target"))
        return UNKNOWN
    return vocabularies.method(c, data) if data.shape is Shape.SUMMARY else None


def _read_by_session(name: str) -> bool:
    return catalogue().method("reader", name) is not None


def _method_of_data(c: Call, data: Data) -> Value:
    """A method of a table, a column, or of something that nothing is known of."""
    known = _of_an_object(c, data) or _extended(c, data) or _got(c, data)
    if known is not None:
        return known
    model = own_models.given(c, data)
    if model is not None:
        c.m.store(c.receiver, model)
        return fitting.method(c, model)
    if data.shape is Shape.ROLLING:
        return time_order.summed_up(c, data)
    effect = method_effect(c.name, grouped=data.shape is Shape.GROUPED)
    if effect is not None and effect.role is Role.CONFIGURE:
        return c.receiver
    if _renamed_list(c, data) or (data.shape is Shape.SUMMARY and picked_columns.changed(c, data)):
        return Const(None)
    if c.name in {"transform", "inverse_transform"} and data.shape is Shape.UNKNOWN:
        given = united(c.all_data())
        if given.rows:  # an object that was made out of sight, and no table
            return replace(given, via=given.via | data.via).marked(*data.marks)
    if c.name in _GATHER and isinstance(c.node.func, ast.Attribute) and isinstance(c.node.func.value, ast.Subscript):
        return _gathered_by_key(c, data, c.node.func.value)
    if effect is None:
        effect = Effect(Role.SAME)
        if c.name not in tables.FUNCTION_OF_ROWS:
            handing.hand_over(c)
    return tables.perform(c, effect, function=False)


def _got(c: Call, data: Data) -> Value | None:
    return table_columns.got(c.m, data, c.args[0]) if c.name == "get" and c.args else None


def _renamed_list(c: Call, data: Data) -> bool:
    """`names.remove("y")`, where `list(table.columns)` became a list of names; other changes leave them unknown."""
    if c.name not in picked_columns.CHANGES or not column_names.are_names(data):
        return False
    names = c.m.names(c.args[0]) if c.args and c.name == "remove" else None
    c.m.store(c.receiver, column_names.without(data, names))
    return True


def _extended(c: Call, data: Data) -> Value | None:
    """`rows.extend(more)`, where a column or a part became a list: it then has the others, too."""
    if c.name != "extend" or not data.rows or not c.args:
        return None
    c.m.store(c.receiver, united([data, *c.all_data()]))
    return Const(None)


def _gathered_by_key(c: Call, group: Data, at: ast.Subscript) -> Value:
    """`groups[key].append(x)`: what the key knows goes into the whole."""
    base = c.m.evaluate(at.value)
    whole = c.m.plain(base)
    if isinstance(whole, Data):
        c.m.store(base, united([whole, *c.all_data()]).marked(*group.marks))
    return Const(None)


def unknown_call(c: Call, receiver: Data = UNKNOWN) -> Value:
    """A call of unknown effect gives the rows and traces that went in; without any, a table of its own."""
    m = c.m
    name = c.name or _called_name(c.node.func)
    given = c.all_data()
    whole = united([receiver, *given])
    if whole.predictions and len(given) > 1 and scores_by_name(name):
        c.name, c.effect = name, Effect(Role.METRIC)
        return scoring.metric(c)
    handing.hand_over(c)
    making.handed_on(c)
    if not (known_package(name) or one_by_one(name)):
        m.trace.unknown[name] = m.trace.unknown.get(name, 0) + 1
        m.trace.judged_elsewhere.update((p.model.serial, p.rows) for p in whole.predictions)
    if whole.rows or whole.marks or whole.predictions:
        parts = _parts_apart(c)
        if parts:
            return Seq(tuple(_passed_through(c, data, name) for data in parts), open=True)
        return _passed_through(c, whole, name)
    if one_by_one(name) and name.rpartition(".")[2].startswith(_TOOLS):
        return Data(shape=Shape.SUMMARY)
    return binding.called(m, _speaking_name(c.node.func), fresh(c, OriginKind.CALL, name))


_MOST_UNKNOWN_CALLS = 64
"""Calls of unknown effect that rows remember. Then only the last stays: it still tells them from other rows."""


def _passed_through(c: Call, data: Data, name: str) -> Data:
    """Data after a call of unknown effect: taken to be the same rows, and said so.

    What packages do with one picture or sound at a time leaves the rows alone.
    """
    here = UnknownCall(name, (c.node, c.m.stack, c.m.rounds))
    before = data.via if len(data.via) < _MOST_UNKNOWN_CALLS else frozenset()
    via = data.via if one_by_one(name) else before | {here}
    return replace(data, shape=Shape.UNKNOWN, columns=SOME_COLUMNS, cuts=frozenset(), via=via)


def _parts_apart(c: Call) -> list[Data]:
    """Arguments that are parts set apart from each other: what comes back is taken to be those, one by one."""
    given = [data for data in map(c.m.data, c.args) if data.rows and not data.predictions]
    return given if any(not meet(data.rows, given[0].rows) for data in given[1:]) else []


def _unseen_gauge(c: Call, made: Estimator) -> bool:
    """Whether an object that nobody describes is asked how good predictions are: `accuracy(said, truth)`."""
    return made.effect.how is How.UNKNOWN and gauges.judges(c)


def _speaking_name(func: ast.expr) -> str:
    """The name that tells what an object out of sight hands out: of `held.test_rows()`, or of `test_set.rows()`."""
    asked = func.attr if isinstance(func, ast.Attribute) else ""
    return asked if part_named(asked) or not isinstance(func, ast.Attribute) else text_of(func.value).rpartition(".")[2]


def _called_name(node: ast.expr) -> str:
    return text_of(node)[:60]


# --- the code's own functions and classes -----------------------------------------------------------------


def _call_object(c: Call, target: Value, plain: Instance | Estimator) -> Value:
    """`model(x)`: a forward pass; or `__call__` of an object."""
    network = plain.network if isinstance(plain, Instance) else plain
    if network is not None and network.effect.role is Role.NETWORK:
        if isinstance(plain, Instance) and own_models.is_loss(c, plain):
            return scoring.loss(c)
        asked = united(c.all_data())
        network = layers.taught_with(c.m, network)
        if network.fits and asked.rows and not asked.predictions:
            shown = Evaluation(network, asked.rows, asked.marks, "call", c.site, Purpose.PREDICT, c.m.loops, asked.via)
            c.m.trace.shown.setdefault(shown)
        return transforming.predicted(c, network, asked)
    if isinstance(plain, Instance):
        member = attributes.inherited(plain.cls, "__call__")
        if isinstance(member, Function):
            return functions.call_function(c, replace(member, bound=target))
    if isinstance(plain, Estimator) and (plain.effect.role is Role.LOSS or _unseen_gauge(c, plain)):
        return scoring.loss(c)
    if isinstance(plain, Estimator) and plain.effect.role in _APPLIED:
        return transforming.transformed(c, plain, united(c.all_data()))
    return unknown_call(c, c.m.data(target))
