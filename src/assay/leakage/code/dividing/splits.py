"""Dividing rows into parts: calls of `train_test_split` and its kin, and splitters that give folds."""

from __future__ import annotations

import ast
from collections.abc import Hashable

from assay.leakage.code.effects import Effect, How, Role
from assay.leakage.code.language.call import Call, fresh
from assay.leakage.code.state.events import Scheme, Split
from assay.leakage.code.state.machine import united
from assay.leakage.code.state.rows import Cut, OriginKind, is_by_text, is_by_value, is_grouped
from assay.leakage.code.state.texts import text_of
from assay.leakage.code.state.values import Const, Data, Estimator, Kind, Library, Mapping, Seq, Shape, Value
from assay.libraries.row import Use
from assay.patterns import regex
from assay.records import replace

SPLIT = "split"
"""The key of a division by a call begins with it."""
SIDES = ("train", "test")
"""The sides of a division into training and test rows."""


def split(c: Call) -> Value:
    """`train_test_split(a, b, …)`: two parts of each. With the same seed and size it is the same division.

    Some libraries give all that is to train on first.
    """
    given = [v for v in _entering(c, c.args) if not isinstance(c.m.plain(v), Const)]
    tables = [c.m.data(v) for v in given]
    key = _division(c, tables)
    record(c, key, _order(c), united(tables))
    pairs = [(table.cut(Cut(key, "train")), table.cut(Cut(key, "test"))) for table in tables]
    together = zip(*pairs, strict=True) if c.effect.how is How.PART_BY_PART else pairs
    return Seq(tuple(part for several in together for part in several))


def _order(c: Call) -> Scheme:
    return Scheme.ORDERED if c.constant(-1, "shuffle") is False else Scheme.SHUFFLED


def _division(c: Call, tables: list[Data]) -> Hashable:
    """The identity of a division: by order or seed and size, by the name of a seed, or by this very draw."""
    seed = Scheme.ORDERED if _order(c) is Scheme.ORDERED else c.constant(-1, "random_state")
    if seed is Scheme.ORDERED or isinstance(seed, int):
        size = c.constant(-1, "test_size", default=c.constant(-1, "train_size"))
        resampled = frozenset(k.site for table in tables for k in table.marks if k.kind in _RESAMPLED)
        return SPLIT, seed, size, "stratify" in c.keywords, resampled | _kept(tables)
    named = _named_seed(c)
    return (SPLIT, c.node, named) if named else (SPLIT, *c.m.draw(c.node))


_RESAMPLED = frozenset({Kind.OVERSAMPLE, Kind.UNDERSAMPLE, Kind.COPY})
"""What changes how many rows there are: a seed then divides them in another way."""


def _kept(tables: list[Data]) -> frozenset[Hashable]:
    """The values by which rows were kept before, as in `table[table["stage"] > 0]`: of those, a seed holds out others.

    So it is where all columns are compared with bounds: `X[~(X > high).any(axis=1)]`.
    What was kept in a way that only some of the tables tell is left out, for all of them have the same rows.
    """
    by_value = [
        frozenset(cut for part in table.rows for cut in part.cuts if is_by_value(cut) or is_by_text(cut))
        for table in tables
        if table.rows
    ]
    return by_value[0].intersection(*by_value[1:]) if by_value else frozenset()


def _named_seed(c: Call) -> str:
    """What the code calls a seed that is not known: a second call divides in the same way.

    A seed that a loop varies gives another division in each round.
    """
    given = next((k.value for k in c.node.keywords if k.arg == "random_state"), None)
    if given is None or isinstance(given, ast.Constant) or any(isinstance(n, ast.Call) for n in ast.walk(given)):
        return ""
    return "" if {n.id for n in ast.walk(given) if isinstance(n, ast.Name)} & c.m.varied else text_of(given)


