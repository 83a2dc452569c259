"""Which distribution provides a module, and under which name: the tables (see tables/README.md for their sources)."""

from __future__ import annotations

import gzip
from dataclasses import dataclass
from functools import cache
from importlib import resources

from packaging.utils import canonicalize_name

from assay.patterns import regex

_VARIANT = regex(r"-(?:cu(?:da)?\d[\d.x-]*|gpu|cpu|cuda|rocm[\d.-]*|nightly|mkl|headless|wheels?|bin|binary)$")
_MOST_PARTS = 4
_POPULAR = 3000


@dataclass(frozen=True)
class Table:
    """Distributions and their modules, both ways.

    Values are words in one string, not tuples: thirty thousand small objects would set off the garbage collector
    just when the heap is full of syntax trees.
    """

    modules: dict[str, str]
    """What a distribution (in normal form) provides; dotted for parts of shared packages."""
    providers: dict[str, str]
    """Who provides a module, the likeliest first. The module is as written, dotted for parts of shared packages."""
    alike: frozenset[str]
    """Distributions that are called like their module, however it is spelt."""
    namespaces: frozenset[str]
    conda: dict[str, str]
    obsolete: dict[str, str]
    """Names under which something else, or nothing, is to be had, and what is meant."""
    popular: frozenset[str]
    """Modules of the most downloaded distributions."""

    def providing(self, module: str) -> tuple[str, ...]:
        """Distributions that provide a dotted module, the likeliest first; none when it is unknown."""
        parts = module.split(".")
        for end in range(min(len(parts), _MOST_PARTS), 0, -1):
            name = ".".join(parts[:end])
            found = self.providers.get(name, "").split()
            if end < len(parts) and name in self.namespaces:  # called like the whole is not having the part
                return tuple(d for d in found if d not in self.alike)
            if end == 1 or self.is_shared(name):
                normal = canonicalize_name(name)
                found += [normal] if normal in self.alike and normal not in found else []
            if found:
                return tuple(found)
        return ()

    def provided_by(self, distribution: str) -> tuple[str, ...]:
        """Modules of a distribution; none when it is unknown. A variant (`-gpu`) has those of the original."""
        name = distribution
        while name not in self.modules and (shorter := _VARIANT.sub("", name)) != name:
            name = shorter
        return tuple((self.modules.get(name) or lesser_known().get(distribution, "")).split())

    def on_pypi(self, conda_name: str) -> str:
        """The name on PyPI of a package of conda; the same when nothing else is known."""
        normal = canonicalize_name(conda_name)
        return self.conda.get(normal, normal).partition(" ")[0]

    def is_shared(self, module: str) -> bool:
        """Whether a module is, or is part of, a package that many distributions share."""
        parts = module.split(".")
        return any(".".join(parts[:end]) in self.namespaces for end in (1, 2))


@cache
def table() -> Table:
    """The tables as shipped."""
    modules: dict[str, str] = {}
    alike = set()
    for name, rest in _lines("distributions.txt.gz"):
        called_so = name.replace("-", "_")
        modules[name] = rest or called_so
        if not rest or called_so in rest.split(" "):
            alike.add(name)
    for name, rest in _lines("supplement.txt"):
        modules[name] = rest
        alike.discard(name)
    providers: dict[str, str] = {}
    for name, provided in modules.items():
        for module in provided.split(" "):
            providers[module] = f"{providers[module]} {name}" if module in providers else name
    return Table(
        modules=modules,
        providers=providers,
        alike=frozenset(alike),
        namespaces=frozenset(name for name, _ in _lines("namespaces.txt")),
        conda=dict(_lines("conda.txt.gz")),
        obsolete=dict(_lines("obsolete.txt")),
        popular=frozenset(module for name in list(modules)[:_POPULAR] for module in modules[name].split()),
    )


@cache
def lesser_known() -> dict[str, str]:
    """Modules of distributions that hardly anybody uses: looked up when declared, never proposed."""
    return dict(_lines("lesser.txt.gz"))


@cache
def tools() -> tuple[frozenset[str], tuple[str, ...]]:
    """Distributions that work without being imported: whole names, and beginnings of names."""
    names = [name for name, _ in _lines("tools.txt")]
    return frozenset(n for n in names if not n.endswith("*")), tuple(n[:-1] for n in names if n.endswith("*"))


@cache
def generic_names() -> frozenset[str]:
    """Names that research code gives to its own modules, so that an import of one means a file of the repository."""
    return frozenset(name for name, _ in _lines("generic.txt"))


def _lines(name: str) -> list[tuple[str, str]]:
    """The first word of each line, and the rest."""
    data = resources.files(__package__).joinpath("tables", name).read_bytes()
    text = (gzip.decompress(data) if name.endswith(".gz") else data).decode()
    return [line.partition(" ")[::2] for line in text.split("\n") if line and line[0] != "#"]
