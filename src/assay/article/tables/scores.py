"""Rows of scores in a grid: which columns (or rows) are scores, whose they are, and how many items they are about.

The words are those that papers print over their columns; the values are names that score tests know. What
decides is the exact wording: a column whose heading is not in the table is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from assay.article.tables.cells import Cell, Grid, Kind
from assay.findings import Location
from assay.patterns import regex
from assay.records import dataclass

_WORDS: dict[str, str] = {
    "acc": "acc, accuracy",
    "sens": "sensitivity, sens, sen, recall, rec, tpr, true positive rate, detection rate, se",
    "spec": "specificity, spec, spe, tnr, true negative rate",
    "ppv": "ppv, precision, prec, positive predictive value",
    "npv": "npv, negative predictive value",
    "f1": "f1, f1-score, f1score, f1 score, f-score, f-measure, f1-measure, dice, dsc",
    "bacc": "bacc, bac, balanced accuracy, balanced acc",
    "mcc": "mcc, matthews, matthews correlation coefficient",
    "kappa": "kappa, kappa score, cohen's kappa, cohen kappa, κ",
    "ji": "iou, jaccard, jaccard index",
    "auc": "auc, auroc, roc-auc, roc auc, auc-roc, area under the curve",
    "err": "err, error, error rate",
    "fpr": "fpr, false positive rate",
    "fnr": "fnr, false negative rate",
    "gm": "g-mean, gmean, geometric mean",
}
_NAMES = {word: score for score, words in _WORDS.items() for word in words.split(", ")}
_BRACKETS = regex(r"\s*[\[(](?:in )?(?P<unit>%|percent|±\s?sd|mean.{0,12}|↑|↓)?[\])]|[↑↓]|\s+%$")
_COUNT_WORDS: dict[str, str] = {
    "tp": "tp, true positives, true positive, #tp",
    "fp": "fp, false positives, false positive, #fp",
    "fn": "fn, false negatives, false negative, #fn",
    "tn": "tn, true negatives, true negative, #tn",
    "support": "support",
    "p": "positives, # positives, #positives, n positive, no. of positives",
    "n": "negatives, # negatives, #negatives, n negative, no. of negatives",
}
_COUNTS = {word: key for key, words in _COUNT_WORDS.items() for word in words.split(", ")}


def words_for(score: str) -> list[str]:
    """What papers call a score, in small letters; abbreviations that are words of their own are left out."""
    return [word for word in _WORDS.get(score, "").split(", ") if len(word) > 3]


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


@dataclass(frozen=True, slots=True)
class ScoreTable:
    """A table of the paper with the rows of scores that were read from it; it may have none."""

    number: int
    grid: Grid
    rows: tuple[ScoreRow, ...]

    @property
    def words(self) -> str:
        """The caption and every cell that is no number."""
        cells = (cell.text for row in self.grid.rows for cell in row if cell.kind is Kind.TEXT)
        return " | ".join(dict.fromkeys((self.grid.caption, *cells)))

    @property
    def has_spreads(self) -> bool:
        """Whether some number is printed with a spread: the table then holds means."""
        return any(cell.spread or "±" in cell.text for row in self.grid.rows for cell in row)


def score_rows(grid: Grid) -> Iterator[ScoreRow]:
    """The rows of a grid that hold two scores or more, under headings that say which."""
    heads = _heading_rows(grid)
    if not heads:
        return
    columns: dict[int, tuple[str, bool]] = {}
    counted: dict[int, str] = {}
    group: dict[int, str] = {}
    context = ""
    for number, row in enumerate(grid.rows):
        if number in heads:
            block = grid.rows[number + 1 : next((h for h in heads if h > number), None)]
            named = {at: found for at, cell in enumerate(row) if (found := score_named(cell.text))}
            columns = {at: (name, percent or _above_one(block, at)) for at, (name, percent) in named.items()}
            counted = {at: key for at, cell in enumerate(row) if (key := _COUNTS.get(cell.text.strip().lower()))}
            group = _groups(grid, number, columns)
            continue
        if not columns:
            continue
        context = _context(grid, number, columns, context)
        counts = tuple((key, int(row[at].value)) for at, key in counted.items() if row[at].value.isdigit())
        for title, places in _by_group(columns, group).items():
            scores = {
                name: _figure(row[at], percent)
                for at, (name, percent) in columns.items()
                if at in places and row[at].kind is Kind.NUMBER
            }
            if len(scores) >= 2:
                label = " ".join(dict.fromkeys(c.text for at, c in enumerate(row) if at not in columns and _tells(c)))
                name = " · ".join(part for part in (label, title) if part) or f"row {number + 1}"
                yield ScoreRow(name, tuple(scores.items()), grid.location, grid.caption, f"{title} {context}", counts)


def _heading_rows(grid: Grid) -> list[int]:
    """The rows that name two scores or more: a table may have several such, one above each block."""
    return [i for i, row in enumerate(grid.rows) if len({s[0] for c in row if (s := score_named(c.text))}) >= 2]


def score_named(heading: str) -> tuple[str, bool] | None:
    """The score that a heading names, and whether it says that figures are percentages."""
    told = heading.strip().lower()
    percent = "%" in told or "percent" in told
    told = re.sub(r"\s+", " ", _BRACKETS.sub("", told)).strip(" .:")
    name = _NAMES.get(told)
    return (name, percent) if name else None


def _figure(cell: Cell, percent: bool) -> str:
    """The printed figure; a percent sign in the heading counts for every cell below it."""
    if not percent or "%" in cell.value:
        return cell.printed
    return f"{cell.value}%" + (f" ± {cell.spread}%" if cell.spread else "")


def _above_one(block: Sequence[Sequence[Cell]], at: int) -> bool:
    """Whether a column holds percentages without saying so: none of these scores can be above 1."""
    figures = [row[at].value for row in block if row[at].kind is Kind.NUMBER]
    return any(1 < float(figure.rstrip("%")) <= 100 for figure in figures)


def _groups(grid: Grid, head: int, columns: dict[int, tuple[str, bool]]) -> dict[int, str]:
    """What stands above each column when a score is named more than once, as in "validation" and "test"."""
    names = [name for name, _ in columns.values()]
    if len(set(names)) == len(names) or head == 0:
        return {}
    return {at: grid.rows[head - 1][at].text for at in columns}


def _by_group(columns: dict[int, tuple[str, bool]], group: dict[int, str]) -> dict[str, set[int]]:
    found: dict[str, set[int]] = {}
    for at in columns:
        found.setdefault(group.get(at, ""), set()).add(at)
    # A score that is still there twice in a group cannot be told apart, so the group is left alone.
    return {t: p for t, p in found.items() if len({columns[at][0] for at in p}) == len(p)}


def _context(grid: Grid, number: int, columns: dict[int, tuple[str, bool]], before: str) -> str:
    """The labels of a row; one that leaves a label column empty which the row above fills continues that row."""
    row = grid.rows[number]
    labels = [at for at in range(grid.width) if at not in columns]
    own = " ".join(dict.fromkeys(row[at].text for at in labels if _tells(row[at])))
    above = grid.rows[number - 1] if number else None
    continues = above is not None and any(_tells(above[at]) and not row[at].text for at in labels)
    return f"{before} | {own}" if continues and before else own


def _tells(cell: Cell) -> bool:
    return cell.kind is Kind.TEXT and any(sign.isalpha() for sign in cell.text)
