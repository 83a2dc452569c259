"""One answer for a whole repository: how much is seeded of what its runs draw."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import StrEnum

from assay.patterns import regex
from assay.repository.randomness.facts import EntryPoint, Seed

_EVALUATES = regex(r"(?:^|[/_.-])(?:eval|test|infer|demo|plot|vis|figure|score|metric|bench)", re.IGNORECASE)
"""Runs that look at a result, by their paths: their seeds do not make it."""
_OF_A_PACKAGE = regex(r"(?:^|/)R/[^/]+\.[rR]$")


class Seeding(StrEnum):
    """How much of what is drawn repeats when the runs are repeated by their defaults."""

    ALL = "all"
    SOME = "some"
    NO = "none"
    NOT_NEEDED = "nothing drawn"


def judge_seeding(main: Iterable[EntryPoint], beside: Iterable[EntryPoint], seeds: Iterable[Seed]) -> Seeding:
    """The answer by the runs that make the result; where none of those is seeded, by the runs beside them as well.

    A seed that only prepares the data, or only one of several experiments, fixes a part. Where no run is seen to draw,
    fixed seeds show that something does, out of sight.
    """
    found = _of(main)
    if found is Seeding.NO and _of(r for r in beside if not evaluates(r)) in {Seeding.ALL, Seeding.SOME}:
        return Seeding.SOME
    if found is Seeding.NOT_NEEDED and any(_is_of_a_run(seed) for seed in seeds):
        return Seeding.ALL
    return found


def evaluates(run: EntryPoint) -> bool:
    """Whether a run only looks at a result, by its path."""
    return _EVALUATES.search(run.path) is not None


def _is_of_a_run(seed: Seed) -> bool:
    """Whether a fixed seed stands in something that is run, not in a test or in the functions of an R package."""
    return seed.state.controlled and not seed.in_test and not _OF_A_PACKAGE.search(seed.location.path)


def _of(runs: Iterable[EntryPoint]) -> Seeding:
    streams = [coverage for run in runs for coverage in run.coverage]
    if not streams:
        return Seeding.NOT_NEEDED
    if all(stream.seeded for stream in streams):
        return Seeding.ALL
    return Seeding.SOME if any(stream.seeded or stream.partly for stream in streams) else Seeding.NO
