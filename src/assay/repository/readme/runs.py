"""What lists and tables say about runs: the settings of a training, and how long one takes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from assay.patterns import regex
from assay.repository.readme.document import CodeBlock, Document, Grid, Part, Passage
from assay.repository.readme.phrases import SPAN
from assay.tree.text import uncased

_LONGEST = 4000
_ENOUGH = 3
"""One setting alone may be an option; so many together are how something was trained."""
_SETTINGS = tuple(
    regex(words)
    for words in (
        r"\boptimi[sz]er\b[^\n\w]{1,6}(?:adam\w{0,5}|sgd|rmsprop|adagrad|adadelta|lion|lamb|l-?bfgs|nadam)\b",
        r"\bepochs?\b[^\n\w]{1,6}(?:up to )?\d{1,5}\b",
        r"\bbatch[ _-]?size\b[^\n\w]{1,6}\d{1,5}\b",
        r"\blearning[ _-]?rate\b[^\n\w]{1,6}\d",
        r"\bloss(?: function)?\b[^\n\w]{1,6}(?:\w{1,20}[ -]){0,3}\w{0,20}(?:entropy|mse|mae|bce|ctc|dice|loss|error)\b",
        r"\bearly[ _-]?stopping\b[^\n\w]{1,6}(?:\w{1,20} ?= ?\d|patience)",
    )
)
_TIME = regex(
    r"\b(?:(?:training|run(?:ning)?|est\w{0,8}\.?|total|wall(?:-?clock)?) ?)?(?:time|duration|runtime|hours)\b"
)
_NO_RUN = regex(
    r"\b(?:time ?(?:steps?|series|stamps?|zones?|frames?|windows?|points?|limits?)|inference|latency|"
    r"per(?! (?:epoch|run|fold|training|iteration|experiment)\b))\b"
)
_IN_UNITS = regex(
    r"\b(?:time|duration|runtime)\b[^\n(\[]{0,30}[(\[](?:in )?(?:s|secs?|seconds|mins?|minutes|h|hrs?|hours|days)[)\]]"
)
"""A column that has the unit in its head, and numbers below."""
_NUMBER = regex(r"[~≈<*_ ]{0,4}\d{1,6}(?:[.,]\d{1,4})?(?: ?(?:±|\+/?-) ?[\d.]{1,8})?[*_ ]{0,4}")
_SPAN = regex(SPAN)


def training_settings(document: Document) -> Iterator[tuple[Part, int, str]]:
    """Part, line and words of each part that has several settings of a training with their values."""
    for part in document.parts:
        blocks = [block for block in part.blocks if isinstance(block, Passage | CodeBlock | Grid)]
        texts = [(block.line, _text(block)) for block in blocks]
        found = [_first(pattern, texts) for pattern in _SETTINGS]
        told = sorted(place for place in found if place is not None)
        if len(told) >= _ENOUGH:
            yield part, *told[0]


def tells_running_time(grid: Grid) -> bool:
    """Whether a table has a column of how long runs take."""
    names = [uncased(name[:100]) for name in grid.header]
    columns = [c for c, name in enumerate(names) if _TIME.search(name) and not _NO_RUN.search(name)]
    cells = [(c, row[c][:100]) for row in grid.rows[:50] for c in columns if c < len(row)]
    measured = {c for c in columns if _IN_UNITS.search(names[c])}
    return any(_SPAN.search(uncased(cell)) or (c in measured and _NUMBER.fullmatch(cell)) for c, cell in cells)


def _text(block: Passage | CodeBlock | Grid) -> str:
    if isinstance(block, Grid):
        return "\n".join(": ".join(row[:2]) for row in block.rows[:50] if row)[:_LONGEST]
    return block.text[:_LONGEST]


def _first(pattern: re.Pattern[str], texts: list[tuple[int, str]]) -> tuple[int, str] | None:
    for line, text in texts:
        match = pattern.search(uncased(text))
        if match is not None:
            return line + text.count("\n", 0, match.start()), match[0]
    return None
