"""Files of results brought together: repositories with factor scores, artefacts found, and the group they are from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain, compress, takewhile
from typing import TYPE_CHECKING

from assay.errors import InputError
from assay.patterns import regex
from assay.records import dataclass
from assay.repository.research.evaluation.columns import Measured, measured_in
from assay.repository.research.evaluation.sheet import Sheet, plain_words
from assay.repository.research.loos2022 import Factor, Indicators, worst_scores

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_GROUP_COLUMNS = ("group", "set", "from set")
_MOST_GROUPS = 12
_OURS = "profile"
"""A column that only the rows of `assay repo` have."""
_RULE = regex(r"[A-Z]+[0-9.]+")
_MOST_MISSING = 0.2
"""A factor that more repositories lack is left out, so that its absence does not cost the repositories."""
_ARTEFACTS: Mapping[str, tuple[str, ...]] = {
    "README": ("readme_lines", "readmes"),
    "licence": ("licences",),
    "configuration file": ("config_files",),
    "dataset": ("dataset", "dataset_in_readme", "dataset_in_code"),
    "random seed": ("seed_lines",),
    "model serialization": ("models",),
    "hyperparameter logging": ("logging",),
}
"""What Figures 6.2 and 7.6 count, and the indicators that tell it."""


@dataclass(frozen=True)
class Collection:
    """All repositories of a study; `scores` has a row for each and a column for each factor."""

    factors: tuple[str, ...]
    scores: NDArray[np.float64]
    groups: tuple[str, ...]
    artefacts: Mapping[str, tuple[bool, ...]]
    """For each kind, whether each repository has it; empty when no file tells."""
    left_out: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The groups, in the order in which they first appear."""
        return tuple(dict.fromkeys(self.groups))

    def scores_of(self, group: str) -> NDArray[np.float64]:
        """The scores of one group."""
        import numpy as np

        chosen: NDArray[np.float64] = self.scores[np.array([g == group for g in self.groups])]
        return chosen


@dataclass(frozen=True, slots=True)
class _Part:
    """What one file gives."""

    scores: Mapping[str, Sequence[float | None]]
    groups: tuple[str, ...]
    artefacts: Mapping[str, Sequence[bool]]
    computed: bool


def collect(sheets: Sequence[Sheet], *, group: str | None = None, factors: Sequence[str] = ()) -> Collection:
    """Bring files together. Without `factors`, columns that end in "score" are taken, or scores are computed."""
    parts = [_part(sheet, group, factors, several=len(sheets) > 1) for sheet in sheets]
    names, sparse = _common(parts)
    if not names:
        raise InputError("the files have no factor in common", fix="Name the columns with --factor.")
    rows = [tuple(part.scores[name][i] for name in names) for part in parts for i in range(len(part.groups))]
    whole = [None not in row for row in rows]
    left_out = [f"{name}: left out, for more than a fifth of the repositories have no score" for name in sparse]
    if not all(whole):
        left_out.append(f"{whole.count(False)} repositories that lack a score of the other factors")
    if any(part.computed for part in parts):
        left_out.append("scores were computed from indicators by the loos2022 profile; what was not measured counts 0")
    return _checked(
        Collection(
            factors=names,
            scores=_array(list(compress(rows, whole)), len(names)),
            groups=tuple(compress(chain.from_iterable(part.groups for part in parts), whole)),
            artefacts=_artefacts_of(parts, whole),
            left_out=tuple(left_out),
        )
    )


def _artefacts_of(parts: Sequence[_Part], whole: Sequence[bool]) -> dict[str, tuple[bool, ...]]:
    """Which repositories have which artefacts, as far as every file says so."""
    kinds = [kind for kind in _ARTEFACTS if all(kind in part.artefacts for part in parts)]
    found = {kind: [has for part in parts for has in part.artefacts[kind]] for kind in kinds}
    return {kind: tuple(compress(has, whole)) for kind, has in found.items()}


