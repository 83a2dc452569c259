"""Slips in the printing of figures, undone: digits, decimal points, exchanged columns, rounding."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import combinations

from assay.scores.conventions import Rounding
from assay.scores.definitions import COUNTS
from assay.scores.diagnosis.kinds import Change, RepairKind
from assay.scores.diagnosis.misprints import one_digit, reread, shifted, slips, transposed
from assay.scores.experiment import Experiment, Reported

_OFTEN_EXCHANGED = (
    frozenset({"acc", "spec"}),
    frozenset({"acc", "sens"}),
    frozenset({"sens", "spec"}),
    frozenset({"sens", "ppv"}),
    frozenset({"ppv", "npv"}),
    frozenset({"spec", "ppv"}),
)
"""Columns that stand side by side in most tables."""


def with_reported(experiment: Experiment, *changed: tuple[int, Reported]) -> Experiment:
    """The experiment with some of its scores put in place of the old ones."""
    scores = list(experiment.reported)
    for index, reported in changed:
        scores[index] = reported
    return replace(experiment, reported=tuple(scores))


def misprinted_digits(experiment: Experiment) -> Iterator[Change]:
    """One digit of one figure was another."""
    return _misprints(experiment, RepairKind.DIGIT, one_digit)


def transposed_digits(experiment: Experiment) -> Iterator[Change]:
    """Two neighbouring digits of one figure stood the other way round."""
    return _misprints(experiment, RepairKind.TRANSPOSED, transposed)


def moved_points(experiment: Experiment) -> Iterator[Change]:
    """The decimal point of one figure stood elsewhere: a percentage taken for a share, a zero lost."""
    return _misprints(experiment, RepairKind.POINT, shifted)


def _misprints(experiment: Experiment, kind: RepairKind, change: Callable[[str], Iterator[str]]) -> Iterator[Change]:
    for index, reported in enumerate(experiment.reported):
        for slip in slips(reported, change):
            what = f"{slip.part}{reported.name} were {slip.new}, not {slip.old}"
            yield Change(kind, what, with_reported(experiment, (index, slip.corrected)), frozenset({reported.name}))


def exchanged_figures(experiment: Experiment) -> Iterator[Change]:
    """Two figures stood in each other's place."""
    for (i, a), (j, b) in combinations(enumerate(experiment.reported), 2):
        if a.printed == b.printed or (a.score.name in COUNTS) != (b.score.name in COUNTS):
            continue
        corrected_a, corrected_b = _with_figures_of(a, b), _with_figures_of(b, a)
        if corrected_a is None or corrected_b is None:
            continue
        pair = frozenset({a.score.name, b.score.name})
        yield Change(
            RepairKind.EXCHANGED,
            f"{a.name} were {b.printed} and {b.name} {a.printed} (exchanged)",
            with_reported(experiment, (i, corrected_a), (j, corrected_b)),
            frozenset({a.name, b.name}),
            weight=3.0 if pair in _OFTEN_EXCHANGED else 1.0,
        )


def _with_figures_of(score: Reported, other: Reported) -> Reported | None:
    figures_there = other.wording
    return reread(
        score,
        replace(
            score.wording,
            value=figures_there.value,
            sd=figures_there.sd,
            minimum=figures_there.minimum,
            maximum=figures_there.maximum,
            median=figures_there.median,
        ),
    )


_ROUNDINGS = {
    Rounding.NEAREST: ("rounded to the nearest", 1.0),
    Rounding.DOWN: ("cut off, not rounded", 1.0),
    Rounding.UP: ("rounded up", 0.2),
    Rounding.UNKNOWN: ("rounded up or down at will", 1.0),
}


def _rounded_otherwise(experiment: Experiment, rounding: Rounding) -> Iterator[tuple[int, Reported]]:
    """The figures that this rounding changes, each with its place."""
    for index, reported in enumerate(experiment.reported):
        if reported.wording.rounding is rounding or reported.wording.eps is not None:
            continue
        corrected = reread(reported, replace(reported.wording, rounding=rounding))
        if corrected is not None and corrected.interval != reported.interval:
            yield index, corrected


def other_roundings(experiment: Experiment) -> Iterator[Change]:
    """All figures were rounded in another way; those with a stated uncertainty are left as they are."""
    for rounding, (manner, weight) in _ROUNDINGS.items():
        changed = list(_rounded_otherwise(experiment, rounding))
        if changed:
            # Figures rounded at will leave each of them twice as much room: not a gift.
            odds = 0.5 ** len(changed) if rounding is Rounding.UNKNOWN else 1.0
            repaired = with_reported(experiment, *changed)
            yield Change(RepairKind.ROUNDING, f"the figures were {manner}", repaired, weight=weight * odds)
