"""Claims of the paper, the README and the checklist, compared with what the code and the data show."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from assay.audit.facts import Claim, Crossing, Division, Origin, Topic
from assay.audit.rules.instrument import ASSUMED, KAPOOR, LOOS, PINEAU, claims_about, crossing, listed, quoted
from assay.findings import Confidence, Evidence, Finding, Severity, note, quote
from assay.rules import Rule

_SPLIT = """==> paper.md <==
# Method

{}
==> train.py <==
from sklearn.model_selection import {}
"""
_PLAIN = "train_test_split\ntrain, test = train_test_split(images, test_size=0.2, random_state=1)"


@crossing.rule(
    "X206",
    title="Split not stratified as stated",
    severity=Severity.WARNING,
    failing=_SPLIT.format("The split was stratified by diagnosis.", _PLAIN),
    passing=_SPLIT.format("The split was stratified by diagnosis.", _PLAIN.replace("0.2", "0.2, stratify=labels")),
    source=KAPOOR,
    advice="Stratify the split as described, or describe the split that was made.",
    confidence=Confidence.MEDIUM,
)
def not_stratified(facts: Crossing) -> Iterator[Finding]:
    """Without stratification, the class shares of a small test set vary by chance, and so do its scores."""
    plain = [d for d in facts.divisions if d.stratified is False]
    if not facts.divisions or len(plain) < len(facts.divisions):
        return
    yield from _broken(
        not_stratified,
        claims_about(facts, Topic.STRATIFIED),
        "a stratified split",
        "no split in the code is stratified",
        plain,
    )


@crossing.rule(
    "X207",
    title="Split not grouped as stated",
    severity=Severity.ERROR,
    failing=_SPLIT.format("We used a patient-wise split of the images.", _PLAIN),
    passing=_SPLIT.format("We used a patient-wise split of the images.", "GroupKFold\nfolds = GroupKFold(n_splits=5)"),
    source=KAPOOR,
    advice="Split by the group that the text names (GroupKFold, GroupShuffleSplit), and report the new scores.",
    confidence=Confidence.MEDIUM,
)
def not_grouped(facts: Crossing) -> Iterator[Finding]:
    """Rows of one patient on both sides let a model recognise the patient instead of the disease."""
    claims = claims_about(facts, Topic.GROUPED)
    shared = [f for f in facts.findings if f.code == "L3.2"]
    plain = [d for d in facts.divisions if d.grouped is False]
    if claims and shared:
        claim = claims[0]
        yield not_grouped.finding(
            f"{claim.origin.value} describes a split by group, but {_inner(shared[0].message.partition(';')[0])}",
            location=claim.location,
            evidence=[quote(claim.text, claim.location), *_pointed(shared), note(ASSUMED)],
        )
    elif facts.divisions and len(plain) == len(facts.divisions):
        yield from _broken(not_grouped, claims, "a split by group", "no split in the code keeps groups together", plain)


_SEEDS = """==> paper.md <==
# Method

{}
==> train.py <==
import torch
model = torch.nn.Linear(3, 1)
optimiser = torch.optim.SGD(model.parameters(), lr=0.1)
model(torch.randn(8, 3)).sum().backward()
optimiser.step()
"""


@crossing.rule(
    "X208",
    title="Seeds not fixed as stated",
    severity=Severity.WARNING,
    failing=_SEEDS.format("All random seeds were fixed."),
    passing=_SEEDS.format("The weights are drawn anew in every run."),
    source=LOOS,
    advice="Set the seeds that the text promises, or correct the text.",
    confidence=Confidence.MEDIUM,
)
def not_seeded(facts: Crossing) -> Iterator[Finding]:
    """A reader who trusts the statement takes every difference in a new run for their own mistake.

    R904 checks the same statement in the README.
    """
    claims = [c for c in claims_about(facts, Topic.SEEDED) if c.origin is not Origin.README]
    yield from _refuted(not_seeded, claims, facts, ("R401", "R402", "R403", "R404"), "seeds are fixed")


_VERSIONS = """==> paper.md <==
# Code

The exact versions of all packages are in requirements.txt.
==> requirements.txt <==
numpy{}
==> train.py <==
import numpy
"""


@crossing.rule(
    "X209",
    title="Versions not pinned as stated",
    severity=Severity.WARNING,
    failing=_VERSIONS.format(""),
    passing=_VERSIONS.format("==2.1.0"),
    source=PINEAU,
    advice="Pin every package (pip freeze > requirements.txt, or a lock file), or correct the text.",
    confidence=Confidence.MEDIUM,
)
def not_pinned(facts: Crossing) -> Iterator[Finding]:
    """Unpinned packages change: what is installed next year is not what gave the result."""
    yield from _refuted(not_pinned, claims_about(facts, Topic.PINNED), facts, ("R301", "R304"), "versions are pinned")


_OFFERS = {
    Topic.CODE: (("R211", "R303"), "the code is available"),
    Topic.DATA: (("R501", "R503", "R505"), "the data are available"),
    Topic.MODEL: (("R601", "R602"), "the trained model is available"),
}
"""What is offered, and the findings that show that part of it is missing."""
_SHELF = """==> paper.md <==
# Code availability

