"""Sentences that repeat figures of a table, one of them with a slip of the pen.

Words alone do not show which row a sentence is about; figures do. A sentence belongs to the row or column of which it
repeats another figure, or, in the abstract, to one that prints the score it names. A figure is doubted only if nothing
explains it: no table and no other sentence prints it, it is no mean and no difference of the table's figures, and
one wrong digit, or two digits in the wrong order, turn it into the one that the table gives for the same score.
A sentence with several unexplained figures is about something that no table shows, unless it repeats enough others.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import chain, combinations

from assay.article.numbers.clash import Clash, ClashKind
from assay.article.numbers.sentences import LOOSE
from assay.article.reading.paper import Paper, Role, Sentence
from assay.article.tables import source
from assay.article.tables.cells import Cell, Grid, Kind
from assay.patterns import regex
from assay.records import dataclass
from assay.reported import read_prose
from assay.reported.model import Row
from assay.reported.names import find_names, needs_company
from assay.reported.slips import differ_by_slip

_FIGURE = regex(r"(?<![\w.,/^])\d{1,3}[.,]\d{1,5}(?![\w/^]|[.,]\d)|(?<![\w.,/^])\d{2}(?=\s?\\?%)")
_CHANGE = regex(
    r"(?:\b(?:between|from)\s(?:\S+\s(?:and|to|-)\s)?|\b(?:by|about|approximately|around|nearly|almost|over|above"
    r"|below|under|up to|at least|at most|roughly|than|threshold|previous|gain|improvement|increase|drop|reduction"
    r"|difference|average|averaged|mean|sd|std|p)(?:\s+(?:of|was|is))?|[~≈<>±+=(]?[~≈<>±+])\s*$",
    re.IGNORECASE,
)
"""Words before a figure that is no score of one row: a bound, a change, a mean."""
_POINTS = regex(r"\s?%?\s?(?:-|percentage )?(?:points?|pp\b|p\.p\.|times|x\b|fold|seconds?|ms\b|years?|hours?|M\b|GB)")
_IN_POINTS = regex(
    r"(?<![\w.,])(?P<change>\d{1,2}(?:\.\d{1,3})?)\s?%?\s?(?:percent(?:age)?[- ])?(?:points?\b|pp\b|p\.p\.)",
    re.IGNORECASE,
)
_NOTE = regex(r"\[[\d, -]+\]|[*†‡§↑↓]|\((?:ours?|proposed)\)", re.IGNORECASE)
_BRACKETS = regex(r"\([^()]*\)")
_SHORTEST_NAME = 3
_FEWEST_DIGITS = 100
"""Figures with fewer than three digits agree with others too often by chance."""
_LONGEST_LINE = 40
_SURE = 2
"""Figures of one line that a sentence repeats; fewer need a name as well."""
_WORD = regex(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Figure:
    """A number in per cent as whole units of its last digit: 0.945 and 94.5 are both 945 units with one decimal."""

    units: int
    decimals: int

    @property
    def is_telling(self) -> bool:
        """Whether it has enough digits to be recognised."""
        return self.units >= _FEWEST_DIGITS

    @property
    def value(self) -> Fraction:
        """The number in per cent."""
        return Fraction(self.units) / Fraction(10) ** self.decimals

    def coarser(self, decimals: int) -> tuple[int, ...]:
        """The units it may be printed as with so many decimals, rounded or cut."""
        low, rest = divmod(self.units, 10 ** (self.decimals - decimals))
        return (low, low + 1) if rest else (low,)


def figure_of(text: str) -> Figure:
    """The figure that these digits print."""
    whole, _, part = text.replace(",", ".").partition(".")
    shift = 2 if len(part) >= 2 and int(whole) <= 1 else 0
    return Figure(int(whole + part), len(part) - shift)


def is_slip(figure: Figure, right: Figure) -> bool:
    """Whether one wrong digit or two swapped ones turn the right figure into this one, and no rounding does."""
    if figure.decimals > right.decimals or not figure.is_telling:
        return False
    meant = right.coarser(figure.decimals)
    return differ_by_slip(str(figure.units), str(meant[0])) and all(abs(figure.units - one) > 1 for one in meant)


@dataclass(frozen=True, slots=True)
class _Entry:
    """A figure of a line, with the label that tells it from the line's other figures."""

    label: str
    figure: Figure
    text: str


