"""Tables put together: one below the other, or side by side."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from assay.leakage.code.dividing import sides, sorting, thinning, versions, windows
from assay.leakage.code.frames import stacking
from assay.leakage.code.frames.labelled import unlabelled
from assay.leakage.code.language.call import Call, fresh, kept
from assay.leakage.code.scored.search_loops import inside, names_set_in
from assay.leakage.code.state.events import Split
from assay.leakage.code.state.machine import united
from assay.leakage.code.state.parts import WHOLE_FOLDERS
from assay.leakage.code.state.provenance import is_table
from assay.leakage.code.state.rows import NO_ROWS, Cut, Interval, OriginKind, Part, Rows, meet, share_rows
from assay.leakage.code.state.texts import text_of
from assay.leakage.code.state.values import UNKNOWN, Columns, Const, Data, Kind, Library, Mark, Seq, Shape, Value
from assay.records import replace

_TABLES = frozenset({"pandas", "polars", "append", "_append", "concat", "imblearn", "numpy", "unionAll", "unionByName"})
"""What puts tables together, and not lists or sets."""


def concat(c: Call) -> Value:
    """One below the other. The same rows twice are copies."""
    m = c.m
    if _of_nothing(c):
        return fresh(c, OriginKind.MADE)
    axis = c.word(1, "axis", "dim", default=0)
    if c.name == "union":
        others = c.all_data()
        whole = kept(c, c.base)
        whole = whole.marked(*thinning.evened_out(m, c.node, [c.base, *others], whole.rows))
        return replace(whole, cuts=c.base.cuts.intersection(*(d.cuts for d in others)))
    if axis in {1, -1, "columns", "horizontal"} or c.constant(-1, "how") == "horizontal":
        return stack(c)
    pieces: list[Data] = []
    gathered = False  # in a loop, perhaps each time from other rows
    for value in (
        *([c.receiver] if c.receiver is not UNKNOWN else []),
        *c.args,
        *([c.keywords["objs"]] if "objs" in c.keywords else []),
    ):
        plain = m.plain(value)
        if isinstance(plain, Seq):
            pieces += [m.data(v) for v in plain.items]
            gathered |= plain.open
        elif not isinstance(plain, Library | Const):
            pieces.append(m.data(value))
    if _grown(c):
        pieces = [windows.gathered(m, c.node, piece, m.loops) for piece in pieces]
        pieces = [m.data(sorting.kept_as_told(m, piece)) for piece in pieces] if m.conditions else pieces
    whole = united([c.base, *pieces])
    whole = replace(whole, rows=_both_sides(c, whole.rows)) if len(pieces) > 1 and not m.loops else whole
    package = c.name.partition(".")[0]
    if package in _TABLES:
        tables = [p for p in pieces if p.shape is not Shape.COLUMN and p.rows]
        if package == "numpy":  # slices put together may be of a signal
            tables = [p for p in tables if not any(isinstance(k.side, Interval) for part in p.rows for k in part.cuts)]
        same = _written_twice(c)
        twice = [b for i, a in enumerate(tables) for b in tables[i + 1 :] if _repeats(a, b, same=same)]
        if twice and (same or not (m.loops or gathered)):
            mark = Mark(Kind.COPY, c.name, c.site, frozenset(p for t in twice for p in t.rows))
            whole = whole.marked(mark)
        whole = whole.marked(*_multiplied(c), *_added_each_round(c), *_drawn_from_itself(c))
    stacking.stacked(m, pieces, whole, c.constant(-1, "keys"), again=gathered)
    whole = whole.marked(*_folder_twice(c, pieces), *versions.beside(m, c.node, pieces))
    if c.base.shape is Shape.POSITIONS and all(p.shape is Shape.POSITIONS for p in pieces):
        return _places_of_all(c, whole, pieces)
    whole = whole.marked(*thinning.evened_out(m, c.node, pieces, whole.rows))
    return replace(whole, cuts=frozenset())


def _both_sides(c: Call, rows: Rows) -> Rows:
    """Both sides of one split, put together again, are what was split."""
    for part in rows:
        for cut in (cut for cut in part.cuts if cut.side == "test"):
            other = part._replace(cuts=part.cuts - {cut} | {cut._replace(side="train")})
            if other in rows and _of_two_sides(c, cut):
                return rows - {part, other} | {part._replace(cuts=part.cuts - {cut})}
    return rows


def _of_two_sides(c: Call, cut: Cut) -> bool:
    named = (e.name for e in c.m.trace.events if isinstance(e, Split) and e.key == cut.key)
    return any(name.endswith("train_test_split") for name in named)


def _places_of_all(c: Call, whole: Data, pieces: list[Data]) -> Data:
    """Positions that are in any of several lists."""
    thinned = thinning.evened_out(c.m, c.node, pieces, NO_ROWS)
    return replace(whole, cuts=sides.any_of(pieces)).marked(*thinned)


def _folder_twice(c: Call, pieces: list[Data]) -> Iterator[Mark]:
    """`ConcatDataset([plain, turned])` of one whole folder, read with other transforms: each picture twice."""
    known: set[Rows] = set()
    for rows in (piece.rows for piece in pieces if piece.rows and not piece.via and c.name.endswith("ConcatDataset")):
        whole = all(not part.cuts and part.origin.name.endswith(WHOLE_FOLDERS) for part in rows)
        if rows in known and whole:
            yield Mark(Kind.COPY, c.name, c.site, rows)
            return
        known.add(rows)


def _of_nothing(c: Call) -> bool:
    """`tables = []  # fill in`, then `pd.concat(tables)`: that runs only with tables that somebody puts there."""
    given = c.m.plain(c.value(0, "objs", "arrays", "tensors") or UNKNOWN)
    return given == Seq() and "." in c.name and not c.name.endswith("append")


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
    names = {item.id for item in _listed(c) if isinstance(item, ast.Name)}
    for name in sorted(names - names_set_in(loop)) if _grown(c) else ():
        found = c.m.scope.find(name)
        copied = UNKNOWN if found is None else c.m.data(found)
        if any(map(is_table, copied.rows)) and not copied.via:
            yield Mark(Kind.COPY, c.name, c.site, copied.rows)


def _drawn_from_itself(c: Call) -> Iterator[Mark]:
    """`while …: table = table.append(table[rare].sample())`: a row that the table has, once more in each round."""
    for name in sorted(_grown(c)):
        table = c.m.data(c.m.scope.find(name) or UNKNOWN)
        others = (item for item in _listed(c) if not (isinstance(item, ast.Name) and item.id == name))
        for item in others if any(map(is_table, table.rows)) else ():
            added = c.m.data(c.m.evaluate(item))
            if all(map(_by_chance, added.rows)) and _whole_of(table.rows, added.rows) and not added.predictions:
                yield Mark(Kind.COPY, c.name, c.site, added.rows)


def _by_chance(part: Part) -> bool:
    """Whether some rows of a table were drawn."""
    return any(isinstance(cut.key, tuple) and cut.key[0] in {"sampled", "chosen"} for cut in part.cuts)


def _whole_of(table: Rows, rows: Rows) -> bool:
    """Whether each part is one of some whole that the table has as it is."""
    wholes = [part for part in table if not _by_chance(part)]
    return bool(rows) and all(any(q.origin == p.origin and q.cuts < p.cuts for q in wholes) for p in rows)


def _grown(c: Call) -> set[str]:
    """The names that a loop puts more to in each round: `windows = np.vstack([windows, one])`."""
    names = {item.id for item in _listed(c) if isinstance(item, ast.Name)}
    given = (n for n in ast.walk(c.m.loops[-1]) if isinstance(n, ast.Assign) and inside(c.node, n)) if c.m.loops else ()
    return {t.id for n in given for t in n.targets if isinstance(t, ast.Name) and t.id in names}


def _written_twice(c: Call) -> bool:
    """Whether one table is written down twice among those that are put together."""
    texts = [text_of(item) for item in _listed(c)]
    return len(set(texts)) < len(texts)


def _listed(c: Call) -> list[ast.expr]:
    """What is put together, as it is written down."""
    first = c.node.args[0] if c.node.args else None
    listed = first.elts if isinstance(first, ast.List | ast.Tuple) else [first] if first is not None else []
    receiver = [c.node.func.value] if isinstance(c.node.func, ast.Attribute) and c.receiver is not UNKNOWN else []
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


_WITH_LABELS = ("TensorDataset", "from_tensor_slices", "DMatrix", "lightgbm.Dataset", "catboost.Pool")
"""What puts rows and their labels together."""


def stack(c: Call) -> Value:
    """Columns side by side, or several arrays as one data set; a sampler says which of its rows are drawn."""
    sampler = c.value(-1, "sampler", "batch_sampler")
    if sampler is not None:
        drawn = c.m.data(sampler)
        whole = c.data(0, "dataset")
        shuffled = (replace(k, rows=k.rows or whole.rows) for k in drawn.marks if k.kind is Kind.SHUFFLED)
        return whole.cut(*drawn.cuts).marked(*shuffled)
    whole = kept(c, c.base)
    listed = c.m.plain(c.args[0]) if len(c.args) == 1 and c.name == "numpy.hstack" else None
    pieces = [c.m.data(item) for item in listed.items] if isinstance(listed, Seq) else []
    if pieces and all(piece.shape is Shape.POSITIONS for piece in pieces):
        return _places_of_all(c, whole, pieces)
    whole = replace(whole, rows=_side_by_side(whole.rows))
    if c.name.endswith(_WITH_LABELS):
        label = c.value(-1, "label")
        given = (*c.args, label) if label is not None else tuple(c.args)
        whole = unlabelled(c.m, Seq(given) if len(given) > 1 else c.value(0, "tensors") or UNKNOWN, whole)
    data = c.all_data()
    known = [d.columns.only for d in data if d.rows]
    if known and all(k is not None for k in known):
        return replace(whole, columns=Columns(frozenset().union(*(k or () for k in known))), shape=Shape.TABLE)
    return replace(whole, columns=replace(whole.columns, sure=False) if len(known) > 1 else whole.columns)


def _side_by_side(rows: Rows) -> Rows:
    """Columns of a part that was set apart, beside those of the table it is of: the rows are those of the part."""
    apart = {part.origin for part in rows if _set_apart(part)}
    return frozenset(part for part in rows if part.origin not in apart or _set_apart(part)) if apart else rows


def _set_apart(part: Part) -> bool:
    return any(cut.side in ("train", "test", "val") for cut in part.cuts)
