"""Models that the audited code writes itself: a class that is fitted and predicts, and no library's model inside."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache

from assay.leakage.code.effects import Effect, How, Role
from assay.leakage.code.language import attributes
from assay.leakage.code.language.call import Call
from assay.leakage.code.lookup import method_row
from assay.leakage.code.models import fitting, transforming
from assay.leakage.code.state.machine import united
from assay.leakage.code.state.rows import OriginKind, Part
from assay.leakage.code.state.texts import text_of
from assay.leakage.code.state.values import WITHOUT_ROWS, Class, Data, Estimator, Function, Instance, Shape, Value
from assay.libraries.catalogue import names_of
from assay.libraries.row import Group, Use
from assay.patterns import regex
from assay.records import replace

_OF_NETWORKS = frozenset({"parameters", "named_parameters"})
_UNSEEN_MODEL = Effect(Role.MODEL, how=How.GIVEN)
"""A model that no row describes: it has the methods that models have."""
_OF_EPOCHS = frozenset({"epochs", "validation_data"})
"""Only networks take these arguments when they are fitted."""
_UNSEEN = frozenset({OriginKind.CALL, OriginKind.UNDEFINED})
_PICKLED = regex(r"(?:joblib|pickle|dill)\.load$")
"""What reads objects of any sort."""
_BY_ENDING = Effect(Role.TRANSFORMER)
"""What a name that ends like a transformer's promises; but networks bear such names too."""
_TEACHING = regex(r"(?:fit|train)(?:_(?!.*(?:split|test|predict|transform|generator))\w+)?$")
"""What methods are called that teach a model; but `train_test_split` divides, and `fit_predict` does both."""
_DEEPEST = 6
FORWARD = "forward"


def model_of(c: Call, cls: Class) -> Estimator | None:
    """The model side of an object of such a class; None when the class is none."""
    if isinstance(attributes.inherited(cls, "predict"), Function) and any(map(_teaches, _methods(cls))):
        return Estimator(Effect(Role.MODEL, how=How.OWN), cls.node.name, c.site, (c.node, c.m.stack, c.m.rounds))
    return None


def _methods(cls: Class, depth: int = 0) -> Iterator[str]:
    """The names of the functions of a class and of the classes of the audited code that it derives from."""
    yield from (name for name, member in cls.members.items() if isinstance(member, Function))
    for base in cls.bases if depth < _DEEPEST else ():
        if isinstance(base, Class):
            yield from _methods(base, depth + 1)


def _teaches(name: str) -> bool:
    """Whether a method is called after what it does to a model: `fit`, `train`, `fit_vectorised`."""
    return _TEACHING.match(name) is not None


def given(c: Call, data: Data) -> Estimator | None:
    """The model that an object made out of sight must be, by what the program does with it.

    It is fitted on rows and their outcome, or on rows and later asked to predict or to score.

    It may be the parameter of an uncalled function, or what a call out of sight gave (`registry[name](**settings)`).
    A network may be given both by one loader; then its epochs, or the rows that it watches, give it away. It may be an
    attribute of what was given (`holder.model`); that looks like a column, but nobody fits those.
    """
    row = method_row(_UNSEEN_MODEL, c.name)
    if row is None or row.role is not Role.FIT or not _is_object(data):
        return None
    network = not _OF_EPOCHS.isdisjoint(c.keywords)
    asked = _written(c) in _asked_in(c.m.source.tree)
    outcome = c.name == "fit" and bool(c.data(1, "y").rows)
    if not c.rows_at(row.port(Use.LEARNS)).rows or not (network or outcome or asked):
        return None
    effect = Effect(Role.NETWORK if network else Role.MODEL, how=How.GIVEN)
    return Estimator(effect, f"`{_name(c, data)}`", c.site, (c.node, c.m.stack, c.m.rounds))


@lru_cache(maxsize=8)
def _asked_in(tree: ast.Module | None) -> frozenset[str]:
    """The objects, as a file writes them, that it asks to predict or to score."""
    return frozenset(
        text_of(n.func.value)
        for n in ast.walk(tree or ast.Module([], []))
        if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute) and _asks(n.func.attr)
    )


def _asks(name: str) -> bool:
    row = method_row(_UNSEEN_MODEL, name)
    return row is not None and row.role in {Role.PREDICT, Role.SCORE}


def _is_object(data: Data) -> bool:
    """Whether this may be an object of any sort: a parameter, or what a call or an import out of sight gave.

    What was made of rows by such a call (`model = built_for(table)`) bears the name of the call.
    """
    if data.shape not in {Shape.UNKNOWN, Shape.COLUMN}:
        return False
    if data.via and data.shape is Shape.UNKNOWN:
        return True
    return not data.marks and all(map(_is_unseen, data.rows)) and (bool(data.rows) or data.shape is Shape.UNKNOWN)


