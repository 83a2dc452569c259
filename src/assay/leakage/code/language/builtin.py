"""Built-in functions of Python, and what passes its argument through."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable
from keyword import iskeyword

from assay.leakage.code.dividing import splits, versions
from assay.leakage.code.frames import open_files, sources
from assay.leakage.code.language import binding, naming, settings, streams
from assay.leakage.code.language.call import Call, fresh, replace_call
from assay.leakage.code.learnt import items, picked_columns, tallies, vocabularies
from assay.leakage.code.state.machine import Machine, united
from assay.leakage.code.state.rows import OriginKind
from assay.leakage.code.state.values import (
    UNKNOWN,
    Class,
    Const,
    Data,
    Estimator,
    Function,
    Instance,
    Kind,
    Library,
    Mapping,
    Seq,
    Shape,
    Value,
)
from assay.libraries.catalogue import names_of
from assay.libraries.row import Group
from assay.records import replace

_LARGEST = 1e12
"""Larger numbers are no sizes; neither are infinity and nan."""


_ROUNDED_DOWN_OR_UP: dict[str, Callable[[float], int]] = {"int": int, "floor": math.floor, "ceil": math.ceil}
_ROUNDING = frozenset({"int", "round"}).union(
    *({f"numpy.{name}", f"math.{name}"} for name in ("floor", "ceil", "around", "rint"))
)


def through(c: Call, name: str = "") -> Value:
    """`list(x)`, `sorted(x)`, `tqdm(x)`: the items of the argument."""
    if not c.args:
        return Seq()
    if name == "iter":
        return streams.made(c.m, c.node, c.args[0])
    if name in names_of(Group.GATHERED) and streams.is_one(c.m, c.args[0]):
        return c.m.boxed(c.m.plain(streams.taken(c.m, c.args[0], c.node.args[0], whole=True)))
    value = c.m.plain(c.args[0])
    if isinstance(value, Mapping):
        keys = [vocabularies.key_of(c.m, k, v) for k, v in value.items]
        return Seq(tuple(keys), value.open)
    return c.args[0] if isinstance(value, Seq | Data | Estimator | Instance | Function) else UNKNOWN


def _rounded(c: Call, name: str) -> Const | None:
    """`int(0.8 * n)`, `np.floor(0.8 * 1000)`: a number that is written in the code stays one."""
    known = c.constant(0) if len(c.args) == 1 else None
    if not isinstance(known, int | float) or not abs(known) < _LARGEST:
        return None
    whole: Callable[[float], int] = _ROUNDED_DOWN_OR_UP.get(name.rpartition(".")[2], round)
    return Const(whole(known), _is_sure(c))


def _is_sure(c: Call) -> bool:
    """Whether a number that is rounded is no mere default."""
    given = c.m.plain(c.args[0])
    return isinstance(given, Const) and given.sure


def _queue(c: Call) -> Value:
    """`deque(maxlen=60)`: a list, which forgets if it is bounded."""
    items = c.m.plain(through(c))
    return replace(items, forgets=c.value(1, "maxlen") is not None) if isinstance(items, Seq) else items


def builtin(c: Call, name: str) -> Value | None:
    """The result of a built-in function; None when it is none."""
    if name in _ROUNDING and ((known := _rounded(c, name)) is not None or "." in name):
        return known
    if name == "len" and len(c.args) == 1:
        return tallies.number_of(c.m, c.node, c.data(0))
    if name in names_of(Group.HARMLESS):
        data = c.all_data() if name in names_of(Group.KEEPS_ROWS) else []
        return united(data) if data else Data(shape=Shape.SUMMARY)
    rule = _BUILTINS.get(name) or naming.ASKED.get(name)
    return None if rule is None else rule(c)


def _range(c: Call) -> Value:
    end = c.constant(0) if len(c.args) == 1 and _is_sure(c) else None
    if isinstance(end, int) and 0 <= end <= 6:
        return Seq(tuple(Const(i) for i in range(end)))
    places = _places_of(c)
    return sources.counted(c) if places is None else places


def _places_of(c: Call) -> Seq | None:
    """`range(len(models))` over a short list or dict that is known: its places, so that each item is met by itself.

    Parts of a table are left as they are: a loop over those takes each in turn and the others with it.
    """
    match c.node.args:
        case [ast.Call(func=ast.Name("len"), args=[listed])] if _is_view_of_name(listed):
            whole = c.m.plain(c.m.evaluate(listed))
        case [ast.Constant(0), ast.Call(func=ast.Name("len"), args=[listed])] if _is_view_of_name(listed):
            whole = c.m.plain(c.m.evaluate(listed))
        case _:
            return None
    if not isinstance(whole, Seq | Mapping) or whole.open or not 0 < len(whole.items) <= c.m.limits.rounds:
        return None
    held = whole.items if isinstance(whole, Seq) else (value for _, value in whole.items)
    inner = [c.m.plain(item) for item in held]
    return None if any(isinstance(v, Data) and v.rows for v in inner) else Seq(tuple(map(Const, range(len(inner)))))


def _is_view_of_name(listed: ast.expr) -> bool:
    """`models`, `list(models)`, `list(models.values())`: a name, and a view of what it stands for."""
    match listed:
        case ast.Call(func=ast.Name("list"), args=[inner], keywords=[]):
            return _is_view_of_name(inner)
        case ast.Call(func=ast.Attribute(value=inner, attr="values" | "keys" | "items"), args=[], keywords=[]):
            return _is_view_of_name(inner)
    return isinstance(listed, ast.Name | ast.Attribute)


def _extreme(c: Call) -> Value:
    """`sum(losses)`, `max(scores)`: of scores it is a score; of what columns were chosen by, it chooses, too."""
    rows = united(c.all_data())
    whole = rows.summary
    scores = frozenset(k for k in whole.marks if k.kind is Kind.SCORE)
    kept = frozenset(picked_columns.telling(whole.marks)) | scores
    return replace(whole, marks=kept)


def _enumerate(c: Call) -> Value:
    return _paired(c.m, [None, _from_streams(c)[0]]) if c.args else UNKNOWN


def _islice(c: Call) -> Value:
    """`islice(stream, 100)`: of a stream the next items; of a list the first."""
    return _from_streams(c)[0] if c.args else UNKNOWN


def _from_streams(c: Call) -> list[Value]:
    """The arguments of a call that reads as much of them as is asked for."""
    if len(c.args) != len(c.node.args):
        return c.args
    return [streams.taken(c.m, value, node) for value, node in zip(c.args, c.node.args, strict=True)]


def _next(c: Call) -> Value:
    value = c.m.plain(streams.next_of(c.m, c.args[0], c.node.args[0])) if c.node.args else UNKNOWN
    if isinstance(value, Seq) and value.items and isinstance(c.node.args[0], ast.Call):
        value = splits.first_of(c, value)  # gone through for the first time, and no further
    return value.items[0] if isinstance(value, Seq) and value.items else c.m.data(value)


def _dict(c: Call) -> Value:
    m, found = c.m, Mapping()
    for name, value in c.keywords.items():
        found = found.put(name, m.boxed(value))
    match m.plain(c.args[0]) if c.args else found:
        case Data(rows=rows) as first if rows:
            return replace(found.put(c.node, m.boxed(first)), open=True)  # `dict(tuple(table.groupby("class")))`
        case Seq() as pairs:
            return _of_pairs(c, found, pairs)
        case Mapping() as first:
            return first
        case Data(marks=marks) as first if marks:
            return first
    return found


def _of_pairs(c: Call, found: Mapping, pairs: Seq) -> Mapping:
    for pair in map(c.m.plain, pairs.items):
        if isinstance(pair, Seq) and len(pair.items) == 2:
            key = c.m.constant(pair.items[0])
            found = found.put(key if isinstance(key, str | int) else c.node, pair.items[1])
    return replace(found, open=pairs.open)


def _dict_of_counts(c: Call) -> Value:
    """`defaultdict(int)`: counts or sums, to begin with none; of others nothing is known."""
    number = bool(c.args) and c.m.plain(c.args[0]) in (Library("int"), Library("float"))
    return Mapping(open=True) if number else Data(shape=Shape.SUMMARY)


def _map(c: Call) -> Value:
    """`map(function, list)`: round by round where the list is written out, like a loop over it."""
    m = c.m
    listed = m.plain(c.args[1]) if len(c.args) == 2 else UNKNOWN
    if not isinstance(listed, Seq) or listed.open or len(listed.items) > m.limits.rounds:
        return _filter(c)
    if not isinstance(m.plain(c.args[0]), Function):
        return _filter(c)
    outer, results = m.rounds, []
    for number, item in enumerate(listed.items):
        m.rounds = (*outer, number)
        results.append(m.boxed(replace_call(c, [item]).apply(c.args[0])))
    m.rounds = outer
    return Seq(tuple(results))


def _filter(c: Call) -> Value:
    if len(c.args) < 2:
        return UNKNOWN
    over = c.m.data(c.args[1])
    known = not isinstance(c.m.plain(c.args[0]), Const)
    function = c.m.plain(c.args[0])
    columns = any(isinstance(n, ast.Attribute) and n.attr == "T" for n in c.node.args)
    each = items.in_round(c.m, over, function.node) if isinstance(function, Function) and not columns else over
    result = c.m.data(replace_call(c, [each]).apply(c.args[0])) if known else UNKNOWN
    return united([over, versions.of_each(c.m, result, over)])


def _partial(c: Call) -> Value:
    """`partial(function, …)`: the function, with some arguments given."""
    function = c.m.plain(c.args[0]) if c.args else UNKNOWN
    if isinstance(function, Library):
        return function  # what is given are settings
    if not isinstance(function, Function):
        return UNKNOWN
    names = [parameter.arg for parameter in function.node.args.args]
    given = [*zip(names, c.args[1:], strict=False), *c.keywords.items()]
    return replace(function, keyword_defaults=(*given, *function.keyword_defaults))


def _code_in_a_string(c: Call) -> Value:
    c.m.notes["code in strings (exec, eval) was not followed"] = None
    return UNKNOWN


def _open(c: Call) -> Value:
    """A file stands for its path, so that what is read from it is known to be of that file.

    Of a path that is not known, what is read is a table of its own.
    """
    path, mode = c.constant(0, "file"), c.constant(1, "mode", default="r")
    if isinstance(path, str):
        return open_files.opened(path, mode)
    written = isinstance(mode, str) and not mode.startswith("r")
    key = ("at", c.node, c.m.stack, c.m.rounds)
    return Data(shape=Shape.SUMMARY) if written else fresh(c, OriginKind.OPENED, "open", key)


def _path(c: Call) -> Value:
    """`os.path.join("data", "train.csv")`, `Path("data")`: the path if it is written in the code, or a row's file."""
    parts = [c.m.constant(value) for value in c.args]
    if parts and all(isinstance(part, str) for part in parts):
        return Const("/".join(map(str, parts)))
    last = next((at for at in range(len(parts), 0, -1) if not isinstance(parts[at - 1], str)), 0)
    found = settings.named_file(list(map(str, parts[last:])))
    listed = c.m.plain(c.args[-1]) if c.args else UNKNOWN
    if found is None and isinstance(listed, Data) and listed.rows:
        return listed  # `join(folder, row["file"])`: the file that belongs to a row
    return found or Data(shape=Shape.SUMMARY)


