"""Python scripts and notebooks, parsed once; R and Julia as text. What they import and call, and where."""

from assay.code.loader import Code, read_code
from assay.code.magics import Magic
from assay.code.notebook import Cell, Notebook
from assay.code.scanning import Import
from assay.code.source import Call, Language, Source, calls

__all__ = ["Call", "Cell", "Code", "Import", "Language", "Magic", "Notebook", "Source", "calls", "read_code"]
