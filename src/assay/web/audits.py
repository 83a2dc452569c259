"""Audits: upload what there is, follow the progress, read the report, download it, compare two."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, Form, HTTPException, Query, Request, UploadFile
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import FileResponse, HTMLResponse, RedirectResponse, Response, StreamingResponse
from sqlalchemy import Engine

from assay.audit.addresses import address_of
from assay.errors import InputError
from assay.report import Format, encoded
from assay.report.chapters import verdict_of
from assay.report.page_one import headline_of, points_of
from assay.report.questions import questions_of
from assay.report.svg import harmless
from assay.web import shelf
from assay.web.examples import SUBMISSION
from assay.web.jobs import refuse_a_crowd
from assay.web.models import Job, Kind, State, new_id, now
from assay.web.pages import environment, is_piece, page
from assay.web.pagination import Pages
from assay.web.reviews import LONGEST, Review, review_of, reviewed_report, reworded
from assay.web.scores import PICTURE_POLICY
from assay.web.settings import Settings
from assay.web.state import engine_of, house_of, settings_of
from assay.web.stored import ending_of, finding_from
from assay.web.uploads import copy_uploads, delete_folder, delete_uploads, job_folder, keep_example, keep_uploads

router = APIRouter(prefix="/audits")

FINDINGS_PER_PAGE = 50
AUDITS_PER_PAGE = 20
_MEDIA = {
    "txt": "text/plain",
    "md": "text/markdown",
    "html": "text/html",
    "pdf": "application/pdf",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "tex": "application/x-tex",
    "json": "application/json",
    "csv": "text/csv",
    "sarif": "application/sarif+json",
}
_TITLES = {"text": "Text", "md": "Markdown", "tex": "LaTeX", "docx": "Word"}
_LOOKS_EVERY = 0.5

PageNumber = Annotated[int, Query(alias="page", ge=1, le=100_000)]
Words = Annotated[str, Query(max_length=200)]


@router.get("")
def browse(request: Request, number: PageNumber = 1, deleted: Words = "") -> HTMLResponse:
    """What was audited, newest first, and where to begin another."""
    engine = engine_of(request)
    jobs, every = shelf.list_jobs(engine, Kind.AUDIT, page=number, size=AUDITS_PER_PAGE)
    return page(
        request,
        "web/audits/browse.html",
        jobs=jobs,
        pages=Pages(request.url, number, AUDITS_PER_PAGE, every),
        deleted=_deleted(engine, deleted),
        settings=settings_of(request),
    )


@router.post("/upload")
def upload(
    request: Request,
    files: list[UploadFile] | None = None,
    target: Annotated[str, Form(max_length=200)] = "",
    address: Annotated[str, Form(max_length=2_000)] = "",
) -> RedirectResponse:
    """Take the files, or the address of them, and begin."""
    engine, settings = engine_of(request), settings_of(request)
    wanted = address.strip()
    if wanted and not settings.online:
        raise HTTPException(403, "This server does not download material. Upload the files instead.")
    if wanted and address_of(wanted) is None:
        fix = "Paste a link to a repository or a PDF, a DOI, or an arXiv number."
        raise InputError(f"“{wanted}” is not an address", fix=fix)
    refuse_a_crowd(engine, settings.limits)
    job_id = new_id()
    given = [file for file in files or () if file.filename]
    kept = keep_uploads(settings, job_id, given) if given or not wanted else []
    named = [*([wanted] if wanted else []), *(one["name"] for one in kept)]
    title = named[0] + (f" and {len(named) - 1} more" if len(named) > 1 else "")
    options = {"target": target.strip(), "address": wanted}
    return _begin(request, Job(id=job_id, title=title, files=kept, options=options))


@router.post("/example")
def example(request: Request) -> RedirectResponse:
    """Audit a small made-up submission."""
    engine, settings = engine_of(request), settings_of(request)
    refuse_a_crowd(engine, settings.limits)
    job_id = new_id()
    return _begin(request, Job(id=job_id, title="An example", files=keep_example(settings, job_id, SUBMISSION)))


@router.get("/compare")
def compare(request: Request, audit: Annotated[list[str] | None, Query(max_length=40)] = None) -> HTMLResponse:
    """What is new, gone and as before in the later of two audits."""
    chosen = audit or []
    if len(chosen) != 2:
        raise InputError(f"{len(chosen)} audits were chosen", fix="Choose two to compare.")
    engine = engine_of(request)
    old, new = sorted((_job(engine, job_id) for job_id in chosen), key=lambda job: job.created)
    told = shelf.compare_findings(engine, old.id, new.id)
    found = {change: [finding_from(finding) for finding in findings] for change, findings in told.items()}
    return page(request, "web/audits/compare.html", old=old, new=new, found=found)


@router.get("/{job_id}")
def show(
    request: Request,
    job_id: str,
    *,
    number: PageNumber = 1,
    severity: Words = "",
    section: Words = "",
    q: Words = "",
) -> HTMLResponse:
    """The progress of an audit, or its report with a page of its findings."""
    engine, settings = engine_of(request), settings_of(request)
    job = _job(engine, job_id, whole=True)
    if job.state != State.DONE or job.report is None:
        return page(request, "web/audits/progress.html", job=job, settings=settings, share=share_done(job))
    wanted = shelf.Filter(severity, section, q)
    bodies, fitting = shelf.page_of_findings(engine, job_id, wanted, page=number, size=FINDINGS_PER_PAGE)
    pages = Pages(request.url, number, FINDINGS_PER_PAGE, fitting)
    findings = [(body["position"], reworded(body), review_of(body)) for body in bodies]
    if is_piece(request):
        return page(request, "web/audits/findings.html", job=job, findings=findings, pages=pages)
    report = reviewed_report(job.report["report"], shelf.findings_of(engine, job_id))
    return page(
        request,
        "web/audits/report.html",
        job=job,
        report=report,
        headline=headline_of(report) if report.sections else "",
        points=points_of(report),
        verdict=verdict_of(report) if report.sections else (),
        questions=questions_of(report),
        findings=findings,
        pages=pages,
        wanted=wanted,
        formats=[(_TITLES.get(one.value, one.value.upper()), ending_of(one)) for one in Format],
        settings=settings,
    )


@router.get("/{job_id}/events")
def events(request: Request, job_id: str) -> StreamingResponse:
    """The progress, sent whenever it changes."""
    engine = engine_of(request)
    _job(engine, job_id)
    headers = {"x-accel-buffering": "no"}
    return StreamingResponse(_events(engine, job_id), media_type="text/event-stream", headers=headers)


async def _events(engine: Engine, job_id: str) -> AsyncIterator[str]:
    before = ""
    while True:
        job = await run_in_threadpool(shelf.get_job, engine, job_id)
        if job is None or State(job.state).over:
            yield "event: done\ndata: \n\n"
            return
        piece = environment().get_template("web/audits/steps.html").render(job=job, share=share_done(job))
        if piece != before:
            before = piece
            yield "event: progress\n" + "".join(f"data: {line}\n" for line in piece.splitlines()) + "\n"
        await asyncio.sleep(_LOOKS_EVERY)


@router.get("/{job_id}/report.{ending}")
def download(request: Request, job_id: str, ending: str) -> Response:
    """The report as a file."""
    engine = engine_of(request)
    job = _job(engine, job_id, whole=True)
    path = job_folder(settings_of(request), job.id) / f"report.{ending}"
    if ending not in _MEDIA or job.report is None:
        raise HTTPException(404, "There is no such report.")
    name = f"assay-{job.id[:8]}.{ending}"
    bodies = shelf.findings_of(engine, job_id)
    if path.is_file() and not any(review_of(body).changes for body in bodies):
        return FileResponse(path, media_type=_MEDIA[ending], filename=name)
    how = next(one for one in Format if ending_of(one) == ending)
    content = encoded(reviewed_report(job.report["report"], bodies), how)
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(content, media_type=_MEDIA[ending], headers=headers)


@router.post("/{job_id}/findings/{position}")
def review(
    request: Request,
    job_id: str,
    position: int,
    *,
    decision: Annotated[str, Form(max_length=20)],
    reason: Annotated[str, Form(max_length=LONGEST)] = "",
    message: Annotated[str, Form(max_length=LONGEST)] = "",
) -> RedirectResponse:
    """Mark a finding as relevant or not, or word it anew for the export."""
    engine = engine_of(request)
    _job(engine, job_id)
    made = Review() if decision == "reset" else Review(decision != "irrelevant", reason.strip(), message.strip())
    if not shelf.set_review(engine, job_id, position, made):
        raise HTTPException(404, "There is no such finding.")
    return RedirectResponse(f"/audits/{job_id}#finding-{position}", 303)


@router.get("/{job_id}/figures/{number}.svg")
def figure(request: Request, job_id: str, number: int) -> Response:
    """A picture of the report."""
    job = _job(engine_of(request), job_id, whole=True)
    figures = (job.report or {"report": {"figures": []}})["report"]["figures"]
    drawn = harmless(figures[number]["svg"], label=figures[number]["alt"]) if 0 <= number < len(figures) else None
    if drawn is None:
        raise HTTPException(404, "There is no such picture.")
    return Response(drawn, media_type="image/svg+xml", headers={"content-security-policy": PICTURE_POLICY})


@router.post("/{job_id}/stop")
def stop(request: Request, job_id: str) -> RedirectResponse:
    """End an audit that is not wanted any more."""
    job = _job(engine_of(request), job_id)
    if not State(job.state).over:
        house_of(request).jobs.stop(job.id)
    return RedirectResponse(f"/audits/{job.id}", 303)


@router.post("/{job_id}/again")
def again(request: Request, job_id: str) -> RedirectResponse:
    """Audit the same files once more."""
    engine, settings = engine_of(request), settings_of(request)
    job = _job(engine, job_id)
    if job.files_gone is not None:
        raise InputError("the files were deleted", fix="Upload them again.")
    refuse_a_crowd(engine, settings.limits)
    fresh = Job(id=new_id(), title=job.title, files=job.files, options={**job.options, "address": ""})
    copy_uploads(settings, job.id, fresh.id)
    return _begin(request, fresh)


@router.post("/{job_id}/files/delete")
def forget_files(request: Request, job_id: str) -> RedirectResponse:
    """Delete the uploaded files at once; the report stays."""
    engine = engine_of(request)
    job = _job(engine, job_id)
    if not State(job.state).over:
        raise InputError("the audit still reads the files", fix="Stop it first.")
    delete_uploads(settings_of(request), job.id)
    shelf.mark_files_gone(engine, job.id)
    return RedirectResponse(f"/audits/{job.id}", 303)


@router.post("/{job_id}/delete")
def delete(request: Request, job_id: str) -> RedirectResponse:
    """Delete an audit; it can be brought back for a while."""
    engine = engine_of(request)
    job = _job(engine, job_id)
    if not State(job.state).over:
        house_of(request).jobs.stop(job.id)
    shelf.set_deleted(engine, Job, job.id, now())
    return RedirectResponse(f"/audits?deleted={job.id}", 303)


@router.post("/{job_id}/restore")
def restore(request: Request, job_id: str) -> RedirectResponse:
    """Bring a deleted audit back."""
    shelf.set_deleted(engine_of(request), Job, job_id, None)
    return RedirectResponse(f"/audits/{job_id}", 303)


@router.post("/{job_id}/purge")
def purge(request: Request, job_id: str) -> RedirectResponse:
    """Delete a deleted audit for good, now."""
    engine = engine_of(request)
    if shelf.purge_one(engine, Job, job_id):
        delete_folder(settings_of(request), job_id)
    return RedirectResponse("/audits", 303)


def share_done(job: Job) -> float | None:
    """Which part of the steps is over; None before the steps are known."""
    if not job.steps:
        return None
    return sum(step["state"] in {"done", "failed"} for step in job.steps) / len(job.steps)


def _begin(request: Request, job: Job) -> RedirectResponse:
    job.kind = Kind.AUDIT.value
    shelf.add_job(engine_of(request), job)
    house_of(request).jobs.wake()
    return RedirectResponse(f"/audits/{job.id}", 303)


def _job(engine: Engine, job_id: str, *, whole: bool = False) -> Job:
    job = shelf.get_job(engine, job_id, whole=whole)
    if job is None or job.kind != Kind.AUDIT or job.deleted is not None:
        raise HTTPException(404, "There is no such audit, or it was deleted.")
    return job


def _deleted(engine: Engine, job_id: str) -> Job | None:
    job = shelf.get_job(engine, job_id) if job_id else None
    return job if job is not None and job.deleted is not None else None


def finish(engine: Engine, _: Settings, job: Job, told: Any) -> None:
    """Store what an audit's process tells at its end."""
    shelf.finish_audit(engine, job.id, told)
