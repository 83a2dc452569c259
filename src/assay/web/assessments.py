"""Assessments on the shelf: checklists that are being filled in, answer by answer.

Every function is one transaction.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from sqlalchemy import Engine, func, select, update
from sqlalchemy.orm import Session

from assay.checklists.definition import NOT_APPLICABLE, Answers, Checklist, Item, Section
from assay.checklists.files import load
from assay.checklists.filled import Answer, Filled
from assay.database import read, write
from assay.records import dataclass
from assay.web.edits import Edit, Saved, merge
from assay.web.models import AnswerRow, Assessment, now
from assay.web.proposals import Proposals

LONGEST = 20_000
PARTS = ("answer", "evidence", "reason")
"""What is entered for an item."""


@cache
def checklist_named(name: str) -> Checklist:
    """A checklist that comes with Assay; they do not change while the server runs."""
    return load(name)


@dataclass(frozen=True, slots=True)
class Given:
    """What somebody entered for one item."""

    answer: str = ""
    evidence: str = ""
    reason: str = ""


@dataclass(frozen=True)
class Sheet:
    """An assessment with its checklist and all that was entered so far."""

    row: Assessment
    checklist: Checklist
    answers: Mapping[str, AnswerRow]

    def given(self, item: Item) -> Given:
        """What was entered for an item."""
        found = self.answers.get(item.id)
        return Given(found.answer, found.evidence, found.reason) if found else Given()

    def proposal(self, item: Item) -> Mapping[str, str] | None:
        """What is proposed for an item and not decided yet."""
        found = self.answers.get(item.id)
        return found.proposal if found else None

    def answered(self, section: Section | None = None) -> int:
        """How many items have an answer, in a section or in all."""
        items = section.items if section else self.checklist
        return sum(bool(self.given(item).answer) for item in items)

    def proposed(self, section: Section | None = None) -> int:
        """How many proposals wait for a decision, in a section or in all."""
        items = section.items if section else self.checklist
        return sum(bool(self.proposal(item)) for item in items)

    def filled(self) -> Filled:
        """The same as checks and documents want it."""
        answers = tuple(
            Answer(item, given.answer, given.evidence, given.reason)
            for item in self.checklist
            for given in [self.given(item)]
        )
        row = self.row
        date = row.changed.date().isoformat()
        return Filled(self.checklist, answers, row.subject or "assessment", row.version, row.subject, row.by, date)


def add_assessment(engine: Engine, checklist: Checklist, subject: str, by: str, given: Mapping[str, Given]) -> str:
    """Begin an assessment, perhaps with answers that are known already."""

    def work(session: Session) -> str:
        row = Assessment(checklist=checklist.name, version=checklist.version, subject=subject, by=by)
        session.add(row)
        session.flush()
        for item, entered in given.items():
            session.add(AnswerRow(assessment_id=row.id, item=item, **_columns(entered)))
        return row.id

    return write(engine, work)


def get_sheet(engine: Engine, assessment_id: str) -> Sheet | None:
    """An assessment that is not deleted, with its answers."""

    def work(session: Session) -> Sheet | None:
        row = session.get(Assessment, assessment_id)
        if row is None or row.deleted is not None:
            return None
        answers = session.scalars(select(AnswerRow).where(AnswerRow.assessment_id == assessment_id))
        return Sheet(row, checklist_named(row.checklist), {answer.item: answer for answer in answers})

    return read(engine, work)


def get_deleted(engine: Engine, assessment_id: str) -> Assessment | None:
    """A deleted assessment that can still be brought back."""
    wanted = select(Assessment).where(Assessment.id == assessment_id, Assessment.deleted.is_not(None))
    return read(engine, lambda session: session.scalars(wanted).one_or_none())


def list_assessments(engine: Engine, *, page: int, size: int) -> tuple[list[tuple[Assessment, int]], int]:
    """A page of the assessments, latest changed first, each with its number of answers; and how many there are."""
    answers = select(AnswerRow.assessment_id, func.count().label("number")).where(AnswerRow.answer != "")
    counted = answers.group_by(AnswerRow.assessment_id).subquery()
    living = Assessment.deleted.is_(None)
    some = (
        select(Assessment, func.coalesce(counted.c.number, 0))
        .outerjoin(counted, counted.c.assessment_id == Assessment.id)
        .where(living)
        .order_by(Assessment.changed.desc(), Assessment.id)
        .limit(size)
        .offset((page - 1) * size)
    )
    every = select(func.count()).select_from(Assessment).where(living)
    return read(engine, lambda s: ([(row, n) for row, n in s.execute(some)], s.scalar(every) or 0))


def save_edits(engine: Engine, assessment_id: str, edits: Mapping[str, Edit]) -> Saved:
    """Store what was entered on one page; fields are named as in forms: `answer:3`, `evidence:3`, `subject`."""

    def work(session: Session) -> Saved:
        _touch(session, assessment_id)  # first: it makes other pages on this assessment wait
        head = session.get_one(Assessment, assessment_id, populate_existing=True)
        rows = session.scalars(
            select(AnswerRow).where(AnswerRow.assessment_id == assessment_id).execution_options(populate_existing=True)
        )
        stored = {f"{name}:{row.item}": getattr(row, name) for row in rows for name in PARTS}
        texts, saved = merge({**stored, "subject": head.subject, "by": head.by}, edits)
        for field, text in texts.items():
            name, _, item = field.partition(":")
            row = _answer(session, assessment_id, item) if item else head
            setattr(row, name, text[:LONGEST])
            row.changed = now()
        return saved

    return write(engine, work)


def add_proposals(engine: Engine, assessment_id: str, proposals: Proposals) -> None:
    """Put proposals beside the answers; none replaces an answer."""

    def work(session: Session) -> None:
        for item, proposal in proposals.items():
            _answer(session, assessment_id, item).proposal = proposal
        _touch(session, assessment_id)

    write(engine, work)


def decide(engine: Engine, assessment_id: str, item: str, *, accepted: bool) -> None:
    """Take a proposal over as the answer, or put it away."""

    def work(session: Session) -> None:
        row = _answer(session, assessment_id, item)
        if row.proposal and accepted:
            row.answer, row.evidence = row.proposal["answer"], row.proposal["evidence"]
        row.proposal, row.changed = None, now()
        _touch(session, assessment_id)

    write(engine, work)


def complaint(checklist: Checklist, item: Item, given: Given) -> str:
    """What is wrong with an entry, for the person who makes it; empty when nothing is."""
    accepted = checklist.accepted(item)
    if given.answer and accepted and given.answer not in accepted:
        return f"It takes one of: {', '.join(accepted)}."
    if item.answer is Answers.NUMBER and given.answer not in {"", NOT_APPLICABLE}:
        digits = given.answer.strip().rstrip("%").replace(",", ".", 1).replace(".", "", 1).lstrip("+-").strip()
        return "" if digits.isdigit() else "It takes a number."
    return ""


def _answer(session: Session, assessment_id: str, item: str) -> AnswerRow:
    row = session.get(AnswerRow, (assessment_id, item))
    if row is None:
        row = AnswerRow(assessment_id=assessment_id, item=item, answer="", evidence="", reason="")
        session.add(row)
    return row


def _touch(session: Session, assessment_id: str) -> None:
    session.execute(update(Assessment).where(Assessment.id == assessment_id).values(changed=now()))


def _columns(given: Given) -> dict[str, str]:
    return {"answer": given.answer[:LONGEST], "evidence": given.evidence[:LONGEST], "reason": given.reason[:LONGEST]}
