"""The reproduction room's question, and what its rules share."""

from __future__ import annotations

from assay.reproduction.study import Paper, Study
from assay.rules import Instrument

THESIS = (
    "Cappelen & Mølnå, Performing reproductions to understand the state of reproducibility in current AI research, "
    "master thesis, NTNU, 2018"
)


def _read_example(text: str) -> Study:
    from assay.reproduction.folder import study_from_toml

    return study_from_toml(text)


reproduction = Instrument("reproduction", "What happened when somebody tried?", _read_example, "toml")


def subject(paper: Paper) -> str:
    """How findings name a paper."""
    return f"paper {paper.id}"
