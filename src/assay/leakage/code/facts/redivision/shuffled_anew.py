"""Each part was taken from its own shuffling, so that rows of one are in the other."""

from __future__ import annotations

from collections.abc import Hashable

from assay.leakage.code.facts.redivision.carried_on import begins_anew
from assay.leakage.code.state.events import Evaluation
from assay.leakage.code.state.in_order import marks_in_order
from assay.leakage.code.state.rows import POSITIONS, Interval, Part, by_position, meet, share_rows
from assay.leakage.code.state.values import Fit, Kind, Mark


def shuffled_for_each_part(score: Evaluation, fit: Fit) -> bool:
    """`load()[:n]` to train on and `load()[n:]` to test by, where each call shuffles the rows without a seed."""
    draws = _draws(score, fit)
    return draws is not None and not begins_anew(score, fit) and _cut_by_position(score, fit, *draws)


def _draws(score: Evaluation, fit: Fit) -> tuple[Mark, Mark] | None:
    """The shuffling before the one part was taken and that before the other, if no seed made them the same."""
    theirs = marks_in_order(k for k in fit.marks - score.marks if _is_draw(k) and meet(k.rows, score.rows))
    ours = marks_in_order(k for k in score.marks - fit.marks if _is_draw(k) and meet(k.rows, fit.rows))
    return next(((a, b) for a in theirs for b in ours if _without_seed_between(a, b)), None)


def _is_draw(mark: Mark) -> bool:
    return mark.kind is Kind.SHUFFLED and mark.draw is not None


def _without_seed_between(one: Mark, other: Mark) -> bool:
    return one.draw is not None and other.draw is not None and one.draw[0] == other.draw[0]


def _cut_by_position(score: Evaluation, fit: Fit, first: Mark, second: Mark) -> bool:
    """Whether the parts of what was shuffled are told apart by where their rows stand, and by nothing else.

    What was shuffled may be a list of files: what these hold is rows of its own.
    """
    shuffled = {part.origin for part in first.rows} & {part.origin for part in second.rows}
    scored = [part for part in score.rows if part.origin in shuffled]
    return bool(scored) and all(any(_by_place_alone(part, other) for other in fit.rows) for part in scored)


def _by_place_alone(part: Part, other: Part) -> bool:
    if part.origin != other.origin or share_rows(part, other):
        return False
    return all(isinstance(cut.side, Interval) and _by_place(cut.key) for cut in part.cuts ^ other.cuts)


def _by_place(key: Hashable) -> bool:
    """Whether rows were divided by where they stand, or by where their numbers stand in a list of those."""
    return by_position(key) or (isinstance(key, tuple) and key[0] == POSITIONS)
