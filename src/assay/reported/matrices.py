"""Confusion matrices: square tables of counts with the same classes beside and above them, and what follows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction

from assay.patterns import regex
from assay.records import dataclass
from assay.reported.model import Averaging, Axis, Cell, Grid, Matrix, Span
from assay.reported.names import read_name

_TRUE = regex(r"\b(?:actual|true|truth|gold|reference|observed|ground[- ]truth|target)\b", re.IGNORECASE)
_PREDICTED = regex(
    r"\b(?:predict(?:ed|ions?)?|pred\.?|classified(?: as)?|assigned|output|estimated)(?!\w)", re.IGNORECASE
)
_AXIS_WORDS = regex(f"{_TRUE.pattern}|{_PREDICTED.pattern}|\\b(?:class(?:es)?|labels?|as)\\b|[:=_/\\\\]", re.IGNORECASE)
_TOTAL = regex(r"(?:total|sum|all|overall|support|σ|∑)", re.IGNORECASE)
_CAPTION = regex(r"\bconfusion (?:matrix|matrices|table)\b|\bcontingency table\b", re.IGNORECASE)
_COUNT = regex(r"\d{1,3}(?:[, ]\d{3})+|\d{1,9}")
_MOST_CLASSES = 60
_BINARY = 2


@dataclass(frozen=True, slots=True)
class MatrixReading:
    """One way to read a matrix, in words, and the scores that follow from it."""

    words: str
    scores: dict[str, Fraction]


# --- finding --------------------------------------------------------------------------------------


def matrix_of(grid: Grid) -> Matrix | None:
    """The confusion matrix that a table is; None for every other table, such as one of counts under other headings."""
    block = _block(grid.rows)
    if block is None:
        return None
    heads, sides = block.heads(grid.rows), block.sides(grid.rows)
    labels = [_bare(text) for text in sides]
    axis = _axis(" ".join(heads), " ".join(sides), block.corner(grid.rows), grid.caption)
    stated = axis is not Axis.UNSTATED or _CAPTION.search(grid.caption) is not None
    if not stated or not _are_classes(labels, heads, sides):
        return None
    return Matrix(block.counts, tuple(labels), axis, _span(grid))


def _are_classes(labels: Sequence[str], heads: Sequence[str], sides: Sequence[str]) -> bool:
    """Whether the same classes, each once, stand beside and above the counts, and none of them is a score."""
    distinct = all(labels) and len(set(labels)) == len(labels)
    same = distinct and labels == [_bare(text) for text in heads]
    return same and not any(read_name(text) for text in (*heads, *sides))


def _span(grid: Grid) -> Span:
    cells = [cell for row in grid.rows for cell in row if cell.start >= 0]
    return Span(min(c.start for c in cells), max(c.end for c in cells)) if cells else Span()


@dataclass(frozen=True, slots=True)
class _Block:
    """A square of counts in a table: its first row and column, and the counts."""

    top: int
    left: int
    counts: tuple[tuple[int, ...], ...]

    def heads(self, rows: Sequence[Sequence[Cell]]) -> list[str]:
        """What stands above each column."""
        return [_words(row[self.left + at] for row in rows[: self.top]) for at in range(len(self.counts))]

    def sides(self, rows: Sequence[Sequence[Cell]]) -> list[str]:
        """What stands beside each row."""
        return [_words(row[: self.left]) for row in rows[self.top : self.top + len(self.counts)]]

    def corner(self, rows: Sequence[Sequence[Cell]]) -> str:
        """What stands above the labels of the rows."""
        return _words(cell for row in rows[: self.top] for cell in row[: self.left])


def _block(rows: Sequence[Sequence[Cell]]) -> _Block | None:
    """The square of counts of a table; sums at its edges are left out."""
    numbers = [[_count(cell.text) for cell in row] for row in rows]
    top = next((at for at in range(len(rows)) if _begins_counts(rows, numbers, at)), 0)
    if not top:
        return None
    left = next(at for at, number in enumerate(numbers[top][1:], 1) if number is not None)
    below = bool(_TOTAL.fullmatch(_words(rows[-1][:left])))
    beside = bool(_TOTAL.fullmatch(_words(row[-1] for row in rows[:top])))
    body = [row[left : len(row) - beside] for row in numbers[top : len(rows) - below]]
    counts = tuple(map(_counts, body))
    square = {*map(len, counts), *map(len, body)} == {len(body)}
    return _Block(top, left, counts) if square and 2 <= len(body) <= _MOST_CLASSES else None


def _begins_counts(rows: Sequence[Sequence[Cell]], numbers: Sequence[Sequence[int | None]], at: int) -> bool:
    return len(_counts(numbers[at][1:])) >= _BINARY and not _numbers_classes(rows, at)


def _numbers_classes(rows: Sequence[Sequence[Cell]], at: int) -> bool:
    """Whether a row of numbers is the heading of classes that are numbered: the same stand beside the rows below."""
    heads = [cell.text.strip() for cell in rows[at][1:]]
    return not rows[at][0].text.strip() and heads == [row[0].text.strip() for row in rows[at + 1 :]]


def _counts(row: Sequence[int | None]) -> tuple[int, ...]:
    return tuple(number for number in row if number is not None)


def _count(text: str) -> int | None:
    return int(re.sub(r"\D", "", text)) if _COUNT.fullmatch(text.strip()) else None


def _words(cells: Sequence[Cell] | Iterator[Cell]) -> str:
    return " ".join(dict.fromkeys(cell.text.strip() for cell in cells if cell.text.strip()))


def _bare(text: str) -> str:
    """The class that a label names, without the words for its axis."""
    return " ".join(re.sub(r"[()\[\]]", " ", _AXIS_WORDS.sub(" ", text.lower())).split())


def _axis(heads: str, sides: str, corner: str, caption: str) -> Axis:
    """What the rows are: by the words beside and above the classes, in the caption, or in a divided corner."""
    in_caption = re.search(r"\brows?\b[^.,;]{0,30}", caption, re.IGNORECASE)
    divided = re.fullmatch(r"(?P<side>[^/\\]+)[/\\](?P<head>[^/\\]+)", corner.strip())
    for side, head in (
        (sides, heads),
        (in_caption[0] if in_caption else "", ""),
        (divided["side"], divided["head"]) if divided else ("", ""),
    ):
        rows_true = bool(_TRUE.search(side) or _PREDICTED.search(head))
        rows_predicted = bool(_PREDICTED.search(side) or _TRUE.search(head))
        if rows_true != rows_predicted:
            return Axis.TRUE if rows_true else Axis.PREDICTED
    return Axis.UNSTATED


# --- scores ---------------------------------------------------------------------------------------


def readings_of(matrix: Matrix) -> list[MatrixReading]:
    """Every reasonable reading: rows as true or predicted classes, one class as positive, means over classes."""
    sides = {Axis.TRUE: (False,), Axis.PREDICTED: (True,), Axis.UNSTATED: (False, True)}[matrix.rows_are]
    found: list[MatrixReading] = []
    for turned in sides:
        counts = tuple(zip(*matrix.counts, strict=True)) if turned else matrix.counts
        where = "" if len(sides) == 1 else f", rows as {'predicted' if turned else 'true'} classes"
        found += [MatrixReading(reading.words + where, reading.scores) for reading in _readings(counts, matrix.labels)]
    return found


_AVERAGED = {Averaging.MACRO: "macro", Averaging.MICRO: "micro", Averaging.WEIGHTED: "weighted"}
OF_ALL_CLASSES = frozenset({"acc", "err", "kappa"})
"""Scores of all classes together, which no averaging changes."""


def value_in(reading: MatrixReading, score: str, averaging: Averaging) -> Fraction | None:
    """What the reading gives for a score; None when it does not say."""
    averaged = f"{score}_{_AVERAGED[averaging]}" if averaging in _AVERAGED else score
    plain = reading.scores.get(score) if averaged == score or score in OF_ALL_CLASSES else None
    return reading.scores.get(averaged, plain)


def _readings(counts: tuple[tuple[int, ...], ...], labels: Sequence[str]) -> Iterator[MatrixReading]:
    whole, per_class = _whole(counts), [_one_class(counts, at) for at in range(len(counts))]
    names = labels or tuple(map(str, range(len(counts))))
    binary = len(counts) == _BINARY
    for label, scores in zip(names, per_class, strict=True):
        words = f'with "{label}" as the positive class' if binary else f'for the class "{label}"'
        yield MatrixReading(words, whole | scores)
    macro = _averaged(per_class, [1] * len(counts))
    weighted = _averaged(per_class, [sum(row) for row in counts])
    stated = {f"{name}_macro": value for name, value in macro.items()}
    stated |= {f"{name}_weighted": value for name, value in weighted.items()}
    yield MatrixReading("as means over the classes", whole | stated | macro)
    yield MatrixReading("as means weighted by class size", whole | stated | weighted)


def _averaged(per_class: Sequence[dict[str, Fraction]], weights: Sequence[int]) -> dict[str, Fraction]:
    """The weighted means of the scores that every class has."""
    total = sum(weights)
    shared = [name for name in ("sens", "ppv", "f1", "spec") if total and all(name in scores for scores in per_class)]
    pairs = list(zip(weights, per_class, strict=True))
    return {name: sum((weight * scores[name] for weight, scores in pairs), Fraction(0)) / total for name in shared}


def _whole(counts: tuple[tuple[int, ...], ...]) -> dict[str, Fraction]:
    """Scores of all classes together."""
    total = sum(map(sum, counts))
    if not total:
        return {}
    right = Fraction(sum(row[at] for at, row in enumerate(counts)), total)
    columns = [sum(column) for column in zip(*counts, strict=True)]
    chance = Fraction(sum(sum(row) * column for row, column in zip(counts, columns, strict=True)), total * total)
    micro = {f"{name}_micro": right for name in ("sens", "ppv", "f1")}
    kappa = {"kappa": (right - chance) / (1 - chance)} if chance != 1 else {}
    return {"acc": right, "err": 1 - right} | micro | kappa


def _one_class(counts: tuple[tuple[int, ...], ...], at: int) -> dict[str, Fraction]:
    """The scores of one class against all others; a score that divides by nothing is left out."""
    tp = counts[at][at]
    fn = sum(counts[at]) - tp
    fp = sum(row[at] for row in counts) - tp
    tn = sum(map(sum, counts)) - tp - fn - fp
    parts = {
        "sens": (tp, tp + fn), "ppv": (tp, tp + fp), "f1": (2 * tp, 2 * tp + fp + fn), "spec": (tn, tn + fp),
        "npv": (tn, tn + fn), "ji": (tp, tp + fp + fn), "fpr": (fp, tn + fp), "fnr": (fn, tp + fn),
    }  # fmt: skip
    return {name: Fraction(top, bottom) for name, (top, bottom) in parts.items() if bottom}
