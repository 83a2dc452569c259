"""Links of a README: what they lead to, and whether what they name in the repository is there."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator
from difflib import get_close_matches
from enum import StrEnum
from urllib.parse import unquote

from assay.findings import Location
from assay.patterns import regex
from assay.records import dataclass
from assay.repository.readme.choice import READERS, read_document
from assay.repository.readme.document import Document, Hyperlink, Style
from assay.repository.readme.hosts import LinkKind, kind_of_address
from assay.repository.vocabulary import vocabulary
from assay.tree import Tree
from assay.tree.files import suffix_of

_SCHEME = regex(r"[A-Za-z][A-Za-z0-9+.-]{1,20}:")
_NOT_IN_SLUG = regex(r"[^\w\- ]")
_PLACEHOLDER = regex(r"[<>{}$]|\.\.\.|^(?:link|url|todo|xxx+|path/to/.*|your[-_].*|here|tbd|https?)$", re.IGNORECASE)
_SITE = regex(r"^(?:\.\./)+(?:issues|releases|wiki|tree|blob|pulls?|actions|discussions|raw|graphs)\b")
_WORDS = vocabulary("assay.repository.readme", "phrases.toml")
_LINE_ANCHOR = _WORDS.pattern("line_anchor")
MOST_LINKS = 5000
_MOST_OPENED = 20
_MOST_SUGGESTED = 50
_MOST_COMPARED = 500


class Status(StrEnum):
    """Whether a link leads somewhere."""

    OK = "ok"
    BROKEN = "broken"
    UNKNOWN = "unknown"
    """It was not, or cannot be, checked."""


@dataclass(frozen=True, slots=True)
class Link:
    """A link or an image of the README. `nearest` is what exists and is called alike."""

    target: str
    text: str
    kind: LinkKind
    location: Location
    status: Status
    image: bool = False
    nearest: str = ""
    missing_anchor: bool = False
    """What is missing is only the place in the document, not the document."""

    @property
    def remote(self) -> bool:
        """Whether it leads to the network."""
        return self.kind not in {LinkKind.LOCAL, LinkKind.ANCHOR, LinkKind.MAIL}


def read_links(document: Document, tree: Tree) -> tuple[Link, ...]:
    """Every link with what is known about it without the network."""
    checker = _Checker(document, tree)
    return tuple(checker.link(found) for found in document.links[:MOST_LINKS])


def slugs(document: Document) -> frozenset[str]:
    """The anchors of a document: its headings by GitHub's rule, numbered if they repeat, and those it names."""
    found: set[str] = set()
    counts: dict[str, int] = {}
    for heading in document.headings:
        if heading.style is Style.MARKED:
            slug = slug_of(heading.text)
            count = counts.get(slug, 0)
            counts[slug] = count + 1
            found.add(f"{slug}-{count}" if count else slug)
    return frozenset(found | set(document.anchors))


def slug_of(heading: str) -> str:
    """GitHub's anchor of a heading: lower case, punctuation and symbols left out, a hyphen for every space."""
    return _NOT_IN_SLUG.sub("", heading.strip().lower()).replace(" ", "-")


