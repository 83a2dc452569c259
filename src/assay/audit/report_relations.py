"""What a classification report says of itself: its accuracy and its averages follow from its classes.

Each item of a single-label task has one true class, so that the accuracy is the mean of the classes' recalls, weighted
by their items. Macro averages are plain means. Both hold only where all classes are listed: their items must add up.
A report may be about several labels for each item, whose accuracy follows from nothing: that of a report with a micro
average, or one whose classes are not predicted as often in all as there are items, is left alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import chain

from assay.article.tables import ScoreRow, ScoreTable
from assay.audit.table_relations import Derived
from assay.records import dataclass
from assay.reported.model import Averaging, Figure, Number, Row, SizeKind

_AVERAGES = frozenset({Averaging.MACRO, Averaging.WEIGHTED})


@dataclass(frozen=True, slots=True)
class _Class:
    """A class of the report: how many items it has, and its scores."""

    label: str
    items: int
    scores: dict[str, Number]


def report_averages(table: ScoreTable) -> Iterator[Derived]:
    """The accuracy and the averages of a report, each with what its classes give."""
    classes = [one for row in table.printed if (one := _class_of(row)) is not None]
    summaries = [row for row in table.printed if any(f.name.averaging in _AVERAGES for f in row.figures)]
    if len(summaries) == 1 and _are_all(classes, summaries[0]):
        figures = _figures(table, summaries[0], classes)
        row = ScoreRow(
            "averages",
            tuple((_called(figure), str(figure.number)) for figure in figures),
            table.grid.location,
            table.grid.caption,
            counts=tuple((one.label, one.items) for one in classes),
        )
        yield from chain.from_iterable(_follows(row, figure, classes) for figure in figures)


def _are_all(classes: Sequence[_Class], summary: Row) -> bool:
    """Whether the items of different classes add up to those of the summary."""
    different = len({one.label for one in classes}) == len(classes)
    return different and {size.count for size in summary.sizes} == {sum(one.items for one in classes)}


def _figures(table: ScoreTable, summary: Row, classes: Sequence[_Class]) -> list[Figure]:
    """The figures that follow from the classes: the accuracy only where each item has one label."""
    has_micro = any(f.name.averaging is Averaging.MICRO for row in table.printed for f in row.figures)
    single_label = not has_micro and _are_predicted_once(classes)
    return [f for f in summary.figures if f.name.averaging in _AVERAGES or single_label]


def _are_predicted_once(classes: Sequence[_Class]) -> bool:
    """Whether the predictions of all classes, items · recall / precision, can add up to the items."""
    ranges = [_predicted(one) for one in classes]
    known = [one for one in ranges if one is not None]
    items = sum(one.items for one in classes)
    return len(known) == len(ranges) and sum(low for low, _ in known) <= items <= sum(high for _, high in known)


def _predicted(one: _Class) -> tuple[Fraction, Fraction] | None:
    """The fewest and the most predictions of a class; None where its precision or recall is missing or 0."""
    recall, precision = one.scores.get("sens"), one.scores.get("ppv")
    if recall is None or precision is None or precision.value <= precision.unit:
        return None
    fewest = one.items * max(recall.value - recall.unit, Fraction(0)) / (precision.value + precision.unit)
    return fewest, one.items * (recall.value + recall.unit) / (precision.value - precision.unit)


def _class_of(row: Row) -> _Class | None:
    labels = {figure.name.label for figure in row.figures if figure.name.averaging is Averaging.CLASS}
    items = [size.count for size in row.sizes if size.kind is SizeKind.CLASS]
    if len(labels) != 1 or len(items) != 1:
        return None
    return _Class(labels.pop(), items[0], {f.score: f.number for f in row.figures if f.number is not None})


def _called(figure: Figure) -> str:
    return f"{figure.name.averaging.value} {figure.score}" if figure.name.averaging in _AVERAGES else figure.score


def _follows(row: ScoreRow, figure: Figure, classes: Sequence[_Class]) -> Iterator[Derived]:
    """What the classes give for a figure of the summary, where their scores are printed as finely."""
    match figure.score, figure.name.averaging:
        case _, Averaging.MACRO:
            score, weights, formula = figure.score, [1] * len(classes), "the mean over the classes"
        case _, Averaging.WEIGHTED:
            score, weights, formula = figure.score, [one.items for one in classes], "the mean weighted by the items"
        case "acc", Averaging.UNSTATED:
            score, weights, formula = "sens", [one.items for one in classes], "the share of all items that recall gives"
        case _:
            return
    parts = [one.scores[score] for one in classes if score in one.scores]
    if (
        figure.number is not None
        and len(parts) == len(classes)
        and min(map(_fineness, parts)) >= _fineness(figure.number)
    ):
        value = sum((part.value * weight for part, weight in zip(parts, weights, strict=True)), Fraction(0))
        yield Derived(row, _called(figure), str(figure.number), formula, value / sum(weights))


def _fineness(number: Number) -> int:
    """Digits behind the point of the number as a share of one."""
    return number.decimals + (2 if number.percent else 0)
