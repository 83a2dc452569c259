"""What is kept is kept in either database: jobs, findings, assessments, deletions."""

import os
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine

from assay.checklists.files import load
from assay.database import open_database
from assay.findings import Location, Report, numbers, quote
from assay.rules import get_rule
from assay.web import assessments, shelf
from assay.web.assessments import Given
from assay.web.edits import Edit
from assay.web.expiry import tidy
from assay.web.models import Assessment, Job, Kind, State, now
from assay.web.settings import Settings
from assay.web.stored import finding_from, report_from
from assay.web.study_stores import StudyStores


@pytest.fixture
def engine(database: str) -> Iterator[Engine]:
    made = open_database(database, migrations="assay.web.migrations")
    yield made
    made.dispose()


def audit(**columns: Any) -> Job:
    return Job(kind=Kind.AUDIT.value, title="a\x00b", **columns)


def report(*messages: str) -> dict[str, Any]:
    rule = get_rule("S101")
    findings = [
        rule.finding(
            text, location=Location("a\x00.py", 3), evidence=[quote(f"\ud800 <b> {text}", Location("a.py", 3))]
        )
        for text in messages
    ]
    return {"report": Report("t", findings=tuple(findings)).to_dict(), "verdict": [], "questions": []}


def test_jobs_are_done_in_the_order_in_which_they_came(engine: Engine) -> None:
    first, second = (shelf.add_job(engine, audit()) for _ in range(2))
    claimed = [shelf.claim_job(engine) for _ in range(3)]
    assert [job and job.id for job in claimed] == [first, second, None]
    job = shelf.get_job(engine, first)
    assert job is not None
    assert (job.state, job.attempts, job.title) == (State.RUNNING, 1, "a\\x00b")
    assert shelf.count_waiting(engine) == 2


def test_a_report_comes_back_as_it_was(engine: Engine) -> None:
    job_id = shelf.add_job(engine, audit())
    told = report("one 100%", "two \x00 \ud83d")
    original = report_from(told["report"])
    shelf.finish_audit(engine, job_id, told)
    bodies, every = shelf.page_of_findings(engine, job_id, shelf.Filter(), page=1, size=10)
    assert tuple(finding_from(body) for body in bodies) == original.findings
    assert every == 2
    assert shelf.page_of_findings(engine, job_id, shelf.Filter(words="ONE 100%"), page=1, size=10)[1] == 1
    assert shelf.page_of_findings(engine, job_id, shelf.Filter(words="1_0"), page=1, size=10)[1] == 0
    assert shelf.page_of_findings(engine, job_id, shelf.Filter(severity="note"), page=1, size=10)[1] == 0
    assert len(shelf.page_of_findings(engine, job_id, shelf.Filter(), page=2, size=1)[0]) == 1
    stored = shelf.get_job(engine, job_id, whole=True)
    assert stored is not None
    assert stored.counts == {"error": 2}


def test_of_findings_alike_as_many_are_known_as_there_were(engine: Engine) -> None:
    old, new = (shelf.add_job(engine, audit()) for _ in range(2))
    shelf.finish_audit(engine, old, report("same", "same", "gone"))
    shelf.finish_audit(engine, new, report("same", "same", "same", "new"))
    found = shelf.compare_findings(engine, old, new)
    assert [len(found[change]) for change in ("new", "gone", "kept")] == [2, 1, 2]


def test_a_job_that_the_server_did_not_survive_is_tried_once_more(engine: Engine) -> None:
    job_id = shelf.add_job(engine, audit())
    for state in (State.WAITING, State.FAILED):
        shelf.claim_job(engine)
        shelf.reclaim_jobs(engine)
        job = shelf.get_job(engine, job_id)
        assert job is not None
        assert job.state == state
    assert "stopped twice" in job.message


