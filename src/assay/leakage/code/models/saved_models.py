"""Models that a program writes to a file and reads back, or takes the weights of: what they learnt goes with them."""

from __future__ import annotations

import ast
from functools import lru_cache

from assay.leakage.code.effects import Effect, How, Role
from assay.leakage.code.language.call import Call
from assay.leakage.code.state.rows import Site, joined
from assay.leakage.code.state.texts import text_of
from assay.leakage.code.state.values import (
    SOME_COLUMNS,
    UNKNOWN,
    Const,
    Data,
    Estimator,
    Fit,
    Instance,
    Kind,
    Mark,
    Seq,
    Shape,
    Value,
)
from assay.libraries.row import Trait
from assay.records import replace

_PATHS = ("filepath", "path", "fname", "filename", "f")


def saved(c: Call, model: Estimator) -> Value:
    """`model.save(path)`, `model.save_weights(path)`."""
    _keep(c, _path(c, 0), model)
    return Data(shape=Shape.SUMMARY)


def checkpoints(c: Call, model: Estimator) -> None:
    """`fit(…, callbacks=[ModelCheckpoint(path)])`: the file has what the model learnt here."""
    listed = c.m.plain(c.value(-1, "callbacks") or Const(None))
    for value in listed.items if isinstance(listed, Seq) else (listed,):
        callback = c.m.plain(value)
        if isinstance(callback, Estimator) and callback.effect.has(Trait.WRITES_CHECKPOINTS):
            _keep(c, callback.setting("filepath") or _path_written(callback.site, 0, *_PATHS), model)


def loaded(c: Call, model: Estimator) -> Estimator:
    """`model.load_weights(path)`, `model.load_state_dict(torch.load(path))`: the model knows what the other learnt."""
    other = _model_in(c.m.stored.get(_path(c, 0)) or c.m.plain(c.value(0, "state_dict") or UNKNOWN))
    if other is not None and other.fits:
        return replace(model, fits=other.fits, serial=other.serial)
    return model if model.fits else replace(model, fits=_learnt_by_others(c))


def taken_out(model: Estimator) -> Data:
    """`model.get_weights()`, `model.state_dict()`: numbers that know the rows the model learnt from."""
    known = (Mark(Kind.WEIGHTS, model.name, fit.site, fit.rows) for fit in model.fits if fit.rows)
    return Data(marks=frozenset(known), shape=Shape.SUMMARY)


def _learnt_by_others(c: Call) -> frozenset[Fit]:
    """What a model that has learnt nothing itself is given: weights of others, or what was computed from those.

    `whole.set_weights(mean_of(parts))`: it knows the rows of each of them.
    """
    given = c.m.data(c.value(0, "weights", "state_dict") or UNKNOWN)
    rows = joined(mark.rows for mark in given.marks if mark.kind is Kind.WEIGHTS)
    return frozenset({Fit(c.site, rows, frozenset(), SOME_COLUMNS, frozenset(), loops=c.m.loops)} if rows else ())


def read_back(c: Call) -> Value | None:
    """`load_model(path)`, `torch.load(path)`: the model that the program wrote there; None when there is none."""
    return _model_in(c.m.stored.get(_path(c, 0)))


def of_others(c: Call) -> Estimator | None:
    """`load_model(path)` of a model that another program trained: what it learns here, it learns on top of that.

    What `torch.load` gives may as well be a table.
    """
    if c.name.rpartition(".")[2] != "load_model":
        return None
    made = (c.node, c.m.stack, c.m.rounds)
    return Estimator(Effect(Role.NETWORK, how=How.GIVEN), "a loaded model", c.site, made)


def written(c: Call) -> Value:
    """`torch.save(model.state_dict(), path)`, `save_model(model, path)`."""
    value, node = c.value(0, "obj", "model"), c.node.args[0] if c.node.args else None
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "state_dict":
        value = c.m.evaluate(node.func.value)
    model = _model_in(None if value is None else c.m.plain(value))
    if model is not None:
        _keep(c, _path(c, 1), model)
    return Const(None)


def _path(c: Call, position: int) -> str:
    """Where a model is written to or read from: the path if it is known, else how the code writes it."""
    known = c.constant(position, *_PATHS)
    return known if isinstance(known, str) else _path_written(c.site, position, *_PATHS)


def _keep(c: Call, path: object, model: Estimator) -> None:
    if isinstance(path, str) and path:
        c.m.stored[path] = model


def _model_in(value: Value | None) -> Estimator | None:
    """The model side of what was stored."""
    found = value.network if isinstance(value, Instance) else value
    return found if isinstance(found, Estimator) else None


def _path_written(site: Site, position: int, *names: str) -> str:
    """`best_path` of `load_model(best_path)`, as a key to what was stored; none where its names may mean another."""
    node = _argument(site.node, position, names)
    if node is None or isinstance(node, ast.Constant | ast.Starred):
        return ""
    used = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
    return f"<{text_of(node)}>" if used and used.isdisjoint(_set_anew(site.source.tree)) else ""


def _argument(call: ast.AST, position: int, names: tuple[str, ...]) -> ast.expr | None:
    if not isinstance(call, ast.Call):
        return None
    named = next((k.value for k in call.keywords if k.arg in names), None)
    return named or (call.args[position] if len(call.args) > position else None)


@lru_cache(maxsize=8)
def _set_anew(tree: ast.Module | None) -> frozenset[str]:
    """The names that are given a value at more than one place of a file."""
    once, again = set[str](), set[str]()
    for n in ast.walk(tree or ast.Module([], [])):
        match n:
            case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
                (again if name in once else once).add(name)
    return frozenset(again)
