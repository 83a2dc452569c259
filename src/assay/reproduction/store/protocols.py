"""A protocol can be written, changed or deleted only before the first result of its attempt."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import select
from sqlalchemy.orm import Session

from assay.errors import InputError
from assay.reproduction.rows import joined, local_day
from assay.reproduction.store import schema
from assay.reproduction.store.facts import result_of


def refuse_after_results(session: Session, attempt: int) -> None:
    """An `InputError` if the attempt has a reproduced number, or had one that was deleted: somebody has seen it."""
    results = (
        select(schema.ResultRow)
        .join(schema.ExperimentRow, schema.ResultRow.parent == schema.ExperimentRow.id)
        .where(schema.ExperimentRow.parent == attempt)
    )
    if any(result_of(row).obtained is not None for row in session.scalars(results)):
        fix = "Record later decisions as notes: a protocol counts only if it was fixed before the first result."
        raise InputError("the protocol is locked, because the attempt has or had a result", fix=fix)


def completed(session: Session, attempt: int, cells: Mapping[str, str]) -> dict[str, str]:
    """The cells of a protocol; what is empty is taken from today and from the attempt as it stands."""
    row = session.get_one(schema.AttemptRow, attempt)
    planned = select(schema.ExperimentRow.name).where(
        schema.ExperimentRow.parent == attempt, schema.ExperimentRow.deleted.is_(None)
    )
    known = {
        "locked": str(local_day()),
        "budget": str(row.budget),
        "experiments": joined(session.scalars(planned.order_by(schema.ExperimentRow.id))),
    }
    return {**known, **{name: value for name, value in cells.items() if value.strip()}}
