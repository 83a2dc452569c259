"""What the columns of a spreadsheet hold: Assay's own names first, then what people write."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from assay.errors import InputError, suggestion
from assay.patterns import regex
from assay.records import dataclass, replace
from assay.reported import columns as reported
from assay.reported.model import Averaging, Cell, Role, ScoreName, SizeKind
from assay.scores.definitions import find_score, known_names
from assay.scores.study import ExperimentModel, is_plain_score
from assay.scores.tasks import is_area

_ONE_WORD = regex(r"[\w.+-]+")
_SETTINGS = frozenset(ExperimentModel.model_fields) - {"scores"}
_OWN_WORDS = frozenset({"p", "n"})
_SIZES = {SizeKind.POSITIVES: "p", SizeKind.NEGATIVES: "n", SizeKind.TOTAL: "total"}
_TESTED = frozenset({Role.UNSTATED, Role.TEST})
_OVER_CLASSES = frozenset({Averaging.MACRO, Averaging.WEIGHTED})
OTHER_TASKS = frozenset({"task", "classes"})
"""Columns that say that a table is not about two classes."""
_SPREAD = regex(r"(?i)[(\[]?(?:mean)?\s*(?:±|\+/-|\+-)\s*(?:sd|s\.d\.|std\.?(?:\s*dev\.?)?|standard deviation)[)\]]?")
"""What a heading adds to say that its cells hold a mean and a standard deviation."""
_LAST_HEADING = 12
"""Rows among which the headings are looked for."""
_PLAIN_GROUPS = frozenset(
    {"results", "performance", "metrics", "scores", "test", "test set", "test data", "data", "sample"}
)
"""Merged headings that add nothing to those below them."""
_SUBJECTS = frozenset({"paper", "model", "method", "study", "author", "authors", "title", "reference", "id", "doi"})


@dataclass(frozen=True, slots=True)
class Column:
    """A column: the word of the command line that it stands for, or none, and why not."""

    heading: str
    word: str = ""
    percent: bool = False
    over_classes: bool = False
    remark: str = ""

    @property
    def is_score(self) -> bool:
        """Whether the column holds a score, and no setting."""
        return bool(self.word) and self.word not in _SETTINGS


def columns_of(headings: Sequence[str]) -> tuple[Column, ...]:
    """The columns under these headings."""
    lowered = [heading.strip().lower() for heading in headings]
    if OTHER_TASKS & set(lowered):  # each task has score names of its own
        words = [low if low in _SETTINGS else heading.strip() for heading, low in zip(headings, lowered, strict=True)]
        return tuple(Column(heading, word) for heading, word in zip(headings, words, strict=True))
    printed = reported.columns_of([[Cell(heading) for heading in headings]], len(headings))
    found = [
        _own(heading, lowered) or _printed(heading, column) or _unused(heading)
        for heading, column in zip(headings, printed, strict=True)
    ]
    return _each_once(_with_row_names(found))


def heading_rows(grid: Sequence[Sequence[object]]) -> tuple[int, int] | None:
    """Where the headings of scores begin, below a title perhaps, and whether they take one row or two."""
    for start in range(min(_LAST_HEADING, len(grid))):
        if score_columns(joined_headings(grid[start : start + 1])):
            return start, 1
        two, second = (score_columns(joined_headings(grid[at : start + 2])) for at in (start, start + 1))
        if two and two >= second:
            return start, 2
    return None


def joined_headings(rows: Sequence[Sequence[object]]) -> tuple[str, ...]:
    """One heading a column: below a merged heading, that heading and the column's own."""
    *above, headings = [[" ".join(str(cell or "").split()) for cell in row] for row in rows] or [[]]
    for row in above:
        group = ""
        for at, own in enumerate(headings):
            here = row[at] if at < len(row) else ""
            group = here or (group if own else "")
            headings[at] = _below(group, own)
    return tuple(headings)


def _below(group: str, own: str) -> str:
    """A heading below a merged one; a group that only says that these are results or sizes adds its percent sign."""
    if group.replace("(%)", "").replace("%", "").strip(" ,:[]").lower() not in _PLAIN_GROUPS:
        return f"{group} {own}".strip()
    return f"{own} (%)" if "%" in group and "%" not in own else own


def score_columns(headings: Sequence[str]) -> int:
    """How many of the columns hold a score."""
    return sum(column.is_score for column in columns_of(headings))


def _own(heading: str, lowered: Sequence[str]) -> Column | None:
    """A heading in Assay's own words, such as acc_sd or folds."""
    plain = heading.strip().lower().rstrip(".")
    if plain in _OWN_WORDS:
        return Column(heading, plain) if _OWN_WORDS.issubset(lowered) else None
    if not _ONE_WORD.fullmatch(plain):
        return None
    if plain in _SETTINGS:
        return Column(heading, plain)
    score = plain.rpartition("_")[0] if not is_plain_score(plain) else plain
    try:
        known = is_area(score) or bool(find_score(score))
    except InputError:
        return None
    return Column(heading, plain) if known else None


def _printed(heading: str, column: reported.Column) -> Column | None:
    """A heading as people write it: "Accuracy (%)", "No. of positives"."""
    if column.kind is reported.ColumnKind.SIZE and column.size in _SIZES:
        return Column(heading, _SIZES[column.size])
    if column.kind is not reported.ColumnKind.SCORE or column.name is None:
        return None
    return _score(heading, column.name)


def _score(heading: str, name: ScoreName) -> Column:
    if name.role not in _TESTED:
        return Column(heading, remark=f"scores of the {name.role.value} set are not checked")
    if name.averaging not in _OVER_CLASSES | {Averaging.UNSTATED, Averaging.BINARY}:
        return Column(heading, remark=f"{name.averaging.value} averages are not checked")
    if name.qualifier and not _SPREAD.fullmatch(name.qualifier):
        return Column(heading, remark=f'what "{name.qualifier}" adds to the score is not known')
    try:
        if not is_area(name.score):
            find_score(name.score)
    except InputError:
        return Column(heading, remark=f"{name.score} is not a score this test knows")
    return Column(heading, name.score, name.percent, name.averaging in _OVER_CLASSES)


def _unused(heading: str) -> Column:
    near = suggestion(heading, known_names()) if len(heading) > 3 else ""
    return Column(heading, remark=near)


def _with_row_names(columns: Sequence[Column]) -> list[Column]:
    """The first column of papers or models gives the rows their names."""
    taken = any(column.word == "name" for column in columns)
    result = []
    for column in columns:
        is_name = not taken and not column.word and column.heading.strip().lower() in _SUBJECTS
        taken = taken or is_name
        result.append(replace(column, word="name") if is_name else column)
    return result


def _each_once(columns: Sequence[Column]) -> tuple[Column, ...]:
    """Two columns for one score could be of two models: neither is checked."""
    counts = Counter(column.word for column in columns if column.word)
    return tuple(
        Column(column.heading, remark=f"several columns hold {column.word}") if counts[column.word] > 1 else column
        for column in columns
    )
