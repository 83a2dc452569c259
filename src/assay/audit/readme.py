"""What a README reports and says, in the form in which papers are read: rows of scores, and sentences."""

from __future__ import annotations

from collections.abc import Iterator

from assay.article.tables.cells import Cell, Grid, cell_of
from assay.article.tables.scores import score_rows
from assay.audit.facts import Origin, Row
from assay.findings import Location
from assay.patterns import regex
from assay.repository.readme import Passage, ReadmeFacts
from assay.repository.readme.results import ResultsTable

_MARKS = regex(r"[*_`~]+")
_SENTENCE_END = regex(r"(?<=[.!?])\s+(?=[A-Z])|\n\s*\n")
_MOST_SENTENCES = 2_000


def readme_rows(readme: ReadmeFacts) -> Iterator[Row]:
    """The rows of the README's tables of results that name two scores or more."""
    for table in readme.results:
        for row in score_rows(_grid(table)):
            yield Row(Origin.README, row.name, row.scores, row.location)


def _grid(table: ResultsTable) -> Grid:
    lines = (table.header, *table.rows)
    width = max(map(len, lines), default=0)
    rows = tuple((*map(_cell, line), *[cell_of("")] * (width - len(line))) for line in lines)
    return Grid(rows, table.caption, table.location)


def _cell(text: str) -> Cell:
    return cell_of(_MARKS.sub("", text))


def readme_sentences(readme: ReadmeFacts) -> Iterator[tuple[str, Location]]:
    """The sentences of its running text, with their places."""
    if readme.document is None:
        return
    left = _MOST_SENTENCES
    for block in readme.document.blocks:
        if not isinstance(block, Passage):
            continue
        start = 0
        for end in [*(m.end() for m in _SENTENCE_END.finditer(block.text)), len(block.text)]:
            if left := left - 1:
                line = block.line + block.text.count("\n", 0, start)
                yield block.text[start:end], Location(readme.document.path, line)
            start = end
