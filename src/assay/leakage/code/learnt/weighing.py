"""What scores and errors decide beyond which model is best: how much each model counts, and where a bound lies."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from assay.leakage.code.state.rows import joined
from assay.leakage.code.state.values import UNKNOWN, WITHOUT_ROWS, Data, Kind, Mark, Marks

if TYPE_CHECKING:
    from assay.leakage.code.language.call import Call
    from assay.leakage.code.state.machine import Machine

_QUANTILES = frozenset({"percentile", "quantile", "nanpercentile", "nanquantile"})
_AXIS = 2
"""The place of the axis, after the values and the share."""


def by_scores(m: Machine, node: ast.AST, weight: Data, said: Data) -> Marks:
    """`share * said`, where scores made the share: how much a model counts was chosen by the rows of those scores."""
    if not (weight.is_score and said.rows and said.predictions) or _is_held_against_truth(said):
        return frozenset()
    return frozenset({Mark(Kind.WEIGHED, "scores", m.site(node), joined(p.rows for p in weight.predictions))})


def given(c: Call) -> Marks:
    """`VotingClassifier(…, weights=scores)`, `np.average(said, weights=scores)`."""
    value = c.keywords.get("weights", UNKNOWN)
    weights = UNKNOWN if isinstance(c.m.plain(value), WITHOUT_ROWS) else c.m.data(value)
    if not weights.is_score:
        return frozenset()
    return frozenset({Mark(Kind.WEIGHED, "scores", c.site, joined(p.rows for p in weights.predictions))})


def bound_of_errors(c: Call, errors: Data) -> Marks:
    """`np.percentile(errors, 95)`: a bound that knows the rows which it is computed from.

    Of predictions alone, the share on top is a way to measure; along an axis, what several models say of each row.
    """
    last = c.name.rpartition(".")[2]
    along = "axis" in c.keywords or "dim" in c.keywords or len(c.args) > _AXIS
    if last not in _QUANTILES or along or not _is_held_against_truth(errors):
        return frozenset()
    return frozenset({Mark(Kind.THRESHOLD, last, c.site, joined(p.rows for p in errors.predictions))})


def _is_held_against_truth(data: Data) -> bool:
    return any(k.kind is Kind.SCORE for k in data.marks)
