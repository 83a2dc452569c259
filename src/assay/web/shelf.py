"""Jobs on the shelf: made, claimed, moved on, found again, deleted and brought back.

Every function is one transaction.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any

from sqlalchemy import Engine, delete, func, insert, select, update
from sqlalchemy.orm import Session, undefer

from assay.database import read, write
from assay.records import dataclass
from assay.web.models import FindingRow, Job, Kind, State, now
from assay.web.reviews import Review

MOST_ATTEMPTS = 2
"""A job that the server did not survive is tried once more, and then left."""
_SHOWN_WORDS = 4_000


@dataclass(frozen=True, slots=True)
class Filter:
    """Which findings of an audit are wanted."""

    severity: str = ""
    section: str = ""
    words: str = ""


def add_job(engine: Engine, job: Job) -> str:
    """Put a job on the shelf."""

    def work(session: Session) -> str:
        session.add(job)
        session.flush()
        return job.id

    return write(engine, work)


def get_job(engine: Engine, job_id: str, *, whole: bool = False) -> Job | None:
    """The job with this name, with its report if the `whole` is wanted."""
    wanted = select(Job).where(Job.id == job_id).options(*([undefer(Job.report)] if whole else []))
    return read(engine, lambda session: session.scalars(wanted).one_or_none())


def list_jobs(engine: Engine, kind: Kind, *, page: int = 1, size: int = 20) -> tuple[list[Job], int]:
    """A page of the jobs of a kind that are not deleted, newest first, and how many there are in all."""
    some = select(Job).where(Job.kind == kind.value, Job.deleted.is_(None))
    counted = select(func.count()).select_from(some.subquery())
    here = some.order_by(Job.created.desc(), Job.id).limit(size).offset((page - 1) * size)
    return read(engine, lambda session: (list(session.scalars(here)), session.scalar(counted) or 0))


def latest_job(engine: Engine, kind: Kind, target: str) -> Job | None:
    """The last job of a kind about a target."""
    of = select(Job).where(Job.kind == kind.value, Job.target == target).order_by(Job.created.desc()).limit(1)
    return read(engine, lambda session: session.scalars(of).one_or_none())


def count_waiting(engine: Engine) -> int:
    """How many jobs are not done."""
    unfinished = select(func.count()).select_from(Job).where(Job.state.in_([State.WAITING, State.RUNNING]))
    return read(engine, lambda session: session.scalar(unfinished) or 0)


def claim_job(engine: Engine) -> Job | None:
    """The oldest job that waits, now running."""

    def work(session: Session) -> Job | None:
        waiting = select(Job).where(Job.state == State.WAITING, Job.deleted.is_(None)).order_by(Job.created).limit(1)
        job = session.scalars(waiting.with_for_update(skip_locked=True)).one_or_none()
        if job is not None:
            job.state, job.started, job.attempts = State.RUNNING, now(), job.attempts + 1
        return job

    return write(engine, work)


def reclaim_jobs(engine: Engine) -> None:
    """After a restart nothing runs: what ran is tried again, unless it may be what brought the server down."""

    def work(session: Session) -> None:
        for job in session.scalars(select(Job).where(Job.state == State.RUNNING)):
            if job.attempts < MOST_ATTEMPTS:
                job.state, job.steps = State.WAITING, []
            else:
                job.state, job.finished = State.FAILED, now()
                job.message = "The server stopped twice while it worked on this."

    write(engine, work)


def set_steps(engine: Engine, job_id: str, steps: Sequence[dict[str, Any]]) -> None:
    """Tell how far a job has come."""
    write(engine, lambda session: session.execute(update(Job).where(Job.id == job_id).values(steps=list(steps))))


def fail_job(engine: Engine, job_id: str, message: str) -> None:
    """End a job with the reason why there is no result."""
    values = {"state": State.FAILED, "message": message, "finished": now()}
    write(engine, lambda session: session.execute(update(Job).where(Job.id == job_id).values(values)))


def finish_job(engine: Engine, job_id: str, message: str) -> None:
    """End a job whose result is stored elsewhere."""
    values = {"state": State.DONE, "message": message, "finished": now(), "files_gone": now()}
    write(engine, lambda session: session.execute(update(Job).where(Job.id == job_id).values(values)))


def finish_audit(engine: Engine, job_id: str, told: dict[str, Any]) -> None:
    """Store a report, its findings one by one."""
    report = told["report"]
    findings = report.pop("findings")
    rows = [
        {
            "job_id": job_id,
            "position": position,
            "severity": finding["severity"],
            "section": finding.get("section", ""),
            "code": finding["code"],
            "fingerprint": finding["fingerprint"],
            "words": _words(finding),
            "body": finding,
        }
        for position, finding in enumerate(findings)
    ]
    counts = Counter(finding["severity"] for finding in findings) + Counter(j["verdict"] for j in report["judgements"])

    def work(session: Session) -> None:
        session.execute(delete(FindingRow).where(FindingRow.job_id == job_id))
        if rows:
            session.execute(insert(FindingRow), rows)
        values = {"state": State.DONE, "finished": now(), "report": told, "counts": dict(counts), "message": ""}
        session.execute(update(Job).where(Job.id == job_id).values(values))

    write(engine, work)


def _words(finding: dict[str, Any]) -> str:
    """What a search in the findings looks at."""
    place = finding["location"] or {}
    told = (finding["code"], finding["title"], finding["subject"], str(place.get("path", "")), finding["message"])
    return " ".join(told).lower()[:_SHOWN_WORDS]


def page_of_findings(
    engine: Engine, job_id: str, wanted: Filter, *, page: int, size: int
) -> tuple[list[dict[str, Any]], int]:
    """Some of an audit's findings, in the order of the report, and how many fit the filter."""
    some = select(FindingRow.body, FindingRow.position).where(FindingRow.job_id == job_id)
    for column, value in ((FindingRow.severity, wanted.severity), (FindingRow.section, wanted.section)):
        if value:
            some = some.where(column == value)
    for word in wanted.words.lower().split()[:8]:
        some = some.where(FindingRow.words.contains(word, autoescape=True))
    counted = some.with_only_columns(func.count())
    here = some.order_by(FindingRow.position).limit(size).offset((page - 1) * size)

    def work(session: Session) -> tuple[list[dict[str, Any]], int]:
        rows = [{**body, "position": position} for body, position in session.execute(here)]
        return rows, session.scalar(counted) or 0

    return read(engine, work)


