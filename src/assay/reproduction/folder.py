"""A study as a folder: one TOML file about the whole and a CSV table for each kind of fact, one fact per line.

Such a folder diffs and merges well in git, opens in a spreadsheet, and reads back exactly as it was written.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from assay.errors import InputError, suggestion
from assay.files import read_text
from assay.reproduction.assembly import COLUMNS, Tables, assemble
from assay.reproduction.outcomes import Measured
from assay.reproduction.rows import Row, joined, read_rows, write_rows
from assay.reproduction.study import Attempt, Paper, Study, level_name

ABOUT = "study.toml"


def read_study(folder: Path, today: date | None = None) -> Study:
    """The study that a folder holds; the first thing wrong with it is an `InputError` with file and line."""
    if not folder.is_dir():
        fix = "Name the folder that holds study.toml."
        raise InputError("is not a folder" if folder.exists() else "does not exist", where=str(folder), fix=fix)
    names = [ABOUT, *(name for table in COLUMNS if (folder / (name := f"{table}.csv")).exists())]
    return study_from_files({name: read_text(folder / name) for name in names}, folder, today)


def study_files(study: Study) -> dict[str, str]:
    """The files of a study's folder, by name."""
    return {ABOUT: _about(study)} | {
        f"{name}.csv": write_rows(columns or _component_columns(study), _ROWS[name](study))
        for name, columns in COLUMNS.items()
    }


def study_from_files(files: Mapping[str, str], folder: Path = Path(), today: date | None = None) -> Study:
    """The study that such files hold; the folder is for messages."""
    about = _toml(files[ABOUT], str(folder / ABOUT))
    tables = {
        table: read_rows(files.get(name := f"{table}.csv", ""), str(folder / name), columns)
        for table, columns in COLUMNS.items()
    }
    return assemble(about, tables, where=str(folder / ABOUT), today=today or _today())


def study_from_toml(text: str) -> Study:
    """A small study in one TOML text, each table an array of the same name: how examples are written."""
    data = _toml(text, "example")
    tables: Tables = {name: _inline_rows(name, data.pop(name, [])) for name in COLUMNS}
    return assemble(data, tables, where="example", today=_today())


def write_study(study: Study, folder: Path) -> None:
    """Write the study to a folder, each file at once; what else lies in the folder stays.

    A study that would not read back as it is (a name with a space at its end, a date to come) is not written.
    """
    from assay.report import write

    files = study_files(study)
    if study_from_files(files) != study:
        fix = "Look for spaces around names, and components in another order than in the first paper."
        raise InputError("the study would not read back as it is, and was not written", where=str(folder), fix=fix)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        fix = "Choose another place."
        raise InputError(f"cannot be made ({error.strerror})", where=str(folder), fix=fix) from None
    for name, text in files.items():
        write(text, folder / name, force=True)


def example_study() -> Study:
    """The 30 papers and 22 attempts of Cappelen & Mølnå (2018), with what the thesis says about them."""
    from importlib import resources

    with resources.as_file(resources.files("assay.reproduction") / "example") as folder:
        return read_study(folder)


# --- reading ---------------------------------------------------------------------------------------


def _toml(text: str, where: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"is broken TOML ({error})", where=where, fix="Strings need quotes, tables [names].") from None
    except RecursionError:
        raise InputError("is nested too deeply", where=where) from None


def _inline_rows(name: str, rows: Iterable[Mapping[str, Any]]) -> list[Row]:
    made = []
    for number, cells in enumerate(rows, 1):
        known = COLUMNS[name]
        for column in cells:
            if known is not None and column not in known:
                raise InputError(f'unknown column "{column}"', where=name, fix=suggestion(column, known))
        made.append(Row(f"{name} {number}", {column: str(cell) for column, cell in cells.items()}))
    return made


def _today() -> date:
    return datetime.now(UTC).astimezone().date()


# --- writing ---------------------------------------------------------------------------------------


