"""Which column of a file of results holds which indicator of the loos2022 profile."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from assay.records import dataclass
from assay.repository.research.evaluation.sheet import Sheet, plain_words
from assay.repository.research.loos2022.indicators import Indicators
from assay.repository.tables import load_table

NEEDED = ("readme_lines", "licences", "comment_ratio", "declared", "strict", "public", "seed_lines", "fixed_seeds")
"""Without these the three graded factors have no score."""


@cache
def _field_by_heading() -> dict[str, str]:
    headings = load_table("assay.repository.research.evaluation", "columns.toml")
    return {heading: field for field, several in headings.items() for heading in several}


@dataclass(frozen=True, slots=True)
class Measured:
    """The indicators of every row, and which of them the file has a column for."""

    indicators: tuple[Indicators, ...]
    fields: frozenset[str]

    @property
    def missing(self) -> tuple[str, ...]:
        """Needed indicators that have no column."""
        return tuple(name for name in NEEDED if name not in self.fields)


def measured_in(sheet: Sheet) -> Measured:
    """Read the columns that hold indicators; others are left alone."""
    columns: dict[str, str] = {}
    for heading in sheet.columns:
        field = _field_by_heading().get(plain_words(heading.partition("(excl")[0]))
        if field is not None:
            columns.setdefault(field, heading)
    values = {field: sheet.numbers(column) for field, column in columns.items()}
    cells = ({field: column[row] for field, column in values.items()} for row in range(len(sheet.rows)))
    return Measured(tuple(_indicators(row) for row in cells), frozenset(columns))


def _indicators(row: Mapping[str, float | None]) -> Indicators:
    def value(name: str) -> float:
        return row.get(name) or 0.0

    def maybe(name: str) -> float | None:
        return row.get(name)

    lines, unreachable, built = value("readme_lines"), maybe("unreachable_links"), maybe("built")
    readmes, imports, files = maybe("readmes"), maybe("imports"), maybe("config_files")
    return Indicators(
        readmes=int(readmes) if readmes is not None else int(lines > 0),
        readme_lines=lines,
        links=int(value("links")),
        reachable_links=maybe("reachable_links") if unreachable is None else 100 - unreachable,
        licences=int(value("licences")),
        open_licences=int(value("open_licences")),
        comment_ratio=value("comment_ratio"),
        pylint=maybe("pylint"),
        imports=None if imports is None else int(imports),
        config_files=None if files is None else int(files),
        declared=value("declared"),
        strict=value("strict"),
        public=value("public"),
        dataset=any(value(name) > 0 for name in ("dataset", "dataset_in_readme", "dataset_in_code")),
        seed_lines=int(value("seed_lines")),
        fixed_seeds=value("fixed_seeds"),
        models=value("models") > 0,
        logging=int(value("logging")),
        built=None if built is None else built > 0,
    )
