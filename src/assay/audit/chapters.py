"""In which chapter of the report a finding stands: the order in which a reviewer thinks."""

from __future__ import annotations

from assay.findings import Finding, Lead, Section, Severity

NUMBERS = Section(
    "numbers",
    "Impossible numbers",
    lead=Lead(1, "one reported result is impossible", "{n} reported results are impossible or contradict each other"),
)
LEAKAGE = Section(
    "leakage",
    "Leakage",
    lead=Lead(
        2,
        "information from the test data reaches the training",
        "information from the test data reaches the training",
        clauses=(
            ("L1.1", "a model is scored on rows it was trained on"),
            ("LX1", "the test set was used to choose the model"),
            ("R109", "the test set was used to choose the model"),
            ("L1.4", "the training and test data share rows"),
        ),
    ),
)
CLAIMS = Section(
    "claims",
    "Claims that the material contradicts",
    lead=Lead(
        3,
        "one claim is contradicted by the code or the data",
        "{n} claims are contradicted by the code or the data",
        background=frozenset({"K105", "K104", "X211"}),
    ),
)
MISSING = Section(
    "missing",
    "Missing information",
    missing=True,
    lead=Lead(
        5,
        "information needed to judge the result is missing",
        "information needed to judge the result is missing",
        background=frozenset(
            {"R101", "R102", "R103", "R105", "R107", "R206", "R209", "R507", "R806", "K101", "K102", "K103"}
        ),
        together="The paper or the repository leaves out {n} things that a reader needs",
    ),
)
RUNNING = Section(
    "running",
    "Can it be run?",
    missing=True,
    lead=Lead(
        4,
        "the code cannot be run as published",
        "the code cannot be run as published",
        background=frozenset({"R308", "R804", "R801", "R802", "R803", "R805"}),
        least=Severity.ERROR,
    ),
)
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
