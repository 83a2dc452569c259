"""The entry points of estimators and trainers, replaced while a watch is on and restored afterwards."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from assay.leakage.watching.journal import Journal
from assay.leakage.watching.observing import WATCHED, first_argument, is_inside, observe
from assay.leakage.watching.places import place_at
from assay.leakage.watching.trainers import hook_trainers

_PROCESSES = (
    "work was handed to other processes (n_jobs): what was fitted and scored there was not seen; "
    "watch with n_jobs=1 or joblib's threading backend"
)

_journals: list[Journal] = []
_replaced: list[tuple[type, str, Any]] = []
"""Class, attribute and what stood there (None: nothing)."""
_lock = threading.RLock()
_finish: list[Callable[[], None]] = []
"""What the trainers outside scikit-learn still have to write down."""


def begin(journal: Journal) -> None:
    """Write into this journal from now on; the first journal brings the entry points under watch."""
    with _lock:
        _journals.append(journal)
        if len(_journals) == 1:
            place_at.cache_clear()
            _replace_all()


def end(journal: Journal) -> None:
    """Write no more into this journal; the last one out restores everything."""
    with _lock:
        for finish in _finish:
            finish()
        _journals[:] = [other for other in _journals if other is not journal]
        if not _journals:
            _finish.clear()
            while _replaced:
                owner, name, original = _replaced.pop()
                if original is None:
                    delattr(owner, name)
                else:
                    setattr(owner, name, original)


class _EntryPoint:
    """Stands in a class where a method stood. What it binds to an instance tells the journals when it is called."""

    def __init__(self, original: Any, name: str) -> None:
        self.original, self.name = original, name
        self.__doc__ = getattr(original, "__doc__", None)

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        bound = self.original.__get__(instance, owner)
        return bound if instance is None else _Bound(instance, self.name, bound)


class _Bound:
    """A bound method under watch; it shows the signature of the original and pickles as the original does."""

    def __init__(self, instance: Any, name: str, original: Any) -> None:
        self.__self__, self.__name__, self.__wrapped__ = instance, name, original
        self.__doc__ = original.__doc__

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        call = partial(self.__wrapped__, *args, **kwargs)
        return observe(tuple(_journals), self.__self__, self.__name__, call, first_argument(args, kwargs))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__wrapped__, name)

    def __reduce__(self) -> tuple[Any, ...]:
        return getattr, (self.__self__, self.__name__)


def _replace_all() -> None:
    from sklearn.base import BaseEstimator, TransformerMixin
    from sklearn.utils.parallel import Parallel

    for owner in dict.fromkeys(ancestor for cls in _descendants(BaseEstimator) for ancestor in cls.__mro__):
        _replace_in(owner)
    for base in (BaseEstimator, TransformerMixin):
        _note_new_classes(base)
    _note_processes(Parallel)
    _finish.append(hook_trainers(_replace, lambda: tuple(_journals), is_inside))


def _replace(owner: Any, name: str, wrap: Callable[[Any], Any]) -> None:
    original = vars(owner).get(name)
    _replaced.append((owner, name, original))
    setattr(owner, name, wrap(getattr(owner, name)))


def _descendants(cls: Any) -> Iterator[type]:
    yield cls
    for child in cls.__subclasses__():
        yield from _descendants(child)


_NOT_METHODS = (_EntryPoint, staticmethod, classmethod, property)


def _replace_in(owner: type) -> None:
    for name in WATCHED & vars(owner).keys():
        original = vars(owner)[name]
        if hasattr(original, "__get__") and not isinstance(original, _NOT_METHODS):
            _replaced.append((owner, name, original))
            setattr(owner, name, _EntryPoint(original, name))


class _Making(threading.local):
    """Whether this thread is inside the making of a class."""

    inside = False


_making = _Making()


def _note_new_classes(base: Any) -> None:
    """Estimators that are defined or imported while the watch is on come under it too.

    scikit-learn itself wraps methods while a class is made, so ours come last, after the outermost hook.
    """

    def made(cls: Any, /, **kwargs: Any) -> None:
        outermost, _making.inside = not _making.inside, True
        try:
            super(base, cls).__init_subclass__(**kwargs)
        finally:
            _making.inside = not outermost
        if outermost:
            with _lock:
                for owner in cls.__mro__:
                    _replace_in(owner)

    _replaced.append((base, "__init_subclass__", None))
    base.__init_subclass__ = classmethod(made)


def _note_processes(parallel: Any) -> None:
    """Say when joblib sends work to where nobody watches."""
    original = parallel.__call__

    def called(self: Any, iterable: Any) -> Any:
        backend = getattr(self, "_backend", None)
        if self.n_jobs not in (None, 1) and not getattr(backend, "supports_sharedmem", False):
            for journal in tuple(_journals):
                journal.missed(_PROCESSES)
        return original(self, iterable)

    _replaced.append((parallel, "__call__", original))
    parallel.__call__ = called
