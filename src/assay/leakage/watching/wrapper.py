"""One estimator under watch: for those who want no more than that."""

from __future__ import annotations

from functools import partial
from typing import Any

from sklearn.base import BaseEstimator, MetaEstimatorMixin

from assay.findings import Report
from assay.leakage.watching.journal import Journal
from assay.leakage.watching.observing import WATCHED, first_argument, observe


class WatchedEstimator(MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc] # scikit-learn has no types
    """Does what its estimator does, and remembers the keys of the rows; clones share the memory."""

    def __init__(self, estimator: Any, journal: Journal | None = None) -> None:
        self.estimator = estimator
        self.journal = Journal() if journal is None else journal

    def leakage(self) -> Report:
        """What the estimator and its clones saw."""
        from assay.leakage.code.policies.policy import load_policy
        from assay.leakage.watching.reporting import report_of

        return report_of(self.journal, load_policy())

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name in {"estimator", "journal"}:
            raise AttributeError(name)
        found = getattr(self.estimator, name)
        if name not in WATCHED:
            return found

        def call(*args: Any, **kwargs: Any) -> Any:
            made = partial(found, *args, **kwargs)
            result = observe([self.journal], self.estimator, name, made, first_argument(args, kwargs))
            return self if result is self.estimator else result

        return call

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import get_tags

        return get_tags(self.estimator)

    def __sklearn_is_fitted__(self) -> bool:
        from sklearn.exceptions import NotFittedError
        from sklearn.utils.validation import check_is_fitted

        try:
            check_is_fitted(self.estimator)
        except NotFittedError:
            return False
        return True
