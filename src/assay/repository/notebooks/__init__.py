"""Would a notebook run from top to bottom? What its cells and their numbers tell, without running it."""

from assay.repository.notebooks.runs import NotebookRun, read_notebooks
from assay.repository.notebooks.state import Dependence

__all__ = ["Dependence", "NotebookRun", "read_notebooks"]