class _Checker:
    def __init__(self, document: Document, tree: Tree) -> None:
        self.document, self.tree = document, tree
        self.folder = posixpath.dirname(document.path)
        self.anchors: dict[str, frozenset[str]] = {document.path: slugs(document)}
        self.loose: dict[str, frozenset[str]] = {}
        self.suggestions = _MOST_SUGGESTED

    def link(self, found: Hyperlink) -> Link:
        target = found.target
        place = Location(self.document.path, found.line)

        def made(kind: LinkKind, status: Status = Status.UNKNOWN, nearest: str = "", *, anchor: bool = False) -> Link:
            return Link(target, found.text, kind, place, status, found.image, nearest, anchor)

        if target.startswith("#"):
            return self._anchor(self.document.path, target[1:], made, LinkKind.ANCHOR)
        if target.startswith(("mailto:", "tel:")) or re.fullmatch(r"[\w.+-]{1,64}@[\w-]{1,63}\.[\w.]{2,63}", target):
            return made(LinkKind.MAIL)
        if target.startswith("//") or re.match(r"https?:|ftp:", target, re.IGNORECASE):
            return made(kind_of_address(target, found.text, image=found.image))
        if _SCHEME.match(target) or target.startswith("www."):
            return made(LinkKind.OTHER)
        return self._local(target, made)

    def _local(self, target: str, made: Callable[..., Link]) -> Link:
        path, _, anchor = target.partition("#")
        path = unquote(path.partition("?")[0]).strip("\"' ")
        if (
            "://" in path
            or _PLACEHOLDER.search(path)
            or _SITE.match(path)
            or re.match(r"[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|io|edu|ai|cn)(?:/|$)", path)
        ):
            return made(LinkKind.OTHER)
        candidates = list(self._candidates(path))
        if not candidates:
            return made(LinkKind.OTHER)
        here = next((c for c in candidates if self.tree.exists(c)), None)
        if here is None:
            hidden = any(self._hidden(c) for c in candidates)
            return made(
                LinkKind.LOCAL, *((Status.UNKNOWN,) if hidden else (Status.BROKEN, self._nearest(candidates[0])))
            )
        if anchor and suffix_of(here) in READERS and self.tree.get(here):
            return self._anchor(self.tree.get(here).path, anchor, made, LinkKind.LOCAL)  # type: ignore[union-attr]
        return made(LinkKind.LOCAL, Status.OK)

    def _candidates(self, path: str) -> Iterator[str]:
        """The paths in the tree that a written one may mean; none if it leads out of it."""
        bare = path.lstrip("/")
        joined = posixpath.normpath(posixpath.join("" if path.startswith("/") else self.folder, bare))
        if not joined.startswith(".."):
            yield "" if joined == "." else joined

    def _hidden(self, path: str) -> bool:
        """Whether something may be there that was not listed: a submodule, an ignored folder, a tree cut short."""
        cut = any("files were looked at" in note for note in self.tree.notes)
        return cut or self.tree.hides(path)

    def _nearest(self, path: str) -> str:
        self.suggestions -= 1
        return nearest_path(path, self.tree) if self.suggestions >= 0 else ""

    def _anchor(self, path: str, written: str, made: Callable[..., Link], kind: LinkKind) -> Link:
        wanted = unquote(written).strip()
        if _LINE_ANCHOR.fullmatch(wanted) or suffix_of(path) in {".rst", ".html", ".htm", ".org"}:
            return made(kind, Status.OK if kind is LinkKind.LOCAL else Status.UNKNOWN)
        known = self._anchors_of(path)
        if known is None:
            return made(kind, Status.UNKNOWN)
        if path not in self.loose:
            self.loose[path] = frozenset(map(_loose, known))
        if _loose(wanted) in self.loose[path]:
            return made(kind, Status.OK)
        return made(kind, Status.BROKEN, self._nearest_anchor(wanted, known), anchor=True)

    def _nearest_anchor(self, wanted: str, known: frozenset[str]) -> str:
        if self.suggestions <= 0:
            return ""
        self.suggestions -= 1
        near = get_close_matches(wanted.lower(), sorted(known)[:_MOST_COMPARED], n=1, cutoff=0.6)
        return f"#{near[0]}" if near else ""

    def _anchors_of(self, path: str) -> frozenset[str] | None:
        if path not in self.anchors:
            file = self.tree.get(path)
            if file is None or len(self.anchors) > _MOST_OPENED:
                return None
            self.anchors[path] = slugs(read_document(file))
        return None if path == self.document.path and self.document.cut else self.anchors[path]


def _loose(anchor: str) -> str:
    """What two spellings of an anchor share: case, emoji and doubled hyphens are dealt with in many ways."""
    plain = anchor.lower().removeprefix("user-content-")
    return re.sub(r"-+", "-", re.sub(r"[^\w-]", "", plain)).strip("-")


def nearest_path(path: str, tree: Tree) -> str:
    """The file or folder whose path is most like this one; a file of the same name in another folder first."""
    name = posixpath.basename(path)
    same = tree.by_name(name)
    if same:
        return min(same, key=lambda f: (f.vendored, f.path.count("/"), f.path)).path
    beside = [f.path for f in tree.directly_in(posixpath.dirname(path))[:500]]
    near = get_close_matches(path, beside, n=1, cutoff=0.75)
    if near:
        return near[0]
    stem, suffix = posixpath.splitext(name)
    alike = {f.name: f.path for f in tree.by_suffix(suffix.lower())[:2000] if not f.vendored} if suffix else {}
    close = get_close_matches(name, alike, n=1, cutoff=0.7) if len(stem) > 3 else []
    return alike[close[0]] if close else ""
