"""What a reader meets first: the order in which findings stop somebody who follows the documentation."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from assay.findings import Finding, Severity, note

if TYPE_CHECKING:
    from assay.repository.facts import Repository

_STOPS = (
    ("R305", "R306", "R307"),  # the install command fails
    ("R211", "R212", "R213", "R214", "R215", "R216"),  # a command fails
    ("R303", "R301", "R302"),  # an import fails
    ("R501", "R503", "R505", "R502", "R602"),  # a file is missing
    ("R201", "R204", "R901"),
)
"""Codes of rules by what fails first; all others come after, licence and seeds among them."""
_RANK = {code: rank for rank, codes in enumerate(_STOPS) for code in codes}
USUAL = frozenset({"R107", "R804", "R308", "R202", "R205", "R206", "R105", "R106"})
"""Rules whose notes nearly every repository gets: they are folded into one line."""

_OF_FILES = frozenset(
    {
        "R109", "R215", "R216", "R302", "R303", "R401", "R402", "R403", "R404", "R502", "R503", "R702", "R703", "R901",
    }
)  # fmt: skip
"""Rules about single files, which matter as much as the files do."""
_UNUSED = "No documented command or main run uses this file."


def weighed(finding: Finding, facts: Repository) -> Finding:
    """The finding; a note if it is about files alone that no documented run uses."""
    if finding.code not in _OF_FILES or finding.severity is Severity.NOTE:
        return finding
    places = {finding.location, *(shown.location for shown in finding.evidence)} - {None}
    paths = {place.path for place in places if place is not None and facts.code.source(place.path) is not None}
    if not paths or any(map(facts.reach.concerns, paths)):
        return finding
    return replace(finding, severity=Severity.NOTE, evidence=(*finding.evidence, note(_UNUSED)))


def by_obstacle(finding: Finding) -> tuple[int, int, tuple[int, int, str, int, int, str, str]]:
    """Errors before warnings; of the same severity, what stops the first command first."""
    branch = finding.code == "R307" and finding.severity is not Severity.ERROR  # it installs, though not the same
    return finding.severity.rank, len(_STOPS) if branch else _RANK.get(finding.code, len(_STOPS)), finding.sort_key


def by_first_stop(finding: Finding) -> tuple[int, int, tuple[int, int, str, int, int, str, str]]:
    """What stops the first command first; of the same rank, errors before warnings."""
    severity, rank, place = by_obstacle(finding)
    return rank, severity, place


def is_usual_gap(finding: Finding) -> bool:
    """Whether a note only says what is missing in nearly every repository."""
    return finding.severity is Severity.NOTE and finding.code in USUAL
