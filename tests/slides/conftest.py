"""The tiny world, made once for all tests of the pipeline."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tiny_world import TINY

from assay.slides.configuration import Configuration, read_configuration
from assay.slides.run import Outcome, Run, run
from assay.slides.world import make_world


@pytest.fixture(autouse=True, scope="session")
def one_thread() -> None:
    """Threads that wait for each other cost more than they give on patches of 16 pixels."""
    import torch

    torch.set_num_threads(1)


@pytest.fixture(scope="session")
def tiny() -> Callable[..., Configuration]:
    """The tiny configuration, with changes."""

    def made(changes: dict[str, Any] | None = None) -> Configuration:
        return read_configuration("default", TINY | (changes or {}))

    return made


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory, tiny: Callable[..., Configuration]) -> Path:
    """The folder of its slides."""
    folder = tmp_path_factory.mktemp("slides") / "world"
    make_world(folder, tiny().data.world)
    return folder


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Finished steps, which all tests may use: a wrong reuse would show as a wrong result."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def go(tiny: Callable[..., Configuration], world: Path, cache: Path, tmp_path: Path) -> Callable[..., Outcome]:
    """Run the tiny pipeline with changes into a folder of the test."""

    def gone(out: str = "run", changes: dict[str, Any] | None = None, **settings: Any) -> Outcome:
        given = {"data": world, "cache": cache} | settings
        return run(Run(tiny(changes), "# as given\n", tmp_path / out, **given))

    return gone
