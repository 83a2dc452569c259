"""L3: test rows that are not later in time, not of other groups, or picked."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator
from itertools import islice

from assay.findings import Confidence, Severity
from assay.leakage.code.dividing.undersampling import by_hand
from assay.leakage.code.facts.claims import is_training_loss
from assay.leakage.code.facts.observations import Observations
from assay.leakage.code.leak import Leak
from assay.leakage.code.learnt.kinds import ROWS_CHANGED
from assay.leakage.code.policies.path import leak_at, read_steps, split_steps, step, through_unknown_calls
from assay.leakage.code.scored.search_loops import inside
from assay.leakage.code.state.events import SPLIT_OFF, Evaluation, Purpose, Scheme, Split
from assay.leakage.code.state.in_order import fits_in_order, marks_in_order, origins_in_order
from assay.leakage.code.state.rows import Rows, Site, held_out, joined, meet, within
from assay.leakage.code.state.values import SOME_COLUMNS, Fit, Kind, Mark
from assay.patterns import regex
from assay.records import replace

_BY_ROWS = frozenset({Scheme.SHUFFLED, Scheme.FOLDS})
_CHANGES = ROWS_CHANGED | {Kind.FILTER}
_UNIT = regex(
    r"(?:^|_)(?:patient|subject|participant|person|speaker|user|customer|session|player|household|family|hospital|"
    r"animal|mouse|donor|volunteer|respondent|student|driver|machine|device|engine|slide|case|author|writer)s?"
    r"(?:_?(?:id|no|nr|num|number|name|idx))?$|.*(?:Patient|Subject|User|Person|Speaker|Participant)(?:ID|Id)?$",
    re.IGNORECASE,
)
_CERTAIN_UNIT = regex(
    r"(?:patient|subject|participant|speaker|donor|slide|session)s?_?(?:id|no|nr|num|number|idx)$", re.IGNORECASE
)


def distribution(facts: Observations) -> Iterator[Leak]:
    """Leaks of the third family."""
    used = {c.key for e in facts.evaluations if e.purpose is not Purpose.SEARCH for p in e.rows for c in p.cuts}
    splits = [s for s in facts.splits.values() if s.key in used or _within(s.key, used)]
    yield from _look_ahead(facts)
    yield from _time(facts, splits)
    dependent = list(_dependent(facts, splits))
    yield from dependent or _windows_cut(facts)
    yield from _picked(facts)


def _within(key: Hashable, used: set[Hashable]) -> bool:
    return any(isinstance(u, tuple) and len(u) == 3 and u[0] == key for u in used)


# --- L3.1 -----------------------------------------------------------------------------------------------


def _look_ahead(facts: Observations) -> Iterator[Leak]:
    """One finding for each place that makes a feature of later rows."""
    found: dict[Site, Leak] = {}
    for evaluation in facts.evaluations:
        for fit in fits_in_order(evaluation.model.fits):
            for mark in marks_in_order(k for k in fit.marks if _is_future_feature(fit, k)):
                found.setdefault(mark.site, _feature_of_the_future(evaluation, fit, mark))
    yield from found.values()


def _is_future_feature(fit: Fit, mark: Mark) -> bool:
    """Whether a feature holds values of later rows."""
    return mark.kind is Kind.LOOK_AHEAD and _is_a_feature(fit, mark) and not _taken_back(fit, mark)


def _feature_of_the_future(evaluation: Evaluation, fit: Fit, mark: Mark) -> Leak:
    name = min(mark.into or ())
    return leak_at(
        "L3.1",
        "time",
        f"the feature `{name}` looks ahead ({mark.name}): it holds values of later rows",
        mark.site,
        [step("the feature is made here", mark.site), step("the model is fitted with it here", fit.site),
         step("it is evaluated here", evaluation.site)],
        severity=Severity.ERROR,
        confidence=Confidence.HIGH,
        advice="Use only what is known at the time:\n"
        f'df["{name}"] = df[column].shift(1)  # the past; shift(-1) is the future',
    )  # fmt: skip


def _is_a_feature(fit: Fit, mark: Mark) -> bool:
    """Whether a column that carries a trace is among the features, and not the outcome."""
    return mark.into is not None and not mark.into & fit.target and any(fit.columns.has(n) for n in mark.into)


def _taken_back(fit: Fit, ahead: Mark) -> bool:
    """Whether what looks ahead was then moved back: yesterday's outcome is known today."""
    lags = (k for k in fit.marks if k.kind is Kind.LAG)
    return any(k.into is not None and ahead.into is not None and ahead.into <= k.into for k in lags)


def _time(facts: Observations, splits: list[Split]) -> Iterator[Leak]:
    """The first division of rows in order of time that does not regard it."""
    by_rows = (split for split in splits if split.scheme in _BY_ROWS)
    found = (leak for split in by_rows if (leak := _time_disregarded(facts, split)) is not None)
    yield from islice(found, 1)


