"""What `transform`, `fit_resample` and `predict` give: rows, with what the object learnt from others."""

from __future__ import annotations

from collections.abc import Iterator

from assay.leakage.code.effects import Role
from assay.leakage.code.language.call import Call
from assay.leakage.code.models import own_steps
from assay.leakage.code.state.places import gives_items
from assay.leakage.code.state.rows import held_out, meet
from assay.leakage.code.state.values import (
    SOME_COLUMNS,
    UNKNOWN,
    Columns,
    Data,
    Estimator,
    Fit,
    Kind,
    Mark,
    Prediction,
    Seq,
    Shape,
    Value,
)
from assay.libraries.row import Trait, Use
from assay.records import replace

_MAKES_COLUMNS = frozenset({Kind.VECTORISE, Kind.PROJECT})
"""What gives columns of its own: those that it was given may go, and what it learnt from them stays."""


def learnt(c: Call, owner: Estimator, data: Data) -> frozenset[Mark]:
    """What a transformation brings along: what it and its parts learnt, and from which rows."""
    fits = owner.fits
    if not fits and owner.setting("prefit") is True:
        given = [part for part in map(c.m.plain, owner.parts) if isinstance(part, Estimator)]
        fits = fits.union(*(part.fits for part in given))
    into = None if owner.effect.kind in _MAKES_COLUMNS else data.columns.only
    inside = _inside(c, owner)
    marks = frozenset(mark for fit in fits for mark in _learnt_in(owner, inside, fit, into))
    return marks.union(_done(c, owner, inside, data))


def _done(c: Call, owner: Estimator, inside: list[Estimator], data: Data) -> Iterator[Mark]:
    """What a transformation does without having learnt it."""
    if owner.effect.role is Role.STATELESS and owner.setting("tried"):
        c.m.trace.tried.add(c.site)
        yield Mark(Kind.TRIED, owner.name, c.site)
    augmenting = [p for p in (owner, *inside) if p.effect.kind is Kind.AUGMENT]
    if augmenting and data.rows and not gives_items(c.m):
        yield Mark(Kind.AUGMENT, augmenting[0].name, c.site, data.rows)


def _learnt_in(owner: Estimator, inside: list[Estimator], fit: Fit, into: frozenset[str] | None) -> Iterator[Mark]:
    """What one fit taught an object and its parts."""
    kind = None if owner.effect.role is Role.STATELESS or not fit.rows else owner.effect.kind
    if kind is not None:
        columns = fit.columns.only or frozenset()
        yield Mark(
            kind, owner.name, fit.site, fit.rows, columns, into, owner.effect.supervised, settings=owner.settings
        )
    yield from (mark for mark in fit.marks if mark.rows)
    for part in inside:
        effect = part.effect
        if effect.kind is not None and effect.role in {Role.TRANSFORMER, Role.GROUPER}:
            yield Mark(effect.kind, part.name, fit.site, fit.rows, supervised=effect.supervised, settings=part.settings)
    if owner.effect.has(Trait.ALSO_PROJECTS):
        yield Mark(Kind.PROJECT, owner.name, fit.site, fit.rows, supervised=True)


def learnt_by_layers(c: Call, network: Estimator) -> frozenset[Mark]:
    """What layers that were adapted to rows, such as one that normalises, bring into the network they are in."""
    if network.effect.role is not Role.NETWORK:
        return frozenset()
    parts = [(value, c.m.plain(value)) for value in network.parts]
    adapted = [part for _, part in parts if isinstance(part, Estimator) and part.effect.role is Role.TRANSFORMER]
    tensors = [c.m.data(value) for value, part in parts if isinstance(part, Data | Seq)]
    known = frozenset(mark for data in tensors for mark in data.marks if mark.rows and not data.rows)
    return known.union(*(learnt(c, layer, UNKNOWN) for layer in adapted))


def _inside(c: Call, owner: Estimator, depth: int = 0) -> list[Estimator]:
    """The transformers inside a pipeline."""
    found: list[Estimator] = []
    for value in owner.parts if owner.effect.role is Role.PIPELINE else ():
        part = c.m.plain(value)
        if isinstance(part, Estimator) and depth < 4:
            found += [part, *_inside(c, part, depth + 1)]
    return found


def transformed(c: Call, owner: Estimator, data: Data) -> Value:
    """`transform`: the rows of the argument, with what the transformer knows."""
    data = own_steps.applied(c, owner, data)
    marks = learnt(c, owner, data)
    predictions = data.predictions
    result = replace(
        data, columns=_after(owner, data), predictions=predictions, cuts=frozenset() if not data.cuts else data.cuts
    )
    if result.shape is Shape.SUMMARY:
        result = replace(result, shape=Shape.UNKNOWN)
    return result.marked(*marks)


def _after(owner: Estimator, data: Data) -> Columns:
    """A single column stays itself; of many it is no longer known which is which."""
    only = data.columns.only
    if only is not None and len(only) == 1 and owner.effect.kind not in _MAKES_COLUMNS:
        return data.columns
    if owner.effect.kind in {Kind.SCALE, Kind.IMPUTE}:
        return data.columns
    return SOME_COLUMNS


def resampled(c: Call, owner: Estimator) -> Value:
    """Rows that were copied, invented or thinned out to balance the classes."""
    features, target = c.rows_at(c.effect.port(Use.ROWS)), c.rows_at(c.effect.port(Use.TARGET))
    rows = features.rows | target.rows
    kind = owner.effect.kind or Kind.OVERSAMPLE
    mark = Mark(kind, owner.name, c.site, rows)
    if owner.setting("tried"):
        c.m.trace.tried.add(c.site)
    return Seq((features.marked(mark), target.marked(mark)))


def made_up(c: Call, owner: Estimator) -> Data:
    """Rows that a generator makes up: they know all that it learnt from."""
    rows = frozenset(part for fit in owner.fits for part in fit.rows)
    mark = Mark(owner.effect.kind or Kind.OVERSAMPLE, owner.name, c.site, rows)
    return Data(rows, frozenset({mark}), Shape.TABLE) if rows else UNKNOWN


def predicted(c: Call, model: Estimator, data: Data) -> Data:
    """Predictions: rows of the argument, tied to the model as it is now.

    Those for the rows that a fold held out know nothing of what is true there, and may be features of these.
    """
    prediction = Prediction(model, data.rows, data.marks, c.site, data.via)
    apart = held_out(data.rows)
    seen = (f for f in model.fits if f.rows and not (apart and not meet(f.rows, data.rows)))
    learnt = {Mark(Kind.MODELLED, model.name, f.site, f.rows, f.target) for f in seen}
    behind = frozenset(p for p in data.predictions if p.model.effect.role is model.effect.role is Role.NETWORK)
    every = behind | {prediction}  # `head(encoder(x))`: what comes of it judges both, and teaches both
    said = Data(data.rows, data.marks | learnt, Shape.COLUMN, SOME_COLUMNS, every, via=data.via)
    if model.effect.has(Trait.FORECAST_TABLE):  # beside what it says stand the dates, and perhaps soon the truth
        noted = frozenset((name, prediction) for name in ("yhat", "yhat1"))
        return replace(said, shape=Shape.TABLE, noted=noted)
    return said
