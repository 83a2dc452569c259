"""What the front files of a project say about itself: who made it, which version it is, where its parts are.

Only what is written there is quoted: authors of a BibTeX entry or a CITATION.cff, links of the README, file names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from assay.checklists.template import Proposal
from assay.errors import InputError
from assay.files import read_text
from assay.metadata.files import read_metadata
from assay.patterns import regex

_MOST = 512 * 1024
_READMES = ("README.md", "README.rst", "README.txt", "README")
_ENVIRONMENTS = (
    *("requirements.txt", "environment.yml", "environment.yaml", "pyproject.toml", "setup.py", "Pipfile"),
    *("poetry.lock", "Dockerfile", "conda.yml", "uv.lock", "renv.lock"),
)
_AUTHORS = regex(r"\bauthor\s*=\s*\{((?:[^{}]|\{[^{}]{0,40}\}){3,1000})\}", re.IGNORECASE)
_ACCENT = regex(r"\\[^a-zA-Z\s]|[{}]")
"""How TeX writes an accent; the letter behind it is enough to know the person."""
_PAPER = regex(r"https?://(?:arxiv\.org/abs/[\d.]+|(?:dx\.)?doi\.org/10\.[^\s)\]}>\"']+)")
_DATA = regex(
    r"https?://[^\s)\]}>\"']*(?:zenodo|figshare|kaggle\.com|physionet|dataverse|osf\.io|archive\.ics\.uci|openml\.org"
    r"|huggingface\.co/datasets|drive\.google|dropbox|mimic\.|\.zip\b|\.tar\b|\.tgz\b)[^\s)\]}>\"']*",
    re.IGNORECASE,
)
"""Links that lead to data: archives, and hosts of data sets."""
_VERSION = regex(r"^\s*version\s*=\s*[\"']([^\"']{1,40})[\"']", re.MULTILINE)
_VERSIONED = ("CITATION.cff", "pyproject.toml", "setup.py")
_SHOWN = 4


def proposals_of(folder: Path) -> dict[str, Proposal]:
    """Answers about the study itself, as far as the folder gives them."""
    if not folder.is_dir():
        return {}
    return {
        item: found for item, found in (("A1", _who(folder)), ("A2", _version(folder)), ("A3", _where(folder))) if found
    }


def _who(folder: Path) -> Proposal | None:
    if people := _cited(folder / "CITATION.cff"):
        return Proposal(f"Authors: {', '.join(people)}", "CITATION.cff", "assay")
    for path, text in _readmes(folder):
        if found := _AUTHORS.search(text):
            people = [" ".join(_ACCENT.sub("", name).split()) for name in re.split(r"\s+and\s+", found[1])]
            return Proposal(f"Authors: {'; '.join(people)}", f"{path.name}, BibTeX entry", "assay")
    return None


def _cited(path: Path) -> list[str]:
    try:
        return [person.name for person in read_metadata(path).authors] if path.is_file() else []
    except InputError:
        return []


def _version(folder: Path) -> Proposal:
    for name in _VERSIONED:
        path = folder / name
        text = _text(path).replace(": ", " = ") if name == "CITATION.cff" else _text(path)
        if found := _VERSION.search(text):
            return Proposal(f"Sheet version 1; code version {found[1]}", name, "assay")
    files = ", ".join(_VERSIONED)
    return Proposal("Sheet version 1; no version of the code is stated", f"{files}: none states one", "assay")


def _where(folder: Path) -> Proposal | None:
    environments = [name for name in _ENVIRONMENTS if (folder / name).is_file()]
    data: list[str] = []
    papers: list[str] = []
    for _, text in _readmes(folder):
        data += [found[0].rstrip(".,") for found in _DATA.finditer(text)]
        papers += [link for found in _PAPER.finditer(text) if (link := found[0].rstrip(".,")) not in data]
    parts = (("Data", data), ("environment", environments), ("paper", papers))
    told = [f"{what}: {', '.join(list(dict.fromkeys(found))[:_SHOWN])}" for what, found in parts if found]
    return Proposal("; ".join(told), "README and file names", "assay") if data or environments else None


def _readmes(folder: Path) -> Iterator[tuple[Path, str]]:
    for name in _READMES:
        if text := _text(folder / name):
            yield folder / name, text


def _text(path: Path) -> str:
    try:
        return read_text(path, _MOST) if path.is_file() else ""
    except InputError:
        return ""
