"""The instrument of the cross-checks, and what its rules share."""

from __future__ import annotations

from collections.abc import Sequence

from assay.audit.facts import Claim, Crossing, Division, Topic
from assay.findings import Evidence, quote
from assay.rules import Instrument, Source

KAPOOR = Source(
    "Kapoor & Narayanan, Leakage and the reproducibility crisis in machine-learning-based science, Patterns 2023"
)
FAZEKAS = Source("Fazekas & Kovács, Testing the consistency of performance scores reported for binary classification")
LOOS = Source("Loos, Estimating the reproducibility of machine learning repositories, 2022", "section 4.6")
CAPPELEN = Source("Cappelen & Mølnå, Performing reproductions to understand the state of reproducibility, 2018")
PINEAU = Source("Pineau et al., Improving reproducibility in machine learning research, JMLR 22, 2021")
ASSUMED = "This assumes that both describe the same experiment. Ask the authors if that is unclear."


def _read_example(text: str) -> Crossing:
    from assay.audit.examples import crossing_of

    return crossing_of(text)


crossing = Instrument("audit", "Do paper, code, data and checklist agree?", _read_example)


def claims_about(facts: Crossing, topic: Topic) -> list[Claim]:
    """The claims about one topic, in the order of the material."""
    return [claim for claim in facts.claims if claim.topic is topic]


def quoted(divisions: Sequence[Division]) -> list[Evidence]:
    """The first few places where rows are divided, as evidence."""
    return [quote(d.text, d.location) for d in divisions[:3]]


def listed(values: Sequence[float]) -> str:
    """Numbers for a sentence."""
    return ", ".join(f"{value:g}" for value in values)
