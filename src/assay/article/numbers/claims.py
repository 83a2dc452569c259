"""Claims about numbers that a sentence makes, and those that do not hold.

Arithmetic is exact. A share is accepted when any usual way of rounding gives the printed digits.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from assay.article.numbers.abstract import abstract_clashes
from assay.article.numbers.best import best_clashes
from assay.article.numbers.clash import Clash, ClashKind
from assay.article.numbers.columns import column_clashes
from assay.article.numbers.figures import Printed, agree, printed
from assay.article.numbers.repeats import repeat_clashes
from assay.article.numbers.sentences import sentence_clashes
from assay.article.numbers.summaries import bold_clashes, summary_clashes
from assay.article.reading.paper import Paper, Sentence
from assay.article.tables import ScoreRow, grids_of
from assay.article.tables.scores import score_rows
from assay.patterns import regex
from assay.reported import read_prose
from assay.reported.model import Figure, Relation

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
_NUMBER = regex(r"(?<![\w.,])\d{1,3}(?:\.\d{1,6})?\s?%?")
_SHORTEST_NAME = 4
_MOST_ROWS = 3
"""A method with more rows is measured in more ways than a sentence can be expected to name."""
_OURS = regex(r"\s*[(\[](?:ours?|proposed)(?: method| model)?[)\]]", re.IGNORECASE)
_FEWEST_WORDS = 3
"""Words in small letters that a sentence has."""
_COMPARES = regex(
    r"\b(?:than|compared|versus|vs|over|from|respectively|validation|training|baseline|previous|originally|instead"
    r"|without|when|if|improv\w*|gain\w*|drops?|increas\w*|decreas\w*|reduc\w*)\b",
    re.IGNORECASE,
)
"""Sentences that set two things against each other: which figure belongs to the row is not plain."""
_ENGLISH = ("we", "our", "the", "of", "and", "is", "are", "was", "were", "with", "for", "that", "this", "by", "from")
_ENGLISH_SHARE = 0.05
"""These words are a fifth to a third of English text, and hardly occur in others."""
_FEWEST_TO_TELL = 100
"""Fewer words do not show which language they are in."""
_CAPTION_INSIDE = regex(r"\S\s+(?:Table|Figure|Tab\.|Fig\.)\s+\d{1,3}\s?:\s")
_WHO = r"\s+[A-Za-z][\w -]{1,30}?\s*"
_PARTS = regex(
    rf"(?<![\d.,]){_WHOLE}\s+[A-Za-z][\w-]*\s*\(\s*{_COUNT.format('first')}{_WHO}(?:,|and|/|;|\+)"
    rf"\s*{_COUNT.format('second')}{_WHO}\)"
)


def clashes(paper: Paper) -> Iterator[Clash]:
    """Every claim of the paper's text and captions that does not hold."""
    for sentence in (*paper.sentences, *paper.captions):
        if not sentence.cites:
            yield from shares(sentence)
            yield from parts(sentence)
            yield from sentence_clashes(sentence)
    grids = list(grids_of(paper))
    rows = [list(score_rows(grid)) for grid in grids]
    running = [sentence for sentence in paper.sentences if is_running_text(sentence.text)]
    for grid in grids:
        yield from summary_clashes(grid)
        yield from bold_clashes(grid)
        yield from column_clashes(grid)
    if is_english(running):
        yield from abstract_clashes(paper, grids)
        yield from tables(paper.sentences, rows)
        yield from best_clashes(running, rows)
    yield from repeat_clashes(rows)


def is_english(sentences: Sequence[Sentence]) -> bool:
    """Whether a text is in English: what a sentence compares, or hedges, is known for no other language."""
    words = Counter(word for sentence in sentences for word in sentence.text.lower().split())
    english = sum(words[word] for word in _ENGLISH)
    return words.total() < _FEWEST_TO_TELL or english >= _ENGLISH_SHARE * words.total()


def is_running_text(text: str) -> bool:
    """Whether a sentence is one, and no table or caption that a PDF's text layer put among the text."""
    if _CAPTION_INSIDE.search(text):
        return False
    tokens = text.split()
    words = [token for token in tokens if token.strip(".,;:()").isalpha() and token.strip(".,;:()").islower()]
    return len(words) >= _FEWEST_WORDS and 2 * len(words) >= len(tokens) - len(words)


def shares(sentence: Sentence) -> Iterator[Clash]:
    """The share must follow from the counts, as in "17 of 30 (57 %)"."""
    for pattern in _SHARES:
        for match in pattern.finditer(sentence.text):
            part, whole = _number(match["part"]), _number(match["whole"])
            if not 0 <= part <= whole or whole == 0:
                continue
            if not rounds_to(Fraction(100 * part, whole), match["share"]):
                exact = f"{100 * part / whole:.4g} %"
                yield Clash(ClashKind.SHARE, match[0], sentence.location, f"{match['share']} %", exact)


