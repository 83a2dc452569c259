"""Where tables enter the program."""

from __future__ import annotations

import ast
import re
from collections.abc import Hashable, Iterator
from pathlib import PurePosixPath

from assay.leakage.code.dividing import disorder, sides
from assay.leakage.code.effects import How
from assay.leakage.code.language.call import Call, fresh, kept
from assay.leakage.code.models import saved_models
from assay.leakage.code.state.machine import united
from assay.leakage.code.state.parts import NAMED_PART, WHOLE_FOLDERS, part_named
from assay.leakage.code.state.rows import NO_ROWS, POSITIONS, Cut, Interval, OriginKind, whichever_way
from assay.leakage.code.state.texts import text_of
from assay.leakage.code.state.values import ALL_COLUMNS, Columns, Const, Data, Kind, Mapping, Mark, Seq, Shape, Value
from assay.libraries.catalogue import ends_in, names_of
from assay.libraries.row import Group
from assay.patterns import regex
from assay.records import replace

_ABSOLUTE = regex(r"/|[A-Za-z]:[/\\]")
_PASSAGES = {"sheet_name": "table", "key": "table", "skiprows": "from", "nrows": "length", "skipfooter": "end"}
"""The arguments that say what is read of a file."""
_PAIR = 2
_LENGTHS = ("len(", "shape", "size")


def read(c: Call) -> Value:
    """A table from a file; the same path is the same table. A model that the program wrote is read back."""
    if c.effect.how is How.MODEL:
        return saved_models.read_back(c) or saved_models.of_others(c) or _new_table(c, c.constant(0, "f"))
    if c.effect.how is How.EITHER and c.base.rows:
        return kept(c)
    if c.name.startswith("numpy.random"):
        return _drawn_numbers(c)
    path = _here(c.constant(0, "filepath_or_buffer", "path", "io", "fname", "file", "filename", "directory", "root"))
    found = _read_back(c, path) or _new_table(c, path)
    if not isinstance(found, Data):
        return found
    made = found.marked(*_times(c))
    subset = c.constant(-1, "subset")
    if subset in {"training", "validation"}:
        return made.cut(Cut(("subset", path), part_named(subset) or ""))
    names = c.m.names(c.value(-1, "usecols", "names")) if _is_table(c) else None
    return replace(made, columns=Columns(names)) if names else made


def _read_back(c: Call, path: object) -> Value | None:
    """What the program itself wrote to this path; None where it wrote nothing there."""
    known = isinstance(path, str) and ends_in(c.name, Group.READERS_BACK)
    return c.m.stored.get(_as_written(c, str(path))) if known else None


def _is_table(c: Call) -> bool:
    """Whether a call reads one table."""
    return c.name.partition(".")[0] in names_of(Group.TABLE_PACKAGES) and not _all_sheets(c)


def _new_table(c: Call, path: object) -> Data:
    """What is read that the program itself has not written."""
    made = fresh(c, OriginKind.READ, key=_identity(c, path))
    if _is_table(c):
        return replace(made, shape=Shape.TABLE, columns=ALL_COLUMNS)
    return replace(made, round=united(c.all_data()).round)  # the file that the item at hand names


def _identity(c: Call, path: object) -> Hashable:
    """What tells a table from others that are read: its file, or the place and round that read it; None for any."""
    here = ("at", c.node, c.m.stack, c.m.rounds)
    key: Hashable = None
    if isinstance(path, str):
        key = None if c.effect.how is How.HUB or _from_open_file(c) else _file(c, path)
    elif c.m.rounds and c.args:
        key = here  # each round reads another file
    if c.name.startswith("torchvision") and not (key and c.name.endswith(WHOLE_FOLDERS)):
        return _data_set(c, path) or here  # one folder gives several parts
    return key


def _file(c: Call, path: str) -> Hashable:
    return "file", path, c.name.rpartition(".")[2], *_passage(c)


def _from_open_file(c: Call) -> bool:
    """`pickle.load(file)`: an open file gives one object after the other."""
    by_name = bool(c.node.args) and isinstance(c.node.args[0], ast.Name)
    return by_name and c.name.endswith(("pickle.load", "cPickle.load"))


def _times(c: Call) -> Iterator[Mark]:
    """The columns that are read as points in time, and whether one of them identifies the rows."""
    dates = c.m.names(c.value(-1, "parse_dates"))
    if dates:
        yield Mark(Kind.TIME, "parse_dates", c.site, into=dates)
    index = c.constant(-1, "index_col")
    by_name = isinstance(index, str) and index in (dates or ())
    if by_name or (index is not None and c.constant(-1, "parse_dates") is True):
        yield Mark(Kind.TIME, "a time index", c.site)


def _drawn_numbers(c: Call) -> Data:
    """Numbers by chance, with what their bounds were learnt from: `np.random.randint(mean - std, mean + std, n)`."""
    made = fresh(c, OriginKind.READ, key=("at", c.node, c.m.stack, c.m.rounds))
    return made.marked(*(k for data in c.all_data() for k in data.marks if k.kind is Kind.STATISTIC))


