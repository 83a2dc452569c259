"""The tables of the browser application: jobs and what they found, assessments and their answers."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import JSON, DateTime, Dialect, ForeignKey, Index, String, Text, TypeDecorator
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from assay.report.wording import visible


class State(StrEnum):
    """How far a job has come."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"

    @property
    def over(self) -> bool:
        """Whether nothing more will happen."""
        return self in {State.DONE, State.FAILED}


class Kind(StrEnum):
    """What a job does."""

    AUDIT = "audit"
    PROPOSALS = "proposals"


class Instant(TypeDecorator[datetime]):
    """A moment, kept as UTC; SQLite keeps no zone."""

    impl = DateTime
    cache_ok = True

    def process_bind_param(self, value: datetime | None, _: Dialect) -> datetime | None:
        """Without its zone."""
        return None if value is None else value.astimezone(UTC).replace(tzinfo=None)

    def process_result_value(self, value: datetime | None, _: Dialect) -> datetime | None:
        """With its zone again."""
        return None if value is None else value.replace(tzinfo=UTC)


class Shown(TypeDecorator[str]):
    """Text for people. What steers a terminal, and what no database takes, is spelled out before it is stored."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, _: Dialect) -> str | None:
        """Made harmless."""
        return None if value is None else visible(value)


def new_id() -> str:
    """A name that nobody guesses: only people who were given the link have it."""
    return secrets.token_hex(10)


def now() -> datetime:
    """The present moment."""
    return datetime.now(UTC)


class Base(DeclarativeBase):
    """All tables of the application."""


class Job(Base):
    """Work in a process of its own: an audit, or proposals for an assessment (its `target`)."""

    __tablename__ = "assay_web_job"

    id: Mapped[str] = mapped_column(String(40), primary_key=True, default=new_id)
    kind: Mapped[str] = mapped_column(String(20))
    target: Mapped[str] = mapped_column(String(40), default="")
    title: Mapped[str] = mapped_column(Shown)
    options: Mapped[dict[str, str]] = mapped_column(JSON, default=dict)
    state: Mapped[str] = mapped_column(String(20), default=State.WAITING)
    attempts: Mapped[int] = mapped_column(default=0)
    message: Mapped[str] = mapped_column(Shown, default="")
    steps: Mapped[list[dict[str, Any]]] = mapped_column(JSON, default=list)
    files: Mapped[list[dict[str, Any]]] = mapped_column(JSON, default=list)
    files_gone: Mapped[datetime | None] = mapped_column(Instant)
    counts: Mapped[dict[str, int]] = mapped_column(JSON, default=dict)
    report: Mapped[dict[str, Any] | None] = mapped_column(JSON, deferred=True)
    created: Mapped[datetime] = mapped_column(Instant, default=now)
    started: Mapped[datetime | None] = mapped_column(Instant)
    finished: Mapped[datetime | None] = mapped_column(Instant)
    deleted: Mapped[datetime | None] = mapped_column(Instant)

    __table_args__ = (Index("ix_assay_web_job_state", "state", "created"),)


class FindingRow(Base):
    """A finding of an audit; `body` is all of it, the other columns are what lists are searched and sorted by."""

    __tablename__ = "assay_web_finding"

    job_id: Mapped[str] = mapped_column(ForeignKey("assay_web_job.id", ondelete="CASCADE"), primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True)
    severity: Mapped[str] = mapped_column(String(20))
    section: Mapped[str] = mapped_column(String(80))
    code: Mapped[str] = mapped_column(String(40))
    fingerprint: Mapped[str] = mapped_column(String(64))
    words: Mapped[str] = mapped_column(Shown)
    body: Mapped[dict[str, Any]] = mapped_column(JSON)


class Assessment(Base):
    """A checklist that somebody fills in."""

    __tablename__ = "assay_web_assessment"

    id: Mapped[str] = mapped_column(String(40), primary_key=True, default=new_id)
    checklist: Mapped[str] = mapped_column(String(80))
    version: Mapped[str] = mapped_column(String(40))
    subject: Mapped[str] = mapped_column(Shown, default="")
    by: Mapped[str] = mapped_column("rater", Shown, default="")
    created: Mapped[datetime] = mapped_column(Instant, default=now)
    changed: Mapped[datetime] = mapped_column(Instant, default=now)
    deleted: Mapped[datetime | None] = mapped_column(Instant)


class AnswerRow(Base):
    """What was answered to one item, and what was proposed for it and is not decided yet."""

    __tablename__ = "assay_web_answer"

    assessment_id: Mapped[str] = mapped_column(
        ForeignKey("assay_web_assessment.id", ondelete="CASCADE"), primary_key=True
    )
    item: Mapped[str] = mapped_column(String(80), primary_key=True)
    answer: Mapped[str] = mapped_column(Shown, default="")
    evidence: Mapped[str] = mapped_column(Shown, default="")
    reason: Mapped[str] = mapped_column(Shown, default="")
    proposal: Mapped[dict[str, str] | None] = mapped_column(JSON)
    changed: Mapped[datetime] = mapped_column(Instant, default=now)