def _time_disregarded(facts: Observations, split: Split) -> Leak | None:
    lags = (k for k in split.marks if k.kind is Kind.LAG)
    times = (k for k in split.marks if k.kind is Kind.TIME and k.into is None and not k.columns)
    sign = next(iter(marks_in_order(lags) or marks_in_order(times)), None)
    tables = origins_in_order(p.origin for p in split.rows)
    ordered = (facts.trace.sorted_by_time[o] for o in tables if o in facts.trace.sorted_by_time)
    site = next(ordered, None) if sign is None else sign.site
    if site is None:
        return None
    return leak_at(
        "L3.1",
        "time",
        f"{split.name.rpartition('.')[2]} ignores the time order of the rows "
        f"({sign.name if sign else 'sorted by time'})",
        split.site,
        [
            *read_steps(split.rows, split.rows),
            step("a sign of time order", site),
            step("the rows are split here", split.site),
        ],
        severity=Severity.WARNING if sign else Severity.NOTE,
        confidence=Confidence.MEDIUM if sign else Confidence.LOW,
        advice="Let every test row be later than every training row:\n"
        "train, test = df[df.index < cut_off], df[df.index >= cut_off]  # or TimeSeriesSplit()",
    )


# --- L3.2 -----------------------------------------------------------------------------------------------


def _dependent(facts: Observations, splits: list[Split]) -> Iterator[Leak]:
    """The first division that can put rows that belong together on both sides."""
    by_rows = (split for split in splits if split.scheme in _BY_ROWS)
    yield from islice((leak for split in by_rows for leak in _dependences(facts, split)), 1)


def _dependences(facts: Observations, split: Split) -> Iterator[Leak]:
    """Windows of one series that overlap; where there are none, columns that name the unit of several rows."""
    window = _window(split) if split.scheme is Scheme.SHUFFLED else None
    if window is None:
        yield from _repeated_units(facts, split)
    elif not _tested_with_others(facts, split, window):
        yield _overlapping_windows(split, window)


def _repeated_units(facts: Observations, split: Split) -> Iterator[Leak]:
    origins = {p.origin for p in split.rows}
    for (origin, name), site in facts.trace.grouped.items():
        if origin in origins and _UNIT.search(name):
            yield _dependence(split, site, f"rows of one `{name}`, whose values repeat,", Confidence.MEDIUM, name)
    for (origin, name), site in facts.trace.mentioned.items():
        if origin in origins and _UNIT.search(name) and _CERTAIN_UNIT.search(name):
            yield _dependence(split, site, f"rows of one `{name}`, if its values repeat,", Confidence.LOW, name)


def _overlapping_windows(split: Split, window: Mark) -> Leak:
    found = _dependence(split, window.site, "overlapping windows of one series", Confidence.HIGH, "series")
    return replace(found, topic="overlap")


def _window(split: Split) -> Mark | None:
    """The trace of windows that overlap, or of several lags of one column: so does what one row holds and the next.

    Folds that are not shuffled divide windows in order: only those at a border have rows in common.
    """
    cut = next(iter(marks_in_order(k for k in split.marks if k.kind is Kind.WINDOW)), None)
    if cut is not None:
        return cut
    lags: dict[frozenset[str], dict[str, Mark]] = {}
    for mark in marks_in_order(k for k in split.marks if k.kind is Kind.LAG and k.name.startswith("shift(")):
        lags.setdefault(mark.columns, {}).setdefault(mark.name, mark)
    several = (list(found.values()) for found in lags.values() if len(found) >= _MANY_LAGS)
    return next((marks[0] for marks in several), None)


_MANY_LAGS = 3
"""So many lags of one column are a window of its series."""


def _windows_cut(facts: Observations) -> Iterator[Leak]:
    """Windows are put in an order of chance and then cut in two at one place, or numbers drawn for it divide them.

    What training only watches is the test where nothing is scored.
    """
    scores = [e for e in facts.evaluations if e.purpose is Purpose.SCORE]
    tests = scores or [e for e in facts.evaluations if e.purpose is Purpose.WATCHED]
    yield from islice((leak for e in tests if (leak := _shuffled_windows(e)) is not None), 1)


def _shuffled_windows(e: Evaluation) -> Leak | None:
    taught = joined(fit.rows for fit in e.model.fits)
    window = next(iter(marks_in_order(k for k in e.marks if k.kind is Kind.WINDOW)), None)
    if window is None or meet(taught, e.rows):
        return None
    site = _divided_by_chance(e, taught)
    if site is None:
        return None
    split = Split(site, site, "a cut of shuffled rows", Scheme.SHUFFLED, e.rows, e.marks, SOME_COLUMNS)
    return _overlapping_windows(split, window)


def _divided_by_chance(e: Evaluation, taught: Rows) -> Site | None:
    """Where chance put windows in order of which some are taught and others tested; None if it did so to each part."""
    for mark in marks_in_order(e.marks):
        if mark.kind is Kind.SHUFFLED and _of_these(taught, mark) and _of_these(e.rows, mark):
            return mark.site
    return None


def _of_these(rows: Rows, mark: Mark) -> bool:
    """Whether rows are among those of a trace, as far as they are of its tables: labels may be of another."""
    tables = {part.origin for part in mark.rows}
    return within(frozenset(part for part in rows if part.origin in tables), mark.rows)


