"""The order in which one goes through what is kept in sets, so that one program has one answer.

A set has no order of its own: Python gives its items as their hashes happen to lie, which differs from run to run.
Where the first of several is taken, or some are dropped, the first is what stands first in the text. What the place
does not tell apart, everything else that is known of it does; that costs more, and is asked only where it must be.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any, TypeVar

from assay.leakage.code.state.rows import Cut, Origin, Part, Site

if TYPE_CHECKING:
    from assay.leakage.code.state.values import Fit, Mark, Prediction

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


def marks_in_order(marks: Iterable[Mark], first: Callable[[Mark], Any] = lambda _: None) -> list[Mark]:
    """Traces by what is to come `first`, then by their place in the text, their kind and their name."""
    return _in_order(marks, lambda mark: (first(mark), span(mark.site), mark.kind, mark.name, mark.draw or ()))


def fits_in_order(fits: Iterable[Fit]) -> list[Fit]:
    """Trainings by their place in the text."""
    return _in_order(fits, lambda fit: span(fit.site))


def predictions_in_order(predictions: Iterable[Prediction]) -> list[Prediction]:
    """What models said, by where they were asked and what they are called."""
    return _in_order(predictions, lambda p: (span(p.site), p.model.name))


def origins_in_order(origins: Iterable[Origin]) -> list[Origin]:
    """Tables by where they enter the program; one that is read at several places once, from the first of these."""
    return list(dict.fromkeys(sorted(origins, key=lambda origin: (span(origin.site), origin.description))))


def cuts_in_order(cuts: Iterable[Cut]) -> list[Cut]:
    """Sides of divisions by their texts."""
    return sorted(cuts, key=_text_of_cut)


def texts_of(cuts: Iterable[Cut]) -> list[str]:
    """What some divisions are known by, to put several sets of them in order."""
    return sorted(map(_text_of_cut, cuts))


def _in_order(items: Iterable[_Item], key: Callable[[_Item], Any]) -> list[_Item]:
    """Items by a key; those that it does not tell apart by all that is known of them."""
    several = list(items)
    if len(several) < 2:
        return several
    ordered: list[_Item] = []
    for _, group in groupby(sorted([(key(item), item) for item in several], key=itemgetter(0)), itemgetter(0)):
        alike = [item for _, item in group]
        ordered += alike if len(alike) == 1 else sorted(alike, key=_text_of)
    return ordered


@lru_cache(maxsize=4096)
def _text_of_cut(cut: Cut) -> str:
    return _text_of(cut)


def _text_of(thing: object, depth: int = 0) -> str:
    """What something is known by, as a text that is the same in every run."""
    match thing:
        case Site():
            return str(span(thing))
        case ast.AST():
            return f"{type(thing).__name__} {[getattr(thing, place, 0) for place in _PLACES]}"
        case Origin():
            return f"{span(thing.site)} {thing.description} {_text_of(thing.key)}"
        case Part(origin, cuts, ways):
            return f"{_text_of(origin)} {texts_of(cuts)} {texts_of(ways)}"
        case tuple() | frozenset() if depth >= _DEEPEST:
            return str(len(thing))
        case tuple():
            return f"({', '.join(_text_of(item, depth + 1) for item in thing)})"
        case frozenset():
            return f"{{{', '.join(sorted(_text_of(item, depth + 1) for item in thing))}}}"
        case str() | int() | float() | None:
            return repr(thing)
    fields: tuple[str, ...] = tuple(getattr(thing, "__dataclass_fields__", ()))
    return f"{type(thing).__name__}{[_text_of(getattr(thing, name), depth) for name in fields]}"
