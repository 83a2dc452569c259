"""An assessment and the paper's scores that follow from it, stored together."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import Engine
from sqlalchemy.orm import Session

from assay.database import write
from assay.reproduction.store.edits import add_in, change_in, living
from assay.reproduction.store.kinds import Kind


def add_assessment(
    engine: Engine, paper: int, cells: Mapping[str, str], scores: Mapping[str, str], *, adopt: bool
) -> bool:
    """Keep an assessment of a paper, which takes over its scores if it has none; whether it did."""

    def work(session: Session) -> bool:
        add_in(session, Kind.ASSESSMENT, cells, paper)
        row = living(session, Kind.PAPER, paper)
        if row.components and not adopt:
            return False
        change_in(session, Kind.PAPER, paper, row.version, scores)
        return True

    return write(engine, work)
