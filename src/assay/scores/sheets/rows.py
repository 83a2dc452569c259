"""A row of a spreadsheet as an experiment; a cell that cannot be read is a message for its row and stops nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from assay.errors import InputError
from assay.findings import Location
from assay.records import dataclass
from assay.scores.compilation import experiment_of
from assay.scores.sheets.cells import ScoreCell, count_text, score_cell, text_of
from assay.scores.sheets.files import Sheet, SheetRow
from assay.scores.sheets.headings import OTHER_TASKS, Column, columns_of
from assay.scores.sheets.validation import UNKNOWN_FOLDS, stated_folds
from assay.scores.study import ExperimentModel, is_plain_score, nested
from assay.scores.table_rows import read_row
from assay.scores.tasks import AnyExperiment

_SETTINGS = frozenset(ExperimentModel.model_fields) - {"scores"}
_COUNTS = frozenset({"p", "n", "folds", "repeats"})
_SIZES = frozenset({"p", "n", "total"})


@dataclass(frozen=True, slots=True)
class ReadRow:
    """An experiment, or none, and what could not be read."""

    row: SheetRow
    name: str
    experiment: AnyExperiment | None
    messages: tuple[str, ...] = ()

    @property
    def remarks(self) -> str:
        """The messages as sentences; empty without any."""
        return " ".join(f"{message.rstrip('.')}." for message in self.messages)


def read_rows(sheet: Sheet, defaults: Mapping[str, object] | None = None) -> Iterator[ReadRow]:
    """Each row of the sheet."""
    columns = columns_of(sheet.headings)
    if not any(column.is_score for column in columns):
        shown = ", ".join(sheet.headings[:8])
        raise InputError(f"no column holds a score ({shown})", where=sheet.name, fix="Name one acc, sens, f1, …")
    for row in sheet.rows:
        yield _read(sheet, row, columns, defaults or {})


def unused_columns(sheet: Sheet) -> list[str]:
    """What to say about columns that look like scores and are not checked."""
    return [f'column "{c.heading}": {c.remark}' for c in columns_of(sheet.headings) if not c.word and c.remark]


def _read(sheet: Sheet, row: SheetRow, columns: Sequence[Column], defaults: Mapping[str, object]) -> ReadRow:
    place = Location(sheet.name, row.line)
    if row.misfit:
        said = f"{row.misfit} cells for {len(sheet.headings)} columns. Quote cells that hold a comma."
        return ReadRow(row, f"row {row.line}", None, (said,))
    words, messages = _words(row, columns, sheet.above)
    name = words.get("name", "") or f"row {row.line}"
    if not any(word not in _SETTINGS for word in words):
        return ReadRow(row, name, None, (*messages, "no score that can be checked"))
    try:
        if defaults:
            data = {**nested(words.items(), where=str(place)), "name": name}
            experiment = experiment_of(data, where="", location=place, defaults=defaults)
        else:
            cells = [(word, text) for word, text in words.items() if word != "name"]
            experiment = read_row(cells, name=name, where="", location=place)
    except InputError as error:
        return ReadRow(row, name, None, (*messages, str(error)))
    return ReadRow(row, name, experiment, tuple(messages))


def _words(row: SheetRow, columns: Sequence[Column], above: str) -> tuple[dict[str, str], list[str]]:
    """The row in words of the command line, and what is wrong with its cells."""
    words: dict[str, str] = {}
    messages: list[str] = []
    spreads: dict[str, str] = {}
    over_classes: set[bool] = set()
    for column, cell in _cells(row, columns, messages):
        words[column.word] = cell.text
        if cell.spread:
            spreads[f"{column.word}_sd"] = cell.spread
        if column.is_score:
            over_classes.add(column.over_classes)
    if True in over_classes:
        return _over_classes(words, columns, messages, mixed=len(over_classes) > 1)
    if not words.keys() & {"folds", *OTHER_TASKS}:
        words = _with_folds(words, _besides(row, columns, above), messages)
    if spreads:
        words = _with_spreads(words, spreads, messages)
    return words, messages


def _besides(row: SheetRow, columns: Sequence[Column], above: str) -> Iterator[str]:
    """What may say how the figures of a row came about: its other cells with their headings, then the title."""
    for column, value in zip(columns, row.cells, strict=True):
        if not column.word and text_of(value):
            yield f"{column.heading} {text_of(value)}"
    yield above


def _with_folds(words: dict[str, str], texts: Iterator[str], messages: list[str]) -> dict[str, str]:
    """Folds that are stated outside of a column of folds; of an unknown number, they leave the sizes unknown."""
    folds = stated_folds(texts)
    if folds is None:
        return words
    if folds and {"p", "n"} <= words.keys():
        return words | folds
    if _SIZES & words.keys():
        messages.append(UNKNOWN_FOLDS)
    return {word: text for word, text in words.items() if word not in _SIZES}


def _cells(row: SheetRow, columns: Sequence[Column], messages: list[str]) -> Iterator[tuple[Column, ScoreCell]]:
    """The cells that can be read; what is wrong with the others goes to the messages."""
    settings = {c.word for c in columns}
    for column, value in zip(columns, row.cells, strict=True):
        text = text_of(value) if column.word else ""
        if not text:
            continue
        try:
            yield column, _cell(column, text, plain=not settings & OTHER_TASKS)
        except InputError as error:
            messages.append(str(error))


def _cell(column: Column, text: str, *, plain: bool) -> ScoreCell:
    if column.word in _COUNTS and "[" not in text:
        return ScoreCell(count_text(text, column.heading))
    if column.word in _SETTINGS or not plain or not is_plain_score(column.word):
        return ScoreCell(text)
    return score_cell(text, column.word, column.heading, percent=column.percent)


def _with_spreads(words: dict[str, str], spreads: dict[str, str], messages: list[str]) -> dict[str, str]:
    """Spreads belong to folds; where none are given the figures may be means over parts of any size."""
    if "folds" in words:
        return {**spreads, **words}
    if _SIZES & words.keys():
        messages.append("a spread without folds: checked without the sizes")
    without = {word: text for word, text in words.items() if word not in _SIZES}
    return {**without, **{word: text for word, text in spreads.items() if word not in words}}


def _over_classes(
    words: dict[str, str], columns: Sequence[Column], messages: list[str], *, mixed: bool
) -> tuple[dict[str, str], list[str]]:
    """Macro and weighted averages are means over classes; other scores beside them are of another kind."""
    if mixed:
        messages.append("averages over classes are checked alone, without the other scores")
    averaged = {column.word for column in columns if column.over_classes}
    kept = {word: text for word, text in words.items() if word in averaged or word == "name"}
    return {**kept, "aggregation": "mean"}, messages
