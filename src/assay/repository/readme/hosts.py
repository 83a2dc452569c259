"""What a remote link leads to, told by its address alone."""

from __future__ import annotations

import re
from enum import StrEnum
from urllib.parse import urlsplit

from assay.patterns import regex
from assay.repository.vocabulary import vocabulary


class LinkKind(StrEnum):
    """What is behind a link."""

    PAPER = "paper"
    DATA = "data"
    WEIGHTS = "weights"
    FILES = "files"
    """A store of files of any kind, data or weights."""
    NOTEBOOK = "notebook service"
    """Colab, Binder and their like: the code runs in the browser."""
    DOCUMENTATION = "documentation"
    CODE = "code"
    BADGE = "badge"
    LOCAL = "local"
    ANCHOR = "anchor"
    MAIL = "mail"
    OTHER = "other"


_KINDS = (
    LinkKind.NOTEBOOK, LinkKind.PAPER, LinkKind.DATA, LinkKind.FILES, LinkKind.WEIGHTS, LinkKind.BADGE,
    LinkKind.DOCUMENTATION, LinkKind.CODE,
)  # fmt: skip
_WORDS = vocabulary("assay.repository.readme", "hosts.toml")
_HOSTS = {host: kind for kind in _KINDS for host in _WORDS.listed(kind.name.lower())}
_OPEN = frozenset({LinkKind.WEIGHTS, LinkKind.FILES, LinkKind.OTHER})
"""Hosts of these kinds have other things too: the path decides."""
_DATASET_ADDRESS = regex(r"/datasets?/|dataset", re.IGNORECASE)
_WEIGHTS_FILE = regex(
    r"\.(?:pth?|ckpt|h5|hdf5|pkl|safetensors|onnx|npz|pb|caffemodel|bin|gguf|pdparams)\b", re.IGNORECASE
)


def kind_of_address(url: str, text: str, *, image: bool) -> LinkKind:
    """The kind of a remote link, by its host, its path, and the words it is set under."""
    try:
        parts = urlsplit(url)
        host = (parts.hostname or "").removeprefix("www.")
    except ValueError:
        return LinkKind.OTHER
    found, path = _kind_of_host(host), f"{parts.path}?{parts.query}"
    if image and found is not LinkKind.NOTEBOOK:
        return LinkKind.BADGE if found is LinkKind.BADGE or "badge" in path else LinkKind.OTHER
    told = _kind_by_path(found, host, path, text)
    return found if told is None else told


def _kind_by_path(found: LinkKind, host: str, path: str, text: str) -> LinkKind | None:
    """What the path of an address says beyond its host; the first row that holds."""
    other, weights = found is LinkKind.OTHER, found is LinkKind.WEIGHTS
    rows = (
        (host == "huggingface.co" and path.startswith("/papers/"), LinkKind.PAPER),
        (found in _OPEN and _DATASET_ADDRESS.search(f"{path} {text}"), LinkKind.DATA),
        (found in _OPEN | {LinkKind.CODE} and _WEIGHTS_FILE.search(path), LinkKind.WEIGHTS),
        (other and path.lower().rstrip("?").endswith(".pdf"), LinkKind.PAPER),
        (other and host.startswith("docs."), LinkKind.DOCUMENTATION),
        (weights and path.startswith("/spaces/"), LinkKind.NOTEBOOK),
    )
    return next((kind for holds, kind in rows if holds), None)


def _kind_of_host(host: str) -> LinkKind:
    while host:
        if host in _HOSTS:
            return _HOSTS[host]
        host = host.partition(".")[2]
    return LinkKind.OTHER
