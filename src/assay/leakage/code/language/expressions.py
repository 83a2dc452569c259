"""What an expression stands for."""

from __future__ import annotations

import ast
from collections.abc import Callable
from operator import add, floordiv, mul, sub, truediv

from assay.leakage.code.dividing import sides, sorted_lists, undersampling, versions, windows
from assay.leakage.code.frames import column_names, masks, subscripts
from assay.leakage.code.language import attributes, binding, calling, comprehensions, conditions, naming, settings
from assay.leakage.code.learnt import vocabularies
from assay.leakage.code.learnt.kinds import as_bound
from assay.leakage.code.models import labelling
from assay.leakage.code.scored import preferring, scoring
from assay.leakage.code.state.machine import Exhausted, Machine, united
from assay.leakage.code.state.rows import Cut
from assay.leakage.code.state.texts import text_of
from assay.leakage.code.state.values import (
    SOME_COLUMNS,
    UNKNOWN,
    Const,
    Data,
    Estimator,
    Function,
    Instance,
    Kind,
    Library,
    Mapping,
    Mark,
    Seq,
    Shape,
    Value,
)
from assay.records import replace

_PLAIN = (str, int, float, bool)

_LONGEST_TEXT = 500
_UNORDERED = (ast.Eq, ast.NotEq, ast.In, ast.NotIn, ast.Is, ast.IsNot)
_DECIDES = frozenset({Kind.STATISTIC, Kind.THRESHOLD, Kind.SWEEP})
"""What `a if x > limit else b` knows of the limit goes into its value."""


def evaluate(m: Machine, node: ast.expr) -> Value:
    """The abstract value of an expression."""
    m.expressions += 1
    if m.expressions > m.limits.expressions:
        raise Exhausted(f"after {m.limits.expressions:,} expressions")
    rule = _RULES.get(type(node))
    return UNKNOWN if rule is None else rule(m, node)


def _constant(_m: Machine, node: ast.Constant) -> Value:
    return Const(node.value) if node.value is None or isinstance(node.value, _PLAIN) else UNKNOWN


def _name(m: Machine, node: ast.Name) -> Value:
    found = m.scope.find(node.id)
    return found if found is not None else naming.unbound(m, node.id)


def _subscript(m: Machine, node: ast.Subscript) -> Value:
    base = evaluate(m, node.value)
    if isinstance(m.plain(base), Instance):
        return attributes.item(m, base, node)
    return labelling.looked_up(m, base, node, subscripts.subscript(m, base, node))


def _tuple(m: Machine, node: ast.Tuple | ast.List | ast.Set) -> Value:
    items: list[Value] = []
    is_open = False
    for element in node.elts[:400]:
        if isinstance(element, ast.Starred):
            inner = m.plain(evaluate(m, element.value))
            if isinstance(inner, Seq):
                items += inner.items
                is_open |= inner.open
            else:
                items.append(inner)
                is_open = True
        else:
            items.append(m.boxed(evaluate(m, element)))
    return Seq(tuple(items), is_open or len(node.elts) > 400)


def _dict(m: Machine, node: ast.Dict) -> Value:
    found = Mapping()
    for key, value in list(zip(node.keys, node.values, strict=True))[:400]:
        given = m.boxed(evaluate(m, value))
        if key is None:
            inner = m.plain(given)
            for name, item in inner.items if isinstance(inner, Mapping) else ():
                found = found.put(name, item)
            continue
        name = m.constant(evaluate(m, key))
        binding.called(m, name, given)
        found = found.put(name, given) if isinstance(name, str | int | float) else found.put(key, given)
    return found