def _common(parts: Sequence[_Part]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Factors that all files have, and those among them that too many repositories lack."""
    shared = set(parts[0].scores).intersection(*(part.scores for part in parts))
    most = _MOST_MISSING * sum(len(part.groups) for part in parts)
    lacking = {name: sum(list(part.scores[name]).count(None) for part in parts) for name in shared}
    ordered = [name for name in parts[0].scores if name in shared]
    sparse = tuple(name for name in ordered if lacking[name] > most)
    return tuple(name for name in ordered if name not in sparse), sparse


def _checked(found: Collection) -> Collection:
    if len(found.groups) < 3:
        raise InputError(f"{len(found.groups)} repositories are too few for a study", fix="At least 3 are needed.")
    if len(found.names) > _MOST_GROUPS:
        told = f"{len(found.names)} groups are more than {_MOST_GROUPS}"
        raise InputError(told, fix="Name a column with fewer values with --group.")
    return found


def _part(sheet: Sheet, group: str | None, factors: Sequence[str], *, several: bool) -> _Part:
    measured = measured_in(sheet if _OURS not in sheet.columns else _after_rules(sheet))
    columns = list(factors) or _factor_columns(sheet)
    if columns:
        scores: dict[str, Sequence[float | None]] = {_factor_name(c): sheet.numbers(c) for c in columns}
    elif measured.missing:
        wanted = 'Name the columns with --factor, or let their headings end in "score".'
        raise InputError("has no factor scores", where=sheet.path, fix=wanted)
    else:
        scores = _computed(measured.indicators)
    return _Part(scores, _groups(sheet, group, several=several), _artefacts(measured), computed=not columns)


def _factor_columns(sheet: Sheet) -> list[str]:
    """Columns called "… score"; in the rows that `assay repo` writes, those between the counts and the rules."""
    if _OURS in sheet.columns:
        first = 1 + max((i for i, c in enumerate(sheet.columns) if c.startswith("rules_")), default=-1)
        named = list(takewhile(lambda c: not _RULE.fullmatch(c), sheet.columns[first:]))
    else:
        named = [c for c in sheet.columns if plain_words(c).endswith("score") and "pylint" not in c.lower()]
    return [c for c in named if sheet.is_numeric(c)]


def _after_rules(sheet: Sheet) -> Sheet:
    """What comes after the rules: there a heading such as "models" is an indicator, before them a factor."""
    first = 1 + max((i for i, c in enumerate(sheet.columns) if _RULE.fullmatch(c)), default=len(sheet.columns))
    return Sheet(sheet.path, sheet.columns[first:], tuple(row[first:] for row in sheet.rows))


def _factor_name(column: str) -> str:
    return column.replace("_", " ").removesuffix(" score").strip() or column


def _groups(sheet: Sheet, group: str | None, *, several: bool) -> tuple[str, ...]:
    usual = next((c for c in sheet.columns if plain_words(c) in _GROUP_COLUMNS), None)
    column = group if group is not None else usual
    if column is not None:
        return tuple(cell or "(none)" for cell in sheet.text(column))
    return (sheet.name if several else "all",) * len(sheet.rows)


def _computed(indicators: Sequence[Indicators]) -> dict[str, Sequence[float | None]]:
    """Scores of the profile; buildability only if somebody tried it."""
    found = [worst_scores(row) for row in indicators]
    tried = any(row.built is not None for row in indicators)
    wanted = [factor for factor in Factor if tried or factor is not Factor.OOTB]
    return {factor.value: [scores[factor] for scores in found] for factor in wanted}


def _artefacts(measured: Measured) -> dict[str, Sequence[bool]]:
    return {
        kind: [_has(row, kind) for row in measured.indicators]
        for kind, fields in _ARTEFACTS.items()
        if measured.fields & set(fields)
    }


def _has(row: Indicators, kind: str) -> bool:
    return {
        "README": row.readmes > 0,
        "licence": row.licences > 0,
        "configuration file": bool(row.config_files),
        "dataset": row.dataset,
        "random seed": row.seed_lines > 0,
        "model serialization": row.models,
        "hyperparameter logging": row.logging > 0,
    }[kind]


def _array(rows: Sequence[Sequence[float | None]], width: int) -> NDArray[np.float64]:
    import numpy as np

    return np.array(rows, dtype=float).reshape(len(rows), width)
