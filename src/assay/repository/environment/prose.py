"""Packages that a page of the authors' names in words: "Requirements: PyTorch 1.0 and numpy". Weak declarations."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import islice

from packaging.utils import canonicalize_name

from assay.code import Code
from assay.findings import Location
from assay.patterns import regex
from assay.repository.environment.declared import Declared, Kind, Pin
from assay.repository.environment.distributions import table
from assay.repository.environment.imports import Outside
from assay.repository.environment.matching import Undeclared
from assay.repository.environment.pages import Line, Talk, advice_in, lines_of_page, remarks_of, switched_off, talk_of
from assay.repository.environment.usage import VARIANTS, loosely, place_among_others, place_of_use
from assay.repository.readme.choice import read_document
from assay.repository.readme.document import Document
from assay.tree import File

_MOST_FILES, _MOST_PAGES, _MOST_REMARKS = 100, 40, 1000
_MOST_MODULES = 300
"""So many modules are looked for: who imports more that nobody declares has no README that names them."""
_SAID = regex(
    r"\brequires?\b|\brequired(?::| (?:\w{1,20} )?(?:packages?|librar\w{1,3}|modules?|software|dependenc\w{1,3}|are)\b)"
    r"|\brequirements?\b|\bprerequisites?\b|\bdepend(?:s|enc(?:y|ies))\b|\binstall(?:ed|ing|ation)?\b"
    r"|\btested (?:on|with|under|using|in)\b|\bcompatible with\b|\bneed(?:s|ed)?\b|\bmake sure\b"
    r"|\bpython ?[23]\.\d{1,2} and\b|依赖|安装|需要|インストール|설치|\bbuilt (?:with|using)\b"
    r"|\b(?:nécessit|requiert|requier|requer|necesit|necessit|instal(?:ar|e|ez|ler|lare|lier)|benötig|erforder|richied"
    r"|membutuhkan|memerlukan|wymaga|zainstal|требу|понадоб|установ|cài đặt)"
    r"|\b(?:(?:tech )?stack|technologies|librar(?:y|ies)|frameworks?|tools)(?: used)?\W{0,5}[:\uff1a]"
)
"""Sentences about what one needs, or what it is built with, in lower case."""
_IS_NEEDED = regex(
    r"[^\w.]{0,4}(?:\(?[\d.]{1,8}\)? )?(?:is|are|must be|should be|has to be|have to be|needs to be) (?:\w{1,20} ){0,2}"
    r"(?:required|needed|necessary|installed)\b"
)
_DENIED = regex(r"\b(?:no|not|without|never|instead of)\b[^.;,]{0,30}$")
_VERSION = r"\W{0,4}(?:version\W{0,2})?(?:[<>=~≥:(*v]{0,3}\s?)?\d{1,2}\.\d"
_WORDS = frozenset(
    {"accelerate", "arrow", "attr", "box", "census", "click", "dash", "datasets", "docker", "environment", "evaluate",
     "fire", "git", "higher", "image", "implicit", "markdown", "mock", "modal", "ray", "regex", "requests", "rich",
     "schedule", "six", "surprise", "tables", "toml", "yaml"}
)  # fmt: skip
"""Modules called like words of the language: they are meant only as an item of a list."""
_FIRMS = frozenset({"azure", "google", "nvidia"})
"""Shared packages that are called like somebody who has many."""
_ITEM = r"(?:^[\s*+>\d.)-]{0,8}[`\[*]{0,3}|,\s{0,2}`?|\band `?)"
_SPOKEN = {
    "torch": ("pytorch", "py torch"), "sklearn": ("scikit learn",), "skimage": ("scikit image",), "cv2": ("opencv",),
    "bs4": ("beautifulsoup", "beautiful soup"), "torch_geometric": ("pytorch geometric", "pyg"), "Bio": ("biopython",),
    "pytorch_lightning": ("pytorch lightning", "lightning"), "mpi4py": ("mpi",),
    "tensorflow": ("tf2", "tf1"), "sentence_transformers": ("sbert",), "stable_baselines3": ("sb3",),
    "wandb": ("weights & biases", "weights and biases"), "gym": ("openai gym",), "llama_index": ("llamaindex",),
    "transformers": ("hugging face transformers", "huggingface transformers"), "imblearn": ("imbalanced learn",),
    "gurobipy": ("gurobi",), "docplex": ("cplex",), "ortools": ("or tools",), "ray": ("ray tune", "rllib"),
    "ee": ("earth engine",), "tensorflow_hub": ("tf hub",), "tensorflow_datasets": ("tfds",),
    "openbabel": ("open babel",), "pyspark": ("apache spark",), "dgl": ("deep graph library",),
    "skopt": ("scikit optimize",), "talib": ("ta lib",), "segment_anything": ("segment anything",),
    "qdrant_client": ("qdrant",), "pymilvus": ("milvus",), "prophet": ("facebook prophet", "fbprophet"),
}  # fmt: skip
"""What people call a package, beside the names of its modules and distributions."""


def with_prose(
    uncovered: Iterable[Undeclared], readmes: Iterable[File], pages: Iterable[File], lists: Iterable[File], code: Code
) -> Iterator[Undeclared]:
    """The same modules; those that nothing installs have the line of a page, list or notebook that names them."""
    several = list(uncovered)
    silent = {one.outside.module: one.outside for one in several if not one.mentioned}
    left = dict(list(silent.items())[:_MOST_MODULES])
    named: dict[str, Declared] = {}
    for file in [*_nearest(readmes, _MOST_FILES), *_nearest(pages, _MOST_PAGES)] if left else ():
        if _may_name(file.text().lower(), left.values()):
            named |= _told_by(read_document(file), left.values())
            left = {module: outside for module, outside in left.items() if module not in named}
    remarks = list(islice(_naming(remarks_of(code), left.values()), _MOST_REMARKS)) if left else []
    off = (line for file in lists for line in switched_off(file)) if left else ()
    advice = [*islice(advice_in(code), _MOST_REMARKS), *islice(off, _MOST_REMARKS)] if left else []
    for module, outside in left.items():
        found = _used(outside, remarks) or _named(outside, advice)
        named |= {} if found is None else {module: found}
    for one in several:
        mention = named.get(one.outside.module)
        yield one if mention is None else replace(one, mentioned=(mention,))


def _nearest(files: Iterable[File], most: int) -> list[File]:
    """Those near the root first."""
    return sorted(files, key=lambda f: (f.path.count("/"), f.path))[:most]


def _naming(talk: Iterable[Talk], several: Iterable[Outside]) -> Iterator[Talk]:
    """Those passages that may name one of the packages."""
    return (passage for passage in talk if _may_name(passage.text, several))


def _may_name(text: str, several: Iterable[Outside]) -> bool:
    return any(part in text for outside in several for part in _beginnings(outside))


def _beginnings(outside: Outside) -> set[str]:
    """Without one of these, a page names the package by no name."""
    return {re.split(r"[-_. ]", name)[0] for name in _names(outside)}


def _told_by(document: Document, several: Iterable[Outside]) -> dict[str, Declared]:
    """Where a page names or is said to use packages, by module."""
    lines, talk = list(lines_of_page(document)), list(talk_of(document))
    found = {outside.module: _named(outside, lines) or _used(outside, talk) for outside in several}
    return {module: mention for module, mention in found.items() if mention is not None}


def _names(outside: Outside) -> tuple[str, ...]:
    """What a package may be called; a part of a shared package also by the name of the whole, if one can install it."""
    top = outside.module.partition(".")[0]
    whole = [top] if top != outside.module and top not in _FIRMS and table().is_downloaded(top) else []
    return tuple(sorted({*whole, outside.module.lower(), *outside.distributions[:6], *_SPOKEN.get(outside.module, ())}))


def _named(outside: Outside, lines: Iterable[Line]) -> Declared | None:
    pattern, exactly = _called(outside.module, _names(outside))
    for line in lines:
        found = (pattern if line.needed else exactly).search(line.text)
        if found is not None or (not line.needed and _asks(line.text, pattern)):
            return _mention(outside, line.location, line.text)
    return None


def _used(outside: Outside, talk: Iterable[Talk]) -> Declared | None:
    """Where a page says that the work uses a package."""
    names = _names(outside)
    plain = outside.module not in _WORDS and any(map(table().is_downloaded, outside.distributions))
    for passage in talk:
        at = place_of_use(passage.text, names)
        at = place_among_others(passage.text, names) if at is None and plain else at
        if at is not None:
            below = passage.text.count("\n", 0, at)
            place = replace(passage.location, line=(passage.location.line or 1) + below)
            return _mention(outside, place, passage.text.split("\n")[below])
    return None


def _mention(outside: Outside, place: Location, text: str) -> Declared:
    name = outside.distributions[0] if outside.distributions else canonicalize_name(outside.module)
    return Declared(name, Pin.NONE, Kind.README, place, written=text.strip())


def _asks(sentence: str, package: re.Pattern[str]) -> bool:
    """Whether a sentence says that a package is needed: "requires numpy", "numpy must be installed"; not "no numpy"."""
    for found in package.finditer(sentence):
        before, after = sentence[: found.start()], sentence[found.end() :]
        if (_SAID.search(before) or _IS_NEEDED.match(after)) and not _DENIED.search(before):
            return True
    return False


@lru_cache(maxsize=512)
def _called(module: str, names: tuple[str, ...]) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """How a package may be called; and the same with a version behind it, which says by itself that it is needed."""
    spelt = map(loosely, sorted(names, key=len, reverse=True))
    before = _ITEM if module in _WORDS else r"(?<![\w./-])"
    any_of = rf"{before}(?:{'|'.join(spelt)}){VARIANTS}(?:(?![\w-])(?!\.\w)|(?=-?\d{{1,2}}\.[\dx]))"
    return re.compile(any_of, re.ASCII), re.compile(any_of + _VERSION, re.ASCII)