def _tested_with_others(facts: Observations, split: Split, window: Mark) -> bool:
    """Whether a division only gives rows to watch training by, and the test is made with windows cut elsewhere."""
    scores = [e for e in facts.evaluations if e.purpose is Purpose.SCORE]
    if split.name == SPLIT_OFF and scores:
        return True
    if any(c.key == split.key and c.side == "test" for e in scores for p in e.rows for c in p.cuts):
        return False
    return any(
        (window not in e.marks or not meet(e.rows, split.rows))
        and any(c.key == split.key and c.side == "train" for f in e.model.fits for p in f.rows for c in p.cuts)
        for e in scores
    )


def _dependence(split: Split, site: Site, what: str, confidence: Confidence, name: str) -> Leak:
    return leak_at(
        "L3.2",
        "dependence",
        f"{what} can fall on both sides of {split.name.rpartition('.')[2]}",
        split.site,
        [
            *read_steps(split.rows, split.rows),
            step("the dependence shows here", site),
            step("the rows are split here", split.site),
        ],
        severity=Severity.NOTE if confidence is Confidence.LOW else Severity.WARNING,
        confidence=confidence,
        advice="Keep what belongs together on one side:\n"
        f'train, test = next(GroupShuffleSplit(n_splits=1).split(X, y, groups=df["{name}"]))',
    )


# --- L3.3 -----------------------------------------------------------------------------------------------


def _picked(facts: Observations) -> Iterator[Leak]:
    """One finding for each place that picks the test rows of a score."""
    scores = [e for e in facts.evaluations if e.purpose is Purpose.SCORE and not is_training_loss(facts, e)]
    found: dict[Site, Leak] = {}
    for evaluation in scores:
        for mark, words in _changes_of_tests(evaluation):
            if not _whole_too(scores, evaluation, mark):
                found.setdefault(mark.site, _picked_rows(facts, evaluation, mark, words))
    yield from found.values()


def _changes_of_tests(evaluation: Evaluation) -> Iterator[tuple[Mark, str]]:
    """The steps that picked the test rows, and how."""
    for mark in marks_in_order(k for k in evaluation.marks | evaluation.told if k.kind in _CHANGES):
        words = _filtering(evaluation, mark) if mark.kind is Kind.FILTER else _resampling(evaluation, mark)
        if words:
            yield mark, words


def _picked_rows(facts: Observations, evaluation: Evaluation, mark: Mark, words: str) -> Leak:
    confidence, remarks = through_unknown_calls(evaluation.via, Confidence.MEDIUM)
    return leak_at(
        "L3.3",
        "picked",
        f"the test rows were {words} before {evaluation.model.name} was scored",
        mark.site,
        [*read_steps(evaluation.rows, evaluation.rows), *split_steps(facts, evaluation.rows),
         step("the test rows are changed here", mark.site),
         step("the score is computed here", evaluation.site)],
        severity=Severity.WARNING,
        confidence=confidence,
        advice="Score on the test rows as they come:\nmodel.score(X_test, y_test)",
        remarks=remarks,
    )  # fmt: skip


def _filtering(evaluation: Evaluation, mark: Mark) -> str:
    """How this condition picked the test rows, if it did; one that training rows met too defines the task."""
    if not held_out(mark.rows):
        return ""
    if mark.supervised:
        return "filtered by what the model predicts"
    targets = {name for fit in evaluation.model.fits for name in fit.target}
    training = (k.columns for fit in evaluation.model.fits for k in fit.marks if k.kind is Kind.FILTER)
    return "filtered by the outcome" if mark.columns & targets and mark.columns not in training else ""


def _resampling(evaluation: Evaluation, mark: Mark) -> str:
    """Whether this step resampled the test rows alone, and not to see how far the score may be off."""
    learnt = any(mark in fit.marks for fit in evaluation.model.fits)
    if learnt or by_hand(mark) or not within(mark.rows, evaluation.rows):
        return ""
    return "" if _bootstrapped(evaluation, mark) else "resampled"


_DRAWS = ("choice", "choices", "resample", "sample", "integers", "randint")
"""What draws rows without a look at their class, by the last word of its name."""


def _bootstrapped(evaluation: Evaluation, mark: Mark) -> bool:
    """Whether a loop draws from all test rows again and again, and scores each draw: how far the score may be off."""
    drawn = mark.kind is Kind.COPY and mark.name.rpartition(".")[2] in _DRAWS
    by_class = any(isinstance(c.key, tuple) and c.key[0] in {"column", "text"} for p in mark.rows for c in p.cuts)
    return drawn and not by_class and any(inside(mark.site.node, loop) for loop in evaluation.loops)


def _whole_too(scores: list[Evaluation], evaluation: Evaluation, mark: Mark) -> bool:
    """Whether the same model is also scored on the untouched part: then this is a look at a subgroup."""
    return any(
        e.model.serial == evaluation.model.serial
        and mark not in e.marks
        and mark not in e.told
        and meet(e.rows, mark.rows)
        and not any(meet(fit.rows, e.rows) for fit in e.model.fits)
        for e in scores
    )
