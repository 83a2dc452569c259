"""One watched call: what it is given and what it gives, written into the journals.

Only the outermost call counts. Whatever a pipeline or a search does inside, it does with the rows that it was given,
so its steps need no watching of their own. Recording must never disturb what is watched: whatever goes wrong here is
noted in the journal, and the call goes on.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from inspect import signature
from typing import Any

from assay.leakage.watching.journal import Journal, Part, Step
from assay.leakage.watching.places import caller
from assay.leakage.watching.rows import Rows, rows_of

FITTING = frozenset({"fit", "partial_fit", "fit_transform", "fit_predict", "fit_resample"})
MAKING = frozenset({"transform", "fit_transform", "fit_resample", "fit_predict"})
ASKING = frozenset({"predict", "predict_proba", "predict_log_proba", "decision_function", "score"})
WATCHED = FITTING | MAKING | ASKING

_FIRST_ARGUMENTS = ("X", "raw_documents", "raw_X", "y")
_IN_THREADS = "calls in other threads, while one was under way, were taken to be part of it"


class _Here(threading.local):
    """Whether this thread is inside a watched call."""

    inside = False


_here = _Here()
_under_way: dict[threading.Thread, frozenset[threading.Thread]] = {}
"""The threads that are inside a watched call, each with the threads that were alive when it began.

Threads themselves, not their numbers: the system gives the number of a thread that has ended to the next one.
"""


def observe(journals: Sequence[Journal], estimator: Any, method: str, call: Callable[[], Any], first: Any) -> Any:
    """Make the call and write down what it shows; `first` is the argument that holds the rows."""
    if _here.inside:
        return call()
    me = threading.current_thread()
    if _under_way:
        if any(me in alive for alive in list(_under_way.values())):  # no worker that the call itself has started
            for journal in journals:
                journal.missed(_IN_THREADS)
        return call()
    _here.inside = True
    _under_way[me] = frozenset(threading.enumerate())
    try:
        columns = method in MAKING or any(journal.made for journal in journals)  # nothing made: nothing to recognise
        given = None if first is None else _guarded(journals, lambda: rows_of(first, columns=columns))
        result = call()
        if given is not None:
            _guarded(journals, lambda: _write(journals, estimator, method, given, result))
            _guarded(journals, lambda: _write_choice(journals, estimator, method, given, first))
        return result
    finally:
        _here.inside = False
        _under_way.pop(me, None)


def is_inside() -> bool:
    """Whether this thread is inside a watched call."""
    return _here.inside


def _guarded(journals: Iterable[Journal], record: Callable[[], Any]) -> Any:
    try:
        return record()
    except Exception as error:  # noqa: BLE001 - data and estimators may be anything
        for journal in journals:
            journal.missed(f"a call could not be followed ({type(error).__name__})")
        return None


def first_argument(args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """What holds the rows, whether it was given by place or by name."""
    return args[0] if args else next((kwargs[name] for name in _FIRST_ARGUMENTS if name in kwargs), None)


def _write(journals: Iterable[Journal], estimator: Any, method: str, given: Rows, result: Any) -> None:
    place, resamples = caller(), method == "fit_resample"
    made = _made_of(estimator, method, result)
    step = step_of(estimator, resamples=resamples) if method in FITTING else None
    asked = method in ASKING and _predicts(estimator)
    for journal in journals:
        if step is not None:
            journal.fitted(estimator, step, given, place, further=method == "partial_fit")
        if made is not None and (resamples or len(made) == len(given)):
            journal.transformed(estimator, given, made, one_to_one=not resamples)
        if asked:
            journal.evaluated(estimator, given, method, place)


def _write_choice(journals: Iterable[Journal], estimator: Any, method: str, given: Rows, first: Any) -> None:
    """The columns that a selector has chosen: a program may read their names or places, and take them by itself."""
    from sklearn.feature_selection import SelectorMixin

    if method != "fit" or not isinstance(estimator, SelectorMixin):
        return
    made = rows_of(estimator.transform(first))
    for journal in journals:
        if made is not None:
            journal.transformed(estimator, given, made, one_to_one=True, chosen=True)


def _made_of(estimator: Any, method: str, result: Any) -> Rows | None:
    """The rows that a call made of those it was given; labels of clusters are columns that it made, too."""
    match method:
        case "fit_resample":
            return rows_of(result[0])
        case "transform" | "fit_transform":
            return rows_of(result)
        case "fit_predict" if not _predicts(estimator):
            return rows_of(result)
        case _:
            return None


def _predicts(estimator: Any) -> bool:
    """Whether what it answers can be right or wrong: clusters and outlier scores cannot."""
    from sklearn.base import ClassifierMixin, RegressorMixin, is_classifier, is_regressor

    if isinstance(estimator, (ClassifierMixin, RegressorMixin)):  # its tags say the same, and take ten times as long
        return True
    return bool(is_classifier(estimator) or is_regressor(estimator))


_SHAPE = frozenset({"n_features_in_", "feature_names_in_"})
_PLAIN = (str, int, float, type(None))
_OF_STEPS = ("steps", "transformers", "transformer_list")


def step_of(estimator: Any, *, resamples: bool = False) -> Step:
    """What is known of a fitted estimator by its class, or by those of the steps inside it."""
    parts: list[Any] = []
    if any(hasattr(estimator, name) for name in _OF_STEPS) and hasattr(estimator, "get_params"):
        inner = estimator.get_params(deep=True).values()
        parts = [part for part in inner if hasattr(part, "fit") and not isinstance(part, type)]
    if not parts:
        return Step(type(estimator).__name__, (_part_of(estimator),), resamples or _learns(estimator))
    return Step(type(estimator).__name__, tuple(dict.fromkeys(map(_part_of, parts))))


def _part_of(estimator: Any) -> Part:
    cls: Any = type(estimator)
    known = _parameters(cls)
    settings = ((name, value) for name, value in vars(estimator).items() if name in known)
    plain = tuple(one for one in settings if isinstance(one[1], _PLAIN))
    return Part(_full_name(cls), plain)


@cache
def _full_name(cls: type) -> str:
    return f"{cls.__module__}.{cls.__qualname__}"


@cache
def _parameters(cls: type) -> frozenset[str]:
    """What an object of this class is made with."""
    return frozenset(signature(cls.__init__).parameters)  # type: ignore[misc]  # the class of an estimator


def _learns(estimator: Any) -> bool:
    """Whether a fit left anything behind but the shape of what it was given."""
    from sklearn.utils import get_tags

    cls: Any = type(estimator)
    if not vars(estimator).keys() - _parameters(cls) - _SHAPE:
        return False
    try:
        return bool(get_tags(estimator).requires_fit)
    except (AttributeError, TypeError, ValueError):
        return True
