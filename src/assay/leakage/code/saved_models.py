"""Models that a program writes to a file and reads back: what they learnt goes with them."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from assay.leakage.code import expressions
from assay.leakage.code.values import UNKNOWN, Const, Data, Estimator, Instance, Seq, Shape, Value

if TYPE_CHECKING:
    from assay.leakage.code.call import Call

SAVES = frozenset({"save", "save_model", "save_weights"})
LOADS = frozenset({"load_model", "load_weights", "load_state_dict"})
_PATHS = ("filepath", "path", "fname", "filename", "f")


def saved(c: Call, model: Estimator) -> Value:
    """`model.save(path)`, `model.save_weights(path)`."""
    _keep(c, c.constant(0, *_PATHS), model)
    return Data(shape=Shape.SUMMARY)


def checkpoints(c: Call, model: Estimator) -> None:
    """`fit(…, callbacks=[ModelCheckpoint(path)])`: the file has what the model learnt here."""
    listed = c.m.plain(c.value(-1, "callbacks") or Const(None))
    for value in listed.items if isinstance(listed, Seq) else (listed,):
        callback = c.m.plain(value)
        if isinstance(callback, Estimator) and callback.name == "ModelCheckpoint":
            _keep(c, callback.setting("filepath"), model)


def loaded(c: Call, model: Estimator) -> Estimator:
    """`model.load_weights(path)`, `model.load_state_dict(torch.load(path))`: the model knows what the other learnt."""
    path = c.constant(0, *_PATHS)
    given = c.m.stored.get(path) if isinstance(path, str) else c.m.plain(c.value(0, "state_dict") or UNKNOWN)
    other = _model_in(given)
    return replace(model, fits=other.fits, serial=other.serial) if other is not None and other.fits else model


def read_back(c: Call) -> Value | None:
    """`load_model(path)`, `torch.load(path)`: the model that the program wrote there; None when there is none."""
    path = c.constant(0, *_PATHS)
    return _model_in(c.m.stored.get(path)) if isinstance(path, str) else None


def written(c: Call) -> Value:
    """`torch.save(model.state_dict(), path)`, `save_model(model, path)`."""
    value, node = c.value(0, "obj", "model"), c.node.args[0] if c.node.args else None
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "state_dict":
        value = expressions.evaluate(c.m, node.func.value)
    model = _model_in(None if value is None else c.m.plain(value))
    if model is not None:
        _keep(c, c.constant(1, *_PATHS), model)
    return Const(None)


def _keep(c: Call, path: object, model: Estimator) -> None:
    if isinstance(path, str):
        c.m.stored[path] = model


def _model_in(value: Value | None) -> Estimator | None:
    """The model side of what was stored."""
    found = value.network if isinstance(value, Instance) else value
    return found if isinstance(found, Estimator) else None
