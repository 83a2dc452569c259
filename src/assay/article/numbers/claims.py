"""Claims about numbers that a sentence makes, and those that do not hold.

Arithmetic is exact. A share is accepted when any usual way of rounding gives the printed digits.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import chain

from assay.article.numbers.best import best_clashes
from assay.article.numbers.clash import Clash, ClashKind
from assay.article.numbers.columns import column_clashes
from assay.article.numbers.repeats import repeat_clashes
from assay.article.numbers.sentences import sentence_clashes
from assay.article.numbers.slips import slip_clashes
from assay.article.numbers.summaries import bold_clashes, summary_clashes
from assay.article.reading.paper import Paper, Sentence
from assay.article.tables import Grid, Kind, grids_of
from assay.article.tables.scores import score_rows
from assay.findings import Location
from assay.patterns import regex

_COUNT = r"(?P<{}>\d{{1,3}}(?:,\d{{3}})+|\d{{1,7}})"
_PART, _WHOLE = _COUNT.format("part"), _COUNT.format("whole")
_SHARE = r"(?P<share>\d{1,3}(?:\.\d{1,4})?)\s?(?:%|percent|per cent)"
_OF = r"(?:\s?/\s?|\s+(?:out\s+)?of\s+(?:the\s+|all\s+|these\s+|our\s+)?)"
_NOUNS = r"(?:\s+[A-Za-z][\w-]*){0,4}"
_SHARES = (
    regex(
        rf"(?<![\d.,/]){_PART}{_OF}{_WHOLE}(?![\d.,]*\d){_NOUNS}\s*(?:[(\[]|,\s(?:i\.e\.,?|or)\s)\s*{_SHARE}(?!\s?[A-Za-z-])"
    ),
    regex(rf"(?<![\d.]){_SHARE}\s*[(\[]\s*(?:n\s*=\s*)?{_PART}{_OF}{_WHOLE}(?![\d.,]*\d)"),
)
_SHARED_OUT = regex(r"\b(?:each|per|every|apiece|times)\b|×", re.IGNORECASE)
"""So many of one thing with so many of another: a product, not parts."""
_FEWEST_WORDS = 2
"""Words in small letters that a sentence has."""
_ENGLISH = ("we", "our", "the", "of", "and", "is", "are", "was", "were", "with", "for", "that", "this", "by", "from")
_ENGLISH_SHARE = 0.05
"""These words are a fifth to a third of English text, and hardly occur in others."""
_FEWEST_TO_TELL = 100
"""Fewer words do not show which language they are in."""
_CAPTION_INSIDE = regex(r"\S\s+(?:Table|Figure|Tab\.|Fig\.)\s+\d{1,3}\s?:\s")
_CELLS_INSIDE = regex(r"(?:\d+\.\d+%?\s+){4}")
_WHO = r"\s+[A-Za-z][A-Za-z -]{1,30}?\s*"
_PARTS = regex(
    rf"(?<![\d.,]){_WHOLE}\s+[A-Za-z][\w-]*\s*\(\s*{_COUNT.format('first')}{_WHO}(?:,|and|/|;|\+)"
    rf"\s*{_COUNT.format('second')}{_WHO}\)"
)


def clashes(paper: Paper) -> Iterator[Clash]:
    """Every claim of the paper's text and captions that does not hold."""
    for sentence in (*paper.sentences, *paper.captions):
        if not sentence.cites:
            yield from shares(sentence.text, sentence.location)
            yield from parts(sentence)
            yield from sentence_clashes(sentence)
    grids = list(grids_of(paper))
    rows = [list(score_rows(grid)) for grid in grids]
    running = [sentence for sentence in paper.sentences if is_running_text(sentence.text)]
    yield from chain.from_iterable(map(_in_table, grids))
    if is_english(running):
        yield from best_clashes(running, rows)
    yield from slip_clashes(paper, grids, [sentence for sentence in running if not sentence.cites])
    yield from repeat_clashes(rows)


def _in_table(grid: Grid) -> Iterator[Clash]:
    for cell in dict.fromkeys(cell.text for row in grid.rows for cell in row if cell.kind is Kind.TEXT):
        yield from shares(cell, grid.location)
    yield from summary_clashes(grid)
    yield from bold_clashes(grid)
    yield from column_clashes(grid)


def is_english(sentences: Sequence[Sentence]) -> bool:
    """Whether a text is in English: what a sentence compares, or hedges, is known for no other language."""
    words = Counter(word for sentence in sentences for word in sentence.text.lower().split())
    english = sum(words[word] for word in _ENGLISH)
    return words.total() < _FEWEST_TO_TELL or english >= _ENGLISH_SHARE * words.total()


def is_running_text(text: str) -> bool:
    """Whether a sentence is one, and no table or caption that a PDF's text layer put among the text."""
    if _CAPTION_INSIDE.search(text) or _CELLS_INSIDE.search(text):
        return False
    tokens = text.split()
    words = [token for token in tokens if token.strip(".,;:()").isalpha() and token.strip(".,;:()").islower()]
    return len(words) >= _FEWEST_WORDS and 2 * len(words) >= len(tokens) - len(words)


def shares(text: str, location: Location) -> Iterator[Clash]:
    """The share must follow from the counts, as in "17 of 30 (57 %)"."""
    for pattern in _SHARES:
        for match in pattern.finditer(text):
            part, whole = _number(match["part"]), _number(match["whole"])
            if not 0 <= part <= whole or whole == 0:
                continue
            if not rounds_to(Fraction(100 * part, whole), match["share"]):
                exact = f"{100 * part / whole:.4g} %"
                yield Clash(ClashKind.SHARE, match[0], location, f"{match['share']} %", exact)


def parts(sentence: Sentence) -> Iterator[Clash]:
    """The parts must add up, as in "101 patients (60 men and 41 women)"."""
    for match in _PARTS.finditer(sentence.text):
        whole, first, second = (_number(match[name]) for name in ("whole", "first", "second"))
        shared_out = _SHARED_OUT.search(match[0]) or first * second == whole
        if first + second != whole and max(first, second) <= whole and not shared_out:
            total = f"{first} + {second} = {first + second}"
            yield Clash(ClashKind.PARTS, match[0], sentence.location, str(whole), total)


def rounds_to(value: Fraction, printed: str) -> bool:
    """Whether some usual rounding (to the nearest, a tie either way; cut off) gives the printed digits."""
    unit = Fraction(1, 10 ** len(printed.partition(".")[2]))
    shown = Fraction(printed)
    return abs(value - shown) <= unit / 2 or shown <= value < shown + unit


def _number(text: str) -> int:
    return int(text.replace(",", ""))
