"""Watching scikit-learn at run time, for what is fitted on rows that a model is later tested on.

::

    with assay.leakage.watch() as watched:
        …  # fit, transform, predict, score
    watched.report()

The static analysis (`assay leakage code`) reads what a program says; this sees what its rows do. Nothing is imported
before a watch begins, so the pytest plug-in costs those nothing who do not ask for it.
"""

from __future__ import annotations

import sys
import warnings
from types import TracebackType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assay.findings import Report
    from assay.leakage.watching.journal import Journal
    from assay.leakage.watching.wrapper import WatchedEstimator


_OWN_TRAINING = ("catboost", "lightgbm", "tensorflow", "torch", "xgboost")
"""Packages whose models can be trained without an estimator of scikit-learn."""


class LeakageWarning(UserWarning):
    """A leak that was seen while a program ran."""


class Watch:
    """A watch over scikit-learn: what it saw, as a report."""

    def __init__(self, policy: str, *, warn: bool = True) -> None:
        from assay.leakage.code.policies.policy import load_policy
        from assay.leakage.watching.journal import Journal

        self.journal: Journal = Journal()
        self._policy, self._warn = load_policy(policy), warn

    def __enter__(self) -> Watch:
        from assay.leakage.watching.patching import begin

        begin(self.journal)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        from assay.leakage.watching.patching import end

        end(self.journal)
        if self.journal.made and not self.journal.evaluations:
            loaded = [name for name in _OWN_TRAINING if name in sys.modules]
            where = (
                f"; {', '.join(loaded)} may have been trained outside of scikit-learn's estimators" if loaded else ""
            )
            self.journal.missed(f"rows were transformed, and no model was tested under the watch{where}")
        if self._warn and kind is None:
            for finding in self.report().findings:
                warnings.warn(f"{finding.code} {finding.message} ({finding.location})", LeakageWarning, stacklevel=2)

    def report(self) -> Report:
        """What has been seen so far."""
        from assay.leakage.watching.reporting import report_of

        return report_of(self.journal, self._policy)

    def __repr__(self) -> str:
        seen = self.journal
        return f"<Watch: {seen.fits} fits, {len(seen.evaluations)} evaluations, {len(self.report().findings)} findings>"

    def _repr_html_(self) -> str:
        """How notebooks show it."""
        return self.report()._repr_html_()


def watch(*, policy: str = "kapoor", warn: bool = True) -> Watch:
    """Watch what scikit-learn's estimators are fitted on and asked about, as a context manager.

    `policy` says what counts and how grave it is, as for `assay leakage code`: a name or a TOML file.
    On leaving, every leak is a `LeakageWarning`, unless `warn` is false; `report()` has the evidence. Inside, calls
    of `fit`, `transform`, `predict`, `score` and their like leave one 64-bit key per row; small tables are
    copied and get their keys when the report is made.
    """
    return Watch(policy, warn=warn)


def watched(estimator: object) -> WatchedEstimator:
    """One estimator under watch, without a context: `.leakage()` tells what it and its clones saw."""
    from assay.leakage.watching.wrapper import WatchedEstimator

    return WatchedEstimator(estimator)
