"""Checklists and info sheets: filled in section by section, saved as you type, exported, compared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Annotated

from fastapi import APIRouter, Depends, HTTPException, Query, Request, UploadFile
from fastapi import Form as Field
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from sqlalchemy import Engine
from starlette.datastructures import FormData

from assay.checklists.comparison import compare as compared
from assay.checklists.definition import Checklist, Item, Section
from assay.checklists.files import shipped
from assay.checklists.filled import filled_of
from assay.checklists.rendering import Document, render
from assay.checklists.report import report_of
from assay.errors import InputError
from assay.records import dataclass
from assay.web import assessments, shelf
from assay.web.assessments import LONGEST, PARTS, Given, Sheet, checklist_named
from assay.web.checklist_files import as_yaml, read_upload
from assay.web.edits import Edit, Saved, mark_of
from assay.web.jobs import refuse_a_crowd
from assay.web.models import Assessment, Job, Kind, State, new_id, now
from assay.web.pages import is_piece, page
from assay.web.pagination import Pages
from assay.web.proposals import SCHEMES, proposals_from_findings
from assay.web.settings import Settings
from assay.web.state import engine_of, house_of, settings_of
from assay.web.uploads import delete_uploads, keep_uploads

router = APIRouter(prefix="/checklists")

PER_PAGE = 20
_MEDIA = {
    "md": "text/markdown",
    "html": "text/html",
    "tex": "application/x-tex",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "pdf": "application/pdf",
    "yaml": "application/yaml",
}

PageNumber = Annotated[int, Query(alias="page", ge=1, le=100_000)]
_LONGEST_LINE = 400
Line = Annotated[str, Field(max_length=_LONGEST_LINE)]


@router.get("")
def browse(
    request: Request, number: PageNumber = 1, deleted: Annotated[str, Query(max_length=40)] = ""
) -> HTMLResponse:
    """The checklists there are, and those that are being filled in."""
    engine = engine_of(request)
    rows, every = assessments.list_assessments(engine, page=number, size=PER_PAGE)
    return page(
        request,
        "web/checklists/browse.html",
        checklists=[checklist_named(name) for name in shipped()],
        rows=[(row, answers, checklist_named(row.checklist)) for row, answers in rows],
        pages=Pages(request.url, number, PER_PAGE, every),
        deleted=assessments.get_deleted(engine, deleted) if deleted else None,
        settings=settings_of(request),
    )


@router.post("")
def begin(request: Request, checklist: Line, subject: Line = "", by: Line = "") -> RedirectResponse:
    """Begin to fill in a checklist."""
    if checklist not in shipped():
        raise HTTPException(404, "There is no such checklist.")
    made = assessments.add_assessment(engine_of(request), checklist_named(checklist), subject.strip(), by.strip(), {})
    return RedirectResponse(f"/checklists/{made}", 303)


@router.post("/import/upload")
def bring(request: Request, file: UploadFile) -> RedirectResponse:
    """Go on with a checklist that was filled in elsewhere, as YAML or Markdown."""
    name, text = read_upload(file)
    filled = filled_of(text, name)
    if filled.checklist.name not in shipped():
        raise InputError(f"{filled.checklist.name} does not come with Assay", fix="Use one of the listed checklists.")
    given = {a.item.id: Given(a.text, a.evidence, a.reason) for a in filled.answers if a.text or a.evidence or a.reason}
    made = assessments.add_assessment(engine_of(request), filled.checklist, filled.subject or name, filled.by, given)
    return RedirectResponse(f"/checklists/{made}", 303)


@router.get("/compare")
def compare(request: Request, assessment: Annotated[list[str] | None, Query(max_length=40)] = None) -> HTMLResponse:
    """Assessments of one checklist side by side, and how far two people agree."""
    chosen = assessment or []
    if not 2 <= len(chosen) <= 12:
        raise InputError(f"{len(chosen)} assessments were chosen", fix="Choose two or more of one checklist.")
    sheets = [_sheet(request, one) for one in chosen]
    tables = compared([sheet.filled() for sheet in sheets])
    return page(request, "web/checklists/compare.html", sheets=sheets, tables=tables)


@router.get("/{assessment_id}")
def fill(request: Request, assessment_id: str, section: Annotated[int, Query(ge=1, le=100)] = 1) -> HTMLResponse:
    """One section to fill in."""
    return _section_page(request, _sheet(request, assessment_id), section, Entries())


@dataclass(frozen=True)
class Entries:
    """What a page with a section sent, and what became of it."""

    edits: Mapping[str, Edit] = field(default_factory=dict)
    complaints: Mapping[str, str] = field(default_factory=dict)
    """What is wrong with the answers of some items."""
    saved: Saved = field(default_factory=Saved)

    @property
    def open(self) -> bool:
        """Whether something was not stored."""
        return bool(self.complaints or self.saved.conflicts)

    def text(self, name: str, stored: str) -> str:
        """What a field shows: what was entered, where that is not stored."""
        item = name.partition(":")[2]
        unsaved = name in self.saved.conflicts or (item in self.complaints and name in self.edits)
        return self.edits[name].text if unsaved else stored

    def mark(self, name: str, stored: str) -> str:
        """The mark that the page carries for a field from now on."""
        if name not in self.edits:
            return mark_of(stored)
        late = name in self.saved.conflicts or name in self.saved.elsewhere
        return self.edits[name].mark if late else mark_of(stored)


def _section_page(request: Request, sheet: Sheet, section: int, entries: Entries) -> HTMLResponse:
    engine = engine_of(request)
    number = min(section, len(sheet.checklist.sections))
    audits, _ = shelf.list_jobs(engine, Kind.AUDIT, size=20)
    return page(
        request,
        "web/checklists/fill.html",
        status=409 if entries.saved.conflicts else 422 if entries.complaints else 200,
        sheet=sheet,
        number=number,
        section=sheet.checklist.sections[number - 1],
        entries=entries,
        documents=list(Document),
        audits=[job for job in audits if job.state == State.DONE],
        reads_papers=sheet.checklist.name in SCHEMES,
        proposing=shelf.latest_job(engine, Kind.PROPOSALS, sheet.row.id),
    )


async def form_of(request: Request) -> FormData:
    """All fields of a form, whatever their names; half a character can be neither kept nor shown and is refused."""
    form = await request.form()
    if any(isinstance(value, str) and not _is_text(value) for value in form.values()):
        raise InputError("a field of the form holds what is not text", fix="Send it as UTF-8.")
    return form


def _is_text(value: str) -> bool:
    """Whether it can be written down: a form may name an encoding that gives halves of characters."""
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


@router.post("/{assessment_id}")
def save(
    request: Request,
    assessment_id: str,
    form: Annotated[FormData, Depends(form_of)],
    section: Annotated[int, Query(ge=1, le=100)] = 1,
) -> Response:
    """Store a section; with JavaScript this happens while somebody types."""
    sheet = _sheet(request, assessment_id)
    here = sheet.checklist.sections[min(section, len(sheet.checklist.sections)) - 1]
    entries = _stored(engine_of(request), sheet, here, form)
    decided = _decide(engine_of(request), sheet, form)
    sheet = _sheet(request, assessment_id)
    pressed = decided or any(_word(form, button) for button in ("mine", "theirs"))
    if is_piece(request) and not pressed:
        return page(request, "web/checklists/saved.html", sheet=sheet, number=section, section=here, entries=entries)
    if entries.open:
        return _section_page(request, sheet, section, entries)
    onward = min(section + 1, len(sheet.checklist.sections)) if _word(form, "go") == "on" else section
    return RedirectResponse(f"/checklists/{assessment_id}?section={onward}", 303)


def _stored(engine: Engine, sheet: Sheet, section: Section, form: FormData) -> Entries:
    """Store what the page sent, but for wrong answers and for what another page has changed as well."""
    edits = entered(form, section)
    given = {item.id: _given(edits, item) for item in section.items if f"answer:{item.id}" in edits}
    complaints = _complaints(sheet.checklist, section, given)
    sound = {name: edit for name, edit in edits.items() if name.partition(":")[2] not in complaints}
    return Entries(edits, complaints, assessments.save_edits(engine, sheet.row.id, sound))


def _decide(engine: Engine, sheet: Sheet, form: FormData) -> bool:
    """Accept or reject a proposal, if the form says so."""
    known = {item.id for item in sheet.checklist}
    made = [(decision, _word(form, decision)) for decision in ("accept", "reject") if _word(form, decision) in known]
    for decision, item in made:
        assessments.decide(engine, sheet.row.id, item, accepted=decision == "accept")
    return bool(made)


@router.get("/{assessment_id}/check")
def check(request: Request, assessment_id: str) -> HTMLResponse:
    """What is missing, unfounded or contradicted."""
    sheet = _sheet(request, assessment_id)
    report = report_of([sheet.filled()])
    at = {item.id: n for n, section in enumerate(sheet.checklist.sections, 1) for item in section.items}
    return page(request, "web/checklists/check.html", sheet=sheet, report=report, at=at)


@router.post("/{assessment_id}/propose/upload")
def read_paper(request: Request, assessment_id: str, file: UploadFile) -> RedirectResponse:
    """Look in a paper for answers; it is read in a process of its own and deleted afterwards."""
    sheet = _sheet(request, assessment_id)
    if sheet.checklist.name not in SCHEMES:
        raise InputError("no answers to this checklist are looked for in papers", fix="Take the findings of an audit.")
    engine, settings = engine_of(request), settings_of(request)
    refuse_a_crowd(engine, settings.limits)
    job_id = new_id()
    kept = keep_uploads(settings, job_id, [file])
    job = Job(
        id=job_id,
        kind=Kind.PROPOSALS.value,
        target=assessment_id,
        title=kept[0]["name"],
        files=kept,
        options={"target": sheet.checklist.name},
    )
    shelf.add_job(engine, job)
    house_of(request).jobs.wake()
    return RedirectResponse(f"/checklists/{assessment_id}", 303)


@router.post("/{assessment_id}/propose/audit")
def take_findings(request: Request, assessment_id: str, audit: Line) -> RedirectResponse:
    """Let the findings of an audit propose answers."""
    sheet = _sheet(request, assessment_id)
    engine = engine_of(request)
    proposals = proposals_from_findings(shelf.findings_of(engine, audit), sheet.checklist.name)
    assessments.add_proposals(engine, assessment_id, proposals)
    return RedirectResponse(f"/checklists/{assessment_id}", 303)


@router.get("/{assessment_id}/proposing")
def proposing(request: Request, assessment_id: str) -> Response:
    """How far the reading of a paper is; when it is over, the page is loaded anew."""
    job = shelf.latest_job(engine_of(request), Kind.PROPOSALS, assessment_id)
    if job is None or State(job.state).over:
        return Response(headers={"hx-refresh": "true"})
    return page(request, "web/checklists/proposing.html", proposing=job, sheet=_sheet(request, assessment_id))


@router.get("/{assessment_id}/export.{ending}")
def export(request: Request, assessment_id: str, ending: str) -> Response:
    """The filled checklist as a document to attach, or as a file for the command line."""
    sheet = _sheet(request, assessment_id)
    if ending not in _MEDIA:
        raise HTTPException(404, "There is no such document.")
    content = as_yaml(sheet) if ending == "yaml" else render(sheet.filled(), Document(ending))
    name = f"{sheet.checklist.name}-{assessment_id[:8]}.{ending}"
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(content, media_type=_MEDIA[ending], headers=headers)


@router.post("/{assessment_id}/delete")
def delete(request: Request, assessment_id: str) -> RedirectResponse:
    """Delete an assessment; it can be brought back for a while."""
    sheet = _sheet(request, assessment_id)
    shelf.set_deleted(engine_of(request), Assessment, sheet.row.id, now())
    return RedirectResponse(f"/checklists?deleted={sheet.row.id}", 303)


@router.post("/{assessment_id}/restore")
def restore(request: Request, assessment_id: str) -> RedirectResponse:
    """Bring a deleted assessment back."""
    shelf.set_deleted(engine_of(request), Assessment, assessment_id, None)
    return RedirectResponse(f"/checklists/{assessment_id}", 303)


def entered(form: FormData, section: Section) -> dict[str, Edit]:
    """What a form says about the items of a section and its head; fields that it does not have are left alone.

    The buttons of a conflict name a field: `mine` overwrites what another page stored, `theirs` leaves it.
    """
    names = [f"{part}:{item.id}" for item in section.items for part in PARTS]
    mine, theirs = _word(form, "mine"), _word(form, "theirs")
    return {
        name: Edit(_word(form, name)[:longest], "" if name == mine else _word(form, f"mark:{name}"))
        for names, longest in ((names, LONGEST), (("subject", "by"), _LONGEST_LINE))
        for name in names
        if name in form and name != theirs
    }


def _given(edits: Mapping[str, Edit], item: Item) -> Given:
    return Given(*(edits[name].text if (name := f"{part}:{item.id}") in edits else "" for part in PARTS))


def _complaints(checklist: Checklist, section: Section, given: Mapping[str, Given]) -> dict[str, str]:
    told = {i.id: assessments.complaint(checklist, i, given[i.id]) for i in section.items if i.id in given}
    return {item: said for item, said in told.items() if said}


def finish(engine: Engine, settings: Settings, job: Job, told: dict[str, dict[str, str]]) -> None:
    """Store what the reading of a paper proposes, and delete the paper."""
    assessments.add_proposals(engine, job.target, told)
    delete_uploads(settings, job.id)
    shelf.finish_job(engine, job.id, f"{len(told)} answers proposed")


def _word(form: FormData, name: str) -> str:
    value = form.get(name, "")
    return value.strip() if isinstance(value, str) else ""


def _sheet(request: Request, assessment_id: str) -> Sheet:
    sheet = assessments.get_sheet(engine_of(request), assessment_id)
    if sheet is None:
        raise HTTPException(404, "There is no such assessment, or it was deleted.")
    return sheet
