"""What ``import assay`` offers: one function for each question, every answer of the same kind.

``assay.check_scores`` and the others below are loaded from here when they are first used.
"""

from assay.answers import Answer
from assay.audit.submission_audit import audit_submission as audit
from assay.interface.code import CodeAnswer, RepositoryAnswer, inspect_repository, scan_code
from assay.interface.papers import PaperAnswer, read_paper
from assay.interface.scores import LostDigitsWarning, ScoreAnswer, TableAnswer, check_scores, check_table
from assay.interface.tables import ComparisonAnswer, compare, scan_data

__all__ = [
    "Answer",
    "CodeAnswer",
    "ComparisonAnswer",
    "LostDigitsWarning",
    "PaperAnswer",
    "RepositoryAnswer",
    "ScoreAnswer",
    "TableAnswer",
    "audit",
    "check_scores",
    "check_table",
    "compare",
    "inspect_repository",
    "read_paper",
    "scan_code",
    "scan_data",
]
