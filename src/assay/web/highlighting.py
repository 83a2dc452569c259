"""The pasted text with every number marked as what it was read as, and the numbers as a table to correct."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum

from assay.records import dataclass
from assay.reported.model import Averaging, Figure, Reading, Role, ScoreName, SizeKind, Span
from assay.scores.definitions import COMPLEMENTS, SCORES
from assay.web.score_rows import IGNORE, Correction

_MOST_MARKS = 600
AVERAGES = frozenset({Averaging.MACRO, Averaging.MICRO, Averaging.WEIGHTED})


class Mark(StrEnum):
    """How a stretch of the text is shown."""

    PLAIN = "plain"
    SCORE = "score"
    SIZE = "size"
    ASIDE = "other"
    UNREAD = "unread"


@dataclass(frozen=True, slots=True)
class Stretch:
    """A piece of the text, with what it was read as."""

    text: str
    mark: Mark = Mark.PLAIN
    meaning: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """A number that can be read otherwise: what it is now, and why it was not understood."""

    span: Span
    text: str
    source: str
    mark: Mark
    meaning: str
    key: str = ""
    row: str = ""
    reason: str = ""
    context: str = ""

    def correction(self, meaning: str) -> str:
        """What the form sends when somebody says that it is something else."""
        return str(Correction(self.span.start, self.source, meaning))


_LABELS = {score.name: score.label for score in SCORES.values()} | {
    name: label for name, (_, label, _) in COMPLEMENTS.items()
} | {"auc": "area under the curve", "mae": "mean absolute error", "rmse": "root mean squared error",
     "mse": "mean squared error", "r2": "R²"}  # fmt: skip
_OFFERED = ("acc", "sens", "spec", "ppv", "npv", "f1", "bacc", "mcc", "kappa", "auc", "ji", "err", "fpr", "fnr",
            "tp", "fn", "fp", "tn", "mae", "rmse", "mse", "r2")  # fmt: skip
CHOICES: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = (
    ("Scores", tuple((key, _LABELS[key]) for key in _OFFERED)),
    ("Sizes", (("positives", "positives"), ("negatives", "negatives"), ("total", "items in all"), ("folds", "folds"))),
    ("Neither", ((IGNORE, "not a result"),)),
)
"""What a visitor may say that a number is."""


def entries(reading: Reading, text: str) -> list[Entry]:
    """Every number of the reading, in the order of the text; unexplained ones say why."""
    found = [*_figures(reading, text), *_sizes(reading, text)]
    found += [Entry(one.span, one.text, _source(text, one.span), Mark.ASIDE, one.kind.value) for one in reading.asides]
    for one in reading.unread:
        source = _source(text, one.span)
        found.append(Entry(one.span, one.text, source, Mark.UNREAD, "", reason=one.reason.value, context=one.context))
    return sorted((entry for entry in found if entry.span.start >= 0), key=lambda entry: entry.span.start)


def _source(text: str, span: Span) -> str:
    return text[span.start : span.end]


def _figures(reading: Reading, text: str) -> Iterator[Entry]:
    for number, row in enumerate(reading.rows, 1):
        for figure in row.figures:
            shown, meaning = shown_figure(figure), _meaning(figure.name)
            whose = row.name or (f"row {number}" if len(reading.rows) > 1 else "")
            yield Entry(figure.span, shown, _source(text, figure.span), Mark.SCORE, meaning, figure.score, whose)


def shown_figure(figure: Figure) -> str:
    """A figure with its spread, interval and fraction, in one line."""
    parts = [str(figure.number)] if figure.number else []
    if figure.spread:
        parts.append(f"± {figure.spread.number}")
    if figure.interval:
        parts.append(f"[{figure.interval.low}, {figure.interval.high}]")
    if figure.fraction:
        parts.append(f"({figure.fraction.hits}/{figure.fraction.total})")
    return " ".join(parts)


def _meaning(name: ScoreName) -> str:
    label = _LABELS.get(name.score, name.score)
    averaged = name.averaging.value if name.averaging in AVERAGES else ""
    of_class = f" of {name.label}" if name.label else ""
    return f"{averaged} {label}{of_class}".strip()


def _sizes(reading: Reading, text: str) -> Iterator[Entry]:
    for size, whose in [*((s, row.name) for row in reading.rows for s in row.sizes), *((s, "") for s in reading.sizes)]:
        role = f" ({size.role.value})" if size.role is not Role.UNSTATED else ""
        meaning = ("items in all" if size.kind is SizeKind.TOTAL else size.kind.value) + role
        yield Entry(size.span, str(size.count), _source(text, size.span), Mark.SIZE, meaning, size.kind.value, whose)


def stretches(reading: Reading, text: str) -> list[Stretch]:
    """The text cut at its numbers; places that overlap are shown once."""
    marks = sorted(_marks(reading), key=lambda mark: (mark[0].start, -mark[0].end))[:_MOST_MARKS]
    out: list[Stretch] = []
    at = 0
    for span, mark, meaning in marks:
        if span.start < at or span.end <= span.start:
            continue
        out.append(Stretch(text[at : span.start]))
        out.append(Stretch(text[span.start : span.end], mark, meaning))
        at = span.end
    out.append(Stretch(text[at:]))
    return [stretch for stretch in out if stretch.text]


def _marks(reading: Reading) -> Iterator[tuple[Span, Mark, str]]:
    for row in reading.rows:
        for figure in row.figures:
            yield figure.span, Mark.SCORE, _LABELS.get(figure.score, figure.score)
        for size in row.sizes:
            yield size.span, Mark.SIZE, size.kind.value
    yield from ((size.span, Mark.SIZE, size.kind.value) for size in reading.sizes)
    yield from ((one.span, Mark.ASIDE, one.kind.value) for one in reading.asides)
    yield from ((one.span, Mark.UNREAD, one.reason.value) for one in reading.unread)
    yield from ((one.span, Mark.SIZE, "confusion matrix") for one in reading.matrices)


def unexplained(found: Sequence[Entry]) -> list[Entry]:
    """The numbers that stand in the way of a verdict."""
    return [entry for entry in found if entry.mark is Mark.UNREAD]
