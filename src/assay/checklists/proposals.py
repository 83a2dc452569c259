"""Answers that other instruments' reports propose; a person confirms them.

Only findings propose: they show that something is amiss, with its place. That nothing was found shows
too little to propose a good answer.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from assay.checklists.definition import Answers, Checklist, Item
from assay.checklists.rules import Known
from assay.checklists.template import Proposal
from assay.errors import InputError
from assay.files import read_text
from assay.findings import Location

_FIX = "Give a report that `assay repo`, `assay leakage` or `assay scores` wrote as JSON."
_SHOWN = 3


def read_known(path: Path) -> list[Known]:
    """The findings in a JSON report."""
    try:
        data = json.loads(read_text(path))
        return [_known(finding) for finding in data["findings"]]
    except (ValueError, RecursionError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError("not JSON", where=str(path), fix=_FIX) from None
    except (KeyError, TypeError, AttributeError):
        raise InputError("not a report", where=str(path), fix=_FIX) from None


def _known(finding: dict[str, Any]) -> Known:
    place = finding.get("location")
    location = Location(str(place["path"]), place.get("line"), cell=place.get("cell")) if place else None
    return Known(str(finding["code"]), str(finding["message"]), location)


def propose(checklist: Checklist, known: Iterable[Known]) -> dict[str, Proposal]:
    """An answer for each item that a finding speaks to."""
    findings = list(known)
    proposed = {}
    for item in checklist:
        speaking = [k for k in findings if k.concerns(item) and not k.counts]
        if speaking:
            proposed[item.id] = Proposal(_text(item, checklist, speaking), _evidence(speaking), "assay")
    return proposed


def _text(item: Item, checklist: Checklist, speaking: list[Known]) -> str:
    if item.answer is Answers.YES_NO:
        return "no"
    if item.answer is Answers.SCALE:
        return sorted(checklist.scale, key=lambda grade: grade.value)[len(checklist.scale) // 2].name
    if item.answer is Answers.TEXT:
        told = "; ".join(dict.fromkeys(k.message for k in speaking[:_SHOWN]))
        return f"Found: {told}" + (f" (and {len(speaking) - _SHOWN} more)" if len(speaking) > _SHOWN else "")
    return ""


def _evidence(speaking: list[Known]) -> str:
    places = dict.fromkeys(f"{k.code} at {k.location}" if k.location else k.code for k in speaking)
    return ", ".join(list(places)[:_SHOWN])
