"""Score check: paste, see at once whether it can be true, why not, and a sentence for the review."""

from __future__ import annotations

import re
from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, HTTPException, Query, Request
from fastapi import Form as FromForm
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from pydantic import BaseModel, Field, field_validator

from assay.errors import InputError
from assay.findings import Verdict
from assay.records import dataclass
from assay.report.svg import harmless
from assay.reported import read_text
from assay.reported.model import Reading
from assay.scores.conventions import Rounding
from assay.scores.experiment import Aggregation, FoldModel
from assay.scores.pasted import LONGEST, Pasted, Row, corrected, corrections_of, rows_of, without_settings
from assay.web.examples import SCORES
from assay.web.highlighting import CHOICES, entries, stretches, unexplained
from assay.web.pages import is_piece, page
from assay.web.score_checks import Checked
from assay.web.sentences import review_sentence
from assay.web.state import house_of

router = APIRouter(prefix="/scores")

PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_SETTINGS = ("p", "n", "folds", "classes", "fold_model", "aggregation", "rounding")
_FASTEST = 8
"""So many rows are checked while somebody types; a longer table is checked when it is asked for."""
_MOST_ENTRIES = 300
_LONGEST_ADDRESS = 6_000
"""Longer addresses are refused by some browsers and servers; such a check is sent as a form and has no link."""


class Form(BaseModel):
    """What stands in the form; the address of the page holds all of it, so that a link reproduces the check."""

    text: str = ""
    p: str = Field("", max_length=20)
    n: str = Field("", max_length=20)
    folds: str = Field("", max_length=4)
    classes: str = Field("", max_length=400)
    fold_model: str = Field("", max_length=40)
    aggregation: str = Field("", max_length=40)
    rounding: str = Field("", max_length=40)
    fix: list[str] = Field(default_factory=list, max_length=400)
    dismiss: str = Field("", max_length=3)
    row: int = Field(0, ge=0, le=1000)

    @field_validator("text")
    @classmethod
    def _one_kind_of_line_end(cls, text: str) -> str:
        """Browsers send two characters for the end of a line; places in the text count one."""
        return text.replace("\r\n", "\n")

    def reading(self) -> Reading:
        """What was read of the text, with the visitor's corrections."""
        plain = without_settings(self.text[:LONGEST])
        return corrected(read_text(plain), plain, corrections_of(self.fix), dismiss=bool(self.dismiss))

    def pasted(self) -> Pasted:
        """The experiments that it describes."""
        return rows_of(self.text, self.reading(), [(name, getattr(self, name).strip()) for name in _SETTINGS])

    def link(self, row: int | None = None) -> str:
        """The address that says the same again; empty when it would be too long for an address."""
        given: list[tuple[str, str]] = [(name, getattr(self, name)) for name in ("text", *_SETTINGS, "dismiss")]
        given += [("fix", str(one)) for one in corrections_of(self.fix)]
        given += [("row", str(row))] if row else []
        address = urlencode([(name, value) for name, value in given if value])
        return address if len(address) <= _LONGEST_ADDRESS else ""

    def complaints(self) -> dict[str, str]:
        """What is wrong with a field, by its name."""
        wrong = {}
        for name in ("p", "n", "folds"):
            value = getattr(self, name).strip()
            if value and not value.isdigit():
                wrong[name] = f"“{value}” is not a whole number."
        if self.classes.strip() and not re.fullmatch(r"[^\n=]{0,300}\d\s*", self.classes):
            wrong["classes"] = "Give the items of each class, for example 50, 50, 50."
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

    @property
    def sized(self) -> bool:
        """Whether the row says how many items were tested; without that there is nothing to draw."""
        return self.row.total is not None or any(name in {"p", "n"} for name, _ in self.row.words)


Filled = Annotated[Form, Query()]


@router.get("")
def check(request: Request, form: Filled) -> HTMLResponse:
    """The form and what came of it; only the latter when htmx asks."""
    return _answer(request, form)


