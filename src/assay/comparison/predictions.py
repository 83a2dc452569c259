"""What was predicted and what came true: the facts that a comparison starts from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from assay.comparison.arrays import Bools, Floats, Ints
from assay.comparison.results import LAST_OUTCOME
from assay.errors import InputError
from assay.records import dataclass

MOST_MODELS = 100
"""More are a search for the luckiest one, not a comparison."""


@dataclass(frozen=True, eq=False)
class Predictions:
    """One test set: which rows are positive, and what each model said about every row.

    `groups` numbers the patients, countries or users whose rows belong together; `times` numbers the
    periods in their order. `left_out` says which rows of the source are not here, and why.
    """

    y: Bools
    scores: Mapping[str, Floats]
    groups: Ints | None = None
    times: Ints | None = None
    left_out: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.scores:
            raise InputError("there is no model to look at", fix="Give at least one column of scores.")
        if len(self.scores) > MOST_MODELS:
            raise InputError(f"{len(self.scores)} models are more than {MOST_MODELS}", fix="Name those that matter.")
        for name, values in self.scores.items():
            if values.shape != self.y.shape:
                fix = "Every model needs a score for every row."
                raise InputError(f'model "{name}" has {values.size} scores for {self.y.size} rows', fix=fix)
            if np.isnan(values).any():
                raise InputError(f'model "{name}" has missing scores', fix="Leave those rows out for all models.")
        if not self.y.size:
            raise InputError("there is no row with both an outcome and scores", fix="Check the columns and the file.")
        if not self.positives or not self.negatives:
            only = "positive" if self.positives else "negative"
            raise InputError(
                f"all {self.y.size:,} outcomes are {only}",
                fix="A comparison needs rows of both classes in the test set.",
            )

    @property
    def models(self) -> tuple[str, ...]:
        """The names, in the order of the source."""
        return tuple(self.scores)

    @property
    def positives(self) -> int:
        """How many rows are positive."""
        return int(np.count_nonzero(self.y))

    @property
    def negatives(self) -> int:
        """How many rows are negative."""
        return int(self.y.size - self.positives)

    @property
    def too_small(self) -> bool:
        """Whether a class has but one row, so that nothing tells how much chance there is in it."""
        return min(self.positives, self.negatives) < 2

    @property
    def subject(self) -> str:
        """How a sentence about the test set begins."""
        within = "" if self.groups is None else f", in {np.unique(self.groups).size:,} groups"
        return f"On {self.y.size:,} rows ({self.positives:,} of them positive{within})"

    @property
    def unit(self) -> str:
        """What a resample draws."""
        return "rows" if self.groups is None else "groups"

    def only(self, names: Sequence[str]) -> Predictions:
        """The same test set with these models alone."""
        return replace(self, scores={name: self.scores[name] for name in names})


def predictions_of(
    y: Any,
    scores: Mapping[str, Any],
    *,
    groups: Any = None,
    times: Any = None,
    positive: Any = None,
    last_outcome: bool = False,
) -> Predictions:
    """Predictions from anything that numpy reads as columns; rows with a gap are left out and counted.

    With `last_outcome` a model that predicts each group's last outcome joins the others.
    """
    from assay.comparison.persistence import last_outcomes

    outcome, known = outcomes(y, positive)
    columns = {str(name): _numbers(values, name, outcome.size) for name, values in scores.items()}
    if len(columns) < len(scores):
        raise InputError("two models have the same name", fix="Rename one of them.")
    group_codes, time_codes = _codes(groups, "group", outcome.size), _codes(times, "time", outcome.size)
    left_out = []
    if last_outcome:
        if LAST_OUTCOME in columns:
            raise InputError(f'a model is already called "{LAST_OUTCOME}"', fix="Rename its column.")
        columns[LAST_OUTCOME], guessed = last_outcomes(outcome, known, group_codes, time_codes)
        if count := int(np.count_nonzero(guessed & known)):
            left_out.append(f"{LAST_OUTCOME}: {count:,} rows have no earlier outcome; they got the commoner one")
    complete = known & np.logical_and.reduce([~np.isnan(column) for column in columns.values()], initial=True)
    if gaps := int(outcome.size - np.count_nonzero(complete)):
        left_out.append(f"{gaps:,} of {outcome.size:,} rows: the outcome or a model's score is missing")
    return Predictions(
        outcome[complete],
        {name: column[complete] for name, column in columns.items()},
        None if group_codes is None else group_codes[complete],
        None if time_codes is None else time_codes[complete],
        tuple(left_out),
    )


def outcomes(y: Any, positive: Any = None) -> tuple[Bools, Bools]:
    """Which rows are positive and which outcomes are known.

    0/1, -1/1 and true/false speak for themselves; of two other values `positive` names the one that counts.
    """
    values = np.asarray(y)
    if values.ndim != 1:
        raise InputError("the outcomes are not one column", fix="Give one value for each row.")
    if values.dtype.kind in "biuf":
        known = ~np.isnan(values)
        distinct = np.unique(values[known]).tolist()
        wanted = _positive(sorted(filter(None, map(word_of, distinct))), positive)
        counted = [value for value in distinct if word_of(value) == wanted]
        return known & np.isin(values, counted), known
    try:
        written = {value: word_of(value) for value in set(values.tolist())}
    except TypeError:  # lists or tables in the cells
        raise InputError("the outcomes are not single values", fix="Name the column of the outcome: --y.") from None
    words = [written[value] for value in values.tolist()]
    wanted = _positive(sorted({word for word in words if word is not None}), positive)
    return np.array([w == wanted for w in words], dtype=bool), np.array([w is not None for w in words], dtype=bool)


def are_probabilities(scores: Floats) -> bool:
    """Whether all scores lie between 0 and 1."""
    return bool(scores.min() >= 0 and scores.max() <= 1)


def word_of(value: Any) -> str | None:
    """A value as people write it, 1.0 as "1"; None for a gap."""
    if value is None or value != value:  # noqa: PLR0124 - NaN is what differs from itself
        return None
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    word = str(value).strip()
    return None if word.lower() in {"", "na", "nan", "null", "none"} else word


def _positive(found: list[str], positive: Any) -> str:
    shown = ", ".join(found[:5]) + (", …" if len(found) > 5 else "")
    if positive is not None:
        wanted = word_of(positive) or ""
        if wanted not in found:
            raise InputError(f'no outcome is "{wanted}"', fix=f"The column holds {shown or 'nothing'}.")
        return wanted
    if len(found) > 2:
        fix = "Name the value that counts as positive (--positive); all others are then negative."
        raise InputError(f"the outcome is not binary: it has {len(found):,} values ({shown})", fix=fix)
    for usual in ({"0", "1"}, {"-1", "1"}):
        if set(found) <= usual:
            return "1"
    lowered = {word.lower(): word for word in found}
    if set(lowered) <= {"true", "false"}:
        return lowered.get("true", "true")
    raise InputError(f"it is not clear which outcome is positive: {shown}", fix="Say so with --positive.")


def _numbers(values: Any, name: object, rows: int) -> Floats:
    try:
        column = np.array(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(f'the scores of "{name}" are not numbers', fix="Name the columns that are scores.") from None
    if column.shape != (rows,):
        raise InputError(f'model "{name}" has {column.size} scores for {rows} outcomes', fix="Give one for each row.")
    return column


def _codes(values: Any, what: str, rows: int) -> Ints | None:
    """Each value by its place among the sorted distinct ones; gaps are refused."""
    if values is None:
        return None
    column = np.asarray(values)
    if column.shape != (rows,):
        raise InputError(f"the {what} column has {column.size} values for {rows} outcomes", fix="Give one for each.")
    if column.dtype == object:
        if any(word_of(value) is None for value in column.ravel().tolist()):
            raise InputError(f"the {what} column has gaps", fix="Fill them, or leave those rows out.")
    elif column.dtype.kind == "f" and np.isnan(column).any():
        raise InputError(f"the {what} column has gaps", fix="Fill them, or leave those rows out.")
    try:
        codes: Ints = np.unique(column, return_inverse=True)[1].reshape(-1).astype(np.int64)
    except TypeError:
        raise InputError(f"the {what} column mixes kinds of values that have no order", fix="Use one kind.") from None
    return codes
