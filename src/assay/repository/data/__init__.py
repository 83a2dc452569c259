"""Can somebody get the data? What code reads, fetches and names, what lies in the repository, how it is split."""

from assay.repository.data.facts import (
    Availability,
    DataFacts,
    DataFile,
    DataLink,
    DataRead,
    Download,
    ForeignPath,
    Instruction,
    LinkKind,
    Mention,
    Pointer,
    Preparation,
    PreparationKind,
    Remote,
    Route,
    Split,
    SplitKind,
    Storage,
    Way,
)
from assay.repository.data.reader import read_data

__all__ = [
    "Availability", "DataFacts", "DataFile", "DataLink", "DataRead", "Download", "ForeignPath", "Instruction",
    "LinkKind", "Mention", "Pointer", "Preparation", "PreparationKind", "Remote", "Route", "Split", "SplitKind",
    "Storage", "Way", "read_data",
]  # fmt: skip
