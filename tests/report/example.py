"""A report that has everything a report can have, for tests, golden files and looking at.

``python tests/report/example.py FOLDER`` writes it there in every format.
"""

from __future__ import annotations

import sys
from pathlib import Path

from assay.findings import (
    Confidence,
    Evidence,
    EvidenceKind,
    Figure,
    Finding,
    Judgement,
    Location,
    Report,
    Severity,
    Suppressed,
    Table,
    Verdict,
    certificate,
    note,
    numbers,
    quote,
    witness,
)
from assay.report import Format, encoded, write

SCALER = Location("src/train.py", 41, 5, 41, 34)


def step(text: str, location: Location | None = None) -> Evidence:
    return Evidence(EvidenceKind.STEP, text, location)


FIGURE = Figure(
    title="Sensitivities that 20 positives allow",
    alt="A line from 0.80 to 0.95 with marks at 16, 17, 18 and 19 of 20; the reported 0.853 lies between two of them.",
    svg="""<svg xmlns="http://www.w3.org/2000/svg"
viewBox="0 0 520 96" width="520" height="96" font-family="sans-serif">
<g id="axis" stroke="#545d68"><line x1="30" y1="56" x2="490" y2="56"/>
<circle cx="50" cy="56" r="4"/><circle cx="190" cy="56" r="4"/>
<circle cx="330" cy="56" r="4"/><circle cx="470" cy="56" r="4"/></g>
<g font-size="12" text-anchor="middle"><text x="50" y="80">16/20</text><text x="190" y="80">17/20</text>
<text x="330" y="80">18/20</text><text x="470" y="80">19/20</text></g>
<g id="reported"><line x1="198" y1="24" x2="198" y2="64" stroke="#9f1425" stroke-width="2"/>
<text x="204" y="32" font-size="12" fill="#9f1425">reported 0.853</text></g></svg>""",
)

INCONSISTENT = Judgement(
    subject='Table 2, row "Ours"',
    verdict=Verdict.INCONSISTENT,
    statement="No confusion matrix with 20 positives has the sensitivity 0.853 that is printed.",
    evidence=(
        certificate(
            "The sensitivity is a whole number of true positives divided by 20, and it rounds to 0.853.\n"
            "17 are too few and 18 are too many; nothing lies between them.",
            {"reported": "0.853", "17/20": "0.850", "18/20": "0.900"},
        ),
    ),
)
CONSISTENT = Judgement(
    subject='Table 2, row "Baseline"',
    verdict=Verdict.CONSISTENT,
    statement="These counts give every score as it is printed.",
    evidence=(witness({"tp": 17, "fn": 3, "tn": 93, "fp": 7, "sensitivity": "17/20", "specificity": "93/100"}),),
)
UNDECIDED = Judgement(
    subject="Table 3, mean of 10 folds",
    verdict=Verdict.UNDECIDED,
    statement="The search ended after 60 seconds without a witness and without a proof.",
    evidence=(note("A larger --budget may decide it."),),
)

LEAK = Finding(
    code="L1.2",
    title="Preprocessing fitted on training and test rows together",
    severity=Severity.ERROR,
    confidence=Confidence.HIGH,
    message="The scaler is fitted on all 569 rows, then the rows are split: the test set shapes its own scaling.",
    subject="StandardScaler",
    location=SCALER,
    evidence=(
        quote("X = scaler.fit_transform(X)\nX_train, X_test = train_test_split(X)", SCALER),
        step("rows are read", Location("src/train.py", 12)),
        step("the scaler is fitted on all of them", SCALER),
        step("only then are they split", Location("src/train.py", 42)),
        step("the model is scored on the part that was already seen", Location("src/evaluate.py", 7)),
    ),
    advice="Fit the scaler on X_train only, or put it in a Pipeline so that cross-validation does.",
)
IMPOSSIBLE = Finding(
    code="S101",
    title="Reported score that no experiment can give",
    severity=Severity.ERROR,
    confidence=Confidence.PROVEN,
    message="sensitivity 0.853 cannot come from 20 positives",
    subject='Table 2, row "Ours"',
    evidence=(numbers({"sensitivity": 0.853, "positives": 20, "negatives": 100}),),
    advice="Ask the authors for the confusion matrix.",
)
DUPLICATES = Finding(
    code="L1.4",
    title="Rows that stand in both parts",
    severity=Severity.WARNING,
    confidence=Confidence.MEDIUM,
    message="212 of 1,842 test rows are also training rows",
    location=Location("data/split|final.csv"),
    evidence=(
        numbers({"test rows": 1842, "in both": 212, "share": 212 / 1842, "exact": True, "distance": None}),
        quote("\n".join(f"{n},0.{n:03},benign" for n in range(100, 120)), Location("data/split|final.csv", 100)),
    ),
    advice="Split by patient, not by row.",
)
SEED = Finding(
    code="R205",
    title="Random numbers without a seed",
    severity=Severity.NOTE,
    confidence=Confidence.LOW,
    message="`np.random.shuffle` is called and no seed is set before it",
    location=Location("notebooks/Model *final*.ipynb", 3, 1, cell=7),
    evidence=(note("Two runs will give two results."),),
)
SILENCED = Suppressed(
    Finding(
        code="S104",
        title="Score outside its range",
        severity=Severity.ERROR,
        confidence=Confidence.PROVEN,
        message="acc = 9.5 is not between 0 and 1",
        location=Location("study.toml", 18, 1),
        evidence=(quote("acc = 9.5", Location("study.toml", 18, 1)),),
    ),
    "misprint, corrected in the erratum of 2021",
)

EXAMPLE = Report(
    title="Audit of “Deep tumour grading” (Doe et al., 2021)",
    question="Can the result be true, was it fairly measured, and could somebody else obtain it again?",
    judgements=(INCONSISTENT, CONSISTENT, UNDECIDED),
    findings=(SEED, DUPLICATES, LEAK, IMPOSSIBLE),
    tables=(
        Table(
            "Scores as reported, and the nearest that are possible",
            ("row", "score", "reported", "next below", "next above", "possible"),
            (
                ("Ours", "sensitivity", 0.853, 0.85, 0.9, False),
                ("Baseline", "sensitivity", 0.85, 0.85, 0.85, True),
                ("Baseline", "specificity", 0.93, 0.93, 0.93, True),
            ),
        ),
    ),
    figures=(FIGURE,),
    suppressed=(SILENCED,),
    left_out=("src/legacy.py: does not parse (Python 2, line 3)", "weights.bin: larger than 64 MB"),
    command="assay audit --paper paper.pdf --repo . --scores study.toml",
)
CLEAN = Report(title="Scores of study.toml", question="Can these numbers be true?")


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for kind in Format:
        write(encoded(EXAMPLE, kind), folder / f"example.{kind.value}", force=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
