"""`module load pytorch/1.12`: what a computing centre has installed, and a job asks for by name."""

from __future__ import annotations

from assay.findings import Location
from assay.repository.environment.declared import Reading
from assay.repository.environment.manifests.conda import declared_spec
from assay.repository.environment.requirement import Context
from assay.repository.environment.usage import is_unmistakable

_VERBS = frozenset({"load", "add"})
_BUNDLES = {
    "scipy-bundle": ("numpy", "scipy", "pandas"),
    "scipy-stack": ("numpy", "scipy", "matplotlib", "pandas", "sympy"),
}
"""Modules of EasyBuild and of the Digital Research Alliance of Canada that have several packages."""


def loads(words: list[str]) -> bool:
    """Whether a command loads modules of a cluster."""
    return words[:1] == ["module"] and not _VERBS.isdisjoint(words[1:2])


def read_modules(words: list[str], location: Location, reading: Reading) -> None:
    """Packages of Python among the modules; compilers and drivers are none."""
    for word in words[2:]:
        name = word.partition("/")[0].lower()
        several = _BUNDLES.get(name) or ((name,) if is_unmistakable(name) else ())
        for one in several:
            declared = declared_spec(one, Context(reading.kind, location))
            reading.declared += [declared] if declared is not None else []
