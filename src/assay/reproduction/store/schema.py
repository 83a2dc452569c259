"""The tables of a store: study, papers, attempts, experiments, results, discrepancies, the time log and timers.

Every row has a version, so a change to an outdated copy is refused. A deleted row is only marked, so it can come back.
Rows are in the order in which they were added.
"""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from typing import Any, ClassVar

from sqlalchemy import Double, ForeignKey, Index, MetaData, UniqueConstraint, text
from sqlalchemy.orm import DeclarativeBase, Mapped, declared_attr, mapped_column

from assay.reproduction.levels import Level, Naming
from assay.reproduction.outcomes import AttemptOutcome, Direction
from assay.reproduction.store.columns import Exact, Instant, Prose, Words, choice
from assay.reproduction.study import Affiliation, PaperType, Reason, Status

Pairs = tuple[tuple[str, str], ...]


class Base(DeclarativeBase):
    """All tables of a store."""

    metadata = MetaData(
        naming_convention={
            "pk": "pk_%(table_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s",
            "uq": "uq_%(table_name)s_%(column_0_name)s",
            "ix": "ix_%(table_name)s_%(column_0_name)s",
        }
    )
    type_annotation_map: ClassVar = {str: Prose, Decimal: Exact, datetime: Instant, float: Double}


class Kept(Base):
    """A row with a version, which a deletion only marks."""

    __abstract__ = True

    id: Mapped[int] = mapped_column(primary_key=True)
    version: Mapped[int]
    deleted: Mapped[datetime | None]

    @declared_attr.directive
    @classmethod
    def __mapper_args__(cls) -> dict[str, Any]:
        return {"version_id_col": cls.version}


def _one_living(table: str, *columns: str) -> Index:
    """No two rows that are not deleted have the same name."""
    living = text("deleted IS NULL")
    return Index(f"uq_{table}_name", *columns, unique=True, sqlite_where=living, postgresql_where=living)


class StudyRow(Kept):
    """The one study that a store holds."""

    __tablename__ = "study"

    title: Mapped[str]
    source: Mapped[str]
    naming: Mapped[Naming] = mapped_column(choice(Naming))
    attainable: Mapped[tuple[tuple[str, tuple[str, ...]], ...]] = mapped_column(Words)


class PaperRow(Kept):
    """A paper, with how well it is documented."""

    __tablename__ = "paper"
    __table_args__ = (_one_living("paper", "name"),)

    name: Mapped[str]
    title: Mapped[str]
    year: Mapped[int | None]
    level: Mapped[Level | None] = mapped_column(choice(Level))
    components: Mapped[Pairs] = mapped_column(Words)
    stated_metric: Mapped[str]
    doi: Mapped[str]
    authors: Mapped[tuple[str, ...]] = mapped_column(Words)
    venue: Mapped[str]
    type: Mapped[PaperType | None] = mapped_column(choice(PaperType))
    affiliation: Mapped[Affiliation | None] = mapped_column(choice(Affiliation))
    rank: Mapped[int | None]
    excluded: Mapped[str]
    degree: Mapped[str]


class AssessmentRow(Kept):
    """How well one person found a paper documented."""

    __tablename__ = "assessment"

    parent: Mapped[int] = mapped_column("paper_id", ForeignKey("paper.id"), index=True)
    assessor: Mapped[str]
    day: Mapped[date | None]
    scores: Mapped[Pairs] = mapped_column(Words)


class AttemptRow(Kept):
    """Somebody's try at a paper."""

    __tablename__ = "attempt"
    __table_args__ = (_one_living("attempt", "paper_id", "name"),)

    parent: Mapped[int] = mapped_column("paper_id", ForeignKey("paper.id"), index=True)
    name: Mapped[str]
    people: Mapped[tuple[str, ...]] = mapped_column(Words)
    budget: Mapped[Decimal]
    stated_hours: Mapped[Decimal | None]
    started: Mapped[date | None]
    ended: Mapped[date | None]
    environment: Mapped[str]
    reasons: Mapped[tuple[str, ...]] = mapped_column(Words)
    stated_outcome: Mapped[AttemptOutcome | None] = mapped_column(choice(AttemptOutcome))
    experiments: Mapped[int | None]
    identical: Mapped[int | None]
    consistent: Mapped[int | None]
    different: Mapped[int | None]
    not_run: Mapped[int | None]
    commit: Mapped[str]
    hardware: Mapped[str]
    packages: Mapped[tuple[str, ...]] = mapped_column(Words)
    container: Mapped[str]


