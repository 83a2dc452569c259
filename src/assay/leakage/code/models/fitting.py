"""Objects that are fitted: how they are made, what `fit`, `transform`, `predict` and `score` do."""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import cache

from assay.leakage.code.dividing import splits
from assay.leakage.code.effects import Role
from assay.leakage.code.frames import sources
from assay.leakage.code.language import attributes
from assay.leakage.code.language.call import Call
from assay.leakage.code.learnt import items
from assay.leakage.code.lookup import effect_in, method_row
from assay.leakage.code.models import (
    columns_taken,
    graphs,
    layers,
    own_steps,
    saved_models,
    smoothing,
    trainers,
    transforming,
    watching,
)
from assay.leakage.code.scored import scoring
from assay.leakage.code.state.events import Evaluation, Purpose, Scheme
from assay.leakage.code.state.machine import united
from assay.leakage.code.state.provenance import drawn_at_random
from assay.leakage.code.state.rows import meet
from assay.leakage.code.state.values import (
    ITEMS,
    UNKNOWN,
    Data,
    Estimator,
    Fit,
    Instance,
    Kind,
    Prediction,
    Seq,
    Shape,
    Value,
)
from assay.libraries.row import How, Port, Trait, Use, parse_port
from assay.records import replace

_TAUGHT = parse_port("argument[0, X, x]")
_OUTCOME = parse_port("argument[1, y, Y, y_train]")
_ASKED = parse_port("argument[0, X, x, exog, test_dataset, data]")
"""Where the rows stand in calls that no row describes."""


def method(c: Call, owner: Estimator) -> Value:
    """A method of a described object."""
    row = method_row(owner.effect, c.name)
    if owner.effect.role is Role.SPLITTER and (row is None or row.role is not Role.DIVIDE):
        return Data(shape=Shape.SUMMARY)
    handler = _handlers().get(row.role) if row is not None else None
    if row is None or handler is None:
        return _other(c, owner)
    c.effect = effect_in(row)
    return handler(c, owner)


def _rows(c: Call) -> Data:
    return c.rows_at(c.effect.port(Use.ROWS) or _ASKED)


def _fit_transform(c: Call, owner: Estimator) -> Value:
    given = _rows(c)
    _fit(c, owner)
    return transforming.transformed(c, _current(c, owner), given)


def _fit_predict(c: Call, owner: Estimator) -> Value:
    _fit(c, owner)
    return transforming.predicted(c, _current(c, owner), _rows(c))


def _load(c: Call, owner: Estimator) -> Value:
    keep(c, saved_models.loaded(c, _current(c, owner)))
    return c.receiver


def _configure(c: Call, owner: Estimator) -> Value:
    """`set_params`, `compile`, `to(device)`: the object itself, with what settings it is given."""
    _note_metrics(c)
    spread = united([c.m.data(v) for v in c.spread])
    tuned = frozenset(k for k in spread.marks if k.kind is Kind.TUNED)
    now = _current(c, owner)
    keep(c, replace(now, marks=now.marks | tuned))
    return c.receiver


def _other(c: Call, owner: Estimator) -> Value:
    """A method that no row describes."""
    if owner.effect.how is How.UNKNOWN:
        if c.name == "split" and splits.divides(c):
            return splits.folds(c, splits.unseen_splitter(c))
        return c.pass_through()
    if owner.effect.role in {Role.TRANSFORMER, Role.STATELESS, Role.PIPELINE} and c.all_data():
        return transforming.transformed(c, owner, united(c.all_data()))
    return Data(shape=Shape.SUMMARY)


def _note_metrics(c: Call) -> None:
    """`compile(metrics=["accuracy"])` is kept with the model, for what `evaluate` reports."""
    owner = c.m.plain(c.receiver)
    model = owner.network if isinstance(owner, Instance) else owner
    given = c.value(2, "metrics")
    if isinstance(model, Estimator) and given is not None:
        metrics = c.m.constant(given)
        only = isinstance(metrics, list) and all(str(x).lower() in {"acc", "accuracy"} for x in metrics)
        keep(c, replace(model, settings=(*model.settings, ("metrics", "accuracy" if only else "other"))))


def _current(c: Call, owner: Estimator) -> Estimator:
    now = c.m.plain(c.receiver)
    if isinstance(now, Instance) and now.network is not None:
        return now.network
    return now if isinstance(now, Estimator) else owner


def keep(c: Call, changed: Estimator) -> None:
    """Change the object of a method in place."""
    owner = c.m.plain(c.receiver)
    if isinstance(owner, Instance):
        c.m.store(c.receiver, replace(owner, network=changed))
    else:
        c.m.store(c.receiver, changed)
        if not hasattr(c.receiver, "id"):
            c.receiver = changed