@dataclass(frozen=True, slots=True)
class _Line:
    """A row or a column of a table."""

    label: str
    entries: tuple[_Entry, ...]
    grid: Grid


class Printings:
    """All figures that a paper prints, and the lines of its tables that print them."""

    def __init__(self, paper: Paper, grids: Sequence[Grid]) -> None:
        self.lines = [line for grid in grids for line in _lines(grid)]
        self._at: dict[tuple[int, int], set[int]] = defaultdict(set)
        self._by_score: dict[str, set[Figure]] = defaultdict(set)
        self._known: dict[tuple[int, int], set[frozenset[str]]] = defaultdict(set)
        """The scores that each figure of the tables and captions is printed for; none where that is unknown."""
        for number, line in enumerate(self.lines):
            self._add(number, line)
        for key in _all_keys(_loose_texts(paper, grids)):
            self._known[key].add(frozenset())
        self._said = Counter(_all_keys(sentence.text for sentence in paper.sentences))
        self._shown = Counter(_all_keys(word.text for page in paper.pages for word in page.words))

    def _add(self, number: int, line: _Line) -> None:
        for entry in line.entries:
            for key in _keys(entry.figure):
                self._at[key].add(number)
                self._known[key].add(_scores(entry.label) | _scores(line.label))
            for score in _scores(entry.label):
                self._by_score[score].add(entry.figure)

    def is_only(self, entry: _Entry) -> bool:
        """Whether no other figure of the paper's tables is of the same score."""
        scores = _scores(entry.label)
        return bool(scores) and all(self._by_score[score] == {entry.figure} for score in scores)

    def with_figure(self, figure: Figure) -> set[int]:
        """The lines that print the figure."""
        return self._at.get((figure.units, figure.decimals), set())

    def elsewhere(self, figure: Figure, scores: frozenset[str], sentence: Sentence) -> bool:
        """Whether other words repeat the figure, or a table has it or one a unit off, and not for another score."""
        key = (figure.units, figure.decimals)
        if max(self._said[key], self._shown[key]) > Counter(_all_keys([sentence.text]))[key]:
            return True
        near = ((figure.units + off, figure.decimals) for off in (-1, 0, 1))
        found = (self._known.get(key, ()) for key in {*near, *(key for key in _keys(figure) if key[1] >= 1)})
        return any(not (scores and there) or scores & there for there in chain.from_iterable(found))


def _keys(figure: Figure) -> Iterator[tuple[int, int]]:
    for decimals in range(min(0, figure.decimals), figure.decimals + 1):
        yield from ((units, decimals) for units in figure.coarser(decimals))


def _all_keys(texts: Iterable[str]) -> Iterator[tuple[int, int]]:
    return (key for text in texts for figure in _figures(text) for key in _keys(figure))


def _figures(text: str) -> list[Figure]:
    return [figure_of(match[0]) for match in _FIGURE.finditer(text)]


def _is_figure(cell: Cell) -> bool:
    return cell.kind is Kind.NUMBER and _FIGURE.fullmatch(cell.value.rstrip("%")) is not None


def _loose_texts(paper: Paper, grids: Sequence[Grid]) -> Iterator[str]:
    """The cells that hold more than a figure, the tables that gave no cells, and the captions."""
    yield from (cell.text for grid in grids for row in grid.rows for cell in row if not _is_figure(cell))
    yield from (table.text for table in paper.tables if not any(True for _ in source.grids(table)))
    yield from (caption.text for caption in paper.captions)


def _lines(grid: Grid) -> Iterator[_Line]:
    """The rows and the columns of a table with their figures."""
    places = {
        (at, column): cell.value.rstrip("%")
        for at, row in enumerate(grid.rows)
        for column, cell in enumerate(row)
        if _is_figure(cell)
    }
    tops: dict[int, int] = {}
    for at, column in places:
        tops.setdefault(column, at)
    rows = {at: _row_label(grid, at) for at, _ in places}
    heads = {column: _heading(grid, column, top) for column, top in tops.items()}
    across, down = defaultdict(list), defaultdict(list)
    for (at, column), text in places.items():
        across[at].append(_Entry(heads[column], figure_of(text), text))
        down[column].append(_Entry(rows[at], figure_of(text), text))
    yield from (_Line(rows[at], tuple(entries), grid) for at, entries in across.items())
    yield from (_Line(heads[column], tuple(entries), grid) for column, entries in down.items())


