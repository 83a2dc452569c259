"""What the repository's pages say about data: names, instructions, notes on preparing them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from assay.findings import Location
from assay.repository.data.documents import Page
from assay.repository.data.facts import Instruction, Mention, Preparation, PreparationKind
from assay.repository.data.known import named_in
from assay.repository.vocabulary import vocabulary
from assay.tree import Tree
from assay.tree.text import uncased

_WORDS = vocabulary("assay.repository.data", "prose.toml")
_GET = _WORDS.pattern("get")
_NOT_DATA = _WORDS.pattern("not_data")
_PREPARE = _WORDS.pattern("prepare")
_SCRIPT = _WORDS.pattern("scripts")
_CODE = _WORDS.listed("code_endings")
_GET_WORDS = _WORDS.listed("get_words")
_GET_VERBS = _WORDS.listed("get_verbs")
_PREPARE_WORDS = _WORDS.listed("prepare_words")
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
    near = (page for page in pages if not page.notebook and (page.readme or page.depth <= 1))
    for line in (line for page in near for line in page.lines if not line.in_code):
        text = uncased(line.text)
        telling = _has_one(text, _GET_WORDS) and _has_one(text, _GET_VERBS)
        if telling and _GET.search(text) and not _NOT_DATA.search(text):
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
