"""What the repository's pages say about data: names, instructions, notes on preparing them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from assay.findings import Location
from assay.patterns import regex
from assay.repository.data.documents import Page
from assay.repository.data.facts import Instruction, Mention, Preparation, PreparationKind
from assay.repository.data.known import named_in
from assay.tree import Tree
from assay.tree.text import uncased

_DATA = r"(?:data[-_ ]?sets?|data|corpus|corpora|annotations?|csv|recordings?)"
_THING = rf"(?:{_DATA}|images?|files?|videos?|archives?|splits?)"
_BEGINS = r"(?:^[\W\d]{0,10}|[.,;:)][ ]?|\band |\bthen |\bplease |\bshould |\bmust )"
_GET = regex(
    rf"\b(?:download|obtain|acquire|request)\w*\b[^.\n]{{0,80}}\b{_DATA}\b"
    rf"|\bdownload\w*\b[^.\n]{{0,40}}\b{_THING}\b"
    rf"|\b(?:get|access|fetch|provide|prepare)\b(?: [\w'-]{{1,20}}){{0,4}} {_DATA}\b"
    rf"|\b{_DATA}\b[^.\n]{{0,60}}\b(?:can be|is|are|should be|must be|need to be)\b[^.\n]{{0,20}}"
    r"\b(?:downloaded|obtained|available|found|requested|accessed)\b"
    rf"|{_BEGINS}(?:put|place|extract|unzip|untar|move|copy|organi[sz]e|arrange)\b[^.\n]{{0,60}}\b{_THING}\b"
    rf"|\b{_THING}\b[^.\n]{{0,40}}\b(?:should|must|need to|has to|have to)\b[^.\n]{{0,20}}"
    r"\b(?:placed|stored|organi[sz]ed|structured|formatted|located|saved|put|included|in the form|look like)\b"
    r"|\bdata[-_ ]?(?:set)?\b[^.\n]{0,20}\b(?:director(?:y|ies)|folder|structure)\b[^.\n]{0,40}"
    r"\b(?:structure|layout|should|as follows|looks?)\b"
    r"|\b(?:requires?|needs?|expects?)\b (?:a|the) [^.\n]{0,20}\b(?:director(?:y|ies)|folder)\b[^.\n]{0,40}\bfiles?\b"
    r"|\bformat of (?:the )?(?:data|input)|\binput (?:data|files?)\b[^.\n]{0,40}\bformat",
)
_NOT_DATA = regex(
    r"pre-?trained|checkpoint|weights\b|\bmodels?\b[^.\n]{0,30}\bdownload|config|log files?|results?\b|cite|licen[cs]e",
)
_PREPARE = regex(
    r"pre-?process|data[- ]prepar|prepar\w+ (?:the )?data|\btokeni[sz]|\bnormali[sz](?:e|ed|ation)\b|resampl|"
    r"feature extraction|"
    r"extract(?:ing)? (?:the )?features|clean(?:ing|ed)? (?:the )?data|data clean|augment|prepare_\w*data|"
    r"make_dataset|build_dataset",
)
_SCRIPT = regex(
    r"(?:^|[_-])(?:pre_?)?process(?:ing|or|_?data)?(?:[_.-]|$)|preproc|prepare|prepro\b|make_?data|build_?(?:data|"
    r"vocab|graph)|"
    r"create_?(?:data|split|patch|tfrec|lmdb|dataset)|clean_?(?:data|text)?\.|extract_?(?:feat|frames|patch)|"
    r"data_?prep|"
    r"gen(?:erate)?_?(?:data|train|features)|convert_?(?:data|to|\w{2,12}_to)|tokeni[sz]e|feature_?eng|download_and|"
    r"data_?clean|"
    r"transform_?data|split_?data|data_?split|wrangl",
    re.IGNORECASE,
)
_CODE = (".py", ".ipynb", ".r", ".rmd", ".jl", ".sh", ".sql", ".pl", ".m", ".lua")
_GET_WORDS = ("data", "corp", "annot", "csv", "record", "image", "file", "video", "archive", "split", "input")
_GET_VERBS = (
    "download", "obtain", "acquire", "request", "get", "access", "fetch", "provide", "prepare", "available", "found",
    "put", "place", "extract", "unzip", "untar", "move", "copy", "organi", "arrange", "should", "must", "need to",
    "has to", "have to", "director", "folder", "structure", "format",
)  # fmt: skip
"""Of the things that are got, and of what is done with them, a sentence must have one each."""
_PREPARE_WORDS = ("process", "prepar", "tokeni", "normali", "resampl", "extract", "clean", "augment", "dataset")
_MOST = 200


def mentions(pages: Iterable[Page]) -> list[Mention]:
    """Known data sets by their names, each once, at its first place; READMEs come first."""
    first: dict[str, Location] = {}
    counts: dict[str, int] = {}
    for page in pages:
        for line in page.lines:
            for name, _ in named_in(line.text):
                first.setdefault(name, line.location)
                counts[name] = counts.get(name, 0) + 1
    return [Mention(name, place, counts[name]) for name, place in list(first.items())[:_MOST]]


def instructions(pages: Iterable[Page]) -> Iterator[Instruction]:
    """Sentences that tell how to get data or where to put them."""
    for page in pages:
        for line in page.lines if not page.notebook and (page.readme or page.depth <= 1) else ():
            if line.in_code:
                continue
            text = uncased(line.text)
            if (
                _has_one(text, _GET_WORDS)
                and _has_one(text, _GET_VERBS)
                and _GET.search(text)
                and not _NOT_DATA.search(text)
            ):
                yield Instruction(line.text.strip()[:300], line.location)


def notes(pages: Iterable[Page]) -> Iterator[Preparation]:
    """Lines about how raw data become inputs."""
    for page in pages:
        for line in page.lines:
            text = uncased(line.text)
            if _has_one(text, _PREPARE_WORDS) and _PREPARE.search(text):
                yield Preparation(PreparationKind.NOTE, line.text.strip()[:300], line.location)


def _has_one(text: str, words: tuple[str, ...]) -> bool:
    """A quick test before a slow one."""
    return any(map(text.__contains__, words))


def preparing_scripts(tree: Tree) -> Iterator[Preparation]:
    """Scripts whose names say that they prepare data."""
    for file in tree.by_suffix(*_CODE):
        if not file.vendored and _SCRIPT.search(file.name):
            yield Preparation(PreparationKind.SCRIPT, file.path, Location(file.path, 1))
