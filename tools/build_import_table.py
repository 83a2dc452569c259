"""Make the tables that tell which distribution provides a module (``assay.repository.environment.tables``).

    .venv/bin/python tools/build_import_table.py --pigar pigar/.db.sqlite3 --pipreqs pipreqs/mapping \
        --top top-pypi-packages.csv --conda compressed_mapping.json

The four sources, all facts gathered by others and named in the tables' README:

- ``--pigar``: the database inside the wheel of pigar (PyPI), the top-level modules of every distribution;
- ``--pipreqs``: the file ``mapping`` inside the wheel of pipreqs (PyPI), for distributions that pigar lacks;
- ``--top``: ``top-pypi-packages.csv`` of github.com/hugovk/top-pypi-packages, the most downloaded first;
- ``--conda``: ``files/v0/conda-forge/compressed_mapping.json`` of github.com/prefix-dev/parselmouth.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
import re
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

from packaging.utils import canonicalize_name

from assay.repository.environment import public_names

TABLES = Path(__file__).parents[1] / "src" / "assay" / "repository" / "environment" / "tables"
CROWDED = 25
"""A module that so many distributions ship is there by accident, unless a popular one is known for it (`cv2`)."""
SHARED = 3
"""A little-known distribution, or part of a shared package, is not known for what more than so many ship."""
OVERRUN = 100
"""A module that so many ship (`tests`, `utils`) is nobody's."""
POPULAR = 2000
"""Up to this rank a distribution is well enough known."""
UNRANKED = 1_000_000
GENERIC = frozenset((TABLES / "generic.txt").read_text(encoding="utf-8").split())
"""Names that research code gives to its own modules; that PyPI has them too means nothing."""
NAMESPACES = frozenset((TABLES / "namespaces.txt").read_text(encoding="utf-8").split())
"""Packages that many distributions share, each with a part called like itself: azure-storage-blob."""


def read_modules(pigar: Path, pipreqs: Path) -> tuple[dict[str, set[str]], dict[str, str]]:
    """What each distribution on PyPI installs at the top level, and its version."""
    found: dict[str, set[str]] = defaultdict(set)
    versions: dict[str, str] = {}
    query = """
        SELECT d.name, d.version, m.name
        FROM top_level_module_names m JOIN distributions d ON d.id = m.distribution_id
    """
    with sqlite3.connect(pigar) as database:
        for distribution, version, module in database.execute(query):
            found[canonicalize_name(distribution)].add(module)
            versions[canonicalize_name(distribution)] = version
    lacking: dict[str, set[str]] = defaultdict(set)
    for line in pipreqs.read_text(encoding="utf-8").split():
        module, _, distribution = line.partition(":")
        lacking[canonicalize_name(distribution)].add(module)
    return {**lacking, **found}, versions


def kept_modules(
    distribution: str, modules: set[str], rank: Mapping[str, int], crowd: Counter[str], owner: Mapping[str, str]
) -> list[str]:
    """The modules that an import of that name would be meant for."""
    own = rank.get(distribution, UNRANKED)
    kept = []
    for module in sorted(modules):
        if not module.isidentifier() or module.startswith("_") or module.endswith("__mypyc") or module in NAMESPACES:
            continue
        best = owner.get(module, distribution)
        accident = crowd[module] >= CROWDED and not (rank.get(best, UNRANKED) < POPULAR and crowd[module] < OVERRUN)
        related = _related(distribution, module)
        entitled = distribution == best or related or _same_family(distribution, best)
        part = not NAMESPACES.isdisjoint(modules)
        obscure = (own == UNRANKED or part) and not related and crowd[module] > SHARED
        if not accident and not obscure and (entitled or own <= rank.get(best, UNRANKED)):
            kept.append(module)
    return kept


def _same_family(distribution: str, other: str) -> bool:
    """Variants of one thing share the first word: opencv-python, opencv-contrib-python-headless."""
    return distribution.partition("-")[0] == other.partition("-")[0]


