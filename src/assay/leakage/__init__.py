"""The leakage room tells whether the test set leaked into training."""

from assay.leakage.watching import LeakageWarning, watch, watched

__all__ = ["LeakageWarning", "watch", "watched"]
