"""Numbers that are neither scores nor sizes: years, references, thresholds, differences, settings."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from functools import cache
from importlib.resources import files

from assay.reported.model import Aside, AsideKind, Span
from assay.reported.numbers import NUMBER
from assay.reported.units import UNIT

_KINDS = {
    "reference": AsideKind.REFERENCE,
    "year": AsideKind.YEAR,
    "p-value": AsideKind.P_VALUE,
    "threshold": AsideKind.THRESHOLD,
    "share": AsideKind.SHARE,
    "difference": AsideKind.DIFFERENCE,
    "quantity": AsideKind.QUANTITY,
    "rate": AsideKind.RATE,
}


BLANK = r"(?:[^\S\n]|\n(?=(?-i:[a-z(\d%±]))(?![^\n:=]{1,30}[:=]))"
"""A blank inside a phrase. A line may end there if the next one goes on with it, and is no entry of a list."""


@cache
def _patterns() -> list[tuple[AsideKind, re.Pattern[str]]]:
    table = tomllib.loads(files("assay.reported").joinpath("asides.toml").read_text(encoding="utf-8"))
    number = rf"(?<![\w.,]){NUMBER}"
    return [
        (_KINDS[kind], re.compile(text.replace("NUM", number).replace("UNIT", UNIT).replace(r"\s", BLANK)))
        for kind, patterns in table.items()
        for text in patterns
    ]


def find_asides(text: str) -> list[Aside]:
    """What can be set aside, in the order of the patterns; later patterns do not see what earlier ones took."""
    found: list[Aside] = []
    masked = text
    for kind, pattern in _patterns():
        own = [
            Aside(match[0].strip(), kind, Span(match.start(), match.end()))
            for match in pattern.finditer(masked)
            if any(sign.isdigit() for sign in match[0])
        ]
        masked = mask(masked, [aside.span for aside in own]) if own else masked
        found += own
    return found


def mask(text: str, spans: Iterable[Span], sign: str = "\0") -> str:
    """The text with these stretches blanked out, at the same length."""
    signs = list(text)
    for span in spans:
        signs[span.start : span.end] = sign * (span.end - span.start)
    return "".join(signs)
