"""Rows where a mask holds, rows at positions, and what is left of them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from assay.leakage.code.dividing import sides
from assay.leakage.code.learnt import tallies
from assay.leakage.code.state.machine import Machine
from assay.leakage.code.state.places import chosen_by
from assay.leakage.code.state.rows import (
    Cut,
    Except,
    OneOf,
    Rows,
    meet,
    one_for_each_group,
)
from assay.leakage.code.state.texts import text_of
from assay.leakage.code.state.values import Data, Kind, Mark, Shape
from assay.records import replace

_LABELS = ("groupby.", "max", "min")
_CHANGED = frozenset({Kind.COPY, Kind.UNDERSAMPLE})
"""What a list of positions may do to the rows at them: some are there twice, of some classes there are fewer."""


def limits_in(mask: Data) -> list[Mark]:
    """The bounds in a condition that were learnt from rows."""
    by_label = _by_label(mask)
    return [
        k
        for k in mask.marks
        if k.kind in {Kind.STATISTIC, Kind.SCALE, Kind.OUTLIER, Kind.CORRELATION}
        if not tallies.is_frequency(k)  # too rare to be divided, or to be learnt from
        if not (by_label and k.name.startswith(_LABELS))  # a group of a table that has a row for each, or the last year
        if not (by_label and k.kind is Kind.SCALE and k.into is None)  # a label beside columns that were scaled
    ]


def _by_label(mask: Data) -> bool:
    """Whether rows are chosen by what their label is or is not."""
    return bool(mask.cuts) and all(isinstance(cut.side, str | Except | OneOf) for cut in mask.cuts)


def left_out_by(mask: Data) -> list[Mark]:
    """The bounds of a condition as what rows were left out by; so is that they belong to no cluster."""
    bounds = limits_in(mask)
    if any(cut.side == Except("-1") for cut in mask.cuts):
        bounds += (k for k in mask.marks if k.kind is Kind.CLUSTER and k.rows)
    return [replace(k, kind=Kind.OUTLIER if k.kind in _BOUNDS else k.kind, into=None) for k in bounds]


_BOUNDS = frozenset({Kind.STATISTIC, Kind.SCALE, Kind.CLUSTER})


def filtered(m: Machine, value: Data, mask: Data, node: ast.AST) -> Data:
    """The rows where a mask holds. What the mask knows (quantiles, predictions, outcomes) leaves its trace."""
    if value.shape is Shape.POSITIONS and not value.rows and isinstance(node, ast.Subscript):
        return replace(value, cuts=value.cuts | (mask.cuts or {Cut("picked", OneOf(text_of(node.slice)))}))
    marks = left_out_by(_own_bounds(value, mask))
    if not value.rows or (value.shape is Shape.SUMMARY and not one_for_each_group(value.rows)):
        return value.marked(
            *(replace(k, kind=Kind.SELECT, into=None) for k in mask.marks if k.kind in {Kind.SELECT, Kind.CORRELATION})
        )
    if value.rows and all(part.cuts for part in value.rows):
        marks.append(
            Mark(Kind.FILTER, text_of(node), m.site(node), value.rows, mask.columns.only or frozenset(),
                 supervised=bool(mask.predictions))
        )  # fmt: skip
    chosen = value.cut(*mask.cuts)
    kept = replace(chosen, cuts=value.cuts | mask.cuts)
    return kept.marked(*marks)


def _own_bounds(value: Data, mask: Data) -> Data:
    """A mask without what the whole table knew before: `scaled[scaled["ill"] == 1]` leaves out nothing by a mean."""
    known = {k for k in value.marks & mask.marks if k.into is None} if _by_label(mask) else frozenset()
    return replace(mask, marks=mask.marks - known) if known else mask


def at_positions(value: Data, positions: Data) -> Data:
    """The rows at the given positions or index labels."""
    if positions.rows and meet(value.rows, positions.rows) and not positions.cuts:
        origins = {part.origin for part in value.rows}
        chosen = replace(value, rows=frozenset(p for p in positions.rows if p.origin in origins))
        return chosen.marked(*_of_positions(positions, value.rows, frozenset()))
    chosen = value.cut(*positions.cuts)
    return chosen.marked(*_of_positions(positions, value.rows, chosen.rows))


def _of_positions(positions: Data, whole: Rows, chosen: Rows) -> Iterator[Mark]:
    """What is known of a list of positions, as of the rows at them."""
    for mark in positions.marks:
        if mark.kind is Kind.OUTLIER:
            yield mark
        elif mark.kind is Kind.SHUFFLED:
            yield replace(mark, rows=mark.rows or whole)
        elif mark.kind in _CHANGED:
            yield replace(mark, rows=mark.rows or chosen)


def others(positions: Data, chosen: Data) -> Data | None:
    """The positions that were not chosen; None when these are not positions, or it is not known which were chosen."""
    if positions.shape is not Shape.POSITIONS or chosen.shape is not Shape.POSITIONS or not chosen.cuts:
        return None
    return replace(positions, cuts=positions.cuts | sides.negated(chosen.cuts - positions.cuts))


def complement(value: Data, taken: Data) -> Data | None:
    """`value` without the rows of a part of it, or None when no division made that part."""
    fresh = made_by(value, taken)
    return value.cut(*(cut for cuts in fresh for cut in sides.negated(cuts))) if fresh else None


def made_by(value: Data, taken: Data) -> set[frozenset[Cut]]:
    """The divisions that made each part of `taken` out of `value`; none when one is not made so."""
    known = {c for p in value.rows for c in p.cuts}
    origins = {p.origin for p in value.rows}
    fresh = {p.cuts - known for p in taken.rows if p.origin in origins}
    return fresh if all(fresh) and len(fresh) <= sides.MOST_TAKEN else set()


def computed_mask(m: Machine, value: Data, index: ast.expr, data: Data) -> Cut | None:
    """The side of `table[chosen]` or `table[~chosen]`, by a column of yes and no that is computed in some way."""
    turned = isinstance(index, ast.UnaryOp) and isinstance(index.op, ast.Invert)
    asked = index.operand if isinstance(index, ast.UnaryOp) else index
    if data.shape is not Shape.COLUMN or data.marks or not meet(value.rows, data.rows):
        return None
    chosen = OneOf(frozenset({"yes"}))
    return Cut(("mask", chosen_by(m, asked)), Except(chosen) if turned else chosen)
