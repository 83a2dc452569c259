"""In which chapter of the report a finding stands: the order in which a reviewer thinks."""

from __future__ import annotations

from assay.findings import Finding, Section

NUMBERS = Section("numbers", "Impossible numbers")
LEAKAGE = Section("leakage", "Leakage")
CLAIMS = Section("claims", "Claims that the material contradicts")
MISSING = Section("missing", "Missing information", missing=True)
RUNNING = Section("running", "Runnable or not", missing=True)
CHAPTERS = (NUMBERS, LEAKAGE, CLAIMS, MISSING, RUNNING)

_BY_CODE = {
    **dict.fromkeys(("X201", "X202", "X203", "X204", "X205", "A201", "A202", "A203"), NUMBERS),
    **dict.fromkeys(("X207", "R108", "R109", "R506"), LEAKAGE),
    **dict.fromkeys(("R210", "R904", "K104", "K105"), CLAIMS),
    **dict.fromkeys(("X101", "X102"), RUNNING),
    **dict.fromkeys(("R101", "R102", "R103", "R105", "R107", "R201", "R203", "R206", "R209", "R507", "R806"), MISSING),
}
_BY_BEGINNING = {"S": NUMBERS, "L": LEAKAGE, "CX": NUMBERS, "X": CLAIMS, "A": MISSING, "K": MISSING}
"""For whole rooms; the rules about repositories that are named nowhere are about running the code."""


def chapter_of(finding: Finding) -> Section:
    """The chapter of a finding, by its rule."""
    if finding.code in _BY_CODE:
        return _BY_CODE[finding.code]
    letters = finding.code.rstrip("0123456789.")
    return _BY_BEGINNING.get(letters) or _BY_BEGINNING.get(letters[:1]) or RUNNING
