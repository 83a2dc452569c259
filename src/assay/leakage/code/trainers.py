"""Trainers of networks that are given loaders, or an object of the code's own that hands out loaders by name."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from assay.leakage.code import attributes, functions
from assay.leakage.code.call import replace_call
from assay.leakage.code.values import UNKNOWN, Const, Data, Function, Instance, Value

if TYPE_CHECKING:
    from assay.leakage.code.call import Call

_LOADERS = ("train_dataloaders", "train_dataloader", "dataloaders", "test_dataloaders", "datamodule")
_ASKED = {"fit": "train_dataloader", "test": "test_dataloader", "validate": "val_dataloader",
          "predict": "predict_dataloader"}  # fmt: skip
"""What a trainer asks a data module for."""


def given(c: Call) -> bool:
    """Whether a trainer is given rows at all, beside the network."""
    return c.value(1, *_LOADERS) is not None


def loaded(c: Call) -> Data:
    """The rows that a trainer is given by a loader, or that it asks a data module for."""
    value = c.value(1, *_LOADERS)
    if value is None:
        return UNKNOWN
    module = c.m.plain(value)
    return _asked(c, value, module) if isinstance(module, Instance) else c.m.data(value)


def _asked(c: Call, value: Value, module: Instance) -> Data:
    """What a data module hands out; the trainer has it prepare its rows before, if the program has not."""
    asked = attributes.inherited(module.cls, _ASKED.get(c.name, ""))
    if not isinstance(asked, Function):
        return UNKNOWN
    found = _called(c, value, asked)
    if not found.rows:
        for name, stage in (("prepare_data", []), ("setup", [Const(c.name)])):
            prepares = attributes.inherited(module.cls, name)
            if isinstance(prepares, Function):
                _called(c, value, prepares, *stage)
        found = _called(c, value, asked)
    return found


def _called(c: Call, owner: Value, method: Function, *args: Value) -> Data:
    return c.m.data(functions.call_function(replace_call(c, list(args)), replace(method, bound=owner)))
