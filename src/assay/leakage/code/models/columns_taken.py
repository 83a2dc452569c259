"""Which columns of a table reach a model: a pipeline that begins with a `ColumnTransformer` takes those it names."""

from __future__ import annotations

import ast

from assay.leakage.code.effects import Role
from assay.leakage.code.state.machine import Machine
from assay.leakage.code.state.values import SOME_COLUMNS, Columns, Estimator
from assay.libraries.row import Trait

_AROUND = frozenset({Role.PIPELINE, Role.SEARCH, Role.WRAPPER})


def reaching(m: Machine, owner: Estimator, columns: Columns) -> Columns:
    """The columns that a model learns from, of those that `fit` is given; unknown where some are left out inside."""
    return SOME_COLUMNS if owner.effect.role in _AROUND and _leaves_out(m, owner) else columns


def _leaves_out(m: Machine, owner: Estimator) -> bool:
    """Whether what meets the table first drops the columns that it does not name."""
    if owner.effect.has(Trait.NAMED_COLUMNS):
        return not _keeps_the_rest(owner.site.node)
    inside = [part for part in map(m.plain, owner.parts) if isinstance(part, Estimator)]
    first = inside[:1] if owner.effect.role in _AROUND else []
    return any(_leaves_out(m, part) for part in first)


def _keeps_the_rest(made: ast.AST) -> bool:
    """`remainder="passthrough"`, or a step for all other columns; `"drop"` is the default."""
    given = next((k.value for k in getattr(made, "keywords", ()) if k.arg == "remainder"), None)
    return given is not None and not (isinstance(given, ast.Constant) and given.value == "drop")
