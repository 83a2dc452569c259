"""Running text: which number belongs to which name.

Names and quantities of a sentence form a line. Lists are matched first ("a and b were 1 and 2"), then every other
quantity takes the name directly before or after it, such that as few numbers as possible are left over and as little
as possible stands between the two. What is left over is listed as not understood.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence

from assay.patterns import regex
from assay.records import dataclass, replace
from assay.reported.asides import find_asides, mask
from assay.reported.model import (
    Aside,
    AsideKind,
    Averaging,
    Figure,
    Number,
    Over,
    Reading,
    Reason,
    Row,
    ScoreName,
    Size,
    SizeKind,
    Span,
    Unread,
)
from assay.reported.names import Found, Range, find_names, range_of
from assay.reported.numbers import Quantity, find_quantities
from assay.reported.sizes import find_sizes

_UNMATCHED = 2.5
"""What an unexplained number costs; a pair that costs more than this is never made."""
_MARGIN = 0.2
"""Two ways of pairing that differ by less are ambiguous."""
_FARTHEST = 400
"""Characters; a name and a number that stand farther apart do not belong together."""
_WAYS = 8
"""Ways of pairing that are kept while a sentence is read."""


@dataclass(frozen=True, slots=True)
class _Item:
    """A name or a quantity, in the order of the text."""

    start: int
    end: int
    name: Found | None = None
    quantity: Quantity | None = None


@dataclass(frozen=True, slots=True)
class _Pairs:
    """A way of pairing: what it costs, its last pair of name and quantity, and the way that this one goes on from."""

    cost: float
    last: tuple[int, int] = (-1, -1)
    before: _Pairs | None = None

    def pairs(self) -> list[tuple[int, int]]:
        """Positions of name and quantity, from left to right."""
        found, way = [], self
        while way.before is not None:
            found.append(way.last)
            way = way.before
        return found[::-1]


def read_prose(text: str, *, offset: int = 0) -> Reading:
    """Running text: sentences, lists, lines of names and numbers."""
    asides = find_asides(text)
    masked = mask(text, [aside.span for aside in asides])
    sizes = list(find_sizes(masked))
    masked = mask(masked, [size.span for size in sizes])
    figures: list[Figure] = []
    unread: list[Unread] = []
    for start, end in _sentences(masked):
        read = _sentence(masked, start, end)
        figures += read[0]
        unread += read[1]
        asides += read[2]
    ends = [figure.span.end for figure in figures]
    sizes = [_bound(size, figures, ends, masked) for size in sizes]
    rows = tuple(_rows(text, figures))
    reading = Reading(rows, tuple(sizes), asides=tuple(asides), unread=tuple(unread), over=over_of(text))
    return shifted(reading, offset) if offset else reading


def _bound(size: Size, figures: Sequence[Figure], ends: Sequence[int], text: str) -> Size:
    """A count behind a score: "sensitivity 70 % (n = 10)" counts the positives, after a specificity the negatives."""
    meaning = {
        "sens": SizeKind.POSITIVES,
        "fnr": SizeKind.POSITIVES,
        "spec": SizeKind.NEGATIVES,
        "fpr": SizeKind.NEGATIVES,
    }
    if size.kind is not SizeKind.TOTAL or not re.search(
        r"\([nN]\s?=\s?$", text[max(0, size.span.start - 5) : size.span.start]
    ):
        return size
    before = bisect_right(ends, size.span.start) - 1
    if before < 0 or re.search(r"[^\s(nN=\0]", text[ends[before] : size.span.start]):
        return size
    return replace(size, kind=meaning.get(figures[before].score, size.kind))


# --- sentences ------------------------------------------------------------------------------------

_BREAK = regex(r"(?<=[^\W\d])\.(?=\s+[A-Z\d(])|(?<=[\d%)\]\0])\.(?=\s|$)|[;•]|\n\s*\n|\n(?=\s*[-*•|])|\n")
_CONTINUED = regex(
    r"(?:[,(/]|\b(?:and|of|was|were|is|are|the|a|an|with|to|for|in|on|by|at|or|respectively|than|our|that|which|achieved))\s*$",
    re.IGNORECASE,
)


def _sentences(text: str) -> list[tuple[int, int]]:
    """Sentences and lines; a line that ends in the middle of a sentence goes on in the next one."""
    pieces, start = [], 0
    for match in _BREAK.finditer(text):
        if match[0] == "\n" and _goes_on(text, start, match.start()):
            continue
        near = text[max(start, match.start() - _FARTHEST) : match.start()]
        if match[0] == "." and _abbreviated(near):
            continue
        if match[0] == ";" and _in_brackets(near):
            continue
        pieces.append((start, match.start()))
        start = match.end()
    pieces.append((start, len(text)))
    return [(a, b) for a, b in pieces if text[a:b].strip()]


def _in_brackets(before: str) -> bool:
    line = before[before.rfind("\n") + 1 :]
    return line.count("(") > line.count(")") or line.count("[") > line.count("]")


def _goes_on(text: str, start: int, end: int) -> bool:
    line = text[max(start, end - _FARTHEST) : end]
    following = text[end + 1 : end + 40].lstrip(" ")
    if re.match(r"\d{2}\s?%\s?CI", following):
        return True
    wrapped = len(line) > 50 and re.match(r"[a-z\d(]", following) is not None
    return _CONTINUED.search(line.rstrip()[-20:]) is not None or wrapped


_ABBREVIATIONS = (
    "acc",
    "prec",
    "rec",
    "sens",
    "spec",
    "al",
    "e.g",
    "i.e",
    "vs",
    "fig",
    "approx",
    "pos",
    "neg",
    "avg",
    "resp",
    "bal",
    "val",
)


def _abbreviated(before: str) -> bool:
    return before.lower().endswith(_ABBREVIATIONS) and not before.lower().endswith("overall")


def _sentence(text: str, start: int, end: int) -> tuple[list[Figure], list[Unread], list[Aside]]:
    piece = text[start:end]
    items, asides = _items(piece)
    if not _quantities(items):
        return [], [], asides_at(asides, start)
    listed, wrong = _lists(piece, items)
    settled = {at for pair in listed for at in pair} | wrong
    free = [at for at in range(len(items)) if at not in settled]
    chosen, unclear = _matched(piece, items, free)
    pairs = [*listed, *chosen]
    made = list(_made(items, pairs, _shared_averaging(items, listed)))
    figures = sorted((one for one in made if isinstance(one, Figure)), key=lambda figure: figure.span.start)
    unread = [one for one in made if isinstance(one, Unread)]
    left_over = _quantities(items) - {value for _, value in pairs}
    unread += [_left_over(piece, items[at], mismatched=at in wrong, unclear=at in unclear) for at in sorted(left_over)]
    left = [replace(one, span=_moved(one.span, start), context=context_of(piece, one.span)) for one in unread]
    return [replace(f, span=_moved(f.span, start)) for f in figures], left, asides_at(asides, start)


def _quantities(items: Sequence[_Item]) -> set[int]:
    """Where the quantities of a sentence stand among its items."""
    return {at for at, item in enumerate(items) if item.quantity is not None}


def _left_over(piece: str, item: _Item, *, mismatched: bool, unclear: bool) -> Unread:
    reason = Reason.SEVERAL_NAMES if unclear else Reason.NO_NAME
    reason = Reason.COUNT_MISMATCH if mismatched else reason
    return Unread(piece[item.start : item.end], reason, Span(item.start, item.end))


def _made(
    items: Sequence[_Item], pairs: Sequence[tuple[int, int]], shared: dict[int, Found]
) -> Iterator[Figure | Unread]:
    """The figures of pairs of names and quantities."""
    for name, value in pairs:
        found, quantity = shared.get(name, items[name].name), items[value].quantity
        if found is not None and quantity is not None:
            yield figure_of(found.name, quantity)


def _shared_averaging(items: Sequence[_Item], listed: Sequence[tuple[int, int]]) -> dict[int, Found]:
    """In "macro-averaged precision, recall and F1" the first word holds for the whole list."""
    shared: dict[int, Found] = {}
    averaging, before = Averaging.UNSTATED, -2
    for at, _ in listed:
        found = items[at].name
        if found is None:
            continue
        if at != before + 1:
            averaging = Averaging.UNSTATED
        averaging, before = (found.name.averaging if found.name.averaging is not Averaging.UNSTATED else averaging), at
        if found.name.score in {"ppv", "sens", "f1", "spec"}:
            shared[at] = replace(found, name=replace(found.name, averaging=averaging))
    return shared


def asides_at(asides: Iterable[Aside], offset: int) -> list[Aside]:
    """Asides of a piece, at their place in the whole text."""
    return [replace(aside, span=_moved(aside.span, offset)) for aside in asides]


def context_of(text: str, span: Span) -> str:
    """A few words around a place."""
    before = text[max(0, span.start - 40) : span.start].replace("\0", "·")
    after = text[span.end : span.end + 24].replace("\0", "·")
    before = before.partition(" ")[2] if span.start > 40 else before
    after = after.rpartition(" ")[0] if len(text) > span.end + 24 else after
    return " ".join(f"{before}{text[span.start : span.end]}{after}".split())


def _moved(span: Span, offset: int) -> Span:
    return replace(span, start=span.start + offset, end=span.end + offset)


_LEVEL = regex(r"\d{2}\s?\\?%?[- ]?(?:CI\b|C\.I\.|confidence)", re.IGNORECASE)


def _items(piece: str) -> tuple[list[_Item], list[Aside]]:
    names = list(find_names(piece, headings=_has_letter_list(piece)))
    asides = [Aside(m[0], AsideKind.LEVEL, Span(m.start(), m.end())) for m in _LEVEL.finditer(piece)]
    items = [_Item(found.start, found.end, name=found) for found in names]
    levels = {aside.span.start: aside.span.end for aside in asides}
    used: set[int] = set()
    for quantity in find_quantities(mask(piece, [Span(found.start, found.end) for found in names], "N")):
        if levels.get(quantity.start, -1) < quantity.end:
            items.append(_Item(quantity.start, quantity.end, quantity=quantity))
            used.update(range(quantity.start, quantity.end))
    asides = [aside for aside in asides if aside.span.start not in used]
    items = [item for item in items if item.name is None or item.start not in used]
    return sorted(items, key=lambda item: item.start), asides


_LETTERS = regex(r"\b[PR]\s?/\s?[RF]|\(P, ?R")


def _has_letter_list(piece: str) -> bool:
    return _LETTERS.search(piece) is not None


# --- lists ----------------------------------------------------------------------------------------

_LIST = regex(
    r"[\s(\[]*(?:,|/|&|and|or|as well as|,\s?and|\||along with|together with|plus|\+)[\s(\[]*(?:the\s|an?\s)?[\s(\[]*",
    re.IGNORECASE,
)
_LINK = regex(r"[\s\w'\u2019:=()\[\],%\-–→>*|\0@.]{0,90}")
_AFTER_VALUES = regex(
    r"[\s)\]]*(?:(?:for|in|in terms of|of|as|,)?\s*(?:the|our|its)?\s*(?:\w+\s){0,3})[\s(\[]*", re.IGNORECASE
)


def _runs(piece: str, items: Sequence[_Item], *, names: bool) -> list[tuple[int, int]]:
    """Stretches (first, last) of two or more names, or of two or more quantities, that only list words separate."""
    runs, at = [], 0
    while at < len(items):
        last = at
        while last + 1 < len(items) and _joined(piece, items, last, names):
            last += 1
        if last > at:
            runs.append((at, last))
        at = last + 1
    return runs


def _joined(piece: str, items: Sequence[_Item], at: int, names: bool) -> bool:
    one, other = items[at], items[at + 1]
    alike = bool(one.name) == names == bool(other.name)
    gap = piece[one.end : other.start]
    return alike and len(gap) < _FARTHEST and _LIST.fullmatch(gap.strip("\0").replace(")", "")) is not None


def _lists(piece: str, items: Sequence[_Item]) -> tuple[list[tuple[int, int]], set[int]]:
    """Pairs of listed names and listed quantities; and the quantities of lists of unequal length."""
    pairs: list[tuple[int, int]] = []
    wrong: set[int] = set()
    values = {run[0]: run for run in _runs(piece, items, names=False)}
    ending = {run[1]: run for run in values.values()}
    lone = _quantities(items) - values.keys()
    pairs += _changes(piece, items)
    for first, last in _runs(piece, items, names=True):
        if _is_one_score(items[first : last + 1]) or (first - 1 not in ending and _alternates(piece, items, first)):
            continue
        after = values.get(last + 1)
        before = ending.get(first - 1)
        if after is not None:
            _pair(pairs, wrong, (first, last), after)
        elif before is not None and _follows_values(piece[items[before[1]].end : items[first].start]):
            _pair(pairs, wrong, (first, last), before)
        elif last + 1 in lone:
            _one_for_all(piece, items, (first, last), pairs, wrong)
    return pairs, wrong


def _is_one_score(names: Sequence[_Item]) -> bool:
    """Whether a list names one score twice: "sensitivity/recall"."""
    return len({item.name.name.score for item in names if item.name is not None}) == 1


def _follows_values(gap: str) -> bool:
    return len(gap) < _FARTHEST and _AFTER_VALUES.fullmatch(gap) is not None


def _changes(piece: str, items: Sequence[_Item]) -> Iterator[tuple[int, int]]:
    """Both values of "accuracy rose from 80 % to 85 %" are accuracies."""
    for at in range(len(items) - 2):
        name, first, second = items[at : at + 3]
        if name.name is None or first.quantity is None or second.quantity is None:
            continue
        rising = re.search(r"\bfrom\s*$", piece[name.end : first.start]) is not None
        if rising and piece[first.end : second.start].strip() == "to":
            yield at, at + 1
            yield at, at + 2


def _alternates(piece: str, items: Sequence[_Item], first: int) -> bool:
    """Whether the first name of a list already has a value directly before it: "70 % accuracy and recall of …"."""
    return (
        first > 0
        and items[first - 1].quantity is not None
        and not piece[items[first - 1].end : items[first].start].strip(" (")
    )


def _pair(pairs: list[tuple[int, int]], wrong: set[int], names: tuple[int, int], values: tuple[int, int]) -> None:
    if names[1] - names[0] == values[1] - values[0]:
        pairs += zip(range(names[0], names[1] + 1), range(values[0], values[1] + 1), strict=True)
    else:
        wrong |= set(range(values[0], values[1] + 1)) | set(range(names[0], names[1] + 1))


def _one_for_all(
    piece: str, items: Sequence[_Item], names: tuple[int, int], pairs: list[tuple[int, int]], wrong: set[int]
) -> None:
    """Several names and one value: it holds for each of them when the text says so, and is unclear otherwise."""
    value = names[1] + 1
    gap = piece[items[names[1]].end : items[value].start]
    tail = piece[items[value].end : items[value].end + 8]
    if re.search(r"\b(?:both|each|all)\b", gap, re.IGNORECASE) or re.match(r"\s?each\b", tail):
        pairs += [(at, value) for at in range(names[0], names[1] + 1)]
    elif "," not in gap.strip() and _pair_cost(gap) < _UNMATCHED:
        own = (
            value + 1 < len(items)
            and items[value + 1].name
            and not piece[items[value].end : items[value + 1].start].strip(" (")
        )
        if not own:
            wrong |= {value, *range(names[0], names[1] + 1)}


# --- pairs ----------------------------------------------------------------------------------------

_CLOSING = ")"
_WORD = regex(r"[A-Za-z'\u2019]+|[^\w\s]")
_FREE = frozenset(
    [
        "of",
        "is",
        "was",
        "were",
        "are",
        "be",
        "at",
        "=",
        ":",
        "(",
        "[",
        "→",
        "->",
        "-",
        "–",
        ">",
        "reached",
        "achieved",
        "equals",
        "equal",
        "to",
        "with",
        "a",
        "an",
        "the",
        "only",
        "as",
        "high",
        "low",
        "score",
        "value",
        "values",
        "and*",
        "|",
        "@",
        "'",
        '"',
        "`",
        "*",
        "**",
        "↑",
        "↓",
        "by",
        "about",
        "approximately",
        "around",
        "nearly",
        "almost",
        "~",
        "≈",
        "obtained",
        "yielded",
        "being",
        "resulted",
        "in",
        "attained",
        "hit",
        "reaches",
        "achieves",
    ]
)


def _pair_cost(gap: str) -> float:
    """How far a quantity stands from the name before it."""
    cost = 0.0 if len(gap) < _FARTHEST else _UNMATCHED
    gap = gap[:_FARTHEST]
    for token in _WORD.findall(gap.replace("\0", " ").lower()):
        if token in {",", "|"}:
            cost += 1.0
        elif token in {"and", "or", "but", "while", "whereas", "versus", "vs", "than", "from"}:
            cost += 2.6
        elif token == _CLOSING:
            cost += 0.9
        elif token not in _FREE:
            cost += 0.15 if token.isalpha() else 0.1
    return cost


_OF_A_WHOLE = regex(r"\s?of\s(?:all\s|the\s|our\s)?(?:[\w-]+\s){1,4}(?:were|was|are|is)\s(?:then\s)?", re.IGNORECASE)


def _late_cost(gap: str) -> float:
    """How far a quantity stands from the name behind it: "88 % of all samples were classified correctly" is near."""
    cost = 0.3 if len(gap) < _FARTHEST else _UNMATCHED
    if _OF_A_WHOLE.fullmatch(gap):
        return cost
    gap = gap[:_FARTHEST]
    for token in _WORD.findall(gap.replace("\0", " ").lower()):
        if token in {"(", "[", "*", "**", "%", "on", "in", "overall", "of", "for", "the"}:
            cost += 0.05 if token in {"(", "[", "*", "**"} else 0.3
        elif token.isalpha() and token not in {"and", "or", "but", "while", "with", "at", "a", "an"}:
            cost += 0.6
        else:
            cost += 3.0
    return cost


def _matched(piece: str, items: Sequence[_Item], free: Sequence[int]) -> tuple[list[tuple[int, int]], set[int]]:
    """The cheapest pairs of neighbouring names and quantities; where two ways are as good, a quantity is unclear."""
    ways = [_Pairs(0.0)]
    for at, nearby in _with_neighbours(items, free):
        costs = [(name, _distance(piece, items[name], items[at])) for name in nearby]
        longer = [further for way in ways for further in _continued(way, at, costs)]
        ways = sorted(longer, key=lambda way: way.cost)[:_WAYS]
    best = ways[0].pairs()
    unclear = _unclear(ways)
    return [pair for pair in best if pair[1] not in unclear], unclear


def _with_neighbours(items: Sequence[_Item], free: Sequence[int]) -> Iterator[tuple[int, list[int]]]:
    """Every free quantity with the latest name before it and the name directly behind it."""
    latest: list[int] = []
    for place, at in enumerate(free):
        if items[at].name is not None:
            latest = [at]
        else:
            yield at, latest + [name for name in free[place + 1 : place + 2] if items[name].name is not None]


def _unclear(ways: Sequence[_Pairs]) -> set[int]:
    """The quantities that the two cheapest ways pair differently, if they cost about the same."""
    if len(ways) == 1 or ways[1].cost - ways[0].cost >= _MARGIN:
        return set()
    return {value for _, value in set(ways[0].pairs()) ^ set(ways[1].pairs())}


def _distance(piece: str, name: _Item, value: _Item) -> float:
    if name.start < value.start:
        return _pair_cost(piece[name.end : value.start])
    gap = piece[value.end : name.start]
    bracketed = gap.endswith("(") and piece[name.end : name.end + 1] == _CLOSING
    return _bracket_cost(gap) if bracketed else _late_cost(gap)


def _bracket_cost(gap: str) -> float:
    """How far a quantity stands from a name in brackets that explains it: "93 % of the patients (sensitivity)"."""
    words = _WORD.findall(gap[:_FARTHEST].replace("\0", " ").lower())
    apart = len(gap) >= _FARTHEST or any(word in {",", ";", ")", "and", "or"} for word in words)
    return _UNMATCHED if apart else 0.3 + 0.1 * len(words)


def _continued(way: _Pairs, at: int, costs: Sequence[tuple[int, float]]) -> Iterator[_Pairs]:
    """The ways to go on with one more quantity: left over, or with the name before or after it if that is free.

    Names are taken from left to right, so that of the names near this quantity only the last one can be taken.
    """
    yield replace(way, cost=way.cost + _UNMATCHED)
    for name, cost in costs:
        if name != way.last[0] and cost < _UNMATCHED:
            yield _Pairs(way.cost + cost, (name, at), way)


# --- figures --------------------------------------------------------------------------------------


def figure_of(name: ScoreName, quantity: Quantity) -> Figure | Unread:
    """The figure of a name and a quantity; what the score cannot be is not understood."""
    span = Span(quantity.start, quantity.end)
    number = quantity.number
    if number is not None:
        number = _scaled(number, name.score, name.percent)
        if number is None:
            return Unread(str(quantity.number), Reason.OUT_OF_RANGE, span)
    as_percent = number is not None and number.percent
    spread, interval = quantity.spread, quantity.interval
    if spread is not None and as_percent:
        spread = replace(spread, number=replace(spread.number, percent=True))
    if interval is not None:
        ends = [interval.low, interval.high]
        large = as_percent or (
            number is None and any(end.value > 1 for end in ends) and range_of(name.score) is Range.SHARE
        )
        low, high = (replace(end, percent=end.percent or large) for end in ends)
        interval = replace(interval, low=low, high=high)
    return Figure(name, number, span, quantity.relation, spread, interval, quantity.fraction)


_SMALLEST_PERCENT = 2
"""A bare share of 2 or more is a percentage; between 1 and 2 it is more likely a misprint."""


def _scaled(number: Number, score: str, percent: bool) -> Number | None:
    """The number as the score takes it; None when the score cannot have it."""
    kind = range_of(score)
    if kind is Range.COUNT:
        return number if number.digits.isdigit() and not number.percent else None
    if kind is Range.OPEN:
        return number
    if not number.percent and (percent or abs(number.value) >= _SMALLEST_PERCENT) and kind is not Range.BELOW_ONE:
        number = replace(number, percent=True, shifted=True)
    low = {Range.SIGNED: -1, Range.SHARE: 0}.get(kind)
    if score in {"bm", "mk"}:
        low = -1
    if number.value > 1 or (low is not None and number.value < low):
        return None
    return number


# --- rows -----------------------------------------------------------------------------------------

_LABEL = regex(r"^[\s*#•>\-–]*(?P<label>[^\n:=;]{1,60}?)[\s*]*(?P<mark>:|\s[-–—]\s)")
_LEADING = regex(r"^[\s*#•>\-–|]*(?P<label>[\w+./ -]{1,40}?)[\s*:|,–-]*$")
_GENERIC = regex(
    r"results?|test(?: set)?|validation(?: set)?|training|overall|metrics?|scores?|performance|classification report"
    r"|note"
    r"|conclusions?|abstract|methods?|summary|mean.*|average.*|.*\bfolds?\b.*|.*\bruns?\b.*|.*test set|.*\d\.\d.*",
    re.IGNORECASE
)  # fmt: skip


def _rows(text: str, figures: Sequence[Figure]) -> list[Row]:
    """Figures in the order of the text; a score that comes again, or a line with a label of its own, begins a row."""
    rows: list[tuple[str, list[Figure]]] = []
    known: set[tuple[str, ...]] = set()
    line = at = 0
    repeats = len({_identity(figure) for figure in figures}) < len(figures)
    for figure in figures:
        broken = text.rfind("\n", at, figure.span.start) + 1
        new_line, line, at = bool(broken) or not rows, broken or line, figure.span.start
        label = _label(text[line:at], colon_only=not repeats) if new_line else ""
        if not rows or label or _identity(figure) in known:
            rows.append((label, []))
            known.clear()
        rows[-1][1].append(figure)
        known.add(_identity(figure))
    return [_row(label, own) for label, own in rows]


def _identity(figure: Figure) -> tuple[str, ...]:
    name = figure.name
    return (name.score, name.averaging, name.label, name.role, name.qualifier)


def _label(before: str, *, colon_only: bool) -> str:
    """What a line says of whose scores follow; nothing when that is a score itself."""
    marked = _LABEL.match(before)
    label = ""
    if marked is not None and not list(find_names(marked["label"])):
        label = marked["label"]
    elif not colon_only:
        first = next(find_names(before), None)
        leading = _LEADING.match(before[: first.start]) if first is not None else None
        words = leading["label"].split() if leading else []
        if 0 < len(words) <= 4 and not {word.lower() for word in words} & (_FREE | {"our", "we", "on", "in"}):
            label = " ".join(words)
    label = label.strip(" *_`-–|\0")
    return "" if "\0" in label or _GENERIC.fullmatch(label) or label.isdigit() else label


_OF_CLASS = regex(r"(?:class|label)\s\S{1,20}|(?:the )?(?:positive|negative) class", re.IGNORECASE)


def _row(label: str, figures: Sequence[Figure]) -> Row:
    start, end = min(f.span.start for f in figures), max(f.span.end for f in figures)
    if _OF_CLASS.fullmatch(label):
        figures = [replace(f, name=replace(f.name, averaging=Averaging.CLASS, label=label)) for f in figures]
        return Row(tuple(figures), Span(start, end))
    return Row(tuple(figures), Span(start, end), model=label)


_MEAN = r"(?:mean|averaged?) (?:over|across|per|of) (?:the |all )?(?:\w+ )?"
_OVER = (
    (Over.FOLDS, regex(r"\bfolds?\b|cross[- ]?validat|\bCV\b|leave-one", re.IGNORECASE)),
    (
        Over.RUNS,
        regex(r"\b(?:runs|seeds|trials|repetitions|times and report|repeated)\b|\bn = \d+ runs", re.IGNORECASE),
    ),
    (Over.SUBJECTS, regex(_MEAN + r"(?:subjects|patients|participants)", re.IGNORECASE)),
    (Over.IMAGES, regex(_MEAN + r"(?:images?|cases|slices|volumes|scans)|per[- ]image", re.IGNORECASE)),
    (Over.SETS, regex(_MEAN + r"(?:data ?sets|tasks|benchmarks)", re.IGNORECASE)),
)


def over_of(text: str) -> Over:
    """What the numbers of a text are means over, where it says so."""
    return next((over for over, pattern in _OVER if pattern.search(text)), Over.UNSTATED)


def shifted(reading: Reading, offset: int) -> Reading:
    """The reading of a piece of a text, with its places in the whole text."""
    return replace(
        reading,
        rows=tuple(
            replace(
                row,
                span=_moved(row.span, offset) if row.span.start >= 0 else row.span,
                figures=tuple(
                    replace(f, span=_moved(f.span, offset) if f.span.start >= 0 else f.span) for f in row.figures
                ),
                sizes=tuple(
                    replace(s, span=_moved(s.span, offset) if s.span.start >= 0 else s.span) for s in row.sizes
                ),
            )
            for row in reading.rows
        ),
        sizes=tuple(replace(s, span=_moved(s.span, offset)) for s in reading.sizes),
        matrices=tuple(replace(m, span=_moved(m.span, offset)) for m in reading.matrices),
        asides=tuple(replace(a, span=_moved(a.span, offset) if a.span.start >= 0 else a.span) for a in reading.asides),
        unread=tuple(replace(u, span=_moved(u.span, offset) if u.span.start >= 0 else u.span) for u in reading.unread),
    )
