"""Ways of turning facts into factor scores, one module or package each."""

from __future__ import annotations

from enum import StrEnum


class Profile(StrEnum):
    """The profiles; the value is what users write."""

    DEFAULT = "default"
    """Evidence of every kind, no reward for length."""
    LOOS2022 = "loos2022"
    """The formulas, weights and thresholds of Loos (2022), for comparison with its numbers."""
