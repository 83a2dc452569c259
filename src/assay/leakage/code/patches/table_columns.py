"""Columns of a table that are filled, scaled or centred by a statistic of all rows: the same, part by part.

`df["age"] = df["age"].fillna(df["age"].mean())` before the split becomes, behind it, the same statement for the test
part and then for the training part, each with the statistic of the training part.
"""

from __future__ import annotations

import ast

from assay.leakage.code.lookup import effect_of, method_effect
from assay.leakage.code.patches.moved_step import Division, part_names
from assay.leakage.code.patches.program_text import NotCertainError, Piece, Text
from assay.leakage.code.patches.scope import Scope, mentioned, same
from assay.leakage.code.patches.steps import Form, Step, class_of, constructor, holds_out, step_in
from assay.libraries.row import Role
from assay.records import dataclass

_SHOWN = frozenset({"head", "tail", "info", "describe", "isnull", "isna", "shape", "dtypes", "columns", "sample"})
"""What a cell shows of a table without changing it."""


@dataclass(frozen=True)
class ColumnStep:
    """A statement that changes a table or some of its columns by what it learns from them."""

    scope: Scope
    table: str
    columns: tuple[str, ...] | None
    """The columns, where they are written; None for the whole table."""
    written: str
    """The columns as the program writes them."""
    statement: ast.stmt
    target: ast.expr
    value: ast.expr


def column_step(scope: Scope, text: Text) -> ColumnStep:
    """The statement as a change of columns."""
    statement = scope.statement
    target: ast.expr
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target, value = statement.targets[0], statement.value
    elif isinstance(statement, ast.Expr) and (filled := _in_place(statement.value)) is not None:
        target, value = filled
    else:
        raise NotCertainError("the statement is no plain assignment")
    if isinstance(target, ast.Name):
        return ColumnStep(scope, target.id, None, "", statement, target, value)
    if isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name):
        columns = _literal(scope, target.slice)
        if columns is not None:
            return ColumnStep(scope, target.value.id, columns, text.of(target.slice), statement, target, value)
    raise NotCertainError("which columns it changes is not written")


def _in_place(value: ast.expr) -> tuple[ast.expr, ast.expr] | None:
    """`df["age"].fillna(m, inplace=True)` as a target and a value."""
    if not (isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute)):
        return None
    kept = [k for k in value.keywords if k.arg != "inplace"]
    if len(kept) == len(value.keywords):
        return None
    return value.func.value, value


def _literal(scope: Scope, node: ast.expr) -> tuple[str, ...] | None:
    """The column names that an expression stands for: a text, a list of texts, or a name that is bound to one once."""
    if isinstance(node, ast.Name):
        value = _only_value(scope, node.id)
        return _literal(scope, value) if value is not None else None
    parts = node.elts if isinstance(node, ast.List | ast.Tuple) else [node]
    names = tuple(p.value for p in parts if isinstance(p, ast.Constant) and isinstance(p.value, str))
    return names if len(names) == len(parts) and names else None


def _only_value(scope: Scope, name: str) -> ast.expr | None:
    """What a name is bound to, if that happens once and not to another name."""
    bound = [scope.source.parent(n) for n in scope.names(name) if isinstance(n.ctx, ast.Store)]
    values = [a.value for a in bound if isinstance(a, ast.Assign) and not isinstance(a.value, ast.Name)]
    return values[0] if len(bound) == len(values) == 1 else None


def behind_split(step: ColumnStep, text: Text) -> list[Piece]:
    """The pieces of the program that change."""
    division, parts = _division(step)
    _refuse_other_uses(step, division)
    train, test = parts
    lines = [f"{train}, {test} = {train}.copy(), {test}.copy()"] if step.columns is not None else []
    if any(same_text in text.text for same_text in lines):
        lines = []
    lines += _lines(step, text, train, test)
    return [text.whole_lines(step.statement), text.below(division.statement, lines)]


def _lines(step: ColumnStep, text: Text, train: str, test: str) -> list[str]:
    inner = next((n for n in ast.walk(step.value) if isinstance(n, ast.Call) and _learns(n)), None)
    if inner is None:
        return [_changed(step, text, test, train), _changed(step, text, train, train)]
    found = step_in(step.scope.source, inner) if isinstance(step.target, ast.Name) else _fitted(step, inner)
    if found is None or found.form is not Form.AT_ONCE or found.outcome is not None:
        raise NotCertainError("the step is not written as one `fit_transform`")
    class_of(found)
    if not isinstance(found.estimator, ast.Name):
        raise NotCertainError("the object that learns has no name")
    if found.call is not step.value:
        raise NotCertainError("what the step gives is changed further")
    method = inner.func.attr.removeprefix("fit_") if isinstance(inner.func, ast.Attribute) else ""
    name, columns = found.estimator.id, step.written
    return [
        f"{train}[{columns}] = {name}.fit_transform({train}[{columns}])",
        f"{test}[{columns}] = {name}.{method}({test}[{columns}])",
    ]


