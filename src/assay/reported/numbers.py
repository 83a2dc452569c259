"""Numbers as people print them: decimals with point or comma, percentages, ± spreads, intervals, fractions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from assay.patterns import regex
from assay.records import dataclass, replace
from assay.reported.model import (
    CountFraction,
    Interval,
    IntervalKind,
    Number,
    Relation,
    Spread,
    SpreadKind,
)

NUMBER = (
    r"[-−+]?(?:[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?(?![\d,])|\d{1,15}(?:[.,]\d{1,15})?|\.\d{1,15})(?:[eE][-+−]?\d{1,3})?"
)
_PERCENT = r"(?:\s?\\?%|\s?percent\b)"
_PM = r"(?:±|\+/[-−]|\+-|\\pm)"
_TO = r"(?:\s?(?:[-–—−~]{1,2}|to|,|;|and)\s?)"
_END = rf"[<>≤≥]?\s?{NUMBER}{_PERCENT}?"
_LEVEL = r"(?:(?:bootstrap(?:ped)?\s)?(?P<level>\d{2}(?:\.\d)?)\s?\\?%?\s?-?\s?)?"
_CI = r"(?:CI|C\.I\.|CIs|confidence intervals?|cr?edible intervals?)"
_RANGE = rf"(?P<low>{_END}){_TO}(?P<high>{_END})"
_START = r"(?<![\w.,])(?<![\d%)][-−])(?<![A-Za-z]-)(?<![A-Za-z]/)"
_STOP = r"(?![A-Za-z\d_])(?![.,]\d)"

_FRACTION = r"(?P<hits>\d{1,7})\s?(?:/|\bof\b|\bout of\b)\s?(?P<of>\d{1,7})(?![\d%.]|\s?%|/)"
_HEAD = regex(
    rf"{_START}(?:(?P<fraction>(?P<hits>\d{{1,7}})\s?/\s?(?P<of>\d{{1,7}})(?![\d%./]|\s?/\s?\d|\s?%))"
    rf"|(?P<value>{NUMBER})(?P<percent>{_PERCENT})?){_STOP}"
)
_SPREAD = regex(
    rf"\s?[$]?\s?(?:\(\s?)?_?\{{?\s?{_PM}\s?(?P<spread>{NUMBER})(?P<percent>{_PERCENT})?\s?\}}?(?:\s?\))?[$]?(?P<late>{_PERCENT})?"
)
_NAMED_SPREAD = regex(
    r"\s?(?:[(\[]|,|with an?|and an?)\s?(?:an?\s)?"
    r"(?P<kind>sd|std|s\.d\.|std\.? dev\.?|standard deviation|se|s\.e\.|sem|standard error)"
    rf"(?:\s?(?:of|:|=|±)\s?|\s)(?P<spread>{NUMBER})(?P<percent>{_PERCENT})?\s?[)\]]?",
    re.IGNORECASE,
)
_INTERVAL = regex(
    rf"\s{{0,40}}(?:[(\[]|[,;:])?\s?{_LEVEL}{_CI}\s?(?:was|were|of)?\s?[:=,]?\s?[(\[]?\s?{_RANGE}\s?[)\]]{{0,2}}",
    re.IGNORECASE,
)
_BARE_INTERVAL = regex(rf"\s?[(\[]\s?(?P<kind>range|IQR|min-max)?:?\s?{_RANGE}\s?[)\]]", re.IGNORECASE)
_INNER_FRACTION = regex(rf"\s?[(\[]\s?{_FRACTION}\s?(?P<more>[;,]?\s?(?=\d{{2}}\s?%|CI)|[)\]])", re.IGNORECASE)
_EQUALS_VALUE = regex(rf"\s?(?:=|[(\[])\s?(?P<value>{NUMBER})(?P<percent>{_PERCENT})?(?P<more>[;,]\s?|\s?[)\]])?")
_PLAIN_RANGE = regex(rf"{_START}{_RANGE}{_STOP}")
_BETWEEN = regex(
    r"\b(?:between|ranging from|range of|ranged from|ranges from)\s"
    rf"(?P<low>{_END})\s(?:and|to)\s(?P<high>{_END}){_STOP}",
    re.IGNORECASE,
)
_RELATIONS = (
    (
        Relation.ABOUT,
        regex(
            r"(?:about|approximately|approx\.?|around|nearly|almost|roughly|circa|ca\.|close to|~|≈|\u223c)\s?$",
            re.IGNORECASE,
        ),
    ),
    (
        Relation.ABOVE,
        regex(
            r"(?:above|over|more than|greater than|higher than|at least|exceed(?:s|ing|ed)?|≥|>|>=|up from)\s?$",
            re.IGNORECASE,
        ),
    ),
    (Relation.BELOW, regex(r"(?:below|under|less than|lower than|at most|up to|≤|<|<=)\s?$", re.IGNORECASE)),
)
_RANGES = {"range": IntervalKind.RANGE, "min-max": IntervalKind.RANGE, "iqr": IntervalKind.QUARTILES}
_KINDS = {"sd": SpreadKind.DEVIATION, "std": SpreadKind.DEVIATION, "st": SpreadKind.DEVIATION, "se": SpreadKind.ERROR}


@dataclass(frozen=True, slots=True)
class Quantity:
    """A printed value with all that belongs to it, and the characters that it covers."""

    start: int
    end: int
    number: Number | None = None
    spread: Spread | None = None
    interval: Interval | None = None
    fraction: CountFraction | None = None
    relation: Relation = Relation.EQUAL

    @property
    def whole(self) -> int | None:
        """The value, if it is a bare whole number."""
        plain = self.number is not None and self.number.digits.isdigit() and not self.number.percent
        return int(self.number.digits) if plain and self.number else None


def number_of(text: str, *, percent: bool = False) -> Number:
    """The number that a text prints: "94,5" is 94.5, "1,250" is 1250, ".91" is 0.91."""
    told = text.strip().replace("−", "-").lstrip("<>≤≥ ")
    signed = re.sub(r"\s?\\?%|\s?percent", "", told)
    digits = signed.lstrip("+")
    if re.fullmatch(r"-?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?", digits):
        digits = digits.replace(",", "")
    digits = digits.replace(",", ".")
    if digits.startswith((".", "-.")):
        digits = digits.replace(".", "0.", 1)
    if "e" in digits.lower():
        digits = _without_exponent(digits)
    return Number(digits, percent or signed != told)


def _without_exponent(digits: str) -> str:
    mantissa, _, exponent = digits.lower().partition("e")
    places = len(mantissa.partition(".")[2]) - int(exponent)
    return f"{float(digits):.{max(0, min(places, 30))}f}"


def find_quantities(text: str) -> Iterator[Quantity]:
    """The quantities of a text from left to right."""
    at = 0
    between = _BETWEEN.search(text)
    while (head := _next_head(text, at, between)) is not None:
        yield head
        at = max(head.end, at + 1)
        if between is not None and between.start() < at:
            between = _BETWEEN.search(text, at)


def _next_head(text: str, at: int, between: re.Match[str] | None) -> Quantity | None:
    """The first quantity from a place on; `between` is the first range in words from there on."""
    head = _HEAD.search(text, at)
    if between is not None and head is not None and between.start() < head.start():
        low, high = _ends(between["low"], between["high"], None)
        return Quantity(between.start("low"), between.end(), interval=Interval(low, high, IntervalKind.RANGE))
    if head is None:
        return None
    ranged = _PLAIN_RANGE.match(text, head.start())
    change = re.search(r"(?i)\bfrom\s$", text[max(0, head.start() - 6) : head.start()])  # from one value to another
    if ranged is not None and change is None and _is_range(ranged):
        low, high = _ends(ranged["low"], ranged["high"], None)
        return Quantity(head.start(), ranged.end(), interval=Interval(low, high, IntervalKind.RANGE))
    return _completed(text, head)


def _is_range(match: re.Match[str]) -> bool:
    """Two ends that a dash or "to" joins; a comma or "and" joins the values of a list."""
    joint = match.string[match.end("low") : match.start("high")].strip()
    if joint not in {"-", "–", "—", "−", "to", "~", "--"}:
        return False
    low, high = number_of(match["low"]), number_of(match["high"])
    shares = all("." in end.digits or end.percent for end in (low, high))
    return shares and low.value < high.value


def _completed(text: str, head: re.Match[str]) -> Quantity:
    """The value with the spread, interval and fraction that follow it."""
    end = head.end()
    if head["fraction"]:
        found = Quantity(head.start(), end, fraction=CountFraction(int(head["hits"]), int(head["of"])))
        if found.fraction is not None and found.fraction.hits > found.fraction.total:
            cut = head.end("hits")
            return Quantity(head.start(), cut, number_of(head["hits"]))
        equal = _EQUALS_VALUE.match(text, end)
        if equal is not None and _looks_like_share(equal):
            number = number_of(equal["value"], percent=bool(equal["percent"]))
            found, end = replace(found, number=number), equal.end()
    else:
        found = Quantity(head.start(), end, number_of(head["value"], percent=bool(head["percent"])))
    found = replace(found, end=end, relation=_relation(text[max(0, head.start() - 24) : head.start()]))
    for _ in range(4):
        longer = _longer(text, found)
        if longer is None:
            break
        found = longer
    return found


def _looks_like_share(match: re.Match[str]) -> bool:
    return bool(match["percent"]) or "." in match["value"] or "," in match["value"]


def _relation(before: str) -> Relation:
    return next((kind for kind, pattern in _RELATIONS if pattern.search(before)), Relation.EQUAL)


def _longer(text: str, found: Quantity) -> Quantity | None:
    """The quantity with what follows it: a spread, a fraction, an interval, of each kind at most one."""
    steps = (
        *((_with_spread, _with_named_spread) if found.spread is None else ()),
        *((_with_fraction,) if found.fraction is None else ()),
        *((_with_stated_interval, _with_bare_interval) if found.interval is None else ()),
    )
    return next((longer for step in steps if (longer := step(text, found)) is not None), None)


def _with_spread(text: str, found: Quantity) -> Quantity | None:
    match = _SPREAD.match(text, found.end)
    if match is None:
        return None
    own = bool(match["percent"] or match["late"])
    number = replace(found.number, percent=True) if own and found.number is not None else found.number
    spread = Spread(number_of(match["spread"], percent=own or _in_percent(found)))
    return replace(found, number=number, spread=spread, end=match.end())


def _with_named_spread(text: str, found: Quantity) -> Quantity | None:
    match = _NAMED_SPREAD.match(text, found.end)
    if match is None:
        return None
    kind = _KINDS.get(match["kind"].lower().replace(".", "")[:3].strip(), SpreadKind.DEVIATION)
    kind = SpreadKind.ERROR if match["kind"].lower() in {"standard error", "sem"} else kind
    spread = Spread(number_of(match["spread"], percent=bool(match["percent"]) or _in_percent(found)), kind)
    return replace(found, spread=spread, end=match.end())


def _with_fraction(text: str, found: Quantity) -> Quantity | None:
    match = _INNER_FRACTION.match(text, found.end)
    if match is None or int(match["hits"]) > int(match["of"]):
        return None
    return replace(found, fraction=CountFraction(int(match["hits"]), int(match["of"])), end=match.end())


def _with_stated_interval(text: str, found: Quantity) -> Quantity | None:
    match = _INTERVAL.match(text, found.end)
    return _with_interval(found, match, IntervalKind.CONFIDENCE, match["level"] or "95") if match else None


def _with_bare_interval(text: str, found: Quantity) -> Quantity | None:
    match = _BARE_INTERVAL.match(text, found.end)
    if match is None or not _surrounds(found, *_ends(match["low"], match["high"], found.number)):
        return None
    return _with_interval(found, match, _RANGES.get((match["kind"] or "").lower(), IntervalKind.UNSTATED), "")


def _in_percent(found: Quantity) -> bool:
    return found.number is not None and found.number.percent


def _with_interval(found: Quantity, match: re.Match[str], kind: IntervalKind, level: str) -> Quantity | None:
    low, high = _ends(match["low"], match["high"], found.number)
    if low.value > high.value:
        return None
    return replace(found, interval=Interval(low, high, kind, level), end=match.end())


def _ends(low: str, high: str, number: Number | None) -> tuple[Number, Number]:
    first, last = number_of(low), number_of(high)
    percent = first.percent or last.percent or (number is not None and number.percent)
    return replace(first, percent=percent), replace(last, percent=percent)


def _surrounds(found: Quantity, low: Number, high: Number) -> bool:
    """Whether two bare numbers in brackets can be an interval about the value."""
    if found.number is None:
        return False
    return low.value <= found.number.value <= high.value and low.value < high.value


_MARKS = regex(r"^[\s*†‡§#$~≈]*|[\s*†‡§#$↑↓▲▼]*$|\^\{?[a-z*†‡\d]\}?$|(?<=\d)\s?[*†‡§]+(?=\s?±)")
_MISSING = frozenset(
    {
        "",
        "-",
        "--",
        "---",
        "–",
        "—",
        "−",
        "/",
        "?",
        "…",
        "...",
        "na",
        "n/a",
        "n.a.",
        "nan",
        "none",
        "nr",
        "n.r.",
        "·",
        "x",
        "✓",
        "✗",
    }
)
_ALONE = regex(
    rf"(?P<value>{NUMBER})(?P<percent>{_PERCENT})?\s?[(\[]\s?(?P<inner>{NUMBER})(?P<late>{_PERCENT})?\s?[)\]]"
)


_ENDS = regex(rf"[(\[]\s?{_RANGE}\s?[)\]]")


def read_cell(text: str) -> Quantity | None:
    """The quantity that fills a whole cell; a single number in brackets behind the value counts as its spread."""
    plain = _MARKS.sub("", " ".join(text.split()))
    if len(plain) > 120:
        return None
    alone = _ALONE.fullmatch(plain)
    if alone is not None:
        percent = bool(alone["percent"])
        spread = Spread(number_of(alone["inner"], percent=percent or bool(alone["late"])))
        return Quantity(0, len(plain), number_of(alone["value"], percent=percent), spread=spread)
    ends = _ENDS.fullmatch(plain)
    if ends is not None:
        low, high = _ends(ends["low"], ends["high"], None)
        return Quantity(0, len(plain), interval=Interval(low, high))
    found = next(find_quantities(plain), None)
    rest = "" if found is None else plain[: found.start] + plain[found.end :]
    return found if found is not None and not rest.strip(" *†‡§.<>≈~≥≤") else None


def unpadded(figures: Sequence[str]) -> tuple[str, ...]:
    """Printed figures without the zeros that end every one of several: these may have been added to look alike.

    "69.00, 47.00, 56.00" may be 69, 47 and 56 from another paper, so that the zeros are no precision.
    """
    numbers = [figure.rstrip("%") for figure in figures]
    if len(numbers) < 2 or any("." not in n or "±" in n for n in numbers):
        return tuple(figures)
    zeros = min(min(len(n) - len(n.rstrip("0")), len(n.partition(".")[2])) for n in numbers)
    cut = (
        n[: len(n) - zeros].rstrip(".") + "%" * figure.endswith("%") for n, figure in zip(numbers, figures, strict=True)
    )
    return tuple(cut) if zeros else tuple(figures)


def like_score(quantity: Quantity | None) -> bool:
    """Whether a quantity could be a score: with decimals or a percent sign, and not above 100."""
    number = quantity.number if quantity is not None else None
    return number is not None and ("." in number.digits or number.percent) and 0 <= number.value <= 100


def is_missing(text: str) -> bool:
    """Whether a cell says that nothing is reported."""
    return text.strip().lower() in _MISSING
