"""Rows and columns taken, dropped, joined, copied, renamed."""

from __future__ import annotations

import ast
from collections.abc import Hashable, Iterator
from dataclasses import replace

from assay.leakage.code import (
    calling,
    column_names,
    expressions,
    masks,
    ordering,
    picking,
    queries,
    selecting,
    sides,
    versions,
    windows,
)
from assay.leakage.code.call import Call, fresh, in_place, kept, replace_call
from assay.leakage.code.evidence import is_table
from assay.leakage.code.machine import united, unlabelled
from assay.leakage.code.rows import (
    LEFT,
    POSITIONS,
    Cut,
    Interval,
    LabelsOf,
    OneOf,
    Part,
    Rows,
    among,
    is_grouped,
    meet,
    one_for_each_group,
)
from assay.leakage.code.search_loops import inside, names_set_in
from assay.leakage.code.texts import text_of
from assay.leakage.code.values import (
    SOME_COLUMNS,
    UNKNOWN,
    Columns,
    Const,
    Data,
    Function,
    Kind,
    Library,
    Mapping,
    Mark,
    Seq,
    Shape,
    Value,
)


def drop(c: Call) -> Value:
    """Columns by name, or rows by the index of a part."""
    m = c.m
    labels = c.value(0, "labels", "columns", "index")
    if column_names.are_names(c.base):
        return column_names.without(c.base, m.names(labels))
    if c.base.shape is Shape.SUMMARY and not one_for_each_group(c.base.rows):
        return c.base
    by_rows = "index" in c.keywords or (
        "columns" not in c.keywords and c.word(1, "axis", default=0) in {0, "index", "rows"}
    )
    if labels is None:
        return c.base
    rows = m.data(labels) if not isinstance(m.plain(labels), Const | Library) else UNKNOWN
    if rows.shape is Shape.POSITIONS and rows.rows:
        rest = masks.complement(c.base, rows)
        traces = [k for k in rows.marks if k.kind is Kind.OUTLIER]
        outliers = [replace(k, kind=Kind.OUTLIER) for k in rows.marks if k.kind is Kind.STATISTIC]
        return in_place(c, (rest or c.base).marked(*traces, *outliers))
    if by_rows and rows.shape is Shape.POSITIONS and rows.cuts:
        left = c.base.cut(*sides.negated(rows.cuts))  # without positions that were drawn or counted out
        return in_place(c, left)
    names = m.names(labels)
    if by_rows and not names:
        return in_place(c, c.base.marked(*(k for k in rows.marks if k.kind is Kind.OUTLIER)))
    if by_rows and c.base.shape is Shape.COLUMN:
        return in_place(c, c.base)
    traces = [*picking.telling(rows.marks), *picking.picked(c)]
    for part in c.base.rows:
        for name in names or ():
            m.trace.mentioned.setdefault((part.origin, name), c.site)
    return in_place(c, selecting.without_columns(c.base, names).marked(*traces))


def delete(c: Call) -> Value:
    """`np.delete(X, chosen, axis=0)`: all rows but those at some positions, or at one."""
    chosen, at = c.data(1, "obj"), c.node.args[1] if len(c.node.args) > 1 else None
    if c.word(2, "axis", default=0) != 0 or at is None:
        return c.base
    left = c.base.marked(*(k for k in chosen.marks if k.kind is Kind.OUTLIER))
    if chosen.shape is Shape.POSITIONS and chosen.cuts:
        return left.cut(*sides.negated(chosen.cuts))
    return left.cut(sides.all_but(c.m, at))


def remainder(c: Call) -> Value:
    """`np.setdiff1d(positions, chosen)`; and in Spark `table.subtract(part)`, which in pandas is arithmetic."""
    if c.effect.how == "table":
        return masks.complement(c.base, c.data(0, "other")) or kept(c)
    if column_names.are_names(c.base):
        return column_names.without(c.base, c.m.names(c.value(0, "other")))
    return masks.others(c.base, c.data(0 if c.name == "difference" else 1, "ar2", "other")) or kept(c)


