"""R304 to R307, R309: would the same declarations bring the same software again."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from assay.findings import Confidence, Finding, Location, Severity, numbers, quote
from assay.patterns import regex
from assay.repository.rules.environment import CODE, GOOD, PINNED, declaring
from assay.repository.rules.instrument import applies_if, loos, repository
from assay.repository.rules.wording import counted, listed

if TYPE_CHECKING:
    from assay.repository.environment import Declared, Dependency, Problem
    from assay.repository.facts import Repository


_LIBRARY = frozenset({"setup.py", "setup.cfg", "pyproject", "DESCRIPTION"})
"""Where a library rightly declares ranges, so that others can install it beside their own packages."""
_RELEASE = regex(r"@v?\d+(?:\.\d+)+$")
"""A tag of a release at the end of an address: it can be moved, and hardly ever is."""
_BESIDE = regex(
    r"(?:^|[/_.-])(?:docs?|readthedocs|tests?|testing|dev|develop|lint|ci|github|travis|noxfile)(?:[/_.-]|$)",
    re.IGNORECASE,
)
"""Manifests for documentation, tests, development and automation: they do not make the result."""
_DUMP = 10
_NO_PART = frozenset(
    {
        "pip", "setuptools", "wheel", "Base", "Dates", "DelimitedFiles", "Distributed", "Downloads", "InteractiveUtils",
        "LinearAlgebra", "Logging", "Markdown", "Pkg", "Printf", "Profile", "Random", "SHA", "Serialization",
        "SharedArrays", "SparseArrays", "Statistics", "Test", "TOML", "Unicode", "UUIDs",
    }
)  # fmt: skip
"""What is there anyhow: Python's installers and Julia's standard library."""
_NOT_ON_PYPI = frozenset(
    {
        "collections", "contextlib", "copy", "functools", "gc", "heapq", "inspect", "io", "itertools", "json", "math",
        "operator", "os", "pickle", "random", "re", "shutil", "string", "struct", "sys", "tempfile", "threading",
        "time", "traceback", "urllib", "warnings",
    }
)  # fmt: skip
"""Modules of Python that no distribution is called after: pip stops at such a line."""


def countable(facts: Repository) -> list[Dependency]:
    """Dependencies that the work itself needs: no groups for tests and documentation, no paths.

    Without a manifest, what a container or a script installs is all that is declared.
    """
    environment = facts.environment
    return [
        d
        for d in environment.dependencies or environment.installed
        if own_declarations(d) and any(one.applies for one in d.declared) and d.pin != "path"
        if d.name not in _NO_PART | _NOT_ON_PYPI
    ]


def own_declarations(dependency: Dependency) -> list[Declared]:
    """The declarations that are not for tests, documentation or development."""
    return [one for one in dependency.declared if not one.group and not _BESIDE.search(one.location.path)]


@repository.rule(
    "R304",
    title="Unpinned versions",
    severity=Severity.WARNING,
    failing="==> requirements.txt <==\nnumpy\ntorch>=1.0\n" + CODE,
    passing=GOOD,
    source=loos("section 4.3, Table 5.1: strict declarations in the configuration file"),
    advice="Write the versions that gave the result (`pip freeze` shows them), or commit a lock file.",
)
@applies_if(countable, otherwise="nothing is declared")
def unpinned(facts: Repository) -> Iterator[Finding]:
    """Packages change: what installs today is not what gave the result, and may not even run with it."""
    wanted = countable(facts)
    loose = [d for d in wanted if not d.pin.strict]
    if not loose:
        return
    firsts = [own_declarations(d)[0] for d in loose]
    first = firsts[0]
    library = all(one.kind.value in _LIBRARY for d in loose for one in own_declarations(d))
    in_passing = not facts.environment.dependencies  # the missing list of packages is reported by itself
    yield unpinned.finding(
        f"{len(loose)} of {len(wanted)} dependencies have no exact version: {listed([d.name for d in loose])}",
        location=first.location,
        evidence=[
            *(quote(one.written or one.name, one.location) for one in firsts[:3]),
            numbers({"exact": len(wanted) - len(loose), "not exact": len(loose)}),
        ],
        advice=_how_to_pin(first, library=library),
        severity=Severity.NOTE if library or in_passing or len(loose) < len(wanted) / 2 else None,
    )


def _how_to_pin(first: Declared, *, library: bool) -> str:
    if first.language.value != "python":
        return "Commit the lock file: renv.lock in R, Manifest.toml in Julia."
    if library:
        return "Keep the ranges, and commit a lock file (`uv lock`, or `pip freeze`) that records what gave the result."
    return (
        f"In {first.location.path} write `{first.name}==` and the version that gave the result, and so on; "
        "or commit a lock file beside it."
    )


@repository.rule(
    "R305",
    title="Empty or invalid dependency file",
    severity=Severity.WARNING,
    failing="==> requirements.txt <==\nnumpy==1.26.4; python_version < '3.0'\n==> train.py <==\nimport numpy\n",
    passing=GOOD,
    source=loos("section 4.3: configuration file"),
    advice="Fix the line, and try the file in a fresh environment.",
)
@applies_if(lambda facts: facts.environment.manifests, otherwise="there is no manifest")
def broken_manifest(facts: Repository) -> Iterator[Finding]:
    """An installer stops at a line that it does not understand, or installs nothing without a message."""
    from assay.repository.environment import Kind

    by_file: dict[str, list[Problem]] = {}
    for problem in facts.environment.problems:
        by_file.setdefault(problem.location.path, []).append(problem)
    for first, *more in by_file.values():
        yield broken_manifest.finding(
            first.message + (f"; likewise {counted(len(more), 'other line')}" if more else ""),
            location=first.location,
            evidence=[facts.quote(problem.location) for problem in (first, *more[:2])],
        )
    yield from _modules_of_python(facts)
    for manifest in declaring(facts):
        idle = [d for d in facts.environment.declared if d.location.path == manifest.path]
        if idle and not any(d.applies for d in idle):
            yield broken_manifest.finding(
                f"no current system satisfies the markers of its {counted(len(idle), 'line')}, so nothing is installed",
                location=idle[0].location,
                evidence=[facts.quote(idle[0].location)],
            )
        elif manifest.kind in {Kind.REQUIREMENTS, Kind.CONDA} and not facts.environment.dependencies:
            yield broken_manifest.finding(
                f"{manifest.path} declares no package",
                location=Location(manifest.path),
            )


def _modules_of_python(facts: Repository) -> Iterator[Finding]:
    found = [d for d in facts.environment.declared if d.name in _NOT_ON_PYPI and d.kind.value == "requirements"]
    if found:
        names = listed(list(dict.fromkeys(f"`{d.name}`" for d in found)))
        yield broken_manifest.finding(
            f"{names} {'is' if len(found) == 1 else 'are'} part of Python, and pip finds no such package",
            location=found[0].location,
            evidence=[facts.quote(d.location) for d in found[:3]],
            advice="Delete the line, and try the file in a fresh environment.",
        )


@repository.rule(
    "R306",
    title="Contradictory dependency files",
    severity=Severity.WARNING,
    failing=PINNED + "==> environment.yml <==\ndependencies:\n  - python=3.11\n  - numpy=1.19.2\n" + CODE,
    passing=PINNED + "==> environment.yml <==\ndependencies:\n  - python=3.11\n  - numpy=1.26.4\n" + CODE,
    source=loos("section 4.3: strict declarations avoid compatibility problems"),
    advice="Keep one of the two files, or make both name the version that gave the result.",
    confidence=Confidence.MEDIUM,
)
@applies_if(lambda facts: len(declaring(facts)) > 1, otherwise="there are no two manifests")
def contradicting(facts: Repository) -> Iterator[Finding]:
    """The two files install different environments, and only one of them gave the result."""
    groups: dict[bool, list[tuple[str, dict[str, Declared]]]] = {}
    for dependency in facts.environment.dependencies:
        exact = {_version(d.specifier): d for d in reversed(dependency.declared) if _fixes_the_root(d, facts)}
        files = {d.location.path for d in exact.values()}
        if len(files) > 1 and "" not in exact:
            alternatives = len({d.kind for d in exact.values()}) < len(files)  # several environments are kept
            groups.setdefault(alternatives, []).append((dependency.name, exact))
    for alternatives, found in groups.items():
        name, exact = found[0]
        stated = (f"{version} in {exact[version].location.path}" for version in sorted(exact))
        places = list(exact.values())[:2]
        others = f"; likewise {listed([other for other, _ in found[1:]])}" if len(found) > 1 else ""
        yield contradicting.finding(
            f"{name} is {' and '.join(stated)}{others}",
            subject=name,
            location=places[0].location,
            evidence=[quote(d.written or d.specifier, d.location) for d in places],
            severity=Severity.NOTE if alternatives else None,
            advice="Are they for different machines or steps? Say which one gave the result." if alternatives else "",
        )


def _fixes_the_root(one: Declared, facts: Repository) -> bool:
    """Whether a line fixes one version, on every system, in a manifest for the whole repository."""
    from assay.repository.environment import Pin

    whole = {m.path for m in declaring(facts) if not m.scope}
    return one.pin in {Pin.EXACT, Pin.HASHED} and one.applies and not one.marker and one.location.path in whole


def _version(specifier: str) -> str:
    return specifier.lstrip("=v ").partition(";")[0].partition("=")[0].strip()


@repository.rule(
    "R307",
    title="Unstable or local dependency",
    severity=Severity.WARNING,
    failing="==> requirements.txt <==\ngit+https://github.com/openai/CLIP.git\n==> train.py <==\nimport clip\n",
    passing="==> requirements.txt <==\n"
    "git+https://github.com/openai/CLIP.git@a1d071733d7111c9c014f024669f959182114e33\n==> train.py <==\nimport clip\n",
    source=loos("section 4.3: dependencies must be publicly available, versions strict"),
    advice="Add `@` and the full hash of the commit you used.",
)
@applies_if(lambda facts: facts.environment.dependencies, otherwise="nothing is declared")
def moving(facts: Repository) -> Iterator[Finding]:
    """A branch changes over time, and a path on the author's disk exists nowhere else."""
    from assay.repository.environment import Pin

    on_one_machine: dict[str, list[Declared]] = {}
    on_branches: dict[str, list[Declared]] = {}
    declared = ((d.pin, one) for d in facts.environment.dependencies for one in own_declarations(d)[:1])
    for pin, first in declared:
        if pin is Pin.PATH and _is_foreign(first.specifier):
            on_one_machine.setdefault(first.location.path, []).append(first)
        elif pin is Pin.VCS and not _RELEASE.search(first.specifier):
            on_branches.setdefault(first.location.path, []).append(first)
    for path, several in on_branches.items():
        names = listed([one.name for one in several])
        yield moving.finding(
            f"{names} follow{'s' if len(several) == 1 else ''} a branch or tag, which can change",
            subject=several[0].name if len(several) == 1 else path,
            location=several[0].location,
            evidence=[quote(one.written or one.specifier, one.location) for one in several[:3]],
        )
    for path, several in on_one_machine.items():
        first = min(several, key=lambda one: one.location.line or 0)
        yield moving.finding(
            f"pip cannot install {path}: {_paths(several)} on the author's machine",
            subject=path,
            location=first.location,
            evidence=[quote(one.written or one.specifier, one.location) for one in several[:3]],
            advice=f"Write the releases (`{first.name}==` and its version); `pip list --format=freeze` prints them.",
            severity=Severity.ERROR,
        )


