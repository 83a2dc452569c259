"""Is the randomness of every run under control? Seeds and draws, per framework and per entry point."""

from assay.repository.randomness.facts import (
    Coverage,
    Declared,
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
    UnusedSeed,
    Uses,
)
from assay.repository.randomness.reading import read_randomness

__all__ = [
    "Coverage", "Declared", "Draw", "Entry", "EntryPoint", "Flag", "Framework", "Loader", "RandomnessFacts", "Reason",
    "Seed", "State", "UnusedSeed", "Uses", "read_randomness",
]  # fmt: skip
