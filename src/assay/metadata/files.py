"""Any metadata file, by its name or its content; and those that a folder holds."""

from __future__ import annotations

from pathlib import Path

from assay.errors import InputError
from assay.files import is_there, read_text
from assay.metadata.citation import read_citation
from assay.metadata.description import Description
from assay.metadata.linked import read_linked
from assay.metadata.model_card import read_model_card

_LARGEST = 16 * 1024 * 1024
KNOWN = ("CITATION.cff", "codemeta.json", "ro-crate-metadata.json", "croissant.json", "README.md")
"""What a folder may hold, in the order of trust: the first that says a thing is believed."""


def read_metadata(path: Path) -> Description:
    """What one file says."""
    return metadata_of(read_text(path, _LARGEST), str(path))


def metadata_of(text: str, path: str) -> Description:
    """The same from its text."""
    suffix = Path(path).suffix.lower()
    if suffix in {".cff", ".yaml", ".yml"}:
        return read_citation(text, path)
    if suffix in {".json", ".jsonld"}:
        return read_linked(text, path)
    if suffix in {".md", ".markdown"}:
        return read_model_card(text, path)
    fix = f"Known are {', '.join(KNOWN)} (a model card, with front matter)."
    raise InputError("is no metadata file by its name", where=path, fix=fix)


def metadata_in(path: Path) -> list[Description]:
    """What a file says, or the metadata files of a folder; a README without front matter is none."""
    if not is_there(path) or not path.is_dir():
        return [read_metadata(path)]
    found = [path / name for name in KNOWN if (path / name).is_file()]
    told = [
        read_metadata(file) for file in found if file.suffix != ".md" or read_text(file, _LARGEST).startswith("---")
    ]
    if not told:
        raise InputError("holds no metadata file", where=str(path), fix=f"Looked for {', '.join(KNOWN)}.")
    return told
