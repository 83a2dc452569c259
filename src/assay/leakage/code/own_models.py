"""Models that the audited code writes itself: a class with `fit` and `predict`, and no library's model inside."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from assay.leakage.code import attributes, fitting
from assay.leakage.code.effects import GIVEN, Effect, Role
from assay.leakage.code.texts import text_of
from assay.leakage.code.values import Class, Data, Estimator, Function, Instance, Shape, Value

if TYPE_CHECKING:
    from assay.leakage.code.call import Call

_OWN = "own"
_OF_NETWORKS = frozenset({"parameters", "named_parameters"})
_SET_TO = frozenset({"train", "eval"})


def model_of(c: Call, cls: Class) -> Estimator | None:
    """The model side of an object of such a class; None when the class is none."""
    if all(isinstance(attributes.inherited(cls, name), Function) for name in ("fit", "predict")):
        return Estimator(Effect(Role.MODEL, how=_OWN), cls.node.name, c.site, (c.node, c.m.stack, c.m.rounds))
    return None


def given(c: Call, data: Data) -> Estimator | None:
    """The model that a parameter of an uncalled function must be: `fit` is called on it with rows and outcome."""
    if c.name != "fit" or len(data.rows) != 1 or data.marks or data.shape is not Shape.UNKNOWN:
        return None
    ((origin, cuts, _),) = data.rows
    if cuts or not isinstance(origin.key, tuple) or origin.key[0] != "parameter":
        return None
    if not c.data(0, "X", "x").rows or not c.data(1, "y").rows:
        return None
    return Estimator(Effect(Role.MODEL, how=GIVEN), f"`{origin.key[1]}`", c.site, (c.node, c.m.stack, c.m.rounds))


def network_by_use(c: Call, owner: Value) -> Estimator | None:
    """The network that an object made out of sight must be: it has parameters to learn, or is set to its task."""
    if c.name not in _OF_NETWORKS and not (c.name in _SET_TO and not c.args and not c.keywords):
        return None
    made = (c.node, c.m.stack, c.m.rounds)
    if isinstance(owner, Estimator):
        return replace(owner, effect=Effect(Role.NETWORK, how=GIVEN)) if owner.effect.how == "unknown" else None
    if not isinstance(owner, Data) or owner.shape is not Shape.UNKNOWN or owner.predictions or owner.marks:
        return None
    name = text_of(c.node.func.value) if isinstance(c.node.func, ast.Attribute) else "a network"
    return Estimator(Effect(Role.NETWORK, how=GIVEN), f"`{name}`", c.site, made)


def after_method(c: Call, result: Value) -> Value:
    """What a method that has been followed line by line means for the object as a model."""
    owner = c.m.plain(c.receiver)
    model = owner.network if isinstance(owner, Instance) else None
    if not isinstance(owner, Instance) or model is None or model.effect.how != _OWN:
        return result
    if c.name == "fit" and not _wraps_a_model(c, owner):
        features = c.data(0, "X", "x")
        if not fitting.holds_both_sides(c, features):
            taught = fitting.fitted(c, model, features, c.data(1, "y", "Y"))
            c.m.store(c.receiver, replace(owner, network=taught))
    elif c.name in {"predict", "predict_proba"} and model.fits and not c.m.data(result).predictions:
        return fitting.predict(c, model)
    return result


def _wraps_a_model(c: Call, owner: Instance) -> bool:
    """Whether the work is done by a fitted object inside, which has been followed by itself."""
    inside = (c.m.plain(value) for _, value in owner.attributes)
    models = (v.network if isinstance(v, Instance) else v for v in inside)
    return any(isinstance(v, Estimator) and v.fits and v.effect.role is not Role.TRANSFORMER for v in models)
