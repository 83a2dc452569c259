"""Turn the tables of a run into what is compared: groups, findings and scores.

Counting is left to DuckDB, so that a million subjects take no more memory than a thousand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from assay.corpus.instruments import is_factor
from assay.corpus.results import Results, column
from assay.errors import InputError, suggestion
from assay.records import dataclass

if TYPE_CHECKING:
    import duckdb

    from assay.repository.research.evaluation import Collection

MOST_GROUPS = 12
OTHERS = "(others)"
_MOST_MISSING = 0.2
"""A factor missing in more than this share of subjects is left out, so that those subjects are kept."""
_MOST_ROWS = 100_000
"""Means and clusters use at most this many subjects, sampled with the run's seed."""
_COUNTED_ROWS = 100_000
"""Block size for counting distinct subjects, so that memory does not grow with the corpus."""
_FEWEST = 3
_KINDS_BY_FINDINGS = 12


@dataclass(frozen=True, slots=True)
class Group:
    """Subjects that belong together."""

    name: str
    examined: int
    failed: int
    affected: int
    """Number of subjects with a finding."""


@dataclass(frozen=True, slots=True)
class Prevalence:
    """A finding, and the number of examined subjects of each group that have it."""

    code: str
    title: str
    counts: Mapping[str, tuple[int, int]]

    @property
    def affected(self) -> int:
        """Affected subjects in all groups."""
        return sum(there for there, _ in self.counts.values())


@dataclass(frozen=True, slots=True)
class Study:
    """A run, counted by group."""

    groups: tuple[Group, ...]
    findings: tuple[Prevalence, ...]
    """Most common first."""
    verdicts: Mapping[str, Mapping[str, int]]
    """Number of subjects by group and verdict."""
    failures: Mapping[str, int]
    seconds: tuple[float, float, float, float]
    """Median, 99th percentile and maximum for one subject, and total CPU seconds."""
    scored: Collection | None
    """What can be averaged and clustered: factor scores, or the presence of findings."""
    by_findings: bool
    left_out: tuple[str, ...]

    @property
    def examined(self) -> int:
        """Number of examined subjects."""
        return sum(group.examined for group in self.groups)


def study_of(results: Results, group: str | None = None) -> Study:
    """Count a run by a group column (by default, the first of the list)."""
    with results.opened() as tables:
        _grouped(tables, _chosen(results, group))
        groups = _groups(tables)
        if not any(one.examined for one in groups):
            fix = '`assay corpus query FOLDER "select * from failures"` says why.'
            raise InputError("no subject has been examined", where=str(results.folder), fix=fix)
        findings = _findings(tables, groups)
        scored, told = _scored(tables, results)
        by_findings = scored is None and len(findings) > 1
        if by_findings:
            scored = _presence(tables, findings[:_KINDS_BY_FINDINGS], results.seed)
        return Study(
            groups,
            findings,
            _verdicts(tables),
            _failures(tables),
            _seconds(tables),
            scored if scored is not None and len(scored.groups) >= _FEWEST else None,
            by_findings,
            (*_unfinished(tables, results), *_repeated(tables), *told),
        )


def _chosen(results: Results, group: str | None) -> str | None:
    if group is not None and group not in results.groups:
        hint = suggestion(group, results.groups) or f"Groups: {', '.join(results.groups) or 'none'}."
        raise InputError(f'the run carries no column "{group}"', where=str(results.folder), fix=hint)
    return group or next(iter(results.groups), None)


def _grouped(tables: duckdb.DuckDBPyConnection, group: str | None) -> None:
    """`members`: every subject with its group; groups beyond the largest dozen are merged."""
    value = "'all'" if group is None else f"coalesce(nullif({column(group)}, ''), '(none)')"
    tables.execute(f"create temp table named as select row, outcome, {value} as grp from subjects")  # noqa: S608
    tables.execute(
        "create temp table members as select row, outcome = 'done' as done, "  # noqa: S608 - numbers and our own words
        f"if(shown, grp, '{OTHERS}') as grp, if(shown, place, {MOST_GROUPS}) as place from (select *, "
        f"place < {MOST_GROUPS} or max(place) over () <= {MOST_GROUPS} as shown from named join "
        "(select grp, row_number() over (order by count(*) desc, grp) as place from named group by grp) using (grp))"
    )


def _groups(tables: duckdb.DuckDBPyConnection) -> tuple[Group, ...]:
    found = tables.execute(
        "select grp, count(*) filter (done), count(*) filter (not done), "
        "count(*) filter (done and row in (select row from findings)) from members group by grp, place order by place"
    ).fetchall()
    return tuple(Group(*row) for row in found)


def _findings(tables: duckdb.DuckDBPyConnection, groups: Sequence[Group]) -> tuple[Prevalence, ...]:
    last = (tables.execute("select max(row) from members").fetchone() or (0,))[0]
    titles: dict[str, str] = {}
    there: Counter[tuple[str, str]] = Counter()
    for first in range(0, last + 1, _COUNTED_ROWS):
        found = tables.execute(
            "select code, any_value(title), grp, count(distinct row) from findings join members using (row) "
            "where row >= ? and row < ? group by code, grp",
            [first, first + _COUNTED_ROWS],
        ).fetchall()
        for code, title, grp, many in found:
            titles[code] = title
            there[code, grp] += many
    judged = [group for group in groups if group.examined]
    every = (
        Prevalence(code, title, {g.name: (there[code, g.name], g.examined) for g in judged})
        for code, title in titles.items()
    )
    return tuple(sorted(every, key=lambda one: (-one.affected, one.code)))