def _fit(c: Call, owner: Estimator) -> Value:
    if smoothing.weights_given(c, owner):
        c.m.trace.tested_otherwise.add(owner.serial)
        return c.receiver
    if owner.effect.how is How.IN_CONSTRUCTOR and not c.args:
        return c.receiver
    given = _given(c, owner)
    if owner.effect.how is not How.TRAINER or given.rows:
        _teach(c, owner, given)
    return c.receiver


def _given(c: Call, owner: Estimator) -> Data:
    """The rows that a fit learns from; a step that is fitted on each item anew learns nothing of others."""
    if owner.effect.how is How.TRAINER and trainers.given(c):
        return trainers.loaded(c)
    features = c.rows_at(c.effect.port(Use.LEARNS) or _TAUGHT)
    return UNKNOWN if owner.effect.role is Role.TRANSFORMER and items.is_whole(c.m, features) else features


def _teach(c: Call, owner: Estimator, given: Data) -> None:
    m = c.m
    target = UNKNOWN if owner.effect.how is How.TRAINER or _is_no_outcome(c) else c.rows_at(_outcome(c))
    features, target = _taught(c, given.marked(*transforming.learnt_by_layers(c, owner)), target)
    if owner.effect.role is Role.SEARCH:
        inner = next((p for p in map(m.plain, owner.parts) if isinstance(p, Estimator)), owner)
        scoring.cross_validated(c, inner, features, target, purpose=Purpose.SEARCH, scheme=Scheme.SEARCH)
    own_steps.taught(c, owner, features, target)
    updated = fitted(c, owner, features, target)
    if owner.setting("tried"):
        m.trace.tried.add(c.site)
    watching.stopping(c, updated, c.effect.port(Use.WATCHES))
    saved_models.checkpoints(c, updated)
    keep(c, updated)
    if owner.effect.has(Trait.FITS_PARTS):
        _fit_parts(c, updated)
    if "class_weight" in c.keywords:
        scoring.imbalance(c, "`class_weight`")


def _fit_parts(c: Call, whole: Estimator) -> None:
    """The steps of a pipeline are fitted with it, each in its place."""
    for value in whole.parts:
        step = c.m.plain(value)
        if isinstance(step, Estimator):
            c.m.store(value, replace(step, fits=whole.fits))


def _taught(c: Call, features: Data, target: Data) -> tuple[Data, Data]:
    """What is learnt from; where nothing is known of it, it may be typed in."""
    if _weighed(c):
        return UNKNOWN, UNKNOWN
    known = features.rows or target.rows or features.marks
    return features if known else UNKNOWN, target


def _side_by_side(c: Call, owner: Estimator) -> Value:
    """`fit(X_train, X_test, y_train, y_test)`: a table of how good each of many models is, in that order."""
    known = fitted(c, owner, c.rows_at(c.effect.port(Use.LEARNS)), c.rows_at(c.effect.port(Use.TARGET)))
    keep(c, known)
    held = _rows(c)
    scoring.score(c.m, c.node, known, held, c.name)
    said = frozenset({Prediction(known, held.rows, held.marks, c.site)})
    table = Data(marks=frozenset({scoring.score_mark(c.m, c.node)}), shape=Shape.TABLE, predictions=said)
    return Seq((table, Data(shape=Shape.TABLE)))


def _weighed(c: Call) -> bool:
    """`fit(X, y, sample_weight=train_mask)`: rows outside the mask weigh nothing, and who knows which those are."""
    given = next((k.value for k in c.node.keywords if k.arg == "sample_weight"), None)
    return isinstance(given, ast.Name) and given.id.endswith("mask")


def holds_both_sides(c: Call, features: Data) -> bool:
    """Whether an object of the code's own is given that holds a training and a test part: who knows which is used.

    Where both were joined, and all of that divided anew, it holds one part of the later division.
    """
    given = c.m.plain(c.args[0]) if c.args else None
    sides = {cut.side for part in features.rows for cut in part.cuts if isinstance(cut.side, str)}
    if not isinstance(given, Instance) or not {"train", "test"} <= sides:
        return False
    of_all = frozenset.intersection(*(part.cuts for part in features.rows))
    return not any(isinstance(cut.key, tuple) and cut.key[0] == "split" for cut in of_all)


def _outcome(c: Call) -> Port | None:
    return c.effect.port(Use.TARGET) or (None if c.effect.port(Use.LEARNS) else _OUTCOME)


def _is_no_outcome(c: Call) -> bool:
    """`tuner.search(settings, data, …)`: an object of the code's own that has no items is handed on to somebody."""
    given = c.m.plain(c.value(1, "y", "Y") or UNKNOWN)
    return isinstance(given, Instance) and ITEMS not in dict(given.attributes)