def _folder_of(c: Call) -> Value:
    """`os.path.dirname(__file__)`: the folder that a path leads to."""
    path = c.constant(0)
    return Const(path.rpartition("/")[0] or ".") if isinstance(path, str) else Data(shape=Shape.SUMMARY)


def _paired(m: Machine, columns: list[Value | None]) -> Value:
    """`zip` and `enumerate`: as many rounds as the shortest list that is written out has. None stands for a count."""
    listed = [None if v is None else binding.items_of(m, v, ast.Constant(0), _MOST_PAIRED) for v in columns]
    lengths = [len(s.items) for s in listed if s is not None and not s.open]
    if not lengths:
        return Seq((_in_round(listed, None),), open=True)
    return Seq(tuple(_in_round(listed, number) for number in range(min(lengths))))


_MOST_PAIRED = 40


def _in_round(listed: list[Seq | None], number: int | None) -> Seq:
    """What lists give in one round, or in any; of one that is not written out, what stands for all its items."""
    counted: Value = Data(shape=Shape.POSITIONS) if number is None else Const(number)
    return Seq(tuple(counted if one is None else _item(one, number or 0) for one in listed))


def _item(listed: Seq, number: int) -> Value:
    return (listed.items or (UNKNOWN,))[0] if listed.open else listed.items[number]


