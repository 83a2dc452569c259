"""Confusion matrices: square tables of counts with the same classes beside and above them, and what follows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction

from assay.patterns import regex
from assay.records import dataclass
from assay.reported.model import Axis, Cell, Grid, Matrix, Span
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
    top, left, counts = block
    heads = [_words(row[left + at] for row in grid.rows[:top]) for at in range(len(counts))]
    sides = [_words(row[:left]) for row in grid.rows[top : top + len(counts)]]
    if any(read_name(text) is not None for text in (*heads, *sides)):
        return None
    corner = _words(cell for row in grid.rows[:top] for cell in row[:left])
    labels = [_bare(text) for text in sides]
    same = labels == [_bare(text) for text in heads] and len(set(labels)) == len(labels) and all(labels)
    axis = _axis(" ".join(heads), " ".join(sides), corner, grid.caption)
    if not same or (axis is Axis.UNSTATED and not _CAPTION.search(grid.caption)):
        return None
    cells = [cell for row in grid.rows for cell in row if cell.start >= 0]
    span = Span(min(c.start for c in cells), max(c.end for c in cells)) if cells else Span()
    return Matrix(counts, tuple(labels), axis, span)


def _block(rows: Sequence[Sequence[Cell]]) -> tuple[int, int, tuple[tuple[int, ...], ...]] | None:
    """First row and first column of the square of counts, and the counts; sums at its edges are left out."""
    numbers = [[_count(cell.text) for cell in row] for row in rows]
    top = next((at for at, row in enumerate(numbers) if sum(n is not None for n in row[1:]) >= 2), None)
    if not top:
        return None
    left = next(at for at, n in enumerate(numbers[top]) if n is not None and at > 0)
    body = [row[left:] for row in numbers[top:]]
    sums_below = len(body) > 2 and _TOTAL.fullmatch(_words(rows[top + len(body) - 1][:left])) is not None
    sums_beside = len(body[0]) > 2 and _TOTAL.fullmatch(_words(row[-1] for row in rows[:top])) is not None
    body = [row[: len(row) - sums_beside] for row in body[: len(body) - sums_below]]
    if not 2 <= len(body) <= _MOST_CLASSES or any(len(row) != len(body) for row in body):
        return None
    counts = tuple(tuple(n for n in row if n is not None) for row in body)
    return (top, left, counts) if all(len(row) == len(body) for row in counts) else None


def _count(text: str) -> int | None:
    return int(re.sub(r"\D", "", text)) if _COUNT.fullmatch(text.strip()) else None


def _words(cells: Sequence[Cell] | Iterator[Cell]) -> str:
    return " ".join(dict.fromkeys(cell.text.strip() for cell in cells if cell.text.strip()))


def _bare(text: str) -> str:
    """The class that a label names, without the words for its axis."""
    return " ".join(re.sub(r"[()\[\]]", " ", _AXIS_WORDS.sub(" ", text.lower())).split())


def _axis(heads: str, sides: str, corner: str, caption: str) -> Axis:
    """What the rows are: by the words beside or above the classes; in the caption, "rows: true classes"."""
    rows_true = _TRUE.search(sides) or _PREDICTED.search(heads)
    rows_predicted = _PREDICTED.search(sides) or _TRUE.search(heads)
    if bool(rows_true) != bool(rows_predicted):
        return Axis.TRUE if rows_true else Axis.PREDICTED
    stated = re.search(r"\brows?\b[^.,;]{0,30}", caption, re.IGNORECASE)
    if stated is not None and bool(_TRUE.search(stated[0])) != bool(_PREDICTED.search(stated[0])):
        return Axis.TRUE if _TRUE.search(stated[0]) else Axis.PREDICTED
    divided = re.fullmatch(r"(?P<side>[^/\\]+)[/\\](?P<head>[^/\\]+)", corner.strip())
    if divided is not None and _TRUE.search(divided["side"]) and _PREDICTED.search(divided["head"]):
        return Axis.TRUE
    if divided is not None and _PREDICTED.search(divided["side"]) and _TRUE.search(divided["head"]):
        return Axis.PREDICTED
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


def _readings(counts: tuple[tuple[int, ...], ...], labels: Sequence[str]) -> Iterator[MatrixReading]:
    whole, per_class = _whole(counts), [_one_class(counts, at) for at in range(len(counts))]
    if len(counts) == 2:
        for at, scores in enumerate(per_class):
            label = labels[at] if at < len(labels) else str(at)
            yield MatrixReading(f'with "{label}" as the positive class', whole | scores)
    sizes = [sum(row) for row in counts]
    total = sum(sizes)
    defined = [name for name in ("sens", "ppv", "f1", "spec") if all(name in scores for scores in per_class)]
    macro = {name: sum((s[name] for s in per_class), Fraction(0)) / len(per_class) for name in defined}
    weights = [Fraction(size, total) for size in sizes] if total else []
    weighted = {
        name: sum((w * s[name] for w, s in zip(weights, per_class, strict=True)), Fraction(0)) for name in defined
    }
    stated = {f"{name}_macro": value for name, value in macro.items()}
    stated |= {f"{name}_weighted": value for name, value in weighted.items() if weights}
    for at, scores in enumerate(per_class if len(counts) > 2 and labels else ()):
        yield MatrixReading(f'for the class "{labels[at]}"', scores)
    for words, scores in (("as means over the classes", macro), ("as means weighted by class size", weighted)):
        yield MatrixReading(words, whole | stated | scores)


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
