"""Rules: browse and search what is checked, and why."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Query, Request
from fastapi.responses import HTMLResponse

from assay.errors import InputError
from assay.findings import Severity
from assay.rules import Rule, all_rules, get_rule
from assay.web.pages import is_piece, page

router = APIRouter(prefix="/rules")

Words = Annotated[str, Query(max_length=200)]


@router.get("")
def browse(request: Request, q: Words = "", instrument: Words = "", severity: Words = "") -> HTMLResponse:
    """All rules that hold the words, room by room."""
    rules = all_rules()
    found = [
        rule
        for rule in rules
        if instrument in {"", rule.instrument.name} and severity in {"", rule.severity.value} and holds(rule, q)
    ]
    return page(
        request,
        "web/rules/found.html" if is_piece(request) else "web/rules/browse.html",
        groups=by_instrument(found),
        found=len(found),
        every=len(rules),
        instruments=sorted({rule.instrument.name for rule in rules}),
        severities=list(Severity),
        q=q,
        instrument=instrument,
        severity=severity,
    )


@router.get("/{code}")
def explain(request: Request, code: str) -> HTMLResponse:
    """One rule in full."""
    rules = all_rules()
    try:
        rule = get_rule(code)
    except InputError as error:
        raise HTTPException(404, str(error)) from None
    at = rules.index(rule)
    before, after = (rules[at - 1] if at else None), (rules[at + 1] if at + 1 < len(rules) else None)
    return page(request, "web/rules/rule.html", rule=rule, before=before, after=after)


def holds(rule: Rule[Any], words: str) -> bool:
    """Whether a rule mentions all the words."""
    text = f"{rule.code} {rule.title} {rule.why} {rule.advice} {rule.source} {rule.instrument.question}".lower()
    return all(word in text for word in words.lower().split())


def by_instrument(rules: Iterable[Rule[Any]]) -> list[tuple[str, str, list[Rule[Any]]]]:
    """The rules of each instrument with its name and question."""
    ordered = sorted(rules, key=lambda rule: rule.instrument.name)  # stable, so codes stay in order
    grouped = ((name, list(members)) for name, members in groupby(ordered, key=lambda rule: rule.instrument.name))
    return [(name, members[0].instrument.question, members) for name, members in grouped]