def record(c: Call, key: Hashable, scheme: Scheme, data: Data, name: str = "") -> None:
    """Write down that rows were divided."""
    told = name or c.name or "split"
    rows = frozenset(part for part in data.rows if not is_grouped(part))  # one row for each group: nothing repeats
    c.m.trace.add(Split(key, c.site, told, scheme, rows, data.marks, data.columns))


def split_at(c: Call) -> Value:
    """`np.split(table, positions)`, `random_split(dataset, sizes)`: as many parts as are written out."""
    place = 0 if c.effect.how is How.WEIGHTS else 1
    written = c.at(c.effect.port(Use.SIZES)) or c.value(place, "indices_or_sections", "lengths", "weights")
    sizes = c.m.plain(written or Const(None))
    key: Hashable = ("split", *(_by_generator(c) or c.m.draw(c.node)))
    record(c, key, Scheme.SHUFFLED if c.effect.how in _AT_RANDOM else Scheme.ORDERED, c.base)
    labels = _labels(_number_of_parts(sizes, one_size_each=c.effect.how in _ONE_SIZE_EACH))
    return Seq(tuple(c.base.cut(Cut(key, label)) for label in labels), open=not isinstance(sizes, Seq | Const))


def _number_of_parts(sizes: Value, *, one_size_each: bool) -> int:
    """How many parts there are: one for each size, or one more than there are places between them."""
    match sizes:
        case Seq(items=items, open=is_open):
            return (2 if is_open else len(items)) + (0 if one_size_each else 1)
        case Const(value=int() as number):
            return min(max(number, 1), _MOST_PARTS)
    return 2


def _labels(count: int) -> list[str]:
    """What parts are for, as their number tells."""
    known = {2: ["train", "test"], 3: ["train", "val", "test"]}
    return known.get(count) or [f"part {i}" for i in range(count)]


def _by_generator(c: Call) -> tuple[Hashable, ...]:
    """What tells one division from another that is given a generator: the seed of that one, as far as it is written."""
    given = next((k.value for k in c.node.keywords if k.arg == "generator"), None)
    if given is None:
        return ()
    return ("generator", text_of(given) if isinstance(given, ast.Call) else "")


_MOST_PARTS = 20
_ONE_SIZE_EACH = frozenset({How.RANDOM, How.WEIGHTS})
"""One size for each part; other calls are given the places between them, or leave a rest."""
_AT_RANDOM = frozenset({*_ONE_SIZE_EACH, How.SHARES})


def split_named(c: Call) -> Value:
    """`dataset.train_test_split()` of the datasets library."""
    key: Hashable = ("split", c.node, c.m.stack, c.m.rounds)
    record(c, key, _order(c), c.base)
    return Mapping((("train", c.base.cut(Cut(key, "train"))), ("test", c.base.cut(Cut(key, "test")))))


def folds(c: Call, splitter: Estimator) -> Value:
    """`splitter.split(X, y, groups)`: positions of the training and the test rows of each fold."""
    data = united(c.all_data()[:2])
    once = splitter.setting("n_splits") == 1 and "Shuffle" in splitter.name
    key: Hashable = _single(c, splitter) if once else ("folds", splitter.serial, c.m.stack)
    at_random = _shuffles(splitter) or "Repeated" in splitter.name
    record(c, key, _KEPT_TOGETHER.get(splitter.effect.how) or _by_rows(at_random=at_random), data, splitter.name)
    return replace(pairs_of(key), open=not once)


_KEPT_TOGETHER = {How.GROUPS: Scheme.GROUPS, How.TIME: Scheme.TIME, How.UNKNOWN: Scheme.UNKNOWN}


def _by_rows(*, at_random: bool) -> Scheme:
    return Scheme.SHUFFLED if at_random else Scheme.FOLDS


def _shuffles(splitter: Estimator) -> bool:
    return splitter.setting("shuffle") is True or "Shuffle" in splitter.name