def set_review(engine: Engine, job_id: str, position: int, review: Review) -> bool:
    """Store what a reader decides about a finding; whether there is such a finding."""

    def work(session: Session) -> bool:
        row = session.get(FindingRow, (job_id, position), with_for_update=True)
        if row is None:
            return False
        body = {name: value for name, value in row.body.items() if name != "review"}
        made = replace(review, message="") if review.message == body["message"].strip() else review
        row.body = {**body, "review": asdict(made)} if made.changes else body
        return True

    return write(engine, work)


def findings_of(engine: Engine, job_id: str) -> list[dict[str, Any]]:
    """All findings of an audit."""
    every = select(FindingRow.body).where(FindingRow.job_id == job_id).order_by(FindingRow.position)
    return read(engine, lambda session: list(session.scalars(every)))


def compare_findings(engine: Engine, old: str, new: str) -> dict[str, list[dict[str, Any]]]:
    """The findings that are new, gone and kept from one audit to another; of findings alike, as many as there were."""
    before, after = findings_of(engine, old), findings_of(engine, new)
    left = Counter(finding["fingerprint"] for finding in before)
    told: dict[str, list[dict[str, Any]]] = {"new": [], "gone": [], "kept": []}
    for finding in after:
        known = left[finding["fingerprint"]] > 0
        left[finding["fingerprint"]] -= known
        told["kept" if known else "new"].append(finding)
    for finding in reversed(before):
        if left[finding["fingerprint"]] > 0:
            left[finding["fingerprint"]] -= 1
            told["gone"].insert(0, finding)
    return told


def set_deleted(engine: Engine, table: Any, row_id: str, moment: datetime | None) -> None:
    """Mark a job or an assessment as deleted, or bring it back with None."""
    write(engine, lambda session: session.execute(update(table).where(table.id == row_id).values(deleted=moment)))


def purge(engine: Engine, table: Any, before: datetime) -> list[str]:
    """Take away for good what was deleted before a moment; give the names."""

    def work(session: Session) -> list[str]:
        gone = list(session.scalars(select(table.id).where(table.deleted < before)))
        session.execute(delete(table).where(table.id.in_(gone)))
        return gone

    return write(engine, work)


def purge_one(engine: Engine, table: Any, row_id: str) -> bool:
    """Take away for good what was deleted; whether there was such a thing."""
    found = delete(table).where(table.id == row_id, table.deleted.is_not(None)).returning(table.id)
    return write(engine, lambda session: session.execute(found).first() is not None)


def outlived_files(engine: Engine, before: datetime) -> list[str]:
    """The jobs that were made before a moment and still have their files."""
    old = select(Job.id).where(
        Job.created < before, Job.files_gone.is_(None), Job.state.in_([State.DONE, State.FAILED])
    )
    return read(engine, lambda session: list(session.scalars(old)))


def mark_files_gone(engine: Engine, job_id: str) -> None:
    """Remember that the uploaded files of a job were deleted."""
    write(engine, lambda session: session.execute(update(Job).where(Job.id == job_id).values(files_gone=now())))
