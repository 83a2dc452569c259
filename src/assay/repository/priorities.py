"""What a reader meets first: the order in which findings stop somebody who follows the documentation."""

from __future__ import annotations

from assay.findings import Finding, Severity

_STOPS = (
    ("R305", "R307"),  # the install command fails
    ("R211", "R212", "R213", "R214", "R215", "R216"),  # a command fails
    ("R303", "R301", "R302"),  # an import fails
    ("R501", "R503", "R505", "R502", "R602"),  # a file is missing
    ("R201", "R204", "R901"),
)
"""Codes of rules by what fails first; all others come after, licence and seeds among them."""
_RANK = {code: rank for rank, codes in enumerate(_STOPS) for code in codes}
USUAL = frozenset({"R107", "R804", "R308", "R202", "R205", "R206", "R105", "R106"})
"""Rules whose notes nearly every repository gets: they are folded into one line."""


def by_obstacle(finding: Finding) -> tuple[int, int, tuple[int, int, str, int, int, str, str]]:
    """Errors before warnings; of the same severity, what stops the first command first."""
    return finding.severity.rank, _RANK.get(finding.code, len(_STOPS)), finding.sort_key


def is_usual_gap(finding: Finding) -> bool:
    """Whether a note only says what is missing in nearly every repository."""
    return finding.severity is Severity.NOTE and finding.code in USUAL
