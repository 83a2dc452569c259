"""Containers, Binder, continuous integration, tests and citation, read off small repositories."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.code import read_code
from assay.repository.infrastructure import Buildpack, InfrastructureFacts, Pin, read_infrastructure
from assay.tree import tree_of


def facts_of(files: dict[str, str]) -> InfrastructureFacts:
    tree = tree_of(files)
    return read_infrastructure(tree, read_code(tree))


# --- containers ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "name", "tag", "pin"),
    [
        ("FROM python", "python", "", Pin.NONE),
        ("FROM python:latest", "python", "latest", Pin.NONE),
        ("FROM python:3.9-slim", "python", "3.9-slim", Pin.LOOSE),
        ("FROM --platform=linux/amd64 nvcr.io/a/pytorch:20.12-py3", "nvcr.io/a/pytorch", "20.12-py3", Pin.LOOSE),
        ("FROM python:3.9@sha256:0123abcd AS base", "python", "3.9", Pin.EXACT),
        ("FROM localhost:5000/a/b:1", "localhost:5000/a/b", "1", Pin.LOOSE),
        ("ARG V=3.8\nFROM python:${V}", "python", "3.8", Pin.LOOSE),
        ("FROM python:${V:-3.7}${GPU:+-gpu}", "python", "3.7", Pin.LOOSE),
    ],
)  # fmt: skip
def test_base_images_are_read_with_how_exactly_they_are_named(line: str, name: str, tag: str, pin: Pin) -> None:
    [container] = facts_of({"Dockerfile": f"# a comment\n{line}\n"}).containers
    [base] = container.bases
    assert (base.name, base.tag, base.pin) == (name, tag, pin)
    assert base.location.line == line.count("\n") + 2


def test_a_stage_is_no_image() -> None:
    [container] = facts_of({"gpu.Dockerfile": "FROM a:1 AS build\nFROM build\nFROM b:2\n"}).containers
    assert [b.name for b in container.bases] == ["a", "b"]


def test_an_image_that_its_service_builds_is_not_fetched() -> None:
    services = "services:\n  own:\n    image: krock\n    build:\n      context: .\n  db:\n    image: postgres\n"
    [container] = facts_of({"docker-compose.yml": services}).containers
    assert [base.name for base in container.bases] == ["postgres"]


def test_compose_files_and_singularity_recipes_are_containers() -> None:
    facts = facts_of(
        {
            "docker-compose.yml": "services:\n  db:\n    image: postgres:13\n",
            "a.def": "Bootstrap: docker\nFrom: ubuntu:20.04\n\n%post\n  apt-get install -y git\n",
            "b.def": "EXPORTS\n",
            ".dockerignore": "x",
            "docs/dockerfile.md": "FROM x",
        }
    )
    assert [(c.path, c.bases[0].tag) for c in facts.containers] == [("a.def", "20.04"), ("docker-compose.yml", "13")]


# --- Binder ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("files", "buildpack", "winner", "ignored"),
    [
        ({}, Buildpack.NONE, None, ()),
        ({"requirements.txt": ""}, Buildpack.PYTHON, "requirements.txt", ()),
        ({"requirements.txt": "", "setup.py": ""}, Buildpack.PYTHON, "setup.py", ()),
        ({"requirements.txt": "", "environment.yml": ""}, Buildpack.CONDA, "environment.yml", ("requirements.txt",)),
        ({"environment.yml": "", "Dockerfile": ""}, Buildpack.DOCKER, "Dockerfile", ("environment.yml",)),
        ({"runtime.txt": "r-4.1-2022-01-01", "install.R": ""}, Buildpack.R, "runtime.txt", ()),
        ({"runtime.txt": "r-2022-01-01"}, Buildpack.R, "runtime.txt", ()),
        ({"runtime.txt": "python-3.7"}, Buildpack.PYTHON, "runtime.txt", ()),
        ({"Project.toml": "", "Pipfile": ""}, Buildpack.JULIA, "Project.toml", ("Pipfile",)),
        ({"binder/Pipfile": "", "requirements.txt": ""}, Buildpack.PIPFILE, "binder/Pipfile", ("requirements.txt",)),
        ({"binder/postBuild": "", "setup.py": ""}, Buildpack.NONE, None, ("setup.py",)),
        ({"pyproject.toml": "[project]\n[build-system]\n"}, Buildpack.PYTHON, "pyproject.toml", ()),
        ({"pyproject.toml": "[tool.black]\n"}, Buildpack.NONE, None, ("pyproject.toml",)),
    ],
)  # fmt: skip
def test_the_first_file_that_binder_looks_for_wins(
    files: dict[str, str], buildpack: Buildpack, winner: str | None, ignored: tuple[str, ...]
) -> None:
    binder = facts_of(files).binder
    assert binder.buildpack is buildpack
    assert (binder.winner and binder.winner.path) == winner
    assert binder.ignored == ignored


def test_two_binder_folders_exclude_each_other() -> None:
    binder = facts_of({"binder/apt.txt": "", ".binder/apt.txt": ""}).binder
    assert binder.both_folders
    assert binder.also_read == (".binder/apt.txt",)


# --- tests and pipelines ---------------------------------------------------------------------------


def test_pipelines_that_run_tests_are_told_from_those_that_do_not() -> None:
    workflow = (
        "name: pytest\non: [push]\njobs:\n  build:\n    steps:\n"
        "      - run: pip install pytest tox\n"
        "      # - run: pytest\n"
        "      - name: run pytest\n"
        "        run: python -m pytest tests\n"
    )
    facts = facts_of(
        {
            ".github/workflows/ci.yml": workflow,
            ".github/workflows/docs.yml": "jobs:\n  x:\n    steps:\n      - run: mkdocs build\n",
            ".travis.yml": "script:\n  - make test\n",
            "third_party/x/.travis.yml": "script: pytest",
        }
    )
    assert [(p.service, p.location.path, [t.line for t in p.tests]) for p in facts.pipelines] == [
        ("GitHub Actions", ".github/workflows/ci.yml", [9]),
        ("GitHub Actions", ".github/workflows/docs.yml", []),
        ("Travis CI", ".travis.yml", [2]),
    ]


def test_tests_are_counted() -> None:
    facts = facts_of(
        {
            "tests/test_a.py": "def test_x(): ...\nclass TestY:\n    def test_z(self): ...\n    def other(self): ...\n",
            "tests/helper.py": "def test_in_helper(): ...",
            "pkg/model_test.py": "def test_m(): ...",
            "train.py": "def test_step(): ...",
            "tests/testthat/test-b.R": "test_that('x', {})",
        }
    )
    assert [t.path for t in facts.tests.files] == ["pkg/model_test.py", "tests/test_a.py", "tests/testthat/test-b.R"]
    assert facts.tests.functions == 4


@pytest.mark.parametrize(
    ("path", "text", "files", "functions"),
    [
        ("test.py", "def test(model, loader): ...", 0, 0),
        ("test.py", "def test_model(loader): ...", 0, 0),
        ("test.py", "model = load('x')\nprint(model.score())", 0, 0),
        ("test_net.py", "model = load('x')\nprint(model.score())", 0, 0),
        ("test.py", "def test_model(): ...", 1, 1),
        ("tests.py", "import unittest\nclass A(unittest.TestCase):\n    def testB(self): ...", 1, 1),
        ("test_net.py", "def test_loss(tmp_path): ...", 1, 1),
        ("test.py", "does not parse", 1, 0),
    ],
)  # fmt: skip
def test_a_script_that_evaluates_a_model_is_no_test(path: str, text: str, files: int, functions: int) -> None:
    tests = facts_of({path: text}).tests
    assert (len(tests.files), tests.functions) == (files, functions)


# --- publication -----------------------------------------------------------------------------------


def test_citation_and_doi_are_found() -> None:
    facts = facts_of(
        {
            "CITATION.cff": "doi: 10.5281/zenodo.123\n",
            "CHANGELOG.md": "",
            "README.md": "[![DOI](https://zenodo.org/badge/DOI/10.5281/zenodo.123.svg)]\n(see doi:10.1000/xyz.5).\n",
        }
    )
    publication = facts.publication
    assert [c.path for c in publication.citations] == ["CITATION.cff"]
    assert [h.path for h in publication.history] == ["CHANGELOG.md"]
    assert [(d.doi, str(d.location), d.archive) for d in publication.dois] == [
        ("10.5281/zenodo.123", "CITATION.cff:1", True),
        ("10.1000/xyz.5", "README.md:2", False),
    ]


# --- anything at all -------------------------------------------------------------------------------

WORDS = [
    "FROM ",
    "RUN ",
    "ARG ",
    "pip install ",
    "${x",
    ":-",
    "}",
    "\\\n",
    "\n",
    "@sha256:",
    "&&",
    "a",
    "=",
    "'",
    "[project]",
    "-r ",
    " ",
]


@given(st.lists(st.sampled_from(WORDS), max_size=20).map("".join))
def test_any_text_can_stand_in_any_file(text: str) -> None:
    names = ["Dockerfile", "runtime.txt", "pyproject.toml", ".travis.yml", "compose.yml", "x.def", "README.md"]
    assert len(facts_of(dict.fromkeys(names, text)).pipelines) == 1


@pytest.mark.parametrize(
    "text", ["make t" * 50_000, "pip " * 100_000, "RUN " + "-a " * 60_000, "\\\n" * 100_000, "${" * 80_000]
)
def test_text_made_to_be_slow_is_not(text: str) -> None:
    facts = facts_of({"Dockerfile": text, ".travis.yml": text, "README.md": text, "x.def": text})
    assert len(facts.containers) <= 2