def _row_label(grid: Grid, at: int) -> str:
    """What is enough to tell a row from the others: its first words without brackets, with them, or all its words."""
    texts = _row_words(grid.rows[at])
    forms = (*(_NOTE.sub("", first).strip(" `*") for first in texts[:1]), " ".join(texts))
    others = [" ".join(_row_words(row)) for row in grid.rows]
    stems = (_BRACKETS.sub("", forms[0]).strip(), *forms)
    alone = (form for form in stems if form and sum(other.startswith(form) for other in others) == 1)
    return next(alone, _NOTE.sub("", forms[-1]).strip(" `*"))


@lru_cache(maxsize=1 << 12)
def _row_words(row: tuple[Cell, ...]) -> list[str]:
    return list(dict.fromkeys(c.text for c in row if c.kind is Kind.TEXT and any(map(str.isalpha, c.text))))


def _heading(grid: Grid, column: int, above: int) -> str:
    texts = (row[column].text for row in grid.rows[:above] if row[column].kind is Kind.TEXT)
    return _NOTE.sub("", " ".join(dict.fromkeys(texts))).strip(" `*")


def slip_clashes(paper: Paper, grids: Sequence[Grid], sentences: Iterable[Sentence]) -> Iterator[Clash]:
    """Figures of the sentences that nothing explains but a slip."""
    printed = Printings(paper, grids)
    for sentence in sentences:
        figures = _figures(sentence.text)
        yield from change_clashes(sentence, printed)
        unexplained = [match for match in _FIGURE.finditer(sentence.text) if _is_open(match, sentence, printed)]
        for match in unexplained:
            found = _best(match, sentence, figures, printed)
            if found is not None and (len(unexplained) == 1 or found.repeated >= _SURE):
                yield _clash(sentence, match[0], found)