def _learns(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr.startswith("fit")


def _fitted(step: ColumnStep, call: ast.Call) -> Step:
    """`df[columns] = scaler.fit_transform(df[columns])`."""
    if not (isinstance(step.statement, ast.Assign) and isinstance(call.func, ast.Attribute) and call.args):
        raise NotCertainError("the step is no plain assignment")
    alike = isinstance(call.args[0], ast.Subscript) and same(call.args[0].slice, _slice(step))
    if not alike or mentioned([call.args[0]]) - mentioned([_slice(step)]) != {step.table}:
        raise NotCertainError("the step learns from other columns than it changes")
    outcome = call.args[1] if len(call.args) > 1 else None
    found = Step(
        Form.AT_ONCE, step.scope, call, call.func.value, call.args[0], outcome, step.statement, call, (step.table,)
    )
    constructor(found)
    return found


def _slice(step: ColumnStep) -> ast.expr:
    return step.target.slice if isinstance(step.target, ast.Subscript) else step.target


def _changed(step: ColumnStep, text: Text, part: str, train: str) -> str:
    """The statement for one part, with the statistics of the training part."""
    statistics = list(_statistics(step, step.value))
    if not statistics:
        raise NotCertainError("no statistic of the columns is in sight")
    within = {n for node in statistics for n in ast.walk(node)}
    instead: dict[ast.expr, str] = {n: train if n in within else part for n in _mentions(step, step.value)}
    value = text.of(step.value, instead)
    if isinstance(step.statement, ast.Expr):
        value = _without_in_place(step, text, instead)
    target = text.of(step.target, dict.fromkeys(_mentions(step, step.target), part))
    return f"{target} = {value}"


def _mentions(step: ColumnStep, node: ast.AST) -> list[ast.Name]:
    """Where code names the table."""
    return [n for n in ast.walk(node) if isinstance(n, ast.Name) and n.id == step.table]


def _without_in_place(step: ColumnStep, text: Text, instead: dict[ast.expr, str]) -> str:
    """`df["age"].fillna(m, inplace=True)` as an expression."""
    call = step.value
    if not isinstance(call, ast.Call) or any(k.arg != "inplace" for k in call.keywords):
        raise NotCertainError("the statement has further settings")
    inside = [text.of(a, {n: new for n, new in instead.items() if n in set(ast.walk(a))}) for a in call.args]
    function = text.of(call.func, {n: new for n, new in instead.items() if n in set(ast.walk(call.func))})
    return f"{function}({', '.join(inside)})"


def _statistics(step: ColumnStep, node: ast.expr) -> list[ast.expr]:
    """The outermost expressions that sum up rows of the table."""
    if _summarises(step, node):
        return [node]
    children = (c for c in ast.iter_child_nodes(node))
    nested = [c.value if isinstance(c, ast.keyword) else c for c in children]
    return [found for c in nested if isinstance(c, ast.expr) for found in _statistics(step, c)]


def _summarises(step: ColumnStep, node: ast.expr) -> bool:
    if not (isinstance(node, ast.Call) and step.table in mentioned([node])):
        return False
    if isinstance(node.func, ast.Attribute):
        effect = method_effect(node.func.attr, grouped=False)
        of_table = step.table in mentioned([node.func.value])
        if of_table and effect is not None and effect.role is Role.STATISTIC:
            return True
    effect = effect_of(step.scope.source.resolve(node.func))
    return effect is not None and effect.role is Role.STATISTIC


def _division(step: ColumnStep) -> tuple[Division, tuple[str, str]]:
    """The split of the table itself, or of features that were taken from it with these columns."""
    for statement in step.scope.later:
        if not (isinstance(statement, ast.Assign) and holds_out(step.scope.source, statement.value)):
            continue
        call, names = statement.value, part_names(statement)
        if not isinstance(call, ast.Call) or len(names) != 2 * len(call.args):
            raise NotCertainError("the parts of the split have no plain names")
        division = Division(statement, call, names)
        return division, _parts_with_columns(step, division)
    raise NotCertainError(f"`{step.table}` is not divided by a split beside the step")


def _parts_with_columns(step: ColumnStep, division: Division) -> tuple[str, str]:
    """The training and the test part of the table with the columns that the step changes."""
    for argument in division.call.args:
        found = division.parts(argument)
        if found is not None and _holds_columns(step, argument):
            return found
    raise NotCertainError("the split is not sure to divide these columns")


def _holds_columns(step: ColumnStep, argument: ast.expr) -> bool:
    """Whether an argument of the split is a table with the columns that the step changes."""
    if isinstance(argument, ast.Name) and argument.id == step.table:
        return True
    if step.columns is None:
        return False
    taken = argument
    if isinstance(argument, ast.Name):
        bound = [s for s in step.scope.later if isinstance(s, ast.Assign) and _binds(s, argument.id)]
        if len(bound) != 1:
            return False
        taken = _bound_value(bound[0], argument.id)
    return _selects(step, taken)


def _binds(statement: ast.Assign, name: str) -> bool:
    return any(isinstance(n, ast.Name) and n.id == name for n in ast.walk(statement.targets[0]))


def _bound_value(statement: ast.Assign, name: str) -> ast.expr:
    """`X` in `X = ...` and in `X, y = ..., ...`."""
    target, value = statement.targets[0], statement.value
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
        for one, given in zip(target.elts, value.elts, strict=True):
            if isinstance(one, ast.Name) and one.id == name:
                return given
    return value


def _selects(step: ColumnStep, taken: ast.expr) -> bool:
    """`df.drop(columns=[...])` without these columns, `df[[...]]` with them."""
    wanted = set(step.columns or ())
    if isinstance(taken, ast.Subscript) and _is_table(step, taken.value):
        kept = _literal(step.scope, taken.slice)
        single = isinstance(taken.slice, ast.Constant)
        return kept is not None and not single and wanted <= set(kept)
    dropped = _dropped(step, taken)
    left_out = _literal(step.scope, dropped) if dropped is not None else None
    return left_out is not None and not wanted & set(left_out)


def _is_table(step: ColumnStep, node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == step.table


def _dropped(step: ColumnStep, taken: ast.expr) -> ast.expr | None:
    """The columns that a call drops from the table; None for another call, or one that drops rows."""
    if not (isinstance(taken, ast.Call) and isinstance(taken.func, ast.Attribute)):
        return None
    effect = method_effect(taken.func.attr, grouped=False)
    if effect is None or effect.role is not Role.DROP or not _is_table(step, taken.func.value):
        return None
    named = {keyword.arg: keyword.value for keyword in taken.keywords}
    if "columns" in named:
        return named["columns"]
    axis = named.get("axis")
    by_column = isinstance(axis, ast.Constant) and axis.value in {1, "columns"}
    return taken.args[0] if by_column and taken.args else None


def _refuse_other_uses(step: ColumnStep, division: Division) -> None:
    """Statements between the step and the split may touch other columns, or take features; nothing else."""
    for statement in step.scope.before(division.statement):
        if step.table in mentioned([statement]) and not _harmless(step, statement):
            raise NotCertainError(f"`{step.table}` is used at {step.scope.line(statement)}, before the split")
    known = [division.call]
    other = next(step.scope.reads_after(step.table, division.statement, known), None)
    if other is not None:
        raise NotCertainError(f"`{step.table}` is used again at {step.scope.line(other)}")


def _harmless(step: ColumnStep, statement: ast.stmt) -> bool:
    if isinstance(statement, ast.Expr) and _only_shows(step, statement.value):
        return True
    if step.columns is not None and isinstance(statement, ast.Assign):
        value = statement.value
        parts = value.elts if isinstance(value, ast.Tuple) else [value]
        if _takes_names(statement) and all(_selects(step, v) or _of_others(step, v) for v in parts):
            return True
    return _of_others(step, statement)


def _takes_names(statement: ast.Assign) -> bool:
    """`X = ...`, `X, y = ..., ...`: nothing is changed in place."""
    target = statement.targets[0]
    parts = target.elts if isinstance(target, ast.Tuple) else [target]
    return all(isinstance(part, ast.Name) for part in parts)


def _of_others(step: ColumnStep, node: ast.AST) -> bool:
    """Whether code touches other columns of the table alone."""
    for name in _mentions(step, node):
        around = step.scope.source.parent(name)
        columns = _literal(step.scope, around.slice) if isinstance(around, ast.Subscript) else None
        if columns is None or step.columns is None or set(columns) & set(step.columns):
            return False
    return True


def _only_shows(step: ColumnStep, value: ast.expr) -> bool:
    """`df.head()`, `print(df.isnull().sum())`, `df`."""
    if any(isinstance(n, ast.keyword) and n.arg == "inplace" for n in ast.walk(value)):
        return False
    around = [step.scope.source.parent(n) for n in _mentions(step, value)]
    return all(isinstance(a, ast.Expr) or (isinstance(a, ast.Attribute) and a.attr in _SHOWN) for a in around)