def _related(distribution: str, module: str) -> bool:
    one, other = distribution.replace("-", ""), canonicalize_name(module).replace("-", "")
    return one in other or other in one


def distribution_lines(found: Mapping[str, set[str]], ranked: list[str], conda: Iterable[str]) -> list[str]:
    """One line for each distribution, the most downloaded first; its modules unless they are called like it."""
    rank = {name: i for i, name in enumerate(ranked)}
    chosen = [*ranked, *sorted(set(conda) - rank.keys())]
    crowd = Counter(module for modules in found.values() for module in modules)
    owner: dict[str, str] = {}
    for name in chosen:
        for module in found.get(name, ()):
            owner.setdefault(module, name)
    lines = []
    for name in chosen:
        alike = name.replace("-", "_")
        shipped = found.get(name, {alike})
        modules = kept_modules(name, shipped, rank, crowd, owner)
        if not NAMESPACES.isdisjoint(shipped) and alike not in modules:
            modules.append(alike)
        if modules == [alike]:
            lines.append(name)
        elif modules:
            lines.append(f"{name} {' '.join(modules)}")
    return lines


def lesser_lines(found: Mapping[str, set[str]], versions: Mapping[str, str], known: Iterable[str]) -> list[str]:
    """Distributions beyond the table that have outgrown version 0.1 and whose modules their names do not tell."""
    crowd = Counter(module for modules in found.values() for module in modules)
    have = {line.partition(" ")[0] for line in known}
    lines = []
    for name in sorted(found.keys() - have):
        own = sorted(m for m in found[name] if m.isidentifier() and m[0] != "_" and crowd[m] <= SHARED)
        grown = re.match(r"[1-9]\d*\.|0\.([2-9]|\d\d)", versions.get(name, ""))
        if own and grown and not any(_related(name, module) for module in found[name]):
            lines.append(f"{name} {' '.join(own[:3])}")
    return lines


def names_on_pypi(found: Mapping[str, set[str]]) -> set[str]:
    """Modules that at least one distribution is called like; shipped by accident, none is."""
    crowd = Counter(module for modules in found.values() for module in modules)
    return {
        module
        for name, modules in found.items()
        for module in modules
        if module.isidentifier() and module[0] != "_" and crowd[module] < CROWDED and _related(name, module)
    } - GENERIC


def conda_lines(mapping: Mapping[str, list[str] | None]) -> list[str]:
    """Names on conda-forge that differ from the one on PyPI; a package made of many distributions is left out."""
    lines = []
    for name, distributions in sorted(mapping.items()):
        normal = sorted({canonicalize_name(d) for d in distributions or ()})
        if normal and canonicalize_name(name) not in normal and len(normal) <= 4:
            lines.append(f"{canonicalize_name(name)} {' '.join(normal)}")
    return lines


def write(name: str, lines: Iterable[str]) -> None:
    """A compressed table, the same bytes for the same lines."""
    text = "".join(f"{line}\n" for line in lines)
    (TABLES / name).write_bytes(gzip.compress(text.encode(), 9, mtime=0))


def main() -> None:
    """Read the sources and write the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for source in ("pigar", "pipreqs", "top", "conda"):
        parser.add_argument(f"--{source}", type=Path, required=True)
    given = parser.parse_args()
    found, versions = read_modules(given.pigar, given.pipreqs)
    with given.top.open(encoding="utf-8", newline="") as file:
        ranked = list(dict.fromkeys(canonicalize_name(row["project"]) for row in csv.DictReader(file)))
    mapping = json.loads(given.conda.read_text(encoding="utf-8"))
    conda = {canonicalize_name(d) for distributions in mapping.values() for d in distributions or ()}
    lines = distribution_lines(found, ranked, conda)
    write("distributions.txt.gz", lines)
    write("lesser.txt.gz", lesser_lines(found, versions, lines))
    write("conda.txt.gz", conda_lines(mapping))
    (TABLES / public_names.FILE).write_bytes(public_names.made_of(names_on_pypi(found)))


if __name__ == "__main__":
    main()