def _single(c: Call, splitter: Estimator) -> Hashable:
    """The identity of a division that a splitter makes once: with a seed, the same whenever it is asked.

    A seed that a loop varies gives another division in each round.
    """
    seeds = [k.value for k in getattr(splitter.site.node, "keywords", ()) if k.arg == "random_state"]
    names = {n.id for seed in seeds for n in ast.walk(seed) if isinstance(n, ast.Name)}
    if seeds and not names & c.m.varied:
        return "split", splitter.serial, c.m.stack
    return "split", c.node, c.m.stack, c.m.rounds


def first_of(c: Call, pairs: Seq) -> Seq:
    """`next(splitter.split(X))`: of all folds one is taken, which divides the rows once."""
    division = next((e for e in reversed(c.m.trace.events) if isinstance(e, Split)), None)
    if division is None or pairs != pairs_of(division.key):
        return pairs
    key: Hashable = ("split", division.key)
    c.m.trace.add(replace(division, key=key))
    return replace(pairs_of(key), open=False)


def divides(c: Call) -> bool:
    """Whether `anything.split(X, y)` divides rows: texts are split by other texts, never by tables."""
    return any(c.m.data(v).rows for v in c.args[:2] if not isinstance(c.m.plain(v), Const | Library))


def unseen_splitter(c: Call) -> Estimator:
    """A splitter that somebody else made: an argument of a function, an object of an unknown library."""
    return Estimator(Effect(Role.SPLITTER, how=How.UNKNOWN), "split", c.site, ("unseen", c.node))


def pairs_of(key: Hashable) -> Seq:
    """Pairs of positions, one for each fold of a division."""
    return Seq((Seq(tuple(positions(Cut(key, side)) for side in SIDES)),), open=True)


def positions(cut: Cut) -> Data:
    """Positions of the rows on one side."""
    return replace(Data(shape=Shape.POSITIONS), cuts=frozenset({cut}))


def scheme(c: Call, cv: Value | None) -> Scheme:
    """How cross-validation divides: by groups, by time, or by rows (the default)."""
    match None if cv is None else c.m.plain(cv):
        case Estimator(effect=Effect(how=How.GROUPS | How.TIME as kept)):
            return _KEPT_TOGETHER[kept]
        case _ if c.value(-1, "groups") is not None:
            return Scheme.GROUPS
        case Data() | Seq() | Library():
            return Scheme.UNKNOWN
        case Estimator() as splitter:
            return _by_rows(at_random=_shuffles(splitter))
    return Scheme.FOLDS


_PLACES = regex(r"(?i)idx|ind(?:ex|ices|s?$)|ids?$|pos|perm|order|place|range|len|key|name|file|path|folder|dir")
"""How numbers or labels are called that rows are then chosen by: they are no rows themselves."""
_TABLES = frozenset({Shape.UNKNOWN, Shape.TABLE, Shape.COLUMN})


def _entering(c: Call, values: list[Value]) -> list[Value]:
    """The values that are divided, as columns of one table that enters here if nothing at all is known of them."""
    given = [c.m.plain(value) for value in values]
    unknown = all(isinstance(one, Data) and one.blank and one.shape in _TABLES for one in given)
    if not values or not unknown or len(c.node.args) != len(c.args) or any(map(_may_choose, c.node.args)):
        return values
    table = fresh(c, OriginKind.UNDEFINED, text_of(c.node.args[0]), ("divided", c.node, c.m.stack))
    entered = [replace(table, shape=one.shape, columns=one.columns) for one in given if isinstance(one, Data)]
    for value, rows in zip(values, entered, strict=True):
        c.m.store(value, rows)
    return list(entered)


def _may_choose(node: ast.expr) -> bool:
    """Whether this may be places that rows are chosen by, as it is called or computed."""
    return not isinstance(node, ast.Name | ast.Attribute | ast.Subscript) or _PLACES.search(text_of(node)) is not None
