"""Packages that a README names in words: "Requirements: Python 3.6, PyTorch 1.0 and numpy". Weak declarations."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache

from packaging.utils import canonicalize_name

from assay.findings import Location
from assay.patterns import regex
from assay.records import dataclass
from assay.repository.environment.declared import Declared, Kind, Pin
from assay.repository.environment.imports import Outside
from assay.repository.environment.matching import Undeclared
from assay.tree import File

_MOST_FILES = 20
_MOST_LINES = 2000
_LONGEST = 1000
_LOWEST = 7
_IN_A_FENCE = 8
"""How deep such titles are that are none of the markup."""
_FENCE = regex(r"^\s{0,8}(?:```|~~~)")
_HEADING = regex(r"^\s{0,3}(#{1,6})\s*\S")
_UNDERLINE = regex(r"^\s{0,3}([=\-~^*])\1{2,}\s*$")
_BY_ITSELF = regex(r"^[\s*_>\d.-]{0,6}[A-Za-z][\w ,/()&'-]{2,60}:?[\s*_]{0,6}:?\s*$")
_NEEDED = regex(
    r"\b(?:pre-?)?requi[rs]e?ments?\b|\bprerequisites?\b|\bdepend[ae]nc(?:y|ies)\b|\benvironments?\b|\binstall(?:ation|ing)?\b"
    r"|\bset-?up\b|\bsetting up\b|\bbuilt (?:with|using)\b|\btechnolog|\btech stack\b|\blibrar(?:y|ies)\b|\bpackages?\b"
    r"|\bsoftware\b|\btools?\b|\btested (?:on|with)\b|\bgetting started\b|环境|依赖|安装",
    re.IGNORECASE,
)
"""Headings of what one needs."""
_SAID = regex(
    r"\brequire[sd]?\b|\brequirements?\b|\bprerequisites?\b|\bdepend(?:s|enc(?:y|ies))\b|\binstall(?:ed|ing|ation)?\b"
    r"|\btested (?:on|with|under|using|in)\b|\bcompatible with\b|\bneed(?:s|ed)?\b|\bmake sure\b"
)
"""Sentences about what one needs, in lower case."""
_VERSION = r"\W{0,4}(?:version\W{0,2})?(?:[<>=~≥:(*v]{0,3}\s?)?\d{1,2}\.\d"
_CODE = regex(r"^\s*(?:import|from)\s+\w|[^=<>~!]=\s*[A-Za-z_]\w*[.(]")
_WORDS = frozenset(
    {"attr", "box", "click", "dash", "docker", "environment", "fire", "git", "markdown", "ray", "regex", "requests",
     "rich", "schedule", "six", "tables", "toml", "yaml"}
)  # fmt: skip
"""Modules called like words of the language: they are meant only as an item of a list."""
_ITEM = r"(?:^[\s*+>\d.)-]{0,8}[`\[*]{0,3}|,\s{0,2}`?|\band `?)"
_SPOKEN = {
    "torch": ("pytorch", "py torch"), "sklearn": ("scikit learn",), "skimage": ("scikit image",), "cv2": ("opencv",),
    "bs4": ("beautifulsoup", "beautiful soup"), "torch_geometric": ("pytorch geometric", "pyg"), "Bio": ("biopython",),
    "pytorch_lightning": ("pytorch lightning", "lightning"), "IPython": ("jupyter",), "mpi4py": ("mpi",),
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
    silent = [one for one in several if not one.mentioned]
    lines = list(_lines(readmes)) if silent else []
    for one in several:
        named = _named(one.outside, lines) if lines and not one.mentioned else None
        yield one if named is None else replace(one, mentioned=(named,))


def _named(outside: Outside, lines: Iterable[_Line]) -> Declared | None:
    pattern, exactly = _called(outside.module, outside.distributions)
    for line in lines:
        found = (pattern if line.needed else exactly).search(line.text)
        if found is not None or (not line.needed and _SAID.search(line.text) and pattern.search(line.text)):
            name = outside.distributions[0] if outside.distributions else canonicalize_name(outside.module)
            return Declared(name, Pin.NONE, Kind.README, line.location, written=line.text.strip())
    return None


@lru_cache(maxsize=512)
def _called(module: str, distributions: tuple[str, ...]) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """How a package may be called; and the same with a version behind it, which says by itself that it is needed."""
    names = {module.lower(), *distributions[:6], *_SPOKEN.get(module, ())}
    spelt = (
        r"[-_. ]?".join(map(re.escape, re.split(r"[-_. ]", name))) for name in sorted(names, key=len, reverse=True)
    )
    before = _ITEM if module in _WORDS else r"(?<![\w./-])"
    any_of = rf"{before}(?:{'|'.join(spelt)})(?![\w-])(?!\.\w)"
    return re.compile(any_of), re.compile(any_of + _VERSION)


def _lines(readmes: Iterable[File]) -> Iterator[_Line]:
    for file in sorted(readmes, key=lambda f: (f.path.count("/"), f.path))[:_MOST_FILES]:
        yield from _of(file)


def _of(file: File) -> Iterator[_Line]:
    """The lines of a README in lower case, without code outside of the sections on what one needs."""
    lines = file.text().split("\n", _MOST_LINES)[:_MOST_LINES]
    fenced, needed, level = False, False, _IN_A_FENCE + 1
    for number, line in enumerate(lines, 1):
        if _FENCE.match(line):
            needed = needed and level < _IN_A_FENCE
            fenced = not fenced
            continue
        following = lines[number] if number < len(lines) else ""
        heading = _level(line, following) if not fenced else _IN_A_FENCE if _titled(line) else None
        if heading is not None:
            about = _NEEDED.search(line) is not None
            if about or heading <= level:
                needed, level = about, heading if about else _IN_A_FENCE + 1
        if len(line) <= _LONGEST and (needed or not fenced) and not _CODE.search(line):
            yield _Line(line.lower(), Location(file.path, number), needed)


def _level(line: str, following: str) -> int | None:
    """How deep a heading is; a short line that ends with a colon, or in bold, is one of the lowest."""
    marked = _HEADING.match(line)
    if marked is not None:
        return len(marked[1])
    if line.strip() and len(line) < 100 and _UNDERLINE.match(following):
        return 1 if following.strip().startswith("=") else 2
    return _LOWEST if _titled(line) else None


def _titled(line: str) -> bool:
    """Whether a short line in bold, or with a colon at its end, tells what one needs below it."""
    stripped = line.strip()
    bold = stripped.startswith(("**", "__")) and stripped.rstrip(":").endswith(("**", "__"))
    return (bold or stripped.endswith(":")) and bool(_BY_ITSELF.match(line) and _NEEDED.search(line))
