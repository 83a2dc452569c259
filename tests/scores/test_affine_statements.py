"""The quick way to the half-planes of a quotient of affine forms leads where the general way does."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.scores.constraints import Constraint
from assay.scores.definitions import SCORES, Shape
from assay.scores.exact import Interval
from assay.scores.regions import Region, Statement, finite_forms

AFFINE = sorted(name for name, score in SCORES.items() if score.affine and score.shape is Shape.RATIO)
BOUNDS = st.none() | st.fractions(-1, 2, max_denominator=1000)


@pytest.mark.parametrize("name", AFFINE)
@given(st.integers(0, 30), st.integers(0, 30), st.builds(Interval, BOUNDS, BOUNDS, st.booleans(), st.booleans()))
def test_both_ways_give_the_same_statement(name: str, p: int, n: int, interval: Interval) -> None:
    constraint = Constraint(SCORES[name], interval)
    statement = Statement.from_constraint(constraint, p, n)
    assert statement.finite == tuple(Region.from_forms(forms) for forms in finite_forms(constraint, p, n))
    ratio = constraint.score.ratio
    assert statement.everywhere == all(ratio(tp, p - tp, n - tn, tn)[1] for tp in (0, p) for tn in (0, n))
