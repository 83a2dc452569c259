"""One row of results printed in two tables, with one figure that differs.

Tables repeat a row to compare it with others. Where all figures but one are the same, the row is the same, and the
one that differs is a slip in one of the tables. Rows that differ in more figures are about something else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations

from assay.article.numbers.clash import Clash, ClashKind
from assay.article.numbers.figures import agree, printed
from assay.article.tables import ScoreRow

_FEWEST_EQUAL = 2
"""Figures that must be the same before another is said to differ."""


def repeat_clashes(tables: Sequence[Sequence[ScoreRow]]) -> Iterator[Clash]:
    """Figures that differ between two tables, though all others of the row are the same."""
    keyed = [[(_key(row), row) for row in rows if row.model] for rows in tables]
    unique = [_unique(rows) for rows in keyed]
    for (one, _), (_, twins) in combinations(zip(keyed, unique, strict=True), 2):
        for key, row in one:
            if key in twins:
                yield from _differing(row, twins[key])


def _unique(rows: Sequence[tuple[tuple[str, str], ScoreRow]]) -> dict[tuple[str, str], ScoreRow]:
    """The rows of a table whose key no other row of it has."""
    counts = Counter(key for key, _ in rows)
    return {key: row for key, row in rows if counts[key] == 1}


def _key(row: ScoreRow) -> tuple[str, str]:
    return " ".join(row.model.lower().split()), row.averaging


def _differing(row: ScoreRow, twin: ScoreRow) -> Iterator[Clash]:
    figures, others = dict(row.scores), dict(twin.scores)
    shared = [score for score in figures if score in others]
    equal = {score for score in shared if _same(figures[score], others[score])}
    telling = {printed(_value(figures[score])).value for score in equal}
    differing = [score for score in shared if score not in equal]
    if len(telling) < _FEWEST_EQUAL or len(differing) != 1:
        return
    [score] = differing
    yield Clash(
        ClashKind.REPEAT,
        f"{row.name} | {score} {figures[score]}",
        row.location,
        f"{score} {figures[score]} for {row.name}",
        f"{score} {others[score]}",
        twin.location,
        f"{len(equal)} other figures of the row are the same in both tables",
    )


@lru_cache(maxsize=1 << 16)
def _same(one: str, other: str) -> bool:
    return one == other or agree(printed(_value(one)), printed(_value(other)))


def _value(figure: str) -> str:
    return figure.partition(" ±")[0]
