"""Many studies in one PostgreSQL database: each in a schema of its own, which `assay study` reaches by its address.

The study "3fa8" is in the schema `assay_study_3fa8`, so its address is that of the database with
`?schema=assay_study_3fa8`. A study is deleted by a mark in its own row, and taken away for good later: until then it
can come back as it was.
"""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Engine, select, text, update
from sqlalchemy.orm import Session

from assay.database import bring_up_to_date, holds, in_schema, read, take_away, write
from assay.patterns import regex
from assay.reproduction.store.schema import Base, StudyRow
from assay.reproduction.store.studies import MIGRATIONS, begin_study
from assay.reproduction.study import Study

PREFIX = "assay_study_"
_NAME = regex(r"[a-z0-9_]{1,40}")
"""What may follow the prefix: so a name in an address leads to no other schema, and needs no quoting."""


def is_name(name: str) -> bool:
    """Whether a study may be called this."""
    return _NAME.fullmatch(name) is not None


def names(engine: Engine) -> list[str]:
    """The studies in schemas of a database, also deleted ones."""
    schemas = text("SELECT nspname FROM pg_namespace WHERE starts_with(nspname, :prefix) ORDER BY nspname")
    found = read(engine, lambda session: session.scalars(schemas, {"prefix": PREFIX}).all())
    return [name for schema in found if is_name(name := schema.removeprefix(PREFIX))]


def store(engine: Engine, name: str) -> Engine:
    """The place of a study, whether it is there or not; it shares the connections of the database."""
    return in_schema(engine, PREFIX + name)


def add_study(engine: Engine, name: str, study: Study) -> Engine:
    """Keep a new study under a name that no other has."""
    made = store(engine, name)
    bring_up_to_date(made, migrations=MIGRATIONS)
    try:
        begin_study(made, study)
    except BaseException:
        write(made, lambda session: take_away(session, migrations=MIGRATIONS, tables=Base.metadata))
        raise
    return made


def is_there(engine: Engine) -> bool:
    """Whether a place holds a study that is not deleted."""
    living = select(StudyRow.id).where(StudyRow.deleted.is_(None))
    return read(engine, lambda s: holds(s, migrations=MIGRATIONS) and s.scalar(living) is not None)


def mark(engine: Engine, deleted: datetime | None) -> bool:
    """Delete the study at a place, or bring it back; False if there is nothing to do that to."""
    other = StudyRow.deleted.is_(None) if deleted else StudyRow.deleted.is_not(None)
    change = update(StudyRow).where(other).values(deleted=deleted).returning(StudyRow.id)
    return write(engine, lambda s: holds(s, migrations=MIGRATIONS) and s.scalar(change) is not None)


def purge(engine: Engine, before: datetime) -> bool:
    """Take the study at a place away for good if it was deleted before a moment."""
    due = select(StudyRow.id).where(StudyRow.deleted < before).with_for_update()  # who brings it back was first

    def work(session: Session) -> bool:
        if not holds(session, migrations=MIGRATIONS) or session.scalar(due) is None:
            return False
        take_away(session, migrations=MIGRATIONS, tables=Base.metadata)
        return True

    return write(engine, work)
