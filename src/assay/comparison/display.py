"""A comparison as notebooks show it: sentences as text, the whole report as HTML."""

from __future__ import annotations

from typing import Any

from assay.comparison.report import report_of
from assay.comparison.results import Comparison
from assay.comparison.sentences import sentences
from assay.findings import Report
from assay.records import dataclass


@dataclass(frozen=True, repr=False)
class DisplayedComparison(Comparison):
    """A comparison that prints itself."""

    def report(self, *, command: str = "", figures: bool = True) -> Report:
        """The report that every format is made from."""
        return report_of(self, command=command, figures=figures)

    def to_dict(self) -> dict[str, Any]:
        """The report as plain data, as the published JSON Schema describes."""
        return self.report(figures=False).to_dict()

    def __repr__(self) -> str:
        return "\n".join(sentences(self))

    def _repr_html_(self) -> str:
        return self.report()._repr_html_()


def displayed(found: Comparison) -> DisplayedComparison:
    """The same comparison, ready for a notebook."""
    return DisplayedComparison(
        found.source, found.settings, found.estimates, found.differences, found.needed, found.left_out
    )
