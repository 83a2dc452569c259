"""What the rows of one table say about each other, without a confusion matrix.

Accuracies that are all shares of one number of items point to that number. And where nearly all rows keep a relation
that holds for scores of one class (F1 is the harmonic mean of precision and recall), a row that breaks it stands out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import chain
from math import ceil, floor

from assay.article.sets.bindings import Binding
from assay.article.tables import ScoreRow
from assay.records import dataclass
from assay.reported.model import Averaging
from assay.reported.numbers import unpadded
from assay.reported.slips import slips_of

_LUCK = 0.01
"""Accuracies that fit another size by chance more often than this point to nothing."""
_FEWEST_ROWS = 3
_NEAR = Fraction(1, 20)
"""Another size is looked for within this share of the stated one."""
_APART = Fraction(2, 100)
"""Two scores that are nearer than this say little about the relation between them and a third."""
_CLEAR = Fraction(4, 1000)
"""A relation is broken when it is off by more than this, besides one unit of every last digit."""
_KEPT = Fraction(3, 4)
"""The share of the rows that must keep a relation before another row is said to break it."""

_USUAL_MISS = Fraction(5, 100)
"""Means over classes or folds miss the relations by up to about this much."""

Span = tuple[Fraction, Fraction]
Follows = Callable[..., Fraction]


@dataclass(frozen=True, slots=True)
class Shares:
    """Accuracies of a table that are no shares of the stated number of items, but all of another number."""

    rows: tuple[ScoreRow, ...]
    binding: Binding
    misfits: tuple[str, ...]
    """The accuracies that are no share of the stated number."""
    others: tuple[int, ...]
    """The numbers near it of which all accuracies are shares."""


@dataclass(frozen=True, slots=True)
class Derived:
    """A printed score beside the counts that it follows from."""

    row: ScoreRow
    score: str
    printed: str
    formula: str
    value: Fraction

    @property
    def holds(self) -> bool:
        """Whether the counts give the printed figure, its last digit give or take one."""
        low, high = _span(self.printed, Fraction(1))
        return low <= self.value <= high


@dataclass(frozen=True, slots=True)
class Stranger:
    """A row that breaks a relation which the other rows of its table keep."""

    row: ScoreRow
    relation: str
    follows: Span
    printed: str
    keeping: int
    """How many rows keep it."""


def shares_of(rows: Sequence[tuple[ScoreRow, Binding]]) -> Shares | None:
    """Whether the accuracies of a table point to another number of items than the one that is stated."""
    totals = {binding.counted.counts.total for _, binding in rows}
    printed = [(row, dict(row.scores)["acc"]) for row, _ in rows if "acc" in dict(row.scores)]
    figures = unpadded(list(dict.fromkeys(figure for _, figure in printed)))
    if len(totals) != 1 or len(figures) < _FEWEST_ROWS:
        return None
    [stated] = totals
    misfits = _misfits(figures, stated)
    if not misfits:
        return None
    others = _other_sizes(figures, stated)
    return Shares(tuple(row for row, _ in printed), rows[0][1], misfits, others) if others else None


def _misfits(figures: Sequence[str], stated: int) -> tuple[str, ...]:
    """The figures that are no shares of the stated number; none where all are shares of at most half as many.

    Those may be patients, where images are counted.
    """
    misfits = tuple(figure for figure in figures if not _is_share(figure, stated, slack=1))
    fewer = range(1, stated // 2 + 1) if misfits else ()
    of_fewer = any(all(_is_share(figure, size, slack=0) for figure in figures) for size in fewer)
    return () if of_fewer else misfits


def _other_sizes(figures: Sequence[str], stated: int) -> tuple[int, ...]:
    """The sizes near the stated one, nearest first, of which all figures are shares, and hardly by luck."""
    reach = max(2, floor(stated * _NEAR))
    near = sorted(range(max(1, stated - reach), stated + reach + 1), key=lambda size: abs(size - stated))
    fitting = (size for size in near if all(_is_share(figure, size, slack=0) for figure in figures))
    return tuple(size for size in fitting if _luck(figures, size) * reach < _LUCK)


def _is_share(figure: str, size: int, *, slack: int) -> bool:
    """Whether some whole number of `size` items is printed so; with slack the last digit may be one off."""
    low, high = _span(figure, Fraction(1, 2) + slack)
    return ceil(low * size) <= floor(high * size)


def _luck(figures: Sequence[str], size: int) -> float:
    """The chance that arbitrary figures with these digits are all shares of `size` items."""
    chance = 1.0
    for figure in figures:
        low, high = _span(figure, Fraction(1, 2))
        chance *= min(1.0, float((high - low) * size))
    return chance


def derived_of(rows: Sequence[ScoreRow]) -> Iterator[Derived]:
    """Every score of the rows that follows from counts printed in the same row.

    A column of which several figures do not follow, and none does, is another quantity of the same name.
    """
    for formula in _FORMULAS:
        found = list(_derived(rows, *formula))
        if len(found) == 1 or any(one.holds for one in found):
            yield from found


def _derived(
    rows: Sequence[ScoreRow], score: str, formula: str, top: Sequence[str], bottom: Sequence[str]
) -> Iterator[Derived]:
    for row in (row for row in rows if row.counted(score)):
        counts = dict(row.counts)
        figure = dict(row.scores).get(score, "±")
        whole = sum(counts[name] for name in bottom) if set(bottom) <= counts.keys() else 0
        if whole and "±" not in figure:
            yield Derived(row, score, figure, formula, Fraction(sum(counts[name] for name in top), whole))


def strangers_of(rows: Sequence[ScoreRow]) -> Iterator[Stranger]:
    """Rows that break a relation which at least three, and nearly all, rows averaged in the same way keep.

    The row must keep it once one slip is corrected: a row that breaks it otherwise may have been measured differently.
    """
    for averaging in dict.fromkeys(_mean_of(row) for row in rows):
        alike = [row for row in rows if _mean_of(row) is averaging]
        yield from chain.from_iterable(_strangers(alike, *relation) for relation in _RELATIONS)


def _mean_of(row: ScoreRow) -> Averaging:
    """How the row was averaged over classes; the scores of one class are those of one decision."""
    return Averaging.UNSTATED if row.averaging in {Averaging.CLASS, Averaging.BINARY} else row.averaging


def _is_repairable(row: ScoreRow, inputs: Sequence[str], output: str, follows: Follows) -> bool:
    """Whether the row keeps the relation after one slip in one of its figures is corrected."""
    scores = dict(row.scores)
    variants = ((name, right) for name in {*inputs, output} for right in slips_of(scores[name]))
    return any(not _misses(scores | {name: right}, inputs, output, follows)[1] for name, right in variants)


def _strangers(
    rows: Sequence[ScoreRow], relation: str, inputs: Sequence[str], output: str, follows: Follows
) -> Iterator[Stranger]:
    telling = {row.scores: row for row in rows if _prints(row, {*inputs, output}) and _apart(row, inputs)}
    judged = [(row, *_misses(dict(row.scores), inputs, output, follows)) for row in telling.values()]
    keeping = [row for row, _, missed in judged if not missed]
    if not _is_kept(len(keeping), len(judged)) or _luck_of_keeping(keeping, inputs, output, follows) >= _LUCK:
        return
    for row, span, missed in judged:
        if missed > _CLEAR and _is_repairable(row, inputs, output, follows):
            yield Stranger(row, relation, span, dict(row.scores)[output], len(keeping))


def _is_kept(keeping: int, judged: int) -> bool:
    """Whether enough rows keep a relation for another to break it."""
    return keeping >= _FEWEST_ROWS and keeping >= _KEPT * judged


def _prints(row: ScoreRow, names: set[str]) -> bool:
    """Whether the row has all these scores, none of them with a spread."""
    return names <= dict(row.agreeing).keys() and "±" not in str(row.scores)


def _apart(row: ScoreRow, inputs: Sequence[str]) -> bool:
    """Whether the row can tell scores of one class from means.

    Means over classes of which only one is ever right keep the relations too; their precision and recall are at most
    one half.
    """
    if len(inputs) == 1:
        return True
    values = [sum(_span(dict(row.agreeing)[name], Fraction(0))) / 2 for name in inputs]
    return max(values) - min(values) >= _APART and min(values) > Fraction(1, 2)


def _misses(scores: Mapping[str, str], inputs: Sequence[str], output: str, follows: Follows) -> tuple[Span, Fraction]:
    """What follows from the figures, each give or take one unit, and how far the printed figure is from it."""
    spans = [_span(scores[name], Fraction(1)) for name in inputs]
    low, high = follows(*(span[0] for span in spans)), follows(*(span[1] for span in spans))
    printed = _span(scores[output], Fraction(1))
    return (low, high), max(low - printed[1], printed[0] - high, Fraction(0))


def _luck_of_keeping(rows: Sequence[ScoreRow], inputs: Sequence[str], output: str, follows: Follows) -> float:
    """The chance that rows of means keep the relation, when means miss it by up to `_USUAL_MISS`."""
    chance = 1.0
    for row in rows:
        (low, high), _ = _misses(dict(row.scores), inputs, output, follows)
        printed = _span(dict(row.scores)[output], Fraction(1))
        chance *= min(1.0, float((high - low + printed[1] - printed[0]) / _USUAL_MISS))
    return chance


def _span(figure: str, units: Fraction) -> Span:
    """The printed value give or take some units of its last digit, as a share of one."""
    digits = figure.rstrip("% ")
    scale = Fraction(1, 100) if "%" in figure else Fraction(1)
    unit = Fraction(1, 10 ** len(digits.partition(".")[2]))
    value = Fraction(digits)
    return (value - units * unit) * scale, (value + units * unit) * scale


def _harmonic(a: Fraction, b: Fraction) -> Fraction:
    return 2 * a * b / (a + b) if a + b > 0 else Fraction(0)


def _mean(a: Fraction, b: Fraction) -> Fraction:
    return (a + b) / 2


def _same(a: Fraction) -> Fraction:
    return a


_RELATIONS: tuple[tuple[str, tuple[str, ...], str, Follows], ...] = (
    ("F1 is the harmonic mean of precision and recall", ("ppv", "sens"), "f1", _harmonic),
    ("recall weighted by the classes is the accuracy", ("sens",), "acc", _same),
    ("balanced accuracy is the mean of sensitivity and specificity", ("sens", "spec"), "bacc", _mean),
)

_FORMULAS: tuple[tuple[str, str, tuple[str, ...], tuple[str, ...]], ...] = (
    ("ppv", "TP / (TP + FP)", ("tp",), ("tp", "fp")),
    ("sens", "TP / (TP + FN)", ("tp",), ("tp", "fn")),
    ("f1", "2 TP / (2 TP + FP + FN)", ("tp", "tp"), ("tp", "tp", "fp", "fn")),
    ("spec", "TN / (TN + FP)", ("tn",), ("tn", "fp")),
    ("npv", "TN / (TN + FN)", ("tn",), ("tn", "fn")),
    ("acc", "(TP + TN) / all", ("tp", "tn"), ("tp", "tn", "fp", "fn")),
    ("ji", "TP / (TP + FP + FN)", ("tp",), ("tp", "fp", "fn")),
)
"""Score, formula, counts above and below the line; a count that is named twice counts twice."""
