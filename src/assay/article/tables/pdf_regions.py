"""Where tables stand on a page of a PDF: between horizontal rules, else under a caption in lines with wide gaps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import median

from assay.article.reading.paper import Page, Word
from assay.patterns import regex
from assay.records import dataclass

CAPTION = regex(
    r"(?:Supplementary\s+|Appendix\s+)?(?:Table|TABLE|Tab\.)\s*(?:[A-Z]?\.?\d{1,3}|[IVX]{1,5})\b(?!\s+[a-z])(?!\s?[,)])"
)
"""A caption goes on with a point, a colon or a capital; "Table 5 shows" is a sentence."""
_FLOAT = regex(r"(?:Table|TABLE|Tab\.|Figure|FIGURE|Fig\.|Algorithm)\s*(?:[A-Z]?\.?\d{1,3}|[IVX]{1,5})\b")
_SHORTEST_RULE = 40.0
_SAME_EDGE = 4.0
"""Points by which the ends of two rules of one table may differ."""
_TOUCHING = 1.5
_ONE_ROW = 18.0
"""Frames no further apart than a row are parts of one table."""
_WORDS_OF_TEXT = 9
"""So many words without a wide gap are running text, not a row of a table."""
_CAPTION_LINES = 9


@dataclass(frozen=True, slots=True)
class Rule:
    """A horizontal line."""

    left: float
    right: float
    height: float

    @property
    def width(self) -> float:
        """Its length."""
        return self.right - self.left


@dataclass(frozen=True, slots=True)
class Line:
    """Words at one height, from left to right."""

    words: tuple[Word, ...]

    @property
    def middle(self) -> float:
        """Half the height of its words."""
        return median((w.bottom + w.top) / 2 for w in self.words)

    @property
    def size(self) -> float:
        """The usual height of its letters."""
        return max(median(w.top - w.bottom for w in self.words), 4.0)

    @property
    def text(self) -> str:
        """Its words."""
        return " ".join(w.text for w in self.words)

    def pieces(self, gap: float) -> list[tuple[Word, ...]]:
        """Words that stand closer together than `gap`."""
        pieces: list[list[Word]] = []
        for word in self.words:
            if pieces and word.left - pieces[-1][-1].right < gap:
                pieces[-1].append(word)
            else:
                pieces.append([word])
        return [tuple(piece) for piece in pieces]


@dataclass(frozen=True, slots=True)
class Region:
    """A table's place on a page, its lines from top to bottom, the rules inside it, and its caption."""

    lines: tuple[Line, ...]
    rules: tuple[Rule, ...]
    left: float
    right: float
    caption: str


def lines_of(words: Sequence[Word]) -> list[Line]:
    """Words put into lines, from the top of the page to its foot."""
    lines: list[list[Word]] = []
    for word in sorted(words, key=lambda w: (-(w.bottom + w.top), w.left)):
        middle = (word.bottom + word.top) / 2
        if lines and median((w.bottom + w.top) / 2 for w in lines[-1]) - middle < 0.45 * max(word.top - word.bottom, 5):
            lines[-1].append(word)
        else:
            lines.append([word])
    return [Line(tuple(sorted(line, key=lambda w: w.left))) for line in lines]


def regions_of(page: Page) -> Iterator[Region]:
    """The tables of a page."""
    captions: set[str] = set()
    taken: set[Word] = set()
    for frame in _joined(_ruled(page)):
        inside = [w for w in page.words if _inside(w, frame.rule, frame.top, frame.bottom)]
        if not inside:
            continue
        caption = _caption_beside(page, frame)
        captions.add(caption)
        taken.update(inside)
        partial = tuple(r for r in _rules(page) if frame.bottom <= r.height <= frame.top and _within(r, frame.rule))
        yield Region(tuple(lines_of(inside)), partial, frame.rule.left, frame.rule.right, caption)
    rest = replace(page, words=tuple(w for w in page.words if w not in taken))
    yield from _unruled(rest, captions)


@dataclass(frozen=True, slots=True)
class _Frame:
    """The stretch between the first and the last rule of a table; `rule` has its width."""

    rule: Rule
    top: float
    bottom: float


def _joined(frames: Iterable[_Frame]) -> list[_Frame]:
    """Frames with at most a row between them are one table: headings may leave the corner over the labels empty."""
    joined: list[_Frame] = []
    for frame in sorted(frames, key=lambda one: -one.top):
        last = joined[-1] if joined else None
        if last and 0 <= last.bottom - frame.top + _TOUCHING <= _ONE_ROW and _overlap(last.rule, frame.rule) > 0:
            ends = Rule(min(last.rule.left, frame.rule.left), max(last.rule.right, frame.rule.right), last.top)
            joined[-1] = _Frame(ends, last.top, frame.bottom)
        else:
            joined.append(frame)
    return joined


def _overlap(one: Rule, other: Rule) -> float:
    return min(one.right, other.right) - max(one.left, other.left)


def _rules(page: Page) -> list[Rule]:
    """Horizontal lines from the top of the page, pieces that touch each other made one."""
    flat = sorted((-round(b), left, right, (b + t) / 2) for left, b, right, t in page.rules if t - b <= 3)
    joined: list[Rule] = []
    for _, left, right, height in flat:
        last = joined[-1] if joined else None
        if last and abs(last.height - height) <= 1 and left <= last.right + _TOUCHING:
            joined[-1] = Rule(min(last.left, left), max(last.right, right), last.height)
        else:
            joined.append(Rule(left, right, height))
    return [rule for rule in joined if rule.width >= 8]


