"""The rules of the repository room: each module holds those of one concern, and importing this registers all."""

from assay.repository.rules import (
    claims,
    commands,
    data,
    determinism,
    documentation,
    environment,
    hardware,
    infrastructure,
    licence,
    models,
    notebooks,
    pins,
    practice,
    randomness,
    readme,
)
from assay.repository.rules.instrument import applies_if, files_of, loos, read_example, repository

__all__ = [
    "applies_if", "claims", "commands", "data", "determinism", "documentation", "environment", "files_of", "hardware",
    "infrastructure", "licence", "loos", "models", "notebooks", "pins", "practice", "randomness", "read_example",
    "readme", "repository",
]  # fmt: skip
