"""Objects that are fitted: how they are made, from scratch, by training, by cloning."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from assay.leakage.code.effects import Effect, How, Role
from assay.leakage.code.language.call import Call
from assay.leakage.code.lookup import effect_in, effect_of
from assay.leakage.code.models import fitting, layers, own_models, watching
from assay.leakage.code.scored import scoring
from assay.leakage.code.scored.search_loops import INSIDE, WITHOUT_OUTCOME
from assay.leakage.code.scored.search_loops import settings as varied_settings
from assay.leakage.code.state.machine import united
from assay.leakage.code.state.values import (
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
    Marks,
    Seq,
    Value,
)
from assay.libraries.catalogue import catalogue
from assay.libraries.row import Condition, Use
from assay.records import replace

CONSTRUCTED = frozenset({Role.TRANSFORMER, Role.STATELESS, Role.MODEL, Role.NETWORK, Role.GROUPER,
                         Role.PIPELINE, Role.SEARCH, Role.WRAPPER, Role.SPLITTER, Role.RESAMPLER, Role.GENERATOR,
                         Role.STOPPER, Role.LAYER, Role.LOSS})  # fmt: skip
_DERIVED = frozenset({Role.TRANSFORMER, Role.STATELESS, Role.MODEL, Role.GROUPER})
"""Objects of libraries that the code derives classes of its own from."""
_HOLDERS = frozenset({Role.SEARCH, Role.PIPELINE, Role.WRAPPER})


def given_rows(data: Data, package: str) -> bool:
    """Whether there are rows among what an object is made of; other objects of its package (layers, say) are none."""
    made = (part.origin.name for part in data.rows)
    return not all(name.startswith(f"{package}.") and name.rpartition(".")[2][:1].isupper() for name in made)


def _as_set(c: Call, effect: Effect) -> Effect:
    """The effect of an object with the settings that it is given: a gap filled with a constant teaches nothing."""
    if effect.row is None:
        return effect
    special = [row for row in catalogue().alternatives(effect.row) if all(_holds(c, one) for one in row.when)]
    return effect_in(max(special, key=lambda row: len(row.when))) if special else effect


def _holds(c: Call, condition: Condition) -> bool:
    """Whether an argument is what a row asks for."""
    value = c.at(condition.port)
    if value is None:
        return condition.absent
    given = c.m.constant(value)
    return given in condition.values if condition.values else given is not None


def construct(c: Call, effect: Effect) -> Value:
    """A fresh object, with the objects that it is made of."""
    effect = _as_set(c, effect)
    parts: tuple[Value, ...] = (*_parts(c), *(_tensors(c) if effect.role is Role.NETWORK else ()))
    steps = [p for p in map(c.m.plain, parts) if isinstance(p, Estimator) and effect.role is Role.PIPELINE]
    if len(parts) == 1 and steps and steps[0].effect.role is Role.MODEL:
        return parts[0]  # a pipeline of one step is that step
    settings = tuple(_settings(c, effect, parts))
    made = _estimator(c, effect, _class_name(c.name), parts=parts, marks=_tuned(c, steps), settings=settings)
    for sign in _signs_of_imbalance(c, effect, made.name):
        scoring.imbalance(c, sign)
    return _fitted_at_once(c, made)


def _estimator(c: Call, effect: Effect, name: str, **held: Any) -> Estimator:
    """An object that a call makes."""
    return Estimator(effect, name, c.site, (c.node, c.m.stack, c.m.rounds), **held)


def _fitted_at_once(c: Call, made: Estimator) -> Estimator:
    """An object that its constructor is given rows for."""
    effect = made.effect
    if effect.how is How.IN_CONSTRUCTOR:
        features = c.data(1, "exog", "X") if len(c.args) > 1 else united(c.all_data())
        return fitting.fitted(c, made, features, c.data(0) if len(c.args) > 1 else UNKNOWN)
    if effect.how is How.TRAINER:
        return _trainer(c, made)
    learns = effect.port(Use.LEARNS)
    if c.at(learns) is None:
        return made
    return fitting.fitted(c, made, c.rows_at(learns), c.rows_at(effect.port(Use.TARGET)))


def _settings(c: Call, effect: Effect, parts: tuple[Value, ...]) -> Iterator[tuple[str, Any]]:
    """The arguments that are literals, and what else decides how the object works."""
    yield from ((n, c.m.constant(value)) for n, value in c.keywords.items() if isinstance(c.m.plain(value), Const))
    first = c.constant(0) if c.args else None
    match effect.role:
        case Role.STOPPER if isinstance(first, str):
            yield "filepath", first
        case Role.SPLITTER if isinstance(first, int):
            yield "n_splits", first
        case Role.NETWORK:
            yield from layers.made_of(c)
    if varied_settings(c.node) & c.m.varied and effect.role is not Role.MODEL:
        yield "tried", True
    held = _models_inside(c, parts) if effect.role in _HOLDERS else ""
    if held:
        yield INSIDE, held
    steps = [part for part in map(c.m.plain, parts) if isinstance(part, Estimator)]
    if effect.role is Role.PIPELINE and steps and steps[-1].effect.role is Role.GROUPER:
        yield WITHOUT_OUTCOME, True


def _tuned(c: Call, steps: list[Estimator]) -> Marks:
    """The traces of searches whose choice the object is made with."""
    without = (Const, Library, Function, Class)
    given = [v for v in c.keywords.values() if not isinstance(c.m.plain(v), without)]
    marks = [*united([c.m.data(v) for v in c.spread]).marks, *united([c.m.data(v) for v in given]).marks]
    return frozenset(k for k in (*marks, *(k for step in steps for k in step.marks)) if k.kind is Kind.TUNED)


def _signs_of_imbalance(c: Call, effect: Effect, name: str) -> Iterator[str]:
    """What the way an object is made says of rare classes."""
    if c.constant(-1, "class_weight") == "balanced" or "scale_pos_weight" in c.keywords:
        yield f"`class_weight` or its like of {name}"
    elif isinstance(c.m.plain(c.keywords.get("class_weight", UNKNOWN)), Mapping):
        yield f"`class_weight` of {name}"
    if effect.role is Role.RESAMPLER:
        yield f"resampling by {name}"


def _class_name(name: str) -> str:
    """`AutoModel` of `transformers.AutoModel.from_pretrained`; else the last part."""
    *_, above, last = ["", *name.split(".")]
    return above if above[:1].isupper() and not last[:1].isupper() else last


def _tensors(c: Call) -> list[Value]:
    """What a network is made of where layers were called one on the other: `Model(inputs=text, outputs=verdict)`."""
    given = (v for v in (*c.args, *c.keywords.values()) if isinstance(c.m.plain(v), Data | Seq))
    return [v for v in given if (data := c.m.data(v)).marks and not data.rows and not data.predictions]


def _models_inside(c: Call, parts: tuple[Value, ...]) -> str:
    """The sorts of models that a pipeline or a wrapper is made of, also those inside another."""
    held = (part for part in map(c.m.plain, parts) if isinstance(part, Estimator))
    names = (part.name if part.effect.role is Role.MODEL else part.setting(INSIDE) for part in held)
    return "+".join(name for name in names if name)


def _trainer(c: Call, made: Estimator) -> Estimator:
    """The trainer of a network, which is given its rows, and those to watch, when it is made."""
    trained = fitting.fitted(c, made, c.data(-1, "train_dataset"), UNKNOWN)
    watching.stopping(c, trained)
    watched = c.value(-1, "eval_dataset")
    return trained if watched is None else replace(trained, parts=(*trained.parts, watched))


def handed_on(c: Call) -> None:
    """Write down that a trained model is given to somebody who may test it out of sight."""
    for value in (*c.args, *c.keywords.values()):
        given = c.m.plain(value)
        model = given.network if isinstance(given, Instance) else given
        if isinstance(model, Estimator) and model.fits:
            c.m.trace.handed_on = True


def _parts(c: Call) -> list[Value]:
    """The estimators among the arguments, also inside lists, tuples and dicts."""
    found: list[Value] = []
    todo: list[tuple[Value, int]] = [(v, 0) for v in (*c.args, *c.keywords.values())]
    while todo and len(found) < _MOST_PARTS:
        value, depth = todo.pop(0)
        match c.m.plain(value):
            case Estimator() | Instance():
                found.append(value)
            case Seq(items=items) if depth < _DEEPEST:
                todo += [(item, depth + 1) for item in items]
            case Mapping(items=entries) if depth < _DEEPEST:
                todo += [(item, depth + 1) for _, item in entries]
    return found


_MOST_PARTS, _DEEPEST = 60, 4


def network_of(c: Call, cls: Class) -> Estimator | None:
    """The model behind a class that derives from the base class of networks or models, or that is a model by itself.

    A base class out of sight is one of networks where the class says what comes out: it has a method `forward`.
    """
    found = next((one for one in (_network_behind(c, cls, base) for base in cls.bases) if one is not None), None)
    unseen = any(not isinstance(base, Class) for base in cls.bases)
    if found is None and unseen and isinstance(cls.members.get(own_models.FORWARD), Function):
        return _estimator(c, Effect(Role.NETWORK), cls.node.name)
    return found or own_models.model_of(c, cls)


def _network_behind(c: Call, cls: Class, base: Value) -> Estimator | None:
    """The model behind a class, as one of its base classes says."""
    if isinstance(base, Class):
        found = network_of(c, base)
        return None if found is None else replace(found, name=cls.node.name)
    if not isinstance(base, Library):
        return None
    if base.name.rpartition(".")[2] in catalogue().network_bases:
        return _estimator(c, Effect(Role.NETWORK), cls.node.name)
    described = effect_of(base.name)
    derived = described is not None and described.role in _DERIVED
    return _estimator(c, described, cls.node.name) if described is not None and derived else None


# --- methods --------------------------------------------------------------------------------------------


def train(c: Call) -> Value:
    """`xgb.train(params, dtrain, …)` and its kin give a fitted model."""
    model = _estimator(c, Effect(Role.MODEL), c.name)
    data = c.rows_at(c.effect.port(Use.LEARNS))
    made = fitting.fitted(c, model, data, UNKNOWN)
    tuned = frozenset(k for k in c.data(0, "params").marks if k.kind is Kind.TUNED)
    watching.stopping(c, made, c.effect.port(Use.WATCHES))
    return replace(made, marks=tuned)


def cloned(c: Call) -> Value:
    """An unfitted copy."""
    model = c.m.plain(c.value(0, "estimator", "model") or c.base)
    return anew(c, model) if isinstance(model, Estimator) else model


def anew(c: Call, model: Estimator) -> Estimator:
    """Another object like this one, which has learnt nothing yet."""
    return replace(model, fits=frozenset(), serial=(model.serial, c.node, c.m.stack, c.m.rounds))
