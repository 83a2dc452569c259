"""What a README says about the code that the code can contradict, each claim quoted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum

from assay.code import Code
from assay.findings import Location
from assay.patterns import regex
from assay.records import dataclass
from assay.repository.readme.document import Document, Passage
from assay.repository.vocabulary import vocabulary

_PHRASES = vocabulary("assay.repository.readme", "phrases.toml")
_LONGEST = 6000
_MOST = 100
_SENTENCE_END = regex(r"(?<=[.!?])\s+(?=[A-Z*`\[(])|\n\s*[-*+]\s+|\n{2,}")
_DENIED = _PHRASES.pattern("denied")
_EXPLAINED = _PHRASES.pattern("explained")
_FRAMEWORKS = {
    "python": "python", "pytorch": "torch", "torch": "torch", "torchvision": "torchvision", "tensorflow": "tensorflow",
    "keras": "keras", "numpy": "numpy", "scikit-learn": "scikit-learn", "sklearn": "scikit-learn", "scipy": "scipy",
    "pandas": "pandas", "jax": "jax", "flax": "flax", "transformers": "transformers", "mxnet": "mxnet",
    "theano": "theano", "gym": "gym", "dgl": "dgl", "networkx": "networkx", "opencv": "opencv-python",
}  # fmt: skip
_VERSION = regex(
    rf"(?<![\w/.-])({'|'.join(sorted(map(re.escape, _FRAMEWORKS), key=len, reverse=True))})(?:[ (]{{1,2}}|"
    rf"\s?={{1,2}}\s?|\s?v(?:ersion)?\.? ?|-)"
    r"v?(\d{1,2}\.\d{1,3}(?:\.\d{1,3})?)(?![\d.]*\d|\+|/|\.?[x*])(?! ?(?:or|and) (?:above|later|newer|higher|up)|"
    r" ?[-\u2013]| ?\+)",
    re.IGNORECASE,
)
_A_SPLIT = _PHRASES.pattern("seeds_a_split")
_EVERYTHING = _PHRASES.pattern("seeds_everything")
_TESTED = _PHRASES.pattern("tested")
_VAGUE = _PHRASES.pattern("vague")


class Topic(StrEnum):
    """What a claim is about."""

    SEEDED = "seeded"
    DETERMINISTIC = "deterministic"
    REPRODUCIBLE = "reproducible"
    STRATIFIED = "stratified"
    VERSION = "version"


_CLAIMS = {topic: _PHRASES.pattern(f"claims_{topic.value}") for topic in Topic if topic is not Topic.VERSION}
_SUPPORT = {
    Topic.STRATIFIED: ("stratif", "Stratif"),
    Topic.SEEDED: ("seed", "random_state", "PRNGKey"),
    Topic.DETERMINISTIC: ("determinis", "seed"),
    Topic.REPRODUCIBLE: ("seed", "random_state"),
}


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence that promises something. For a version, `name` is the distribution and `value` its number."""

    topic: Topic
    text: str
    location: Location
    name: str = ""
    value: str = ""
    support: tuple[str, ...] = ()
    """Files of code in which the word occurs at all; a claim without any has nothing behind it."""


def find_claims(document: Document, code: Code) -> tuple[Claim, ...]:
    """All claims, in the order of the text."""
    found: list[Claim] = []
    for block in document.blocks:
        if isinstance(block, Passage) and len(found) < _MOST:
            found += list(_in_passage(block, document.path, code))
    return tuple(found[:_MOST])


def _withdrawn(topic: Topic, sentence: str) -> bool:
    """Whether the sentence denies the claim, explains a word, or makes it about a division of rows alone."""
    if _DENIED.search(sentence) or _EXPLAINED.match(sentence):
        return True
    return topic is not Topic.STRATIFIED and seeds_only_a_split(sentence)


def seeds_only_a_split(sentence: str) -> bool:
    """Whether a sentence about seeds is about a division of rows: it says nothing of other random numbers."""
    return bool(_A_SPLIT.search(sentence)) and not _EVERYTHING.search(sentence)


def _in_passage(passage: Passage, path: str, code: Code) -> Iterator[Claim]:
    text = passage.text[:_LONGEST]
    for topic, words in _CLAIMS.items():
        for match in words.finditer(text):
            sentence, line = _sentence(text, match.start())
            if not _withdrawn(topic, sentence):
                support = _support(topic, code)
                yield Claim(topic, sentence[:300], Location(path, passage.line + line), support=support)
                break
    yield from _versions(text, path, passage.line) if _TESTED.search(text) else ()


def _versions(text: str, path: str, start: int) -> Iterator[Claim]:
    """Versions with which the code was tried."""
    for match in _VERSION.finditer(text):
        sentence, line = _sentence(text, match.start())
        if _TESTED.search(sentence) and not _VAGUE.search(sentence):
            name = _FRAMEWORKS[match[1].lower()]
            yield Claim(Topic.VERSION, sentence[:300], Location(path, start + line), name, match[2])


def _support(topic: Topic, code: Code) -> tuple[str, ...]:
    """The first files that have one of the words."""
    words = _SUPPORT[topic]
    return tuple(s.path for s in code.own if not s.unread and any(s.mentions(word) for word in words))[:5]


def _sentence(text: str, spot: int) -> tuple[str, int]:
    """The sentence around a place, and how many lines below the beginning it starts."""
    start = 0
    end = len(text)
    for match in _SENTENCE_END.finditer(text):
        if match.end() <= spot:
            start = match.end()
        elif match.start() > spot:
            end = match.start()
            break
    return " ".join(text[start:end].split()), text.count("\n", 0, spot)
