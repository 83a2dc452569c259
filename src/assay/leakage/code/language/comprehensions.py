"""What a list, set, dictionary or generator that is written as a comprehension stands for."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from assay.leakage.code.dividing import sides, versions, windows
from assay.leakage.code.frames import column_names, entries
from assay.leakage.code.language import binding
from assay.leakage.code.learnt import items, vocabularies
from assay.leakage.code.state.machine import Machine, united
from assay.leakage.code.state.places import chosen_by
from assay.leakage.code.state.rows import Cut, is_fold
from assay.leakage.code.state.texts import text_of
from assay.leakage.code.state.values import (
    NOTHING,
    UNKNOWN,
    Const,
    Data,
    Kind,
    Library,
    Mapping,
    Marks,
    Seq,
    Shape,
    Value,
)

_COMPREHENDED = 14
_KEPT_BY = frozenset({Kind.CORRELATION, Kind.SELECT, Kind.GAPS, Kind.VECTORISE})
"""What conditions of a comprehension leave as a trace on the items that they keep."""
Comprehension = ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp


@dataclass
class _Gathering:
    """What a comprehension has made so far."""

    node: Comprehension
    results: list[tuple[Value, Value]] = field(default_factory=list)
    """Keys and values; the keys of lists stand for nothing."""
    over: Data = UNKNOWN
    """The rows that it went through."""
    undecided: bool = False
    """Whether a condition may leave items out."""


def comprehension(m: Machine, node: Comprehension) -> Value:
    """One round for each item of a list that is written out; one for all else. Names stay inside."""
    names, around = m.scope.names.as_they_are(), (m.varied, m.rounds, m.gone_through, m.loops)
    m.varied = m.varied.union(*(binding.names_in(g.target) for g in node.generators))
    m.gone_over |= {name: g.iter for g in node.generators for name in binding.names_in(g.target)}
    first = node.generators[0]
    listed = m.evaluate(first.iter)
    rounds = binding.items_of(m, listed, first.iter, _COMPREHENDED)
    if rounds.open:
        m.gone_through = (*m.gone_through, node)
    if rounds.open and any(holds_folds(m, item) for item in rounds.items[:1]):
        m.trace.fold_loops.add(node)
        m.loops = (*m.loops, node)
    made = _Gathering(node, undecided=any(g.ifs for g in node.generators[1:]))
    outer = m.rounds
    for number, item in enumerate(rounds.items or ([UNKNOWN] if rounds.open else [])):
        m.rounds = outer if rounds.open else (*outer, number)
        _round(m, made, item)
    whole = _gathered(m, made, is_open=rounds.open or made.undecided)
    if _chooses_names(m, node, listed):
        whole = column_names.kept_by(m, m.data(listed), first).marked(*m.data(whole).marks)
    m.scope.restore(names)
    m.varied, m.rounds, m.gone_through, m.loops = around
    return whole


def _round(m: Machine, made: _Gathering, item: Value) -> None:
    """One item: its conditions, and what is made of it."""
    node, first = made.node, made.node.generators[0]
    at_hand = items.in_round(m, item, node, first.iter) if node in m.gone_through else item
    binding.bind(m, first.target, at_hand)
    if not isinstance(m.plain(item), Const | Library):
        made.over = united([made.over, m.data(item)])
    verdicts = [_decided(m, c) for c in first.ifs]
    if False in verdicts:
        return
    made.undecided |= None in verdicts
    conditions = _conditions(m, node)
    kept_by = _KEPT_BY | {Kind.STATISTIC} if made.over.rows else _KEPT_BY
    traces = frozenset(k for c in conditions for k in c.marks if k.kind in kept_by)
    cuts = [cut for c in conditions if c.shape is Shape.MASK for cut in c.cuts] + _by_label(m, first)
    cuts = cuts or [
        Cut(("mask", chosen_by(m, test)), "yes")
        for test, known in zip(first.ifs, verdicts, strict=True)
        if known is None
    ]
    marked = made.over.marked(*traces)
    made.over = marked.cut(*cuts) if marked.rows else marked
    made.results.append(_result(m, made, traces, cuts))


def _conditions(m: Machine, node: Comprehension) -> list[Data]:
    """What the conditions of all generators say, with the names of the inner generators bound."""
    first, *further = node.generators
    found = [m.data(m.evaluate(c)) for c in first.ifs]
    for later in further:
        inner = binding.items_of(m, m.evaluate(later.iter), later.iter, 1)
        binding.bind(m, later.target, inner.items[0] if inner.items else UNKNOWN)
        found += [m.data(m.evaluate(c)) for c in later.ifs]
    return found


def _result(m: Machine, made: _Gathering, traces: Marks, cuts: list[Cut]) -> tuple[Value, Value]:
    """The key and the value of one round."""
    node = made.node
    if isinstance(node, ast.DictComp):
        key, value = m.plain(m.evaluate(node.key)), m.evaluate(node.value)
        held = vocabularies.entry(m, key.marked(*traces) if isinstance(key, Data) else key, value, node.key)
        return key, m.boxed(held)
    element = _window(m, node, m.evaluate(node.elt))
    plain = m.plain(element)
    if isinstance(plain, Data) and len(node.generators) == 1:
        alone = versions.of_each(m, plain, made.over)
        element = element if alone is plain else alone
    return NOTHING, m.boxed(entries.of_each(m, element, *cuts))


def _chooses_names(m: Machine, node: ast.expr, listed: Value) -> bool:
    """`[name for name in table.columns if …]`."""
    match node:
        case ast.ListComp(elt=ast.Name(id=asked), generators=[ast.comprehension(target=ast.Name(id=name))]):
            return asked == name and column_names.are_names(m.plain(listed))
    return False


def _by_label(m: Machine, generator: ast.comprehension) -> list[Cut]:
    """`… for i, row in enumerate(rows) if i < n`, `… for k, table in tables.items() if k != left_out`."""
    if not isinstance(generator.iter, ast.Call):
        return []
    if isinstance(generator.target, ast.Name):
        return _all_but_one(m, generator)
    if not isinstance(generator.target, ast.Tuple):
        return []
    made, label = generator.iter.func, generator.target.elts[0]
    keys = ("key", text_of(made.value)) if isinstance(made, ast.Attribute) and made.attr == "items" else None
    if keys is None and text_of(made) != "enumerate":
        return []
    return [
        Cut(keys or cut.key, cut.side)
        for test in generator.ifs
        if isinstance(test, ast.Compare) and text_of(test.left) == text_of(label)
        for cut in sides.cuts_of(m, test.left, UNKNOWN, test.ops[0], test.comparators[0])
    ]


def _all_but_one(m: Machine, generator: ast.comprehension) -> list[Cut]:
    """`[j for j in range(n) if j != i]`: the positions of all rows but the one that a loop is at."""
    match generator:
        case ast.comprehension(
            target=ast.Name(place),
            iter=ast.Call(func=ast.Name("range")),
            ifs=[ast.Compare(left=ast.Name(one), ops=[ast.NotEq()], comparators=[ast.Name(other) as left_out])],
        ) if one == place and other in m.varied:
            return [sides.all_but(m, left_out)]
    return []


def _window(m: Machine, node: ast.expr, value: Value) -> Value:
    """`[series[i : i + 20] for i in range(n)]`: windows, which may overlap."""
    data = m.plain(value)
    return windows.gathered(m, node, data, (node,)) if isinstance(data, Data) and data.rows else value


def _decided(m: Machine, test: ast.expr) -> bool | None:
    """`… for c in columns if c != target`, where both are written out in the code; None when that is not known."""
    if not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return None
    left, right = (m.constant(m.evaluate(side)) for side in (test.left, test.comparators[0]))
    if left is None or right is None:
        return None
    match test.ops[0]:
        case ast.Eq():
            return bool(left == right)
        case ast.NotEq():
            return bool(left != right)
        case ast.In() if isinstance(right, list):
            return left in right
        case ast.NotIn() if isinstance(right, list):
            return left not in right
        case _:
            return None


def _gathered(m: Machine, made: _Gathering, *, is_open: bool) -> Value:
    """What all rounds give: a dict, a list of what each gave, or rows where one item stands for all."""
    if isinstance(made.node, ast.DictComp):
        return _dict_of(m, made, is_open=is_open)
    values = tuple(v for _, v in made.results)
    plain = [m.plain(v) for v in values]
    of_scores = bool(plain) and all(isinstance(v, Data) and v.is_score for v in plain)
    each_alone = not is_open and len(values) > 1  # `(scaled(part) for part in (train, test))`
    if of_scores or each_alone:
        return Seq(values, is_open)
    row_by_row = made.over.rows and all(isinstance(v, Data | Const | Library | Seq) for v in plain)
    if row_by_row or (made.over.marks and is_open):
        return united([made.over, *(m.data(v) for v in plain if isinstance(v, Data | Seq))])
    return Seq(values, is_open)


def _dict_of(m: Machine, made: _Gathering, *, is_open: bool) -> Mapping:
    found = Mapping(open=is_open)
    for key, value in made.results:
        name = key.value if isinstance(key, Const) else made.node
        found = found.put(name, binding.called(m, name, value))
    return found


def holds_folds(m: Machine, item: Value) -> bool:
    """Whether a loop goes over folds."""
    plain = m.plain(item)
    if isinstance(plain, Seq):
        return any(holds_folds(m, inner) for inner in plain.items[:4])
    return isinstance(plain, Data) and plain.shape is Shape.POSITIONS and any(is_fold(cut) for cut in plain.cuts)