def _binary(m: Machine, node: ast.BinOp) -> Value:
    match node.op, m.plain(evaluate(m, node.left)), m.plain(evaluate(m, node.right)):
        case operator, Const() as left, Const() as right:
            return _folded(operator, left, right)
        case ast.Div(), _, Const(value=str()):  # `folder / "train"`: the path of a file or folder, like `os.path.join`
            return settings.path_below(node) or Data(shape=Shape.SUMMARY)
        case ast.Add(), Seq() as left, Seq() as right:
            return Seq(versions.put_together(m, node, left, right)[:400], left.open or right.open)
        case ast.Sub(), Data() as left, right if column_names.are_names(left):
            return column_names.without(left, m.names(right))
        case ast.Sub(), Data() as left, Data() as right:
            return masks.others(left, right) or _difference(m, node, left, right)
        case ast.BitAnd(), Data() as left, Data() as right:
            both = scoring.compared(m, node, left, right, accuracy=True)
            return combined(m, [left, right], node.op).marked(*both.marks)
        case ast.Add(), left, right:
            return _sum(m, node, left, right)
        case operator, left, right:
            return versions.noisy(m, node, (left, right), combined(m, [left, right], operator))


def _difference(m: Machine, node: ast.BinOp, left: Data, right: Data) -> Data:
    both = scoring.compared(m, node, left, right)
    return replace(combined(m, [left, right], node.op), rows=both.rows, marks=both.marks, predictions=both.predictions)


def _sum(m: Machine, node: ast.BinOp, left: Value, right: Value) -> Data:
    """Arithmetic, or two lists one after the other."""
    below = versions.below(m, node, (node.left, node.right), (left, right))
    whole = below or versions.noisy(m, node, (left, right), combined(m, [left, right], node.op))
    if isinstance(left, Data) and isinstance(right, Data):
        return whole.marked(*undersampling.evened_out(m, node, (left, right), whole.rows))
    return whole


def combined(m: Machine, operands: list[Value], operator: ast.AST | None = None) -> Data:
    """The result of arithmetic: all rows, all traces."""
    parts = [m.data(v) for v in operands if isinstance(v, Data | Seq | Mapping | Instance)]
    both = united(parts)
    names = [p.columns.only for p in parts if p.rows]
    if names and all(n is not None for n in names):
        both = replace(both, columns=replace(SOME_COLUMNS, only=frozenset().union(*(n or () for n in names))))
    if len(parts) > 1 and all(p.shape is Shape.POSITIONS and not p.rows for p in parts):
        return replace(both, cuts=sides.any_of(parts))
    if len(parts) == 2 and all(p.shape is Shape.MASK for p in parts):
        return replace(both, shape=Shape.MASK, cuts=_where(operator, parts[0].cuts, parts[1].cuts))
    if len(parts) > 1 and all(p.shape is Shape.SUMMARY for p in parts):
        return replace(both, cuts=parts[0].cuts.intersection(*(p.cuts for p in parts)))  # labels of several sides
    return both


def _where(operator: ast.AST | None, left: frozenset[Cut], right: frozenset[Cut]) -> frozenset[Cut]:
    """Which rows two masks choose together."""
    match operator:
        case ast.BitAnd():
            return sides.both(left, right)
        case ast.BitOr():
            return sides.either(left, right)
        case _:
            return frozenset()


def _folded(operator: ast.operator, left: Const, right: Const) -> Value:
    """Arithmetic on literals, as far as column names and sizes need it."""
    match operator, left.value, right.value:
        case ast.Add(), str(a), str(b) if len(a) + len(b) < _LONGEST_TEXT:
            return Const(a + b)
        case ast.Div(), str(a), str(b) if len(a) + len(b) < _LONGEST_TEXT:
            return Const(f"{a}/{b}")  # of paths
        case ast.Div() | ast.FloorDiv(), _, 0:
            return Data(shape=Shape.SUMMARY)
        case _, int(a) | float(a), int(b) | float(b) if max(abs(a), abs(b)) < _LARGEST:
            compute = _ARITHMETIC.get(type(operator))
            return Data(shape=Shape.SUMMARY) if compute is None else Const(compute(a, b), left.sure and right.sure)
    return Data(shape=Shape.SUMMARY)