def _is_unseen(part: Part) -> bool:
    """Whether a part is a parameter, or all or an entry of what a call, an import or a file with objects gave."""
    parameter = part.origin.kind is OriginKind.PARAMETER and not part.cuts
    return parameter or part.origin.kind in _UNSEEN or _PICKLED.search(part.origin.name) is not None


def _name(c: Call, data: Data) -> str:
    """What a parameter or an attribute of it is called; else as the object is written."""
    keys = [part.origin.key for part in data.rows]
    parameters = sorted(str(key[1]) for key in keys if isinstance(key, tuple) and key[0] == "parameter")
    return next(iter(sorted(data.columns.only or ())), next(iter(parameters), _written(c)))


def _written(c: Call) -> str:
    """What the code calls the object whose method is called."""
    return text_of(c.node.func.value) if isinstance(c.node.func, ast.Attribute) else "a model"


def network_by_use(c: Call, owner: Value) -> Estimator | None:
    """The network that an object made out of sight must be: it has parameters to learn, or is set to its task."""
    if c.name not in _OF_NETWORKS and not (c.name in names_of(Group.SETS_MODE) and not c.args and not c.keywords):
        return None
    made = (c.node, c.m.stack, c.m.rounds)
    if isinstance(owner, Estimator):
        # `AntibodyClassifier(…)`, `PatchTransformer(…)`: which may be models of any sort
        plain = owner.effect.role is Role.MODEL or owner.effect == _BY_ENDING
        unseen = owner.effect.how is How.UNKNOWN or (plain and c.name in _OF_NETWORKS)
        return replace(owner, effect=Effect(Role.NETWORK, how=How.GIVEN)) if unseen else None
    if not isinstance(owner, Data) or owner.predictions:  # rows have no such methods, wherever the object was found
        return None
    return Estimator(Effect(Role.NETWORK, how=How.GIVEN), f"`{_written(c)}`", c.site, made)


def said(c: Call, target: Value) -> Value | None:
    """What a network says through a method of its own: `net.forward(x)`, or in another method `self.layer(x)`.

    `self.forward()` is given nothing: it says something of the rows that the object was given before.
    """
    owner, called = c.m.plain(c.receiver), c.m.plain(target)
    network = owner.network if isinstance(owner, Instance) else None
    if network is None or network.effect.role is not Role.NETWORK:
        return None
    shown = united(c.all_data())
    if isinstance(called, Function):
        forward = isinstance(c.node.func, ast.Attribute) and c.node.func.attr == FORWARD
        asked = forward and bool(c.args or c.keywords)
    else:
        asked = not shown.predictions and _is_layer(called)
    return transforming.predicted(c, network, shown) if asked else None


def _is_layer(called: Value) -> bool:
    """Whether this is something that a network is made of: a layer, a smaller network, or an object out of sight."""
    if isinstance(called, Estimator):
        return called.effect.role is Role.LAYER or (called.effect.role is Role.NETWORK and not called.fits)
    return isinstance(called, Data) and called.shape is not Shape.SUMMARY


def is_loss(c: Call, called: Instance) -> bool:
    """Whether a module of the code gets both predictions and the truth, and has nothing to learn.

    Then it is the loss of the training, and predicts nothing itself.
    """
    given = c.all_data()
    said = any(data.predictions for data in given)
    truth = any(data.rows and not data.predictions for data in given)
    return said and truth and _cannot_learn(c, called)


def _cannot_learn(c: Call, value: Value, depth: int = 0) -> bool:
    """Whether this is a number, a text, weights of classes or a loss; what nobody knows may be a layer.

    A loss of the audited code may be the sum of others of it: then none of these may have anything to learn.
    """
    if isinstance(value, Instance):
        in_sight = isinstance(attributes.inherited(value.cls, FORWARD), Function)
        parts = (c.m.plain(part) for _, part in value.attributes)
        return in_sight and depth < _DEEPEST and all(_cannot_learn(c, part, depth + 1) for part in parts)
    if isinstance(value, Estimator):
        return value.effect.role is Role.LOSS
    return isinstance(value, WITHOUT_ROWS) or (isinstance(value, Data) and value.shape is Shape.SUMMARY)


def after_method(c: Call, result: Value) -> Value:
    """What a method that has been followed line by line means for the object as a model."""
    owner = c.m.plain(c.receiver)
    model = owner.network if isinstance(owner, Instance) else None
    if not isinstance(owner, Instance) or model is None or model.effect.how is not How.OWN:
        return result
    if _teaches(c.name):
        features, target = c.data(0, "X", "x"), c.data(1, "y", "Y")
        if (c.name == "fit" or target.rows) and not fitting.holds_both_sides(c, features):
            taught = fitting.fitted(c, model, features, target)
            c.m.store(c.receiver, replace(owner, network=taught))
    elif c.name in {"predict", "predict_proba"} and model.fits and not c.m.data(result).predictions:
        return fitting.predict(c, model)
    return result
