"""A preparation step as the program writes it: what learns, from what, and which names hold the result."""

from __future__ import annotations

import ast
from enum import Enum, auto
from functools import cache
from importlib import resources

from assay.bounded import load_toml
from assay.code import Source
from assay.leakage.code.lookup import effect_of
from assay.leakage.code.patches.rewriting import NotCertainError
from assay.leakage.code.patches.scope import Scope, same, scope_of
from assay.libraries.catalogue import catalogue
from assay.libraries.row import Role, Trait
from assay.records import dataclass


class Form(Enum):
    """How a step is written."""

    AT_ONCE = auto()
    """`X = scaler.fit_transform(X)`."""
    IN_TWO = auto()
    """`scaler.fit(X)`, then `X = scaler.transform(X)`."""
    RESAMPLED = auto()
    """`X, y = sampler.fit_resample(X, y)`."""


_FORMS = (
    (Role.FIT_TRANSFORM, "transformer", Form.AT_ONCE),
    (Role.FIT, "transformer", Form.IN_TWO),
    (Role.RESAMPLE, "resampler", Form.RESAMPLED),
)


@dataclass(frozen=True)
class Step:
    """One step that learns from rows."""

    form: Form
    scope: Scope
    call: ast.Call
    estimator: ast.expr
    learns: ast.expr
    outcome: ast.expr | None
    use: ast.Assign
    """The statement that gives the prepared rows a name: that of the call, or that of a later `transform`."""
    applied: ast.Call
    """The call in it that gives the prepared rows."""
    targets: tuple[str, ...]

    @property
    def statements(self) -> list[ast.stmt]:
        """What goes from where it stands."""
        return list(dict.fromkeys([self.scope.statement, self.use]))


@dataclass(frozen=True, slots=True)
class Words:
    """What `patches.toml` says."""

    transductive: frozenset[str]
    unseen: dict[str, str]
    refused: dict[str, str]
    pipelines: dict[str, tuple[str, str]]


@cache
def words() -> Words:
    """The table of classes that need more than a move."""
    given = load_toml(resources.files(__package__).joinpath("patches.toml").read_text(encoding="utf-8"))
    pipelines = {row["for"]: (row["module"], row["name"]) for row in given["pipeline"]}
    unseen = {row["class"]: row["settings"] for row in given["unseen"]}
    refused = {row["class"]: row["reason"] for row in given["refused"]}
    return Words(frozenset(given["transductive"]["classes"]), unseen, refused, pipelines)


def step_in(source: Source, call: ast.expr | None) -> Step | None:
    """The step whose learning call this is; None for a call of another form."""
    if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.args):
        return None
    form = next((f for role, kind, f in _FORMS if _role(kind, call.func.attr) is role), None)
    if form is None or (form is Form.RESAMPLED and len(call.args) < 2):
        return None
    scope = scope_of(source, call)
    outcome = call.args[1] if len(call.args) > 1 else None
    use, applied = _transform(scope, call) if form is Form.IN_TWO else (scope.statement, call)
    match use:
        case ast.Assign(targets=[target]) if len(names := _names(target)) == (2 if form is Form.RESAMPLED else 1):
            return Step(form, scope, call, call.func.value, call.args[0], outcome, use, applied, names)
    raise NotCertainError("its result is not simply given a name")


def _role(kind: str, method: str) -> Role | None:
    row = catalogue().method(kind, method)
    return None if row is None else row.role


def _names(target: ast.expr) -> tuple[str, ...]:
    parts = target.elts if isinstance(target, ast.Tuple) else [target]
    return tuple(part.id for part in parts if isinstance(part, ast.Name))


def _transform(scope: Scope, fit: ast.Call) -> tuple[ast.stmt, ast.Call]:
    """The one later statement that applies what `scaler.fit(X)` learnt to the same rows."""
    receiver = _receiver(scope.statement, fit)
    calls = ((s, node) for s in scope.later for node in ast.walk(s) if isinstance(node, ast.Call) and node.args)
    alike = [(s, node) for s, node in calls if _transforms(node, receiver) and same(node.args[0], fit.args[0])]
    if len(alike) != 1:
        raise NotCertainError("what it learnt is not applied to the same rows exactly once")
    return alike[0]


def _transforms(call: ast.Call, receiver: ast.expr) -> bool:
    if not isinstance(call.func, ast.Attribute) or not same(call.func.value, receiver):
        return False
    return _role("transformer", call.func.attr) is Role.TRANSFORM


def _receiver(statement: ast.stmt, fit: ast.Call) -> ast.expr:
    """What holds the fitted object: `scaler` in `scaler.fit(X)` and in `scaler = Scaler().fit(X)`."""
    if isinstance(statement, ast.Expr) and statement.value is fit and isinstance(fit.func, ast.Attribute):
        return fit.func.value
    if isinstance(statement, ast.Assign) and statement.value is fit and isinstance(statement.targets[0], ast.Name):
        return ast.Name(statement.targets[0].id, ast.Load())
    raise NotCertainError("what it learnt is not simply kept under a name")


def constructor(step: Step) -> ast.Call:
    """The call that makes the object that learns."""
    if isinstance(step.estimator, ast.Call):
        return step.estimator
    names = step.scope.names(step.estimator.id) if isinstance(step.estimator, ast.Name) else ()
    around = [step.scope.source.parent(n) for n in names if isinstance(n.ctx, ast.Store)]
    made = [a.value for a in around if isinstance(a, ast.Assign) and isinstance(a.value, ast.Call)]
    if len(around) == len(made) == 1:
        return made[0]
    raise NotCertainError("the object that learns is not made in one place in sight")


def class_of(step: Step) -> str:
    """The last part of the class's name, after the refusal of those that a move does not help."""
    name = step.scope.source.resolve(constructor(step).func).rpartition(".")[2]
    if name in words().transductive:
        raise NotCertainError(f"{name} has no transform for new rows")
    if name in words().refused:
        raise NotCertainError(words().refused[name])
    return name


def holds_out(source: Source, call: ast.expr) -> bool:
    """Whether a call divides each of its arguments into a training and a test part."""
    effect = effect_of(source.resolve(call.func)) if isinstance(call, ast.Call) else None
    return effect is not None and effect.role is Role.SPLIT and effect.has(Trait.HOLDS_OUT_SHARE)


def cross_validates(source: Source, call: ast.expr) -> bool:
    """Whether a call takes a model, features and an outcome, and divides them into folds."""
    effect = effect_of(source.resolve(call.func)) if isinstance(call, ast.Call) else None
    row = effect.row if effect is not None and effect.role is Role.CROSS_VALIDATE else None
    return row is not None and bool(row.folds)
