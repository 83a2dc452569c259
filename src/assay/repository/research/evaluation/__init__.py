"""The study of many repositories at once: how often artefacts are found, how factors score, which groups there are.

It is the evaluation of chapter 7 of Loos 2022, for any set of repositories.
"""

from assay.repository.research.evaluation.collection import Collection, collect
from assay.repository.research.evaluation.report import report_of
from assay.repository.research.evaluation.sheet import Sheet, read_sheet

__all__ = ["Collection", "Sheet", "collect", "read_sheet", "report_of"]
