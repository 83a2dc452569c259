"""Training outside scikit-learn: boosters of XGBoost and LightGBM, and modules of PyTorch.

No package is imported here. A package that the program has loaded is recognised by the parts that are hooked, so any
version that has them is followed; one that lacks them is left alone.
"""

from __future__ import annotations

import sys
import threading
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.leakage.watching.journal import Journal, Part, Step
from assay.leakage.watching.places import Place, caller
from assay.leakage.watching.rows import Keys, Rows, keys_of_numbers, rows_of
from assay.records import dataclass

PACKAGES = ("xgboost", "lightgbm", "torch")
Journals = Callable[[], tuple[Journal, ...]]
Replace = Callable[[Any, str, Callable[..., Any]], None]
Wrapped = Callable[..., Any]


class _Here(threading.local):
    """Whether this thread is inside a call that is already followed."""

    inside = False


_here = _Here()


def hook_trainers(replace: Replace, journals: Journals, is_inside: Callable[[], bool]) -> Callable[[], None]:
    """Put the loaded packages under watch; returns what is to do when the watch ends."""
    for package in ("xgboost", "lightgbm"):
        if package in sys.modules:
            _Boosters(package, sys.modules[package], journals, is_inside).hook(replace)
    torch = sys.modules.get("torch")
    return _Modules(torch, journals, is_inside).hook(replace) if hasattr(torch, "nn") else lambda: None


class _Boosters:
    """Both packages wrap the data first, then train a booster on the wrapped data."""

    def __init__(self, package: str, module: Any, journals: Journals, is_inside: Callable[[], bool]) -> None:
        self.package, self.module, self.journals, self.is_inside = package, module, journals, is_inside
        self.rows: weakref.WeakKeyDictionary[Any, Rows] = weakref.WeakKeyDictionary()
        self.trained: weakref.WeakKeyDictionary[Any, Any] = weakref.WeakKeyDictionary()

    def hook(self, replace: Replace) -> None:
        for name in ("DMatrix", "QuantileDMatrix", "Dataset"):
            wrapper = getattr(self.module, name, None)
            if wrapper is not None and "__init__" in vars(wrapper):
                replace(wrapper, "__init__", self._wrapping)
        booster = getattr(self.module, "Booster", None)
        if booster is None:
            return
        if hasattr(booster, "update") and self.package == "xgboost":
            replace(booster, "update", self._updating)
        elif "__init__" in vars(booster):
            replace(booster, "__init__", self._starting)
        for name in ("predict", "inplace_predict"):
            if hasattr(booster, name):
                replace(booster, name, self._asking(name))

    def _wrapping(self, original: Wrapped) -> Wrapped:
        def init(wrapped: Any, data: Any = None, *args: Any, **kwargs: Any) -> None:
            found = None if self.is_inside() or data is None else self._guarded(lambda: rows_of(data))
            original(wrapped, data, *args, **kwargs)
            if found is not None:
                self.rows[wrapped] = found

        return init

    def _updating(self, original: Wrapped) -> Wrapped:
        def update(booster: Any, dtrain: Any, *args: Any, **kwargs: Any) -> Any:
            if not self.is_inside():
                self._guarded(lambda: self._fitted(booster, dtrain))
            return original(booster, dtrain, *args, **kwargs)

        return update

    def _starting(self, original: Wrapped) -> Wrapped:
        def init(booster: Any, params: Any = None, train_set: Any = None, *args: Any, **kwargs: Any) -> None:
            original(booster, params, train_set, *args, **kwargs)
            if train_set is not None and not self.is_inside():
                self._guarded(lambda: self._fitted(booster, train_set))

        return init

    def _asking(self, name: str) -> Callable[[Wrapped], Wrapped]:
        def wrap(original: Wrapped) -> Wrapped:
            def predict(booster: Any, data: Any, *args: Any, **kwargs: Any) -> Any:
                if self.is_inside() or _here.inside:
                    return original(booster, data, *args, **kwargs)
                _here.inside = True
                try:
                    self._guarded(lambda: self._evaluated(booster, data, name))
                    return original(booster, data, *args, **kwargs)
                finally:
                    _here.inside = False

            return predict

        return wrap

    def _rows(self, data: Any) -> Rows | None:
        try:
            return self.rows.get(data) or rows_of(data)
        except TypeError:  # an array has no hash
            return rows_of(data)

    def _fitted(self, booster: Any, data: Any) -> None:
        if self.trained.get(booster) is data:  # the next round on the same rows
            return
        rows = self._rows(data)
        if rows is None:
            return
        self.trained[booster] = data
        step = Step(f"{self.package}.train", (Part(f"{self.package}.Booster"),))
        for journal in self.journals():
            journal.fitted(booster, step, rows, caller())

    def _evaluated(self, booster: Any, data: Any, method: str) -> None:
        rows = self._rows(data)
        if rows is None:
            return
        for journal in self.journals():
            journal.evaluated(booster, rows, method, caller())

    def _guarded(self, record: Callable[[], Any]) -> Any:
        return _guarded(self.journals, record)


_MOST_CELLS = 4_000_000
"""Cells of batches that are kept to recognise columns in them; of more, rows are known by their keys alone."""
Cells = NDArray[np.float32]


