"""Sizes that a text states: positives, negatives, items, folds, runs; and what only looks like a size."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

from assay.patterns import regex
from assay.reported.asides import find_asides, mask
from assay.reported.model import Role, Size, SizeKind, Span
from assay.reported.units import NEGATIVE, NUMERALS, POSITIVE, UNIT, WITH

_N = r"(?:[1-9]\d{0,2}(?:[ ,]\d{3})+(?!\d)|0|[1-9]\d{0,8})(?![\w%]|[.,]\d|\s?%)"
_COUNT = (
    r"(?<![\w.,%±/=-])(?<![\d]\s[-–/])(?:[1-9]\d{0,2}(?:[ ,]\d{3})+(?!\d)|0|[1-9]\d{0,8})"
    r"(?![\w%]|[.,]\d|\s?%|\s?[-–]\s?\d|\s?±)"
)
_ADJ = r"(?:(?!true\b|false\b|per\b|of\b|and\b|or\b|in\b|positive\b|negative\b)[A-Za-z][A-Za-z-]*\s){0,2}"
_IS = r"\s?(?:[:=]|is|are|was|were|of)\s?"
_AND = r"\s?(?:,|;|and|/|\+|vs\.?|versus|against|&|\bplus\b|,\s?and)\s?"
_WORDS = "|".join(NUMERALS)

_GROUPS = {
    "p": SizeKind.POSITIVES,
    "n": SizeKind.NEGATIVES,
    "total": SizeKind.TOTAL,
    "folds": SizeKind.FOLDS,
    "runs": SizeKind.RUNS,
    "classes": SizeKind.CLASSES,
    "correct": SizeKind.CORRECT,
    "wrong": SizeKind.WRONG,
}

_RUNS = (
    r"(?:random\s|independent\s|different\s|repeated\s|training\s)?(?:runs?|seeds?|trials|repetitions?|repeats?|times"
    r"|initiali[sz]ations|experiments|restarts|random splits|bootstraps?|bootstrap samples|replicates|resamplings)"
)
_PARTS = {
    "COUNT": _COUNT,
    "N": _N,
    "DIGITS": r"(?:[1-9]\d{0,2}(?:[ ,]\d{3})+(?!\d)|0|[1-9]\d{0,8})",
    "ADJ": _ADJ,
    "IS": _IS,
    "AND": _AND,
    "RUNS": _RUNS,
    "WORDS": _WORDS,
    "UNIT": UNIT,
    "POSITIVE": POSITIVE,
    "NEGATIVE": NEGATIVE,
    "WITH": WITH,
}


@cache
def _phrases() -> list[re.Pattern[str]]:
    table = tomllib.loads(files("assay.reported").joinpath("sizes.toml").read_text(encoding="utf-8"))
    return [re.compile(re.sub(r"<([A-Z]+)>", lambda m: _PARTS[m[1]], text)) for text in table["phrases"]]


_UNIT = regex(UNIT, re.IGNORECASE)
_ROLES = (
    (Role.TEST, regex(r"\btest(?:ed|ing)?\b|\bevaluat|\bheld[- ]out|\bhold-?out", re.IGNORECASE)),
    (Role.TRAIN, regex(r"\btrain(?:ed|ing)?\b|\bdevelopment\b|\bfine-?tun", re.IGNORECASE)),
    (Role.VALIDATION, regex(r"(?<!cross-)(?<!cross )\bvalidat|\bdev set|\btuning set", re.IGNORECASE)),
    (Role.EXTERNAL, regex(r"\bexternal\b", re.IGNORECASE)),
)


def read_sizes(text: str) -> tuple[Size, ...]:
    """The sizes that a caption or a sentence states; runs, shots, folds and "per class" are never items."""
    asides = find_asides(text)
    return tuple(find_sizes(mask(text, [aside.span for aside in asides])))


def find_sizes(masked: str) -> Iterator[Size]:
    """The sizes of a text in which what is set aside has been masked; each stretch is read once."""
    text = masked
    found: list[Size] = []
    for pattern in _phrases():
        matches = list(pattern.finditer(text))
        found += [size for match in matches for size in _sizes_of(match, masked)]
        text = mask(text, [Span(match.start(), match.end()) for match in matches]) if matches else text
    yield from sorted(found, key=lambda size: size.span.start)


def _sizes_of(match: re.Match[str], whole: str) -> Iterator[Size]:
    unit = _UNIT.search(match[0])
    for group, kind in _GROUPS.items():
        printed = match.groupdict().get(group)
        if printed:
            value = NUMERALS.get(printed.lower()) or int(re.sub(r"\D", "", printed))
            span = Span(match.start(group), match.end(group))
            role = _role(whole, match.start(), match.end())
            yield Size(kind, value, span, unit=unit[0].lower() if unit else "", role=role)


def _role(text: str, start: int, end: int) -> Role:
    """Which part of the data the clause around a count is about: the nearest word before it, else the next one."""
    before = re.split(r"[;.\n]|,\s(?!and\b)|\0", text[max(0, start - 60) : start])[-1]
    found = [(match.end(), role) for role, pattern in _ROLES for match in pattern.finditer(before)]
    if found:
        return max(found)[1]
    after = re.split(r",\s|[;.\n]|\band\b|\0", text[start : end + 40])[0]
    later = [(match.start(), role) for role, pattern in _ROLES for match in pattern.finditer(after)]
    return min(later)[1] if later else Role.UNSTATED
