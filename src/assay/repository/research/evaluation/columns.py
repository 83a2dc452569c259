"""Which column of a file of results holds which indicator of the loos2022 profile."""

from __future__ import annotations

from collections.abc import Mapping

from assay.records import dataclass
from assay.repository.research.evaluation.sheet import Sheet, plain_words
from assay.repository.research.loos2022.indicators import Indicators

_HEADINGS: Mapping[str, tuple[str, ...]] = {
    "readmes": ("readmes",),
    "readme_lines": ("readme lines", "readme length"),
    "links": ("links", "readme links"),
    "reachable_links": ("reachable links", "pct acc links", "pct accessible links"),
    "unreachable_links": ("unreachable links", "pct not acc links", "pct not accessible links"),
    "licences": ("licences", "licenses"),
    "open_licences": ("open licences", "open licenses", "os licences", "os licenses", "open source licenses"),
    "comment_ratio": ("comment ratio", "ccr", "code comment ratio"),
    "pylint": ("pylint", "pylint score", "pylint rating"),
    "imports": ("imports", "unique imports in source code file s"),
    "config_files": ("config files",),
    "declared": (
        "declared", "pct declared", "pct decl in conf of used in sc", "pct decl in conf to used in sc",
        "pct unique imports used in source code mentioned in config file s in relation to all used",
    ),
    "strict": (
        "strict", "pct strict", "pct strict decl in conf",
        "pct strict unique imports in relation to all unique imports in config file s",
    ),
    "public": (
        "public", "pct public", "pct pub avail libs",
        "pct public available libraries in relation to all unique imports in source code",
    ),
    "dataset": ("dataset", "dataset found", "found dataset"),
    "dataset_in_readme": ("readme ds reference", "readme dataset reference"),
    "dataset_in_code": ("dsfc in sc", "found dataset file candidates mentioned in source code"),
    "seed_lines": ("seed lines", "rdm seed lines", "rs decl lines", "random seed declaration lines"),
    "fixed_seeds": ("fixed seeds", "pct fixed rdm seed", "pct fixed rs lines", "pct fixed random seed lines"),
    "models": ("models", "ms used", "ms found", "model serialization used"),
    "logging": ("logging", "hpl used", "hpl found", "hp logging indicators", "hyperparameter logging indicators"),
    "built": ("built", "ootb", "out of the box buildable with binderhub"),
}  # fmt: skip
"""Our names first, then those of Loos 2022: the figures of Appendix B and the files that its tool writes."""
_MEANT = {heading: field for field, headings in _HEADINGS.items() for heading in headings}
NEEDED = ("readme_lines", "licences", "comment_ratio", "declared", "strict", "public", "seed_lines", "fixed_seeds")
"""Without these the three graded factors have no score."""


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
        field = _MEANT.get(plain_words(heading.partition("(excl")[0]))
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