def test_uploads_go_when_their_time_is_over_and_deleted_things_when_it_cannot_be_undone(
    engine: Engine, tmp_path: Path
) -> None:
    settings = Settings(tmp_path, retention=timedelta(days=1), undo=timedelta(minutes=10))
    old = shelf.add_job(engine, audit(created=now() - timedelta(days=2), state=State.DONE))
    fresh = shelf.add_job(engine, audit(state=State.DONE))
    running = shelf.add_job(engine, audit(created=now() - timedelta(days=2), state=State.RUNNING))
    gone = shelf.add_job(engine, audit(state=State.DONE, deleted=now() - timedelta(minutes=11)))
    kept = shelf.add_job(engine, audit(state=State.DONE, deleted=now() - timedelta(minutes=9)))
    for job_id in (old, fresh, running, gone, kept):
        (tmp_path / "jobs" / job_id / "upload").mkdir(parents=True)
    (tmp_path / "studies").mkdir()
    for name, minutes in (("old", 11), ("new", 9)):
        aside = tmp_path / "studies" / f"{name}.deleted"
        aside.touch()
        os.utime(aside, (time.time() - 60 * minutes,) * 2)
    tidy(engine, settings, StudyStores(settings, engine))
    assert [path.name for path in (tmp_path / "studies").iterdir()] == ["new.deleted"]
    left = {path.parent.name for path in (tmp_path / "jobs").glob("*/upload")}
    assert left == {fresh, running, kept}
    assert shelf.get_job(engine, gone) is None
    assert shelf.get_job(engine, kept) is not None
    job = shelf.get_job(engine, old)
    assert job is not None
    assert job.files_gone is not None


def test_pages_of_jobs_leave_nothing_out(engine: Engine) -> None:
    for _ in range(5):
        shelf.add_job(engine, audit())
    shelf.add_job(engine, Job(kind=Kind.PROPOSALS.value, title="p", target="x"))
    pages = [shelf.list_jobs(engine, Kind.AUDIT, page=n, size=2) for n in (1, 2, 3)]
    assert len({job.id for jobs, _ in pages for job in jobs}) == 5
    assert [every for _, every in pages] == [5, 5, 5]
    latest = shelf.latest_job(engine, Kind.PROPOSALS, "x")
    assert latest is not None
    assert shelf.latest_job(engine, Kind.PROPOSALS, "y") is None


def test_answers_are_kept_and_proposals_wait_beside_them(engine: Engine) -> None:
    checklist = load("code-completeness")
    made = assessments.add_assessment(engine, checklist, "x", "Ann", {"1": Given("yes", "a\x00")})
    entered = {"answer:2": "no", "reason:2": "because", "answer:1": "yes", "evidence:1": "setup.py"}
    assessments.save_edits(engine, made, {name: Edit(text) for name, text in entered.items()})
    assessments.add_proposals(
        engine,
        made,
        {"3": {"answer": "yes", "evidence": "e", "by": "b"}, "2": {"answer": "yes", "evidence": "f", "by": "b"}},
    )
    assessments.decide(engine, made, "3", accepted=True)
    assessments.decide(engine, made, "2", accepted=False)
    assessments.save_edits(engine, made, {"subject": Edit("y"), "by": Edit("Ben")})
    sheet = assessments.get_sheet(engine, made)
    assert sheet is not None
    texts = [(a.text, a.evidence, a.reason) for a in sheet.filled().answers]
    assert texts == [("yes", "setup.py", ""), ("no", "", "because"), ("yes", "e", ""), ("", "", ""), ("", "", "")]
    assert sheet.proposed() == 0
    assert (sheet.row.subject, sheet.row.by) == ("y", "Ben")
    [(row, answers)], every = assessments.list_assessments(engine, page=1, size=10)
    assert (row.id, answers, every) == (made, 3, 1)


def test_a_deleted_assessment_is_gone_until_it_is_brought_back(engine: Engine) -> None:
    made = assessments.add_assessment(engine, load("reforms"), "x", "", {})
    shelf.set_deleted(engine, Assessment, made, now())
    assert assessments.get_sheet(engine, made) is None
    assert assessments.get_deleted(engine, made) is not None
    shelf.set_deleted(engine, Assessment, made, None)
    assert assessments.get_sheet(engine, made) is not None
    assert not shelf.purge_one(engine, Assessment, made)


def test_the_tables_are_those_of_the_models(engine: Engine) -> None:
    from alembic.autogenerate import compare_metadata
    from alembic.runtime.migration import MigrationContext

    from assay.web.models import Base

    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"version_table": "assay_web_version"})
        differences = [d for d in compare_metadata(context, Base.metadata) if "version" not in str(d)]
    assert [d for d in differences if d[0] != "modify_type"] == []


def test_numbers_of_evidence_keep_their_kind() -> None:
    finding = get_rule("S101").finding("m", evidence=[numbers({"a": 1, "b": 1.5, "c": None, "d": True, "e": "x"})])
    assert finding_from(Report("t", findings=(finding,)).to_dict()["findings"][0]) == finding
