"""Calls: of the audited code's own functions and classes, of what the table describes, of what nobody describes."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any

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
from assay.leakage.code.language import attributes, binding, builtin, callbacks, containers, functions, naming, settings
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
from assay.leakage.code.state.machine import Machine, united
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
    Kind,
    Library,
    Mapping,
    Module,
    Seq,
    Shape,
    UnknownCall,
    Value,
)
from assay.libraries.catalogue import catalogue, names_of
from assay.libraries.row import Group
from assay.records import replace

_TOOLS = ("get", "create")
"""How the names begin of what such packages work with: `cv2.getRotationMatrix2D` makes a matrix, and reads nothing."""
_APPLIED = frozenset({Role.TRANSFORMER, Role.STATELESS, Role.LAYER, Role.PIPELINE, Role.WRAPPER})


def call(m: Machine, node: ast.Call) -> Value:
    """The value of a call, after its effects."""
    func = node.func
    method = attributes.above(m, func)
    if method is not None:
        return functions.call_function(_arguments(m, node), method)
    if isinstance(func, ast.Attribute):
        return _call_of_attribute(m, node, func)
    target = m.evaluate(func)
    given = _arguments(m, node)
    callbacks.stages_before(given)
    return versions.another(m, node, target, apply(given, target))


def _call_of_attribute(m: Machine, node: ast.Call, func: ast.Attribute) -> Value:
    """`owner.name(…)`: a function of a module, or a method."""
    receiver = m.evaluate(func.value)
    owner = m.plain(receiver)
    if not isinstance(owner, NAMESPACES):
        return versions.another(m, node, UNKNOWN, _method(_arguments(m, node, func.attr, receiver)))
    target = attributes.attribute(m, receiver, func)
    if isinstance(owner, Instance):
        return _method_of_instance(m, _arguments(m, node, func.attr, receiver), owner, target)
    return versions.another(m, node, target, apply(_arguments(m, node, "", receiver), target))


def _method_of_instance(m: Machine, c: Call, owner: Instance, target: Value) -> Value:
    """A method of an object of the audited code: its own, or one of the library class that it derives from."""
    name = c.name
    if target is UNKNOWN and owner.network is not None:
        return _method(c)
    if target is UNKNOWN and name == "fit_transform":
        return _fit_transform(c, owner)
    c.name = ""
    said = own_models.said(c, target) if isinstance(m.plain(c.receiver), Instance) else None
    if said is not None:
        return said
    result = versions.another(m, c.node, target, apply(c, target))
    if not isinstance(m.plain(c.receiver), Instance):
        return result
    c.name = name
    return own_models.after_method(c, result)


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
    if callbacks.decorates(c):
        return c.args[0]
    return unknown_call(c, united([m.data(target)]) if isinstance(plain, Data) else UNKNOWN)


def _arguments(m: Machine, node: ast.Call, name: str = "", receiver: Value = UNKNOWN) -> Call:
    """A call with its arguments evaluated, those that are given as `*several` or `**named` included."""
    args = [value for arg in node.args[:_MOST_ARGUMENTS] for value in _positional(m, arg)]
    keywords: dict[str, Value] = {}
    spread: list[Value] = []
    for keyword in node.keywords:
        value = m.evaluate(keyword.value)
        if keyword.arg is not None:
            keywords[keyword.arg] = value
            continue
        spread.append(value)
        inner = m.plain(value)
        keywords |= {k: v for k, v in inner.items if isinstance(k, str)} if isinstance(inner, Mapping) else {}
    return Call(m, node, name, args, keywords, receiver, spread)


_MOST_ARGUMENTS = 200


def _positional(m: Machine, arg: ast.expr) -> Sequence[Value]:
    """What one positional argument gives: `*items` gives each of them."""
    value = m.evaluate(arg)
    inner = m.plain(value) if isinstance(arg, ast.Starred) else None
    return inner.items if isinstance(inner, Seq) else [value]


def _library_call(c: Call, name: str) -> Value:
    """A call of a function or class of a library: by its row, or by what is known of its package or its name."""
    choices.ranked(c, name)
    disorder.seeded(c, name)
    if name in names_of(Group.GENERATORS):
        return Library(name.rpartition(".")[0])  # what its methods draw is drawn like that of the module
    described = effect_of(name)
    if name in names_of(Group.PASSED_THROUGH) or (described is not None and described.role is Role.HAND_BACK):
        return builtin.through(c, name)
    own = builtin.builtin(c, name) if "." not in name or name in builtin.OF_MODULES else settings.read(c, name)
    if own is not None:
        return own
    c.name = name
    effect = scoring.tabulated(c) or described or namesake(name)
    if effect is None:
        return column_expressions.made(c, name) or _by_package(c, name) or _guessed_object(c, name) or unknown_call(c)
    if effect.role in making.CONSTRUCTED:
        return making.construct(c, effect)
    return tables.perform(c, effect, function=True)


def _by_package(c: Call, name: str) -> Data | None:
    """What a call gives that no row describes, by what its package otherwise does; None where nothing is said."""
    match catalogue().otherwise(name):
        case "texts" if (text := united(c.all_data())).rows:
            return replace(text, shape=Shape.UNKNOWN, columns=SOME_COLUMNS, cuts=frozenset())
        case "texts" | "nothing":
            return Data(shape=Shape.SUMMARY)
        case "keeps":
            return _kept_by_package(c, name)
    return None


def _kept_by_package(c: Call, name: str) -> Data:
    """The rows that a call is given; an array of what a loop gathered out of sight is a table of its own."""
    whole = layers.sized(name, kept(c))
    first = c.m.plain(c.args[0]) if c.args and name in names_of(Group.ARRAYS) else None
    nothing = replace(whole, cuts=frozenset()).blank and whole.shape not in {Shape.MASK, Shape.POSITIONS}
    gathered = isinstance(first, Seq) and first.open and nothing
    return fresh(c, OriginKind.CALL, name) if gathered else whole


def _guessed_object(c: Call, name: str) -> Value | None:
    """An object of a class that no row describes, by how its name ends; None where it is given rows, or is no class."""
    guess = guessed(name)
    root = name.partition(".")[0]
    if guess is None or "target" in c.keywords or any(making.given_rows(d, root) for d in c.all_data()):
        return None
    c.m.trace.unknown[name] = c.m.trace.unknown.get(name, 0) + 1
    callbacks.hand_over(c)
    making.handed_on(c)
    return making.construct(c, guess)


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
    return _METHODS[type(owner)](c, owner)


def _of_network(c: Call, owner: Instance) -> Value:
    """A method of the library class that a class of the audited code derives from."""
    return _of_rows(c, UNKNOWN) if owner.network is None else fitting.method(c, owner.network)


def _of_container(c: Call, owner: Seq | Mapping) -> Value:
    own = containers.method(c, owner)
    return _of_rows(c, c.m.data(owner)) if own is None else own


def _of_literal(c: Call, owner: Const) -> Value:
    """A method of a number or a text that is written in the code."""
    text = naming.filled_in(c, owner.value) if c.name == "format" else None
    if text is not None:
        return text
    lines = open_files.read_by(c.m, c.node, owner, c.name)
    if lines is not None:
        return lines
    if not c.all_data():
        return Data(shape=Shape.SUMMARY)
    whole = united(c.all_data())
    windows = {k for k in whole.marks if k.kind is Kind.WINDOW} if c.name in names_of(Group.JOINS_TEXTS) else None
    return replace(whole, marks=whole.marks - windows) if windows else whole  # all windows become one text


def _of_unseen_object(c: Call, data: Data) -> Value | None:
    """A method by which an object out of sight gives itself away: a splitter, a session that reads, a loss, a tape."""
    match c.name:
        case "split" if splits.divides(c):
            return splits.folds(c, splits.unseen_splitter(c))
        case "backward":
            return _backward(c, data)
        case "gradient" if c.data(0, "target").predictions:
            return _backward(c, c.data(0, "target"))
    if _reads_by_session(c):
        c.name, c.effect = f"spark.read.{c.name}", Effect(Role.READ)
        return sources.read(c)
    return vocabularies.method(c, data) if data.shape is Shape.SUMMARY else None


def _backward(c: Call, loss: Data) -> Value:
    scoring.backward(c, loss)
    return UNKNOWN


def _reads_by_session(c: Call) -> bool:
    """`spark.read.csv(path)`."""
    func = c.node.func
    known = catalogue().method("reader", c.name) is not None
    return known and isinstance(func, ast.Attribute) and ".read" in text_of(func.value)


def _of_rows(c: Call, data: Data) -> Value:
    """A method of a table, a column, or of something that nothing is known of."""
    known = _of_unseen_object(c, data) or _extended(c, data) or _got(c, data) or _of_unseen_model(c, data)
    if known is not None:
        return known
    if data.shape is Shape.ROLLING:
        return time_order.summed_up(c, data)
    effect = method_effect(c.name, grouped=data.shape is Shape.GROUPED)
    if effect is not None and effect.role is Role.CONFIGURE:
        return c.receiver
    changed = _changed_list(c, data) or _gathered_by_key(c, data) or _transformed_out_of_sight(c, data)
    if changed is not None:
        return changed
    if effect is None and c.name not in names_of(Group.OF_ROWS):
        callbacks.hand_over(c)
    return tables.perform(c, effect or Effect(Role.SAME), function=False)


def _of_unseen_model(c: Call, data: Data) -> Value | None:
    """A method of a model that was made out of sight, as its use shows; None where it is no model."""
    model = own_models.given(c, data)
    if model is None:
        return None
    c.m.store(c.receiver, model)
    return fitting.method(c, model)


def _transformed_out_of_sight(c: Call, data: Data) -> Data | None:
    """What an object gives that was made out of sight and is no table; None for other methods."""
    if c.name not in names_of(Group.TRANSFORMS) or data.shape is not Shape.UNKNOWN:
        return None
    given = united(c.all_data())
    return replace(given, via=given.via | data.via).marked(*data.marks) if given.rows else None


def _got(c: Call, data: Data) -> Value | None:
    return table_columns.got(c.m, data, c.args[0]) if c.name == "get" and c.args else None


def _changed_list(c: Call, data: Data) -> Const | None:
    """`names.remove("y")`, where `list(table.columns)` became a list of names; None for other calls.

    Other changes leave the names unknown.
    """
    if c.name in names_of(Group.CHANGES) and column_names.are_names(data):
        names = c.m.names(c.args[0]) if c.args and c.name == "remove" else None
        c.m.store(c.receiver, column_names.without(data, names))
        return Const(None)
    return Const(None) if data.shape is Shape.SUMMARY and picked_columns.changed(c, data) else None


def _extended(c: Call, data: Data) -> Value | None:
    """`rows.extend(more)`, where a column or a part became a list: it then has the others, too."""
    if c.name != "extend" or not data.rows or not c.args:
        return None
    c.m.store(c.receiver, united([data, *c.all_data()]))
    return Const(None)


def _gathered_by_key(c: Call, group: Data) -> Const | None:
    """`groups[key].append(x)`: what the key knows goes into the whole; None for other calls."""
    at = c.node.func.value if isinstance(c.node.func, ast.Attribute) else None
    if c.name not in names_of(Group.GATHERS) or not isinstance(at, ast.Subscript):
        return None
    base = c.m.evaluate(at.value)
    whole = c.m.plain(base)
    if isinstance(whole, Data):
        c.m.store(base, united([whole, *c.all_data()]).marked(*group.marks))
    return Const(None)


def unknown_call(c: Call, receiver: Data = UNKNOWN) -> Value:
    """A call of unknown effect gives the rows and traces that went in; without any, a table of its own."""
    name = c.name or text_of(c.node.func)[:60]
    given = c.all_data()
    whole = united([receiver, *given])
    if whole.predictions and len(given) > 1 and scores_by_name(name):
        c.name, c.effect = name, Effect(Role.METRIC)
        return scoring.metric(c)
    callbacks.hand_over(c)
    making.handed_on(c)
    _note_unknown(c, name, whole)
    if whole.rows or whole.marks or whole.predictions:
        parts = _parts_apart(c)
        passed = [_passed_through(c, data, name) for data in parts or [whole]]
        return Seq(tuple(passed), open=True) if parts else passed[0]
    if one_by_one(name) and name.rpartition(".")[2].startswith(_TOOLS):
        return Data(shape=Shape.SUMMARY)
    return binding.called(c.m, _speaking_name(c.node.func), fresh(c, OriginKind.CALL, name))


def _note_unknown(c: Call, name: str, given: Data) -> None:
    """Write down a call that is not described, and the predictions that it may score."""
    if known_package(name) or one_by_one(name):
        return
    trace = c.m.trace
    trace.unknown[name] = trace.unknown.get(name, 0) + 1
    judged = given.predictions if given.rows else ()  # a score that is logged has been computed already
    trace.judged_elsewhere.update((p.model.serial, p.rows) for p in judged)


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


# --- the code's own functions and classes -----------------------------------------------------------------


def _call_object(c: Call, target: Value, plain: Instance | Estimator) -> Value:
    """`model(x)`: a forward pass; or `__call__` of an object."""
    network = plain.network if isinstance(plain, Instance) else plain
    if network is not None and network.effect.role is Role.NETWORK:
        own_loss = isinstance(plain, Instance) and own_models.is_loss(c, plain)
        return scoring.loss(c) if own_loss else _forward(c, layers.taught_with(c.m, network))
    if isinstance(plain, Instance):
        member = attributes.inherited(plain.cls, "__call__")
        if isinstance(member, Function):
            return functions.call_function(c, replace(member, bound=target))
    elif plain.effect.role is Role.LOSS or _unseen_gauge(c, plain):
        return scoring.loss(c)
    elif plain.effect.role in _APPLIED:
        return transforming.transformed(c, plain, united(c.all_data()))
    return unknown_call(c, c.m.data(target))


def _forward(c: Call, network: Estimator) -> Value:
    """A network is asked about rows; that a trained one was is written down."""
    asked = united(c.all_data())
    if network.fits and asked.rows and not asked.predictions:
        shown = Evaluation(network, asked.rows, asked.marks, "call", c.site, Purpose.PREDICT, c.m.loops, asked.via)
        c.m.trace.shown.setdefault(shown)
    return transforming.predicted(c, network, asked)


_METHODS: dict[type[Any], Callable[[Call, Any], Value]] = {
    Estimator: fitting.method,
    Instance: _of_network,
    Seq: _of_container,
    Mapping: _of_container,
    Const: _of_literal,
    Data: _of_rows,
    **dict.fromkeys((Function, Class, Module, Library), lambda c, _: unknown_call(c)),
}
"""Which function follows the method of which sort of receiver."""