def _is_open(match: re.Match[str], sentence: Sentence, printed: Printings) -> bool:
    """Whether a figure is a score that nothing else in the paper prints."""
    figure = figure_of(match[0])
    before, after = sentence.text[: match.start()], sentence.text[match.end() :]
    plain = figure.is_telling and not _CHANGE.search(before) and not _POINTS.match(after)
    return plain and not printed.elsewhere(figure, _Meaning(sentence, match).given, sentence)


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A figure of a table that may have been meant, and how many others of its line the sentence repeats."""

    line: _Line
    entry: _Entry
    repeated: int


def _best(match: re.Match[str], sentence: Sentence, figures: Sequence[Figure], printed: Printings) -> _Candidate | None:
    """The figure that was meant, if the sentence is bound to one by what it repeats or names."""
    figure, meant = figure_of(match[0]), _Meaning(sentence, match)
    others = [other for other in _telling(figures) if other != figure]
    near = (one for one in _near(figure, others, printed) if not _repeats(figures, one.entry))
    found = [one for one in near if meant.fits(one.line, one.entry) and _is_bound(one, others, meant, printed)]
    if not found or any(_is_computed(figure, one.line.grid) for one in found):
        return None
    best = max(found, key=lambda one: one.repeated)
    rivals = {one.entry.figure for one in found if one.repeated == best.repeated}
    return best if len(rivals) == 1 else None


def _telling(figures: Iterable[Figure]) -> list[Figure]:
    return [figure for figure in dict.fromkeys(figures) if figure.is_telling]


def _near(figure: Figure, others: Sequence[Figure], printed: Printings) -> Iterator[_Candidate]:
    """The figures of tables that a slip turns into this one."""
    repeated = Counter(number for other in others for number in printed.with_figure(other))
    for number, line in enumerate(printed.lines):
        slips = (entry for entry in line.entries if is_slip(figure, entry.figure))
        yield from (_Candidate(line, entry, repeated[number]) for entry in slips)


def _is_bound(one: _Candidate, others: Sequence[Figure], meant: _Meaning, printed: Printings) -> bool:
    """Whether the sentence is about the line: it repeats others of its figures, or names it."""
    if one.repeated >= _SURE or meant.names(one.line.label):
        return True
    if one.repeated:
        rest = (entry for entry in one.line.entries if entry is not one.entry)
        return any(_repeats(others, entry) and meant.mentions(entry.label) for entry in rest)
    return printed.is_only(one.entry)


class _Meaning:
    """What the words of a sentence say about one of its figures."""

    def __init__(self, sentence: Sentence, match: re.Match[str]) -> None:
        self._text = sentence.text.lower()
        self._named = {one.name.score for one in find_names(sentence.text)}
        self._words = set(_WORD.findall(f"{self._text} {sentence.section.heading.lower()}"))
        rows = _prose(sentence.text)
        self.given = frozenset(f.score for row in rows for f in row.figures if f.span.start == match.start())
        """The scores that the words give this figure for."""
        self._own = self.given or self._named

    def names(self, label: str) -> bool:
        """Whether the sentence names a row or a column: most words of its label."""
        words = _WORD.findall(label.lower())
        there = sum(word in self._words for word in words)
        return sum(map(len, words)) >= _SHORTEST_NAME and 3 * there >= 2 * len(words)

    def fits(self, line: _Line, entry: _Entry) -> bool:
        """Whether the figure can be this one: its score or its label is named, and its line is of no other score."""
        scores, of_line = _scores(entry.label), _scores(line.label)
        if of_line and not of_line & self._own:
            return False
        return bool(scores & self._own) if scores else self.names(entry.label)

    def mentions(self, label: str) -> bool:
        """Whether the sentence names this label, as a score or by its words."""
        return bool(_scores(label) & self._named) or self.names(label)


@lru_cache(maxsize=64)
def _prose(text: str) -> tuple[Row, ...]:
    return read_prose(text).rows


@lru_cache(maxsize=1 << 12)
def _scores(label: str) -> frozenset[str]:
    """The scores that a label names; P or R among other words is a letter."""
    found = find_names(label, headings=True)
    return frozenset(
        one.name.score for one in found if one.name.printed == label or not needs_company(one.name.printed)
    )


def _repeats(figures: Sequence[Figure], entry: _Entry) -> bool:
    keys = set(_keys(entry.figure))
    return any((f.units, f.decimals) in keys for f in figures)


def _is_computed(figure: Figure, grid: Grid) -> bool:
    """Whether the figure is a mean or a difference of figures in one line of the table."""
    unit = Fraction(10) ** -figure.decimals
    for line in _lines(grid):
        values = [entry.figure.value for entry in line.entries][:_LONGEST_LINE]
        mean = sum(values, Fraction(0)) / len(values)
        results = (mean, *(abs(a - b) for a, b in combinations(values, 2)))
        if any(abs(result - figure.value) <= unit for result in results):
            return True
    return False


def _clash(sentence: Sentence, text: str, meant: _Candidate) -> Clash:
    kind = ClashKind.ABSTRACT if sentence.section.role is Role.ABSTRACT else ClashKind.TABLE
    where = ", ".join(filter(None, (meant.line.label, meant.entry.label)))
    return Clash(kind, sentence.text, sentence.location, text, meant.entry.text, meant.line.grid.location, where)


def change_clashes(sentence: Sentence, printed: Printings) -> Iterator[Clash]:
    """A change in points that neither the two figures of the sentence nor any other two of their column give."""
    changes = list(_IN_POINTS.finditer(sentence.text))
    figures = _telling(_figures(_IN_POINTS.sub("", sentence.text)))
    if len(changes) != 1 or len(figures) != 2 or LOOSE.search(sentence.text):
        return
    change = figure_of(changes[0]["change"])
    for number in printed.with_figure(figures[0]) & printed.with_figure(figures[1]):
        line = printed.lines[number]
        if not any(_scores(entry.label) for entry in line.entries) and not _is_computed(change, line.grid):
            follows = f"a difference of {float(abs(figures[0].value - figures[1].value)):g}"
            yield Clash(ClashKind.GAIN, sentence.text, sentence.location, changes[0][0], follows)
            return
