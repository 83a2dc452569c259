"""Python scripts and notebooks parsed once, R and Julia as text; what they import and call, and where."""

from assay.repository.code.magics import Magic
from assay.repository.code.notebook import Cell, Notebook
from assay.repository.code.reading import Code, read_code
from assay.repository.code.scanning import Call, Import
from assay.repository.code.source import Language, Source, calls

__all__ = ["Call", "Cell", "Code", "Import", "Language", "Magic", "Notebook", "Source", "calls", "read_code"]
