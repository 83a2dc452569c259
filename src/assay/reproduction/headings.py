"""Headings of a table of results in the words that people use: Dataset, Paper, Ours, Original accuracy."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from functools import cache
from importlib import resources

from assay.bounded import load_toml
from assay.errors import InputError
from assay.patterns import regex
from assay.records import dataclass
from assay.reproduction.result_files import RawTable
from assay.reproduction.rows import Row

_WORD = regex(r"[^\W_]+%?|%")
Words = tuple[str, ...]


class Side(StrEnum):
    """What the numbers of a column are to each other."""

    ORIGINAL = "original"
    REPRODUCED = "reproduced"
    BASELINES = "baselines"


@dataclass(frozen=True, slots=True)
class _Heading:
    """A column, with the words that name its metric and the side that it is on, if its heading says one."""

    column: str
    metric: Words
    side: Side | None


def renamed(raw: RawTable, names: Mapping[str, str]) -> RawTable:
    """The table with other headings; what is not named keeps its own."""
    rows = tuple(Row(row.where, {names.get(name, name): cell for name, cell in row.cells.items()}) for row in raw.rows)
    return replace(raw, columns=tuple(names.get(name, name) for name in raw.columns), rows=rows)


def with_columns(raw: RawTable, known: Collection[str]) -> RawTable:
    """The table with the known columns under their own names, where its headings mean them."""
    meant = {_words(name): name for name in known} | _synonyms()
    found: dict[str, str] = {}
    for column in sorted(raw.columns, key=lambda column: column not in known):
        name = meant.get(_words(column), "")
        if name in known and name not in found:
            found[name] = column
    return renamed(raw, {column: name for name, column in found.items()})


def without_remarks(raw: RawTable) -> RawTable:
    """The table without columns of notes, which are listed as left out."""
    meant = {_words(word) for words in _table()["remarks"].values() for word in words}
    left_out = [f'column "{column}"' for column in raw.columns if _words(column) in meant]
    kept = tuple(column for column in raw.columns if _words(column) not in meant)
    return replace(raw, columns=kept, left_out=(*raw.left_out, *left_out))


def with_pairs(raw: RawTable, naming: Collection[str], metric: str, mark: str) -> RawTable:
    """The table with `mark` after the metric of each reproduced column that has an original one beside it."""
    headings = [_heading(column) for column in raw.columns if column not in naming]
    names: dict[str, str] = {}
    metrics: list[str] = []
    for first, again in _pairs(headings):
        metrics.append(first.column if first.side is None else _metric(first, again, metric))
        names |= {first.column: metrics[-1], again.column: metrics[-1] + mark}
    if len(metrics) == 1:
        names |= dict.fromkeys(_rivals(headings, metrics[0]), f"{metrics[0]}_{Side.BASELINES}")
    return renamed(raw, names)


def _pairs(headings: Sequence[_Heading]) -> Iterator[tuple[_Heading, _Heading]]:
    """Columns with the article's numbers, each with the column of those obtained again."""
    for again in headings:
        if again.side is Side.REPRODUCED and (first := _original(headings, again)):
            yield first, again


def _rivals(headings: Sequence[_Heading], metric: str) -> Iterator[str]:
    """The columns of baselines for the only metric of a table."""
    for rival in headings:
        if rival.side is Side.BASELINES and rival.metric in {(), _words(metric)}:
            yield rival.column


def _original(headings: Sequence[_Heading], again: _Heading) -> _Heading | None:
    """The column with the article's numbers for a column of reproduced ones; one that says so comes first."""
    same = [one for one in headings if one.metric == again.metric and one.side in {Side.ORIGINAL, None}]
    return min(same, key=lambda one: one.side is None, default=None)


def _metric(first: _Heading, again: _Heading, metric: str) -> str:
    """The metric that two headings share, in the spelling of the first; without one, that of the command."""
    words = _WORD.findall(first.column)
    shared = " ".join(word for word in words if word.lower() in first.metric) or metric
    if not shared:
        what = f'which metric do the columns "{first.column}" and "{again.column}" hold?'
        raise InputError(what, fix="Name it: --metric accuracy.")
    return shared


def _heading(column: str) -> _Heading:
    words = _words(column)
    for place in (0, -1):
        side = _sides().get(words[place]) if words else None
        if side is not None:
            return _Heading(column, words[1:] if place == 0 else words[:-1], side)
    return _Heading(column, words, None)


def _words(heading: str) -> Words:
    return tuple(_WORD.findall(heading.lower()))


def _synonyms() -> dict[Words, str]:
    """The words of a heading and the column that they mean; a side is a column, too."""
    table = _table()
    rows = [(column, words) for part in ("columns", "sides") for column, words in table[part].items()]
    return {_words(word): column for column, words in rows for word in words}


@cache
def _sides() -> dict[str, Side]:
    return {word: Side(side) for side, words in _table()["sides"].items() for word in words}


@cache
def _table() -> dict[str, dict[str, list[str]]]:
    text = (resources.files("assay.reproduction") / "heading_words.toml").read_text(encoding="utf-8")
    return load_toml(text)
