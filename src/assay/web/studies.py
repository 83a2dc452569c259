"""Reproduction studies: a board of papers and attempts, experiments, results, time, discrepancies, and the report."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated

from fastapi import APIRouter, Depends, HTTPException, Query, Request, UploadFile
from fastapi import Form as Field
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from sqlalchemy import Engine
from starlette.datastructures import FormData

from assay.errors import InputError
from assay.report.svg import harmless
from assay.reproduction.fields import FIELDS
from assay.reproduction.folder import example_study
from assay.reproduction.store import clock, edits
from assay.reproduction.store.edits import Entry
from assay.reproduction.store.kinds import LAYOUTS, Kind
from assay.reproduction.study import Study
from assay.web.checklists import form_of
from assay.web.pages import page
from assay.web.pagination import Pages
from assay.web.scores import PICTURE_POLICY
from assay.web.state import house_of, settings_of
from assay.web.study_archives import as_zip, from_zip
from assay.web.study_board import Summary, page_of_papers, summary_of

router = APIRouter(prefix="/studies")

PAPERS_PER_PAGE = 40
STUDIES_PER_PAGE = 15
"""Each is a store of its own that has to be asked."""
BELOW = {kind: [k for k, layout in LAYOUTS.items() if layout.above is kind] for kind in Kind}
"""The kinds of entries that belong to an entry of a kind."""
TITLES = {
    Kind.PAPER: "Papers", Kind.ASSESSMENT: "Assessments", Kind.ATTEMPT: "Attempts", Kind.PROTOCOL: "Protocol",
    Kind.TIME: "Time log", Kind.EXPERIMENT: "Experiments",
    Kind.RESULT: "Results", Kind.DISCREPANCY: "Discrepancies", Kind.CLAIM: "Claims", Kind.SCALE: "Scales",
}  # fmt: skip

PageNumber = Annotated[int, Query(alias="page", ge=1, le=100_000)]
Line = Annotated[str, Field(max_length=400)]
Words = Annotated[str, Query(max_length=200)]


@router.get("")
def browse(request: Request, number: PageNumber = 1, deleted: Words = "") -> HTMLResponse:
    """The studies there are."""
    stores = house_of(request).studies
    names = stores.names()
    first = (number - 1) * STUDIES_PER_PAGE
    studies: list[tuple[str, Summary]] = []
    broken: list[str] = []
    for name in names[first : first + STUDIES_PER_PAGE]:
        try:
            if engine := stores.get(name):
                studies.append((name, summary_of(engine)))
        except InputError as error:  # one that cannot be read must not hide the others
            broken.append(f"Study {name}: {error.what}. {error.fix}")
    return page(
        request,
        "web/studies/browse.html",
        studies=studies,
        broken=broken,
        pages=Pages(request.url, number, STUDIES_PER_PAGE, len(names)),
        deleted=deleted,
        undo=settings_of(request).undo,
    )


@router.post("")
def begin(request: Request, title: Line, source: Line = "") -> RedirectResponse:
    """Begin a study."""
    if not title.strip():
        raise InputError("the study has no title", fix="Say what it is about.")
    return RedirectResponse(f"/studies/{house_of(request).studies.add(Study(title.strip(), source.strip()))}", 303)


@router.post("/example")
def example(request: Request) -> RedirectResponse:
    """A real study to look at."""
    return RedirectResponse(f"/studies/{house_of(request).studies.add(example_study())}", 303)


@router.post("/import/upload")
def bring(request: Request, file: UploadFile) -> RedirectResponse:
    """A study that was exported, here or on the command line."""
    return RedirectResponse(f"/studies/{house_of(request).studies.add(from_zip(file.file))}", 303)


@router.get("/{name}")
def board(request: Request, name: str, number: PageNumber = 1, q: Words = "") -> HTMLResponse:
    """The papers and what was tried."""
    engine = _store(request, name)
    papers, found = page_of_papers(engine, q, page=number, size=PAPERS_PER_PAGE)
    return page(
        request,
        "web/studies/board.html",
        name=name,
        study=summary_of(engine).study,
        whereabouts=house_of(request).studies.whereabouts(name),
        papers=papers,
        pages=Pages(request.url, number, PAPERS_PER_PAGE, found),
        fields=FIELDS[Kind.PAPER],
        deletions=edits.deletions(engine, 5),
        timers=clock.timers(engine),
        q=q,
    )


@router.get("/{name}/report")
def report(request: Request, name: str) -> HTMLResponse:
    """All tables and figures, and where records, figures and words disagree."""
    mark, made = house_of(request).reports.report(_store(request, name))
    return page(request, "web/studies/report.html", name=name, report=made, mark=mark)


@router.get("/{name}/figures/{number}.svg")
def figure(request: Request, name: str, number: int) -> Response:
    """A picture of the report."""
    _, made = house_of(request).reports.report(_store(request, name))
    drawn = (
        harmless(made.figures[number].svg, label=made.figures[number].alt) if 0 <= number < len(made.figures) else None
    )
    if drawn is None:
        raise HTTPException(404, "There is no such picture.")
    return Response(drawn, media_type="image/svg+xml", headers={"content-security-policy": PICTURE_POLICY})


@router.get("/{name}/export.zip")
def export(request: Request, name: str) -> Response:
    """The study as a folder of tables."""
    headers = {"content-disposition": f'attachment; filename="study-{name[:8]}.zip"'}
    return Response(as_zip(_store(request, name)), media_type="application/zip", headers=headers)


@router.post("/{name}/delete")
def delete_study(request: Request, name: str) -> RedirectResponse:
    """Delete a study; it can be brought back."""
    _store(request, name)
    house_of(request).studies.delete(name)
    return RedirectResponse(f"/studies?deleted={name}", 303)


@router.post("/{name}/restore")
def restore_study(request: Request, name: str) -> RedirectResponse:
    """Bring a deleted study back."""
    house_of(request).studies.restore(name)
    return RedirectResponse(f"/studies/{name}", 303)


@router.get("/{name}/{kind}/{number}")
def show(request: Request, name: str, kind: Kind, number: int) -> HTMLResponse:
    """One entry, with all that belongs to it."""
    engine = _store(request, name)
    return _entry_page(request, name, edits.entry(engine, kind, number))


@router.post("/{name}/{kind}/add")
def add(
    request: Request,
    name: str,
    kind: Kind,
    form: Annotated[FormData, Depends(form_of)],
    under: Annotated[int | None, Query()] = None,
) -> Response:
    """A new entry; errors appear beside the form, and nothing is lost."""
    engine = _store(request, name)
    cells = entered(form, kind)
    try:
        made = edits.add(engine, kind, cells, under=under)
    except InputError as error:
        above = LAYOUTS[kind].above
        if above is None or under is None:
            raise
        return _entry_page(request, name, edits.entry(engine, above, under), failed=(kind, cells, str(error)))
    above = LAYOUTS[kind].above
    there = f"{above}/{made.above}" if above and not BELOW[kind] else f"{kind}/{made.id}"
    return RedirectResponse(f"/studies/{name}/{there}", 303)


@router.post("/{name}/{kind}/{number}")
def change(
    request: Request,
    name: str,
    kind: Kind,
    number: int,
    *,
    form: Annotated[FormData, Depends(form_of)],
    version: Annotated[int, Field()] = 0,
) -> Response:
    """Change an entry, unless somebody else changed it meanwhile."""
    engine = _store(request, name)
    cells = entered(form, kind)
    try:
        edits.change(engine, kind, number, version, cells)
    except InputError as error:
        return _entry_page(request, name, edits.entry(engine, kind, number), wrong=str(error), kept=cells)
    return RedirectResponse(f"/studies/{name}/{kind}/{number}", 303)


@router.post("/{name}/{kind}/{number}/delete")
def delete(request: Request, name: str, kind: Kind, number: int, version: Annotated[int, Field()]) -> RedirectResponse:
    """Delete an entry with all that belongs to it; the board brings it back."""
    gone = edits.delete(_store(request, name), kind, number, version)
    above = LAYOUTS[kind].above
    return RedirectResponse(f"/studies/{name}/{above}/{gone.above}" if above else f"/studies/{name}", 303)


@router.post("/{name}/{kind}/{number}/undo")
def undo(request: Request, name: str, kind: Kind, number: int) -> RedirectResponse:
    """Bring a deleted entry back."""
    edits.undo(_store(request, name), kind, number)
    return RedirectResponse(f"/studies/{name}/{kind}/{number}", 303)


@router.post("/{name}/attempt/{number}/timer/start")
def start_timer(request: Request, name: str, number: int, person: Line, activity: Line = "") -> RedirectResponse:
    """Start somebody's clock."""
    if not person.strip():
        raise InputError("whose clock is it?", fix="Give a name.")
    clock.start_timer(_store(request, name), number, person.strip(), activity.strip())
    return RedirectResponse(f"/studies/{name}/attempt/{number}", 303)


