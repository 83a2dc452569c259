"""What a running application holds beside its pages, for the pages to ask for."""

from __future__ import annotations

from fastapi import Request
from sqlalchemy import Engine

from assay.records import dataclass
from assay.web.jobs import Jobs
from assay.web.score_checks import Checker
from assay.web.settings import Settings
from assay.web.study_reports import StudyReports
from assay.web.study_stores import StudyStores


@dataclass(frozen=True, slots=True)
class House:
    """Settings, the database, and the helpers."""

    settings: Settings
    engine: Engine
    checker: Checker
    jobs: Jobs
    studies: StudyStores
    reports: StudyReports


def house_of(request: Request) -> House:
    """The house that answers a request."""
    house: House = request.app.state.house
    return house


def engine_of(request: Request) -> Engine:
    """Its database."""
    return house_of(request).engine


def settings_of(request: Request) -> Settings:
    """Its settings."""
    return house_of(request).settings