def _verdicts(tables: duckdb.DuckDBPyConnection) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    rows = tables.execute(
        "select grp, verdict, count(distinct row) from verdicts join members using (row) group by 1, 2"
    ).fetchall()
    for grp, verdict, many in rows:
        found.setdefault(grp, {})[verdict] = many
    return found


def _failures(tables: duckdb.DuckDBPyConnection) -> dict[str, int]:
    rows = tables.execute("select outcome, count(*) as many from failures group by 1 order by many desc, 1").fetchall()
    return {str(name): int(many) for name, many in rows}


def _seconds(tables: duckdb.DuckDBPyConnection) -> tuple[float, float, float, float]:
    row = tables.execute(
        "select median(seconds), quantile_cont(seconds, 0.99), max(seconds), sum(cpu_seconds) from timings "
        "where outcome = 'done'"
    ).fetchone()
    median, high, most, cpu = (float(value or 0.0) for value in row or (0, 0, 0, 0))
    return median, high, most, cpu


def _unfinished(tables: duckdb.DuckDBPyConnection, results: Results) -> list[str]:
    recorded = (tables.execute("select count(*) from subjects").fetchone() or (0,))[0]
    missing = results.rows - recorded
    return [f"{missing:,} subjects of the list are not examined yet; give the same run again"] if missing else []


def _repeated(tables: duckdb.DuckDBPyConnection) -> list[str]:
    row = tables.execute("select count(*) - count(distinct subject) from subjects").fetchone() or (0,)
    return [f"{row[0]:,} rows name a subject that another row names too; each row counts"] if row[0] else []


def _scored(tables: duckdb.DuckDBPyConnection, results: Results) -> tuple[Collection | None, list[str]]:
    """Factor scores of the examined subjects, and what they leave out."""
    described = tables.execute("describe facts").fetchall()
    columns = [name for name, kind, *_ in described if kind == "DOUBLE" and is_factor(name, results.task)]
    if not columns:
        return None, []
    many, kept = _dense(tables, columns)
    sparse = "no means or clusters, for more than a fifth of the subjects have no score"
    left_out = [f"{c}: {sparse}" for c in columns if c not in kept]
    if not kept:
        return None, left_out
    whole = " and ".join(f'"{c}" is not null' for c in kept)
    lacking = many - (tables.execute(f"select count(*) from facts where {whole}").fetchone() or (0,))[0]  # noqa: S608
    if lacking:
        left_out.append(f"means and clusters leave out {lacking:,} subjects that lack a score of another factor")
    rows = _complete_rows(tables, kept, whole, results.seed)
    return _collection([_words(c) for c in kept], rows), [*left_out, *_drawn(many - lacking)]


def _dense(tables: duckdb.DuckDBPyConnection, columns: Sequence[str]) -> tuple[int, list[str]]:
    """Number of subjects with facts, and the columns that enough of them fill."""
    counts = ", ".join(f'count("{c}")' for c in columns)
    many, *there = tables.execute(f"select count(*), {counts} from facts").fetchone() or (0,)  # noqa: S608 - our own names
    least = max(1, many * (1 - _MOST_MISSING))
    return many, [c for c, n in zip(columns, there, strict=True) if n >= least]


def _complete_rows(
    tables: duckdb.DuckDBPyConnection, columns: Sequence[str], whole: str, seed: int
) -> list[tuple[Any, ...]]:
    """Group and scores of the subjects without missing scores."""
    names = ", ".join(f'"{c}"' for c in columns)
    return tables.execute(
        f"select grp, {names} from (select * from facts join members using (row) where {whole} "  # noqa: S608 - our names
        f"{_sample(seed)}) order by place, row"
    ).fetchall()


def _sample(seed: int) -> str:
    """Sample rows by a hash of their number, so that the sample does not depend on the files."""
    return f"order by md5(concat(row, ':', {seed})) limit {_MOST_ROWS}"


def _drawn(many: int) -> list[str]:
    return [f"means and clusters are of {_MOST_ROWS:,} subjects drawn from {many:,}"] if many > _MOST_ROWS else []


def _presence(tables: duckdb.DuckDBPyConnection, findings: Sequence[Prevalence], seed: int) -> Collection:
    """If there are no scores: 1 for each common finding that a subject has."""
    has = ", ".join(f"max((code = '{one.code}')::int)" for one in findings)
    rows = tables.execute(
        f"select any_value(grp), {has} from "  # noqa: S608 - codes of rules
        f"(select * from members where done {_sample(seed)}) "
        "left join findings using (row) group by row, place order by place, row"
    ).fetchall()
    return _collection([one.code for one in findings], [(grp, *(v or 0 for v in cells)) for grp, *cells in rows])


def _collection(names: Sequence[str], rows: Sequence[Sequence[object]]) -> Collection:
    import numpy as np

    from assay.repository.research.evaluation import Collection

    scores = np.array([row[1:] for row in rows], dtype=float).reshape(len(rows), len(names))
    return Collection(tuple(names), scores, tuple(str(row[0]) for row in rows), {})


def _words(column: str) -> str:
    return column.replace("_", " ")
