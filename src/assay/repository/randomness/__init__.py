"""Is the randomness of every run under control? Seeds and draws, per framework and per entry point."""

from assay.repository.randomness.facts import (
    Coverage,
    Draw,
    Entry,
    EntryPoint,
    Flag,
    Framework,
    Loader,
    RandomnessFacts,
    Reason,
    Seed,
    State,
    Uses,
)
from assay.repository.randomness.reader import read_randomness
from assay.repository.randomness.verdict import Seeding, evaluates, judge_seeding

__all__ = [
    "Coverage", "Draw", "Entry", "EntryPoint", "Flag", "Framework", "Loader", "RandomnessFacts", "Reason",
    "Seed", "Seeding", "State", "Uses", "evaluates", "judge_seeding", "read_randomness",
]  # fmt: skip
