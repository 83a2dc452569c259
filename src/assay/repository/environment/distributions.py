"""Which distribution provides a module, and under which name: the tables (see tables/README.md for their sources)."""

from __future__ import annotations

import gzip
from functools import cache, cached_property
from itertools import filterfalse
from pathlib import Path

from packaging.utils import canonicalize_name

from assay.patterns import regex
from assay.records import dataclass

VARIANT = regex(r"-(?:cu(?:da)?\d[\d.x-]*|gpu|cpu|cuda|rocm[\d.-]*|nightly|mkl|headless|wheels?|bin|binary)$")
_MOST_PARTS = 4
_POPULAR = 3000
_DOWNLOADED = 15_000
"""So many lines of the table are there because people download them; the others because conda-forge has them."""


@dataclass(frozen=True)
class Table:
    """Distributions and their modules, both ways.

    Four of five have one module that is called like themselves, so that their names alone are kept. Values are words
    in one string, not tuples: thousands of small objects would set off the garbage collector just when the heap is
    full of syntax trees.
    """

    lines: list[str]
    """Distributions (in normal form) with what else their line says, the most downloaded first."""
    plain: frozenset[str]
    """Those with one module, called like themselves (and lines that say more, which are nobody's name)."""
    modules: dict[str, str]
    """What the others provide; dotted for parts of shared packages."""
    providers: dict[str, str]
    """Who of the others provides a module, the likeliest first. The module is as written."""
    alike: frozenset[str]
    """Those of the others that have, besides, a module called like themselves."""
    namespaces: frozenset[str]
    by_hand: frozenset[str]
    """Distributions that the supplement lists."""
    obsolete: dict[str, str]
    """Names under which PyPI has something else, or nothing; and the name that is meant."""

    def providing(self, module: str) -> tuple[str, ...]:
        """Distributions that provide a dotted module, the likeliest first; none when it is unknown."""
        parts = module.split(".")
        for end in range(min(len(parts), _MOST_PARTS), 0, -1):
            name = ".".join(parts[:end])
            if end < len(parts) and name in self.namespaces:  # called like the whole is not having the part
                return tuple(filterfalse(self._called, self._having(name)))
            called = self._called(name) if end == 1 or self.is_shared(name) else []
            if found := dict.fromkeys([*self._having(name), *called]):
                return tuple(found)
        return ()

    def _called(self, module: str) -> list[str]:
        """The distribution that is called like a module, if it has a module called like itself."""
        name = canonicalize_name(module)
        return [name] if name in self.plain or name in self.alike else []

    def _having(self, module: str) -> list[str]:
        """Distributions with a module that is written just so, the likeliest first."""
        found = self.providers.get(module, "").split()
        own = module.replace("_", "-")
        if own in self.plain and module == own.replace("-", "_"):
            found = sorted([*found, own], key=self._ranks.__getitem__) if found else [own]
        return found

    def provided_by(self, distribution: str) -> tuple[str, ...]:
        """Modules of a distribution; none when it is unknown. A variant (`-gpu`) has those of the original."""
        name = distribution
        while not self.knows(name) and (shorter := VARIANT.sub("", name)) != name:
            name = shorter
        return self._modules_of(name) or tuple(lesser_known().get(distribution, "").split())

    def knows(self, distribution: str) -> bool:
        """Whether a distribution is in the table."""
        return distribution in self.plain or distribution in self.modules

    def _modules_of(self, name: str) -> tuple[str, ...]:
        return (name.replace("-", "_"),) if name in self.plain else tuple(self.modules.get(name, "").split())

    def on_pypi(self, conda_name: str) -> str:
        """The name on PyPI of a package of conda; the same when nothing else is known."""
        normal = canonicalize_name(conda_name)
        return _conda().get(normal, normal).partition(" ")[0]

    def is_shared(self, module: str) -> bool:
        """Whether a module is, or is part of, a package that many distributions share."""
        parts = module.split(".")
        return any(".".join(parts[:end]) in self.namespaces for end in (1, 2))

    def names(self) -> list[str]:
        """Every distribution, the most downloaded first."""
        return [line.partition(" ")[0] for line in self.lines]

    @cached_property
    def popular(self) -> frozenset[str]:
        """Modules of the most downloaded distributions."""
        return frozenset(module for name in self.names()[:_POPULAR] for module in self._modules_of(name))

    def is_downloaded(self, distribution: str) -> bool:
        """Whether a distribution is one of those that people download most, or that are listed by hand."""
        rank = self._ranks.get(distribution, len(self.lines))
        return rank < _DOWNLOADED or distribution in self.by_hand

    @cached_property
    def _ranks(self) -> dict[str, int]:
        return {name: rank for rank, name in enumerate(self.names())}