def _ruled(page: Page) -> Iterator[_Frame]:
    """Stretches between rules of the same ends with rows of a table between them."""
    left_over = [rule for rule in _rules(page) if rule.width >= _SHORTEST_RULE]
    while left_over:
        first, *others = left_over
        table = [first, *_further_rules(page, first, others)]
        left_over = [rule for rule in others if not _belongs(rule, table)]
        if len(table) > 1:
            yield _Frame(first, first.height, table[-1].height)


def _belongs(rule: Rule, table: Sequence[Rule]) -> bool:
    """Whether a rule is one of a table's, or a shorter one inside it."""
    inside = len(table) > 1 and _within(rule, table[0]) and rule.height >= table[-1].height
    return rule in table or inside


def _further_rules(page: Page, first: Rule, others: Sequence[Rule]) -> Iterator[Rule]:
    """The rules below with the same ends, up to one that running text stands before."""
    top = first.height
    for rule in (rule for rule in others if _same_ends(first, rule)):
        between = [w for w in page.words if _inside(w, first, top, rule.height)]
        if any(is_running_text(line, first.width) for line in lines_of(between)):
            return
        yield rule
        top = rule.height


def _same_ends(one: Rule, other: Rule) -> bool:
    return abs(one.left - other.left) <= _SAME_EDGE and abs(one.right - other.right) <= _SAME_EDGE


def _within(rule: Rule, whole: Rule) -> bool:
    return rule.left >= whole.left - _SAME_EDGE and rule.right <= whole.right + _SAME_EDGE


def _inside(word: Word, rule: Rule, top: float, bottom: float) -> bool:
    middle, centre = (word.bottom + word.top) / 2, (word.left + word.right) / 2
    return bottom < middle < top and rule.left - 2 <= centre <= rule.right + 2


def is_running_text(line: Line, width: float) -> bool:
    """Whether a line is a caption or a sentence: many words without a wide gap, over most of the width."""
    if _FLOAT.match(line.text):
        return True
    longest = max(line.pieces(1.2 * line.size), key=len)
    words = sum(any(sign.isalpha() for sign in w.text) for w in longest)
    return words >= _WORDS_OF_TEXT and longest[-1].right - longest[0].left > 0.7 * width


def _column(page: Page, left: float, right: float) -> tuple[float, float]:
    """The ends of the column of text that a table stands in: half the page where nothing crosses its middle."""
    middle = page.width / 2
    crossing = sum(w.left < middle - 2 and w.right > middle + 2 for w in page.words)
    two = crossing <= len(page.words) / 20
    if two and right <= middle + 12:
        return 0.0, middle
    if two and left >= middle - 12:
        return middle, page.width
    return 0.0, page.width


def _caption_beside(page: Page, frame: _Frame) -> str:
    """The caption right above or right below."""
    left, right = _column(page, frame.rule.left, frame.rule.right)
    own = _between(page, left, right)
    above = lines_of([w for w in own if w.bottom > frame.top])[-_CAPTION_LINES:]
    begins = [at for at, line in enumerate(above) if CAPTION.match(line.text)]
    if begins:
        return _cut(" ".join(line.text for line in above[begins[-1] :]))
    below = lines_of([w for w in own if w.top < frame.bottom])[:_CAPTION_LINES]
    first = next((at for at, line in enumerate(below[:2]) if CAPTION.match(line.text)), None)
    return "" if first is None else _cut(" ".join(line.text for line in _paragraph(below[first:])))


def _between(page: Page, left: float, right: float) -> list[Word]:
    """The words whose middle stands between the ends of a column."""
    return [w for w in page.words if left <= (w.left + w.right) / 2 <= right]


def _paragraph(lines: Sequence[Line]) -> list[Line]:
    """The first lines that follow each other closely."""
    kept = list(lines[:1])
    for before, line in pairwise(lines):
        if before.middle - line.middle > 2.2 * max(before.size, 6):
            break
        kept.append(line)
    return kept


def _cut(caption: str) -> str:
    return caption[:1_000]


def _unruled(page: Page, taken: set[str]) -> Iterator[Region]:
    """Tables without rules: lines with wide gaps below a caption that no ruled table has."""
    pieces = [(line, piece) for line in lines_of(page.words) for piece in line.pieces(3 * line.size)]
    for line, piece in pieces:
        text = " ".join(w.text for w in piece)
        if not CAPTION.match(text) or _begins_with(taken, text[:40]):
            continue
        left, right = _column(page, piece[0].left, piece[-1].right)
        below = lines_of([w for w in _between(page, left, right) if w.top < line.middle])
        caption, body = _below_caption(text, below, right - left)
        yield from [_unruled_region(body, caption)] if len(body) > 1 else ()


def _begins_with(captions: set[str], text: str) -> bool:
    return any(caption.startswith(text) for caption in captions)


def _unruled_region(body: Sequence[Line], caption: str) -> Region:
    left, right = min(line.words[0].left for line in body), max(line.words[-1].right for line in body)
    return Region(tuple(body), (), left, right, _cut(caption))


def _below_caption(caption: str, lines: Sequence[Line], width: float) -> tuple[str, list[Line]]:
    """The rest of the caption, and the lines of the table below it."""
    body: list[Line] = []
    for line in lines:
        cells = line.pieces(1.2 * line.size)
        if body and (body[-1].middle - line.middle > 4 * max(line.size, 6) or is_running_text(line, width)):
            break
        if body or len(cells) > 1:
            body.append(line)
        elif len(caption) < 600:
            caption = f"{caption} {line.text}"
    return caption, body
