"""Cross-checks: what only the combination of paper, README, code, data and checklist can see.

Each is a heuristic about whether two pieces are about the same thing, and says so in its confidence; the arithmetic
behind it is exact.
"""

from assay.audit.rules import claims, numbers, paper
from assay.audit.rules.instrument import crossing

__all__ = ["claims", "crossing", "numbers", "paper"]