@dataclass(eq=False)
class _Kept:
    """Batches: the keys of their rows and, of few rows, their cells."""

    keys: list[Keys] = field(default_factory=list)
    cells: list[Cells] = field(default_factory=list)
    size: int = 0

    def add(self, values: NDArray[Any], *, columns: bool) -> None:
        """Keep one more batch, with its cells if columns may have to be recognised."""
        self.keys.append(keys_of_numbers(values))
        self.size += values.size if columns else _MOST_CELLS
        if self.size > _MOST_CELLS:
            self.cells = []
        else:
            self.cells.append(values.astype(np.float32))

    def take(self, other: _Kept) -> None:
        """Move what another holds to here."""
        self.keys += other.keys
        self.size += other.size
        self.cells = [] if self.size > _MOST_CELLS else self.cells + other.cells
        other.clear()

    def clear(self) -> None:
        """Forget everything."""
        self.keys, self.cells, self.size = [], [], 0

    def rows(self) -> Rows:
        """All rows as one table."""
        keys = np.concatenate(self.keys)
        if len(self.cells) != len(self.keys) or len({batch.shape[1] for batch in self.cells}) != 1:
            return Rows(keys)
        return Rows(keys).remember(list(np.concatenate(self.cells).T))

    def keep_once(self) -> None:
        """Forget repetitions: a loop over epochs meets the same rows again and again."""
        keys, first = np.unique(np.concatenate(self.keys), return_index=True)
        known = len(self.cells) == len(self.keys) and len({batch.shape[1] for batch in self.cells}) == 1
        self.cells = [np.concatenate(self.cells)[first]] if known else []
        self.keys, self.size = [keys], self.cells[0].size if known else _MOST_CELLS


@dataclass(eq=False)
class _Batches:
    """What one module met: batches that an optimiser may still learn from, those it did, and those it was tested on."""

    step: Step
    pending: _Kept = field(default_factory=_Kept)
    learnt: _Kept = field(default_factory=_Kept)
    asked: _Kept = field(default_factory=_Kept)
    trained_at: Place | None = None
    asked_at: Place | None = None


class _Modules:
    """Modules of PyTorch learn batch by batch: forward in training mode with gradients, then a step of an optimiser."""

    def __init__(self, torch: Any, journals: Journals, is_inside: Callable[[], bool]) -> None:
        self.torch, self.journals, self.is_inside = torch, journals, is_inside
        self.of_module: weakref.WeakKeyDictionary[Any, _Batches] = weakref.WeakKeyDictionary()
        self.met: list[_Batches] = []
        """Those of modules that are gone, too: a function may have trained and tested one."""

    def hook(self, replace: Replace) -> Callable[[], None]:
        register = getattr(sys.modules.get("torch.optim.optimizer"), "register_optimizer_step_post_hook", None)
        if register is None:
            return lambda: None
        replace(self.torch.nn.Module, "__call__", self._calling)
        handle = register(lambda *_: self._stepped())

        def done() -> None:
            handle.remove()
            for met in self.met:
                _guarded(self.journals, partial(self._flush, met))

        return done

    def _calling(self, original: Wrapped) -> Wrapped:
        def call(module: Any, *args: Any, **kwargs: Any) -> Any:
            if _here.inside or self.is_inside():
                return original(module, *args, **kwargs)
            _here.inside = True
            try:
                _guarded(self.journals, lambda: self._forward(module, args, kwargs))
                return original(module, *args, **kwargs)
            finally:
                _here.inside = False

        return call

    def _forward(self, module: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> None:
        batch = next(self._tensors([*args, *kwargs.values()]), None)
        if batch is None or next(module.parameters(), None) is None:  # a loss is a module too, and learns nothing
            return
        met = self.of_module.get(module)
        if met is None:
            name = type(module).__qualname__
            met = self.of_module.setdefault(module, _Batches(Step(name, (Part(f"{type(module).__module__}.{name}"),))))
            self.met.append(met)
        values, columns = _matrix(batch), any(journal.made for journal in self.journals())
        if module.training and self.torch.is_grad_enabled():
            self._flush(met)
            met.trained_at = met.trained_at or caller()
            met.pending.add(values, columns=columns)
        else:
            met.pending.clear()
            met.asked_at = met.asked_at or caller()
            met.asked.add(values, columns=columns)

    def _stepped(self) -> None:
        """An optimiser has moved the weights: what went forward since the last step has been learnt."""
        for met in self.met:
            if met.pending.keys:
                met.learnt.take(met.pending)

    def _flush(self, met: _Batches) -> None:
        if met.asked.keys and met.learnt.keys and met.trained_at and met.asked_at:
            met.learnt.keep_once()
            learnt, asked = met.learnt.rows(), met.asked.rows()
            for journal in self.journals():
                journal.fitted(met, met.step, learnt, met.trained_at)
                journal.evaluated(met, asked, "forward", met.asked_at)
        met.asked.clear()
        met.asked_at = None

    def _tensors(self, given: Sequence[Any]) -> Iterator[Any]:
        for value in given:
            if isinstance(value, self.torch.Tensor) and value.ndim:
                yield value
            elif isinstance(value, dict):
                yield from self._tensors(list(value.values()))


def _matrix(batch: Any) -> NDArray[Any]:
    """A batch as a matrix: rows are what the first dimension counts."""
    values = batch.detach()
    values = (values.float() if values.is_floating_point() else values).cpu().numpy()
    return np.asarray(values.reshape(len(values), -1))


def _guarded(journals: Journals, record: Callable[[], Any]) -> Any:
    """Recording must never disturb what is watched."""
    try:
        return record()
    except Exception as error:  # noqa: BLE001 - data and models may be anything
        for journal in journals():
            journal.missed(f"a call could not be followed ({type(error).__name__})")
        return None