def _paths(several: list[Declared]) -> str:
    names = listed([one.name for one in several])
    return f"{names} is a path" if len(several) == 1 else f"{len(several)} packages ({names}) are paths"


def _is_foreign(specifier: str) -> bool:
    """Whether a path leads out of the repository."""
    path = specifier.removeprefix("@").strip().removeprefix("file://")
    return path.startswith(("/", "~", "\\")) or path[1:3] in {":\\", ":/"}


@repository.rule(
    "R309",
    title="Unused dependency",
    severity=Severity.NOTE,
    failing="==> requirements.txt <==\nnumpy==1.26.4\ntensorflow==2.15.0\n==> train.py <==\nimport numpy\n",
    passing=GOOD,
    source=loos("section 4.3: software environment"),
    advice="Remove it if no code needs it.",
    confidence=Confidence.MEDIUM,
)
@applies_if(countable, otherwise="nothing is declared")
def unused(facts: Repository) -> Iterator[Finding]:
    """A package that nothing imports makes the environment larger and harder to resolve, and hides what is needed."""
    by_path: dict[str, list[str]] = {}
    first: dict[str, Declared] = {}
    for one in facts.environment.unused:
        if _is_dump(facts, one.location.path):
            continue
        by_path.setdefault(one.location.path, []).append(one.name)
        first.setdefault(one.location.path, one)
    for path, names in by_path.items():
        yield unused.finding(
            f"no file of the repository imports {listed(names)}",
            location=first[path].location,
            evidence=[quote(first[path].written or first[path].name, first[path].location)],
        )


def _is_dump(facts: Repository, path: str) -> bool:
    """Whether a manifest is what `pip freeze` printed, which lists what others need as well."""
    pins = [d.pin.strict for d in facts.environment.declared if d.location.path == path]
    return len(pins) >= _DUMP and sum(pins) * 10 >= len(pins) * 9
