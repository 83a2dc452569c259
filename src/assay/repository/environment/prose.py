"""Packages that a README names in words: "Requirements: PyTorch 1.0 and numpy", "Built with". Weak declarations."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from urllib.parse import unquote

from packaging.utils import canonicalize_name

from assay.findings import Location
from assay.patterns import regex
from assay.records import dataclass
from assay.repository.environment.declared import Declared, Kind, Pin
from assay.repository.environment.imports import Outside
from assay.repository.environment.matching import Undeclared
from assay.repository.readme.choice import read_document
from assay.repository.readme.document import CodeBlock, Document, Grid, Passage, Style
from assay.repository.readme.spelling import is_misspelt
from assay.tree import File

_MOST_FILES = 20
_MOST_MODULES = 300
"""So many modules are looked for: who imports more that nobody declares has no README that names them."""
_LONGEST, _ROWS = 1000, 200
_NO_LEVEL = 100
"""Below every heading there is."""
_ANNOUNCED = 6
"""The level of what follows a sentence above all headings: any heading of the text itself ends it."""
_NEEDED = regex(
    r"\b(?:pre-?)?requi[rs]e?ments?\b|\bprerequisites?\b|\bdepend[ae]nc(?:y|ies)\b|\benvironments?\b|\binstall(?:ation|ing)?\b"
    r"|\bset-?up\b|\bsetting up\b|\bpackages?\b|\btested (?:on|with)\b|\bgetting started\b"
    r"|\b(?:required|needed|necessary) (?:\w{1,20} )?(?:libs?|librar(?:y|ies)|modules?|software|frameworks?|tools?)\b"
    r"|\b(?:libs?|librar(?:y|ies)|modules?|software|frameworks?|tools?) (?:required|needed)\b"
    r"|环境|依赖|安装",
    re.IGNORECASE,
)
"""Headings of what one needs."""
_KIND = r"(?:tools?|librar(?:y|ies)|frameworks?|modules?|packages?|software|languages?)"
_USED = regex(
    r"\bbuilt (?:with|using)\b|\btech(?:nical)?[ -]stack\b|\btechnolog(?:y|ies)\b|^\W*(?:our )?stack\W*$"
    rf"|^\W*(?:python |main |key |important )?{_KIND}\W*$|\b{_KIND} used\b|\bused {_KIND}\b"
    rf"|\b{_KIND}(?: and | ?& ?| ?/ ?|, ){_KIND}\b"
    r"|技术栈|使用技術|기술 ?스택|\btecnolog[ií]as\b|\bcông nghệ\b|\bteknoloji",
    re.IGNORECASE,
)
"""Headings of what the work is built with: no manifest, but whoever reads them knows what to install."""
_STARTED = regex(r"^[ \t]*(?:[$>] ?)?python[\d.]* (?:-\w )?(?!setup\.py)[\w./-]{1,200}\.py\b", re.MULTILINE)
"""A script that is started: by then all is installed, and what follows is about its options and files."""
_MEANT = ("requirements", "prerequisites", "dependencies", "installation")
"""Those of its words that are recognised though misspelt."""
_WORD = regex(r"[^\W\d_]{6,40}")
_SAID = regex(
    r"\brequires?\b|\brequired(?::| (?:\w{1,20} )?(?:packages?|librar\w{1,3}|modules?|software|dependenc\w{1,3}|are)\b)"
    r"|\brequirements?\b|\bprerequisites?\b|\bdepend(?:s|enc(?:y|ies))\b|\binstall(?:ed|ing|ation)?\b"
    r"|\btested (?:on|with|under|using|in)\b|\bcompatible with\b|\bneed(?:s|ed)?\b|\bmake sure\b"
    r"|\bpython ?[23]\.\d{1,2} and\b|依赖|安装|\bbuilt (?:with|using)\b"
    r"|\b(?:(?:tech )?stack|technologies|librar(?:y|ies)|frameworks?|tools)(?: used)?\W{0,5}[:\uff1a]"
)
"""Sentences about what one needs, or what it is built with, in lower case."""
_IS_NEEDED = regex(
    r"[^\w.]{0,4}(?:\(?[\d.]{1,8}\)? )?(?:is|are|must be|should be|has to be|have to be|needs to be) (?:\w{1,20} ){0,2}"
    r"(?:required|needed|necessary|installed)\b"
)
_DENIED = regex(r"\b(?:no|not|without|never|instead of)\b[^.;,]{0,30}$")
_TITLE = regex(r"^[\s*_>-]{0,6}[A-Za-z][\w ,/()&'-]{2,60}:\s*$")
"""A line in a block of code that says what comes below it."""
_VERSION = r"\W{0,4}(?:version\W{0,2})?(?:[<>=~≥:(*v]{0,3}\s?)?\d{1,2}\.\d"
_CODE = regex(r"^\s*(?:import|from)\s+\w|[^=<>~!]=\s*[A-Za-z_]\w*[.(]")
_BADGE = regex(r"img\.shields\.io/badge/((?:[^-/?]|--){1,80})-((?:[^-/?]|--){1,80})(?:-|\?|$)")
_WORDS = frozenset(
    {"attr", "box", "click", "dash", "docker", "environment", "fire", "git", "markdown", "ray", "regex", "requests",
     "rich", "schedule", "six", "tables", "toml", "yaml"}
)  # fmt: skip
"""Modules called like words of the language: they are meant only as an item of a list."""
_ITEM = r"(?:^[\s*+>\d.)-]{0,8}[`\[*]{0,3}|,\s{0,2}`?|\band `?)"
_SPOKEN = {
    "torch": ("pytorch", "py torch"), "sklearn": ("scikit learn",), "skimage": ("scikit image",), "cv2": ("opencv",),
    "bs4": ("beautifulsoup", "beautiful soup"), "torch_geometric": ("pytorch geometric", "pyg"), "Bio": ("biopython",),
    "pytorch_lightning": ("pytorch lightning", "lightning"), "mpi4py": ("mpi",),
    "tensorflow": ("tf2", "tf1"), "sentence_transformers": ("sbert",), "stable_baselines3": ("sb3",),
}  # fmt: skip
"""What people call a package, beside the names of its modules and distributions."""


@dataclass(frozen=True, slots=True)
class _Line:
    text: str
    location: Location
    needed: bool
    """Whether it stands where the README tells what one needs."""


def with_prose(uncovered: Iterable[Undeclared], readmes: Iterable[File]) -> Iterator[Undeclared]:
    """The same modules; those that nothing installs have the line of a README that names them, if one does."""
    several = list(uncovered)
    silent = [one for one in several if not one.mentioned][:_MOST_MODULES]
    lines = list(_lines(readmes)) if silent else []
    named = {one.outside.module: _named(one.outside, lines) for one in silent}
    for one in several:
        found = named.get(one.outside.module)
        yield one if found is None else replace(one, mentioned=(found,))


def _named(outside: Outside, lines: Iterable[_Line]) -> Declared | None:
    pattern, exactly = _called(outside.module, outside.distributions)
    for line in lines:
        found = (pattern if line.needed else exactly).search(line.text)
        if found is not None or (not line.needed and _asks(line.text, pattern)):
            name = outside.distributions[0] if outside.distributions else canonicalize_name(outside.module)
            return Declared(name, Pin.NONE, Kind.README, line.location, written=line.text.strip())
    return None


def _asks(sentence: str, package: re.Pattern[str]) -> bool:
    """Whether a sentence says that a package is needed: "requires numpy", "numpy must be installed"; not "no numpy"."""
    for found in package.finditer(sentence):
        before, after = sentence[: found.start()], sentence[found.end() :]
        if (_SAID.search(before) or _IS_NEEDED.match(after)) and not _DENIED.search(before):
            return True
    return False


@lru_cache(maxsize=512)
def _called(module: str, distributions: tuple[str, ...]) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """How a package may be called; and the same with a version behind it, which says by itself that it is needed."""
    names = {module.lower(), *distributions[:6], *_SPOKEN.get(module, ())}
    spelt = (
        r"[-_. ]?".join(map(re.escape, re.split(r"[-_. ]", name))) for name in sorted(names, key=len, reverse=True)
    )
    before = _ITEM if module in _WORDS else r"(?<![\w./-])"
    any_of = rf"{before}(?:{'|'.join(spelt)})(?:(?![\w-])(?!\.\w)|(?=\d{{1,2}}\.[\dx]))"
    return re.compile(any_of), re.compile(any_of + _VERSION)


def _lines(readmes: Iterable[File]) -> Iterator[_Line]:
    for file in sorted(readmes, key=lambda f: (f.path.count("/"), f.path))[:_MOST_FILES]:
        document = read_document(file)
        yield from _of(document)
        yield from _of_badges(document)


def _of(document: Document) -> Iterator[_Line]:
    """The lines of a README in lower case; code only in the sections on what one needs, or below such a title in it."""
    needed, level = False, _NO_LEVEL
    for part in document.parts:
        heading = part.heading
        if heading is not None:
            about = _about_needs(heading.text)
            if about or heading.level <= level:
                needed, level = about, heading.level if about else _NO_LEVEL
        if needed and heading is not None and heading.style is not Style.MARKED:
            yield _Line(heading.text.lower(), Location(document.path, heading.line), needed)  # "1. **numpy**"
        for block in part.blocks:
            if isinstance(block, Grid):
                yield from _of_grid(block, document.path) if needed else ()
            elif isinstance(block, Passage | CodeBlock):
                yield from _of_block(block, document.path, needed)
            if needed and isinstance(block, CodeBlock) and _STARTED.search(block.text):
                needed, level = False, _NO_LEVEL
            if not needed and isinstance(block, Passage) and _announces(block.text):
                needed, level = True, _ANNOUNCED if heading is None else heading.level


def _of_badges(document: Document) -> Iterator[_Line]:
    """What stands on the badges of a README; a version beside a name says that it is needed."""
    for link in document.links:
        badge = _BADGE.search(link.target) if link.image else None
        if badge is not None:
            name, beside = (unquote(part).replace("--", "-").replace("_", " ") for part in badge.groups())
            versioned = beside.lstrip("v<>=~ ")[:1].isdigit()
            yield _Line(f"{name} {beside}".lower()[:_LONGEST], Location(document.path, link.line), versioned)


def _about_needs(title: str) -> bool:
    misspelt = (is_misspelt(word.lower(), _MEANT) for word in _WORD.findall(title))
    return _NEEDED.search(title) is not None or _USED.search(title) is not None or any(misspelt)


def _of_block(block: Passage | CodeBlock, path: str, needed: bool) -> Iterator[_Line]:
    for number, line in enumerate(block.text.split("\n"), block.line):
        needed = needed or (isinstance(block, CodeBlock) and _is_title(line))
        if (needed or isinstance(block, Passage)) and len(line) <= _LONGEST and not _CODE.search(line):
            yield _Line(line.lower(), Location(path, number), needed)


def _of_grid(grid: Grid, path: str) -> Iterator[_Line]:
    """The rows of a table of what one needs. In others a number behind a name is a score, not a version."""
    for number, row in enumerate(grid.rows[:_ROWS], grid.line + 2):
        yield _Line(" | ".join(row)[:_LONGEST].lower(), Location(path, number), needed=True)


def _announces(text: str) -> bool:
    """Whether a sentence says that what one needs follows: "The dependencies are:"."""
    last = text.rpartition("\n")[2].rstrip()
    return last.endswith((":", "\uff1a")) and len(last) <= _LONGEST and _NEEDED.search(last) is not None


def _is_title(line: str) -> bool:
    return bool(_TITLE.match(line) and _NEEDED.search(line))
