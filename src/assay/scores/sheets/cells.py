"""Cells of a spreadsheet as the text that a score is read from: gaps, numbers of any library, percentages."""

from __future__ import annotations

import math
import numbers
from decimal import Decimal

from assay.errors import InputError
from assay.patterns import regex
from assay.records import dataclass
from assay.reported.model import Relation
from assay.reported.numbers import is_missing, read_cell
from assay.scores.definitions import find_score
from assay.scores.study import number_text
from assay.scores.tasks import is_area

_GAPS = frozenset({"none", "nr", "not reported", "null", "nat", "<na>", "?", "…", "...", "unknown"})
_THOUSANDS = regex(r"\d{1,3}(?:[,\u2009\u202f\u00a0' ]\d{3})+")
_NO_SHARE = 110
"""A bare number above this is hardly a misprinted percentage: the column may hold something else."""


def text_of(value: object) -> str:
    """The cell as text; empty where nothing is reported."""
    if value is None:
        return ""
    if isinstance(value, numbers.Real | Decimal) and not isinstance(value, bool):
        return "" if math.isnan(value) else number_text(value)
    text = " ".join(str(value).split())
    return "" if is_missing(text) or text.lower() in _GAPS else text


def count_text(text: str, heading: str) -> str:
    """A number of items: 1,250 and 1250.0 are 1250."""
    plain = text.removesuffix(".0")
    if _THOUSANDS.fullmatch(plain):
        plain = "".join(c for c in plain if c.isdecimal())
    if not plain.isdecimal():
        raise InputError(f'{heading}: "{text}" is not a number of items', fix="Write digits.")
    return plain


@dataclass(frozen=True, slots=True)
class ScoreCell:
    """A score as the command line takes it, and the spread that stands behind it, if any."""

    text: str
    spread: str = ""


def score_cell(text: str, word: str, heading: str, *, percent: bool) -> ScoreCell:
    """A score with its percent sign and its spread; a confidence interval is left out."""
    found = read_cell(text)
    if found is None or found.number is None or found.relation is not Relation.EQUAL:
        raise InputError(f'{heading}: "{text}" is not a plain number', fix="Write it like 0.940 or 94.0%.")
    digits, marked = found.number.digits, found.number.percent
    spread = found.spread.number.digits if found.spread is not None else ""
    if not _is_share(word):
        return ScoreCell(digits, spread)
    value = abs(float(digits))
    if percent and not marked and 0 < value <= 1:
        raise InputError(f"{heading}: {text} in a column of percentages may be a share", fix="Add the sign: 0.9%.")
    if not marked and value > _NO_SHARE:
        raise InputError(f"{heading}: {text} is no share; the column may hold something else", fix="Check the column.")
    sign = "%" if marked or percent or value > 2 else ""
    return ScoreCell(f"{digits}{sign}", f"{spread}{sign}" if spread else "")


def _is_share(word: str) -> bool:
    if is_area(word):
        return True
    score = find_score(word).score
    return score.high is not None and not score.whole