@cache
def table() -> Table:
    """The tables as shipped."""
    lines, by_hand = lines_of("distributions.txt.gz"), dict(map(_divided, lines_of("supplement.txt")))
    listed = dict(map(_divided, (line for line in lines if " " in line or line in by_hand)))
    downloaded = ((name, rest) for name, rest in listed.items() if name not in by_hand)
    modules = listed | by_hand
    return Table(
        lines=lines + [name for name in by_hand if name not in listed],
        plain=frozenset(lines).difference(by_hand),
        modules=modules,
        providers=_providers(modules),
        alike=frozenset(name for name, rest in downloaded if name.replace("-", "_") in rest.split(" ")),
        namespaces=frozenset(lines_of("namespaces.txt")),
        by_hand=frozenset(by_hand),
        obsolete=dict(map(_divided, lines_of("obsolete.txt"))),
    )


def _providers(modules: dict[str, str]) -> dict[str, str]:
    """The distributions of each module, in their order."""
    providers: dict[str, str] = {}
    for name, provided in modules.items():
        for module in provided.split(" "):
            providers[module] = f"{providers[module]} {name}" if module in providers else name
    return providers


@cache
def _conda() -> dict[str, str]:
    """What packages of conda are called on PyPI, where the names differ."""
    return dict(map(_divided, lines_of("conda.txt.gz")))


@cache
def lesser_known() -> dict[str, str]:
    """Modules of distributions that hardly anybody uses: looked up when declared, never proposed."""
    return dict(map(_divided, lines_of("lesser.txt.gz")))


@cache
def repositories() -> dict[str, str]:
    """Repositories, with or without their owners, whose distribution is called otherwise."""
    return dict(map(_divided, lines_of("repositories.txt")))


@cache
def tools() -> tuple[frozenset[str], tuple[str, ...]]:
    """Distributions that work without being imported: whole names, and beginnings of names."""
    names = lines_of("tools.txt")
    return frozenset(n for n in names if not n.endswith("*")), tuple(n[:-1] for n in names if n.endswith("*"))


@cache
def generic_names() -> frozenset[str]:
    """Names that research code gives to its own modules, so that an import of one means a file of the repository."""
    return frozenset(lines_of("generic.txt"))


@cache
def _companions() -> dict[str, frozenset[str]]:
    """Well-known distributions, each with what its own metadata say that it needs."""
    return {first: frozenset(rest.split()) for first, rest in map(_divided, lines_of("companions.txt"))}


@cache
def brings(name: str) -> frozenset[str]:
    """Distributions that are installed with this one, as far as the table says."""
    found: set[str] = set()
    waiting = set(_companions().get(name, ()))
    while waiting:
        found |= waiting
        waiting = {further for one in waiting for further in _companions().get(one, ())} - found
    return frozenset(found)


def lines_of(name: str) -> list[str]:
    """The lines of a table, without comments."""
    data = Path(__file__).with_name("tables").joinpath(name).read_bytes()
    text = (gzip.decompress(data) if name.endswith(".gz") else data).decode()
    return [line for line in text.split("\n") if line and line[0] != "#"]


def _divided(line: str) -> tuple[str, str]:
    """The first word, and the rest."""
    first, _, rest = line.partition(" ")
    return first, rest
