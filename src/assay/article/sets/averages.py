"""What a table, a row or a paper says about how its figures were averaged.

A figure that is a mean (over folds, runs, images or classes) is not a share of the items, so that no test of whole
numbers applies to it. Words decide which tests apply, never what is impossible.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import StrEnum
from functools import lru_cache

from assay.article.tables.scores import ScoreRow, ScoreTable
from assay.patterns import regex
from assay.reported.model import Averaging, Over


class Averaged(StrEnum):
    """What the figures are means over."""

    FOLDS = "folds"
    RUNS = "runs"
    IMAGES = "images, pixels or objects"
    CLASSES = "several classes"
    SUBJECTS = "subjects"
    SETS = "data sets"


_SEVERAL = r"(?:[3-9]|[1-9]\d+|three|four|five|six|seven|eight|nine|ten|eleven|twelve|multi|multiple|several|all|k|n)"
_WORDS: tuple[tuple[Averaged, str], ...] = (
    (
        Averaged.FOLDS,
        r"cross[- ]?validat\w*|\bfolds?\b|\b\d+-?fold\b|\bcv\b|leave[- ]one|\bloo(?:cv)?\b|\bloso\b|jack-?knife|k-fold",
    ),
    (
        Averaged.RUNS,
        (
            r"\b(?:runs?|seeds?|trials?|repeats?|repeated|repetitions?|restarts?|bootstrap\w*|resampl\w*|episodes?)\b"
            r"|standard deviation|standard error|\bstd\b|\bs\.?d\.?\b|±|confidence interval|\baverag(?:e|ed|es|ing)\b"
            r"|\bmeans?\b|\bmedians?\b|random splits|random initiali[sz]ations"
        ),
    ),
    (
        Averaged.IMAGES,
        (
            r"segment(?:ation|ing|ed|er)|\bdice\b|\bdsc\b|\bm?iou\b|jaccard|\bdetect(?:ion|ed|ing|or|ors)\b(?! rate)"
            r"|\bmap\b|locali[sz]ation|pixels?|voxels?|bounding box|per[- ]image|per[- ]frame|retrieval"
            r"|\bhits?@|recall@|precision@"
            r"|@\s?\d|\bp@|\btop-\d|\bner\b|entity|entities|span-level|token|relation extraction|parsing|tagging"
            r"|rank(?:ing|ed)?"
        ),
    ),
    (
        Averaged.CLASSES,
        (
            r"\bmacro\b|macro-|\bmicro\b|micro-|\bweighted\b|per[- ]class|class-?wise|multi-?class|multi-?label"
            rf"|\b{_SEVERAL}[- ](?:\w+ )?(?:class|way|categor)\w*|one[- ]vs|one-versus"
        ),
    ),
    (Averaged.SUBJECTS, r"(?:over|across|per) (?:the )?(?:subjects?|patients?|participants?|speakers?|users?)"),
    (Averaged.SETS, r"(?:over|across) (?:the |all )?(?:\w+ )?(?:data ?sets?|tasks?|domains?|languages?)"),
)
_PATTERNS = tuple((kind, regex(words, re.IGNORECASE)) for kind, words in _WORDS)

_MANY = r"(?:\d+|two|three|four|five|six|seven|eight|nine|ten|twenty|several|multiple|different|independent|repeated)"
_RESAMPLING = (
    (Averaged.FOLDS, _PATTERNS[0][1]),
    (
        Averaged.RUNS,
        regex(
            rf"\b{_MANY}\s+(?:\w+\s+){{0,2}}(?:runs|seeds|trials|repetitions|restarts|random splits"
            r"|initiali[sz]ations)\b"
            r"|\bbootstrap\w*|\b(?:over|across)\s+(?:\w+\s+){0,2}(?:runs|seeds|trials|splits|repetitions)\b",
            re.IGNORECASE,
        ),
    ),
)


@lru_cache(maxsize=256)
def averages_in(text: str) -> frozenset[Averaged]:
    """What the words say the figures are means over."""
    return frozenset(kind for kind, pattern in _PATTERNS if pattern.search(text))


def resampling_in(text: str) -> frozenset[Averaged]:
    """Whether a sentence says that something was measured on several folds or in several runs.

    Narrower than `averages_in`: running text mentions means and averages for many reasons.
    """
    return frozenset(kind for kind, pattern in _RESAMPLING if pattern.search(text))


def averages_of(table: ScoreTable, row: ScoreRow) -> frozenset[Averaged]:
    """What the row may be a mean over: by its own words, its caption, the table's headings and printed spreads."""
    found = averages_in(table.words) | averages_in(row.context) | _STATED.get(row.averaging, frozenset())
    return found | {Averaged.RUNS} if table.has_spreads or row.over in _PARTS else found


_STATED = dict.fromkeys((Averaging.MACRO, Averaging.MICRO, Averaging.WEIGHTED), frozenset({Averaged.CLASSES}))
_PARTS = frozenset({Over.FOLDS, Over.RUNS, Over.IMAGES, Over.SUBJECTS, Over.SETS})


def described(kinds: Iterable[Averaged]) -> str:
    """For a sentence: "folds or runs"."""
    return " or ".join(sorted(kind.value for kind in kinds))
