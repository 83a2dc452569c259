"""The board of a study: a page of its papers with their attempts, read without the rest of the study."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from sqlalchemy import Engine, func, select
from sqlalchemy.orm import Session

from assay.database import read
from assay.records import dataclass
from assay.reproduction.store import facts, schema
from assay.reproduction.study import Attempt, Paper, Study

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Shown:
    """A paper with its number in the store, and its attempts with theirs."""

    number: int
    paper: Paper
    attempts: tuple[tuple[int, Attempt], ...]


@dataclass(frozen=True, slots=True)
class Summary:
    """What a list of studies says about one."""

    study: Study
    papers: int
    attempts: int


def summary_of(engine: Engine) -> Summary:
    """A study in one line."""

    def work(session: Session) -> Summary:
        about = facts.study_of(session.scalars(select(schema.StudyRow)).one())
        papers, attempts = (
            session.scalar(select(func.count()).select_from(model).where(model.deleted.is_(None))) or 0
            for model in (schema.PaperRow, schema.AttemptRow)
        )
        return Summary(about, papers, attempts)

    return read(engine, work)


def page_of_papers(engine: Engine, words: str, *, page: int, size: int) -> tuple[list[Shown], int]:
    """Some of the papers that hold the words, and how many do."""
    papers = schema.PaperRow
    some = select(papers).where(papers.deleted.is_(None))
    for word in words.lower().split()[:8]:
        some = some.where(func.lower(papers.name + " " + papers.title).contains(word, autoescape=True))
    counted = select(func.count()).select_from(some.subquery())
    here = some.order_by(papers.id).limit(size).offset((page - 1) * size)

    def work(session: Session) -> tuple[list[Shown], int]:
        rows = session.scalars(here).all()
        attempts = _attempts(session, [row.id for row in rows])
        return [_shown_paper(row, attempts.get(row.id, ())) for row in rows], session.scalar(counted) or 0

    return read(engine, work)


def _shown_paper(row: schema.PaperRow, attempts: tuple[tuple[int, Attempt], ...]) -> Shown:
    return Shown(row.id, facts.paper_of(row, tuple(attempt for _, attempt in attempts)), attempts)


def _attempts(session: Session, papers: list[int]) -> dict[int, tuple[tuple[int, Attempt], ...]]:
    """The attempts at some papers, with all that their outcomes follow from."""
    rows = _rows(session, schema.AttemptRow, papers)
    tried = [row.id for row in rows]
    log = _grouped(_rows(session, schema.SpentRow, tried), facts.spent_of)
    discrepancies = _grouped(_rows(session, schema.DiscrepancyRow, tried), facts.discrepancy_of)
    run = _rows(session, schema.ExperimentRow, tried)
    results = _grouped(_rows(session, schema.ResultRow, [row.id for row in run]), facts.result_of)
    experiments = _grouped(run, lambda row: facts.experiment_of(row, results.get(row.id, ())))
    return _grouped(
        rows,
        lambda row: (
            row.id,
            facts.attempt_of(row, log.get(row.id, ()), experiments.get(row.id, ()), discrepancies.get(row.id, ())),
        ),
    )


def _rows(session: Session, model: Any, above: list[int]) -> list[Any]:
    living = select(model).where(model.deleted.is_(None), model.parent.in_(above)).order_by(model.id)
    return list(session.scalars(living))


def _grouped(rows: Iterable[Any], make: Callable[[Any], T]) -> dict[int, tuple[T, ...]]:
    groups: dict[int, list[T]] = {}
    for row in rows:
        groups.setdefault(row.parent, []).append(make(row))
    return {above: tuple(made) for above, made in groups.items()}
