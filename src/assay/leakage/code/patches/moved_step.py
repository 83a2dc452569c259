"""A step before the split moves behind it; a step before cross-validation becomes part of the model's pipeline."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from assay.leakage.code.patches.program_text import NotCertainError, Piece, Text
from assay.leakage.code.patches.scope import Scope, mentioned, same, stored
from assay.leakage.code.patches.steps import (
    Form,
    Step,
    class_of,
    constructor,
    cross_validates,
    holds_out,
    words,
)
from assay.patterns import regex
from assay.records import dataclass

_WORD = regex(r"(?<=[a-z0-9])(?=[A-Z])")


@dataclass(frozen=True, slots=True)
class Division:
    """`X_train, X_test, y_train, y_test = train_test_split(X, y)`."""

    statement: ast.Assign
    call: ast.Call
    names: tuple[str, ...]

    def parts(self, argument: ast.expr) -> tuple[str, str] | None:
        """The names of the training and the test part of an argument."""
        for index, given in enumerate(self.call.args):
            if same(given, argument):
                return self.names[2 * index], self.names[2 * index + 1]
        return None


def moved(step: Step, text: Text) -> list[Piece]:
    """The pieces of the program that change."""
    name = class_of(step)
    division = _division(step.scope, step.targets[0])
    folded = list(_cross_validations(step))
    _refuse_other_uses(step, division, folded)
    pieces = [text.whole_lines(statement) for statement in step.statements]
    if division is not None:
        pieces += _behind(step, division, text)
    if folded:
        pieces += _in_pipelines(step, folded, text)
    if division is None and not folded:
        raise NotCertainError(f"`{step.targets[0]}` is not given to a split or a cross-validation beside it")
    return [*pieces, *_for_unseen_values(step, name, text, kept=division is not None)]


def _division(scope: Scope, target: str) -> Division | None:
    """The later statement that divides what the step gave."""
    for statement in scope.later:
        if not isinstance(statement, ast.Assign) or not holds_out(scope.source, statement.value):
            continue
        call = statement.value
        if isinstance(call, ast.Call) and any(_is_name(a, target) for a in call.args):
            parts = part_names(statement)
            if len(parts) != 2 * len(call.args):
                raise NotCertainError(f"the parts of the split ({scope.line(statement)}) have no plain names")
            return Division(statement, call, parts)
    return None


def part_names(statement: ast.Assign) -> tuple[str, ...]:
    """The plain names that a split gives to its parts."""
    names = statement.targets[0]
    parts = names.elts if isinstance(names, ast.Tuple | ast.List) else []
    return tuple(part.id for part in parts if isinstance(part, ast.Name))


def _is_name(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _cross_validations(step: Step) -> Iterator[ast.Call]:
    """The later calls that give the prepared rows to cross-validation."""
    for statement in step.scope.later:
        for node in ast.walk(statement):
            validates = isinstance(node, ast.Call) and cross_validates(step.scope.source, node)
            if isinstance(node, ast.Call) and validates and any(_is_name(a, step.targets[0]) for a in node.args[1:2]):
                yield node


def _refuse_other_uses(step: Step, division: Division | None, folded: list[ast.Call]) -> None:
    """Everything that reads the prepared rows, or the object that learns before the split, must be accounted for."""
    known: list[ast.expr] = [step.use.value, *([division.call] if division else [])]
    for call in folded:
        known += call.args[1:]
    for target in step.targets:
        other = next(step.scope.reads_after(target, step.scope.statement, known), None)
        if other is not None:
            raise NotCertainError(f"`{target}` is used again at {step.scope.line(other)}")
    last = division.statement if division else step.use
    between = [s for s in step.scope.before(last) if s is not step.use] if last is not step.scope.statement else []
    changed = (mentioned([step.learns]) | set(step.targets)) & stored(between)
    if changed:
        raise NotCertainError(f"`{min(changed)}` changes between the step and the split")
    if isinstance(step.estimator, ast.Name) and step.estimator.id in mentioned(between):
        raise NotCertainError(f"`{step.estimator.id}` is used between the step and the split")


def _behind(step: Step, division: Division, text: Text) -> list[Piece]:
    """The split is given the rows as they were, and each part is prepared by what the training part taught."""
    target = ast.Name(step.targets[0], ast.Load())
    parts = division.parts(target)
    if parts is None:
        raise NotCertainError("the split is not given the prepared rows as they are")
    given = {a: text.of(step.learns) for a in division.call.args if same(a, target)}
    if step.form is Form.RESAMPLED and step.outcome is not None:
        given |= _outcome_given(step, division, text)
    elif any(n.id == target.id for k in division.call.keywords for n in ast.walk(k) if isinstance(n, ast.Name)):
        raise NotCertainError(f"the split gets `{target.id}` a second time")
    pieces = [Piece(text.start(n), text.end(n), new) for n, new in given.items() if text.of(n) != new]
    lines = _lines(step, division, parts, text)
    comment = text.after(step.scope.statement).strip()
    if comment:
        lines[0] = f"{lines[0]}  {comment}"
    return [*pieces, text.below(division.statement, lines)]


def _outcome_given(step: Step, division: Division, text: Text) -> dict[ast.expr, str]:
    """The outcome as it was before resampling, wherever the split is given the resampled one."""
    if step.outcome is None:
        return {}
    named = [n for a in (*division.call.args, *(k.value for k in division.call.keywords)) for n in ast.walk(a)]
    return {n: text.of(step.outcome) for n in named if isinstance(n, ast.Name) and n.id == step.targets[1]}


def _lines(step: Step, division: Division, parts: tuple[str, str], text: Text) -> list[str]:
    train, test = parts
    outcome: str | None = None
    if step.outcome is not None:
        asked = ast.Name(step.targets[1], ast.Load()) if step.form is Form.RESAMPLED else step.outcome
        found = division.parts(asked)
        if found is None:
            raise NotCertainError(f"`{text.of(step.outcome)}` is not divided by the same split")
        outcome = found[0]
    if step.form is Form.RESAMPLED:
        call = text.of(step.call, {step.learns: train, **({step.outcome: outcome or ""} if step.outcome else {})})
        return [f"{train}, {outcome} = {call}"]
    if step.form is Form.IN_TWO:
        learn = text.of(step.scope.statement, _learning(step, train, outcome))
        return [learn, *(f"{p} = {_applied(step, p, text, step.applied)}" for p in parts)]
    lines: list[str] = []
    estimator = text.of(step.estimator)
    if not isinstance(step.estimator, ast.Name):
        name = _fresh(step)
        lines.append(f"{name} = {_constructed(step, text)}")
        estimator = name
    learning = {step.estimator: estimator, **_learning(step, train, outcome)}
    lines.append(f"{train} = {_rendered(step, train, text, learning)}")
    method = step.call.func.attr if isinstance(step.call.func, ast.Attribute) else ""
    applied = f"{estimator}.{method.removeprefix('fit_')}({test})"
    return [*lines, f"{test} = {_rendered(step, test, text, {step.call: applied})}"]


def _learning(step: Step, train: str, outcome: str | None) -> dict[ast.expr, str]:
    given: dict[ast.expr, str] = {step.learns: train}
    if step.outcome is not None and outcome is not None:
        given[step.outcome] = outcome
    return given


def _applied(step: Step, part: str, text: Text, call: ast.Call) -> str:
    return _rendered(step, part, text, {call.args[0]: part})


def _rendered(step: Step, part: str, text: Text, instead: dict[ast.expr, str]) -> str:
    """The right side of the step for one part: what names the rows beside the call names the part."""
    value = step.use.value
    inside = _inner_nodes(instead)
    beside = [n for n in ast.walk(value) if isinstance(n, ast.expr) and n not in inside]
    rows = mentioned([step.learns])
    more: dict[ast.expr, str] = {n: part for n in beside if same(n, step.learns)}
    followed = _inner_nodes((*instead, *more, step.applied.func))
    for n in beside:
        if isinstance(n, ast.Name) and n.id in rows and n not in followed:
            raise NotCertainError(f"`{n.id}` is used beside the step in a way that is not followed")
    return _indexed(value, part, text.of(value, {**instead, **more}))


def _inner_nodes(nodes: Iterable[ast.AST]) -> set[ast.AST]:
    return {inner for node in nodes for inner in ast.walk(node)}


def _indexed(value: ast.expr, part: str, written: str) -> str:
    """A table that is made of prepared values keeps the index of its part, or rows would be matched wrongly."""
    named = {k.arg for k in value.keywords} if isinstance(value, ast.Call) else set()
    if "columns" in named and "index" not in named:
        return f"{written[:-1].rstrip().rstrip(',')}, index={part}.index)"
    return written


def _fresh(step: Step) -> str:
    """A name for the object that learns, which the program does not use yet."""
    plain = _WORD.sub("_", class_of(step)).lower()
    taken = step.scope.source.bound
    return next(n for n in (plain, f"{plain}_step", *(f"{plain}_{i}" for i in range(2, 100))) if n not in taken)


def _constructed(step: Step, text: Text) -> str:
    settings = words().unseen.get(class_of(step))
    made = constructor(step)
    written = text.of(made)
    if settings is None or any(k.arg == "handle_unknown" for k in made.keywords):
        return written
    return f"{written[:-1].rstrip().rstrip(',')}{', ' if made.args or made.keywords else ''}{settings})"


def _for_unseen_values(step: Step, name: str, text: Text, *, kept: bool) -> Iterator[Piece]:
    """An encoder that was made earlier must not fail on a category that only test rows have."""
    made = constructor(step)
    if name in words().unseen and made is not step.estimator and (kept or isinstance(step.estimator, ast.Name)):
        written = _constructed(step, text)
        if written != text.of(made):
            yield Piece(text.start(made), text.end(made), written)


def _in_pipelines(step: Step, folded: list[ast.Call], text: Text) -> list[Piece]:
    """Cross-validation is given the rows as they were, and a model that prepares them in each fold."""
    if step.use.value is not step.applied:
        raise NotCertainError("what the step gives is changed further before cross-validation")
    kind = "resampler" if step.form is Form.RESAMPLED else "transformer"
    module, maker = words().pipelines[kind]
    made = text.of(step.estimator) if isinstance(step.estimator, ast.Name) else _constructed(step, text)
    pieces: list[Piece] = []
    for call in folded:
        model = call.args[0]
        pieces.append(Piece(text.start(model), text.end(model), f"{maker}({made}, {text.of(model)})"))
        pieces += _unprepared(step, call, text)
    return [*pieces, *_import(step, module, maker, text)]


def _unprepared(step: Step, call: ast.Call, text: Text) -> Iterator[Piece]:
    """The rows, and for a resampler the outcome, as they were before the step."""
    given = {call.args[1]: text.of(step.learns)}
    if step.form is Form.RESAMPLED and step.outcome is not None:
        given |= {a: text.of(step.outcome) for a in call.args[2:] if _is_name(a, step.targets[1])}
    for node, new in given.items():
        if text.of(node) != new:
            yield Piece(text.start(node), text.end(node), new)


def _import(step: Step, module: str, maker: str, text: Text) -> Iterator[Piece]:
    """The import that a pipeline needs, below the last one before the step."""
    source = step.scope.source
    known = source.aliases.get(maker)
    if known == f"{module}.{maker}":
        return
    if known is not None or maker in source.bound:
        raise NotCertainError(f"`{maker}` already means something else here")
    body = source.tree.body if source.tree else []
    first = step.scope.statement.lineno
    imports = [s for s in body if isinstance(s, ast.Import | ast.ImportFrom) and s.lineno < first]
    if not imports:
        raise NotCertainError("the file has no imports to add one to")
    yield text.below(imports[-1], [f"from {module} import {maker}"])
