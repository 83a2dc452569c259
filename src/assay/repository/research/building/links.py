"""Binder links in READMEs: whether they are well formed, name a state that stays, and open a file that exists."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import parse_qs, unquote, urlsplit

from assay.findings import Location
from assay.patterns import regex
from assay.records import dataclass
from assay.repository.readme import readme_files
from assay.tree import Tree

_LINK = regex(r"https?://[\w.:-]{1,200}(?:/[\w.~-]{1,60}){0,3}/v2/[^\s<>()\[\]\"'`]{1,1000}")
_PARTS = {"gh": 3, "gl": 2, "gist": 2, "git": 2, "zenodo": 1, "figshare": 1, "hydroshare": 1, "dataverse": 1, "ckan": 1}
"""Providers, and how many parts their specification has at least (BinderHub's documentation)."""
_COMMIT = regex(r"[0-9a-f]{40}")
_MOVING = frozenset({"head", "master", "main", "develop", "dev"})
_MOST = 20


@dataclass(frozen=True, slots=True)
class BinderLink:
    """One link. `problem` says why it cannot work; `opens` is the file it would show."""

    url: str
    location: Location
    hub: str = ""
    spec: str = ""
    """Provider, repository and reference, as the BinderHub's API takes it."""
    ref: str = ""
    opens: str = ""
    problem: str = ""

    @property
    def moving(self) -> bool:
        """Whether it means another state of the code whenever somebody pushes, as far as its name tells."""
        return self.ref.lower() in _MOVING


def read_binder_links(tree: Tree) -> tuple[BinderLink, ...]:
    """Every link to a Binder of the authors' own READMEs, each once."""
    found: dict[str, BinderLink] = {}
    for link in _all(tree):
        found.setdefault(link.url, link)
    return tuple(found.values())[:_MOST]


def _all(tree: Tree) -> Iterator[BinderLink]:
    for file in readme_files(tree):
        text = file.text()
        for match in _LINK.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            yield _parsed(match[0].rstrip(".,;:!"), Location(file.path, line), tree)


def _parsed(url: str, place: Location, tree: Tree) -> BinderLink:
    try:
        parts = urlsplit(url)
        query = parse_qs(parts.query)
    except ValueError:
        return BinderLink(url, place, problem="is no address")
    before, _, after = parts.path.partition("/v2/")
    provider, _, rest = after.partition("/")
    pieces = [piece for piece in rest.split("/") if piece]
    hub = f"{parts.scheme}://{parts.netloc}{before}"
    if provider not in _PARTS:
        return BinderLink(url, place, hub, problem=f'names "{provider}", which is no provider that Binder knows')
    if len(pieces) < _PARTS[provider]:
        missing = "names no branch, tag or commit" if len(pieces) == _PARTS[provider] - 1 else "is cut short"
        return BinderLink(url, place, hub, f"{provider}/{rest}".strip("/"), problem=missing)
    opens = _opened(query)
    absent = bool(opens) and not tree.exists(opens)
    problem = f"opens {opens}, which is not in the repository" if absent else ""
    return BinderLink(url, place, hub, f"{provider}/{'/'.join(pieces)}", pieces[-1], opens, problem)


def _opened(query: dict[str, list[str]]) -> str:
    """The path that is shown: in itself, or as the end of an address inside Jupyter."""
    for key in ("labpath", "filepath"):
        if query.get(key):
            return unquote(query[key][0]).strip("/")
    shown = unquote(query.get("urlpath", [""])[0])
    inside = re.fullmatch(r"/?(?:lab/|)tree/(.+?)/?", shown)
    return inside[1] if inside else ""


def is_commit(ref: str) -> bool:
    """Whether the reference is a commit by its full hash."""
    return _COMMIT.fullmatch(ref) is not None
