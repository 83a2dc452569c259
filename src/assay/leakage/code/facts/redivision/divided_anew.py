"""A model is trained by one random division of the rows and scored by another."""

from __future__ import annotations

from collections.abc import Hashable

from assay.leakage.code.facts.observations import Observations
from assay.leakage.code.state.events import Evaluation, Split
from assay.leakage.code.state.in_order import parts_in_order
from assay.leakage.code.state.rows import Cut, Interval, Part, by_position, is_by_value
from assay.leakage.code.state.values import Fit

_BY_CHANCE = frozenset({"shuffled", "folds"})


def divided_twice(facts: Observations, evaluation: Evaluation, fit: Fit) -> tuple[Split, Split] | None:
    """The division that the model was trained by and that which held out the rows scored, if these surely are two."""
    found = [_of_part(facts, part, fit) for part in parts_in_order(evaluation.rows)]
    return found[0] if found and all(found) else None


def _of_part(facts: Observations, scored: Part, fit: Fit) -> tuple[Split, Split] | None:
    """The two divisions of a table, of which some rows may have been kept by a value of a column before either.

    Of the rows that a model was trained on, that must be known: who leaves out rows of the training part has divided
    once. A loop that asks about one row after the other asks about all.
    """
    for taught in parts_in_order(fit.rows):
        ours = frozenset(cut for cut in scored.cuts - taught.cuts if not _one_by_one(cut) and not is_by_value(cut))
        theirs = taught.cuts - scored.cuts
        kept = frozenset(filter(is_by_value, theirs))
        theirs = theirs - kept if kept <= _before(theirs - kept) else theirs
        if taught.origin != scored.origin or len(ours) != 1 or len(theirs) != 1:
            continue
        first, second = _division(facts, theirs, "train"), _division(facts, ours, "test")
        if first is not None and second is not None and _surely_two(first, second):
            return first, second
    return None


def _one_by_one(cut: Cut) -> bool:
    """Whether this is one row, at a place that has a name: `table.iloc[[i]]`."""
    return by_position(cut.key) and isinstance(cut.side, Interval) and cut.side.high == f"({cut.side.low}Add1)"


def _before(divisions: frozenset[Cut]) -> frozenset[Hashable]:
    """What is known to have been done to rows before they were divided with a seed: kept by a value, or resampled."""
    keys = [cut.key for cut in divisions]
    known = (key[4] for key in keys if isinstance(key, tuple) and len(key) == 5)
    return frozenset().union(*(done for done in known if isinstance(done, frozenset)))


def _division(facts: Observations, alone: frozenset[Cut], side: str) -> Split | None:
    (cut,) = alone
    split = facts.splits.get(cut.key)
    return split if split is not None and cut.side == side and split.how in _BY_CHANCE else None


def _surely_two(first: Split, second: Split) -> bool:
    """Whether two divisions are not one: folds and a split, other numbers as seeds, or one drawn at each call."""
    if _is_folds(first) or _is_folds(second):
        return _is_folds(first) != _is_folds(second)
    seeds = [_seed(split) for split in (first, second)]
    if any(isinstance(seed, str) for seed in seeds):
        return False  # nobody knows the number behind a name
    if seeds[0] is not None and seeds[0] == seeds[1]:
        return _further(first) != _further(second)
    return seeds[0] != seeds[1] or seeds[0] is None  # whoever sets a seed before each draw divides once


def _seed(split: Split) -> int | str | None:
    """The seed of a division, or the name of it; None without any."""
    known = split.key[1] if isinstance(split.key, tuple) else ""
    if isinstance(known, int | str):
        return known
    given = {keyword.arg for keyword in getattr(split.site.node, "keywords", ())}
    return "given" if given & {"random_state", "seed", "generator", None} else None


def _further(split: Split) -> object:
    """What else decides how a seed divides rows: whether by class, and how they were resampled before."""
    return split.key[3:] if isinstance(split.key, tuple) else None


def _is_folds(split: Split) -> bool:
    return isinstance(split.key, tuple) and split.key[0] == "folds"
