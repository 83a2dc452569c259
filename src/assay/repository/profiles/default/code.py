"""Measurements of the code itself: whether it parses, explains itself, and controls its randomness."""

from __future__ import annotations

from assay.repository.facts import Repository
from assay.repository.profiles.default.measured import Measured, no, not_judged, share, yes
from assay.repository.randomness import Coverage, Framework, State

_WELL_COMMENTED = 0.2
"""The share of comments and docstrings from which on more is not better."""
_VALUE = {
    State.FIXED: 1.0,
    State.DEFAULT: 1.0,
    State.GIVEN: 0.9,
    State.GUARDED: 0.4,
    State.LATE: 0.4,
}
"""What a seed in each state is worth; any other known state is worth nothing."""


def parses(facts: Repository) -> Measured:
    """The share of Python files without a fault of syntax."""
    files = [s for s in facts.code.python if not s.unread]
    return share(sum(not s.errors for s in files), len(files), "Python files", "parse")


def explained(facts: Repository) -> Measured:
    """Docstrings or comments, whichever is better."""
    found = facts.documentation
    if found.comment_share is None:
        return not_judged("no Python code")
    documented = found.docstring_share or 0.0
    score = max(documented, min(1.0, found.comment_share / _WELL_COMMENTED))
    return Measured(score, f"{documented:.0%} of definitions have a docstring, {found.comment_share:.0%} are comments")


def readable(facts: Repository) -> Measured:
    """The rating of habits."""
    rating = facts.documentation.rating
    return not_judged("no Python code") if rating is None else Measured(rating / 10, f"habits rated {rating:.1f} of 10")


def seeded(facts: Repository) -> Measured:
    """The mean over all frameworks of all runs that matter, without seeds whose values the text does not show."""
    runs = facts.main_runs
    told = [c for run in runs for c in run.coverage if c.state is not State.UNKNOWN]
    if not runs:
        return not_judged("no random draws are seen")
    if not told:
        return not_judged("the text does not show the seeds' values")
    score = sum(map(_worth, told)) / len(told)
    full = sum(c.seeded for c in told)
    streams = f"{full} of {len(told)} streams of random numbers in {len(runs)} runs"
    return Measured(score, f"of what is drawn, {facts.seeding} is seeded: {streams}")


def _worth(coverage: Coverage) -> float:
    """Draws outside the seed take half of it away."""
    return _VALUE.get(coverage.state, 0.0) * (0.5 if coverage.uncovered_count and coverage.state.controlled else 1.0)


def deterministic(facts: Repository) -> Measured:
    """Whether something on a GPU may be computed otherwise each time; only where PyTorch trains."""
    runs = [r for r in facts.randomness.main_entry_points if r.trains and r.of(Framework.TORCH)]
    flags = [flag for run in runs for flag in run.flags]
    if not runs:
        return not_judged("nothing is seen to be trained with PyTorch")
    if any(flag.on and "deterministic" in flag.name for flag in flags):
        return yes("deterministic algorithms are asked for")
    if any(flag.on and "benchmark" in flag.name for flag in flags):
        return no("cudnn.benchmark is on")
    return Measured(0.5, "neither cudnn.benchmark nor deterministic algorithms are set")
