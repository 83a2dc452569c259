"""Tables of cells → typed rows: scores as columns or as rows, headings of several levels, classes, summaries."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import field

from assay.patterns import regex
from assay.records import dataclass, replace
from assay.reported.columns import (
    Column,
    ColumnKind,
    average_of,
    columns_of,
    is_class_heading,
    is_dataset_heading,
    is_heading_row,
    only_score_of,
    role_of,
)
from assay.reported.layouts import parts_of
from assay.reported.matrices import matrix_of
from assay.reported.model import (
    Aside,
    AsideKind,
    Averaging,
    Cell,
    Figure,
    Grid,
    Interval,
    IntervalKind,
    Number,
    Reading,
    Reason,
    Row,
    RowKind,
    ScoreName,
    Size,
    SizeKind,
    Span,
    Spread,
    SpreadKind,
    Unread,
)
from assay.reported.names import Range, needs_company, range_of, read_name
from assay.reported.numbers import Quantity, is_missing, like_score, read_cell
from assay.reported.prose import figure_of, over_of
from assay.reported.sizes import read_sizes

_SUMMARY = regex(
    r"(?:mean|average|avg\.?|overall|total|all|sum|median)(?:\s?(?:±|\(|\+/-|over|of|across).{0,40})?", re.IGNORECASE
)
_DIFFERENCE = regex(
    r"[Δ∆δ].*|.*\b(?:improvement|gain|difference|delta|diff|vs\.?|versus|p[- ]?values?|rel\. impr\.)(?:\b.*|$)"
    r"|(?:\w+ )?(?:weights?|thresholds?|importance)(?: \(.*\))?",
    re.IGNORECASE,
)
_SETTING = regex(
    r"(?:relative )?(?:weights?|importances?|coefficients?|thresholds?|cut-?offs?|targets?)", re.IGNORECASE
)
_SD_HEADING = regex(r"\b(?:sd|std|s\.d\.|standard deviation)\b|±", re.IGNORECASE)
_CITATION = regex(r"\s*\[\d{1,3}(?:\s?[,–-]\s?\d{1,3}){0,6}\]\s*$")


@dataclass(frozen=True, slots=True)
class _Place:
    """A cell of the grid as it was given: row and column before any transposing."""

    cell: Cell
    row: int
    column: int

    @property
    def span(self) -> Span:
        if self.cell.start < 0:
            return Span(row=self.row, column=self.column)
        end = self.cell.end if self.cell.end >= 0 else self.cell.start + len(self.cell.text)
        return Span(self.cell.start, end, self.row, self.column)


_Places = tuple[tuple[_Place, ...], ...]


def read_grid(grid: Grid) -> Reading:
    """A table of cells, or several that stand side by side."""
    readings = [_read_part(part, left) for left, part in parts_of(grid)]
    if len(readings) == 1:
        return readings[0]
    return replace(
        readings[0],
        rows=tuple(row for one in readings for row in one.rows),
        asides=tuple(aside for one in readings for aside in one.asides),
        unread=tuple(unread for one in readings for unread in one.unread),
    )


def _read_part(grid: Grid, left: int) -> Reading:
    """A table of cells; the orientation that explains more numbers is taken, scores as columns when both do."""
    places = _placed(grid, left)
    if not places or not places[0]:
        return Reading()
    matrix = matrix_of(grid)
    if matrix is not None:
        return Reading(matrices=(matrix,))
    upright = _read(places)
    turned = _read(tuple(zip(*places, strict=True)))
    best = max((upright, turned), key=_explained)
    lone = _one_score(places, grid) if not best.rows else None
    best = _accounted(_read_block(lone) if lone is not None else best, places)
    about = f"{grid.caption} {grid.heading}".strip()
    sizes = read_sizes(grid.caption)
    averaging = next((a for word, a in _AVERAGES if re.search(word, about, re.IGNORECASE)), Averaging.UNSTATED)
    return replace(
        best, sizes=tuple(replace(size, span=Span()) for size in sizes), over=over_of(about), averaging=averaging
    )


def _placed(grid: Grid, left: int) -> _Places:
    """The cells with their places, as far to the right as some row holds anything; the first column is `left`."""
    width = max((c + 1 for row in grid.rows for c, cell in enumerate(row) if cell.text.strip()), default=0)
    return tuple(
        tuple(_Place(row[c] if c < len(row) else Cell(""), r, left + c) for c in range(width))
        for r, row in enumerate(grid.rows)
    )


_AVERAGES = (
    (r"\bmacro\b|macro-av", Averaging.MACRO),
    (r"\bweighted[- ]av", Averaging.WEIGHTED),
    (r"\bmicro[- ]av", Averaging.MICRO),
)


def _accounted(reading: Reading, places: _Places) -> Reading:
    """In a table of which nothing was read, every number that could be a score is listed as not understood."""
    if reading.rows:
        return reading
    asides: list[Aside] = []
    unread: list[Unread] = []
    for place in (place for row in places for place in row if not place.cell.spanned):
        quantity = read_cell(place.cell.text)
        if quantity is not None:
            _unexplained(Column(ColumnKind.UNKNOWN), quantity, place, asides, unread)
    return replace(reading, asides=tuple(asides), unread=tuple(unread))


def _explained(reading: Reading) -> tuple[int, int]:
    figures = sum(len(row.figures) + len(row.sizes) for row in reading.rows)
    return figures, -len(reading.unread)


def _read(places: _Places) -> Reading:
    rows: list[Row] = []
    asides: list[Aside] = []
    unread: list[Unread] = []
    for block in _blocks(places):
        found = _read_block(block)
        rows += found.rows
        asides += found.asides
        unread += found.unread
    return Reading(tuple(_classes_together(rows)), asides=tuple(asides), unread=tuple(unread))


@dataclass(frozen=True, slots=True)
class _Block:
    """Rows under one stack of headings."""

    columns: tuple[Column, ...]
    labels: tuple[int, ...]
    rows: _Places
    stack: _Places = ()


def _blocks(places: _Places) -> Iterator[_Block]:
    """The parts of a table that have headings of their own."""
    starts = _heading_stacks(places)
    ends = [first for first, _ in starts[1:]] + [len(places)]
    for (first, last), end in zip(starts, ends, strict=False):
        body = places[last + 1 : end]
        block = _block(_straightened(places[first : last + 1], body), body) if body else None
        if block is not None:
            yield block


def _block(stack: _Places, body: _Places) -> _Block | None:
    """The rows under a stack of headings; None where these name no score."""
    columns = _by_content(columns_of([[place.cell for place in row] for row in stack], len(body[0])), body)
    if not any(column.kind is ColumnKind.SCORE for column in columns):
        return None
    labels = tuple(at for at, column in enumerate(columns) if column.kind is ColumnKind.LABEL)
    return _Block(tuple(_in_percent(columns, body)), labels, body, stack)


def _straightened(stack: _Places, body: _Places) -> _Places:
    """Headings that lost cells which span rows or columns, as pasted tables do, moved back over their columns."""
    lowest = stack[-1]
    filled = [at for at, place in enumerate(lowest) if place.cell.text.strip()]
    gap = len(lowest) - 1 - filled[-1] if filled else 0
    full = any(row[-1].cell.text.strip() for row in body)
    if gap and full and read_name(lowest[0].cell.text) is not None and len(stack) > 1:
        empty = tuple(replace(place, cell=Cell("")) for place in lowest[len(lowest) - gap :])
        lowest = (*empty, *lowest[: len(lowest) - gap])
        return (*(_spread_out(row, lowest) for row in stack[:-1]), lowest)
    return stack


def _spread_out(above: tuple[_Place, ...], lowest: tuple[_Place, ...]) -> tuple[_Place, ...]:
    """As many titles as a sequence of scores is repeated: each stands over one of the repetitions."""
    names = [at for at, place in enumerate(lowest) if read_name(place.cell.text) is not None]
    titles = [place for place in above[1:] if place.cell.text.strip() and not place.cell.spanned]
    if not titles or len(names) % len(titles):
        return tuple(replace(place, cell=Cell("")) for place in above)
    each = len(names) // len(titles)
    over = {at: titles[number // each].cell for number, at in enumerate(names)}
    return tuple(replace(place, cell=over.get(at, Cell("") if at else place.cell)) for at, place in enumerate(above))


def _heading_stacks(places: _Places) -> list[tuple[int, int]]:
    """First and last row of every stack of heading rows."""
    stacks: list[tuple[int, int]] = []
    last_data = -1
    for at, row in enumerate(places):
        cells = [place.cell for place in row]
        if is_heading_row(cells):
            stacks = _with_heading(stacks, _top(places, at, last_data), at, last_data)
        elif _has_figures(row) and not _numbered_heading(row, stacks, at):
            last_data = at
        elif stacks and stacks[-1][1] == at - 1 and last_data < stacks[-1][0] and _continues(row):
            stacks[-1] = (stacks[-1][0], at)
    return stacks


def _with_heading(stacks: list[tuple[int, int]], first: int, at: int, last_data: int) -> list[tuple[int, int]]:
    """The stacks with one more heading row, which goes on with the last stack or begins a new one."""
    goes_on = bool(stacks) and stacks[-1][1] >= max(first - 1, last_data + 1)
    return [*stacks[:-1], (stacks[-1][0], at)] if goes_on else [*stacks, (first, at)]


def _top(places: _Places, at: int, last_data: int) -> int:
    """Headings may stand on rows above that hold no figures: "Validation | Test"; a title over all columns does not."""
    first = at
    while first - 1 > last_data and not _has_figures(places[first - 1]) and at - first < 3:
        above = places[first - 1]
        if len({place.cell.text for place in above if place.cell.text.strip()}) == 0:
            break
        first -= 1
    return first


def _continues(row: Sequence[_Place]) -> bool:
    """A row of words directly below a heading, in more than one column: names of data sets under a score."""
    filled = [place for place in row[1:] if place.cell.text.strip()]
    return len({place.cell.text for place in filled}) > 1 and not any(read_cell(place.cell.text) for place in filled)


def _numbered_heading(row: Sequence[_Place], stacks: Sequence[tuple[int, int]], at: int) -> bool:
    """A row such as "10 % | 50 % | 100 %" below a heading: labels, when its first cell is empty and all are round."""
    if not stacks or stacks[-1][1] != at - 1 or row[0].cell.text.strip():
        return False
    found = [read_cell(place.cell.text) for place in row[1:] if place.cell.text.strip()]
    return all(q is not None and q.number is not None and "." not in q.number.digits for q in found)


def _has_figures(row: Sequence[_Place]) -> bool:
    return any(read_cell(place.cell.text) is not None for place in row[1:])


def _by_content(columns: Sequence[Column], body: _Places) -> list[Column]:
    """Columns that hold words are labels; a column of numbers under no known heading stays unknown."""
    scores = [at for at, column in enumerate(columns) if column.kind is ColumnKind.SCORE]
    first = scores[0] if scores else 0
    texts = [[row[at].cell.text for row in body] for at in range(len(columns))]
    shaped = [_with_content(column, at < first, at == 0, texts[at]) for at, column in enumerate(columns)]
    if first and not any(column.kind is ColumnKind.LABEL for column in shaped):
        shaped[0] = replace(shaped[0], kind=ColumnKind.LABEL)
    return shaped


def _with_content(column: Column, left: bool, outermost: bool, texts: Sequence[str]) -> Column:
    """`left` of all scores stand labels, numbered or not; elsewhere only what is mostly words is a label."""
    if column.kind is ColumnKind.SCORE:
        return column
    cells = [text for text in texts if not is_missing(text)]
    words = sum(read_cell(text) is None for text in cells)
    wordy = not cells or words * 2 > len(cells)
    labelled = column.kind is ColumnKind.UNKNOWN and (outermost or (left and words > 0))
    named = outermost and is_class_heading(column.heading)
    return replace(column, kind=ColumnKind.LABEL) if wordy or labelled or named else column


def _in_percent(columns: Sequence[Column], body: _Places) -> Iterator[Column]:
    """A share above 1 shows that its whole column is in percent."""
    for at, column in enumerate(columns):
        if column.name is None or range_of(column.name.score) not in {Range.SHARE, Range.SIGNED}:
            yield column
            continue
        values = _bare_numbers([row[at].cell.text for row in body])
        large = any(1 < abs(number.value) <= 100 for number in values)
        mixed = any(number.value <= 1 and number.decimals >= 2 for number in values)
        yield replace(column, name=replace(column.name, percent=(column.name.percent or large) and not mixed))


def _bare_numbers(texts: Sequence[str]) -> list[Number]:
    """The numbers of a column that are printed without a percent sign."""
    found = (quantity.number for text in texts if (quantity := read_cell(text)) is not None)
    return [number for number in found if number is not None and not number.percent]


def _one_score(places: _Places, grid: Grid) -> _Block | None:
    """A table whose caption, or whose corner, names the only score there is: every figure is that score."""
    corner = places[0][0].cell.text
    name = (None if needs_company(corner) else read_name(corner)) or only_score_of(grid.caption)
    if name is None or len(places) < 2 or len(places[0]) < 2:
        return None
    first = next((at for at, row in enumerate(places) if _has_figures(row)), None)
    if not first:
        return None
    stack, body = places[:first], places[first:]
    lead, *others = [_heading_above(stack, at) for at in range(len(places[0]))]
    scores = [_unless_other(Column(ColumnKind.SCORE, heading, name=name, group=heading)) for heading in others]
    shaped = _by_content([Column(ColumnKind.LABEL, lead), *scores], body)
    if any(column.kind is ColumnKind.SCORE and not column.heading for column in shaped):
        return None
    return _Block(tuple(_in_percent(shaped, body)), (0,), body, stack)


def _heading_above(stack: _Places, at: int) -> str:
    return " ".join(dict.fromkeys(row[at].cell.text.strip() for row in stack if row[at].cell.text.strip()))


def _unless_other(column: Column) -> Column:
    meant = columns_of([[Cell(column.heading)]], 1)[0]
    return meant if meant.kind in {ColumnKind.ASIDE, ColumnKind.SIZE} else column


# --- rows -----------------------------------------------------------------------------------------


_NAMELESS = frozenset({"value", "values", "score", "scores", "result", "results", "mean", "%"})
"""Headings of a column of values that name nobody."""


@dataclass(frozen=True, slots=True)
class _Labels:
    model: str = ""
    dataset: str = ""
    kind: RowKind = RowKind.RESULT
    averaging: Averaging = Averaging.UNSTATED
    of_class: str = ""


def _read_block(block: _Block) -> Reading:
    rows: list[Row] = []
    asides: list[Aside] = []
    unread: list[Unread] = []
    section = ""
    carried: dict[int, str] = {}
    classes = _lists_classes(block)
    for row in (_realigned(block, given) for given in block.rows):
        if not _has_figures(row) and not (row and read_cell(row[0].cell.text)):
            title = _section_title(row)
            section = title or section
            continue
        labels = _labels(block, row, carried, section, classes)
        found = _read_row(block, row, labels)
        rows += found.rows
        asides += found.asides
        unread += found.unread
    return Reading(tuple(rows), asides=tuple(asides), unread=tuple(unread))


def _section_title(row: Sequence[_Place]) -> str:
    texts = {place.cell.text.strip() for place in row if place.cell.text.strip()}
    return texts.pop() if len(texts) == 1 else ""


def _lists_classes(block: _Block) -> bool:
    """Whether the rows are classes: the heading says so, or "macro avg" stands among them beside a support column."""
    if block.labels and is_class_heading(block.columns[block.labels[0]].heading):
        return True
    firsts = [row[block.labels[0]].cell.text for row in block.rows] if block.labels else []
    support = any(column.size is SizeKind.CLASS for column in block.columns)
    return support or any(average_of(text) for text in firsts)


def _realigned(block: _Block, row: tuple[_Place, ...]) -> tuple[_Place, ...]:
    """A row that lost its first cell to one that spans rows, as pasted tables do, moves one place to the right."""
    if len(block.labels) < 2 or row[-1].cell.text.strip():
        return row
    second = block.labels[1]
    if second == 0 or read_cell(row[second].cell.text) is None:
        return row
    empty = replace(row[0], cell=Cell(""))
    return (empty, *row[:-1])


def _label_texts(block: _Block, row: Sequence[_Place], carried: dict[int, str]) -> dict[int, str]:
    """The labels of a row by column; an empty one left of others goes on from the rows above."""
    given = {at: text for at in block.labels if not is_missing(text := row[at].cell.text.strip())}
    carried |= given
    last = max(given, default=-1)
    return {at: carried[at] for at in block.labels if at in given or (at in carried and at < last)}


def _labels(block: _Block, row: Sequence[_Place], carried: dict[int, str], section: str, classes: bool) -> _Labels:
    texts = _label_texts(block, row, carried)
    of_sets = {at for at in texts if is_dataset_heading(block.columns[at].heading)}
    named = [_CITATION.sub("", text).strip(" *_") for at, text in texts.items() if at not in of_sets]
    models = _models(named)
    sets = [texts[at].strip(" *_") for at in texts if at in of_sets] + [section] * bool(section)
    label = " ".join(dict.fromkeys(models or sets))
    averaging = average_of(label)
    if averaging is not None:
        return _Labels(dataset=" ".join(sets) if models else "", averaging=averaging)
    kind = _kind_of(label)
    if not classes or kind is not RowKind.RESULT:
        return _Labels(" ".join(dict.fromkeys(models)), " ".join(dict.fromkeys(sets)), kind)
    return _of_class(block, texts, models, sets)


def _models(labels: Sequence[str]) -> list[str]:
    """The labels that name something; beside "Value", which names nobody, figures are other quantities."""
    names = [label for label in labels if label.lower() not in _NAMELESS]
    return names if len(names) == len(labels) else [name for name in names if not name[:1].isdigit()]


def _kind_of(label: str) -> RowKind:
    if _DIFFERENCE.fullmatch(label):
        return RowKind.DIFFERENCE
    if _SETTING.fullmatch(label):
        return RowKind.SETTING
    return RowKind.SUMMARY if _SUMMARY.fullmatch(label) else RowKind.RESULT


def _of_class(block: _Block, texts: dict[int, str], models: Sequence[str], sets: Sequence[str]) -> _Labels:
    """The labels of a row about one class: the class stands under a heading that says so, else first."""
    named = [at for at in texts if is_class_heading(block.columns[at].heading)] or list(texts)[:1]
    of_class = " ".join(texts[at].strip(" *_") for at in named)
    others = [text for text in models if text != of_class]
    return _Labels(" ".join(dict.fromkeys(others)), " ".join(s for s in sets if s != of_class), of_class=of_class)


@dataclass(slots=True)
class _RowParts:
    """What the cells of a row give, while they are read from left to right."""

    block: _Block
    labels: _Labels
    figures: dict[tuple[str, ...], list[Figure]] = field(default_factory=dict)
    sizes: list[Size] = field(default_factory=list)
    asides: list[Aside] = field(default_factory=list)
    unread: list[Unread] = field(default_factory=list)
    latest: tuple[str, ...] | None = None

    def add(self, key: tuple[str, ...], figure: Figure) -> None:
        """One more figure of a group."""
        self.figures.setdefault(key, []).append(figure)
        self.latest = key

    def join(self, column: Column, quantity: Quantity) -> None:
        """A spread or an interval in a column of its own belongs to the figure before it."""
        if self.latest is not None:
            self.figures[self.latest][-1] = _joined(self.figures[self.latest][-1], column, quantity)


def _read_row(block: _Block, row: Sequence[_Place], labels: _Labels) -> Reading:
    parts = _RowParts(block, labels)
    for at, (column, place) in enumerate(zip(block.columns, row, strict=True)):
        repeated = place.cell.spanned and column.kind is not ColumnKind.SCORE
        if column.kind is ColumnKind.LABEL or repeated:
            continue
        quantity = read_cell(place.cell.text)
        if quantity is not None:
            _take(parts, at, place, quantity)
        elif labels.kind not in _NO_RESULTS:
            parts.unread += _garbled(column, place)
    rows = _rows(parts.figures, parts.sizes, labels, block)
    return Reading(tuple(rows), asides=tuple(parts.asides), unread=tuple(parts.unread))


def _take(parts: _RowParts, at: int, place: _Place, quantity: Quantity) -> None:
    """What a cell means under its heading."""
    column = parts.block.columns[at]
    if column.kind is ColumnKind.SCORE and column.name is not None:
        _take_score(parts, at, place, quantity)
    elif column.kind is ColumnKind.SIZE:
        parts.sizes += _size(column, quantity, place, parts.labels)
    elif column.kind in {ColumnKind.INTERVAL, ColumnKind.SPREAD} and parts.latest is not None:
        parts.join(column, quantity)
    elif column.kind is ColumnKind.ASIDE and column.aside is not None:
        parts.asides.append(Aside(place.cell.text, column.aside, place.span))
    else:
        _unexplained(column, quantity, place, parts.asides, parts.unread)


def _take_score(parts: _RowParts, at: int, place: _Place, quantity: Quantity) -> None:
    column, labels = parts.block.columns[at], parts.labels
    name = _named(_score_in_label(labels) or column.name, labels) if column.name is not None else None
    if name is None or labels.kind in _NO_RESULTS or _is_gain(place.cell, name):
        parts.asides.append(Aside(place.cell.text, _NO_RESULTS.get(labels.kind, AsideKind.DIFFERENCE), place.span))
        return
    made = figure_of(name, _with_kind(quantity, column))
    if isinstance(made, Unread):
        parts.unread.append(replace(made, span=place.span, context=f"{column.heading}: {place.cell.text}"))
    else:
        key = (column.group, *_apart(parts.block, column, at))
        parts.add(key, replace(made, span=place.span, bold=place.cell.bold))


_NO_RESULTS = {RowKind.DIFFERENCE: AsideKind.DIFFERENCE, RowKind.SETTING: AsideKind.QUANTITY}
"""Rows whose numbers stand under scores without being results: gains, or the weight that each score has in a sum."""


def _is_gain(cell: Cell, name: ScoreName) -> bool:
    """A share with a plus sign is a gain over another row."""
    return cell.text.strip(" *$(").startswith("+") and range_of(name.score) is Range.SHARE


def _score_in_label(labels: _Labels) -> ScoreName | None:
    """The row "accuracy" of a classification report: its value stands under another score."""
    if not labels.of_class:
        return None
    name = read_name(labels.of_class)
    return name if name is not None and name.score == "acc" and not name.qualifier else None


def _named(name: ScoreName, labels: _Labels) -> ScoreName:
    if labels.averaging is not Averaging.UNSTATED:
        return replace(name, averaging=labels.averaging)
    if labels.of_class and name.score != "acc" and name.averaging is Averaging.UNSTATED:
        return replace(name, averaging=Averaging.CLASS, label=labels.of_class)
    return name


def _with_kind(quantity: Quantity, column: Column) -> Quantity:
    if quantity.spread is not None and _SD_HEADING.search(column.heading):
        return replace(quantity, spread=Spread(quantity.spread.number, SpreadKind.DEVIATION))
    return quantity


def _apart(block: _Block, column: Column, at: int) -> tuple[str, ...]:
    """What tells this column from others with the same score, or a score of one class from those of all classes."""
    name = column.name
    if name is None:
        return ()
    near = [other for place, other in enumerate(block.columns) if place != at and other.group == column.group]
    others = [other.name for other in near if other.name is not None]
    if any(_same(other, name) for other in others):
        return (name.qualifier, name.role.value)
    shared = all(other.qualifier == name.qualifier for other in others)
    return () if shared or name.score not in _PER_CLASS or not name.qualifier[:1].isalpha() else (name.qualifier,)


_PER_CLASS = frozenset({"sens", "spec", "ppv", "npv", "f1"})
"""Scores that a table may print for one class of several: "Hazardous recall" beside accuracy and macro F1."""


def _same(one: ScoreName, other: ScoreName) -> bool:
    return (one.score, one.averaging, one.label) == (other.score, other.averaging, other.label)


def _size(column: Column, quantity: Quantity, place: _Place, labels: _Labels) -> Iterator[Size]:
    count = quantity.whole
    if count is None or column.size is None:
        return
    label = labels.of_class
    kind = SizeKind.CLASS if label and column.size is SizeKind.TOTAL else column.size
    if kind is SizeKind.CLASS and (labels.averaging is not Averaging.UNSTATED or _score_in_label(labels) or not label):
        kind, label = SizeKind.TOTAL, ""
    yield Size(kind, count, place.span, label=label if kind is SizeKind.CLASS else "")


def _joined(figure: Figure, column: Column, quantity: Quantity) -> Figure:
    percent = figure.number is not None and figure.number.percent
    if column.kind is ColumnKind.SPREAD and quantity.number is not None:
        return replace(figure, spread=Spread(replace(quantity.number, percent=percent), SpreadKind.DEVIATION))
    if column.kind is ColumnKind.INTERVAL and quantity.interval is not None:
        low, high = (
            replace(end, percent=end.percent or percent) for end in (quantity.interval.low, quantity.interval.high)
        )
        return replace(figure, interval=Interval(low, high, IntervalKind.CONFIDENCE, "95"))
    return figure


def _garbled(column: Column, place: _Place) -> Iterator[Unread]:
    text = place.cell.text
    if column.kind is ColumnKind.SCORE and not is_missing(text) and any(sign.isdigit() for sign in text):
        yield Unread(text, Reason.GARBLED, place.span, f"{column.heading}: {text}"[:80])


def _unexplained(column: Column, quantity: Quantity, place: _Place, asides: list[Aside], unread: list[Unread]) -> None:
    """A number that could be a score is not understood; another one, such as 1024, is some other quantity."""
    if like_score(quantity) or quantity.interval is not None or quantity.fraction is not None:
        unread.append(
            Unread(place.cell.text, Reason.UNKNOWN_COLUMN, place.span, f"{column.heading}: {place.cell.text}"[:80])
        )
    else:
        asides.append(Aside(place.cell.text, AsideKind.QUANTITY, place.span))


def _rows(
    figures: dict[tuple[str, ...], list[Figure]], sizes: Sequence[Size], labels: _Labels, block: _Block
) -> Iterator[Row]:
    of_sets = [at for at in block.labels if is_dataset_heading(block.columns[at].heading)]
    by_dataset = bool(of_sets) and not labels.model
    whole = _score_in_label(labels) is not None
    for key, own in figures.items():
        model, dataset = _names_of(key, labels, by_dataset=by_dataset)
        kept = own[-1:] if whole else own
        row = Row(
            tuple(kept), kept[0].span, model, dataset, tuple(sizes), labels.kind, role=role_of(f"{dataset} {model}")
        )
        row = row if row.sizes else replace(row, sizes=_stated_sizes(row))
        yield replace(row, model="") if whole else row


def _names_of(key: tuple[str, ...], labels: _Labels, *, by_dataset: bool) -> tuple[str, str]:
    """Model and data set of a group of columns: its heading is a model where the rows are data sets."""
    group = " ".join(part for part in key if part not in {"", "not stated"})
    return (group, labels.dataset) if by_dataset else (labels.model, f"{labels.dataset} {group}".strip())


def _stated_sizes(row: Row) -> tuple[Size, ...]:
    """Sizes that the labels of a row state: "Test (n = 120)"."""
    stated = read_sizes(f"{row.dataset}; {row.model}")
    return tuple(replace(size, span=row.span, role=row.role) for size in stated)


def _classes_together(rows: Sequence[Row]) -> Iterator[Row]:
    """Accuracy, macro and weighted averages of one report are about the same predictions: they become one row."""
    classes = any(figure.name.averaging is Averaging.CLASS for row in rows for figure in row.figures)
    parts = [row for row in rows if _is_average(row)]
    if not classes or len(parts) < 2:
        yield from rows
        return
    figures = tuple(figure for row in parts for figure in row.figures)
    sizes = tuple({(size.kind, size.count): size for row in parts for size in row.sizes}.values())
    yield from (row for row in rows if row not in parts)
    yield replace(parts[0], figures=figures, sizes=sizes, model="")


def _is_average(row: Row) -> bool:
    averages = {Averaging.MACRO, Averaging.MICRO, Averaging.WEIGHTED}
    return all(f.name.averaging in averages or (f.score == "acc" and not row.model) for f in row.figures)