def fitted(c: Call, owner: Estimator, features: Data, target: Data) -> Estimator:
    """The object after it has learnt from these rows; networks add to what they learnt before."""
    rows = features.rows or target.rows
    target_marks = scoring.of_target(target)
    fit = Fit(
        c.site,
        rows,
        features.marks | target_marks,
        columns_taken.reaching(c.m, owner, features.columns),
        target.columns.only or frozenset(),
        target.marks,
        loops=c.m.loops,
        noise=drawn_at_random(features.rows) and drawn_at_random(target.rows) and not meet(features.rows, target.rows),
        via=features.via,
    )
    goes_on = owner.effect.role is Role.NETWORK or c.effect.has(Trait.KEEPS_LEARNING)
    fits = owner.fits | {fit} if goes_on else frozenset({fit})
    return replace(owner, fits=fits) if rows or features.marks else owner


def predict(c: Call, owner: Estimator) -> Value:
    """What an object says about rows; with a model that is an evaluation in the making."""
    if c.effect.role is Role.PREDICT_IN_SAMPLE and owner.fits:
        return attributes.said_of_its_own_rows(c.m, owner, c.node)
    data = _rows(c)
    if c.effect.how is How.TRANSFORMS:
        return transforming.transformed(c, owner, data)
    owner = layers.taught_with(c.m, owner)
    if owner.effect.role is Role.GROUPER:
        return transforming.transformed(c, owner, data)
    if owner.fits and data.rows:
        event = Evaluation(owner, data.rows, data.marks, c.name, c.site, Purpose.PREDICT, c.m.loops, data.via)
        c.m.trace.add(event)
    return transforming.predicted(c, owner, data)


def _run(c: Call, owner: Estimator) -> Value:
    """`session.run(step, feed_dict={x: X_train, y: y_train})` trains; any other part of the graph is asked."""
    fed = c.data(1, "feed_dict")
    if not fed.rows or not graphs.learns(c):
        return graphs.asked(c, owner, fed)
    keep(c, fitted(c, owner, fed, UNKNOWN))
    return Data(shape=Shape.SUMMARY)


def _score(c: Call, owner: Estimator) -> Value:
    data = _rows(c)
    if owner.effect.how is How.TRAINER and not c.args and not c.keywords:
        data = united([part for part in map(c.m.plain, owner.parts) if isinstance(part, Data)])
    if owner.effect.how is How.TRAINER and trainers.given(c):
        data = trainers.loaded(c)
    accuracy = owner.setting("metrics") == "accuracy" or (owner.effect.role is not Role.NETWORK and c.name == "score")
    accuracy = accuracy and "Regress" not in owner.name
    scoring.score(c.m, c.node, owner, data, c.name, accuracy=accuracy)
    made = Prediction(owner, data.rows, data.marks, c.site)
    if not owner.fits or not data.rows:
        return Data(shape=Shape.SUMMARY)
    mark = scoring.score_mark(c.m, c.node)
    return Data(marks=frozenset({mark}), shape=Shape.SUMMARY, predictions=frozenset({made}))


@cache
def _handlers() -> dict[Role, Callable[[Call, Estimator], Value]]:
    """What carries out each role of a method."""
    return {
        Role.DIVIDE: splits.folds,
        Role.RESAMPLE: transforming.resampled,
        Role.GENERATE: transforming.made_up,
        Role.FIT: _fit,
        Role.FIT_MANY: _side_by_side,
        Role.FIT_TRANSFORM: _fit_transform,
        Role.FIT_PREDICT: _fit_predict,
        Role.PREDICT: predict,
        Role.PREDICT_IN_SAMPLE: predict,
        Role.METRIC: lambda c, _: scoring.metric(c),
        Role.COMPUTE_LOSS: lambda c, _: scoring.loss(c),
        Role.SCORE: _score,
        Role.TRANSFORM: lambda c, owner: transforming.transformed(c, owner, _rows(c)),
        Role.NAME_COLUMNS: lambda c, owner: Data(marks=transforming.learnt(c, owner, UNKNOWN), shape=Shape.SUMMARY),
        Role.RUN: _run,
        Role.FLOW: lambda c, _: sources.flow(c),
        Role.WEIGH_COLUMNS: lambda c, owner: attributes.importances(c.m, owner, c.name, c.node),
        Role.SAVE_MODEL: lambda c, owner: saved_models.saved(c, _current(c, owner)),
        Role.TAKE_WEIGHTS: lambda c, owner: saved_models.taken_out(_current(c, owner)),
        Role.LOAD_WEIGHTS: _load,
        Role.CONFIGURE: _configure,
    }