def named_tuple(c: Call) -> Value:
    """`namedtuple("Study", ["X", "y"])`: a class with these fields and nothing else."""
    fields = c.constant(1, "field_names")
    listed = fields.replace(",", " ").split() if isinstance(fields, str) else fields
    if not isinstance(listed, list) or not all(isinstance(field, str) and field.isidentifier() for field in listed):
        return UNKNOWN
    lines = [f"    {field}: object" for field in listed if not iskeyword(field)]
    (node,) = ast.parse("\n".join(["class Record:", *lines, "    pass"])).body
    return Class(node, c.m.scope, {}) if isinstance(node, ast.ClassDef) else UNKNOWN


_BUILTINS: dict[str, Callable[[Call], Value]] = {
    "range": _range,
    "slice": sources.counted,
    "collections.namedtuple": named_tuple,
    "max": _extreme,
    "min": _extreme,
    "sum": _extreme,
    "enumerate": _enumerate,
    "zip": lambda c: _paired(c.m, list(_from_streams(c))),
    "next": _next,
    "dict": _dict,
    "collections.OrderedDict": _dict,
    "collections.defaultdict": _dict_of_counts,
    "collections.deque": _queue,
    "functools.partial": _partial,
    "itertools.islice": _islice,
    "os.getcwd": lambda _: Const("."),
    "os.path.abspath": _path,
    "os.path.dirname": _folder_of,
    "os.path.join": _path,
    "os.path.realpath": _path,
    "pathlib.Path": _path,
    "map": _map,
    "filter": _filter,
    "eval": _code_in_a_string,
    "exec": _code_in_a_string,
    "open": _open,
    "apex.amp.initialize": Call.pass_through,
    **dict.fromkeys(("super", "compile", "__import__"), lambda _: UNKNOWN),
}
OF_MODULES = _ROUNDING | {name for name in _BUILTINS if "." in name}
"""Functions of modules that are followed like the built-in ones."""