def pop(c: Call) -> Value:
    """A column is taken out of the table."""
    name = c.constant(0, "item")
    if name is None and c.base.rows and c.m.loops and not _named_by_loop(c):
        return _taken_out(c)
    if not isinstance(name, str):
        return c.base
    taken = selecting.column(c.m, c.base, name, c.node)
    c.m.store(c.receiver, selecting.without_columns(c.base, frozenset({name})))
    return taken


def _taken_out(c: Call) -> Data:
    """`rows.pop(randrange(len(rows)))` in a loop: one row after the other is taken out of a list, the rest is left."""
    left, taken = (Cut(("popped", c.node, c.m.stack), side) for side in (LEFT, "taken"))
    whole = replace(c.base, rows=frozenset(part._replace(cuts=part.cuts - {left}) for part in c.base.rows))
    c.m.store(c.receiver, whole.cut(left))
    return whole.cut(taken)


def _named_by_loop(c: Call) -> bool:
    """`for name in names: table.pop(name)`: columns, and not rows."""
    return any(isinstance(n, ast.Name) and n.id in c.m.varied for n in c.node.args)


def concat(c: Call) -> Value:
    """One below the other. The same rows twice are copies."""
    m = c.m
    if _of_nothing(c):
        return fresh(c, f"made by `{c.name}`")
    axis = c.word(1, "axis", "dim", default=0)
    if c.name == "union":
        whole = kept(c, c.base)
        return replace(whole, cuts=c.base.cuts.intersection(*(d.cuts for d in c.all_data())))
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
    whole = united([c.base, *pieces])
    package = c.name.partition(".")[0]
    if package in {"pandas", "polars", "append", "concat", "imblearn", "numpy"}:
        tables = [p for p in pieces if p.shape is not Shape.COLUMN and p.rows]
        if package == "numpy":  # slices put together may be of a signal
            tables = [p for p in tables if not any(isinstance(k.side, Interval) for part in p.rows for k in part.cuts)]
        same = _written_twice(c)
        twice = [b for i, a in enumerate(tables) for b in tables[i + 1 :] if _repeats(a, b, same=same)]
        if twice and not m.loops and not gathered:
            mark = Mark(Kind.COPY, c.name, c.site, frozenset(p for t in twice for p in t.rows))
            whole = whole.marked(mark)
        whole = whole.marked(*_multiplied(c), *_added_each_round(c))
    whole = whole.marked(*versions.beside(m, c.node, pieces))
    if c.base.shape is Shape.POSITIONS and all(p.shape is Shape.POSITIONS for p in pieces):
        return replace(whole, cuts=sides.any_of(pieces))
    return replace(whole, cuts=frozenset())


def _of_nothing(c: Call) -> bool:
    """`tables = []  # fill in`, then `pd.concat(tables)`: that runs only with tables that somebody puts there."""
    given = c.m.plain(c.value(0, "objs", "arrays", "tensors") or UNKNOWN)
    return given == Seq() and "." in c.name and not c.name.endswith("append")


