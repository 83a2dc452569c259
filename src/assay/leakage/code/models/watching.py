"""Training that watches rows as it goes on, and keeps the state that is best on them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from assay.leakage.code.effects import How, Role
from assay.leakage.code.frames.concatenation import unlabelled
from assay.leakage.code.language.call import Call
from assay.leakage.code.models import trainers
from assay.leakage.code.scored import scoring
from assay.leakage.code.state.events import Evaluation, Purpose, Stopping
from assay.leakage.code.state.machine import Machine
from assay.leakage.code.state.parts import part_named
from assay.leakage.code.state.values import UNKNOWN, Const, Estimator, Seq, Value
from assay.libraries.catalogue import names_of
from assay.libraries.row import Group, Port, Trait, parse_port
from assay.records import replace

_BEST = frozenset({"early_stopping_rounds", "early_stopping_round", "od_wait", "od_type", "use_best_model"})
_AS_A_PAIR = frozenset({"validation_data", "val_data"})
"""Under these names rows and their outcome are given as two."""
_WATCHED = parse_port("keyword[validation_data, eval_set, valid_sets, evals, val_dataloaders, eval_dataset, val_data]")
"""Where training is given rows to watch, if the row of the call does not say."""


def stopping(c: Call, model: Estimator, port: Port | None = None) -> None:
    """Training that watches a validation part and keeps the best state chooses by it."""
    watched = c.at(port or _WATCHED)
    if watched is None and model.effect.how is How.TRAINER:
        watched = trainers.watched(c)
    if watched is None:
        _split_off(c, model)
    else:
        _watched(c, model, watched)


def _watched(c: Call, model: Estimator, watched: Value) -> None:
    """Write down the rows that a training watches, and whether it keeps its best state by them."""
    m = c.m
    plain = m.plain(watched)
    pairs = plain.items if isinstance(plain, Seq) else (watched,)
    if not _AS_A_PAIR.isdisjoint(c.keywords):
        pairs = _features_of(m, pairs)
    for shown in (unlabelled(m, value, m.data(value)) for value in pairs if not _called_train(m, value)):
        if shown.rows:
            m.trace.add(Evaluation(model, shown.rows, shown.marks, c.name, c.site, Purpose.WATCHED, m.loops, shown.via))
    name = _stopped_by(c, model)
    for rows in (scoring.pair(value, m)[0].rows for value in pairs if name):
        if rows:
            m.trace.add(Stopping(model.serial, rows, c.site, name))


def _stopped_by(c: Call, model: Estimator) -> str:
    """What keeps the best state of a training by the rows that it watches; empty where nothing does."""
    stoppers = _stoppers(c, model)
    learners = [model, *(v for v in map(c.m.plain, model.parts) if isinstance(v, Estimator))]
    stops = any(k in c.keywords or any(one.setting(k) for one in learners) for k in _BEST)
    if stoppers:
        return stoppers[0].name
    best = "the choice of the best iteration" if model.effect.how is How.BEST_ON_EVAL_SET else ""
    return "early stopping" if stops else best


def _features_of(m: Machine, pair: tuple[Value, ...]) -> tuple[Value, ...]:
    """The rows of `(X, y)`; their outcome only where nothing is known of them, for it may be found another way."""
    known = next((number for number, value in enumerate(pair) if m.data(value).rows), 0)
    first = m.data(pair[known]) if pair else UNKNOWN
    return (replace(first, marks=scoring.of_target(first)) if known else first,)


def _called_train(m: Machine, watched: Value) -> bool:
    """`evals=[(rows, "train")]`: the code itself says that this is how training goes, and no test."""
    pair = m.plain(watched)
    name = m.constant(pair.items[-1]) if isinstance(pair, Seq) and pair.items else None
    return isinstance(name, str) and part_named(name) == "train"


def _stoppers(c: Call, model: Estimator) -> list[Estimator]:
    """What a training was given that keeps its best state by the rows that it watches."""
    m = c.m
    given = _one_by_one(m, _one_by_one(m, (*c.args, c.value(-1, "callbacks") or Const(None))))
    listed = map(m.plain, (*given, *model.parts, c.value(-1, "args") or Const(None)))
    found = [v for v in listed if isinstance(v, Estimator) and v.effect.role is Role.STOPPER and _chooses(v)]
    return [v for v in found if not _too_patient(v, c.constant(-1, "epochs", "nb_epoch"))]


def _one_by_one(m: Machine, values: Iterable[Value]) -> Iterator[Value]:
    """Values, with those in lists one by one."""
    for each in map(m.plain, values):
        yield from each.items if isinstance(each, Seq) else (each,)


def _too_patient(stopper: Estimator, epochs: object) -> bool:
    """Whether training is over before it may stop: it waits for as many epochs as there are, or for more.

    The best state would be taken back at the end all the same, where that is asked for.
    """
    patience = stopper.setting("patience")
    waits = isinstance(patience, int) and isinstance(epochs, int) and patience >= epochs
    return stopper.effect.has(Trait.PATIENT) and waits and stopper.setting("restore_best_weights") is not True


def _split_off(c: Call, model: Estimator) -> None:
    """`fit(X, y, validation_split=0.2, callbacks=…)`: rows that only training knows, and that it may go by."""
    if "validation_split" not in c.keywords or not c.constant(-1, "validation_split", default="some"):
        return
    fits = [fit for fit in model.fits if fit.site == c.site]
    if fits:
        rows, marks = fits[0].rows, fits[0].marks
        watched = Evaluation(model, rows, marks, c.name, c.site, Purpose.WATCHED, c.m.loops, c.data(0, "X", "x").via)
        c.m.trace.split_off.setdefault(watched)


def _chooses(stopper: Estimator) -> bool:
    """Whether it goes by the rows that are watched, not by the training rows, and by more than the pace of learning."""
    by = stopper.setting("monitor")
    by_training = isinstance(by, str) and by in names_of(Group.TRAINING_MEASURES)
    return not by_training and not stopper.effect.has(Trait.DOES_NOT_CHOOSE)