def _data_set(c: Call, path: object) -> Hashable:
    """A part of a data set of torchvision, where its name is written: `MNIST("data", train=True)`."""
    told = [c.value(1, "train", "split"), c.value(-1, "split")]
    known = [c.m.plain(value) for value in told if value is not None]
    written = [value.value for value in known if isinstance(value, Const)]
    if not isinstance(path, str) or len(written) < len(known) or not known:
        return None
    return ("file", path, c.name, *written)


def _passage(c: Call) -> Iterator[Hashable]:
    """What is read of a file that may hold several tables: the sheet, the key in a store, the rows from where."""
    written = {k.arg: k.value for k in c.node.keywords}
    if ends_in(c.name, Group.READERS_OF_SEVERAL) and len(c.node.args) > 1:
        written["key"] = c.node.args[1]
    for name, what in _PASSAGES.items():
        if name in written:
            known = c.m.constant(c.value(1 if name == "key" else -1, name))
            if known != 0:  # the first sheet, no row left out: the same as nothing said
                yield what, text_of(written[name]) if known is None else repr(known)


def _all_sheets(c: Call) -> bool:
    """`pd.read_excel(path, sheet_name=None)`: not one table but all of a file, by name."""
    return "sheet_name" in c.keywords and c.m.plain(c.keywords["sheet_name"]) == Const(None)


def flow(c: Call) -> Value:
    """`generator.flow_from_directory(folder, subset="training")`: pictures of a folder, or those that a table lists."""
    listed = c.data(0, "dataframe")
    path = c.constant(0, "directory")
    key = ("file", path, "flow") if isinstance(path, str) else None
    made = listed if c.name == "flow_from_dataframe" else fresh(c, OriginKind.READ, key=key)
    subset = part_named(str(c.constant(-1, "subset")))
    return made if subset is None else made.cut(Cut(("subset", path), subset))


def store(c: Call) -> Value:
    """`pickle.dump(model, file)`, `joblib.dump(model, path)`, `table.to_csv(path)`."""
    if c.effect.how is How.TABLE:
        return _store_table(c)
    if c.effect.how is How.MODEL:
        return saved_models.written(c)
    if c.effect.how is How.ARRAY:  # the path comes first, perhaps without the ending that the file is given
        name = c.constant(0, "file")
        return _stored(c, f"{str(name).removesuffix('.npy')}.npy" if isinstance(name, str) else None, c.data(1, "arr"))
    if c.effect.how is How.ARRAYS:
        return _store_arrays(c)
    path = _here(c.constant(1, "file", "filename"))
    if isinstance(path, str) and c.args:
        c.m.stored[path] = c.args[0]
    return Const(None)


def _store_arrays(c: Call) -> Value:
    """`np.savez("rows.npz", X=X, y=y)`: arrays in one file, each under its name."""
    path = _here(c.constant(0, "file"))
    held = [(name, c.m.data(value)) for name, value in c.keywords.items() if name != "file"]
    if isinstance(path, str) and held and all(data.rows for _, data in held):
        entries = tuple((name, c.m.boxed(_outliving(data))) for name, data in held)
        c.m.stored[f"{path.removesuffix('.npz')}.npz"] = Mapping(entries)
    return Data(shape=Shape.SUMMARY)


def _store_table(c: Call) -> Value:
    """`table.to_csv(path)`: what is known of its rows goes with it. A part by name alone is better taken for a file."""
    return _stored(c, c.constant(0, "path_or_buf", "excel_writer", "path", "file"), c.base)


def _stored(c: Call, path: object, rows: Data) -> Value:
    path = _here(path)
    if isinstance(path, str):
        c.m.stored.pop(path, None)
        divided = all(part.cuts for part in rows.rows) or part_named(PurePosixPath(path).stem) is None
        if rows.rows and divided:
            c.m.stored[path] = _outliving(rows)
    return Data(shape=Shape.SUMMARY)


def _outliving(data: Data) -> Data:
    """Data in a file, which is there when the program is run again and takes another branch."""
    marks = frozenset(replace(mark, rows=whichever_way(mark.rows)) for mark in data.marks)
    return replace(data, rows=whichever_way(data.rows), marks=marks)


def read_pair(c: Call) -> Value:
    """Features and outcome: as a pair (`make_…`, `return_X_y`), or in one object."""
    drawn = c.name.rpartition(".")[2].startswith("make_")
    key = ("data set", c.name, c.node, *(_draw(c) if drawn else ()))
    made = fresh(c, OriginKind.MADE if drawn else OriginKind.READ, key=key)
    outcome = replace(made, columns=Columns(frozenset({"target"})), shape=Shape.COLUMN)
    if drawn or c.constant(-1, "return_X_y") is True or "svmlight" in c.name:
        return Seq((made, outcome))
    subset = c.constant(-1, "subset")
    return made.cut(Cut(("subset", c.name), subset)) if subset in {"train", "test"} else made


