"""Slips of the pen in printed figures: the texts that one slip away could have been meant."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from assay.errors import InputError
from assay.patterns import regex
from assay.scores.definitions import Named
from assay.scores.experiment import Reported, Wording
from assay.scores.printed_scores import read_wording

_NUMBER = regex(r"\d+(?:[.,]\d*)?|[.,]\d+")
_PLAIN = regex(r"[-+\N{MINUS SIGN}]?[\d.,]+\s*%?(?:\s*(?:±|\+/-|\+-|\\pm)\s*[\d.,]+\s*%?)?")
"""A number, perhaps with its spread. Intervals and powers of ten are not printed digit by digit."""
_PADDED = regex(r"(?<![\d.,])0\d")
"""Nobody prints 04.5."""


def one_digit(text: str) -> Iterator[str]:
    """Each digit replaced by each other digit."""
    return _natural(
        text[:i] + digit + text[i + 1 :]
        for i, old in enumerate(text)
        if old in "0123456789"
        for digit in "0123456789"
        if digit != old
    )


def transposed(text: str) -> Iterator[str]:
    """Each two neighbouring digits exchanged; a decimal point between them stays where it is."""
    digits = [i for i, character in enumerate(text) if character.isdecimal()]
    return _natural(
        text[:i] + text[j] + text[i + 1 : j] + text[i] + text[j + 1 :]
        for i, j in pairwise(digits)
        if text[i] != text[j] and text[i + 1 : j] in ("", ".", ",")
    )


def shifted(text: str) -> Iterator[str]:
    """The decimal point of each number moved by one or two places, the digits kept."""
    for number in _NUMBER.finditer(text):
        whole, _, decimals = number[0].replace(",", ".").partition(".")
        for places in (1, -1, 2, -2):
            moved = _point_at(whole + decimals, len(whole) + places)
            yield text[: number.start()] + moved + text[number.end() :]


def _point_at(digits: str, position: int) -> str:
    padded = digits.rjust(len(digits) + max(0, 1 - position), "0").ljust(position, "0")
    position = max(1, position)
    whole = padded[:position].lstrip("0") or "0"
    return f"{whole}.{padded[position:]}" if padded[position:] else whole


def _natural(texts: Iterator[str]) -> Iterator[str]:
    return (text for text in texts if not _PADDED.search(text))


class Slip(NamedTuple):
    """One text of a score changed: what was printed, what it becomes, and the score read from it."""

    part: str
    old: str
    new: str
    corrected: Reported


def slips(reported: Reported, change: Callable[[str], Iterator[str]]) -> Iterator[Slip]:
    """Every text of the score changed in every way that leaves it in range."""
    wording = reported.wording
    texts: tuple[tuple[str, str | None, Callable[[str], Wording]], ...] = (
        ("", wording.value, lambda text: replace(wording, value=text)),
        ("the standard deviation of ", wording.sd, lambda text: replace(wording, sd=text)),
        ("the minimum of ", wording.minimum, lambda text: replace(wording, minimum=text)),
        ("the maximum of ", wording.maximum, lambda text: replace(wording, maximum=text)),
        ("the median of ", wording.median, lambda text: replace(wording, median=text)),
    )
    for part, text, reworded in texts:
        old = (text or "").strip()
        if _PLAIN.fullmatch(old):
            for new in change(old):
                corrected = reread(reported, reworded(new))
                if corrected is not None:
                    yield Slip(part, old, new, corrected)


def reread(reported: Reported, wording: Wording, meant: Named | None = None, name: str = "") -> Reported | None:
    """The score read from another wording or as another score; None when the figure is out of range."""
    try:
        named = meant or Named(reported.score, reported.complement)
        return read_wording(name or reported.name, wording, named, bounded=True)
    except InputError:
        return None


def scattered(index: int) -> int:
    """A sort key that draws evenly from a list, the same each time: multiples of the golden ratio modulo one."""
    return index * 2654435769 % 2**32
