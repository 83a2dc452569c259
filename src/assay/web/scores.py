"""Score check: paste, see at once whether it can be true, why not, and a sentence for the review."""

from __future__ import annotations

from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, HTTPException, Query, Request
from fastapi.responses import HTMLResponse, Response
from pydantic import BaseModel, Field

from assay.errors import InputError
from assay.findings import Verdict
from assay.records import dataclass
from assay.report.svg import harmless
from assay.scores.conventions import Rounding
from assay.scores.experiment import Aggregation, FoldModel
from assay.web.checking import Checked
from assay.web.examples import SCORES
from assay.web.pages import is_piece, page
from assay.web.pasting import Pasted, Row, read_pasted
from assay.web.sentences import review_sentence
from assay.web.state import house_of

router = APIRouter(prefix="/scores")

PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_SETTINGS = ("p", "n", "folds", "fold_model", "aggregation", "rounding")
_FASTEST = 8
"""So many rows are checked while somebody types; a longer table is checked when it is asked for."""


class Form(BaseModel):
    """What stands in the form; the address of the page holds all of it, so that a link reproduces the check."""

    text: str = Field("", max_length=20_000)
    p: str = Field("", max_length=20)
    n: str = Field("", max_length=20)
    folds: str = Field("", max_length=4)
    fold_model: str = Field("", max_length=40)
    aggregation: str = Field("", max_length=40)
    rounding: str = Field("", max_length=40)
    row: int = Field(0, ge=0, le=1000)

    def pasted(self) -> Pasted:
        """The experiments that it describes."""
        return read_pasted(self.text, [(name, getattr(self, name).strip()) for name in _SETTINGS])

    def link(self, row: int | None = None) -> str:
        """The address that says the same again."""
        told = {name: getattr(self, name) for name in ("text", *_SETTINGS) if getattr(self, name)}
        return urlencode(told | ({"row": str(row)} if row else {}))

    def complaints(self) -> dict[str, str]:
        """What is wrong with a field, by its name."""
        wrong = {}
        for name in ("p", "n", "folds"):
            value = getattr(self, name).strip()
            if value and not value.isdigit():
                wrong[name] = f"“{value}” is no whole number."
        return wrong


@dataclass(frozen=True, slots=True)
class Outcome:
    """One row, what came of it, and the sentence that a reviewer may copy."""

    row: Row
    checked: Checked
    sentence: str
    link: str

    @property
    def verdict(self) -> Verdict | None:
        """The verdict, if there is one."""
        return self.checked.report.judgements[0].verdict if self.checked.report else None


Filled = Annotated[Form, Query()]


@router.get("")
def check(request: Request, form: Filled) -> HTMLResponse:
    """The form and what came of it; only the latter when htmx asks."""
    pasted, error = _read(form)
    house_of(request).checker.warm()
    live = is_piece(request)
    rows = pasted.rows[: _FASTEST if live else None]
    outcomes = [_outcome(request, form, row, at) for at, row in enumerate(rows)]
    return page(
        request,
        "web/scores/outcome.html" if live else "web/scores/check.html",
        form=form,
        link=form.link(),
        pasted=pasted,
        outcomes=outcomes,
        error=error,
        complaints=form.complaints(),
        examples=SCORES,
        choices={"fold_model": list(FoldModel), "aggregation": list(Aggregation), "rounding": list(Rounding)},
    )


@router.get("/depth")
def depth(request: Request, form: Filled) -> HTMLResponse:
    """Which slip would explain it, or how many misprints would have been noticed."""
    row = _row(form)
    checked = house_of(request).checker.ask(row, "depth")
    return page(
        request,
        "web/scores/depth.html" if is_piece(request) else "web/scores/depth_page.html",
        row=row,
        checked=checked,
        link=form.link(),
    )


@router.get("/region.svg")
def region(request: Request, form: Filled) -> Response:
    """The feasible region, or the folds of a witness, as a picture."""
    checked = house_of(request).checker.ask(_row(form), "picture")
    figures = checked.report.figures if checked.report else ()
    drawn = harmless(figures[0].svg, label=figures[0].alt, title=figures[0].title) if figures else None
    if drawn is None:
        raise HTTPException(404, "There is no picture of this check.")
    headers = {"content-security-policy": PICTURE_POLICY, "cache-control": "private, max-age=3600"}
    return Response(drawn, media_type="image/svg+xml", headers=headers)


def _read(form: Form) -> tuple[Pasted, str]:
    try:
        return (Pasted(()), "") if form.complaints() else (form.pasted(), "")
    except InputError as error:
        return Pasted(()), str(error)


def _row(form: Form) -> Row:
    rows = form.pasted().rows
    if form.row >= len(rows):
        raise HTTPException(404, "There is no such row in the pasted text.")
    return rows[form.row]


def _outcome(request: Request, form: Form, row: Row, at: int) -> Outcome:
    checked = house_of(request).checker.ask(row)
    return Outcome(row, checked, review_sentence(row, checked.report), form.link(at))
