"""Tests, and the services that run them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from assay.code import Code, Source
from assay.code.suites import tests_something
from assay.findings import Location
from assay.patterns import regex
from assay.records import dataclass
from assay.tree import File, Tree

_SERVICES = (
    (regex(r"\.github/workflows/[^/]+\.ya?ml"), "GitHub Actions"),
    (regex(r"\.gitlab-ci\.ya?ml|\.gitlab/ci/[^/]+\.ya?ml"), "GitLab CI"),
    (regex(r"\.travis\.ya?ml"), "Travis CI"),
    (regex(r"\.circleci/config\.ya?ml"), "CircleCI"),
    (regex(r"\.?azure-pipelines(?:[-.][\w-]+)?\.ya?ml"), "Azure Pipelines"),
    (regex(r"\.?appveyor\.ya?ml"), "AppVeyor"),
    (regex(r"Jenkinsfile"), "Jenkins"),
    (regex(r"\.drone\.ya?ml|\.woodpecker(?:\.ya?ml|/[^/]+\.ya?ml)"), "Drone"),
    (regex(r"bitbucket-pipelines\.ya?ml"), "Bitbucket Pipelines"),
    (regex(r"\.cirrus\.ya?ml"), "Cirrus CI"),
    (regex(r"\.(?:ci|buildkite)/[^/]+"), "another service"),
)
_RUNS_TESTS = regex(
    r"\bpytest\b|\bpy\.test\b|\btox\b|\bnox\b|-m unittest|\bnosetests?\b|\bmake\s+\w*(?:test|check)\w*|setup\.py test\b"
    r"|\bhatch\s+(?:run\s+)?test|\bpdm\s+(?:run\s+)?test|\bnbmake\b|\bdevtools::test\b|\btestthat\b"
    r"|R CMD check|rcmdcheck|\bPkg\.test\b|julia-runtest|\bjust\s+test|\bbash\s+\S*test\S*\.sh|\bpoe\s+test"
    r"|\brun-?tests?\b"
)
_INSTALLS = regex(r"\b(?:pip3?|conda|mamba|uv|poetry|apt-get)\s+(?:\w+\s+)*(?:install|add)\b[^&|;]*")
_TEST_FILE = regex(r"(?:test_[^/]*|[^/]*_tests?|tests?)\.(?:py|R|r|jl)|test-[^/]*\.[Rr]")
_MOST_BYTES = 512 * 1024


@dataclass(frozen=True, slots=True)
class Pipeline:
    """One file of a service that builds on every change; `tests` are the places where it runs tests."""

    service: str
    location: Location
    tests: tuple[Location, ...]


@dataclass(frozen=True, slots=True)
class Suite:
    """Test files, and how many test functions the Python ones have."""

    files: tuple[Location, ...]
    functions: int


def read_pipelines(tree: Tree) -> Iterator[Pipeline]:
    """The configuration of continuous integration, of this repository alone."""
    for file in tree.own:
        service = next((name for pattern, name in _SERVICES if pattern.fullmatch(file.path)), None)
        if service is not None and file.size <= _MOST_BYTES:
            yield Pipeline(service, Location(file.path), tuple(_test_lines(file)))


def _test_lines(file: File) -> Iterator[Location]:
    """Lines that run tests; installing a test runner is not running it."""
    for number, line in enumerate(file.text().split("\n"), 1):
        code = _INSTALLS.sub(" ", line[:1000].partition(" #")[0])
        runs = _RUNS_TESTS.search(code)
        if (
            runs
            and not line.lstrip().startswith("#")
            and not re.match(r"\s*-?\s*(?:name|uses|key|path|image|value|deps):", code)
        ):
            yield Location(file.path, number)


def read_tests(tree: Tree, code: Code) -> Suite:
    """Files that hold tests by name, and test functions in Python files so named or below a folder of tests.

    Scripts that only evaluate a model are named alike, and do not count.
    """
    evaluating = {s.path for s in code.python if _TEST_FILE.fullmatch(_name(s)) and _only_evaluates(s)}
    files = [Location(f.path) for f in tree.own if _TEST_FILE.fullmatch(f.name) and f.path not in evaluating]
    holding = (s for s in code.python if s.path not in evaluating and _may_hold_tests(s))
    return Suite(tuple(files), sum(_test_functions(s) for s in holding))


def _name(source: Source) -> str:
    return source.path.rpartition("/")[2]


def _may_hold_tests(source: Source) -> bool:
    folders = source.path.split("/")[:-1]
    return _TEST_FILE.fullmatch(_name(source)) is not None or any(f in {"test", "tests", "testing"} for f in folders)


def _only_evaluates(source: Source) -> bool:
    """Whether a file called like a test has none. `def test_model(loader)` in `test.py` is none either."""
    if source.tree is None or tests_something(source):
        return False
    return _name(source) in {"test.py", "tests.py"} or not _test_functions(source)


def _test_functions(source: Source) -> int:
    names = [f.name for f in source.nodes(ast.FunctionDef)] + [f.name for f in source.nodes(ast.AsyncFunctionDef)]
    return sum(name.startswith("test") for name in names)
