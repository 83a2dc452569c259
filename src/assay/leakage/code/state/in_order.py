"""The order in which one goes through what is kept in sets, so that one program has one answer.

A set has no order of its own: Python gives its items as their hashes happen to lie, which differs from run to run.
Where the first of several is taken, or some are dropped, the first is what stands first in the text. What the place
does not tell apart, columns and rows do; that is asked only where it must be.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any, TypeVar

from assay.leakage.code.state.rows import Cut, Origin, Part, Rows, Site

if TYPE_CHECKING:
    from assay.leakage.code.state.values import Columns, Fit, Mark, Marks, Prediction

_Item = TypeVar("_Item")
_Span = tuple[int, int, int, int, str]
_PLACES = ("lineno", "col_offset", "end_lineno", "end_col_offset")
_DEEPEST = 5
"""Divisions within divisions: what lies deeper tells no two sets of rows apart that a program written by hand has."""


def span(site: Site) -> _Span:
    """Where something stands, to put sites in order: of two that begin at one place, the one that ends first."""
    node = site.node
    ends = getattr(node, "end_lineno", None) or 0, getattr(node, "end_col_offset", None) or 0
    return (*site.spot, *ends, site.source.path)


def marks_in_order(marks: Iterable[Mark], first: Callable[[Mark], Any] | None = None) -> list[Mark]:
    """Traces by what is to come `first`, then by their place in the text, their kind and their name."""
    if first is None:
        return _in_order(marks, _of_mark, _further_of_mark)
    return _in_order(marks, lambda mark: (first(mark), _of_mark(mark)), _further_of_mark)


def fits_in_order(fits: Iterable[Fit]) -> list[Fit]:
    """Trainings by their place in the text."""
    return _in_order(fits, lambda fit: span(fit.site), _further_of_fit)


def predictions_in_order(predictions: Iterable[Prediction]) -> list[Prediction]:
    """What models said, by where they were asked and what they are called."""
    return _in_order(predictions, lambda p: (span(p.site), p.model.name), _further_of_prediction)


def origins_in_order(origins: Iterable[Origin]) -> list[Origin]:
    """Tables by where they enter the program; one that is read at several places once, from the first of these."""
    return list(dict.fromkeys(sorted(origins, key=_of_origin)))


def cuts_in_order(cuts: Iterable[Cut]) -> list[Cut]:
    """Sides of divisions by their texts."""
    return sorted(cuts, key=_text_of_cut)


def texts_of(cuts: Iterable[Cut]) -> list[str]:
    """What some divisions are known by, to put several sets of them in order."""
    return sorted(map(_text_of_cut, cuts))


def _in_order(items: Iterable[_Item], key: Callable[[_Item], Any], further: Callable[[_Item], Any]) -> list[_Item]:
    """Items by a key; those that it does not tell apart by a further one, which costs more."""
    several = list(items)
    if len(several) < 2:
        return several
    ordered: list[_Item] = []
    for _, group in groupby(sorted([(key(item), item) for item in several], key=itemgetter(0)), itemgetter(0)):
        alike = [item for _, item in group]
        ordered += alike if len(alike) == 1 else sorted(alike, key=further)
    return ordered


def _of_mark(mark: Mark) -> tuple[Any, ...]:
    return span(mark.site), mark.kind, mark.name, mark.draw or ()


def _further_of_mark(mark: Mark) -> tuple[Any, ...]:
    columns = sorted(mark.into or ()), sorted(mark.columns)
    among = () if mark.among is None else _of_columns(mark.among)
    return mark.into is None, *columns, mark.supervised, _text_of(mark.settings), _texts_of(mark.rows), among


def _further_of_fit(fit: Fit) -> tuple[Any, ...]:
    marks = _keys_of(fit.marks), _keys_of(fit.target_marks)
    return _texts_of(fit.rows), sorted(fit.target), _of_columns(fit.columns), fit.noise, *marks


def _keys_of(marks: Marks) -> list[tuple[Any, ...]]:
    return sorted((_of_mark(mark), _further_of_mark(mark)) for mark in marks)


def _of_columns(columns: Columns) -> tuple[Any, ...]:
    return columns.only is None, sorted(columns.only or ()), sorted(columns.without), columns.sure


def _further_of_prediction(prediction: Prediction) -> tuple[Any, ...]:
    model = prediction.model
    fits = sorted((span(fit.site), _further_of_fit(fit)) for fit in model.fits)
    return span(model.site), _text_of(model.settings), _texts_of(prediction.rows), fits, _keys_of(prediction.marks)


def _of_origin(origin: Origin) -> tuple[_Span, str]:
    return span(origin.site), origin.description


def _further_of_part(part: Part) -> tuple[list[str], ...]:
    return texts_of(part.cuts), texts_of(part.ways), [_text_of(part.origin.key)]


def _texts_of(rows: Rows) -> list[tuple[Any, ...]]:
    return sorted((_of_origin(part.origin), *_further_of_part(part)) for part in rows)


@lru_cache(maxsize=4096)
def _text_of_cut(cut: Cut) -> str:
    return _text_of(cut)


def _text_of(thing: object, depth: int = 0) -> str:
    """What a division is known by, as a text that is the same in every run."""
    if isinstance(thing, Site):
        return str(span(thing))
    if isinstance(thing, ast.AST):
        return f"{type(thing).__name__} {[getattr(thing, place, 0) for place in _PLACES]}"
    if isinstance(thing, Origin):
        return str(_of_origin(thing))
    if isinstance(thing, tuple | frozenset) and depth >= _DEEPEST:
        return str(len(thing))
    if isinstance(thing, tuple):
        return f"({', '.join(_text_of(item, depth + 1) for item in thing)})"
    if isinstance(thing, frozenset):
        return f"{{{', '.join(sorted(_text_of(item, depth + 1) for item in thing))}}}"
    return repr(thing) if isinstance(thing, str | int | float | bool | None) else type(thing).__name__
