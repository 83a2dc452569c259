"""A whole study in and out of a store, in one transaction."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import Engine, insert, select, update
from sqlalchemy.orm import Session

from assay.database import open_database, read, shown, write
from assay.errors import InputError
from assay.reproduction.folder import check_exact
from assay.reproduction.store import facts, schema
from assay.reproduction.store.schema import Kept
from assay.reproduction.study import Study

MIGRATIONS = "assay.reproduction.store.migrations"
T = TypeVar("T")


def new_store(where: str | Path, study: Study | None = None) -> Engine:
    """A store that was not there before, with a study in it."""
    study = study or Study()
    check_exact(study, shown(where))
    engine = open_database(where, migrations=MIGRATIONS)
    try:
        begin_study(engine, study)
    except BaseException:
        engine.dispose()
        raise
    return engine


def open_store(where: str | Path) -> Engine:
    """A store that is there already, brought up to date."""
    engine = open_database(where, migrations=MIGRATIONS, create=False)
    try:
        read_facts(engine, lambda session: _check_there(session, shown(where)))
    except BaseException:
        engine.dispose()
        raise
    return engine


def begin_study(engine: Engine, study: Study) -> None:
    """Put the first study into a store that has its tables."""
    check_exact(study, shown(engine))
    write(engine, lambda session: _begin(session, study, shown(engine)))


def load_study(engine: Engine) -> Study:
    """The study as it is at this moment, without what was deleted."""
    return read_facts(engine, load_in)


def read_facts(engine: Engine, work: Callable[[Session], T]) -> T:
    """What `work` finds; what somebody wrote into the tables by hand, and is no fact, is an `InputError`."""
    try:
        return read(engine, work)
    except InputError:
        raise
    except (LookupError, ArithmeticError, AttributeError, TypeError, ValueError) as error:
        fix = "Put it right in the database, or take the last export."
        raise InputError(f"holds what Assay did not write ({error})", where=shown(engine), fix=fix) from None


def replace_study(engine: Engine, study: Study) -> None:
    """Put another study in the place of the one in the store, whose rows are kept as deleted."""
    check_exact(study, shown(engine))
    write(engine, lambda session: _replace(session, study))


def _check_there(session: Session, where: str) -> None:
    row = session.scalar(select(schema.StudyRow))
    if row is None:
        raise InputError("holds no study yet", where=where, fix="Make one with `assay study new`.")
    if row.deleted is not None:
        raise InputError("this study was deleted", where=where, fix="Undo it in the browser, or wait and make another.")


def _begin(session: Session, study: Study, where: str) -> None:
    if session.scalar(select(schema.StudyRow.id)):
        raise InputError("holds a study already", where=where, fix="Name a new file.")
    session.add(schema.StudyRow(**facts.study_values(study)))
    _add_parts(session, study)


def _replace(session: Session, study: Study) -> None:
    for name, value in facts.study_values(study).items():
        setattr(session.scalars(select(schema.StudyRow)).one(), name, value)
    for model in (schema.PaperRow, schema.ClaimRow, schema.ScaleRow):
        living = update(model).where(model.deleted.is_(None))
        session.execute(living.values(deleted=datetime.now(UTC), version=model.version + 1))
    _add_parts(session, study)


def _add_parts(session: Session, study: Study) -> None:
    """Everything below the study, a table at a time: many rows in few statements."""
    papers = _added(session, schema.PaperRow, [(None, p) for p in study.papers], facts.paper_values)
    _added(session, schema.AssessmentRow, _below(papers, lambda p: p.assessments), facts.assessment_values)
    attempts = _added(session, schema.AttemptRow, _below(papers, lambda p: p.attempts), facts.attempt_values)
    protocols = _below(attempts, lambda a: [a.protocol] if a.protocol else [])
    _added(session, schema.ProtocolRow, protocols, facts.protocol_values)
    experiments = _below(attempts, lambda a: a.experiments)
    made = _added(session, schema.ExperimentRow, experiments, facts.experiment_values)
    _added(session, schema.ResultRow, _below(made, lambda e: e.results), facts.result_values)
    _added(session, schema.SpentRow, _below(attempts, lambda a: a.log), facts.spent_values)
    _added(session, schema.DiscrepancyRow, _below(attempts, lambda a: a.discrepancies), facts.discrepancy_values)
    _added(session, schema.ClaimRow, [(None, c) for c in study.claims], facts.claim_values)
    _added(session, schema.ScaleRow, [(None, s) for s in study.scales], facts.scale_values)


def _added(
    session: Session, model: type[Kept], placed: Sequence[tuple[int | None, T]], values: Callable[[T], facts.Values]
) -> list[tuple[int, T]]:
    """The facts with the numbers of their rows; each came with the number of the row that it belongs to."""
    if not placed:
        return []
    rows = [values(fact) | ({} if above is None else {"parent": above}) | {"version": 1} for above, fact in placed]
    made = session.scalars(insert(model).returning(model.id, sort_by_parameter_order=True), rows)
    return [(number, fact) for number, (_, fact) in zip(made, placed, strict=True)]


def _below(placed: Iterable[tuple[int, T]], parts: Callable[[T], Iterable[Any]]) -> list[tuple[int | None, Any]]:
    return [(number, part) for number, fact in placed for part in parts(fact)]


# --- loading ---------------------------------------------------------------------------------------


def load_in(session: Session) -> Study:
    """The study, as a part of a larger change."""
    results = _grouped(session, schema.ResultRow, facts.result_of)
    log = _grouped(session, schema.SpentRow, facts.spent_of)
    discrepancies = _grouped(session, schema.DiscrepancyRow, facts.discrepancy_of)
    experiments = _grouped(session, schema.ExperimentRow, lambda row: facts.experiment_of(row, results.get(row.id, ())))
    protocols = _grouped(session, schema.ProtocolRow, facts.protocol_of)
    assessments = _grouped(session, schema.AssessmentRow, facts.assessment_of)
    attempts = _grouped(
        session,
        schema.AttemptRow,
        lambda row: facts.attempt_of(
            row,
            log.get(row.id, ()),
            experiments.get(row.id, ()),
            discrepancies.get(row.id, ()),
            protocols.get(row.id, ()),
        ),
    )
    about = facts.study_of(session.scalars(select(schema.StudyRow)).one())
    return Study(
        title=about.title,
        source=about.source,
        naming=about.naming,
        papers=tuple(
            facts.paper_of(row, attempts.get(row.id, ()), assessments.get(row.id, ()))
            for row in _living(session, schema.PaperRow)
        ),
        claims=tuple(map(facts.claim_of, _living(session, schema.ClaimRow))),
        scales=tuple(map(facts.scale_of, _living(session, schema.ScaleRow))),
        attainable=about.attainable,
    )


def _living(session: Session, model: type[Kept]) -> Iterable[Any]:
    """Rows with the attributes of the model; plain ones, since many are made and none is changed."""
    columns = [attribute.columns[0].label(attribute.key) for attribute in model.__mapper__.column_attrs]
    chosen = select(*columns).where(model.deleted.is_(None)).order_by(model.id)
    return session.connection().execute(chosen)


def _grouped(session: Session, model: type[Kept], make: Callable[[Any], T]) -> dict[int, tuple[T, ...]]:
    groups: dict[int, list[T]] = {}
    for row in _living(session, model):
        groups.setdefault(row.parent, []).append(make(row))
    return {above: tuple(made) for above, made in groups.items()}
