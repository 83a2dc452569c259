"""Rows of scores in the tables of a paper, as the shared reader of printed scores gives them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache

from assay import reported
from assay.article.reading.paper import Sentence
from assay.article.tables.cells import Cell, Grid, Kind
from assay.findings import Location
from assay.records import dataclass
from assay.reported.model import Averaging, Figure, Matrix, Over, Reading, Relation, Row, RowKind, SizeKind
from assay.reported.model import Cell as PrintedCell
from assay.reported.model import Grid as PrintedGrid
from assay.reported.numbers import unpadded

_ANY = "any"
"""The scope of an accuracy: it goes with plain scores and with means over the classes."""
_OF_ALL = frozenset({"acc", "err", "mcc", "kappa"})
_COUNTS = frozenset({"tp", "fp", "fn", "tn"})
_SIZES = {SizeKind.POSITIVES: "p", SizeKind.NEGATIVES: "n", SizeKind.CLASS: "support", SizeKind.TOTAL: "total"}


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """The scores of one method on one set, as printed."""

    name: str
    scores: tuple[tuple[str, str], ...]
    """Name of the score, and the printed figure."""
    location: Location
    caption: str = ""
    context: str = ""
    """Every label that the row stands under or beside: its own, those of the rows it continues, those above columns."""
    counts: tuple[tuple[str, int], ...] = ()
    """Counts printed in the row itself: tp, fp, fn, tn, support, p, n."""
    averaging: Averaging = Averaging.UNSTATED
    over: Over = Over.UNSTATED
    model: str = ""
    dataset: str = ""
    scopes: tuple[str, ...] = ()
    """What each score is about, as its heading says: "macro", "Hazardous"; empty for the plain scores."""

    @property
    def tested(self) -> tuple[tuple[str, str], ...]:
        """The agreeing scores with the digits that count as precision: zeros that end all their figures do not."""
        scores = self.agreeing
        figures = unpadded([figure for _, figure in scores])
        return tuple((score, figure) for (score, _), figure in zip(scores, figures, strict=True))

    @property
    def agreeing(self) -> tuple[tuple[str, str], ...]:
        """The most scores that are about the same thing: a macro F1 and the recall of one class are not."""
        scoped = tuple(zip(self.scores, self.scopes or ("",) * len(self.scores), strict=True))
        groups = [tuple(score for score, own in scoped if own in {scope, _ANY}) for scope in dict.fromkeys(self.scopes)]
        return max(groups, key=len, default=self.scores)

    def counted(self, score: str) -> bool:
        """Whether the score can follow from the counts in its row: means over classes do not."""
        scopes = dict(zip((name for name, _ in self.scores), self.scopes, strict=False))
        return scopes.get(score) not in {Averaging.MACRO.value, Averaging.WEIGHTED.value}


@dataclass(frozen=True, slots=True)
class ScoreTable:
    """A table of the paper with the rows of scores that were read from it; it may have none."""

    number: int
    grid: Grid
    rows: tuple[ScoreRow, ...]
    unread: int = 0
    """Numbers of the table that the reader did not understand."""
    matrices: tuple[Matrix, ...] = ()
    """The confusion matrix that the table is."""
    printed: tuple[Row, ...] = ()
    """All rows as the reader gives them, summaries and classes included."""

    words: str = ""
    """The caption and every cell that is no number."""
    has_spreads: bool = False
    """Whether some number is printed with a spread: the table then holds means."""


def score_table(number: int, grid: Grid) -> ScoreTable:
    """A table with its rows of scores."""
    reading = _reading_of(grid)
    rows = tuple(row for one in reading.rows if (row := _score_row(one, reading, grid)) is not None)
    cells = [cell for row in grid.rows for cell in row]
    words = " | ".join(dict.fromkeys((grid.caption, *(cell.text for cell in cells if cell.kind is Kind.TEXT))))
    spreads = any(cell.spread or "±" in cell.text for cell in cells)
    return ScoreTable(number, grid, rows, len(reading.unread), reading.matrices, reading.rows, words, spreads)


@lru_cache(maxsize=256)
def _reading_of(grid: Grid) -> Reading:
    """What the shared reader finds in a grid; the scores and the claims of a paper both ask for it."""
    return reported.read_grid(printed_grid(grid))


def score_rows(grid: Grid) -> Iterator[ScoreRow]:
    """The rows of scores of a grid."""
    yield from score_table(0, grid).rows


def printed_grid(grid: Grid) -> PrintedGrid:
    """The grid as the shared reader takes it."""
    rows = tuple(tuple(PrintedCell(c.text, c.bold, spanned=c.spanned) for c in row) for row in grid.rows)
    return PrintedGrid(rows, grid.caption)


def _score_row(row: Row, reading: Reading, grid: Grid) -> ScoreRow | None:
    """A row of results; differences and summaries of other rows are none."""
    figures = _figures(row)
    printed = _scores_once(figures)
    if not printed:
        return None
    return ScoreRow(
        row.name or next(_names(grid, figures), ""),
        tuple((f.score, _figure(f)) for f in printed),
        grid.location,
        grid.caption,
        f"{row.name} {_context(grid, figures)}".strip(),
        (*_counts(figures), *((_SIZES[s.kind], s.count) for s in row.sizes if s.kind in _SIZES)),
        _averaging(figures, reading),
        row.over if row.over is not Over.UNSTATED else reading.over,
        row.model,
        row.dataset,
        tuple(map(_scope, printed)),
    )


def row_of_sentence(row: Row, sentence: Sentence) -> ScoreRow | None:
    """The plain scores that a sentence gives for one thing, each once; None where it says more of some of them."""
    figures = _figures(row)
    printed = _scores_once(figures)
    plain = all(not f.spread and _scope(f) in {"", _ANY} for f in figures)
    if not plain or len(printed) < 2 or len(printed) < len(figures):
        return None
    scores = tuple((f.score, _figure(f)) for f in printed)
    return ScoreRow(row.name or _beginning(sentence.text), scores, sentence.location, context=sentence.text)


_LONGEST_BEGINNING = 60


def _beginning(text: str) -> str:
    return text if len(text) <= _LONGEST_BEGINNING else f"{text[:_LONGEST_BEGINNING].rsplit(' ', 1)[0]} …"


def _figures(row: Row) -> list[Figure]:
    """The figures of a row of results, without bounds."""
    if row.kind is not RowKind.RESULT:
        return []
    return [f for f in row.figures if f.number is not None and f.relation is Relation.EQUAL]


def _scores_once(figures: Sequence[Figure]) -> list[Figure]:
    twice = {score for score, count in Counter(f.score for f in figures).items() if count > 1}
    return [f for f in figures if f.score not in _COUNTS | twice]


def _scope(figure: Figure) -> str:
    """What the heading of a figure says besides the score: how it was averaged, its class, any other word."""
    name = figure.name
    averaging = "" if name.averaging in _PLAIN else name.averaging.value
    words = " ".join(filter(None, (averaging, name.label, name.qualifier))).lower()
    return _ANY if name.score in _OF_ALL and not words else words


_PLAIN = frozenset({Averaging.UNSTATED, Averaging.BINARY})


def _names(grid: Grid, figures: Sequence[Figure]) -> Iterator[str]:
    """What to call a row that has neither a model nor a data set: its class, its labels, or its number."""
    number, columns = _place(figures)
    yield from (f.name.label for f in figures if f.name.label)
    if number is not None:
        labels = _labels(grid.rows[number], [at for at in range(grid.width) if at not in columns])
        yield from filter(None, [labels])
    yield f"row {(number or 0) + 1}"


def _counts(figures: Sequence[Figure]) -> Iterator[tuple[str, int]]:
    for figure in figures:
        if figure.score in _COUNTS and figure.number is not None and figure.number.digits.isdigit():
            yield figure.score, int(figure.number.digits)


def _figure(figure: Figure) -> str:
    """The printed figure, with its percent sign and spread, as the score tests take it."""
    spread = f" ± {figure.spread.number}" if figure.spread else ""
    return f"{figure.number}{spread}"


def _averaging(figures: Sequence[Figure], reading: Reading) -> Averaging:
    """How the scores of the row were averaged, if the headings or the caption say so."""
    stated = [f.name.averaging for f in figures if f.name.averaging is not Averaging.UNSTATED]
    return stated[0] if stated else reading.averaging


def _place(figures: Sequence[Figure]) -> tuple[int | None, set[int]]:
    """The row of the grid that all figures stand in, if it is one, and their columns."""
    rows = {f.span.row for f in figures}
    return (next(iter(rows)) if len(rows) == 1 else None), {f.span.column for f in figures if f.span.column is not None}


def _context(grid: Grid, figures: Sequence[Figure]) -> str:
    """The labels beside the row and, where it continues the row above, of that one too.

    A row continues the one above when it leaves a label empty which that one has: "Slide classification" may be set
    in two lines, "Slide" beside the first row and "Classification" beside the second.
    """
    number, columns = _place(figures)
    if number is None:
        return ""
    labels = [at for at in range(grid.width) if at not in columns]
    parts = [_labels(grid.rows[number], labels)]
    while number and any(_tells(grid.rows[number - 1][at]) and not grid.rows[number][at].text for at in labels):
        number -= 1
        parts.append(_labels(grid.rows[number], labels))
    return " | ".join(reversed(parts))


def _labels(row: Sequence[Cell], at: Sequence[int]) -> str:
    return " ".join(dict.fromkeys(row[i].text for i in at if _tells(row[i])))


def _tells(cell: Cell) -> bool:
    return cell.kind is Kind.TEXT and any(sign.isalpha() for sign in cell.text)
