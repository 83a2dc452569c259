"""Arithmetic that one sentence does: gains from a to b by c, shares of a split, chance among k classes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from assay.article.numbers.clash import Clash, ClashKind
from assay.article.numbers.figures import Printed, printed
from assay.article.reading.paper import Sentence
from assay.patterns import regex

_N = r"(?<![\w.,])(?P<{}>\d{{1,6}}(?:\.\d{{1,4}})?)"
_PERCENT = r"\s?(?:%|percent|per cent)"
_FROM_TO = regex(
    rf"\bfrom\s+{_N.format('a')}(?P<pa>{_PERCENT})?\s+(?:down\s+|up\s+)?to\s+{_N.format('b')}(?P<pb>{_PERCENT})?(?![\w.]*\d)",
    re.IGNORECASE,
)
_BY = regex(
    rf"(?:\bby|\b(?:improvement|increase|gain|reduction|decrease|drop|rise|decline|difference)s?\s+of|\()\s*\+?"
    rf"{_N.format('c')}\s?(?P<unit>%|percent(?:age)?[- ]points?|points?|pp\b|p\.p\.)",
    re.IGNORECASE,
)
LOOSE = regex(
    r"\b(?:about|around|approximately|approx|roughly|nearly|almost|over|more than|less than|up to|at least|at most|some"
    r"|average|averaged|on average|mean|respectively|~|further|additional|another|year|range|varying|ranging|sweep"
    r"|learning rate|epochs?|between)\b|[~≈<>]",
    re.IGNORECASE,
)
_SPLIT = regex(
    r"\b(?P<train>\d{1,2}(?:\.\d)?)\s?%\s*(?:of [\w ]{0,30})?(?:(?:for|as|in|to)\s+)?(?:the\s+)?(?:train(?:ing)?)\b"
    r"[^.;%]{0,30}?(?P<val>\d{1,2}(?:\.\d)?)\s?%\s*(?:(?:for|as|in|to)\s+)?(?:the\s+)?(?:valid(?:ation)?|dev\w*|val)\b"
    r"[^.;%]{0,30}?(?P<test>\d{1,2}(?:\.\d)?)\s?%\s*(?:(?:for|as|in|to)\s+)?(?:the\s+)?test(?:ing)?\b",
    re.IGNORECASE,
)
_RATIO = regex(r"(?<![\d.:/])(?P<x>\d{2})\s?[:/]\s?(?P<y>\d{1,2})\s?[:/]\s?(?P<z>\d{1,2})(?![\d:/]|\.\d)")
_SPLITS = regex(r"\b(?:split|splits|ratio|partition\w*|divid\w+)\b", re.IGNORECASE)
_CHANCE = regex(
    rf"\b(?:chance|random guess\w*|random baseline|chance[- ]level)\b[^.;\d]{{0,40}}?{_N.format('share')}\s?%",
    re.IGNORECASE,
)
_WORDS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10}
_CLASSES = regex(rf"\b(?P<k>\d{{1,3}}|{'|'.join(_WORDS)})[- ](?:class|classes|way|categories|options|choices|labels)\b")


def sentence_clashes(sentence: Sentence) -> Iterator[Clash]:
    """What a sentence computes and gets wrong."""
    yield from gains(sentence)
    yield from splits(sentence)
    yield from chances(sentence)


def gains(sentence: Sentence) -> Iterator[Clash]:
    """A change from a to b by c must be a difference or a relative change of the two."""
    spans, changes = list(_FROM_TO.finditer(sentence.text)), list(_BY.finditer(sentence.text))
    if len(spans) != 1 or len(changes) != 1 or LOOSE.search(sentence.text):
        return
    [span], [change] = spans, changes
    near = min(abs(change.start() - span.end()), abs(span.start() - change.end()))
    if near > 40 or span.start() < change.start() < span.end():
        return
    a, b, c = printed(span["a"]), printed(span["b"]), printed(change["c"])
    if a.value == b.value or _any_gain(a, b, c):
        return
    difference = abs(b.value - a.value)
    follows = f"a difference of {float(difference):g}" + (
        f" or a change of {float(100 * difference / a.value):.3g} %" if a.value else ""
    )
    yield Clash(ClashKind.GAIN, sentence.text, sentence.location, change[0].strip(" ("), follows)


def _any_gain(a: Printed, b: Printed, c: Printed) -> bool:
    """Whether c is the difference, the change relative to either end, or the share of the error that is gone."""
    found: list[Fraction] = []
    for x, y in product((a.low, a.value, a.high), (b.low, b.value, b.high)):
        change = abs(y - x)
        found += [change, 100 * change]
        bases = (x, y, 100 - x, 100 - y, 1 - x, 1 - y)
        found += [100 * change / base for base in bases if base > 0]
    groups = len(found) // 9
    for kind in range(groups):
        values = found[kind::groups]
        if min(values) - c.unit <= c.value <= max(values) + c.unit:
            return True
    return any(abs(value - c.value) <= c.unit for value in found)


def splits(sentence: Sentence) -> Iterator[Clash]:
    """The shares of a split add up to a hundred."""
    for match in _SPLIT.finditer(sentence.text):
        parts = [Fraction(match[name]) for name in ("train", "val", "test")]
        if sum(parts) > 101 or sum(parts) < 99:
            yield _split(sentence, match[0], parts)
    for match in _RATIO.finditer(sentence.text) if _SPLITS.search(sentence.text) else ():
        parts = [Fraction(match[name]) for name in ("x", "y", "z")]
        if _is_near_hundred(parts):
            yield _split(sentence, match[0], parts)


def _is_near_hundred(parts: list[Fraction]) -> bool:
    """Whether round shares miss a hundred by little: more means that they are no shares of a whole."""
    return 80 <= sum(parts) <= 120 and sum(parts) != 100 and all(part % 5 == 0 for part in parts)


def _split(sentence: Sentence, words: str, parts: list[Fraction]) -> Clash:
    sums = " + ".join(f"{float(part):g}" for part in parts)
    return Clash(ClashKind.SPLIT, sentence.text, sentence.location, words, f"{sums} = {float(sum(parts)):g}")


def chances(sentence: Sentence) -> Iterator[Clash]:
    """Guessing among k equally frequent classes is right once in k times."""
    found, classes = list(_CHANCE.finditer(sentence.text)), list(_CLASSES.finditer(sentence.text.lower()))
    if len(found) != 1 or len(classes) != 1 or LOOSE.search(sentence.text):
        return
    word = classes[0]["k"]
    k = _WORDS.get(word) or int(word)
    share = printed(found[0]["share"])
    if k > 1 and abs(share.value - Fraction(100, k)) > share.unit:
        yield Clash(ClashKind.CHANCE, sentence.text, sentence.location, f"{found[0]['share']} %", f"{100 / k:.3g} %")
