"""How long texts and sequences are made: numbers that say so tell a model nothing of the rows.

The longest of all texts, or a length that most of them do not reach, only says how far the others are padded.
"""

from __future__ import annotations

import re

from assay.leakage.code.learnt.kinds import COSTS
from assay.leakage.code.state.values import Data, Kind, Shape, Value
from assay.patterns import regex

_LENGTH = regex(r"max\w*len|len\w*max|seq\w*len", re.IGNORECASE)


def as_length(name: str, value: Value) -> Value:
    """What is learnt of rows, but for a number under a name such as `MAX_LEN`."""
    if not isinstance(value, Data) or value.shape is not Shape.SUMMARY or value.rows or not value.marks:
        return value
    plain = all(mark.kind is Kind.STATISTIC for mark in value.marks if mark.kind in COSTS)
    return Data(shape=Shape.SUMMARY) if plain and _LENGTH.search(name) else value
