"""Hours at the keyboard: what was spent is logged, and a timer counts while somebody works.

A timer is a row in the store with the moment it was started, so it runs on when the machine does not.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from decimal import Decimal

from sqlalchemy import Engine, select
from sqlalchemy.orm import Session

from assay.database import read, write
from assay.errors import InputError
from assay.patterns import regex
from assay.records import dataclass
from assay.reproduction.store import schema
from assay.reproduction.store.columns import storable
from assay.reproduction.store.edits import Entry, add_in, living
from assay.reproduction.store.kinds import Kind

LONGEST = timedelta(hours=16)
"""A timer that ran longer was forgotten: the hours have to be given."""

_CLOCK = regex(r"(\d{1,4}):([0-5]\d)")
_UNITS = regex(r"(?:(\d{1,4}(?:\.\d{1,4})?)\s*h)?\s*(?:(\d{1,5})\s*(?:m|min)?)?")
_PLAIN = regex(r"\d{1,4}(\.\d{1,4})?")


def hours_in(text: str) -> Decimal:
    """Hours as people write them: 2h, 1h30, 1h 30m, 90min, 1:30, or 1.5."""
    said = text.strip().lower()
    if said.startswith(("-", "−")):
        raise InputError(f'"{said[:40]}" is negative', fix="Time counts from 0.")
    if _PLAIN.fullmatch(said):
        return Decimal(said)
    parts = _CLOCK.fullmatch(said) or _UNITS.fullmatch(said)
    if parts is None or not said:
        raise InputError(f'"{said[:40]}" is no time', fix="Write it as 2h, 1h30, 90min, 1:30 or 1.5.")
    hours, minutes = parts.groups()
    return _rounded(Decimal(hours or 0) + Decimal(minutes or 0) / 60)


def _rounded(hours: Decimal) -> Decimal:
    """To hundredths of an hour, without idle zeros."""
    exact = hours.quantize(Decimal("0.01"))
    return exact.quantize(Decimal(1)) if exact == exact.to_integral_value() else exact.normalize()


def hours_used(engine: Engine, attempt: int) -> tuple[Decimal, Decimal]:
    """What the log of an attempt adds up to, and its budget."""

    def work(session: Session) -> tuple[Decimal, Decimal]:
        spent = select(schema.SpentRow.hours).where(
            schema.SpentRow.parent == attempt, schema.SpentRow.deleted.is_(None)
        )
        return sum(session.scalars(spent), Decimal(0)), session.get_one(schema.AttemptRow, attempt).budget

    return read(engine, work)


@dataclass(frozen=True, slots=True)
class Timer:
    """A clock that runs."""

    paper: str
    attempt: str
    person: str
    activity: str
    started: datetime

    def ran(self, now: datetime) -> timedelta:
        """For how long."""
        return now - self.started


def timers(engine: Engine) -> list[Timer]:
    """All that run, the oldest first."""
    rows = select(schema.TimerRow).order_by(schema.TimerRow.started)
    return read(engine, lambda session: [_timer(session, row) for row in session.scalars(rows)])


def start_timer(engine: Engine, attempt: int, person: str, activity: str, now: datetime | None = None) -> Timer:
    """Start a clock; a person has one at most."""

    def work(session: Session) -> Timer:
        living(session, Kind.ATTEMPT, attempt)
        if (running := _timer_row(session, person)) is not None:
            what = f'the timer of {person} runs already, for "{running.activity}"'
            raise InputError(what, fix="Stop it first: assay study timer stop.")
        row = schema.TimerRow(attempt=attempt, person=person, activity=activity, started=now or datetime.now(UTC))
        session.add(row)
        session.flush()
        return _timer(session, row)

    storable(person + activity)
    return write(engine, work)


def cancel_timer(engine: Engine, person: str) -> Timer:
    """Stop the clock of a person and log nothing."""

    def work(session: Session) -> Timer:
        row = _running(session, person)
        session.delete(row)
        return _timer(session, row)

    return write(engine, work)


def stop_timer(engine: Engine, person: str, *, hours: Decimal | None = None, now: datetime | None = None) -> Entry:
    """Stop the clock of a person and log its hours, or those that are given."""

    def work(session: Session) -> Entry:
        row = _running(session, person)
        cells = _cells(_timer(session, row), hours, now or datetime.now(UTC))
        session.delete(row)
        return add_in(session, Kind.TIME, cells, row.attempt)

    return write(engine, work)


def _cells(timer: Timer, given: Decimal | None, now: datetime) -> Mapping[str, str]:
    ran = timer.ran(now)
    if given is None and not timedelta(0) <= ran <= LONGEST:
        shown = f"{ran.total_seconds() / 3600:.1f} h"
        fix = "Say how long you worked: assay study timer stop --hours 2h."
        raise InputError(f"the timer shows {shown}, since {timer.started:%Y-%m-%d %H:%M} UTC", fix=fix)
    hours = _rounded(Decimal(ran // timedelta(seconds=1)) / 3600) if given is None else given
    return {"day": str(timer.started.astimezone().date()), "hours": str(hours), "activity": timer.activity,
            "person": timer.person}  # fmt: skip


def _timer_row(session: Session, person: str) -> schema.TimerRow | None:
    return session.scalars(select(schema.TimerRow).where(schema.TimerRow.person == person)).one_or_none()


def _running(session: Session, person: str) -> schema.TimerRow:
    if (row := _timer_row(session, person)) is None:
        raise InputError(f"no timer of {person} runs", fix="Start one: assay study timer start.")
    return row


def _timer(session: Session, row: schema.TimerRow) -> Timer:
    attempt = session.get_one(schema.AttemptRow, row.attempt)
    paper = session.get_one(schema.PaperRow, attempt.parent)
    return Timer(paper.name, attempt.name, row.person, row.activity, row.started)
