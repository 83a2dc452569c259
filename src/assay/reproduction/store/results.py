"""Many results at once: a table's experiments and results go into the store in one transaction, or none does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from sqlalchemy import Engine
from sqlalchemy.orm import Session

from assay.database import write
from assay.errors import InputError
from assay.records import dataclass
from assay.reproduction.result_import import NewExperiment
from assay.reproduction.store.edits import Entry, add_in, change_in, entries_in
from assay.reproduction.store.facts import result_of
from assay.reproduction.store.kinds import Kind
from assay.reproduction.store.schema import ResultRow
from assay.reproduction.study import Result


@dataclass(frozen=True, slots=True)
class Added:
    """What a table added to the store."""

    paper: Entry
    attempt: Entry
    new: tuple[Kind, ...]
    """Which of paper and attempt were made for it."""
    experiments: int
    results: int
    completed: int
    """Results that were there without a reproduced number, and now have one."""
    unchanged: int
    verdicts: Mapping[str, int]
    questions: tuple[str, ...]
    """Why numbers could not be compared."""


def add_results(engine: Engine, paper: str, attempt: str, experiments: Sequence[NewExperiment]) -> Added:
    """Record the experiments of a table under an attempt; paper and attempt are made if they are not there."""
    return write(engine, lambda session: _add_all(session, paper, attempt, experiments))


def _add_all(session: Session, paper: str, attempt: str, experiments: Sequence[NewExperiment]) -> Added:
    new: list[Kind] = []
    above = _found(session, Kind.PAPER, paper, None) or _made(session, Kind.PAPER, {"id": paper}, None, new)
    under = _attempt(session, attempt, above, new)
    there = entries_in(session, Kind.EXPERIMENT, under.id)
    made: Counter[str] = Counter()
    recorded: list[tuple[str, Result]] = []
    for one in experiments:
        experiment = next((entry for entry in there if _same(entry, one)), None)
        if experiment is None:
            about = {"experiment": one.name, "method": one.method, "data": one.data, **one.further}
            experiment = add_in(session, Kind.EXPERIMENT, about, under.id)
            there.append(experiment)
            made["experiments"] += 1
        known = entries_in(session, Kind.RESULT, experiment.id)
        for cells in one.results:
            entry, how = _result(session, experiment, known, cells)
            known.append(entry)
            made[how] += 1
            recorded.append((experiment.name, result_of(session.get_one(ResultRow, entry.id))))
    return Added(
        paper=above,
        attempt=under,
        new=tuple(new),
        experiments=made["experiments"],
        results=made["added"],
        completed=made["completed"],
        unchanged=made["unchanged"],
        verdicts=Counter(result.judged.verdict for _, result in recorded if result.obtained),
        questions=tuple(f"experiment {name}, {r.metric}: {r.question}" for name, r in recorded if r.question),
    )


def usual_paper(engine: Engine, file: str) -> str:
    """The paper of a table that names none: in a study without papers, or with one of this name, that of the file."""
    with Session(engine) as session:
        names = [entry.name for entry in entries_in(session, Kind.PAPER, None)]
    return file if not names or file in names else ""


def _found(session: Session, kind: Kind, name: str, under: int | None) -> Entry | None:
    return next((entry for entry in entries_in(session, kind, under) if entry.name == name), None)


def _made(session: Session, kind: Kind, cells: Mapping[str, str], under: int | None, new: list[Kind]) -> Entry:
    new.append(kind)
    return add_in(session, kind, cells, under)


def _attempt(session: Session, name: str, paper: Entry, new: list[Kind]) -> Entry:
    there = entries_in(session, Kind.ATTEMPT, paper.id)
    if not name and len(there) > 1:
        listed = ", ".join(entry.name for entry in there)
        raise InputError(f"there are {len(there)} attempts", fix=f"Name one with --attempt: {listed}.")
    found = there[0] if there and not name else next((entry for entry in there if entry.name == name), None)
    return found or _made(session, Kind.ATTEMPT, {"attempt": name}, paper.id, new)


def _same(entry: Entry, one: NewExperiment) -> bool:
    if one.name:
        return entry.name == one.name
    return (entry.cells["method"], entry.cells["data"]) == (one.method, one.data)


def _result(session: Session, experiment: Entry, known: Sequence[Entry], cells: Mapping[str, str]) -> tuple[Entry, str]:
    """The result in the store: new, completed with its reproduced number, or there already."""
    there = next((entry for entry in known if entry.cells["metric"] == cells["metric"]), None)
    if there is None:
        return add_in(session, Kind.RESULT, cells, experiment.id), "added"
    if all(there.cells[name] == value for name, value in cells.items()):
        return there, "unchanged"
    empty = not any(there.cells[name] for name in ("reproduced", "runs"))
    if empty and there.cells["original"] == cells["original"]:
        return change_in(session, Kind.RESULT, there.id, there.version, cells), "completed"
    what = f'{cells["metric"]} of experiment "{experiment.name}" is there already, with other numbers'
    fix = f"Change it: assay study change result {there.id} reproduced=… , or name another --attempt."
    raise InputError(what, fix=fix)
