"""Links that lead to data, or to weights: by their hosts, and by the words around them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from enum import StrEnum
from functools import lru_cache
from itertools import islice
from urllib.parse import unquote

from assay.code import Code
from assay.findings import Confidence
from assay.patterns import regex
from assay.records import dataclass
from assay.repository.data.documents import Line, Page, read_pages
from assay.repository.data.facts import DataLink, LinkKind
from assay.repository.data.known import named_in
from assay.repository.vocabulary import vocabulary
from assay.tree import Tree

_URL = regex(r"(?:https?|ftp|s3|gs)://[^\s<>\"'`\])}\\|]{4,500}")
_MARKDOWN = regex(r"\[((?:[^\[\]\n]|!\[[^\]\n]{0,200}\]){0,200})\]\([ ]*<?((?:https?|ftp)://[^\s)>]{4,500})")
_REFERENCE = regex(r"[ ]{0,3}\[([^\]\n]{1,100})\]:[ \t]*<?((?:https?|ftp)://[^\s>]{4,500})")
_RST = regex(r"`([^`<\n]{1,200})<((?:https?|ftp)://[^\s>]{4,500})>`_")
_HTML = regex(
    r"<a\s[^>]{0,200}?href=[\"']((?:https?|ftp)://[^\"'\s]{4,500})[\"'][^>]{0,200}>(.{0,200}?)</a>", re.IGNORECASE
)
_OWN = regex(
    r"https?://(?:(?:www\.)?(?:github|gitlab)\.com/[^/]+/[^/]+/(?:-/)?(?:tree|blob|raw)|"
    r"raw\.githubusercontent\.com/[^/]+/[^/]+)/[^/]+/([^?#]+)"
)
_CODE = regex(r"https?://(?:www\.)?(?:github|gitlab|bitbucket)\.(?:com|org)/")
_KAGGLE = regex(r"\bkaggle (datasets|competitions) download (?:-[dc] ?)?([\w./-]{3,120})")
"""A command that names no address, but where the data are."""
_TAG = regex(r"<[^>]{0,200}>")
_MOST_LINKS = 2000
_WORDS = vocabulary("assay.repository.data", "links.toml")
_NO_DATA = tuple(map(_WORDS.pattern, ("software", "pictures", "documents", "class_names")))
_HOLDS = tuple(map(_WORDS.pattern, ("drives", "archives", "releases", "files")))
_WEIGHTS = tuple(map(_WORDS.pattern, ("weight_files", "embeddings")))


class Topic(StrEnum):
    """What a link is about."""

    DATA = "data"
    WEIGHTS = "weights"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Found:
    """A link with what is written on it and around it."""

    url: str
    label: str
    line: Line
    nearby: str = ""
    """The lines before and after, for a link in the middle of a paragraph."""


def read_links(tree: Tree, code: Code) -> list[Found]:
    """Every link of the repository's pages, each URL once a line."""
    return code.once(tree, _links)


def _links(tree: Tree, code: Code) -> list[Found]:
    return list(islice(_links_in(read_pages(tree, code)), _MOST_LINKS))


def _links_in(pages: Iterable[Page]) -> Iterator[Found]:
    lines = ((page, i, line) for page in pages for i, line in enumerate(page.lines))
    telling = ((page, i, line) for page, i, line in lines if "://" in line.text or "kaggle " in line.text)
    for page, i, line in telling:
        nearby = " ".join(other.text[:300] for other in page.lines[max(0, i - 1) : i + 2] if other is not line)
        labels: dict[str, str] = {}
        for url, label in _linked(line.text):
            labels.setdefault(url, label)
        yield from (Found(url, label, line, nearby) for url, label in labels.items())


def _linked(text: str) -> Iterator[tuple[str, str]]:
    for pattern, url, label in ((_MARKDOWN, 2, 1), (_REFERENCE, 2, 1), (_RST, 2, 1), (_HTML, 1, 2)):
        for match in pattern.finditer(text):
            yield match[url].rstrip(".,;:"), _TAG.sub("", match[label]).strip()
    for match in _URL.finditer(text):
        yield match[0].rstrip(".,;:*_"), ""
    for match in _KAGGLE.finditer(text):
        yield f"https://www.kaggle.com/{match[1]}/{match[2]}", ""


@lru_cache(maxsize=512)  # the readers of data and of models ask about the same links
def topic_of(url: str, label: str, around: str, heading: str, *, fetched: bool = False) -> Topic:
    """Data, weights or something else, by the file's name, then the label, the words nearby, and the heading.

    What is `fetched` into a file is one, whatever its address looks like.
    """
    decided = _topic_by_address(url, label, around)
    if decided is not None:
        return decided
    known, holds = _is_known(url), fetched or any(pattern.search(url) for pattern in _HOLDS)
    if not (holds or known) and _leads_to_code(url, label, around):
        return Topic.OTHER
    for place, (words, enough) in enumerate(_words_by_rank(url, label, around, heading)):
        topic = _topic_of_words(words) if enough or holds or known else None
        if topic is Topic.DATA or (topic is Topic.WEIGHTS and not (known and place)):
            return topic
    named = named_in(label) or (holds and named_in(f"{_tail(url)} {around}".replace("_", " ")))
    stored = (known or _WORDS.finds("archives", url)) and not _is_code(url)
    return Topic.DATA if named or stored else Topic.OTHER