_ARITHMETIC: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: add, ast.Sub: sub, ast.Mult: mul, ast.Div: truediv, ast.FloorDiv: floordiv,
}  # fmt: skip
_LARGEST = 1e12
"""Larger numbers are no sizes."""


def _unary(m: Machine, node: ast.UnaryOp) -> Value:
    value = m.plain(evaluate(m, node.operand))
    if isinstance(value, Const):
        number = value.value
        if isinstance(node.op, ast.USub) and isinstance(number, int | float):
            return Const(-number, value.sure)
        return Const(not number, value.sure) if isinstance(node.op, ast.Not) else value
    if isinstance(value, Data) and value.shape is Shape.MASK and isinstance(node.op, ast.Invert | ast.Not):
        return replace(value, cuts=sides.negated(value.cuts))
    if isinstance(value, Data) and isinstance(node.op, ast.Invert) and column_names.are_names(value):
        return column_names.others(value)
    return value if isinstance(value, Data) else UNKNOWN


def _boolean(m: Machine, node: ast.BoolOp) -> Value:
    values = [evaluate(m, v) for v in node.values]
    if isinstance(node.op, ast.Or) and _or_else(m, values[0]):
        return next((v for v in values[:-1] if not _is_nothing(m, v)), values[-1])
    return combined(m, [m.plain(v) for v in values])


def _or_else(m: Machine, first: Value) -> bool:
    """`given or default`: the first is none of the rows that a condition is about."""
    return isinstance(m.plain(first), Const | Estimator | Instance | Seq | Mapping)


def _is_nothing(m: Machine, value: Value) -> bool:
    """Whether a value is surely taken for false."""
    plain = m.plain(value)
    if isinstance(plain, Const):
        return plain.sure and not plain.value
    return isinstance(plain, Seq | Mapping) and not plain.items and not plain.open


def _compare(m: Machine, node: ast.Compare) -> Value:
    compared = [evaluate(m, one) for one in (node.left, *node.comparators)]
    if all(isinstance(m.plain(one), Const) for one in compared[:2]):
        known = conditions.decided(m, node)
        return UNKNOWN if known is None else Const(known)
    data, *others = (UNKNOWN if isinstance(m.plain(one), Library) else m.data(one) for one in compared)
    other = united(others)
    if isinstance(node.ops[0], ast.Eq | ast.NotEq):
        return _mask_of(m, node, data, other, scoring.compared(m, node, data, other, accuracy=True))
    mask = _mask_of(m, node, data, other, _swept(m, node, data, other))
    return mask if mask is UNKNOWN else preferring.better(m, node, mask, [node.left, *node.comparators])


def _mask_of(m: Machine, node: ast.Compare, data: Data, other: Data, both: Data) -> Data:
    """The rows where a comparison holds; where no rows are compared, what is known of both sides."""
    if both == UNKNOWN:
        return UNKNOWN
    sign = node.ops[0]
    shape = Shape.SUMMARY if both.shape is Shape.SUMMARY and not both.predictions else Shape.MASK
    simple = len(node.comparators) == 1 and shape is Shape.MASK
    cuts = sides.cuts_of(m, node.left, data, sign, node.comparators[0]) if simple else frozenset()
    both = both if isinstance(sign, _UNORDERED) else vocabularies.by_count(both)
    return replace(both, shape=shape, cuts=cuts, columns=data.columns if data.rows else other.columns)


