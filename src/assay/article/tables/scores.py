"""Rows of scores in a grid: which columns (or rows) are scores, whose they are, and how many items they are about.

The words are those that papers print over their columns; the values are names that score tests know. What
decides is the exact wording: a column whose heading is not in the table is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

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
_POSITIVE = r"positives?|cases|tumou?rs?|cancers?|malignant|diseased|abnormal|patients with|events?|onsets?"
_NEGATIVE = r"negatives?|controls?|normals?|benign|healthy|non-?events?"
_ITEMS = r"(?:test )?(?:slides|images|samples|patients|cases|instances|examples|subjects|scans|records|items)"
_SOME_POSITIVE = rf"\b(?P<p>\d{{1,7}})\s+(?:\w+\s+)?(?:{_POSITIVE})\b"
_SOME_NEGATIVE = rf"\b(?P<n>\d{{1,7}})\s+(?:\w+\s+)?(?:{_NEGATIVE})\b"
_PAIRS = tuple(
    regex(rf"{first}.{{0,40}}?{second}", re.IGNORECASE)
    for first, second in ((_SOME_POSITIVE, _SOME_NEGATIVE), (_SOME_NEGATIVE, _SOME_POSITIVE))
)
_TOTAL = regex(rf"\b(?P<total>\d{{1,7}})\s+{_ITEMS}\b|\bn\s*=\s*(?P<n>\d{{1,7}})\b", re.IGNORECASE)


def words_for(score: str) -> list[str]:
    """What papers call a score, in small letters; abbreviations that are words of their own are left out."""
    return [word for word in _WORDS.get(score, "").split(", ") if len(word) > 3]


@dataclass(frozen=True, slots=True)
class Sizes:
    """What is said near a table about how many items were tested, with the words that say it."""

    p: int | None = None
    n: int | None = None
    total: int | None = None
    quote: str = ""


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """The scores of one method on one set, as printed."""

    name: str
    scores: tuple[tuple[str, str], ...]
    """Name of the score, and the printed figure."""
    location: Location
    caption: str = ""
    sizes: Sizes = Sizes()


def score_rows(grid: Grid) -> Iterator[ScoreRow]:
    """The rows of a grid that hold two scores or more, under headings that say which."""
    heads = _heading_rows(grid)
    if not heads:
        return
    columns: dict[int, tuple[str, bool]] = {}
    group: dict[int, str] = {}
    for number, row in enumerate(grid.rows):
        if number in heads:
            block = grid.rows[number + 1 : next((h for h in heads if h > number), None)]
            named = {at: found for at, cell in enumerate(row) if (found := score_named(cell.text))}
            columns = {at: (name, percent or _above_one(block, at)) for at, (name, percent) in named.items()}
            group = _groups(grid, number, columns)
            continue
        if not columns:
            continue
        for title, places in _by_group(columns, group).items():
            scores = {
                name: _figure(row[at], percent)
                for at, (name, percent) in columns.items()
                if at in places and row[at].kind is Kind.NUMBER
            }
            if len(scores) >= 2:
                label = " ".join(dict.fromkeys(c.text for at, c in enumerate(row) if at not in columns and _tells(c)))
                name = " · ".join(part for part in (label, title) if part) or f"row {number + 1}"
                yield ScoreRow(name, tuple(scores.items()), grid.location, grid.caption)


def with_sizes(row: ScoreRow, told: Sequence[str]) -> ScoreRow:
    """The row with what its caption, or else the sentences about it, say of the number of items."""
    for text in (row.caption, *told):
        found = sizes_in(text)
        if found:
            return replace(row, sizes=found)
    return row


def sizes_in(text: str) -> Sizes | None:
    """Numbers of positives and negatives, or of items, that a sentence names; None when it names none or several."""
    pairs = {(int(m["p"]), int(m["n"]), m[0]) for pattern in _PAIRS for m in pattern.finditer(text)}
    if len({pair[:2] for pair in pairs}) == 1:
        p, n, quote = next(iter(pairs))
        return Sizes(p, n, p + n, quote)
    totals = {(int(m["total"] or m["n"]), m[0]) for m in _TOTAL.finditer(text)} if not pairs else set()
    if len({total for total, _ in totals}) == 1:
        total, quote = next(iter(totals))
        return Sizes(total=total, quote=quote)
    return None


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


def _tells(cell: Cell) -> bool:
    return cell.kind is Kind.TEXT and any(sign.isalpha() for sign in cell.text)
