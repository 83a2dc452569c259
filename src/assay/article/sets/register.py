"""The register of a paper's sets: every count of items in its sentences, captions and tables, with place and quote."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from assay.article.reading.paper import Paper, Sentence
from assay.article.reading.paper import Role as SectionRole
from assay.article.sets.model import CountedSet, Counts, Unit
from assay.article.sets.phrases import counted_in, role_in, unit_in
from assay.article.tables.cells import Cell, Grid, Kind
from assay.patterns import regex
from assay.reported.model import Role

_OTHERS = frozenset({SectionRole.RELATED, SectionRole.INTRODUCTION, SectionRole.DISCUSSION, SectionRole.BACK})
"""Sections in which papers count what others used."""
_OTHERS_WORK = regex(
    r"\b(?:earlier|previous|prior|existing|related|other)\s+(?:\w+\s+)?(?:work|works|stud(?:y|ies)|papers?|authors?|groups?)\b"
    r"|\bet al\b|\b(?:they|their)\b",
    re.IGNORECASE,
)
_OURS = regex(r"\b(?:we|our|us|this (?:paper|study|work))\b", re.IGNORECASE)
_POSITIVE = regex(r"^(?:#\s*)?(?:positives?|pos\.?|tumou?r|malignant|cancer|abnormal|diseased?)\b", re.IGNORECASE)
_NEGATIVE = regex(r"^(?:#\s*)?(?:negatives?|neg\.?|normal|benign|healthy|controls?)\b", re.IGNORECASE)
_ALL = regex(r"^(?:#\s*)?(?:total|all|sum|overall|number of|no\. of|size|count|n)\b", re.IGNORECASE)
_NAME = regex(r"\b(?=\w*[A-Z])(?=\w*(?:[A-Z]\w*[A-Z]|\d))[A-Za-z][\w-]{2,20}\b")
"""Names of data sets, as in CAMELYON16, DRIVE or ISIC-2018."""
_MOST_SETS = 500


def register_of(paper: Paper, grids: Iterable[Grid]) -> tuple[CountedSet, ...]:
    """Every set that the paper counts; sentences about others' work are left out."""
    found = [*_of_sentences((*paper.sentences, *paper.captions)), *(s for grid in grids for s in _of_grid(grid))]
    return tuple(found[:_MOST_SETS])


def names_in(text: str) -> frozenset[str]:
    """Names that look like those of data sets, in small letters."""
    return frozenset(re.sub(r"[\W_]", "", m[0]).lower() for m in _NAME.finditer(text))


def is_about_others(sentence: Sentence) -> bool:
    """Whether a sentence reports what others did: by its section, or by its words."""
    others = _OTHERS_WORK.search(sentence.text) and not _OURS.search(sentence.text)
    return sentence.section.role in _OTHERS or bool(others)


def _of_sentences(sentences: Iterable[Sentence]) -> Iterator[CountedSet]:
    for sentence in sentences:
        if is_about_others(sentence):
            continue
        for one in counted_in(sentence.text):
            name = " ".join(sorted(names_in(sentence.text)))
            yield CountedSet(one.counts, one.unit, one.role, sentence.text[:300], sentence.location, name)


def _of_grid(grid: Grid) -> Iterator[CountedSet]:
    """Sets from a table that lists them: a row for a role, columns for classes."""
    head = [cell.text.strip() for row in grid.rows[:1] for cell in row]
    positive, negative = _only(head, _POSITIVE), _only(head, _NEGATIVE)
    total = _only(head, _ALL)
    unit = unit_in(" ".join(head)) or unit_in(grid.caption) or Unit.ITEMS
    for row in grid.rows[1:]:
        label = _label(row)
        role = role_in(label)
        counts = _counts(row, positive, negative, total)
        if role is not Role.UNSTATED and counts is not None:
            quote = " | ".join(cell.text for cell in row)
            yield CountedSet(counts, unit, role, quote, grid.location, " ".join(sorted(names_in(label))))


def _label(row: tuple[Cell, ...]) -> str:
    return " ".join(cell.text for cell in row if cell.kind is Kind.TEXT)


def _counts(row: tuple[Cell, ...], positive: int | None, negative: int | None, total: int | None) -> Counts | None:
    p, n, all_ = (_whole(row, at) for at in (positive, negative, total))
    if p is not None and n is not None:
        return Counts(p + n, p, n) if all_ in {None, p + n} else None
    return Counts(all_) if all_ is not None else None


def _only(head: list[str], pattern: re.Pattern[str]) -> int | None:
    """The one column whose heading matches."""
    places = [at for at, text in enumerate(head) if pattern.search(text)]
    return places[0] if len(places) == 1 else None


def _whole(row: tuple[Cell, ...], at: int | None) -> int | None:
    return int(row[at].value) if at is not None and row[at].value.isdigit() else None