def _swept(m: Machine, node: ast.Compare, left: Data, right: Data) -> Data:
    """`proba >= t` in a loop over `t`, or `proba >= limits[k]` over `k`: a threshold is tried."""
    both = united([left, right])
    if not m.varied or bool(left.predictions) == bool(right.predictions):
        return both
    sides = (node.left, node.comparators[0])
    about, bound = sides if left.predictions else sides[::-1]
    varied = bound.slice if isinstance(bound, ast.Subscript) and isinstance(bound.value, ast.Name) else bound
    if not isinstance(varied, ast.Name) or varied.id not in m.varied:
        return both
    if bound is not varied and any(isinstance(n, ast.Name) and n.id == varied.id for n in ast.walk(about)):
        return both  # `proba[:, k] > limits[k]`: each class has its own
    return both.marked(Mark(Kind.SWEEP, text_of(bound), m.site(node), (left if left.predictions else right).rows))


def _conditional(m: Machine, node: ast.IfExp) -> Value:
    known = conditions.decided(m, node.test)
    if known is not None:
        return evaluate(m, node.body if known else node.orelse)
    test = m.data(evaluate(m, node.test))
    preferring.preferred(m, node, {})
    result = m.either(evaluate(m, node.body), evaluate(m, node.orelse))
    literal = isinstance(node.body, ast.Constant) and isinstance(node.orelse, ast.Constant)
    learnt = [as_bound(k) if literal else k for k in test.marks if k.kind in _DECIDES]
    if literal and test.predictions and test.rows and not any(k.kind is Kind.SCORE for k in test.marks):
        bounds = frozenset(map(as_bound, test.marks))
        return replace(test, marks=bounds, shape=Shape.COLUMN, cuts=frozenset())  # a label for what was said
    return united([m.data(result)]).marked(*learnt) if learnt else result


def _text(m: Machine, node: ast.JoinedStr) -> Value:
    """A text with values in it; a name such as f"{column}_log" is known when the column is."""
    written = ""
    known = True
    for part in node.values:
        value = m.constant(evaluate(m, part))
        plain = not isinstance(part, ast.FormattedValue) or (part.format_spec is None and part.conversion == -1)
        known &= plain and isinstance(value, str | int) and len(written) < _LONGEST_TEXT
        written += str(value) if known else ""
    return Const(written) if known else Data(shape=Shape.SUMMARY)


def _walrus(m: Machine, node: ast.NamedExpr) -> Value:
    value = m.boxed(evaluate(m, node.value))
    m.scope.bind(node.target.id, value)
    return value


def _inner(m: Machine, node: ast.Await | ast.Starred | ast.YieldFrom | ast.FormattedValue) -> Value:
    return evaluate(m, node.value)


def _yield(m: Machine, node: ast.Yield) -> Value:
    if node.value is not None and m.returned is not None:
        value = windows.handed_out(m, node, evaluate(m, node.value))
        m.returned.append(Seq((m.boxed(sorted_lists.kept_as_told(m, value) if m.conditions else value),), open=True))
    return UNKNOWN


def _comprehension(m: Machine, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp) -> Value:
    return comprehensions.comprehension(m, node)


_RULES: dict[type[ast.AST], Callable[..., Value]] = {
    ast.Constant: _constant,
    ast.Name: _name,
    ast.Attribute: lambda m, node: attributes.attribute(m, evaluate(m, node.value), node),
    ast.Subscript: _subscript,
    ast.Tuple: _tuple,
    ast.List: _tuple,
    ast.Set: _tuple,
    ast.Dict: _dict,
    ast.BinOp: _binary,
    ast.UnaryOp: _unary,
    ast.BoolOp: _boolean,
    ast.Compare: _compare,
    ast.IfExp: _conditional,
    ast.Call: calling.call,
    ast.Lambda: lambda m, node: Function(node, m.scope),
    ast.JoinedStr: _text,
    ast.NamedExpr: _walrus,
    ast.Await: _inner,
    ast.Starred: _inner,
    ast.YieldFrom: _inner,
    ast.FormattedValue: _inner,
    ast.Yield: _yield,
    ast.ListComp: _comprehension,
    ast.SetComp: _comprehension,
    ast.GeneratorExp: _comprehension,
    ast.DictComp: _comprehension,
}
