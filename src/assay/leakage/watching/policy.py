"""What counts as a leak at run time where people differ."""

from __future__ import annotations

from assay.records import dataclass


@dataclass(frozen=True, slots=True)
class Policy:
    """Steps that may be left out of the report."""

    encoders: bool = False
    """Categorical encoders fitted on all rows: what they learn is which categories exist."""
    scalers: bool = True
    """Unsupervised scalers fitted on all rows: the measured effect is next to nothing."""


DEFAULT_POLICY = Policy()