The code of this study is available.
==> README.md <==
# Study

Run `python train.py`.
==> train.py <==
{}
print(1)
"""


@crossing.rule(
    "X210",
    title="Published code or data incomplete",
    severity=Severity.WARNING,
    failing=_SHELF.format("import numpy\nfrom lab_private_tools import loader"),
    passing=_SHELF.format("import numpy"),
    source=PINEAU,
    advice="Publish what is missing, or say why it cannot be shared.",
    confidence=Confidence.MEDIUM,
)
def not_available(facts: Crossing) -> Iterator[Finding]:
    """Code that is published only in part cannot be run.

    If a sentence gives the address of the data, it says where to get them, whatever the repository lacks.
    """
    for topic, (codes, offer) in _OFFERS.items():
        claims = [c for c in claims_about(facts, topic) if topic is Topic.CODE or not c.gives_address]
        yield from _refuted(not_available, claims, facts, codes, offer)


_SHEET = """==> paper.md <==
# Method

We used 5-fold cross-validation.
==> sheet.yaml <==
checklist: model-info-sheet
answers:
  B1: {answer: "10-fold cross-validation", evidence: "Section 3"}
"""


@crossing.rule(
    "X211",
    title="Checklist contradicts the paper",
    severity=Severity.WARNING,
    failing=_SHEET,
    passing=_SHEET.replace("10-fold", "5-fold"),
    source=KAPOOR,
    advice="Correct whichever is wrong.",
    confidence=Confidence.MEDIUM,
)
def checklist_off_the_paper(facts: Crossing) -> Iterator[Finding]:
    """A checklist that contradicts the paper describes another study, or an earlier version of this one."""
    for topic, thing in ((Topic.FOLDS, "folds"), (Topic.SHARE, "of the rows held out")):
        paper = _with_number(facts, topic, Origin.PAPER)
        stated = {c.value for c in paper}
        for answer in _with_number(facts, topic, Origin.CHECKLIST):
            if stated and answer.value not in stated:
                yield checklist_off_the_paper.finding(
                    f"the checklist says {float(answer.value or 0):g} {thing}, the paper "
                    f"{listed(sorted({float(c.value or 0) for c in paper}))}",
                    location=answer.location,
                    evidence=[quote(c.text, c.location) for c in (answer, *paper[:2])],
                )


def _with_number(facts: Crossing, topic: Topic, origin: Origin) -> list[Claim]:
    """The claims about a topic in one piece that give a number."""
    return [c for c in claims_about(facts, topic) if c.value is not None and c.origin is origin]


def _broken(
    rule: Rule[Crossing], claims: Sequence[Claim], promise: str, truth: str, divisions: Sequence[Division]
) -> Iterator[Finding]:
    """The first claim of each origin, compared with how the code divides rows."""
    for claim in {c.origin: c for c in reversed(claims)}.values():
        yield rule.finding(
            f"{claim.origin.value} describes {promise}, but {truth}",
            location=claim.location,
            evidence=[quote(claim.text, claim.location), *quoted(divisions), note(ASSUMED)],
        )


def _refuted(
    rule: Rule[Crossing], claims: Sequence[Claim], facts: Crossing, codes: Sequence[str], promise: str
) -> Iterator[Finding]:
    """The first claim of each origin, compared with what an instrument found."""
    against = [f for f in facts.findings if f.code in codes]
    if not against:
        return
    for claim in {c.origin: c for c in reversed(claims)}.values():
        more = f" ({len(against) - 1} more)" if len(against) > 1 else ""
        yield rule.finding(
            f"{claim.origin.value} says that {promise}, but {_inner(against[0].message)}{more}",
            location=claim.location,
            evidence=[quote(claim.text, claim.location), *_pointed(against), note(ASSUMED)],
        )


def _inner(message: str) -> str:
    """A message inside a sentence: without its full stop, and in lower case unless it begins with a name."""
    first = message.partition(" ")[0]
    plain = first[1:].islower() and first.isalpha()
    return (f"{message[0].lower()}{message[1:]}" if plain else message).rstrip(".")


def _pointed(findings: Sequence[Finding]) -> list[Evidence]:
    return [quote(f"{f.code}: {f.message}", f.location) if f.location else note(f.message) for f in findings[:3]]