def _words_by_rank(url: str, label: str, around: str, heading: str) -> tuple[tuple[str, bool], ...]:
    """The words about a link, the nearest first, and whether they suffice for an address of any kind."""
    getting = _WORDS.finds("getting", around) or bool(named_in(label))
    getting = getting or (_is_code(url) and _WORDS.finds("getting_data", around))
    pointed = _WORDS.finds("getting", heading) and _WORDS.pattern("points").fullmatch(label) is not None
    return (label, True), (_tail(url), False), (around, getting), (heading, pointed)


def _topic_by_address(url: str, label: str, around: str) -> Topic | None:
    """What an address alone decides."""
    if any(pattern.search(url) for pattern in _NO_DATA):
        return Topic.OTHER
    model = _WORDS.finds("model_names", _tail(url)) and _topic_of_words(around) is Topic.WEIGHTS
    if model or any(pattern.search(url) for pattern in _WEIGHTS):
        return Topic.WEIGHTS
    if _WORDS.finds("hub_models", url):
        return Topic.DATA if _WORDS.finds("data_words", label) else Topic.WEIGHTS
    stored = _WORDS.finds("archives", url) or _is_known(url)
    return Topic.OTHER if not stored and (_WORDS.finds("papers", url) or _is_furniture(url)) else None


def kind_of(url: str) -> LinkKind:
    """What sort of host it is."""
    kinds = (("drives", LinkKind.DRIVE), ("archives", LinkKind.ARCHIVE), ("hubs", LinkKind.HUB))
    return next((kind for row, kind in kinds if _WORDS.finds(row, url)), LinkKind.SITE)


def data_links(found: Iterable[Found]) -> Iterator[DataLink]:
    """Those links that lead to data."""
    for link in found:
        line = link.line
        if topic_of(link.url, link.label, words_around(link), line.heading) is Topic.DATA:
            kind = kind_of(link.url)
            sure = kind in {LinkKind.ARCHIVE, LinkKind.HUB} or _WORDS.finds("data_sites", link.url)
            confidence = Confidence.HIGH if sure else Confidence.MEDIUM
            yield DataLink(link.url, kind, link.label, line.location, confidence, _WORDS.finds("commands", line.text))


def own_path(url: str) -> str:
    """The path behind an address that may lead into the repository itself, on a host of code; else nothing."""
    match = _OWN.match(url)
    return unquote(match[1]).rstrip("/") if match else ""


def words_around(link: Found) -> str:
    """The words of the line before and after the link, without other links' addresses."""
    text = link.line.text
    spot = text.find(link.url)
    near = text[max(0, spot - 160) : spot] + " " + text[spot + len(link.url) : spot + len(link.url) + 80]
    words = _URL.sub(" ", near)
    vague = _WORDS.pattern("points").fullmatch(link.label) and not _WORDS.finds("getting", words)
    alone = _topic_of_words(words) is not None and not vague
    return words if alone else f"{words} {_URL.sub(' ', link.nearby)}"


@lru_cache(maxsize=4096)
def _topic_of_words(words: str) -> Topic | None:
    """The topic of the first telling word; of "model trained on data" that is the model."""
    weights, data = _WORDS.pattern("weight_words").search(words), _WORDS.pattern("data_words").search(words)
    if weights and (data is None or weights.start() < data.start()):
        return Topic.WEIGHTS
    return Topic.DATA if data else None


def _tail(url: str) -> str:
    return url.rpartition("/")[2].replace("_", " ").replace("-", " ")


def _is_known(url: str) -> bool:
    return _WORDS.finds("hubs", url) or (_WORDS.finds("data_sites", url) and not _WORDS.finds("releases", url))


def _is_furniture(url: str) -> bool:
    host = url.partition("://")[2].partition("/")[0]
    return _WORDS.finds("furniture", host) or _WORDS.finds("furniture_pages", url)


def _leads_to_code(url: str, label: str, around: str) -> bool:
    if _WORDS.pattern("about").fullmatch(label):
        return True
    vague = _WORDS.pattern("points").fullmatch(label) is not None
    of_data = vague or _WORDS.finds("of_data", f"{label} {url}") or bool(named_in(label or _tail(url)))
    return _is_code(url) and not of_data and not _WORDS.finds("getting_data", around)


def _is_code(url: str) -> bool:
    return _CODE.match(url) is not None
