"""R801 to R805: containers, Binder, tests, and the services that run them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from assay.findings import Finding, Location, Severity, note
from assay.repository.rules.environment import CODE, GOOD, needs_something
from assay.repository.rules.instrument import applies_if, loos, repository
from assay.repository.rules.wording import counted, listed
from assay.rules import Source

if TYPE_CHECKING:
    from assay.repository.environment import Declared
    from assay.repository.facts import Repository

_DOCKER = "==> Dockerfile <==\nFROM {}\nRUN pip install {}\n"
_NUST = Source(
    "D. Nüst et al., Ten simple rules for writing Dockerfiles for reproducible data science, PLOS Computational "
    "Biology 16(11), 2020"
)
_TESTED = (
    "==> model.py <==\ndef f(x):\n    return x\n"
    "==> test_model.py <==\ndef test_f():\n    assert True\ndef test_g():\n    assert True\n"
)
_WORKFLOW = "==> .github/workflows/ci.yml <==\njobs:\n  test:\n    steps:\n      - run: {}\n"


@repository.rule(
    "R801",
    title="Unpinned container image",
    severity=Severity.WARNING,
    failing=_DOCKER.format("python:latest", "numpy==1.26.4"),
    passing=_DOCKER.format("python:3.11.8-slim", "numpy==1.26.4"),
    source=_NUST,
    advice="Name a version (`python:3.11.8-slim`), or better a digest (`@sha256:…`).",
)
@applies_if(
    lambda facts: [b for c in facts.infrastructure.containers for b in c.bases], otherwise="there is no container"
)
def moving_image(facts: Repository) -> Iterator[Finding]:
    """Without a tag, or with `latest`, the image is built on other software every few weeks."""
    from assay.repository.infrastructure import Pin

    for container in facts.infrastructure.containers:
        for base in container.bases:
            if base.pin is Pin.NONE and base.name != "scratch":
                yield moving_image.finding(
                    f"the {'image' if container.composes else 'base image'} {base.name} "
                    + (f'follows the moving tag "{base.tag}"' if base.tag else "has no tag, so the newest is used"),
                    subject=container.path,
                    location=base.location,
                    evidence=[facts.quote(base.location)],
                    severity=Severity.NOTE if container.composes else None,
                )


def _installed(facts: Repository) -> list[Declared]:
    """What the commands of recipes install by name, besides what the images bring."""
    from assay.repository.environment import Kind

    images = {base.location for container in facts.infrastructure.containers for base in container.bases}
    return [one for one in facts.environment.declared if one.kind is Kind.DOCKERFILE and one.location not in images]


@repository.rule(
    "R802",
    title="Unpinned packages in a container",
    severity=Severity.NOTE,
    failing=_DOCKER.format("python:3.11.8-slim", "numpy scipy"),
    passing=_DOCKER.format("python:3.11.8-slim", "numpy==1.26.4 scipy==1.12.0"),
    source=_NUST,
    advice="Write the versions, or install from a pinned requirements file that is copied into the image.",
)
@applies_if(_installed, otherwise="no container installs packages by name")
def unpinned_installation(facts: Repository) -> Iterator[Finding]:
    """A later build installs newer packages, so it gives a different environment."""
    for container in facts.infrastructure.containers:
        here = [one for one in _installed(facts) if one.location.path == container.path]
        loose = [one for one in here if not one.pin.strict and one.name not in _TOOLS]
        if loose:
            yield unpinned_installation.finding(
                f"packages without an exact version: {listed([one.written for one in loose])}",
                subject=container.path,
                location=loose[0].location,
                evidence=[facts.quote(loose[0].location)],
            )


_TOOLS = frozenset({"pip", "setuptools", "wheel", "uv", "poetry", "conda", "mamba", "pipenv"})


@repository.rule(
    "R803",
    title="No environment for Binder",
    severity=Severity.NOTE,
    failing=CODE,
    passing=GOOD,
    source=loos("section 4.4: out-of-the-box buildability"),
    advice="Put a requirements.txt, environment.yml or Dockerfile into the root, or into a folder `binder`.",
)
@applies_if(needs_something, otherwise="the code needs nothing but its language")
def not_buildable(facts: Repository) -> Iterator[Finding]:
    """Binder and repo2docker build environments from files in the root folder, and find none here."""
    from assay.repository.infrastructure import Buildpack

    binder = facts.infrastructure.binder
    if binder.both_folders:
        yield not_buildable.finding(
            "there are both `binder` and `.binder`, which repo2docker refuses",
            evidence=[note("repo2docker documentation, configuration files.")],
            advice="Keep one of the two folders.",
        )
    elif binder.buildpack is Buildpack.NONE:
        elsewhere = [m.path for m in facts.environment.manifests if m.kind.asks and not m.kind.weak]
        yield not_buildable.finding(
            "repo2docker finds no file to build from"
            + (f"; it does not look at {listed(elsewhere, 3)}" if elsewhere else ""),
            evidence=[note("It looks in `.binder`, `binder`, or else in the root, for files of fixed names.")],
        )


_FEWEST_TESTS = 2
"""A single function called so may as well test a model."""


def _test_files(facts: Repository) -> list[Location]:
    """Files that hold tests; a lone `test.py` evaluates a model more often than it tests code."""
    return [f for f in facts.infrastructure.tests.files if f.path.rpartition("/")[2] not in {"test.py", "tests.py"}]


@repository.rule(
    "R804",
    title="No tests",
    severity=Severity.NOTE,
    failing="==> model.py <==\ndef f(x):\n    return x\n",
    passing=_TESTED,
    source=Source("G. Wilson et al., Best Practices for Scientific Computing, PLOS Biology 12(1), 2014"),
    advice="Test at least that the whole pipeline runs on a few records and reproduces a known number.",
)
@applies_if(lambda facts: facts.code.own, otherwise="there is no code")
def no_tests(facts: Repository) -> Iterator[Finding]:
    """Without a test nobody can tell whether an installation works before the long computation is over."""
    if not _test_files(facts):
        yield no_tests.finding(
            "the repository has no tests",
            evidence=[note("Looked for test_*.py, *_test.py, test-*.R and folders of tests.")],
        )


@repository.rule(
    "R805",
    title="Tests without continuous integration",
    severity=Severity.NOTE,
    failing=_TESTED,
    passing=_TESTED + _WORKFLOW.format("pytest"),
    source=Source("G. Wilson et al., Best Practices for Scientific Computing, PLOS Biology 12(1), 2014"),
    advice="Let continuous integration install the environment from its manifest and run the tests.",
)
@applies_if(
    lambda facts: _test_files(facts) and facts.infrastructure.tests.functions >= _FEWEST_TESTS,
    otherwise="there are no tests",
)
def tests_not_run(facts: Repository) -> Iterator[Finding]:
    """A service that reinstalls everything at each change is the cheapest proof that others can install the code."""
    pipelines = facts.infrastructure.pipelines
    if not any(p.tests for p in pipelines):
        yield tests_not_run.finding(
            f"{counted(facts.infrastructure.tests.functions, 'test function')}, but "
            + (
                f"{listed([p.location.path for p in pipelines], 3)} runs none of them"
                if pipelines
                else "no continuous integration runs them"
            ),
            location=_test_files(facts)[0],
            evidence=[note("Looked at the configuration of the usual services of continuous integration.")],
        )
