"""R and Julia."""

from __future__ import annotations

import pytest
from seeded_trees import facts_of

from assay.repository.randomness import Framework, State


def state_of(files: dict[str, str], path: str) -> State:
    entry = next(e for e in facts_of(files).entry_points if e.path == path)
    return entry.coverage[0].state


@pytest.mark.parametrize(
    ("code", "state"),
    [
        ("set.seed(123)\nx <- rnorm(10)\n", State.FIXED),
        ("x <- sample(1:10)\n", State.MISSING),
        ("# set.seed(123)\nx <- rnorm(10)\n", State.MISSING),
        ("seed <- 42L\nset.seed(seed)\nrunif(1)\n", State.FIXED),
        ("set.seed(Sys.time())\nrunif(1)\n", State.VARYING),
        ("set.seed(NULL)\nrunif(1)\n", State.NONE),
        ("x <- rnorm(3)\nset.seed(1)\n", State.LATE),
        ("f <- function(n) {\n  rnorm(n)\n}\nset.seed(1)\nf(2)\n", State.FIXED),
        ("run <- function(seed = NULL) {\n  if (!is.null(seed)) set.seed(seed)\n  rnorm(1)\n}\nrun()\n", State.GUARDED),
    ],
)
def test_r_scripts(code: str, state: State) -> None:
    assert state_of({"run.R": code}, "run.R") is state


@pytest.mark.parametrize(
    ("code", "state"),
    [
        ("using Random\nRandom.seed!(1234)\nx = rand(3)\n", State.FIXED),
        ("x = randn(3)\n", State.MISSING),
        (
            "Base.@kwdef struct Args\n    seed = 0\nend\nargs.seed > 0 && Random.seed!(args.seed)\nrand(3)\n",
            State.GUARDED,
        ),
        (
            "Base.@kwdef struct Args\n    seed = 5\nend\nargs.seed > 0 && Random.seed!(args.seed)\nrand(3)\n",
            State.DEFAULT,
        ),
        ("rng = MersenneTwister(42)\nx = rand(3)\n", State.FIXED),
        ("Random.seed!(time_ns())\nrand(3)\n", State.VARYING),
    ],
)
def test_julia_scripts(code: str, state: State) -> None:
    assert state_of({"run.jl": code}, "run.jl") is state


def test_a_script_that_is_sourced_brings_its_seed() -> None:
    files = {"main.R": "source('setup.R')\nrnorm(1)\n", "setup.R": "set.seed(1)\n"}
    facts = facts_of(files)
    assert [e.path for e in facts.entry_points] == ["main.R"]
    assert facts.entry_points[0].coverage[0].seeded
    assert facts.seeds[0].frameworks == (Framework.R,)


def test_files_that_source_one_another_end() -> None:
    assert facts_of({"a.R": "source('b.R')\nrnorm(1)\n", "b.R": "source('a.R')\nrnorm(1)\n"}).entry_points == ()


def test_an_r_package_is_a_library() -> None:
    facts = facts_of({"DESCRIPTION": "Package: x\n", "R/draw.R": "f <- function() rnorm(1)\n", "run.R": "rnorm(1)\n"})
    assert [e.path for e in facts.entry_points] == ["run.R"]


@pytest.mark.parametrize("folder", ["tests", "tests/testthat", "inst/tinytest"])
def test_tests_of_an_r_package_are_no_runs(folder: str) -> None:
    assert facts_of({f"{folder}/draw.R": "x <- rnorm(3)\n"}).entry_points == ()


@pytest.mark.parametrize("folder", ["tests/examples_from_paper", "tests/testthat"])
def test_experiments_among_the_tests_of_a_package_are_runs(folder: str) -> None:
    path = f"{folder}/smoking.R"
    runs = {e.path for e in facts_of({"DESCRIPTION": "Package: x\n", path: "x <- sample(1:9)\n"}).entry_points}
    assert runs == ({path} if "paper" in folder else set())


@pytest.mark.parametrize(
    ("code", "seeded"),
    [
        ("m <- LDA(x, k = 4, control = list(seed = 1234))\n", True),
        ("m <- LDA(x, k = 4, control = list(seed = 1234))\ny <- rnorm(3)\n", False),
    ],
)
def test_a_call_with_a_seed_of_its_own_needs_no_other(code: str, seeded: bool) -> None:
    entry = facts_of({"topics.R": code}).entry_points[0]
    assert entry.coverage[0].seeded is seeded
    assert entry.coverage[0].uncovered_count == (0 if seeded else 1)


@pytest.mark.parametrize(
    "pulls", ['source("spec.R")', 'runs <- tuning_run("spec.R")', 'tuning_run(\n  file = "spec.R")']
)
def test_a_script_of_r_that_another_runs_is_no_run_of_its_own(pulls: str) -> None:
    files = {"book.Rmd": f"```{{r}}\nset.seed(1)\n{pulls}\n```\n", "spec.R": "m <- layer_dense(units = 3)\n"}
    runs = facts_of(files).entry_points
    assert [(e.path, e.coverage[0].seeded) for e in runs] == [("book.Rmd", True)]


@pytest.mark.parametrize(
    "line", ["DiffEqFlux.sciml_train(loss, p)", "prob = OptimizationProblem(f, p)", "Flux.train!(l, m)"]
)
def test_julia_that_optimises_is_seen_to_train(line: str) -> None:
    assert facts_of({"fit.jl": f"m = Dense(2, 1)\n{line}\n"}).entry_points[0].trains


def test_checks_of_packages_that_depend_on_this_one_are_no_runs() -> None:
    files = {"DESCRIPTION": "Package: x\n", "demo/a.R": "x <- rnorm(3)\n", "revdep/y/y-Ex.R": "train(rnorm(3))\n"}
    assert [e.path for e in facts_of(files).entry_points] == ["demo/a.R"]
