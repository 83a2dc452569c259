"""Trainers of networks that are given loaders, or an object of the code's own that hands out loaders by name."""

from __future__ import annotations

from assay.leakage.code.language import attributes
from assay.leakage.code.language.call import Call, replace_call
from assay.leakage.code.state.values import UNKNOWN, Const, Data, Function, Instance, Value
from assay.libraries.row import Use
from assay.records import replace

_WATCHED = "val_dataloader"
"""The method by which a data module hands out the rows that training watches."""


def given(c: Call) -> bool:
    """Whether a trainer is given rows at all: beside the network, or by the network itself."""
    return _source(c) is not None


def loaded(c: Call) -> Data:
    """The rows that a trainer is given by a loader, or that it asks a data module or the network for."""
    value = _source(c)
    if value is None:
        return UNKNOWN
    module = c.m.plain(value)
    return _asked(c, value, module, _hook(c)) if isinstance(module, Instance) else c.m.data(value)


def watched(c: Call) -> Data | None:
    """The rows that a trainer watches, where it asks a data module or the network for them; None when it has none."""
    value = _source(c)
    module = None if value is None else c.m.plain(value)
    found = _asked(c, value, module, _WATCHED) if value is not None and isinstance(module, Instance) else UNKNOWN
    return found if found.rows else None


def _source(c: Call) -> Value | None:
    """What hands out the rows; the network does where nothing else is given, and it has a method for it."""
    effect = c.effect
    value = c.at(effect.port(Use.LEARNS) or effect.port(Use.ROWS))
    if value is not None:
        return value
    network = c.at(effect.port(Use.NETWORK))
    plain = None if network is None else c.m.plain(network)
    return network if isinstance(plain, Instance) and _hands_out(plain, _hook(c)) is not None else None


def _hook(c: Call) -> str:
    """The method by which a data module hands out the rows for this call."""
    return "" if c.effect.row is None else c.effect.row.asks


def _hands_out(module: Instance, hook: str) -> Function | None:
    found = attributes.inherited(module.cls, hook)
    return found if isinstance(found, Function) else None


def _asked(c: Call, value: Value, module: Instance, hook: str) -> Data:
    """What an object hands out; the trainer has it prepare its rows before, if the program has not."""
    hands_out = _hands_out(module, hook)
    if hands_out is None:
        return UNKNOWN
    found = _called(c, value, hands_out)
    if not found.rows:
        for name, stage in (("prepare_data", []), ("setup", [Const(c.name)])):
            prepares = attributes.inherited(module.cls, name)
            if isinstance(prepares, Function):
                _called(c, value, prepares, *stage)
        found = _called(c, value, hands_out)
    return found


def _called(c: Call, owner: Value, method: Function, *args: Value) -> Data:
    return c.m.data(replace_call(c, list(args)).follow(replace(method, bound=owner)))
