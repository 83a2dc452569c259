"""Tables put together: one below the other, or side by side; also rows and their labels."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import combinations

from assay.leakage.code.dividing import sides, sorted_lists, undersampling, versions, windows
from assay.leakage.code.frames import stacked_tables
from assay.leakage.code.language.call import Call, kept
from assay.leakage.code.scored.search_loops import inside, names_set_in
from assay.leakage.code.state import values
from assay.leakage.code.state.machine import Machine, united
from assay.leakage.code.state.provenance import is_table
from assay.leakage.code.state.rows import NO_ROWS, Interval, Part, Rows, meet, share_rows
from assay.leakage.code.state.texts import text_of
from assay.leakage.code.state.values import (
    OF_OUTCOMES,
    UNKNOWN,
    Columns,
    Const,
    Data,
    Kind,
    Library,
    Mark,
    Seq,
    Shape,
    Value,
)
from assay.libraries.catalogue import ends_in, names_of
from assay.libraries.row import Group
from assay.records import replace


def concat(c: Call) -> Value:
    """One below the other. The same rows twice are copies."""
    if c.word(1, "axis", "dim", default=0) in _SIDEWAYS or c.constant(-1, "how") == "horizontal":
        return stack(c)
    pieces, gathered = _pieces(c)
    if _grown(c):
        pieces = [_kept_of_round(c, piece) for piece in pieces]
    whole = united([c.base, *pieces]).marked(*_copies(c, pieces, gathered=gathered))
    stacked_tables.stacked(c.m, pieces, whole, c.constant(-1, "keys"), again=gathered)
    whole = whole.marked(*versions.beside(c.m, c.node, pieces))
    if c.base.shape is Shape.POSITIONS and all(p.shape is Shape.POSITIONS for p in pieces):
        return _places_of_all(c, whole, pieces)
    return replace(whole.marked(*undersampling.evened_out(c.m, c.node, pieces, whole.rows)), cuts=frozenset())


_SIDEWAYS = frozenset({1, -1, "columns", "horizontal"})


def _pieces(c: Call) -> tuple[list[Data], bool]:
    """What is put together; and whether a loop gathered it, perhaps each time from other rows."""
    receiver = [] if c.receiver is UNKNOWN else [c.receiver]
    named = [c.keywords["objs"]] if "objs" in c.keywords else []
    given = [c.m.plain(value) for value in (*receiver, *c.args, *named)]
    pieces: list[Data] = []
    for value in (v for v in given if not isinstance(v, Library | Const)):
        pieces += map(c.m.data, value.items if isinstance(value, Seq) else [value])
    return pieces, any(isinstance(value, Seq) and value.open for value in given)


def _kept_of_round(c: Call, piece: Data) -> Data:
    """What one round of a loop adds: a window, or what the caller has asked for."""
    window = windows.gathered(c.m, c.node, piece, c.m.loops)
    return c.m.data(sorted_lists.kept_as_told(c.m, window)) if c.m.conditions else window


def _copies(c: Call, pieces: list[Data], *, gathered: bool) -> Iterator[Mark]:
    """The traces of rows that are there twice, where tables are put together, and not lists or sets."""
    package = c.name.partition(".")[0]
    if package not in names_of(Group.STACKERS):
        return
    same = _written_twice(c)
    tables = _tables_in(pieces, or_signals=package == "numpy")
    twice = [b for a, b in combinations(tables, 2) if _repeats(a, b, same=same)]
    if twice and (same or not (c.m.loops or gathered)):
        yield Mark(Kind.COPY, c.name, c.site, frozenset(p for t in twice for p in t.rows))
    yield from _multiplied(c)
    yield from _added_each_round(c)


def _tables_in(pieces: list[Data], *, or_signals: bool) -> list[Data]:
    """The pieces that are tables; slices that are put together may be of a signal."""
    tables = [p for p in pieces if p.shape is not Shape.COLUMN and p.rows]
    sliced = (any(isinstance(cut.side, Interval) for part in p.rows for cut in part.cuts) for p in tables)
    return [p for p, is_slice in zip(tables, sliced, strict=True) if not (or_signals and is_slice)]


def _places_of_all(c: Call, whole: Data, pieces: list[Data]) -> Data:
    """Positions that are in any of several lists."""
    thinned = undersampling.evened_out(c.m, c.node, pieces, NO_ROWS)
    return replace(whole, cuts=sides.any_of(pieces)).marked(*thinned)


def _multiplied(c: Call) -> Iterator[Mark]:
    """`pd.concat([rare] * 5)`: the same rows so many times."""
    for n in (inner for given in c.node.args[:1] for inner in ast.walk(given)):
        if isinstance(n, ast.BinOp) and isinstance(n.op, ast.Mult) and isinstance(n.left, ast.List):
            copied = united([c.m.data(c.m.evaluate(item)) for item in n.left.elts])
            if copied.rows:
                yield Mark(Kind.COPY, c.name, c.site, copied.rows)


def _added_each_round(c: Call) -> Iterator[Mark]:
    """`for _ in range(times): table = table.append(rare)`: the same rows once more in each round."""
    loop = c.m.loops[-1] if c.m.loops and not c.m.sides else None
    if loop is None:
        return
    names = {item.id for item in _as_written(c) if isinstance(item, ast.Name)}
    for name in sorted(names - names_set_in(loop)) if _grown(c) else ():
        found = c.m.scope.find(name)
        copied = UNKNOWN if found is None else c.m.data(found)
        if any(map(is_table, copied.rows)) and not copied.via:
            yield Mark(Kind.COPY, c.name, c.site, copied.rows)


def _grown(c: Call) -> set[str]:
    """The names that a loop puts more to in each round: `windows = np.vstack([windows, one])`."""
    names = {item.id for item in _as_written(c) if isinstance(item, ast.Name)}
    given = (n for n in ast.walk(c.m.loops[-1]) if isinstance(n, ast.Assign) and inside(c.node, n)) if c.m.loops else ()
    return {t.id for n in given for t in n.targets if isinstance(t, ast.Name) and t.id in names}


def _written_twice(c: Call) -> bool:
    """Whether one table is written down twice among those that are put together."""
    texts = [text_of(item) for item in _as_written(c)]
    return len(set(texts)) < len(texts)


def _as_written(c: Call) -> list[ast.expr]:
    """What is put together, as it is written down."""
    first = c.node.args[0] if c.node.args else None
    listed = first.elts if isinstance(first, ast.List | ast.Tuple) else [first] if first is not None else []
    receiver = [c.node.func.value] if isinstance(c.node.func, ast.Attribute) else []
    return [*receiver, *listed]


def _repeats(a: Data, b: Data, *, same: bool) -> bool:
    """Whether two tables surely have rows in common: one is a part of the other, or they are the same one.

    Two tables of which no difference is known may differ in a way that was not followed. Where parts of both lie apart,
    each was put together of several, and nobody knows which of these count: a joined table, taken apart again.
    """
    if a.via or b.via or not meet(a.rows, b.rows):
        return False
    if any(mark.kind is Kind.OVERSAMPLE for mark in a.marks | b.marks):
        return False  # rows made up: told as such
    return any(
        all(_told_twice(p, [q for q in there if p.origin == q.origin], same=same) for p in here)
        for here, there in ((a.rows, b.rows), (b.rows, a.rows))
    )


def _told_twice(p: Part, others: list[Part], *, same: bool) -> bool:
    return all(share_rows(p, q) for q in others) and any(_part_of(p, q, same=same) for q in others)


def _part_of(p: Part, q: Part, *, same: bool) -> bool:
    return p.cuts < q.cuts or q.cuts < p.cuts or (same and p.cuts == q.cuts)


def stack(c: Call) -> Value:
    """Columns side by side, or several arrays as one data set; a sampler says which of its rows are drawn."""
    sampler = c.value(-1, "sampler", "batch_sampler")
    if sampler is not None and c.m.plain(sampler) != Const(None):
        return _sampled(c, c.m.data(sampler))
    whole = kept(c, c.base)
    pieces = _one_below_the_other(c)
    if pieces and all(piece.shape is Shape.POSITIONS for piece in pieces):
        return _places_of_all(c, whole, pieces)
    whole = replace(whole, rows=_side_by_side(whole.rows))
    if ends_in(c.name, Group.LABELLERS):
        label = c.value(-1, "label")
        given = (*c.args, label) if label is not None else tuple(c.args)
        whole = unlabelled(c.m, Seq(given) if len(given) > 1 else c.value(0, "tensors") or UNKNOWN, whole)
    return _with_columns_of_all(whole, [d.columns.only for d in c.all_data() if d.rows])


def _sampled(c: Call, drawn: Data) -> Data:
    whole = c.data(0, "dataset")
    if drawn.rows and not drawn.cuts and not any(map(is_table, drawn.rows)):
        return replace(whole, via=whole.via | {values.UnknownCall("sampler", (c.node, c.m.stack, c.m.rounds))})
    shuffled = (replace(k, rows=k.rows or whole.rows) for k in drawn.marks if k.kind is Kind.SHUFFLED)
    return whole.cut(*drawn.cuts).marked(*shuffled)


def _one_below_the_other(c: Call) -> list[Data]:
    """`np.hstack([first, second])`: of arrays with one axis, one below the other."""
    listed = c.m.plain(c.args[0]) if len(c.args) == 1 and c.name == "numpy.hstack" else None
    return [c.m.data(item) for item in listed.items] if isinstance(listed, Seq) else []


def _with_columns_of_all(whole: Data, known: list[frozenset[str] | None]) -> Data:
    """Columns side by side, by the names of each piece; None where these are not known."""
    if known and None not in known:
        return replace(whole, columns=Columns(frozenset().union(*(k or () for k in known))), shape=Shape.TABLE)
    return replace(whole, columns=replace(whole.columns, sure=False)) if len(known) > 1 else whole


def _side_by_side(rows: Rows) -> Rows:
    """Columns of a part that was set apart, beside those of the table it is of: the rows are those of the part."""
    apart = {part.origin for part in rows if _set_apart(part)}
    return frozenset(part for part in rows if part.origin not in apart or _set_apart(part)) if apart else rows


def _set_apart(part: Part) -> bool:
    return any(cut.side in ("train", "test", "val") for cut in part.cuts)


_PAIR = 2


def unlabelled(m: Machine, item: Value, whole: Data) -> Data:
    """Rows with their labels as one, without statistics that only the labels know: features come first.

    The last row of a machine says how long it ran; that is what to predict. Of a pair, no scale of the labels
    reaches the features either.
    """
    parts = m.plain(item)
    if not isinstance(parts, Seq) or len(parts.items) < _PAIR:
        return whole
    known = m.data(parts.items[0]).marks
    told = OF_OUTCOMES if len(parts.items) == _PAIR else {Kind.STATISTIC}
    return replace(whole, marks=frozenset(k for k in whole.marks if k in known or k.kind not in told))
