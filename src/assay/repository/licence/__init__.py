"""Under which licence may somebody run this code? Texts are recognised by their wording, names by a table."""

from assay.repository.licence.facts import LicenceFacts, LicenceFile, is_open, read_licences, withholds
from assay.repository.licence.names import agree
from assay.repository.licence.statements import Statement, StatementKind

__all__ = [
    "LicenceFacts",
    "LicenceFile",
    "Statement",
    "StatementKind",
    "agree",
    "is_open",
    "read_licences",
    "withholds",
]