def _about(study: Study) -> str:
    lines = [
        f"title = {_quoted(study.title)}",
        f"source = {_quoted(study.source)}",
        f"levels = {_quoted(study.naming.value)}",
    ]
    if study.attainable:
        lines += ["", "# Every value that the scoring of a component can give, where that is known.", "[attainable]"]
        lines += [f"{_quoted(name)} = [{', '.join(map(_quoted, values))}]" for name, values in study.attainable]
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    """A TOML string: JSON's, but for one control character that TOML wants escaped too."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _shown(value: object) -> str:
    return "" if value is None else str(value)


def _papers(study: Study) -> Iterator[list[str]]:
    for p in study.papers:
        level = level_name(p.level, study.naming) if p.level else ""
        yield [p.id, p.title, _shown(p.year), level, p.stated_metric]


def _component_columns(study: Study) -> list[str]:
    return ["paper", *dict.fromkeys(name for paper in study.papers for name, _ in paper.components)]


def _components(study: Study) -> Iterator[list[str]]:
    names = _component_columns(study)[1:]
    for paper in study.papers:
        if paper.components:
            cells = {name: value or "-" for name, value in paper.components}
            yield [paper.id, *(cells.get(name, "") for name in names)]


def _attempts(study: Study) -> Iterator[list[str]]:
    for paper, a in study.attempts():
        counts = a.counts
        numbers = (
            [counts.experiments, counts.identical, counts.consistent, counts.different, counts.not_run]
            if counts
            else [None] * 5
        )
        yield [
            *_key(paper, a),
            joined(a.people),
            *map(_shown, (a.budget, a.stated_hours, a.started, a.ended)),
            a.environment,
            joined(a.reasons),
            _shown(a.stated_outcome),
            *map(_shown, numbers),
        ]


def _log(study: Study) -> Iterator[list[str]]:
    for paper, a in study.attempts():
        for entry in a.log:
            yield [*_key(paper, a), _shown(entry.day), str(entry.hours), entry.activity]


def _experiments(study: Study) -> Iterator[list[str]]:
    for paper, a in study.attempts():
        for e in a.experiments:
            yield [*_key(paper, a), e.id, e.method, e.data, e.status, _shown(e.reason)]


def _results(study: Study) -> Iterator[list[str]]:
    for paper, a in study.attempts():
        for e in a.experiments:
            for r in e.results:
                yield [
                    *(*_key(paper, a), e.id, r.metric, _shown(r.direction)),
                    *_measured(r.original),
                    *_measured(r.reproduced),
                    joined(b.value for b in r.baselines),
                    joined(r.runs),
                    _shown(r.margin),
                ]


def _discrepancies(study: Study) -> Iterator[list[str]]:
    for paper, a in study.attempts():
        for d in a.discrepancies:
            yield [
                *(*_key(paper, a), d.category, str(d.instances), _shown(d.severity), d.effect, d.effect_on),
                *(joined(d.because), d.together, d.note),
            ]


def _claims(study: Study) -> Iterator[list[str]]:
    for c in study.claims:
        yield [c.where, c.says, c.measure, joined(f"{key}={value}" for key, value in c.of), c.value]


def _scales(study: Study) -> Iterator[list[str]]:
    for s in study.scales:
        yield [s.where, s.question, joined(s.scores)]


def _key(paper: Paper, attempt: Attempt) -> tuple[str, str]:
    return paper.id, attempt.id


def _measured(result: Measured | None) -> list[str]:
    if result is None:
        return [""] * 4
    return [result.value, *map(_shown, (result.spread, result.runs, result.items))]


_ROWS: dict[str, Callable[[Study], Iterator[list[str]]]] = {
    "papers": _papers,
    "components": _components,
    "attempts": _attempts,
    "log": _log,
    "experiments": _experiments,
    "results": _results,
    "discrepancies": _discrepancies,
    "claims": _claims,
    "scales": _scales,
}