def _draw(c: Call) -> tuple[Hashable, ...]:
    """What tells rows that are made up from those of another call: without a written seed they are others each time."""
    if not isinstance(c.constant(-1, "random_state"), int):
        return c.node, *c.m.stack, c.m.rounds
    return tuple(repr(c.m.constant(value)) for value in (*c.args, *c.keywords.values()))


def read_parts(c: Call) -> Value:
    """A data set that comes in parts."""
    made = fresh(c, OriginKind.READ, key=("data set", c.name))
    train, test = made.cut(Cut(NAMED_PART, "train")), made.cut(Cut(NAMED_PART, "test"))
    target = Columns(frozenset({"target"}))
    if c.name.endswith("load_data"):
        return Seq(tuple(Seq((part, replace(part, columns=target, shape=Shape.COLUMN))) for part in (train, test)))
    parts = c.m.names(c.value(-1, "split"))
    if isinstance(c.constant(-1, "split"), list) and parts:
        return Seq(tuple(made.cut(Cut(NAMED_PART, str(p))) for p in c.constant(-1, "split")))
    split = c.constant(-1, "split")
    return made.cut(Cut(NAMED_PART, split)) if isinstance(split, str) else made


def _here(path: object) -> object:
    """`./rows.csv` is `rows.csv`: both lie where the program runs."""
    return path.removeprefix("./") if isinstance(path, str) and path != "./" else path


def _as_written(c: Call, path: str) -> str:
    r"""The path by which the program wrote a file: `C:\work\rows.csv` is the `rows.csv` that it put where it ran."""
    name = re.split(r"[/\\]", path)[-1]
    return name if path not in c.m.stored and _ABSOLUTE.match(path) and name in c.m.stored else path


def positions(c: Call) -> Value:
    """Positions of rows: all of them, shuffled, or some."""
    if c.name.endswith("permutation") and (c.base.rows or _are_some_places(c.base)):
        return c.base.marked(disorder.by_chance(c, c.base.rows))  # `rng.permutation(train)`: the same places
    if c.effect.how is How.WHERE:
        return _where(c)
    if c.effect.how is How.ORDER:
        return kept(c)
    if c.name.endswith(("choice", "sample")):
        return _picked(c)
    if ends_in(c.name, Group.ORDERS_OF_CHANCE):
        return Data(shape=Shape.POSITIONS).marked(disorder.by_chance(c, NO_ROWS))
    return counted(c) if c.name.endswith("arange") else Data(shape=Shape.POSITIONS)


def _are_some_places(value: Data) -> bool:
    return value.shape is Shape.POSITIONS and bool(value.cuts)


def _where(c: Call) -> Data:
    """`np.where(mask)`: the places where a mask holds; with more arguments, values by it."""
    known = bool(c.base.cuts) and not c.base.predictions
    alone = len(c.args) == 1 and c.base.shape is Shape.MASK
    return replace(c.base, shape=Shape.POSITIONS) if alone and known else kept(c)


def _picked(c: Call) -> Data:
    """One or several things picked by chance: names of columns, a value of a column, places, rows."""
    if c.value(1, "size") is not None:
        names = c.m.names(c.value(0, "a", "population"))
        return Data(shape=Shape.SUMMARY) if names else _drawn(c)
    of_column = c.name.endswith("choice") and c.base.rows and c.base.shape is Shape.COLUMN
    return c.base if of_column else Data(shape=Shape.POSITIONS)  # a name of a file, perhaps, that is then read


def _drawn(c: Call) -> Data:
    """Some of the places that are given, picked by chance; or some of the rows, where a list of them is given.

    As many as there are, `random.sample(rows, len(rows))`, are all of them in an order of chance.
    """
    places = Data(shape=Shape.POSITIONS, cuts=c.base.cuts)
    cut = Cut(("chosen", *c.m.draw(c.node)), "sampled")
    c.m.drawn_at.setdefault(cut.key, c.node)
    chosen = places.cut(cut)
    if c.constant(-1, "replace") is True:
        return chosen.marked(Mark(Kind.COPY, c.name, c.site))
    return chosen


def counted(c: Call) -> Data:
    """`range(800, 1000)`, `slice(800, None)`: the positions from here to there. Up to a length they are all of them."""
    bounds = [
        None if c.m.plain(given) == Const(None) else sides.bound_of(c.m, given, node)
        for given, node in zip(c.args, c.node.args, strict=False)
    ]
    low, high = (None, bounds[0]) if len(bounds) == 1 else bounds[:2] if len(bounds) == _PAIR else (None, None)
    low = None if low == 0 else low
    everything = low is None and (high is None or any(word in str(high) for word in _LENGTHS))
    made = Data(shape=Shape.POSITIONS)
    return made if everything else replace(made, cuts=frozenset({Cut(POSITIONS, Interval(low, high))}))