def _multiplied(c: Call) -> Iterator[Mark]:
    """`pd.concat([rare] * 5)`: the same rows so many times."""
    for n in (inner for given in c.node.args[:1] for inner in ast.walk(given)):
        if isinstance(n, ast.BinOp) and isinstance(n.op, ast.Mult) and isinstance(n.left, ast.List):
            copied = united([c.m.data(expressions.evaluate(c.m, item)) for item in n.left.elts])
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

    Two tables of which no difference is known may differ in a way that was not followed.
    """
    if a.via or b.via or not meet(a.rows, b.rows):
        return False
    if any(mark.kind is Kind.OVERSAMPLE for mark in a.marks | b.marks):
        return False  # rows made up: told as such
    return any(
        all(any(p.origin == q.origin and _part_of(p, q, same=same) for q in there) for p in here)
        for here, there in ((a.rows, b.rows), (b.rows, a.rows))
    )


def _part_of(p: Part, q: Part, *, same: bool) -> bool:
    return p.cuts < q.cuts or q.cuts < p.cuts or (same and p.cuts == q.cuts)


_WITH_LABELS = ("TensorDataset", "from_tensor_slices")
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
    whole = replace(whole, rows=_side_by_side(whole.rows))
    if c.name.endswith(_WITH_LABELS):
        whole = unlabelled(c.m, Seq(tuple(c.args)) if len(c.args) > 1 else c.value(0, "tensors") or UNKNOWN, whole)
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


def sample(c: Call) -> Value:
    """A shuffle, a part, or copies."""
    m = c.m
    resample = c.effect.how == "resample"
    replaced = c.constant(-1, "replace", "with_replacement", default=resample)
    if not resample:
        fraction = c.constant(1, "frac", "fraction")
        if fraction == 1 and not replaced:
            return c.base
    if replaced:
        values = [m.data(v) for v in c.args if not isinstance(m.plain(v), Const)] if resample else [c.base]
        some = Cut(("drawn again", *_draw(c)), OneOf(frozenset({"drawn"})))  # and others were not
        mark = Mark(Kind.COPY, c.name or "resample", c.site, c.base.cut(some).rows)
        made = tuple(v.cut(some).marked(mark) for v in values)
        return made[0] if len(made) == 1 else Seq(made)
    cut = Cut(("sampled", c.node, m.stack, m.rounds), "sampled")
    if resample:
        made = tuple(m.data(v).cut(cut) for v in c.args if not isinstance(m.plain(v), Const))
        return made[0] if len(made) == 1 else Seq(made)
    return c.base.cut(cut)


def _draw(c: Call) -> tuple[Hashable, ...]:
    """The identity of a draw with replacement: with a written seed and size it is the same from call to call."""
    sizes = [k.value for k in c.node.keywords if k.arg in _SIZES]
    varied = {n.id for size in sizes for n in ast.walk(size) if isinstance(n, ast.Name)} & c.m.varied
    if isinstance(c.constant(-1, "random_state"), int) and not varied:
        return (c.node, "seeded")
    return c.node, c.m.stack, c.m.rounds


_SIZES = frozenset({"n_samples", "n", "frac", "fraction"})


def explode(c: Call) -> Value:
    """Rows repeated by construction; of numbers that are no table nobody knows what they repeat."""
    mark = Mark(c.effect.kind or Kind.EXPLODE, c.name, c.site, c.base.rows)
    several = len(c.args) > 1 and "." not in c.name  # torch: so often along each axis
    if c.base.shape is Shape.POSITIONS and c.base.rows and mark.kind is Kind.COPY:
        return c.base.marked(mark)
    if c.base.shape is Shape.POSITIONS or not c.base.rows or several or _pads(c.node):
        return c.base
    numbers = mark.kind is Kind.COPY and not any(is_table(part) for part in c.base.rows)
    return c.base if numbers else c.base.marked(mark)


def _pads(node: ast.Call) -> bool:
    """`np.tile(sequence[-1:], …)`: the first or last step of a sequence, repeated until it is long enough."""
    match node.args[:1]:
        case [ast.Subscript(slice=ast.Slice(lower=ast.UnaryOp(ast.USub(), ast.Constant(1)), upper=None))]:
            return True
        case [ast.Subscript(slice=ast.Slice(lower=None, upper=ast.Constant(1)))]:
            return True
    return False


def deduplicate(c: Call) -> Value:
    """Copies removed; and with them, if none is kept, the rows of which there were any."""
    kept_marks = frozenset(k for k in c.base.marks if k.kind not in {Kind.COPY, Kind.EXPLODE})
    single = replace(c.base, marks=kept_marks)
    if c.constant(-1, "keep") is False:
        whole = frozenset(p for p in c.base.rows if not any(q.cuts < p.cuts for q in c.base.rows))
        rest = masks.complement(replace(single, rows=whole), replace(single, rows=c.base.rows - whole))
        single = single if rest is None else rest
    return in_place(c, single)


def take(c: Call) -> Value:
    """The first or last rows, those at given positions, or those that a text asks for."""
    if c.effect.how == "query":
        condition = c.constant(0, "expr")
        asked = condition if isinstance(condition, str) else text_of(c.node.args[0]) if c.node.args else ""
        return in_place(c, queries.queried(c.m, c.base, asked))
    if c.effect.how == "positions":
        chosen = c.data(1, "indices") if len(c.args) > 1 else c.data(0)
        return masks.at_positions(c.base, chosen) if len(c.args) > 1 else chosen
    if c.effect.how == "extreme":
        return queries.extreme(c) if c.base.rows else ordering.sort(c)
    bound = c.constant(0)
    given = c.data(0, "index")
    if given.shape is Shape.POSITIONS:
        return masks.at_positions(c.base, given)
    if c.effect.how == "labels":
        return queries.labelled(c)
    text = bound if isinstance(bound, int) else text_of(c.node.args[0]) if c.node.args else None
    if text is None or not c.base.rows:
        return kept(c)  # a look at the first rows, or the head of a network
    last = c.effect.how == "last"
    return c.base.cut(Cut(POSITIONS, Interval(_from_the_end(text), None) if last else Interval(None, text)))


def _from_the_end(bound: int | str) -> int | str:
    """Where the last rows start, counted from the end; `tail(-3)` is all but the first three."""
    return -bound if isinstance(bound, int) else f"-{bound}"


def skip(c: Call) -> Value:
    """All but the first rows."""
    bound = c.constant(0)
    text = bound if isinstance(bound, int) else text_of(c.node.args[0]) if c.node.args else None
    return c.base.cut(Cut(POSITIONS, Interval(text, None)))


def is_in(c: Call) -> Value:
    """A mask: rows that are among others, or whose value is in a list or between two bounds."""
    function = c.effect.how == "function" and bool(c.node.args)  # np.isin(column, values)
    owner = c.node.func.value if isinstance(c.node.func, ast.Attribute) else c.node
    asked = c.node.args[0] if function else owner
    if c.effect.how == "between":
        return _between(c, asked)
    at = 1 if function else 0
    if column_names.are_names(c.base):
        return column_names.among(c.base, c.m.names(c.value(at, "values", "test_elements")))
    taken = c.data(at, "values", "test_elements")
    outlying = [k for k in taken.marks if k.kind is Kind.OUTLIER]
    if c.base.shape is Shape.POSITIONS and taken.shape is Shape.POSITIONS and taken.cuts - c.base.cuts:
        return replace(c.base, shape=Shape.MASK, cuts=taken.cuts - c.base.cuts).marked(*outlying)
    parts = masks.made_by(c.base, taken) if taken.shape is Shape.POSITIONS else set()
    if parts:
        cuts = next(iter(parts)) if len(parts) == 1 else frozenset({among(parts)})
        return replace(c.base, shape=Shape.MASK, cuts=cuts).marked(*outlying)
    divided = _divided_labels(c, taken)
    if divided:
        return replace(c.base, shape=Shape.MASK, cuts=divided).marked(*outlying)
    given = c.m.constant(c.value(at, "values", "test_elements"))
    known = isinstance(given, list) and all(isinstance(label, str | int | float) for label in given)
    listed = sides.one_of(given) if known else OneOf(text_of(c.node.args[at]) if len(c.node.args) > at else "")
    key = sides.key_of(c.base, asked)
    own = LabelsOf(key, listed, frozenset(masks.made_by(c.base, taken)))
    chosen = frozenset({Cut(own, "in") if _of_its_own(c, taken) else Cut(key, listed)})
    learnt = [k for k in taken.marks if k.kind is Kind.STATISTIC]
    return replace(c.base, shape=Shape.MASK, cuts=chosen).marked(*outlying, *learnt)


def _between(c: Call, asked: ast.expr) -> Data:
    """`column.between(low, high)`: what the bounds were learnt from goes with the mask."""
    given = [*c.node.args, *(keyword.value for keyword in c.node.keywords)][:2]
    low, high = (
        (sides.bound_of(c.m, expressions.evaluate(c.m, node), node) for node in given)
        if len(given) > 1
        else (None, None)
    )
    side = Cut(sides.key_of(c.base, asked), Interval(low, high))
    return replace(c.base, shape=Shape.MASK, cuts=frozenset({side})).marked(*united(c.all_data()).marks)


def _divided_labels(c: Call, taken: Data) -> frozenset[Cut]:
    """The side of a division of labels, each of them there once: rows that bear them are divided like them.

    Labels of rows that were divided are another matter: a patient with several rows may be on both sides.
    """
    if _of_its_own(c, taken):
        return frozenset()
    cuts = frozenset(k for k in taken.cuts if isinstance(k.key, tuple) and k.key[0] in {"split", "folds"})
    return cuts if len({k.key for k in cuts}) == len(cuts) else frozenset()


def _of_its_own(c: Call, taken: Data) -> bool:
    """Whether labels are those of rows of the very table that they are looked up in, each as often as it is there."""
    origins = {part.origin for part in c.base.rows}
    return any(part.origin in origins and not is_grouped(part) for part in taken.rows)


def pick_types(c: Call) -> Value:
    """Columns of some type or name; rows that a mask keeps."""
    chosen = c.data(0, "indices")
    if c.name == "select" and chosen.shape is Shape.POSITIONS:
        return masks.at_positions(c.base, chosen)
    names = c.m.names(c.value(0, "items", "exprs"))
    if names and c.name == "select":
        return selecting.with_columns(c.base, names)
    if c.name == "filter" and c.args:
        mask = c.data(0)
        if mask.shape is Shape.MASK:
            return masks.filtered(c.m, c.base, mask, c.node)
        return c.base
    return replace(c.base, columns=SOME_COLUMNS)


def assign(c: Call) -> Value:
    """The table with further columns."""
    result = c.base
    for name, value in c.keywords.items():
        computed = isinstance(c.m.plain(value), Function)
        given = calling.apply(replace_call(c, [c.base]), value) if computed else value
        result = selecting.assigned(c.m, result, frozenset({name}), given, c.node)
    return result.marked(*united([c.m.data(v) for v in c.args]).marks)


def insert(c: Call) -> Value:
    """`table.insert(0, name, values)`: the table itself has one more column."""
    names, given = c.m.names(c.value(1, "column")), c.value(2, "value")
    if given is not None:
        c.m.store(c.receiver, selecting.assigned(c.m, c.base, names, given, c.node))
    return Const(None)


def rename(c: Call) -> Value:
    """Columns under other names, traces included."""
    names = c.m.plain(c.value(0, "columns", "mapper", "index") or UNKNOWN)
    alone = c.m.constant(names)
    if isinstance(alone, str) and c.base.shape in {Shape.COLUMN, Shape.SUMMARY}:
        return replace(c.base, columns=Columns(frozenset({alone})))  # the name of a column by itself
    if not isinstance(names, Mapping):
        return in_place(c, c.base)
    new = {k: c.m.constant(v) for k, v in names.items}
    only = c.base.columns.only
    renamed = None if only is None else frozenset(str(new.get(n, n)) for n in only)
    marks = frozenset(
        k if k.into is None else replace(k, into=frozenset(str(new.get(n, n)) for n in k.into)) for k in c.base.marks
    )
    columns = replace(
        c.base.columns, only=renamed, without=c.base.columns.without | {k for k in new if isinstance(k, str)}
    )
    noted = frozenset((str(new.get(name, name)), said) for name, said in c.base.noted)
    return in_place(c, replace(c.base, marks=marks, columns=columns, noted=noted))


def align(c: Call) -> Value:
    """Two tables with the same columns, each with its own rows."""
    return Seq((c.base, c.data(0, "other")))