def parts(sentence: Sentence) -> Iterator[Clash]:
    """The parts must add up, as in "101 patients (60 men and 41 women)"."""
    for match in _PARTS.finditer(sentence.text):
        whole, first, second = (_number(match[name]) for name in ("whole", "first", "second"))
        shared_out = _SHARED_OUT.search(match[0]) or first * second == whole
        if first + second != whole and max(first, second) <= whole and not shared_out:
            total = f"{first} + {second} = {first + second}"
            yield Clash(ClashKind.PARTS, match[0], sentence.location, str(whole), total)


def tables(sentences: Iterable[Sentence], printed_rows: Iterable[Sequence[ScoreRow]]) -> Iterator[Clash]:
    """A sentence that names one method of the tables and gives scores must give those of one of its rows."""
    methods: dict[str, list[ScoreRow]] = {}
    rows = [row for some in printed_rows for row in some]
    for row in rows:
        methods.setdefault(_method(row), []).append(row)
    named = {name: own for name, own in methods.items() if len(name) >= _SHORTEST_NAME and len(own) <= _MOST_ROWS}
    for sentence in (one for one in sentences if not one.cites):
        for name, text in _named_in(sentence.text, named):
            yield from _against(sentence, text, named[name], [row for row in rows if row not in named[name]])


def _method(row: ScoreRow) -> str:
    """What a sentence calls the row: its name without "(ours)"."""
    return _OURS.sub("", row.name).strip(" `*")


def _named_in(text: str, methods: Iterable[str]) -> Iterator[tuple[str, str]]:
    """The methods that a sentence names, each with the words that give its scores.

    Scores in brackets right behind a name are its own. Otherwise the sentence must name one method and compare nothing.
    """
    there = [name for name in methods if re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text)]
    for name in there:
        yield from ((name, found[1]) for found in re.finditer(rf"(?<![\w-]){re.escape(name)}\s?\(([^()]*)\)", text))
    if len([name for name in there if not any(name in other for other in there if other != name)]) == 1:
        yield from ((name, text) for name in there[:1] if is_running_text(text) and not _COMPARES.search(text))


def _against(sentence: Sentence, text: str, own: Sequence[ScoreRow], elsewhere: Sequence[ScoreRow]) -> Iterator[Clash]:
    """Figures of these words that all rows of the method contradict.

    One that stands elsewhere in its rows was meant otherwise; one that another table gives was taken from there. Words
    that also give the figure of a row ("... followed by A (62.5 %)") say the other one of something else.
    """
    values = [figure.partition(" ±")[0] for row in own for _, figure in row.scores]
    said = [printed(number) for number in _NUMBER.findall(text)]
    for figure in _plain_claims(text):
        there = [(row, shown) for row in own for name, shown in row.scores if name == figure.score]
        known = [*values, *_plain_figures(elsewhere, figure.score)]
        if _is_open([shown for _, shown in there], said) or _is_known(figure, known):
            continue
        row, shown = there[0]
        yield Clash(
            ClashKind.TABLE,
            sentence.text,
            sentence.location,
            f"{figure.name.printed} {figure.number}",
            f"{figure.score} {shown}",
            row.location,
            row.name,
        )


def _is_open(shown: Sequence[str], said: Sequence[Printed]) -> bool:
    """Whether the rows give no plain figure for a score, or one that the words give as well."""
    if not shown or any("±" in figure for figure in shown):
        return True
    return any(agree(printed(figure), number) for figure in shown for number in said)


def _is_known(figure: Figure, known: Sequence[str]) -> bool:
    return any(agree(printed(str(figure.number)), printed(value)) for value in known)


def _plain_claims(text: str) -> list[Figure]:
    """The figures that a sentence gives as they are: once for a score, without a spread, neither about nor above."""
    figures = [figure for row in read_prose(text).rows for figure in row.figures if figure.number is not None]
    exact = [figure for figure in figures if figure.relation is Relation.EQUAL]
    counts = Counter(figure.score for figure in exact)
    return [figure for figure in exact if counts[figure.score] == 1 and figure.spread is None]


def _plain_figures(rows: Sequence[ScoreRow], score: str) -> list[str]:
    """The figures that other rows give for a score."""
    return [figure for row in rows for name, figure in row.scores if name == score and "±" not in figure]


def rounds_to(value: Fraction, printed: str) -> bool:
    """Whether some usual rounding (to the nearest, a tie either way; cut off) gives the printed digits."""
    unit = Fraction(1, 10 ** len(printed.partition(".")[2]))
    shown = Fraction(printed)
    return abs(value - shown) <= unit / 2 or shown <= value < shown + unit


def _number(text: str) -> int:
    return int(text.replace(",", ""))