@router.post("")
def check_form(request: Request, form: Annotated[Form, FromForm()]) -> Response:
    """The same for a text of any length; one that fits in an address gets a page that can be reloaded and shared."""
    link = form.link()
    if not is_piece(request) and (link or not form.text):
        return RedirectResponse(f"/scores?{link}" if link else "/scores", 303)
    answer = _answer(request, form)
    if is_piece(request):
        answer.headers["hx-replace-url"] = f"/scores?{link}" if link else "/scores"
    return answer


def _answer(request: Request, form: Form) -> HTMLResponse:
    pasted, error = _read(form)
    house_of(request).checker.warm()
    live = is_piece(request)
    rows = pasted.rows[: _FASTEST if live else None]
    outcomes = [_outcome(request, row) for row in rows]
    found = entries(pasted.reading, form.text)
    return page(
        request,
        "web/scores/outcome.html" if live else "web/scores/check.html",
        form=form,
        link=form.link(),
        pasted=pasted,
        outcomes=outcomes,
        error=error,
        entries=found[:_MOST_ENTRIES],
        more_entries=max(0, len(found) - _MOST_ENTRIES),
        unexplained=unexplained(found),
        stretches=stretches(pasted.reading, form.text[:LONGEST]) if found else [],
        chosen={(one.start, one.digits): one.meaning for one in corrections_of(form.fix)},
        meanings=CHOICES,
        complaints=form.complaints(),
        examples=SCORES,
        choices={"fold_model": list(FoldModel), "aggregation": list(Aggregation), "rounding": list(Rounding)},
    )


@router.get("/depth")
def depth(request: Request, form: Filled) -> HTMLResponse:
    """Which slip would explain it, or how many misprints would have been noticed."""
    row = _row(request, form)
    checked = house_of(request).checker.ask(row, "depth")
    return page(
        request,
        "web/scores/depth.html" if is_piece(request) else "web/scores/depth_page.html",
        row=row,
        checked=checked,
        link=urlencode({"text": " ".join(f"{n}={v}" for n, v in row.words)}),
    )


@router.get("/region.svg")
def region(request: Request, form: Filled) -> Response:
    """The feasible region, or the folds of a witness, as a picture."""
    checked = house_of(request).checker.ask(_row(request, form), "picture")
    figures = checked.report.figures if checked.report else ()
    drawn = harmless(figures[0].svg, label=figures[0].alt, title=figures[0].title) if figures else None
    if drawn is None:
        raise HTTPException(404, "There is no picture of this check.")
    headers = {"content-security-policy": PICTURE_POLICY, "cache-control": "private, max-age=3600"}
    return Response(drawn, media_type="image/svg+xml", headers=headers)


def _read(form: Form) -> tuple[Pasted, str]:
    try:
        return (Pasted(), "") if form.complaints() else (form.pasted(), "")
    except InputError as error:
        return Pasted(), str(error)


def _row(request: Request, form: Form) -> Row:
    """The row that an address names by its words, or by its number in the text."""
    words = [word.partition("=") for word in request.query_params.getlist("word")[:100]]
    if words:
        total = request.query_params.get("total", "")
        named = tuple((name[:60], value[:400]) for name, _, value in words)
        return Row(request.query_params.get("name", "")[:200], named, int(total) if total.isdigit() else None)
    rows = form.pasted().rows
    if form.row >= len(rows):
        raise HTTPException(404, "There is no such row in the pasted text.")
    return rows[form.row]


def _outcome(request: Request, row: Row) -> Outcome:
    if row.obstacle:
        return Outcome(row, Checked(obstacle=row.obstacle), "", "")
    if row.report is not None:
        return Outcome(row, Checked(row.report), review_sentence(row, row.report), "")
    checked = house_of(request).checker.ask(row)
    given = [("word", f"{name}={value}") for name, value in row.words] + [
        ("name", row.name),
        ("total", str(row.total or "")),
    ]
    return Outcome(row, checked, review_sentence(row, checked.report), urlencode([one for one in given if one[1]]))
