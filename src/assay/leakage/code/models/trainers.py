"""Trainers of networks that are given loaders, or an object of the code's own that hands out loaders by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.leakage.code.language import attributes, functions
from assay.leakage.code.language.call import replace_call
from assay.leakage.code.state.values import UNKNOWN, Const, Data, Function, Instance, Value
from assay.records import replace

if TYPE_CHECKING:
    from assay.leakage.code.language.call import Call

_LOADERS = ("train_dataloaders", "train_dataloader", "dataloaders", "test_dataloaders", "datamodule")
_ASKED = {"fit": "train_dataloader", "test": "test_dataloader", "validate": "val_dataloader",
          "predict": "predict_dataloader"}  # fmt: skip
"""What a trainer asks a data module for."""


def given(c: Call) -> bool:
    """Whether a trainer is given rows at all: beside the network, or by the network itself."""
    return _source(c) is not None


def loaded(c: Call) -> Data:
    """The rows that a trainer is given by a loader, or that it asks a data module or the network for."""
    value = _source(c)
    if value is None:
        return UNKNOWN
    module = c.m.plain(value)
    return _asked(c, value, module, c.name) if isinstance(module, Instance) else c.m.data(value)


def watched(c: Call) -> Data | None:
    """The rows that a trainer watches, where it asks a data module or the network for them; None when it has none."""
    value = _source(c)
    module = None if value is None else c.m.plain(value)
    found = _asked(c, value, module, "validate") if value is not None and isinstance(module, Instance) else UNKNOWN
    return found if found.rows else None


def _source(c: Call) -> Value | None:
    """What hands out the rows; the network does where nothing else is given, and it has a method for it."""
    value = c.value(1, *_LOADERS)
    if value is not None:
        return value
    network = c.value(0, "model")
    plain = None if network is None else c.m.plain(network)
    return network if isinstance(plain, Instance) and _hands_out(plain, c.name) is not None else None


def _hands_out(module: Instance, asked: str) -> Function | None:
    found = attributes.inherited(module.cls, _ASKED.get(asked, ""))
    return found if isinstance(found, Function) else None


def _asked(c: Call, value: Value, module: Instance, asked: str) -> Data:
    """What an object hands out; the trainer has it prepare its rows before, if the program has not."""
    hands_out = _hands_out(module, asked)
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
    return c.m.data(functions.call_function(replace_call(c, list(args)), replace(method, bound=owner)))
