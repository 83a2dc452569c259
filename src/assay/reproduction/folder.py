"""A study as a folder: one TOML file about the whole and a CSV table for each kind of fact, one fact per line.

Such a folder diffs and merges well in git, opens in a spreadsheet, and reads back exactly as it was written.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Any

from assay.bounded import load_toml
from assay.errors import InputError, suggestion
from assay.files import is_there, read_text
from assay.reproduction import cells
from assay.reproduction.assembly import COLUMNS, Tables, assemble
from assay.reproduction.rows import Row, local_day, read_rows, write_rows
from assay.reproduction.study import Paper, Study

ABOUT = "study.toml"


def read_study(folder: Path, today: date | None = None) -> Study:
    """The study that a folder holds; the first thing wrong with it is an `InputError` with file and line."""
    there = is_there(folder)
    if not there or not folder.is_dir():
        fix = "Name the folder that holds study.toml."
        raise InputError("is not a folder" if there else "does not exist", where=str(folder), fix=fix)
    names = [ABOUT, *(name for table in COLUMNS if is_there(folder / (name := f"{table}.csv")))]
    return study_from_files({name: read_text(folder / name) for name in names}, folder, today)


def study_files(study: Study) -> dict[str, str]:
    """The files of a study's folder, by name."""
    return {ABOUT: _about(study)} | {f"{name}.csv": _csv(study, name) for name in COLUMNS}


def _csv(study: Study, name: str) -> str:
    """One table; an optional column that no row fills is left out."""
    columns = COLUMNS[name] or ("paper", *component_order(study.papers))
    rows = list(_ROWS[name](study))
    optional = cells.OPTIONAL | ({"level"} if name == "experiments" else set())
    kept = [at for at, column in enumerate(columns) if column not in optional or any(row[at] for row in rows)]
    return write_rows([columns[at] for at in kept], ([row[at] for at in kept] for row in rows))


def study_from_files(files: Mapping[str, str], folder: Path = Path(), today: date | None = None) -> Study:
    """The study that such files hold; the folder is for messages."""
    about = _toml(files[ABOUT], str(folder / ABOUT))
    tables = {
        table: read_rows(files.get(name := f"{table}.csv", ""), str(folder / name), columns)
        for table, columns in COLUMNS.items()
    }
    return assemble(about, tables, where=str(folder / ABOUT), today=today or local_day())


def study_from_toml(text: str) -> Study:
    """A small study in one TOML text, each table an array of the same name: how examples are written."""
    data = _toml(text, "example")
    tables: Tables = {name: _inline_rows(name, data.pop(name, [])) for name in COLUMNS}
    return assemble(data, tables, where="example", today=local_day())


def write_study(study: Study, folder: Path) -> None:
    """Write the study to a folder, each file at once; what else lies in the folder stays.

    A study that would not read back as it is (a name with a space at its end, a date to come) is not written.
    """
    from assay.report import write

    files = check_exact(study, str(folder))
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        fix = "Choose another place."
        raise InputError(f"cannot be made ({error.strerror})", where=str(folder), fix=fix) from None
    for name, text in files.items():
        write(text, folder / name, force=True)


def check_exact(study: Study, where: str) -> dict[str, str]:
    """The files of a study that reads back from them as it is; any other is an `InputError`."""
    files = study_files(study)
    if study_from_files(files) != study:
        fix = "Look for spaces around names, and components in another order than in the first paper."
        raise InputError("the study would not read back as it is, and was not written", where=where, fix=fix)
    return files


def example_study() -> Study:
    """The 30 papers and 22 attempts of Cappelen & Mølnå (2018), with what the thesis says about them."""
    from importlib import resources

    with resources.as_file(resources.files("assay.reproduction") / "example") as folder:
        return read_study(folder)


# --- reading ---------------------------------------------------------------------------------------


def _toml(text: str, where: str) -> dict[str, Any]:
    try:
        return load_toml(text)
    except ValueError as error:
        raise InputError(f"is broken TOML ({error})", where=where, fix="Strings need quotes, tables [names].") from None


def _inline_rows(name: str, rows: Iterable[Mapping[str, Any]]) -> list[Row]:
    made = []
    for number, filled in enumerate(rows, 1):
        known = COLUMNS[name]
        for column in filled:
            if known is not None and column not in known:
                raise InputError(f'unknown column "{column}"', where=name, fix=suggestion(column, known))
        made.append(Row(f"{name} {number}", {column: str(cell) for column, cell in filled.items()}))
    return made


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


def component_order(papers: Iterable[Paper]) -> list[str]:
    """The names of all components, in an order that every paper keeps; if there is none, as they come."""
    before: dict[str, dict[str, None]] = {}
    for paper in papers:
        names = [name for name, _ in paper.components]
        for earlier, name in zip([None, *names], names, strict=False):
            before.setdefault(name, {}).update({earlier: None} if earlier else {})
    try:
        return list(TopologicalSorter(before).static_order())
    except CycleError:
        return list(before)


def _components(study: Study) -> Iterator[list[str]]:
    names = component_order(study.papers)
    for paper in study.papers:
        if paper.components:
            yield [paper.id, *cells.component_cells(paper, names)]


def _assessments(study: Study) -> Iterator[list[str]]:
    for paper in study.papers:
        for assessment in paper.assessments:
            yield [paper.id, *cells.assessment_cells(assessment)]


def _protocols(study: Study) -> Iterator[list[str]]:
    for paper, attempt in study.attempts():
        if attempt.protocol:
            yield [paper.id, attempt.id, *cells.protocol_cells(attempt.protocol)]


def _attempts(study: Study) -> Iterator[list[str]]:
    for paper, attempt in study.attempts():
        yield [paper.id, *cells.attempt_cells(attempt)]


def _log(study: Study) -> Iterator[list[str]]:
    for paper, attempt in study.attempts():
        for entry in attempt.log:
            yield [paper.id, attempt.id, *cells.spent_cells(entry)]


def _experiments(study: Study) -> Iterator[list[str]]:
    for paper, attempt in study.attempts():
        for experiment in attempt.experiments:
            yield [paper.id, attempt.id, *cells.experiment_cells(experiment, study.naming)]


def _results(study: Study) -> Iterator[list[str]]:
    for paper, attempt in study.attempts():
        for experiment in attempt.experiments:
            for result in experiment.results:
                yield [paper.id, attempt.id, experiment.id, *cells.result_cells(result)]


def _discrepancies(study: Study) -> Iterator[list[str]]:
    for paper, attempt in study.attempts():
        for discrepancy in attempt.discrepancies:
            yield [paper.id, attempt.id, *cells.discrepancy_cells(discrepancy)]


_ROWS: dict[str, Callable[[Study], Iterator[list[str]]]] = {
    "papers": lambda study: (cells.paper_cells(paper, study.naming) for paper in study.papers),
    "components": _components,
    "assessments": _assessments,
    "attempts": _attempts,
    "protocols": _protocols,
    "log": _log,
    "experiments": _experiments,
    "results": _results,
    "discrepancies": _discrepancies,
    "claims": lambda study: map(cells.claim_cells, study.claims),
    "scales": lambda study: map(cells.scale_cells, study.scales),
}