@router.post("/{name}/attempt/{number}/timer/stop")
def stop_timer(request: Request, name: str, number: int, person: Line, hours: Line = "") -> RedirectResponse:
    """Stop it and log its hours, or those given."""
    told = clock.hours_in(hours) if hours.strip() else None
    clock.stop_timer(_store(request, name), person, hours=told)
    return RedirectResponse(f"/studies/{name}/attempt/{number}", 303)


def entered(form: FormData, kind: Kind) -> dict[str, str]:
    """What a form says about the cells of an entry."""
    known = [field.column for field in FIELDS[kind]]
    return {column: str(form[column]).strip()[:20_000] for column in known if column in form}


def _entry_page(
    request: Request,
    name: str,
    entry: Entry,
    *,
    wrong: str = "",
    kept: Mapping[str, str] | None = None,
    failed: tuple[Kind, Mapping[str, str], str] | None = None,
) -> HTMLResponse:
    engine = _store(request, name)
    timers = [t for t in clock.timers(engine) if t.attempt == entry.name] if entry.kind is Kind.ATTEMPT else []
    return page(
        request,
        "web/studies/entry.html",
        status=422 if wrong or failed else 200,
        name=name,
        study=edits.entries(engine, Kind.STUDY)[0],
        entry=entry,
        cells={**entry.cells, **(kept or {})},
        above=_above(engine, entry),
        below=[(kind, edits.entries(engine, kind, under=entry.id)) for kind in BELOW[entry.kind]],
        fields=FIELDS,
        titles=TITLES,
        wrong=wrong,
        failed=failed or (None, {}, ""),
        timers=timers,
        used=clock.hours_used(engine, entry.id) if entry.kind is Kind.ATTEMPT else None,
        moment=datetime.now(UTC),
    )


def _above(engine: Engine, entry: Entry) -> list[Entry]:
    """What the entry belongs to, from the top."""
    above: list[Entry] = []
    here = entry
    while (kind := LAYOUTS[here.kind].above) is not None and here.above is not None:
        here = edits.entry(engine, kind, here.above)
        above.insert(0, here)
    return above


def _store(request: Request, name: str) -> Engine:
    engine = house_of(request).studies.get(name)
    if engine is None:
        raise HTTPException(404, "There is no such study, or it was deleted.")
    return engine