class ProtocolRow(Kept):
    """What was fixed before the first result of an attempt."""

    __tablename__ = "protocol"
    __table_args__ = (_one_living("protocol", "attempt_id"),)

    parent: Mapped[int] = mapped_column("attempt_id", ForeignKey("attempt.id"), index=True)
    locked: Mapped[date | None]
    budget: Mapped[Decimal]
    margin: Mapped[float | None]
    experiments: Mapped[tuple[str, ...]] = mapped_column(Words)


class SpentRow(Kept):
    """An entry of the time log."""

    __tablename__ = "spent"

    parent: Mapped[int] = mapped_column("attempt_id", ForeignKey("attempt.id"), index=True)
    day: Mapped[date | None]
    hours: Mapped[Decimal]
    activity: Mapped[str]
    person: Mapped[str]


class ExperimentRow(Kept):
    """One method on one data set."""

    __tablename__ = "experiment"
    __table_args__ = (_one_living("experiment", "attempt_id", "name"),)

    parent: Mapped[int] = mapped_column("attempt_id", ForeignKey("attempt.id"), index=True)
    name: Mapped[str]
    method: Mapped[str]
    data: Mapped[str]
    status: Mapped[Status] = mapped_column(choice(Status))
    reason: Mapped[Reason | None] = mapped_column(choice(Reason))
    level: Mapped[Level | None] = mapped_column(choice(Level))


class ResultRow(Kept):
    """One number that was to be obtained again."""

    __tablename__ = "result"

    parent: Mapped[int] = mapped_column("experiment_id", ForeignKey("experiment.id"), index=True)
    metric: Mapped[str]
    direction: Mapped[Direction | None] = mapped_column(choice(Direction))
    original: Mapped[str]
    original_spread: Mapped[float | None]
    original_runs: Mapped[int | None]
    original_items: Mapped[int | None]
    reproduced: Mapped[str | None]
    reproduced_spread: Mapped[float | None]
    reproduced_runs: Mapped[int | None]
    reproduced_items: Mapped[int | None]
    baselines: Mapped[tuple[str, ...]] = mapped_column(Words)
    runs: Mapped[tuple[str, ...]] = mapped_column(Words)
    margin: Mapped[float | None]


class DiscrepancyRow(Kept):
    """What made a reproduction differ, or may have."""

    __tablename__ = "discrepancy"

    parent: Mapped[int] = mapped_column("attempt_id", ForeignKey("attempt.id"), index=True)
    category: Mapped[str]
    instances: Mapped[int]
    severity: Mapped[int | None]
    effect: Mapped[str]
    effect_on: Mapped[str]
    because: Mapped[tuple[str, ...]] = mapped_column(Words)
    together: Mapped[str]
    note: Mapped[str]
    effect_source: Mapped[str]


class ClaimRow(Kept):
    """Something that the study says about its own records."""

    __tablename__ = "claim"

    place: Mapped[str]
    says: Mapped[str]
    measure: Mapped[str]
    of: Mapped[Pairs] = mapped_column(Words)
    value: Mapped[str]


class ScaleRow(Kept):
    """The scores that a question allows."""

    __tablename__ = "scale"

    place: Mapped[str]
    question: Mapped[str]
    scores: Mapped[tuple[str, ...]] = mapped_column(Words)


class TimerRow(Base):
    """A clock that runs for somebody's work on an attempt; in the store, so that it outlives a crash."""

    __tablename__ = "timer"
    __table_args__ = (UniqueConstraint("person"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    attempt: Mapped[int] = mapped_column("attempt_id", ForeignKey("attempt.id"))
    person: Mapped[str]
    activity: Mapped[str]
    started: Mapped[datetime]
