"""The default profile: the ten factors that a program can judge (Loos 2022, chapter 5), from evidence of every kind.

Nothing is gained by a long README, many links or many files. What cannot be judged has no score.
"""

from assay.repository.profiles.default.scores import factors_of
from assay.repository.profiles.default.table import FACTORS, QUESTIONS, THRESHOLDS, Factor, Part, Question

__all__ = ["FACTORS", "QUESTIONS", "THRESHOLDS", "Factor", "Part", "Question", "factors_of"]
